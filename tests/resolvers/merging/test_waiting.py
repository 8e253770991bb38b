"""What waits for a merge, and for how long: edits, other merges; reads never do."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from sqlalchemy import select, text

import db.session
import resolvers.merging.conflict_resolution
import resolvers.merging.operations
import resolvers.revisions.write_targets
from db.models.change_requests import ChangeRequest
from db.models.spaces import Space
from db.session import Database, Session
from resolvers.change_requests import operations as change_requests
from resolvers.core.context import Context
from resolvers.core.declarations import Transactions, declaration_of
from resolvers.core.errors import Conflict
from resolvers.core.runners import TURN_ATTEMPTS, read, run
from resolvers.revisions.write_targets import open_target
from resolvers.writing.operations import _write_received
from schema.mutation import Mutation
from schema.wiring import OPERATION
from tests.conftest import World, context
from tests.merging import edit, with_request
from tests.resolvers.merging.test_merging import merge, pull

WRITING_STEPS: dict[str, Any] = {
    "merge_change_request": resolvers.merging.operations._merge,
    "pull_change_request": resolvers.merging.operations._pull,
    "resolve_conflict": resolvers.merging.conflict_resolution._resolve,
}


@pytest.fixture
async def short(monkeypatch: pytest.MonkeyPatch, database: Database) -> AsyncIterator[None]:
    """Locks are given up on after half a second, by connections made during this test only."""
    await database.engine.dispose()
    monkeypatch.setattr(resolvers.revisions.write_targets, "LOCK_SECONDS", 0.5)
    monkeypatch.setattr(db.session, "BUSY_MILLISECONDS", 250)
    yield
    # They wait for as long as the limit said when they were made, and tests share the pool.
    await database.engine.dispose()


@asynccontextmanager
async def a_merge_that_takes_long(database: Database, row: ChangeRequest) -> AsyncIterator[None]:
    """The locks that a merge holds while it is worked out."""
    async with database.session() as other:
        await other.begin_write()
        for model, id in ((ChangeRequest, row.id), (Space, row.space_id)):
            found: Any = model
            await other.execute(
                select(found).where(found.id == id).with_for_update(of=found, key_share=True)
            )
        yield
        await other.rollback()


async def test_edits_and_merges_give_up_with_a_conflict(
    database: Database, short: None, session: Session, world: World
) -> None:
    space, row = await with_request(session, world)
    await edit(session, world.editor, space, row, p0={"title": "Ours"})
    await session.close()

    async def fails(work: Any, *arguments: Any, **options: Any) -> None:
        async with database.session() as own:
            with pytest.raises(Conflict, match="try again"):
                await work(own, *arguments, **options)

    async with a_merge_that_takes_long(database, row):
        await fails(edit, world.editor, space, row, p1={"title": "No"})
        await fails(edit, world.creator, space, p1={"title": "No"})
        await fails(merge, world.reviewer, row)
        await fails(pull, world.editor, row)
        async with database.reader() as reader:
            ctx = context(session, world.reader)
            ctx._reader = reader
            found = await read(ctx, change_requests.get_change_request, space.id, row.id)
            assert found.status is row.status
    async with database.session() as own:
        await merge(own, world.reviewer, row)


async def test_edits_wait_for_the_merge(database: Database, session: Session, world: World) -> None:
    space, row = await with_request(session, world)
    await session.close()

    async def later(**edits: Any) -> None:
        async with database.session() as own:
            await edit(own, world.creator, space, **edits)

    async with a_merge_that_takes_long(database, row):
        waiting = asyncio.create_task(later(p0={"title": "Live"}))
        await asyncio.sleep(0.3)
        assert not waiting.done()
    await waiting


def test_the_limits_are_ten_seconds() -> None:
    assert resolvers.revisions.write_targets.LOCK_SECONDS == 10
    assert TURN_ATTEMPTS * db.session.BUSY_MILLISECONDS == 10_000


async def test_a_write_waits_for_these_limits(
    database: Database, session: Session, world: World
) -> None:
    """What the connection of a write is told, read from the database itself."""
    space, _ = await with_request(session, world)
    await session.close()
    postgresql = database.engine.dialect.name == "postgresql"

    async def limit(ctx: Context) -> str:
        await open_target(ctx, space.id)
        asked = text("SHOW lock_timeout" if postgresql else "PRAGMA busy_timeout")
        told = (await ctx.session.execute(asked)).scalar_one()
        return str(told)

    async with database.session() as own:
        told = await run(context(own, world.creator), limit)
    # SQLite waits twice.
    assert told == ("10s" if postgresql else str(10_000 // TURN_ATTEMPTS))


def test_every_write_of_content_takes_turns() -> None:
    """Whatever answers with content that was written, and whatever merges."""
    written = {
        "ContentWrite", "ChangeRequestMerge", "ChangeRequestUpdate", "MergeConflict",
        "DeletePagePayload", "DeleteFilePayload", "DeleteReusableContentPayload",
        "DeleteRedirectPayload",
    }  # fmt: skip
    checked = 0
    for field in Mutation.__strawberry_definition__.fields:  # type: ignore[attr-defined]
        answer = getattr(field.type, "of_type", field.type)
        if getattr(answer, "__name__", None) in written:
            operation = field.metadata[OPERATION].operation
            # What is done in steps writes in one of them.
            steps = declaration_of(operation).transactions is Transactions.IN_STEPS
            writes = WRITING_STEPS.get(operation.__name__, _write_received) if steps else operation
            assert declaration_of(writes).takes_turns, field.python_name
            checked += 1
    assert checked >= 20
