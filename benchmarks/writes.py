"""Writes: edits of a page and comments, alone and beside writers of other spaces; imports; merges.

Writers ask one server through `/v1`, each on a connection of its own. An import is a process of
`docstead import-docs`, into the embedded database of a folder.
"""

import asyncio
import itertools
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import orjson

from benchmarks.contenders import PRODUCT
from benchmarks.http import Client, Request
from benchmarks.merge_waiting import Merged, measure_waiting
from benchmarks.page_spaces import SMALL, fill_pages
from benchmarks.percentiles import percentile
from benchmarks.progress import progress
from benchmarks.servers import Running, free_port, migrated, running, store
from benchmarks.usage import cpu_seconds
from db.models.spaces import Space

OTHERS = 4
BLOCK = "## Part {n}\n\nSome **text** with a [link](page-{n}.md) and `code`.\n\n* one\n* two\n\n"
Made = Callable[[int], Request]


@dataclass(frozen=True, slots=True)
class WriteFigures:
    """Writes of one writer each second, ms of one, and CPU of the server for each write of any."""

    per_second: float
    p50: float
    p99: float
    cpu: float


@dataclass(frozen=True, slots=True)
class Imported:
    """An import of so many pages: pages each second, CPU of the command in seconds."""

    pages: int
    per_second: float
    cpu: float


@dataclass(slots=True)
class WriteResults:
    """Figures by kind of write and what happens beside it; an import; merges."""

    figures: dict[str, dict[str, WriteFigures]] = field(default_factory=dict)
    imported: Imported | None = None
    merges: list[Merged] = field(default_factory=list)


async def measure_writes(
    kind: str, seconds: float, large: int, imported: int, merges: tuple[int, ...]
) -> WriteResults:
    """All figures on one kind of database; the import is one into SQLite."""
    results = WriteResults()
    with store(kind) as database:
        progress(f"{kind}: filling spaces to write into")
        async with migrated(database.url) as connected:
            data = await fill_pages(connected, large)
            async with connected.session() as session:
                organization = (await session.get_one(Space, data.spaces[SMALL])).organization_id
        port = free_port()
        environment = {
            "DOCSTEAD_DATABASE_URL": database.url, "DOCSTEAD_WRITES_PER_SPACE": "0"
        }  # fmt: skip
        async with running(PRODUCT(port, database), port, environment) as server:
            others = await _new_spaces(server, data.token, organization)
            writes = {
                "edit of a page, 50 pages": _edits(data.spaces[SMALL], data.token),
                f"edit of a page, {large:,} pages": _edits(data.spaces[large], data.token),
                "comment": _comments(data.spaces[SMALL], data.token),
            }
            beside = [_edits(id, data.token, page) for id, page in others]
            for name, made in writes.items():
                progress(f"{kind}: {name}")
                await _measured(server, made, [], seconds / 4)
                of_write = results.figures.setdefault(name, {})
                of_write["alone"] = await _measured(server, made, [], seconds)
                what = f"beside {OTHERS} writers of other spaces"
                of_write[what] = await _measured(server, made, beside, seconds)
    with store(kind) as place:
        progress(f"{kind}: merges")
        results.merges = [row async for row in measure_waiting(place.url, merges)]
    if kind == "sqlite":
        progress(f"import of {imported:,} pages")
        results.imported = await _import(imported)
    return results


_numbers = itertools.count()


def _edits(space: str, token: str, page: str = "s0p7") -> Made:
    def made(number: int) -> Request:
        text = f"Edited {number}. See [the next](page-8.md).\n\n" + BLOCK.format(n=number)
        change = {"type": "update_page", "page": page, "document": {"markdown": text}}
        body = {"changes": [change]}
        return Request("POST", f"/v1/spaces/{space}/content", token, orjson.dumps(body))

    return made


def _comments(space: str, token: str) -> Made:
    def made(number: int) -> Request:
        body = {"body": {"markdown": f"Comment {number}."}, "page": "s0p7"}
        return Request("POST", f"/v1/spaces/{space}/comments", token, orjson.dumps(body))

    return made


async def _new_spaces(server: Running, token: str, organization: str) -> list[tuple[str, str]]:
    """Spaces that are edited live, each with the id of its page."""
    client, spaces = await Client(server.port).open(), []
    for number in range(OTHERS):
        body = orjson.dumps({"title": f"Other {number}", "editMode": "live"})
        path = f"/v1/orgs/{organization}/spaces"
        space = orjson.loads(await client.send(Request("POST", path, token, body)))["id"]
        pages = await client.send(Request("GET", f"/v1/spaces/{space}/content/pages", token))
        spaces.append((space, orjson.loads(pages)["pages"][0]["id"]))
    await client.close()
    return spaces


async def _measured(
    server: Running, made: Made, beside: list[Made], seconds: float
) -> WriteFigures:
    """One writer, and writers beside it, for this time."""
    times: list[float] = []
    all_times: list[list[float]] = [times, *([] for _ in beside)]
    before, began = cpu_seconds(server.pid), time.perf_counter()
    end = began + seconds
    await asyncio.gather(
        *(_write(server, *pair, end) for pair in zip([made, *beside], all_times, strict=True))
    )
    spent, passed = cpu_seconds(server.pid) - before, time.perf_counter() - began
    ordered = sorted(times)
    return WriteFigures(
        len(times) / passed,
        ordered[len(ordered) // 2],
        percentile(ordered, 0.99),
        1e6 * spent / sum(map(len, all_times)),
    )


async def _write(server: Running, made: Made, times: list[float], end: float) -> None:
    client = await Client(server.port).open()
    while not times or time.perf_counter() < end:
        began = time.perf_counter()
        await client.send(made(next(_numbers)))
        times.append(1000 * (time.perf_counter() - began))
    await client.close()


async def _import(pages: int) -> Imported:
    """The command on a folder of so many pages, with a table of contents."""
    with TemporaryDirectory() as name:
        folder, data = Path(name) / "handbook", Path(name) / "data"
        folder.mkdir()
        lines = ["# Table of contents", ""]
        for number in range(pages):
            text = "".join(BLOCK.format(n=(number + step) % pages) for step in range(5))
            (folder / f"page-{number}.md").write_text(f"# Page {number}\n\n{text}")
            lines.append(f"* [Page {number}](page-{number}.md)")
        (folder / "SUMMARY.md").write_text("\n".join(lines) + "\n")
        environment = {**os.environ, "DOCSTEAD_DATA_DIR": str(data)}
        await _command(environment, "migrate")
        made = await _command(
            environment, "init", "--email", "bo@example.com", "--name", "Bo",
            "--organization", "Acme", "--json",
        )  # fmt: skip
        organization = orjson.loads(made)["organization"]["id"]
        before, began = os.times(), time.perf_counter()
        await _command(environment, "import-docs", str(folder), "--organization", organization)
        passed, after = time.perf_counter() - began, os.times()
        cpu = sum(after[2:4]) - sum(before[2:4])
        return Imported(pages, pages / passed, cpu)


async def _command(environment: dict[str, str], *arguments: str) -> bytes:
    """What a command prints; SystemExit with its output when it fails."""
    process = await asyncio.create_subprocess_exec(
        str(Path(sys.executable).with_name("docstead")), *arguments, env=environment,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    output, problem = await process.communicate()
    if process.returncode:
        raise SystemExit(f"docstead {arguments[0]}: {problem.decode()}")
    return output
