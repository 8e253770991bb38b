"""Where content is written, who may write there, and what follows from a new revision."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

import pytest
from sqlalchemy import func, select

from db.content_enums import ChangeRequestStatus, RevisionType
from db.enums import EditMode
from db.models.change_requests import ChangeRequest, Contributor
from db.models.content import PageRedirect, Revision
from db.models.organizations import User
from db.models.spaces import Space
from db.session import Database, Session
from resolvers.core.context import Context
from resolvers.core.errors import ApiError, Forbidden, NotFound, PreconditionFailed, StaleRevision
from resolvers.core.runners import run
from resolvers.revisions.objects import find_page_by_path
from resolvers.revisions.redirects import find_redirect
from resolvers.revisions.rows import Page
from resolvers.revisions.states import Changes, write_revision
from resolvers.revisions.tree import find_page
from resolvers.revisions.write_targets import open_target
from resolvers.writing.commits import commit_revision
from tests import factories
from tests.conftest import World, context, settle
from tests.seeds import sample_changes


async def filled(session: Session, world: World, mode: EditMode = EditMode.LIVE) -> Space:
    space = await factories.make_space(session, world.organization, edit_mode=mode)
    revision = await write_revision(context(session), space.id, None, sample_changes(space.id))
    space.revision_id = revision.id
    await session.commit()
    return space


async def change_page(
    ctx: Context, space_id: str, page_id: str, request: str | None = None,
    change: Callable[[Page], Page] = lambda page: page,
) -> Revision:  # fmt: skip
    """Change one page as an operation."""
    target = await open_target(ctx, space_id, request)
    old = await find_page(ctx, target.revision, page_id)
    changes = Changes(before={page_id: old}, pages={page_id: change(old)})
    return await commit_revision(ctx, target, changes)


def renamed(slug: str) -> Callable[[Page], Page]:
    return lambda page: replace(page, slug=slug)


def moved(parent: str | None) -> Callable[[Page], Page]:
    return lambda page: replace(page, parent_id=parent)


def titled(title: str) -> Callable[[Page], Page]:
    return lambda page: replace(page, title=title)


async def test_a_write_moves_the_pointer_and_the_time(session: Session, world: World) -> None:
    space = await filled(session, world)
    first, before = space.revision_id, space.updated_at
    revision = await run(
        context(session, world.editor), change_page, space.id, "home", None, titled("New")
    )
    await session.refresh(space)
    assert space.revision_id == revision.id != first
    assert (revision.type, revision.parents) == (RevisionType.EDITS, [first])
    assert space.updated_at > before


async def test_a_write_that_changes_nothing_makes_no_revision(
    session: Session, world: World
) -> None:
    space = await filled(session, world)
    count = select(func.count()).select_from(Revision).where(Revision.space_id == space.id)
    made = (await session.execute(count)).scalar_one()
    first, before = space.revision_id, space.updated_at
    revision = await run(context(session, world.editor), change_page, space.id, "home")
    await session.refresh(space)
    assert revision.id == space.revision_id == first
    assert space.updated_at == before
    assert (await session.execute(count)).scalar_one() == made


async def test_a_change_request_has_its_own_pointer_and_contributors(
    session: Session, world: World
) -> None:
    space = await filled(session, world)
    request = await factories.make_change_request(session, space, world.editor)
    await session.commit()
    before = space.revision_id
    revision = await run(
        context(session, world.editor), change_page, space.id, "home", str(request.number),
        renamed("start"),
    )  # fmt: skip
    await session.refresh(space)
    await session.refresh(request)
    assert (space.revision_id, request.revision_id) == (before, revision.id)
    people = (await session.execute(select(Contributor.user_id, Contributor.count))).all()
    assert [tuple(one) for one in people] == [(world.editor.id, 1)]
    # Redirects are about what readers see.
    assert (await session.execute(select(PageRedirect))).all() == []


@pytest.mark.parametrize("mode", list(EditMode))
async def test_who_may_edit_live(session: Session, world: World, mode: EditMode) -> None:
    space = await filled(session, world, mode)
    weakest = {EditMode.LIVE: "editor", EditMode.LOCKED: "reviewer"}[mode]
    people = world.people()
    names = ["outsider", "reader", "commenter", "editor", "reviewer", "creator", "admin"]
    await settle(session)
    for name in names:
        ctx = context(session, people[name])
        if names.index(name) >= names.index(weakest):
            await run(ctx, change_page, space.id, "home", None, titled(name))
        else:
            with pytest.raises(NotFound if name == "outsider" else Forbidden):
                await run(ctx, change_page, space.id, "home", None, titled(name))


async def test_the_author_may_edit_a_change_request_and_others_with_the_role(
    session: Session, world: World
) -> None:
    space = await filled(session, world, EditMode.LOCKED)
    request = await factories.make_change_request(session, space, world.commenter)
    await settle(session)
    for person in (world.commenter, world.editor):
        await run(
            context(session, person), change_page, space.id, "home", request.id,
            titled(person.display_name),
        )  # fmt: skip
    with pytest.raises(Forbidden, match="author"):
        await run(context(session, world.reader), change_page, space.id, "home", request.id)


@pytest.mark.parametrize("status", [ChangeRequestStatus.ARCHIVED, ChangeRequestStatus.MERGED])
async def test_closed_change_requests_are_not_edited(
    session: Session, world: World, status: ChangeRequestStatus
) -> None:
    space = await filled(session, world)
    request = await factories.make_change_request(session, space, world.editor, status=status)
    await settle(session)
    with pytest.raises(PreconditionFailed, match=status.value):
        await run(context(session, world.editor), change_page, space.id, "home", request.id)


async def test_spaces_in_the_bin_are_not_found(session: Session, world: World) -> None:
    space = await filled(session, world)
    request = await factories.make_change_request(session, space, world.editor)
    space.deleted_at = space.created_at
    await settle(session)
    for named in (None, request.id):
        with pytest.raises(NotFound):
            await run(context(session, world.admin), change_page, space.id, "home", named)


async def test_an_expected_revision_that_has_passed_is_told(session: Session, world: World) -> None:
    space = await filled(session, world)
    ctx = context(session, world.editor)
    first = space.revision_id
    newest = await run(ctx, change_page, space.id, "home", None, titled("New"))
    with pytest.raises(StaleRevision) as caught:
        await run(ctx, open_target, space.id, None, expected_revision=first)
    assert caught.value.facts == {"currentRevision": newest.id}
    target = await run(ctx, open_target, space.id, None, expected_revision=newest.id)
    assert target.revision.id == newest.id


async def lead(ctx: Context, space: Space, path: str) -> str | None:
    """The id of the page that a path leads to in primary content."""
    target = await open_target(ctx, space.id)
    try:
        return (await find_page_by_path(ctx, target.revision, path)).id
    except NotFound:
        pass
    try:
        return (await find_redirect(ctx, target.revision, path)).page.id
    except NotFound:
        return None


async def test_old_paths_lead_to_pages_and_to_what_is_below_them(
    session: Session, world: World
) -> None:
    space = await filled(session, world)
    ctx = context(session, world.editor)
    await run(ctx, change_page, space.id, "home", None, renamed("start"))
    assert await run(ctx, lead, space, "HOME") == "home"
    assert await run(ctx, lead, space, "home/child/deep") == "deep"
    await run(ctx, change_page, space.id, "child", None, moved("group"))
    for path in ("home/child/deep", "start/child/deep", "group/child/deep"):
        assert await run(ctx, lead, space, path) == "deep"
    await run(ctx, change_page, space.id, "deep", None, renamed("bottom"))
    assert await run(ctx, lead, space, "home/child/deep") == "deep"
    assert await run(ctx, lead, space, "home/child/other") is None
    rows = (await session.execute(select(PageRedirect.path, PageRedirect.page_id))).all()
    assert sorted(map(tuple, rows)) == [
        ("group/child/deep", "deep"), ("home", "home"), ("start/child", "child"),
    ]  # fmt: skip


async def test_live_pages_come_before_redirects_and_nothing_loops(
    session: Session, world: World
) -> None:
    space = await filled(session, world)
    ctx = context(session, world.editor)
    await run(ctx, change_page, space.id, "home", None, renamed("x"))
    await run(ctx, change_page, space.id, "group", None, renamed("home"))
    await run(ctx, change_page, space.id, "home", None, renamed("group"))
    # Each stands where the other one was.
    assert await run(ctx, lead, space, "home") == "group"
    assert await run(ctx, lead, space, "group") == "home"
    assert await run(ctx, lead, space, "home/child") == "child"
    assert await run(ctx, lead, space, "home/none/at/all") is None
    assert await run(ctx, lead, space, "x") == "home"


async def test_writers_of_two_change_requests_do_not_wait_for_each_other(
    database: Database, session: Session, world: World
) -> None:
    space = await filled(session, world)
    requests = [await factories.make_change_request(session, space, world.editor) for _ in "ab"]
    await settle(session)
    entered, both = list[str](), asyncio.Event()

    async def write(ctx: Context, request: ChangeRequest) -> None:
        await open_target(ctx, space.id, request.id)
        entered.append(request.id)
        if len(entered) == 2 or database.is_sqlite:
            both.set()
        async with asyncio.timeout(60):
            await both.wait()
        old = await find_page(ctx, (await open_target(ctx, space.id, request.id)).revision, "home")
        target = await open_target(ctx, space.id, request.id)
        await commit_revision(ctx, target, Changes(pages={"home": replace(old, title=request.id)}))

    async def one(request: ChangeRequest) -> None:
        async with database.session() as own:
            await run(context(own, world.editor), write, request)

    await asyncio.gather(*map(one, requests))
    assert sorted(entered) == sorted(request.id for request in requests)


async def test_writers_of_one_target_take_turns(
    database: Database, session: Session, world: World
) -> None:
    space = await filled(session, world)
    await settle(session)

    async def add(ctx: Context, person: User) -> None:
        target = await open_target(ctx, space.id)
        names = dict(target.revision.variables)
        names[person.display_name] = True
        await commit_revision(ctx, target, Changes(variables=names))

    async def one(person: User) -> ApiError | None:
        async with database.session() as own:
            await run(context(own, person), add, person)
        return None

    people = [world.editor, world.reviewer, world.creator, world.admin]
    await asyncio.gather(*map(one, people))
    async with database.session() as own:
        newest = (await own.execute(
            select(Revision).join(Space, Space.revision_id == Revision.id)
            .where(Space.id == space.id)
        )).scalar_one()  # fmt: skip
    assert {person.display_name for person in people} <= set(newest.variables)
