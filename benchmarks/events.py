"""`python -m benchmarks.events`: how late events reach subscribers, and how many webhooks take.

Two server processes on PostgreSQL. Events are renames of spaces through both of them. Subscribers
speak graphql-transport-ws, 10 to a connection, and note how long after its time each event was
read; endpoints are received by one small server. All of that is done by this process, which wants
the cores, too.
"""

import argparse
import asyncio
import os
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import httpx2

from benchmarks.progress import progress
from db.session import Database
from resolvers.access.tokens import create_token
from tests import factories
from tests.conftest import make_world
from tests.databases import migrate_in_thread
from tests.docstead.subscriptions.followers import PER_CONNECTION, Followers, begin, write
from tests.docstead.test_serve import serving
from tests.jobs.receiver import Receiver, receiving
from tests.postgres import TemporaryPostgres

SPACES, SECONDS = 4, 900


@dataclass
class Place:
    """What is measured in: an organization, its spaces, tokens of three people, servers."""

    url: str
    organization: str = ""
    spaces: list[str] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)
    bases: tuple[str, ...] = ()

    async def fill(self) -> None:
        """Make the organization."""
        database = Database(self.url)
        async with database.session() as session:
            await session.begin_write()
            world = await make_world(session)
            self.organization = world.organization.id
            for _ in range(SPACES):
                self.spaces.append((await factories.make_space(session, world.organization)).id)
            for person in (world.reader, world.editor, world.admin):
                self.tokens.append((await create_token(session, person.id, "benchmark"))[1])
            await session.commit()
        await database.close()


def _percentiles(name: str, seconds: Sequence[float]) -> str:
    ordered = sorted(1000 * value for value in seconds)
    chosen = (ordered[min(len(ordered) - 1, int(len(ordered) * part))] for part in (0.5, 0.9, 0.99))
    figures = ", ".join(
        f"{part} {value:.0f} ms" for part, value in zip(("p50", "p90", "p99"), chosen, strict=True)
    )
    return f"{name}: n {len(ordered)}, {figures}, load {os.getloadavg()[0]:.1f}"


async def _subscribers(place: Place, number: int, events: int, pause: float) -> None:
    followers = [
        Followers((place.bases[count % 2],), place.tokens[count % 3], place.organization)
        for count in range(number // PER_CONNECTION)
    ]
    following, begun = await begin(followers, place.bases, place.tokens[2], place.spaces)
    for one in followers:
        one.last = begun + events
    progress(f"{number} subscribers follow")
    started = time.monotonic()
    await write(place.bases, place.tokens[2], place.spaces, events, first=begun, pause=pause)
    rate = events / (time.monotonic() - started)
    await asyncio.gather(*following)
    late = [value for one in followers for received in one.received for value in received.seconds]
    print(_percentiles(f"{number} subscribers, {events} events, {rate:.1f} a second", late))


async def _webhooks(place: Place, receiver: Receiver, endpoints: int, events: int) -> None:
    headers = {"Authorization": f"Bearer {place.tokens[2]}"}
    async with httpx2.AsyncClient(headers=headers, timeout=60) as client:
        for _ in range(endpoints):
            answer = await client.post(
                f"{place.bases[0]}/v1/orgs/{place.organization}/webhooks",
                json={"url": receiver.url, "types": ["space_updated"]},
            )
            assert answer.status_code == 201, answer.text
    total = endpoints * events
    started = time.monotonic()
    writing = asyncio.create_task(
        write(place.bases, place.tokens[2], place.spaces, events, first=1_000_000)
    )
    while len(receiver.received) < total:
        receiver.came.clear()
        await receiver.came.wait()
    seconds = time.monotonic() - started
    await writing
    print(
        f"webhooks: {endpoints} endpoints, {events} events, {total / seconds:.1f} deliveries a "
        f"second while these are written, {len(receiver.received) - total} twice, "
        f"load {os.getloadavg()[0]:.1f}"
    )


async def _run(options: argparse.Namespace, postgres: TemporaryPostgres, folder: Path) -> None:
    url = postgres.create_database("events")
    await asyncio.to_thread(migrate_in_thread, url)
    place = Place(url)
    await place.fill()
    async with receiving() as receiver:
        settings = {
            "DOCSTEAD_DATABASE_URL": url,
            "DOCSTEAD_REQUESTS_PER_TOKEN": "0",
            "DOCSTEAD_WRITES_PER_SPACE": "0",
            "DOCSTEAD_FETCH_ALLOW": f"127.0.0.1:{receiver.port}",
        }
        with (
            serving(folder, settings=settings) as (first, _),
            serving(folder, settings=settings) as (second, _),
        ):
            place.bases = (first, second)
            async with asyncio.timeout(SECONDS):
                await _subscribers(place, options.subscribers, options.events, options.pause)
                await _webhooks(place, receiver, options.endpoints, options.deliveries)


def main() -> None:
    """Measure once and print a line for each part."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.events", description=__doc__)
    parser.add_argument("--subscribers", type=int, default=500)
    parser.add_argument("--events", type=int, default=2_000)
    parser.add_argument("--pause", type=float, default=0.2, help="seconds after each write")
    parser.add_argument("--endpoints", type=int, default=8)
    parser.add_argument("--deliveries", type=int, default=200, help="events for each endpoint")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, TemporaryPostgres(by_language=False) as postgres:
        asyncio.run(_run(options, postgres, Path(folder)))


if __name__ == "__main__":
    main()
