"""`python -m benchmarks.attacked_readers`: a reader of a published page, alone and beside attacks.

One server process with the limits that are the default, on one core with the processes that it
starts; attackers and the reader have the other. The reader asks for one page and for one space
through GraphQL, in turn. Memory is that of the server and its processes when the attack has ended,
and at last after a pause.
"""

import argparse
import asyncio
import contextlib
import itertools
import statistics
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import httpx2
import orjson

from benchmarks.contenders import PRODUCT
from benchmarks.page_spaces import PageSpaces
from benchmarks.percentiles import percentile
from benchmarks.progress import progress
from benchmarks.published import PAGE, ROOT, SITE, fill_site
from benchmarks.servers import Running, free_port, migrated, pin_load, running, store
from benchmarks.usage import resident_megabytes
from db.models.spaces import Space

LARGE = 1_000
PAUSE, REST = 0.01, 10.0
SIZE = 390_000
SPACE = "query($s: ID!) { space(id: $s) { id title updatedAt } }"
# Texts that cost a parser or a renderer most, as long as a page may be.
HEAVY = {
    "elements": "<div>" * (SIZE // 5),
    "quotes": "> " * (SIZE // 2) + "a",
    "emphasis": "*a " * (SIZE // 3),
    "brackets": "[" * SIZE,
    "cells": "| a | b |\n| - | - |\n" + "| **a** | `b` |\n" * (SIZE // 15),
    "lists": "".join(f"{'  ' * (n % 20)}* item\n" for n in range(SIZE // 25)),
}
NUMBERS = itertools.count()


@dataclass(frozen=True, slots=True)
class Attacked:
    """The server that is attacked, and what attacks need of it."""

    client: httpx2.AsyncClient
    port: int
    token: dict[str, str]
    spaces: PageSpaces
    heavy_space: str


async def _heavy_page(at: Attacked) -> None:
    name = list(HEAVY)[next(NUMBERS) % len(HEAVY)]
    await at.client.get(f"{ROOT}/heavy/{name}")


async def _missing_page(at: Attacked) -> None:
    await at.client.get(f"{ROOT}/nowhere/{next(NUMBERS)}")


async def _whole_text(at: Attacked) -> None:
    async with at.client.stream("GET", f"{ROOT}/llms-full.txt") as answer:
        async for _ in answer.aiter_raw():
            pass


async def _crawl(at: Attacked) -> None:
    number = next(NUMBERS) % (LARGE // 50 * 49)
    await at.client.get(f"{ROOT}/pages-{LARGE}/section-{number // 49}/page-{number % 49}")


async def _refused_write(at: Attacked) -> None:
    change = {
        "type": "insert_page", "title": "Large", "document": {"markdown": "* a\n" * 240_000},
    }  # fmt: skip
    await at.client.post(
        f"/v1/spaces/{at.heavy_space}/content", json={"changes": [change]}, headers=at.token
    )


async def _new_document(at: Attacked) -> None:
    number = next(NUMBERS)
    fields = " ".join(f"a{number}_{n}: title" for n in range(200))
    query = f"query($s: ID!) {{ space(id: $s) {{ {fields} }} }}"
    variables = {"s": at.spaces.spaces[50]}
    body = {"query": query, "variables": variables}
    await at.client.post("/graphql", json=body, headers=at.token)


async def _search(at: Attacked) -> None:
    words = " ".join(f"p{next(NUMBERS) % 97}age" for _ in range(40))
    await at.client.get(f"{ROOT}/~search", params={"q": words})


async def _half_open(at: Attacked) -> None:
    with contextlib.suppress(OSError):
        _, writer = await asyncio.open_connection("127.0.0.1", at.port)
        writer.write(b"POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900000\r\n\r\n")
        for _ in range(20):
            writer.write(b"{")
            await asyncio.sleep(0.2)
        writer.close()


@dataclass(frozen=True, slots=True)
class Attack:
    """What so many attackers do again and again."""

    name: str
    attackers: int
    once: Callable[[Attacked], Awaitable[None]]


ATTACKS = (
    Attack("heavy pages, 45 readers", 45, _heavy_page),
    Attack("pages that are not there, 45 readers", 45, _missing_page),
    Attack("whole texts, 6 at once", 6, _whole_text),
    Attack(f"crawl of {LARGE:,} pages, 4 at once", 4, _crawl),
    Attack("writes of 950 kB that are refused, 4 at once", 4, _refused_write),
    Attack("documents never seen, 200 fields, 8 at once", 8, _new_document),
    Attack("searches of 40 words, 8 at once", 8, _search),
    Attack("300 connections that send slowly", 300, _half_open),
)


async def _forever(attack: Attack, at: Attacked, done: list[None]) -> None:
    while True:
        try:
            await attack.once(at)
            done.append(None)
        except httpx2.HTTPError:
            await asyncio.sleep(0.05)


async def _reads(at: Attacked, reader: httpx2.AsyncClient, seconds: float) -> list[float]:
    """Milliseconds of reads, one after the other; SystemExit when one fails."""
    times: list[float] = []
    body = orjson.dumps({"query": SPACE, "variables": {"s": at.spaces.spaces[50]}})
    headers = {**at.token, "Content-Type": "application/json"}
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        for asked in (
            reader.get(f"{ROOT}/{PAGE}"), reader.post("/graphql", content=body, headers=headers)
        ):  # fmt: skip
            begun = time.perf_counter()
            answer = await asked
            times.append(1000 * (time.perf_counter() - begun))
            if answer.status_code != 200:
                raise SystemExit(f"a reader was refused: {answer.status_code} {answer.text[:200]}")
            await asyncio.sleep(PAUSE)
    return times


def _row(name: str, times: list[float], attacks: int | None, server: Running) -> None:
    ordered = sorted(times)
    p99 = percentile(ordered, 0.99)
    done = "" if attacks is None else f"{attacks:,}"
    print(
        f"| {name} | {len(times)} | {statistics.median(times):.1f} | {p99:.0f} | {ordered[-1]:.0f} "
        f"| {done} | {resident_megabytes(server.pid):.0f} |",
        flush=True,
    )


async def _heavy_space(client: httpx2.AsyncClient, organization: str, token: dict[str, str]) -> str:
    """A space of heavy pages on the site."""

    async def post(path: str, body: object) -> httpx2.Response:
        answer = await client.post(path, json=body, headers=token)
        if answer.status_code >= 300:
            raise SystemExit(f"{path}: {answer.status_code} {answer.text[:300]}")
        return answer

    made = await post(f"/v1/orgs/{organization}/spaces", {"title": "Heavy", "editMode": "live"})
    space: str = made.json()["id"]
    for name, text in HEAVY.items():
        change = {"type": "insert_page", "title": name.title(), "document": {"markdown": text}}
        answer = await client.post(
            f"/v1/spaces/{space}/content", json={"changes": [change]}, headers=token
        )
        if answer.status_code >= 300:
            progress(f"{name}: refused: {answer.text[:300]}")
    await post(f"/v1/orgs/{organization}/sites/{SITE}/site-spaces", {"spaceId": space})
    return space


async def _measure(seconds: float) -> None:
    with store("sqlite") as database:
        progress(f"filling a site of 50 and {LARGE:,} pages")
        async with migrated(database.url) as connected:
            spaces = await fill_site(connected, LARGE)
            async with connected.session() as session:
                organization = (await session.get_one(Space, spaces.spaces[50])).organization_id
        pin_load()
        port = free_port()
        url = f"http://127.0.0.1:{port}"
        environment = {"DOCSTEAD_DATABASE_URL": database.url, "DOCSTEAD_PUBLIC_URL": url}
        token = {"Authorization": f"Bearer {spaces.token}"}
        limits = httpx2.Limits(max_connections=None)
        async with (
            running(PRODUCT(port, database), port, environment) as server,
            httpx2.AsyncClient(base_url=url, timeout=60, limits=limits) as client,
            httpx2.AsyncClient(base_url=url, timeout=60) as reader,
        ):
            heavy = await _heavy_space(client, organization, token)
            at = Attacked(client, port, token, spaces, heavy)
            print("| beside | reads | p50 ms | p99 ms | most ms | attacks ended | MB |")
            print("| --- | --- | --- | --- | --- | --- | --- |")
            _row("nothing", await _reads(at, reader, seconds), None, server)
            for attack in ATTACKS:
                done: list[None] = []
                attackers = [
                    asyncio.create_task(_forever(attack, at, done)) for _ in range(attack.attackers)
                ]
                try:
                    times = await _reads(at, reader, seconds)
                finally:
                    for task in attackers:
                        task.cancel()
                    await asyncio.gather(*attackers, return_exceptions=True)
                _row(attack.name, times, len(done), server)
            await asyncio.sleep(REST)
            _row("nothing, ten seconds later", await _reads(at, reader, seconds), None, server)


def main() -> None:
    """Print a table: the reader beside each attack."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.attacked_readers",
                                     description=__doc__)  # fmt: skip
    parser.add_argument("--seconds", type=float, default=8, help="of each attack")
    asyncio.run(_measure(parser.parse_args().seconds))


if __name__ == "__main__":
    main()
