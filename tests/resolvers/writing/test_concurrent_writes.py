"""Writers at the same time lose nothing; a write that is killed leaves all or nothing."""

import asyncio
import signal
from typing import Any

import pytest
from sqlalchemy import func, select
from strawberry import Some

import resolvers.writing.commits
from db.enums import EditMode
from db.models.content import ContentNode, Document, PageRedirect, Revision
from db.models.spaces import Space
from db.session import Database, Session
from resolvers.core.context import Context
from resolvers.core.errors import StaleRevision
from resolvers.core.runners import run
from resolvers.drafts.operation_inputs import (
    ApplyContentChangesInput,
    ContentOperationInput,
    ContentTargetInput,
    CreatePageInput,
    UpdatePageInput,
)
from resolvers.drafts.page_inputs import PageBodyInput
from resolvers.revisions.states import write_revision
from resolvers.revisions.tree import all_pages
from resolvers.writing.operations import ContentWrite, apply_content_changes
from tests import factories
from tests.conftest import World, context, settle
from tests.forked import start
from tests.seeds import sample_changes
from tests.writing_process import main as writing


@pytest.fixture
async def space(session: Session, world: World) -> Space:
    made = await factories.make_space(session, world.organization, edit_mode=EditMode.LIVE)
    revision = await write_revision(context(session), made.id, None, sample_changes(made.id))
    made.revision_id = revision.id
    await settle(session)
    return made


async def apply(
    database: Database, world: World, target: ContentTargetInput, *operations: Any, **options: Any
) -> ContentWrite:
    """One writer with a session of its own."""
    named = [
        ContentOperationInput(create_page=one)
        if isinstance(one, CreatePageInput)
        else ContentOperationInput(update_page=one)
        for one in operations
    ]
    async with database.session() as own:
        batch = ApplyContentChangesInput(target=target, operations=named, **options)
        return await run(context(own, world.editor), apply_content_changes, batch)


async def history(database: Database, space_id: str, newest: str) -> list[Revision]:
    """Revisions by their first parents, the newest first."""
    found: list[Revision] = []
    async with database.session() as own:
        wanted: str | None = newest
        while wanted is not None:
            row = (await own.execute(select(Revision).where(Revision.id == wanted))).scalar_one()
            found.append(row)
            wanted = next(iter(row.parents), None)
    return found


async def test_two_writers_at_once_lose_nothing(
    database: Database, space: Space, world: World
) -> None:
    target = ContentTargetInput(space=space.id)

    async def write(number: int) -> None:
        await apply(
            database, world, target,
            # Every writer adds a page, and all of them edit the same one.
            CreatePageInput(title=f"Page {number}", body=PageBodyInput(markdown=f"Text {number}")),
            CreatePageInput(title="Same"),
            UpdatePageInput(page="home", description=Some(f"{number}")),
        )  # fmt: skip

    await asyncio.gather(*(write(number) for number in range(12)))
    async with database.session() as own:
        newest = (
            await own.execute(select(Space.revision_id).where(Space.id == space.id))
        ).scalar_one()
        revisions = await history(database, space.id, newest)
        (pages,) = await all_pages(context(own), [revisions[0]])
    assert len(revisions) == 13
    slugs = {page.slug for page in pages if page.parent_id is None}
    assert {f"page-{number}" for number in range(12)} <= slugs
    assert {"same", *(f"same-{number}" for number in range(1, 12))} <= slugs
    assert len({page.order for page in pages if page.parent_id is None}) == 27


async def test_of_writers_with_the_same_expectation_one_succeeds(
    database: Database, space: Space, world: World
) -> None:
    target = ContentTargetInput(space=space.id)

    async def write(number: int) -> str | StaleRevision:
        try:
            written = await apply(
                database, world, target,
                UpdatePageInput(page="home", title=Some(f"Title {number}")),
                expected_revision=space.revision_id,
            )  # fmt: skip
        except StaleRevision as error:
            return error
        return written.revision.id

    results = await asyncio.gather(*(write(number) for number in range(6)))
    (winner,) = [one for one in results if isinstance(one, str)]
    assert {one.revision for one in results if isinstance(one, StaleRevision)} == {winner}


async def test_a_failure_at_the_last_moment_leaves_nothing(
    database: Database, space: Space, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def contents() -> list[int]:
        async with database.session() as own:
            return [
                (await own.execute(select(func.count()).select_from(model))).scalar_one()
                for model in (Revision, ContentNode, Document, PageRedirect)
            ]

    async def fail(ctx: Context, *rest: Any) -> None:
        raise RuntimeError("the last step failed")

    before = await contents()
    followers = (*resolvers.writing.commits.FOLLOWERS, fail)
    monkeypatch.setattr(resolvers.writing.commits, "FOLLOWERS", followers)
    with pytest.raises(RuntimeError, match="last step"):
        await apply(
            database, world, ContentTargetInput(space=space.id),
            UpdatePageInput(
                page="home", title=Some("New"), body=PageBodyInput(markdown="All new.")
            ),
        )  # fmt: skip
    assert await contents() == before
    async with database.session() as own:
        found = (
            await own.execute(select(Space.revision_id).where(Space.id == space.id))
        ).scalar_one()
    assert found == space.revision_id


async def test_a_killed_writer_leaves_whole_batches(
    database: Database, space: Space, world: World
) -> None:
    url = database.url.render_as_string(hide_password=False)
    done = 0
    for turn in range(4):
        process = await start(writing, url, space.id, f"t{turn}")
        told = 0
        async with asyncio.timeout(60):
            while told < 3:
                told = int(await process.stdout.readline() or b"99")
        # At another place of the next batch each time.
        await asyncio.sleep(0.004 * turn)
        process.send_signal(signal.SIGKILL)
        rest = await process.stdout.read()
        await process.wait()
        told = int(rest.split()[-1]) if rest.split() else told
        async with database.session() as own:
            newest = (
                await own.execute(select(Space.revision_id).where(Space.id == space.id))
            ).scalar_one()
            revisions = await history(database, space.id, newest)
            (pages,) = await all_pages(context(own), [revisions[0]])
        mine = [page for page in pages if page.title.startswith(f"t{turn} ")]
        home = next(page for page in pages if page.id == "home")
        number = int(home.title.split()[1])
        # What was told is there; the batch after it is there as a whole or not at all.
        assert number in (told, told + 1)
        assert len(mine) == number * 5 + 1
        done += number
        assert len(revisions) == done + 1
    # The next writer is not held up by what the killed ones had locked.
    await apply(
        database, world, ContentTargetInput(space=space.id),
        UpdatePageInput(page="home", title=Some("After")),
    )  # fmt: skip
