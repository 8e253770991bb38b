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
    # Whether each has received an event: nothing else says that a subscription has begun.
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    connections: int = 0
    # The number of the event that is the last one for them.
    last: int | None = None

    async def follow(self) -> None:
        """Receive until each has the last event."""
        self.received = [Received() for _ in range(self.count)]
        places = iter(self.bases)
        while not self._has_all():
            async with socket(next(places), self.token) as opened:
                self.connections += 1
                await self._receive(opened)

    def _has_all(self) -> bool:
        return all(one.positions and one.positions[-1] == self.last for one in self.received)

    async def _receive(self, opened: Socket) -> None:
        for number, one in enumerate(self.received):
            after = {"after": one.ids[-1]} if one.ids else {}
            await opened.subscribe(str(number), QUERY, id=self.organization, **after)
        while not self._has_all():
            try:
                message = json.loads(await opened.connection.recv())
            except ConnectionClosed:
                return
            if message["type"] == "ping":
                await opened.send(type="pong")
            else:
                assert message["type"] == "next", message
                self._note(self.received[int(message["id"])], message["payload"]["data"]["events"])
                if all(one.ids for one in self.received):
                    self.ready.set()

    def _note(self, one: Received, event: Any) -> None:
        one.ids.append(event["id"])
        one.positions.append(event["position"])
        happened = dt.datetime.fromisoformat(event["occurredAt"])
        one.seconds.append((dt.datetime.now(dt.UTC) - happened).total_seconds())


async def begin(
    followers: Sequence[Followers], bases: Sequence[str], token: str, spaces: Sequence[str]
) -> tuple[list[asyncio.Task[None]], int]:
    """Have all follow; the tasks, and how many events it took until each has received one."""
    following = [asyncio.create_task(one.follow()) for one in followers]
    count = 0
    while not all(one.ready.is_set() for one in followers):
        await write(bases, token, spaces[:1], 1, first=count)
        count += 1
        await asyncio.sleep(0.5)
        assert not any(task.done() for task in following), "a follower has ended"
    for one in followers:
        # What came in the beginning says how late a subscription began.
        for received in one.received:
            received.seconds.clear()
    return following, count


async def write(
    bases: Sequence[str],
    token: str,
    spaces: Sequence[str],
    count: int,
    *,
    first: int = 0,
    pause: float = 0.0,
) -> None:
    """Leave so many events by renaming spaces, through all the servers in turn."""
    headers = {"Authorization": f"Bearer {token}"}
    waiting = iter(range(first, first + count))

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
