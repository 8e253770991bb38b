"""`python -m benchmarks.killed_servers`: four server processes that are killed, one at a time.

`docstead serve --workers 4` on PostgreSQL, which starts each anew. Readers ask for a published page
and for a space through GraphQL, writers post comments, each with an Idempotency-Key; whoever gets
no answer, or one that says so, tries again. At the end all comments are read: each that was
acknowledged has to be there, and none twice.
"""

import argparse
import asyncio
import contextlib
import os
import random
import signal
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2

from benchmarks.page_spaces import PageSpaces
from benchmarks.progress import progress
from benchmarks.published import PAGE, ROOT, fill_site
from benchmarks.servers import migrated
from benchmarks.usage import process_tree
from tests.docstead.test_serve import serving
from tests.postgres import TemporaryPostgres

WORKERS, LARGE = 4, 500
READERS, WRITERS, ATTEMPTS = 8, 4, 20
AGAIN = {409, 502, 503, 504}
SPACE = "query($s: ID!) { space(id: $s) { id title updatedAt } }"


@dataclass
class Counts:
    """Answers, what had to be tried again and why, and what was given up."""

    answered: Counter[str] = field(default_factory=Counter)
    again: Counter[str] = field(default_factory=Counter)
    given_up: Counter[str] = field(default_factory=Counter)
    written: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Load:
    """The server, a person, the space, and what was counted."""

    base: str
    token: dict[str, str]
    space: str
    counts: Counts


async def _until_answered(
    load: Load, name: str, client: httpx2.AsyncClient, *request: str, **options: Any
) -> httpx2.Response | None:
    """The answer, after as many attempts as it takes; None when it was given up."""
    for attempt in range(ATTEMPTS):
        try:
            answer = await client.request(*request, **options)
        except httpx2.TransportError as error:
            load.counts.again[f"{name}: {type(error).__name__}"] += 1
        else:
            if answer.status_code < 300:
                load.counts.answered[name] += 1
                return answer
            load.counts.again[f"{name}: {answer.status_code}"] += 1
            if answer.status_code not in AGAIN:
                break
        await asyncio.sleep(0.05 * (attempt + 1))
    load.counts.given_up[name] += 1
    return None


async def _read(load: Load, end: float) -> None:
    body = {"query": SPACE, "variables": {"s": load.space}}
    async with httpx2.AsyncClient(base_url=load.base, timeout=20) as client:
        while time.monotonic() < end:
            await _until_answered(load, "page", client, "GET", f"{ROOT}/{PAGE}")
            await _until_answered(
                load, "GraphQL", client, "POST", "/graphql", json=body, headers=load.token
            )


async def _write(load: Load, number: int, end: float) -> None:
    path, count = f"/v1/spaces/{load.space}/comments", 0
    async with httpx2.AsyncClient(base_url=load.base, timeout=20) as client:
        while time.monotonic() < end:
            key, count = f"{number}-{count}", count + 1
            answer = await _until_answered(
                load, "comment", client, "POST", path,
                json={"body": {"markdown": key}, "page": "s0p7"},
                headers={**load.token, "Idempotency-Key": key},
            )  # fmt: skip
            if answer is not None:
                load.counts.written[key] = answer.json()["id"]


@asynccontextmanager
async def _killing(supervisor: int, pause: float) -> AsyncIterator[list[int]]:
    """Kill a server process after each pause; those that were killed."""
    killed: list[int] = []

    async def kill() -> None:
        while True:
            await asyncio.sleep(pause)
            if not (servers := _servers(supervisor)):
                raise SystemExit("no server process is left")
            pid = random.choice(servers)
            os.kill(pid, signal.SIGKILL)
            killed.append(pid)

    task = asyncio.create_task(kill())
    try:
        yield killed
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


def _servers(supervisor: int) -> list[int]:
    """The server processes: children that were spawned, but the one that tracks resources."""
    found = []
    for pid in process_tree(supervisor)[1:]:
        with contextlib.suppress(OSError):
            command = Path(f"/proc/{pid}/cmdline").read_text()
            if "spawn_main" in command:
                found.append(pid)
    return found


async def _comments(load: Load) -> Counter[str]:
    """How often each text stands among the comments."""
    texts: Counter[str] = Counter()
    path, page = f"/v1/spaces/{load.space}/comments", ""
    async with httpx2.AsyncClient(base_url=load.base, timeout=60) as client:
        while True:
            query = {"limit": "1000", **({"page": page} if page else {})}
            answer = await client.get(path, params=query, headers=load.token)
            listed = answer.raise_for_status().json()
            texts.update(item["body"]["markdown"].strip() for item in listed["items"])
            page = listed.get("next", {}).get("page", "")
            if not page:
                return texts


async def _measure(base: str, supervisor: int, data: PageSpaces, options: Any) -> None:
    counts = Counts()
    token = {"Authorization": f"Bearer {data.token}"}
    load = Load(base, token, data.spaces[50], counts)
    end = time.monotonic() + options.seconds
    async with _killing(supervisor, options.pause) as killed:
        await asyncio.gather(
            *(_read(load, end) for _ in range(READERS)),
            *(_write(load, number, end) for number in range(WRITERS)),
        )
    texts = await _comments(load)
    lost = [key for key in counts.written if not texts[key]]
    twice = [key for key, times in texts.items() if times > 1]
    print(f"{len(killed)} kills of one of {WORKERS} processes, one every {options.pause:g} s, "
          f"load {os.getloadavg()[0]:.1f}")  # fmt: skip
    for name, number in sorted(counts.answered.items()):
        print(f"{name}: {number:,} answered, {number / options.seconds:.0f} a second, "
              f"{counts.given_up[name]} given up")  # fmt: skip
    again = ", ".join(f"{number} {name}" for name, number in sorted(counts.again.items()))
    print(f"tried again: {again or 'nothing'}")
    print(f"comments: {len(counts.written):,} acknowledged, {len(lost)} lost, {len(twice)} twice")


async def _fill(url: str) -> PageSpaces:
    async with migrated(url) as database:
        return await fill_site(database, LARGE)


def main() -> None:
    """Measure once and print what happened."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.killed_servers",
                                     description=__doc__)  # fmt: skip
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--pause", type=float, default=5, help="seconds between two kills")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, TemporaryPostgres(by_language=False) as postgres:
        url = postgres.create_database("killed")
        progress("filling")
        data = asyncio.run(_fill(url))
        settings = {
            "DOCSTEAD_DATABASE_URL": url, "DOCSTEAD_REQUESTS_PER_TOKEN": "0",
            "DOCSTEAD_WRITES_PER_SPACE": "0",
        }  # fmt: skip
        place = Path(folder) / "data"
        with serving(place, "--workers", str(WORKERS), settings=settings, program=True) as (
            base,
            process,
        ):
            asyncio.run(_measure(base, process.pid, data, options))


if __name__ == "__main__":
    main()
