"""Clients of both protocols, as small as they can be."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from tests.conftest import Api

PROTOCOL = Subprotocol("graphql-transport-ws")
SECONDS = 60.0


def base_of(api: Api) -> str:
    """The address of a server that listens, without a slash at its end."""
    return str(api.client.base_url).rstrip("/")


class Socket:
    """A connection with graphql-transport-ws; pings are answered."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    async def send(self, **message: Any) -> None:
        await self.connection.send(json.dumps(message))

    async def receive(self) -> Any:
        """The next message that is no ping; the code with which the connection was closed."""
        # Pings do not begin the time anew: a test would wait for ever.
        async with asyncio.timeout(SECONDS):
            while True:
                try:
                    message = json.loads(await self.connection.recv())
                except ConnectionClosed:
                    return self.connection.close_code
                if message["type"] != "ping":
                    return message
                await self.send(type="pong")

    async def subscribe(self, id: str, query: str, /, **variables: Any) -> None:
        payload = {"query": query, "variables": variables}
        await self.send(id=id, type="subscribe", payload=payload)

    async def results(self, count: int) -> list[Any]:
        """The payloads of the next results."""
        received = []
        for _ in range(count):
            message = await self.receive()
            assert isinstance(message, dict), message
            assert message["type"] == "next", message
            received.append(message["payload"])
        return received


@asynccontextmanager
async def socket(base: str, token: str | None = None, **options: Any) -> AsyncIterator[Socket]:
    """A connection; with a token it is initialised."""
    url = base.replace("http", "ws", 1) + "/graphql"
    async with connect(url, subprotocols=[PROTOCOL], proxy=None, **options) as connection:
        opened = Socket(connection)
        if token is not None:
            await opened.send(type="connection_init", payload={"Authorization": f"Bearer {token}"})
            assert await opened.receive() == {"type": "connection_ack"}
        yield opened


@asynccontextmanager
async def event_stream(
    client: httpx2.AsyncClient, token: str, query: str, **options: Any
) -> AsyncIterator[AsyncIterator[tuple[str, str | None, Any]]]:
    """The events of a stream: name, id, data."""
    headers = {
        "Authorization": f"Bearer {token}",
        "Accept": "text/event-stream",
        **options.pop("headers", {}),
    }
    body = {"query": query, "variables": options}
    async with client.stream(
        "POST", "/graphql", json=body, headers=headers, timeout=SECONDS
    ) as response:
        assert response.status_code == 200, await response.aread()
        assert response.headers["content-type"].startswith("text/event-stream")
        yield _events(response)


async def _events(response: httpx2.Response) -> AsyncIterator[tuple[str, str | None, Any]]:
    lines = response.aiter_lines()
    while True:
        # Nor do comments begin it anew.
        async with asyncio.timeout(SECONDS):
            event = await _next_event(lines)
        if event is None:
            return
        yield event


async def _next_event(lines: AsyncIterator[str]) -> tuple[str, str | None, Any] | None:
    """None where the stream has ended."""
    fields: dict[str, str] = {}
    async for line in lines:
        if line.startswith(":"):
            continue
        if line:
            name, _, value = line.partition(":")
            fields[name] = value.strip()
        elif fields:
            data = fields.get("data")
            return fields["event"], fields.get("id"), json.loads(data) if data else None
    return None
