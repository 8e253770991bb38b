"""Many subscribers of several server processes, and what each of them has received."""

import asyncio
import datetime as dt
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx2
from websockets.exceptions import ConnectionClosed

from tests.docstead.subscriptions.clients import Socket, socket

QUERY = """
subscription ($id: ID!, $after: ID) {
  events(organizationId: $id, after: $after) { id position occurredAt }
}
"""
# Subscriptions of one connection.
PER_CONNECTION = 10


@dataclass
class Received:
    """What one subscriber has received: ids and numbers in order, and how late each came."""

    ids: list[str] = field(default_factory=list)
    positions: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


@dataclass
class Followers:
    """Subscribers of an organization over one connection, which go on elsewhere when it breaks."""

    bases: Sequence[str]
    token: str
    organization: str
    count: int = PER_CONNECTION
    received: list[Received] = field(default_factory=list)
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    connections: int = 0

    async def follow(self, last: int) -> None:
        """Receive until each has the event with the number `last`."""
        self.received = [Received() for _ in range(self.count)]
        places = iter(self.bases)
        while not all(one.positions and one.positions[-1] == last for one in self.received):
            async with socket(next(places), self.token) as opened:
                self.connections += 1
                await self._receive(opened, last)

    async def _receive(self, opened: Socket, last: int) -> None:
        for number, one in enumerate(self.received):
            after = {"after": one.ids[-1]} if one.ids else {}
            await opened.subscribe(str(number), QUERY, id=self.organization, **after)
        # Answers come in order, so what comes after this has begun.
        await opened.subscribe("begun", "{ viewer { id } }")
        while not all(one.positions and one.positions[-1] == last for one in self.received):
            try:
                message = json.loads(await opened.connection.recv())
            except ConnectionClosed:
                return
            if message["type"] == "ping":
                await opened.send(type="pong")
            elif message.get("id") == "begun":
                self.ready.set()
            else:
                assert message["type"] == "next", message
                self._note(self.received[int(message["id"])], message["payload"]["data"]["events"])

    def _note(self, one: Received, event: Any) -> None:
        one.ids.append(event["id"])
        one.positions.append(event["position"])
        happened = dt.datetime.fromisoformat(event["occurredAt"])
        one.seconds.append((dt.datetime.now(dt.UTC) - happened).total_seconds())


async def write(
    bases: Sequence[str], token: str, spaces: Sequence[str], count: int, pause: float = 0.0
) -> None:
    """Leave so many events by renaming spaces, through all the servers in turn."""
    headers = {"Authorization": f"Bearer {token}"}
    waiting = iter(range(count))

    async with httpx2.AsyncClient(headers=headers, timeout=60) as client:

        async def rename(space: str) -> None:
            for number in waiting:
                base = bases[number % len(bases)]
                answer = await client.patch(
                    f"{base}/v1/spaces/{space}", json={"title": f"T{number}"}
                )
                assert answer.status_code == 200, answer.text
                await asyncio.sleep(pause)

        await asyncio.gather(*(rename(space) for space in spaces))
