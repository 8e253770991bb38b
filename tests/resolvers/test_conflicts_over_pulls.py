"""Conflicts that stay open while the space moves on, and those that come back."""

from db.content_enums import ConflictKind, ConflictResolution, MergeResult, UpdateResult
from db.models.discussions import ChangeRequest
from db.models.people import User
from db.session import Session
from resolvers.context import run
from resolvers.merging import merge_change_request, pull_change_request
from tests.conftest import World, context
from tests.merging import edit
from tests.resolvers.test_conflicts import conflicting, decide, page, stored

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
