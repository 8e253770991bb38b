"""Site spaces as operations: adding, changing, removing, moving, who may, two at once."""

import asyncio
from typing import Any

import pytest
from sqlalchemy import select
from strawberry import Some

from db.enums import EditMode, Role, SiteVisibility
from db.models.sites import Site, SiteSpace
from db.models.spaces import Space
from db.session import Database, Session
from resolvers.core.context import Context
from resolvers.core.errors import BadRequest, Conflict, Forbidden, Invalid, NotFound
from resolvers.core.runners import read, run
from resolvers.sites import operations as sites, order as site_order, spaces as site_spaces
from resolvers.sites.order import MoveSiteSpaceInput, SiteSpacePointer, SiteSpacePosition
from resolvers.sites.spaces import AddSiteSpaceInput, SiteSpaceArguments, UpdateSiteSpaceInput
from resolvers.sites.writes import remove_spaces_from_sites
from tests.conftest import World, context, settle
from tests.deleting import removes
from tests.factories import make_grant, make_organization, make_site, make_space


async def rows_of(ctx: Context, site: Site) -> list[SiteSpace]:
    (part,) = await site_spaces.site_spaces_of_sites(ctx, [site], SiteSpaceArguments())
    return part.rows


async def prepared(session: Session, world: World, number: int) -> tuple[Site, list[SiteSpace]]:
    """A site with `number` spaces on it, and its site spaces."""
    spaces = [await make_space(session, world.organization) for _ in range(number)]
    site = await make_site(session, world.organization, *spaces)
    await settle(session)
    rows = await rows_of(context(session), site)
    session.expunge_all()
    return site, rows


def to(before: str | None = None, after: str | None = None) -> MoveSiteSpaceInput:
    def pointer(id: str | None) -> Any:
        return id and Some(SiteSpacePointer(type="site-space", site_space=id))

    return MoveSiteSpaceInput(
        position=Some(SiteSpacePosition(before=pointer(before), after=pointer(after)))
    )


async def test_adding(session: Session, world: World) -> None:
    site, rows = await prepared(session, world, 1)
    space = await make_space(session, world.organization, title="Path 0")
    await settle(session)
    ctx = context(session, world.creator)
    wanted = AddSiteSpaceInput(space_id=space.id)
    added = await run(ctx, site_spaces.add_site_space, site.id, wanted)
    assert (added.path, added.position, added.condition) == ("path-0-1", 1, None)
    assert [row.id for row in await rows_of(ctx, site)] == [rows[0].id, added.id]
    with pytest.raises(Conflict, match="already on this site"):
        await run(ctx, site_spaces.add_site_space, site.id, wanted)
    in_section = AddSiteSpaceInput(space_id=space.id, section_id=Some("sitesc_1"))
    with pytest.raises(NotFound, match="has no sections"):
        await run(ctx, site_spaces.add_site_space, site.id, in_section)


async def test_adding_needs_create_on_both(session: Session, world: World) -> None:
    site, _ = await prepared(session, world, 0)
    granted = await make_space(session, world.organization)
    narrow = await make_space(session, world.organization)
    foreign = await make_space(session, await make_organization(session))
    await make_grant(session, granted, world.reader, Role.CREATE)
    await make_grant(session, narrow, world.creator, Role.READ)
    await settle(session)
    for person, space, error in (
        (world.reader, granted, Forbidden),
        (world.creator, narrow, Forbidden),
        (world.creator, foreign, NotFound),
        (world.guest, granted, NotFound),
        (world.outsider, foreign, NotFound),
    ):
        wanted = AddSiteSpaceInput(space_id=space.id)
        with pytest.raises(error):
            await run(context(session, person), site_spaces.add_site_space, site.id, wanted)
    assert await rows_of(context(session), site) == []


async def test_changing(session: Session, world: World) -> None:
    site, rows = await prepared(session, world, 2)
    other = await make_space(session, world.organization, title="Other")
    await settle(session)
    ctx = context(session, world.creator)
    change = UpdateSiteSpaceInput(
        path=Some("v2.0_~x"), condition=Some("visitor.claims.beta"), space_id=Some(other.id)
    )
    changed = await run(ctx, site_spaces.update_site_space, rows[0].id, change, site.id)
    assert (changed.path, changed.condition) == ("v2.0_~x", "visitor.claims.beta")
    assert await site_spaces.site_space_titles(ctx, [changed], None) == ["Other"]
    same = await run(ctx, site_spaces.update_site_space, rows[0].id, UpdateSiteSpaceInput())
    assert (same.path, same.condition, same.space_id) == (
        "v2.0_~x",
        "visitor.claims.beta",
        other.id,
    )
    cleared = UpdateSiteSpaceInput(condition=Some(None))
    assert (await run(ctx, site_spaces.update_site_space, rows[0].id, cleared)).condition is None
    twice = UpdateSiteSpaceInput(space_id=Some(rows[1].space_id))
    with pytest.raises(Conflict, match="already on this site"):
        await run(ctx, site_spaces.update_site_space, rows[0].id, twice)


@pytest.mark.parametrize(
    ("condition", "problem"),
    [
        ("visitor.claims.", "condition: character 16"),
        ("visitor.claims.a = 1", "condition: character 18"),
        ("true && window.alert", "condition: character 9: 'window' is unknown"),
        ("visitor.claims.roles.some(role => user.x)", "condition: character 35: 'user' is unknown"),
        ("claims.beta", "condition: character 1: 'claims' is unknown"),
    ],
)
async def test_conditions_that_cannot_be_worked_out_are_refused(
    session: Session, world: World, condition: str, problem: str
) -> None:
    _, rows = await prepared(session, world, 1)
    ctx = context(session, world.creator)
    change = UpdateSiteSpaceInput(condition=Some(condition), path=Some("changed"))
    with pytest.raises(Invalid, match=problem):
        await run(ctx, site_spaces.update_site_space, rows[0].id, change)
    session.expunge_all()
    row = await session.get_one(SiteSpace, rows[0].id)
    assert (row.condition, row.path) == (None, "path-0")


async def test_an_empty_condition_is_none(session: Session, world: World) -> None:
    _, rows = await prepared(session, world, 1)
    ctx = context(session, world.creator)
    for given, stored in (("visitor.claims.a && space.vars.b", True), ("", False)):
        change = UpdateSiteSpaceInput(condition=Some(given))
        row = await run(ctx, site_spaces.update_site_space, rows[0].id, change)
        assert row.condition == (given if stored else None)


async def test_paths_differ_whatever_their_capitals(session: Session, world: World) -> None:
    _, rows = await prepared(session, world, 2)
    ctx = context(session, world.creator)
    own = UpdateSiteSpaceInput(path=Some("PATH-0"))
    assert (await run(ctx, site_spaces.update_site_space, rows[0].id, own)).path == "PATH-0"
    with pytest.raises(Conflict, match="is taken"):
        await run(ctx, site_spaces.update_site_space, rows[1].id, own)


@pytest.mark.parametrize("path", ["a/b", "a b", "..", "V", "~gitbook", "llms.txt", "a%20b", "é\n"])
async def test_bad_paths_are_refused(session: Session, world: World, path: str) -> None:
    _, rows = await prepared(session, world, 1)
    change = UpdateSiteSpaceInput(path=Some(path))
    with pytest.raises(Invalid, match="path: "):
        await run(
            context(session, world.creator), site_spaces.update_site_space, rows[0].id, change
        )


@pytest.mark.parametrize(
    ("default", "gone", "expected"), [(0, 0, 1), (1, 1, 2), (2, 2, 1), (0, 2, 0), (2, 0, 2)]
)
async def test_removing_the_default_gives_it_to_the_next_one_else_the_previous(
    session: Session, world: World, default: int, gone: int, expected: int
) -> None:
    site, rows = await prepared(session, world, 3)
    ctx = context(session, world.creator)
    chosen = sites.UpdateSiteInput(default_site_space=Some(rows[default].id))
    await run(ctx, sites.update_site, site.id, chosen)
    assert await removes(ctx, site_spaces.delete_site_space, rows[gone].id) is True
    assert await removes(ctx, site_spaces.delete_site_space, rows[gone].id) is False
    (found,) = await site_spaces.default_site_spaces(ctx, [site], None)
    assert found is not None
    assert found.id == rows[expected].id
    session.expunge_all()
    assert [row.position for row in await rows_of(ctx, site)] == [0, 1]
    assert await session.get(Space, rows[gone].space_id) is not None


async def test_the_last_one_leaves_an_empty_site(session: Session, world: World) -> None:
    site, rows = await prepared(session, world, 1)
    ctx = context(session, world.creator)
    await run(ctx, site_spaces.delete_site_space, rows[0].id)
    assert (await read(ctx, sites.get_site, site.id)).default_site_space_id is None
    again = AddSiteSpaceInput(space_id=rows[0].space_id)
    added = await run(ctx, site_spaces.add_site_space, site.id, again)
    assert (await read(ctx, sites.get_site, site.id)).default_site_space_id == added.id


@pytest.mark.parametrize(
    ("moved", "before", "after", "expected"),
    [
        (0, None, None, "1230"),
        (3, 0, None, "3012"),
        (0, None, 2, "1203"),
        (3, 1, 0, "0312"),
        (1, 2, 0, "0123"),
        (3, None, None, "0123"),
        (0, None, 3, "1230"),
    ],
)
async def test_moving(
    session: Session,
    world: World,
    moved: int,
    before: int | None,
    after: int | None,
    expected: str,
) -> None:
    site, rows = await prepared(session, world, 4)
    ids = [row.id for row in rows]
    ctx = context(session, world.creator)
    position = to(None if before is None else ids[before], None if after is None else ids[after])
    wanted = MoveSiteSpaceInput() if before is None and after is None else position
    await run(ctx, site_order.move_site_space, ids[moved], wanted, site.id)
    session.expunge_all()
    found = await rows_of(ctx, site)
    assert "".join(str(ids.index(row.id)) for row in found) == expected
    assert [row.position for row in found] == [0, 1, 2, 3]


async def test_impossible_positions_change_nothing(session: Session, world: World) -> None:
    site, rows = await prepared(session, world, 4)
    _, others = await prepared(session, world, 1)
    ids = [row.id for row in rows]
    ctx = context(session, world.creator)
    for wrong in (
        to(before=ids[0]),
        to(after=ids[0]),
        to(before="nothing"),
        to(after=others[0].id),
        to(before=ids[3], after=ids[1]),
        to(before=ids[1], after=ids[2]),
        to(before=ids[1], after=ids[1]),
        to(before="nothing", after=ids[1]),
    ):
        with pytest.raises(BadRequest, match="position"):
            await run(ctx, site_order.move_site_space, ids[0], wrong)
    with pytest.raises(NotFound):
        await run(ctx, site_order.move_site_space, ids[0], to(), "another site")
    with pytest.raises(NotFound):
        await run(ctx, site_order.move_site_space, "nothing", to())
    assert [row.id for row in await rows_of(ctx, site)] == ids


async def test_neighbours_are_judged_as_the_caller_sees_them(
    session: Session, world: World
) -> None:
    shown = [await make_space(session, world.organization) for _ in range(3)]
    hidden = await make_space(session, world.organization, default_level=None)
    site = await make_site(session, world.organization, shown[0], hidden, shown[1], shown[2])
    await settle(session)
    everything = [row.id for row in await rows_of(context(session), site)]
    session.expunge_all()
    ctx = context(session, world.creator)
    seen = [row.id for row in await rows_of(ctx, site)]
    assert seen == [everything[0], *everything[2:]]
    between = to(after=seen[0], before=seen[1])
    await run(ctx, site_order.move_site_space, seen[2], between)
    session.expunge_all()
    assert [row.id for row in await rows_of(ctx, site)] == [seen[0], seen[2], seen[1]]
    with pytest.raises(NotFound):
        await run(ctx, site_order.move_site_space, everything[1], to())
    assert await removes(ctx, site_spaces.delete_site_space, everything[1]) is False


async def test_writes_need_the_organization_role(session: Session, world: World) -> None:
    site, rows = await prepared(session, world, 2)
    for person in (world.reviewer, world.reader):
        ctx = context(session, person)
        with pytest.raises(Forbidden):
            await run(ctx, site_order.move_site_space, rows[0].id, MoveSiteSpaceInput())
        with pytest.raises(Forbidden):
            await run(ctx, site_spaces.delete_site_space, rows[0].id)
        change = UpdateSiteSpaceInput(path=Some("mine"))
        with pytest.raises(Forbidden):
            await run(ctx, site_spaces.update_site_space, rows[0].id, change)
    assert [row.path for row in await rows_of(context(session), site)] == ["path-0", "path-1"]


async def test_spaces_that_go_for_good_leave_no_gap(session: Session, world: World) -> None:
    site, rows = await prepared(session, world, 4)
    ctx = context(session)
    gone = [rows[0].space_id, rows[2].space_id]
    await session.begin_write()
    await remove_spaces_from_sites(ctx, gone)
    await settle(session)
    left = await rows_of(ctx, site)
    assert [(row.id, row.position) for row in left] == [(rows[1].id, 0), (rows[3].id, 1)]
    found = (await session.execute(select(Site).where(Site.id == site.id))).scalar_one()
    assert found.default_site_space_id == rows[1].id


@pytest.mark.parametrize(
    ("published", "visibility", "mode"),
    [
        (True, SiteVisibility.PUBLIC, EditMode.LOCKED),
        (True, SiteVisibility.UNLISTED, EditMode.LOCKED),
        (True, SiteVisibility.SHARE_LINK, EditMode.LIVE),
        (False, SiteVisibility.PUBLIC, EditMode.LIVE),
    ],
)
async def test_a_space_that_everybody_sees_is_not_edited_live(
    session: Session,
    world: World,
    published: bool,
    visibility: SiteVisibility,
    mode: EditMode,
) -> None:
    added, swapped, shown = [
        await make_space(session, world.organization, edit_mode=EditMode.LIVE) for _ in range(3)
    ]
    site = await make_site(session, world.organization, published=published, visibility=visibility)
    later = await make_site(
        session,
        world.organization,
        shown,
        published=published,
        visibility=SiteVisibility.VISITOR_AUTH,
    )
    await settle(session)
    ctx = context(session, world.creator)
    wanted = AddSiteSpaceInput(space_id=added.id)
    row = await run(ctx, site_spaces.add_site_space, site.id, wanted)
    change = UpdateSiteSpaceInput(space_id=Some(swapped.id))
    await run(ctx, site_spaces.update_site_space, row.id, change)
    await run(ctx, sites.update_site, later.id, sites.UpdateSiteInput(visibility=Some(visibility)))
    session.expunge_all()
    for space in (added, swapped, shown):
        found = await session.get(Space, space.id)
        assert found is not None
        assert found.edit_mode is mode


async def test_adds_and_moves_at_once_keep_the_order_dense(
    database: Database, session: Session, world: World
) -> None:
    site, rows = await prepared(session, world, 3)
    spaces = [await make_space(session, world.organization, title="Same") for _ in range(3)]
    await settle(session)

    async def add(space: Space) -> None:
        async with database.session() as own:
            ctx = context(own, world.creator)
            wanted = AddSiteSpaceInput(space_id=space.id)
            await run(ctx, site_spaces.add_site_space, site.id, wanted)

    async def move(row: SiteSpace) -> None:
        async with database.session() as own:
            ctx = context(own, world.creator)
            await run(ctx, site_order.move_site_space, row.id, MoveSiteSpaceInput())

    async def remove(row: SiteSpace) -> None:
        async with database.session() as own:
            ctx = context(own, world.creator)
            await run(ctx, site_spaces.delete_site_space, row.id)

    await asyncio.gather(
        *(add(space) for space in spaces), *(move(row) for row in rows[1:]), remove(rows[0])
    )
    found = await rows_of(context(session), site)
    assert [row.position for row in found] == [0, 1, 2, 3, 4]
    assert sorted(row.path for row in found) == ["path-1", "path-2", "same", "same-1", "same-2"]
    (default,) = await site_spaces.default_site_spaces(context(session), [site], None)
    assert default is not None


async def test_the_same_space_added_twice_at_once_stands_there_once(
    database: Database, session: Session, world: World
) -> None:
    site, _ = await prepared(session, world, 0)
    space = await make_space(session, world.organization)
    await settle(session)

    async def add() -> str:
        async with database.session() as own:
            wanted = AddSiteSpaceInput(space_id=space.id)
            try:
                await run(context(own, world.creator), site_spaces.add_site_space, site.id, wanted)
            except Conflict:
                return "conflict"
        return "added"

    assert sorted(await asyncio.gather(add(), add(), add())) == ["added", "conflict", "conflict"]
    assert len(await rows_of(context(session), site)) == 1
