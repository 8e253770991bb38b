"""`python -m benchmarks.merge_waiting`: merges by size, and how long others wait for them.

A page of so many paragraphs, each of which both sides have edited: at other ends, so that all
merge, or at the same, so that all are conflicts. Meanwhile another process edits the title of
another space every 10 ms. In the lock is the longest time that a transaction of the merge was open.
"""

import argparse
import asyncio
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from itertools import count, product
from random import Random
from typing import Any

from sqlalchemy import Connection, event
from strawberry import ID, Some

from benchmarks.content_merges import WORDS
from benchmarks.merges import new_space, own_organization
from benchmarks.servers import migrated, store
from content.markdown.parser import parse_document
from db.content_enums import PageType
from db.enums import TokenScope
from db.session import WRITE, Database
from resolvers.change_requests.operations import CreateChangeRequestInput, create_change_request
from resolvers.core.actors import Actor
from resolvers.core.context import Context
from resolvers.core.errors import Conflict, Unavailable
from resolvers.core.runners import run
from resolvers.merging.operations import merge_change_request
from resolvers.revisions.rows import Page
from resolvers.revisions.states import Changes
from resolvers.revisions.tree import find_page
from resolvers.revisions.write_targets import open_target
from resolvers.spaces.operations import UpdateSpaceInput, update_space
from resolvers.writing.commits import commit_revision

PERSON = Actor("0" * 20, frozenset(TokenScope))
SIZES = (1000, 2000, 4000, 8000)
PAUSE = 0.01
NAMES = ("merges", "conflicts")


def _sides(name: str, base: list[str]) -> tuple[list[str], list[str]]:
    """The paragraphs of the change request and those of the space."""
    if name == "merges":
        return [f"{text} by us" for text in base], [f"Now {text}" for text in base]
    return [f"{text} by us" for text in base], [f"{text} by them" for text in base]


async def _fill(ctx: Context, space_id: str, texts: list[str]) -> None:
    """Make it the only page of a space."""
    target = await open_target(ctx, space_id)
    changes = Changes()
    body = "\n\n".join(texts)
    changes.pages["page"] = Page(
        space_id=space_id, revision_id="", id="page", type=PageType.DOCUMENT, title="Page",
        parent_id=None, order="V", slug="page",
        document_id=changes.add_document(body, parse_document(body, seed="page")),
    )  # fmt: skip
    await commit_revision(ctx, target, changes)


async def _edit(ctx: Context, space_id: str, request: str | None, texts: list[str]) -> None:
    target = await open_target(ctx, space_id, request)
    page = await find_page(ctx, target.revision, "page")
    changes, body = Changes(before={"page": page}), "\n\n".join(texts)
    document_id = changes.add_document(body, parse_document(body, seed="page"))
    changes.pages["page"] = replace(page, document_id=document_id)
    await commit_revision(ctx, target, changes)


class _Locks:
    """How long the write transactions of a database are open, in milliseconds."""

    def __init__(self, database: Database) -> None:
        self.longest = 0.0
        self._since: float | None = None
        engine = database.engine.sync_engine
        event.listen(engine, "begin", self._begun)
        event.listen(engine, "commit", self._ended)
        event.listen(engine, "rollback", self._ended)

    def _begun(self, connection: Connection) -> None:
        if connection.get_execution_options().get(WRITE):
            self._since = time.perf_counter()

    def _ended(self, connection: Connection) -> None:
        if self._since is not None:
            self.longest = max(self.longest, 1000 * (time.perf_counter() - self._since))
            self._since = None


async def write_others(url: str, space_id: str) -> None:
    """Edit the title of a space again and again until the input ends; print the longest wait."""
    database, ended = Database(url), asyncio.create_task(asyncio.to_thread(sys.stdin.read))
    sys.stdout.write("writing\n")
    sys.stdout.flush()
    longest, refused = 0.0, 0
    for number in count():
        if ended.done():
            break
        async with database.session() as session:
            start = time.perf_counter()
            try:
                title = UpdateSpaceInput(title=Some(f"Title {number}"))
                await run(Context(PERSON, session), update_space, ID(space_id), title)
            except Unavailable:
                refused += 1
            longest = max(longest, 1000 * (time.perf_counter() - start))
        await asyncio.sleep(PAUSE)
    sys.stdout.write(f"{longest} {refused}\n")
    await database.close()


@asynccontextmanager
async def _others(url: str, space_id: str) -> AsyncIterator[list[float]]:
    """Another process that writes; at the end, how long it waited, and how often in vain."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "benchmarks.merge_waiting", "--writes", url, space_id,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    await process.stdout.readline()
    await asyncio.sleep(0.3)
    waited: list[float] = []
    try:
        yield waited
    finally:
        process.stdin.close()
        waited.extend(map(float, (await process.stdout.read()).split()))
        await process.wait()


@dataclass(frozen=True, slots=True)
class Merged:
    """A merge of so many paragraphs: its time, CPU of the process, its longest lock, and how long
    a writer of another space waited at most, all in ms; and how often that was refused."""

    size: int
    name: str
    outcome: str
    took: float
    cpu: float
    locked: float
    waited: float
    refused: int


async def measure_waiting(url: str, sizes: Sequence[int]) -> AsyncIterator[Merged]:
    """Merges of these sizes, on an empty database."""
    async with migrated(url) as database:
        locks = _Locks(database)

        async def own(operation: Callable[..., Awaitable[Any]], *arguments: object) -> Any:
            async with database.session() as session:
                return await run(Context(PERSON, session), operation, *arguments)

        async with database.session() as session:
            ctx = Context(PERSON, session)
            await ctx.begin_write()
            organization_id = await own_organization(ctx)
            merged, other = [await new_space(ctx, organization_id) for _ in range(2)]
            await session.commit()
        for size, name in product(sizes, NAMES):
            random = Random(size)
            base = [" ".join(random.choices(WORDS, k=12)) for _ in range(size)]
            ours, theirs = _sides(name, base)
            await own(_fill, merged, base)
            request = await own(create_change_request, merged, CreateChangeRequestInput())
            await own(_edit, merged, request.id, ours)
            await own(_edit, merged, None, theirs)
            async with _others(url, other) as waited:
                locks.longest, start, used = 0.0, time.perf_counter(), time.process_time()
                try:
                    outcome = str(
                        (await own(merge_change_request, merged, request.id)).result.value
                    )
                except Conflict as refusal:
                    outcome = f"refused: {refusal}"
                took = 1000 * (time.perf_counter() - start)
                cpu = 1000 * (time.process_time() - used)
            longest, refused = waited
            yield Merged(size, name, outcome, took, cpu, locks.longest, longest, int(refused))


async def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.merge_waiting", description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--databases", nargs="+", default=("sqlite", "postgresql"))
    parser.add_argument("--writes", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.writes:
        await write_others(*arguments.writes)
        return
    head = ["database", "paragraphs", "both sides", "result", "merge ms", "CPU ms",
            "in the lock ms", "others waited ms", "refused"]  # fmt: skip
    sys.stdout.write(f"| {' | '.join(head)} |\n| {' | '.join('---' for _ in head)} |\n")
    for kind in arguments.databases:
        with store(kind) as place:
            async for row in measure_waiting(place.url, arguments.sizes):
                figures = (row.took, row.cpu, row.locked, row.waited, row.refused)
                shown = " | ".join(f"{figure:,.0f}" for figure in figures)
                sys.stdout.write(
                    f"| {kind} | {row.size:,} | {row.name} | {row.outcome} | {shown} |\n"
                )
                sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main())
