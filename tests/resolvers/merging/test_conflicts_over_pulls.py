"""Conflicts that stay open while the space moves on, and those that come back."""

import pytest
from strawberry import ID

from db.content_enums import ConflictKind, ConflictResolution, MergeResult, UpdateResult
from db.models.change_requests import ChangeRequest
from db.models.content import Revision
from db.models.organizations import User
from db.models.spaces import Space
from db.session import Session
from resolvers.core.runners import run
from resolvers.drafts.operation_inputs import (
    ApplyContentChangesInput,
    ContentOperationInput,
    ContentTargetInput,
    UpdatePageInput,
)
from resolvers.drafts.page_inputs import PageBodyInput
from resolvers.merging.operations import merge_change_request, pull_change_request
from resolvers.revisions.tree import all_pages
from resolvers.writing.operations import apply_content_changes
from tests.conftest import World, context
from tests.merging import BODY, edit, with_request
from tests.resolvers.merging.test_conflicts import conflicting, decide, markdown, page, stored

OURS, THEIRS, BOTH, CUSTOM = ConflictResolution


async def pull(session: Session, person: User, row: ChangeRequest) -> UpdateResult:
    return (await run(context(session, person), pull_change_request, row.space_id, row.id)).result


async def test_theirs_is_what_the_space_has_now(session: Session, world: World) -> None:
    space, row = await conflicting(
        session, world, {"p0": {"title": "Ours"}}, {"p0": {"title": "Theirs"}}
    )
    await edit(session, world.creator, space, p0={"title": "Later"})
    await pull(session, world.editor, row)
    (conflict,) = await stored(session, row)
    assert conflict.data["theirs"] == "Later"
    # Nobody has decided anything here.
    await edit(session, world.editor, space, row, p2={"title": "Elsewhere"})
    (conflict,) = await stored(session, row)
    assert conflict.resolution is None
    await decide(session, world.editor, row, conflict, THEIRS)
    assert (await page(session, row, "p0")).title == "Later"


async def test_a_conflict_that_comes_back_is_open_again(session: Session, world: World) -> None:
    space, row = await conflicting(
        session, world, {"p0": {"title": "Ours"}}, {"p0": {"title": "Theirs"}}
    )
    (first,) = await stored(session, row)
    await decide(session, world.editor, row, first, OURS)
    await edit(session, world.creator, space, p0={"title": "Page 0"})
    await pull(session, world.editor, row)
    _, second = await stored(session, row)
    await decide(session, world.editor, row, second, OURS)
    await edit(session, world.creator, space, p0={"title": "Theirs"})
    assert await pull(session, world.editor, row) is UpdateResult.CONFLICTS
    again = [one for one in await stored(session, row) if one.resolution is None]
    assert [one.id for one in again] == [first.id]
    done = await run(context(session, world.reviewer), merge_change_request, space.id, row.id)
    assert done.result is MergeResult.CONFLICTS
    await decide(session, world.editor, row, again[0], OURS)
    assert (await page(session, row, "p0")).title == "Ours"


async def test_circles_are_opened_by_a_pull(session: Session, world: World) -> None:
    """One page was put below the other here, and the other way round there."""
    space, row = await conflicting(
        session, world, {"p0": {"parent_id": "p1"}}, {"p1": {"parent_id": "p0"}}
    )
    (conflict, *_) = found = await stored(session, row)
    assert {one.kind for one in found} == {ConflictKind.PAGE_CYCLE}
    assert [(await page(session, row, id)).parent_id for id in ("p0", "p1")] == [None, "p0"]
    for one in found:
        await decide(session, world.editor, row, one, THEIRS)
    done = await run(context(session, world.reviewer), merge_change_request, space.id, row.id)
    assert done.result is MergeResult.MERGE
    assert conflict.page_id in ("p0", "p1")


async def test_a_page_that_is_needed_again_comes_back(session: Session, world: World) -> None:
    """Here it was deleted, there another page was put below it."""
    _, row = await conflicting(session, world, {"p1": None}, {"p0": {"parent_id": "p1"}})
    assert (await page(session, row, "p1")).path == "page-1"
    assert (await page(session, row, "p0")).path == "page-1/page-0"
    (conflict,) = await stored(session, row)
    assert (conflict.kind, conflict.page_id) == (ConflictKind.PAGE_DELETED_EDITED, "p1")


@pytest.mark.parametrize("kept", [True, False])
async def test_a_page_with_an_open_conflict_is_not_just_removed(
    session: Session, world: World, kept: bool
) -> None:
    """The space has removed it since: whether it stays is decided as for any edited page."""
    space, row = await conflicting(
        session, world, {"p0": {"title": "Ours"}}, {"p0": {"title": "Theirs"}}
    )
    await edit(session, world.creator, space, p0=None)
    assert await pull(session, world.editor, row) is UpdateResult.CONFLICTS
    field, whole = await stored(session, row)
    assert (whole.kind, whole.page_id) == (ConflictKind.PAGE_DELETED_EDITED, "p0")
    assert [field.resolution, whole.resolution] == [None, None]
    assert (await page(session, row, "p0")).title == "Theirs"
    if kept:
        await decide(session, world.editor, row, whole, OURS)
        await decide(session, world.editor, row, field, OURS)
        assert (await page(session, row, "p0")).title == "Ours"
    else:
        await decide(session, world.editor, row, whole, THEIRS)
    assert all(one.resolution is not None for one in await stored(session, row))
    done = await run(context(session, world.reviewer), merge_change_request, space.id, row.id)
    assert done.result is MergeResult.MERGE
    session.expunge_all()
    ctx = context(session)
    place = await session.get_one(Space, space.id)
    (pages,) = await all_pages(ctx, [await session.get_one(Revision, place.revision_id)])
    assert ("Ours" in {one.title for one in pages}) == kept
    assert len(pages) == (3 if kept else 2)


BLOCK = ("Second", "Our", "Their", "Later")
TABLE = "| Name | Value |\n| --- | --- |\n| first | one |\n| second | two |\n"


async def write(
    session: Session, world: World, space: Space, row: ChangeRequest | None, markdown: str
) -> None:
    """Give the page another body as writers do: blocks that stay keep their keys."""
    target = ContentTargetInput(
        space=ID(space.id), change_request=None if row is None else ID(row.id)
    )
    update = UpdatePageInput(page=ID("p1"), body=PageBodyInput(markdown=markdown))
    batch = ApplyContentChangesInput(
        target=target, operations=[ContentOperationInput(update_page=update)]
    )
    await run(context(session, world.editor), apply_content_changes, batch)


async def test_blocks_follow_the_space(session: Session, world: World) -> None:
    _, ours, theirs, later = (BODY.replace("Second", word) for word in BLOCK)
    space, row = await with_request(session, world)
    await write(session, world, space, row, ours)
    await write(session, world, space, None, theirs)
    await pull(session, world.editor, row)
    await write(session, world, space, None, later)
    await pull(session, world.editor, row)
    await edit(session, world.editor, space, row, p2={"title": "Elsewhere"})
    (conflict,) = await stored(session, row)
    assert conflict.resolution is None
    await decide(session, world.editor, row, conflict, BOTH)
    text = await markdown(session, row, "p1")
    assert text.index("Later paragraph") < text.index("Our paragraph")
    assert "Their" not in text


async def test_cells_follow_the_space_and_their_row(session: Session, world: World) -> None:
    space, row = await with_request(session, world)
    await write(session, world, space, None, TABLE)
    await pull(session, world.editor, row)
    await write(session, world, space, row, TABLE.replace("two", "ours"))
    await write(session, world, space, None, TABLE.replace("two", "theirs"))
    await pull(session, world.editor, row)
    # A row above it makes the second row the third one.
    later = TABLE.replace("two", "later").replace("| first", "| new | none |\n| first")
    await write(session, world, space, None, later)
    await pull(session, world.editor, row)
    (conflict,) = await stored(session, row)
    assert (conflict.kind, conflict.resolution) == (ConflictKind.CELL, None)
    await decide(session, world.editor, row, conflict, THEIRS)
    assert cells(await markdown(session, row, "p1")) == cells(later)
    (conflict,) = await stored(session, row)
    await decide(session, world.editor, row, conflict, OURS)
    assert cells(await markdown(session, row, "p1")) == cells(later.replace("later", "ours"))


async def test_a_row_above_decides_nothing(session: Session, world: World) -> None:
    space, row = await with_request(session, world)
    await write(session, world, space, None, TABLE)
    await pull(session, world.editor, row)
    await write(session, world, space, row, TABLE.replace("two", "ours"))
    await write(session, world, space, None, TABLE.replace("two", "theirs"))
    await pull(session, world.editor, row)
    longer = TABLE.replace("two", "theirs").replace("| first", "| new | none |\n| first")
    await write(session, world, space, row, longer)
    (conflict,) = await stored(session, row)
    assert conflict.resolution is None
    await decide(session, world.editor, row, conflict, OURS)
    text = await markdown(session, row, "p1")
    assert cells(text) == cells(longer.replace("theirs", "ours"))


def cells(markdown: str) -> list[list[str]]:
    """The words of a table, row by row."""
    rows = [line.replace("|", " ").split() for line in markdown.splitlines()]
    return [row for row in rows if row and not row[0].startswith("-")]
