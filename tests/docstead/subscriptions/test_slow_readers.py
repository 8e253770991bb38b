"""Clients that do not read: what waits for them is bounded, they get the reason, and can go on."""

import asyncio
import socket as sockets_of_system
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

import httpx2
import pytest

from db.models.spaces import Space
from db.session import Database, Session
from docstead.subscriptions import event_streams, sockets, subscribers
from resolvers.core.events import write_events
from tests import factories
from tests.conftest import Api, World, context
from tests.docstead.subscriptions.clients import base_of, event_stream, socket
from tests.docstead.subscriptions.test_subscriptions import until
from tests.outbox import event_row
from tests.rest_compat.test_published_client import listening

# Large answers fill what systems hold of a connection.
MANY = " ".join(f"{'a' * 400}{number}: id" for number in range(10))
QUERY = f"""subscription ($id: ID!, $after: ID) {{
  events(organizationId: $id, after: $after) {{ id position {MANY} }} }}"""
MOST_WAITING, PORTION, BUFFER = 120, 50, 32_768


@pytest.fixture
async def live(
    database: Database, world: World, session: Session, tmp_path: Path
) -> AsyncIterator[Api]:
    await session.commit()
    async with listening(database, tmp_path / "data", send_buffer=BUFFER) as api:
        yield api


class Reader(Protocol):
    """A subscription of a client that reads when it is asked to."""

    async def next(self) -> Any:
        """The next result; the code of the error that ends it, None where the connection ends."""
        ...


def _receiver() -> sockets_of_system.socket:
    opened = sockets_of_system.socket()
    opened.setsockopt(sockets_of_system.SOL_SOCKET, sockets_of_system.SO_RCVBUF, BUFFER)
    return opened


class OverSocket:
    """One over graphql-transport-ws."""

    def __init__(self, opened: Any) -> None:
        self.opened = opened

    async def next(self) -> Any:
        message = await self.opened.receive()
        if isinstance(message, int):
            return None
        if message["type"] == "error":
            return message["payload"][0]["extensions"]["code"]
        return message["payload"]["data"]["events"]


class OverEvents:
    """One over server-sent events."""

    def __init__(self, events: Any) -> None:
        self.events = events

    async def next(self) -> Any:
        try:
            _, _, result = await anext(self.events)
        except (httpx2.TransportError, StopAsyncIteration):
            return None
        if "errors" in result:
            return result["errors"][0]["extensions"]["code"]
        return result["data"]["events"]


@asynccontextmanager
async def reading(protocol: str, api: Api, token: str, **variables: Any) -> AsyncIterator[Reader]:
    base = base_of(api)
    if protocol == "graphql-sse":
        options = [(sockets_of_system.SOL_SOCKET, sockets_of_system.SO_RCVBUF, BUFFER)]
        transport = httpx2.AsyncHTTPTransport(socket_options=options)
        async with (
            httpx2.AsyncClient(base_url=base, transport=transport) as client,
            event_stream(client, token, QUERY, **variables) as events,
        ):
            yield OverEvents(events)
        return
    place = urlsplit(base)
    opened = _receiver()
    opened.setblocking(False)
    await asyncio.get_running_loop().sock_connect(opened, (place.hostname, place.port))
    # Compressed, the same over and over would be nothing.
    options: dict[str, Any] = {"compression": None, "max_queue": 1, "close_timeout": 1}
    async with socket(base, token, sock=opened, **options) as client:
        await client.subscribe("1", QUERY, **variables)
        yield OverSocket(client)


async def write(api: Api, world: World, space: Space, count: int) -> None:
    """Leave events, as one write of the product would."""
    async with api.server.database.session() as session:
        ctx = context(session, world.admin)
        await ctx.begin_write()
        rows = [event_row(world.organization.id, space.id) for _ in range(count)]
        await write_events(ctx, rows)
        await session.commit()
    assert api.server.on_events is not None
    api.server.on_events([world.organization.id])


@pytest.mark.parametrize("protocol", ["graphql-transport-ws", "graphql-sse"])
async def test_who_reads_too_slowly_is_ended_and_can_go_on(
    protocol: str,
    live: Api,
    world: World,
    session: Session,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(subscribers, "MOST_WAITING", MOST_WAITING)
    space = await factories.make_space(session, world.organization)
    await session.commit()
    token = await live.token_of(world.reader)
    variables = {"id": world.organization.id}
    async with (
        reading(protocol, live, token, **variables) as slow,
        reading("graphql-transport-ws", live, token, **variables) as fast,
    ):
        await until(lambda: live.app.state.hub.number == 2)
        written = 0
        # What both systems hold of a connection, what waits in the process, and some more.
        for _ in range(6):
            await write(live, world, space, PORTION)
            written += PORTION
            while (await fast.next())["position"] < written:
                pass
        seen = []
        while isinstance(event := await slow.next(), dict):
            seen.append(event)
        assert event == "SLOW_CONSUMER"
        positions = [event["position"] for event in seen]
        assert positions == list(range(1, len(seen) + 1))
        assert MOST_WAITING < len(seen) < written
    # It goes on behind the last one that has arrived, as slowly as it likes.
    async with reading(protocol, live, token, after=seen[-1]["id"], **variables) as again:
        rest = [await again.next() for _ in range(written - len(seen))]
    assert [event["position"] for event in rest] == list(range(len(seen) + 1, written + 1))


@pytest.mark.parametrize("protocol", ["graphql-transport-ws", "graphql-sse"])
async def test_who_does_not_read_at_all_is_disconnected(
    protocol: str,
    live: Api,
    world: World,
    session: Session,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sockets, "SEND_SECONDS", 0.2)
    monkeypatch.setattr(event_streams, "SEND_SECONDS", 0.2)
    space = await factories.make_space(session, world.organization)
    await session.commit()
    token = await live.token_of(world.reader)
    hub = live.app.state.hub
    async with reading(protocol, live, token, id=world.organization.id) as slow:
        await until(lambda: hub.number == 1)
        await write(live, world, space, 400)
        await until(lambda: hub.number == 0)
        # What was under way arrives, then the connection ends.
        last: Any = {}
        while isinstance(last, dict):
            last = await slow.next()
        assert last in (None, "SLOW_CONSUMER")
