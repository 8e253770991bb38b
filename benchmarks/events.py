"""`python -m benchmarks.events`: how late events reach subscribers, and how many webhooks take.

Two server processes on PostgreSQL. Events are renames of spaces through both of them. Subscribers
speak graphql-transport-ws, 10 to a connection, and note how long after its time each event was
read; endpoints are received by one small server. All of that is done by this process, which wants
the cores, too. With `--kill` one server is killed in the middle: its subscribers go on with the
other one. It fails unless each subscriber has received each event once and in order.
"""

import argparse
import asyncio
import os
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import httpx2

from benchmarks.percentiles import percentile
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

SPACES = 4


@dataclass
class Place:
    """What is measured in: an organization, its spaces, tokens of three people, servers."""

    url: str
    organization: str = ""
    spaces: list[str] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)
    bases: tuple[str, ...] = ()
    servers: tuple[subprocess.Popen[bytes], ...] = ()

    async def fill(self, people: int) -> None:
        """Make the organization; the last token is that of its administrator."""
        database = Database(self.url)
        async with database.session() as session:
            await session.begin_write()
            world = await make_world(session)
            self.organization = world.organization.id
            for _ in range(SPACES):
                self.spaces.append((await factories.make_space(session, world.organization)).id)
            others = [
                await factories.make_member(session, world.organization) for _ in range(people - 1)
            ]
            for person in (*others, world.admin):
                self.tokens.append((await create_token(session, person.id, "benchmark"))[1])
            await session.commit()
        await database.close()


def _percentiles(name: str, seconds: Sequence[float]) -> str:
    ordered = sorted(1000 * value for value in seconds)
    chosen = (percentile(ordered, share) for share in (0.5, 0.9, 0.99))
    figures = ", ".join(
        f"{part} {value:.0f} ms" for part, value in zip(("p50", "p90", "p99"), chosen, strict=True)
    )
    return f"{name}: n {len(ordered)}, {figures}, load {os.getloadavg()[0]:.1f}"


def _used(process: subprocess.Popen[bytes]) -> tuple[float, int]:
    """Seconds of CPU that a process has used, and the megabytes that it holds."""
    status = Path(f"/proc/{process.pid}")
    fields = (status / "stat").read_text().rpartition(")")[2].split()
    seconds = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return seconds, int((status / "statm").read_text().split()[1]) * 4096 // 1_000_000


def _check(followers: Sequence[Followers], last: int) -> None:
    """Each has each event from its first one on, once and in order."""
    for one in followers:
        for received in one.received:
            expected = list(range(received.positions[0], last + 1))
            assert received.positions == expected, "an event is missing, or came twice"
            assert len(set(received.ids)) == len(received.ids)


async def _subscribers(place: Place, options: argparse.Namespace) -> None:
    number, events = options.subscribers, options.events
    # Whose server is killed goes on with the other one.
    ways = (place.bases[:1], place.bases[::-1] if options.kill else place.bases[1:])
    per = min(PER_CONNECTION, max(1, number // len(place.tokens)))
    followers = [
        Followers(ways[count % 2], place.tokens[count % len(place.tokens)], place.organization, per)
        for count in range(number // per)
    ]
    following, begun = await begin(followers, place.bases, place.tokens[-1], place.spaces)
    for one in followers:
        one.last = begun + events
    progress(f"{number} subscribers follow")
    before, own = [_used(process) for process in place.servers], time.process_time()
    started = time.monotonic()

    async def change(bases: Sequence[str], first: int, count: int) -> None:
        await write(
            bases, place.tokens[-1], place.spaces, count, first=begun + first, pause=options.pause
        )

    half = events // 2 if options.kill else events
    await change(place.bases, 0, half)
    used = [_used(process) for process in place.servers]
    counts = [[len(received.seconds) for received in one.received] for one in followers]
    if options.kill:
        place.servers[1].kill()
        progress("a server was killed")
        await change(place.bases[:1], half, events - half)
        used[0] = _used(place.servers[0])
    rate = events / (time.monotonic() - started)
    await asyncio.gather(*following)
    _check(followers, begun + events)
    name = (
        f"{number} subscribers of {len(place.tokens)} people, {events} events, {rate:.1f} a second"
    )
    late = [value for one in followers for received in one.received for value in received.seconds]
    print(_percentiles(name, late))
    if options.kill:
        parts: dict[str, list[float]] = {"with both": [], "went on": [], "stayed": []}
        for one, numbers in zip(followers, counts, strict=True):
            for received, count in zip(one.received, numbers, strict=True):
                parts["with both"] += received.seconds[:count]
                parts["went on" if one.connections > 1 else "stayed"] += received.seconds[count:]
        for part, values in parts.items():
            print(_percentiles(f"  {part}", values))
    seconds = sum(now - then for (now, _), (then, _) in zip(used, before, strict=True))
    sizes = ", ".join(f"{then} to {now}" for (_, now), (_, then) in zip(used, before, strict=True))
    print(
        f"  servers: {seconds:.1f} s of CPU, {1e6 * seconds / len(late):.0f} us a delivery with "
        f"the writes, {sizes} MB; client {time.process_time() - own:.1f} s of CPU"
    )


async def _webhooks(place: Place, receiver: Receiver, endpoints: int, events: int) -> None:
    headers = {"Authorization": f"Bearer {place.tokens[-1]}"}
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
        write(place.bases, place.tokens[-1], place.spaces, events, first=1_000_000)
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
    await place.fill(options.people)
    async with receiving() as receiver:
        settings = {
            "DOCSTEAD_DATABASE_URL": url,
            "DOCSTEAD_REQUESTS_PER_TOKEN": "0",
            "DOCSTEAD_WRITES_PER_SPACE": "0",
            "DOCSTEAD_FETCH_ALLOW": f"127.0.0.1:{receiver.port}",
        }
        with (
            serving(folder, settings=settings) as (first, one),
            serving(folder, settings=settings) as (second, other),
        ):
            place.bases, place.servers = (first, second), (one, other)
            async with asyncio.timeout(options.seconds):
                if options.subscribers:
                    await _subscribers(place, options)
                if other.poll() is not None:
                    place.bases = (first,)
                if options.endpoints:
                    await _webhooks(place, receiver, options.endpoints, options.deliveries)


def main() -> None:
    """Measure once and print a line for each part."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.events", description=__doc__)
    parser.add_argument("--subscribers", type=int, default=500)
    parser.add_argument("--people", type=int, default=3, help="whose subscriptions these are")
    parser.add_argument("--events", type=int, default=2_000)
    parser.add_argument("--kill", action="store_true", help="kill a server in the middle")
    parser.add_argument("--seconds", type=float, default=900, help="after which it gives up")
    parser.add_argument("--pause", type=float, default=0.2, help="seconds after each write")
    parser.add_argument("--endpoints", type=int, default=8)
    parser.add_argument("--deliveries", type=int, default=200, help="events for each endpoint")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, TemporaryPostgres(by_language=False) as postgres:
        asyncio.run(_run(options, postgres, Path(folder)))


if __name__ == "__main__":
    main()
