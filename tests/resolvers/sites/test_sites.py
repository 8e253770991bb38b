"""Sites as operations: defaults, names, settings, lists, who may."""

import asyncio
from typing import Any

import pytest
from sqlalchemy import case, update
from strawberry import Some

from db.enums import AgentsContext, DefaultLevel, Role, SiteType, SiteVisibility
from db.models.organizations import Organization
from db.models.sites import Site, SiteSpace
from db.models.spaces import Space
from db.session import Database, Session
from resolvers.core.context import Context
from resolvers.core.errors import BadRequest, Conflict, Forbidden, Invalid, NotFound
from resolvers.core.pagination import PageArguments, total_counts
from resolvers.core.runners import read, run
from resolvers.organizations.operations import get_organization
from resolvers.sites import fields as site_fields, operations as sites, spaces as site_spaces
from resolvers.sites.fields import SiteArguments
from resolvers.sites.operations import CreateSiteInput, UpdateSiteInput
from resolvers.sites.spaces import SiteSpaceArguments
from tests.conftest import Queries, World, context, settle
from tests.deleting import removes
from tests.factories import make_grant, make_organization, make_site, make_space


async def listed(ctx: Context, world: World, **filters: Any) -> list[str]:
    """Titles of the organization's sites that the caller sees, sorted; the list is by id."""
    organization = await read(ctx, get_organization, world.organization.id)
    (part,) = await site_fields.sites_of_organizations(
        ctx, [organization], SiteArguments(**filters)
    )
    (count,) = await total_counts(ctx, [part], None)
    assert count == len(part.rows)
    ids = [row.id for row in part.rows]
    assert ids == sorted(ids)
    return sorted(row.title for row in part.rows)


async def paths_of(ctx: Context, site: Site) -> list[str]:
    (part,) = await site_spaces.site_spaces_of_sites(ctx, [site], SiteSpaceArguments())
    return [row.path for row in part.rows]


async def test_a_new_site_has_the_documented_defaults(session: Session, world: World) -> None:
    ctx = context(session, world.creator)
    site = await run(ctx, sites.create_site, world.organization.id, CreateSiteInput())
    found = await read(ctx, sites.get_site, site.id)
    assert (found.title, found.basename) == ("Untitled site", "untitled-site")
    assert (found.type, found.visibility) == (SiteType.BASIC, SiteVisibility.PUBLIC)
    assert (found.published, found.adaptive_content) == (False, False)
    assert found.agents_context is AgentsContext.INCLUDED
    assert found.default_site_space_id is None
    assert found.id.startswith("site_")


async def test_spaces_are_placed_in_order_once_and_the_first_is_the_default(
    session: Session, world: World
) -> None:
    one, two = [
        await make_space(session, world.organization, title=title) for title in ("Guide", "v")
    ]
    await settle(session)
    ctx = context(session, world.creator)
    wanted = Some([two.id, one.id, two.id])
    site = await run(ctx, sites.create_site, world.organization.id, CreateSiteInput(spaces=wanted))
    # `v` is reserved under a published site.
    assert await paths_of(ctx, site) == ["v-1", "guide"]
    (default,) = await site_spaces.default_site_spaces(ctx, [site], None)
    assert default is not None
    assert default.space_id == two.id


async def test_spaces_of_one_title_get_paths_of_their_own(session: Session, world: World) -> None:
    spaces = [await make_space(session, world.organization, title="Guide") for _ in range(3)]
    await settle(session)
    ctx = context(session, world.creator)
    wanted = CreateSiteInput(spaces=Some([space.id for space in spaces]))
    site = await run(ctx, sites.create_site, world.organization.id, wanted)
    assert await paths_of(ctx, site) == ["guide", "guide-1", "guide-2"]


async def test_unknown_foreign_and_hidden_spaces_are_not_found_and_nothing_is_made(
    session: Session, world: World
) -> None:
    elsewhere = await make_organization(session)
    foreign = await make_space(session, elsewhere)
    hidden = await make_space(session, world.organization, default_level=None)
    binned = await make_space(session, world.organization, deleted_at=world.admin.created_at)
    await settle(session)
    ctx = context(session, world.creator)
    for id in ("nothing", foreign.id, hidden.id, binned.id):
        with pytest.raises(NotFound, match="spaces: "):
            await run(
                ctx, sites.create_site, world.organization.id, CreateSiteInput(spaces=Some([id]))
            )
    assert await listed(ctx, world) == []


async def test_placing_a_space_needs_create_on_it(session: Session, world: World) -> None:
    space = await make_space(session, world.organization, default_level=DefaultLevel.REVIEW)
    await settle(session)
    wanted = CreateSiteInput(spaces=Some([space.id]))
    with pytest.raises(Forbidden, match="'create' on the space"):
        await run(context(session, world.creator), sites.create_site, world.organization.id, wanted)
    await run(context(session, world.admin), sites.create_site, world.organization.id, wanted)


async def test_who_may_write(session: Session, world: World) -> None:
    site = await make_site(session, world.organization)
    await settle(session)
    for person in (world.reviewer, world.editor, world.commenter, world.reader):
        ctx = context(session, person)
        with pytest.raises(Forbidden):
            await run(ctx, sites.create_site, world.organization.id, CreateSiteInput())
        with pytest.raises(Forbidden):
            await run(ctx, sites.update_site, site.id, UpdateSiteInput(title=Some("Mine")))
        with pytest.raises(Forbidden):
            await run(ctx, sites.delete_site, site.id)
    for person in (world.guest, world.outsider):
        ctx = context(session, person)
        with pytest.raises(NotFound):
            await run(ctx, sites.update_site, site.id, UpdateSiteInput(title=Some("Mine")))
        assert await removes(ctx, sites.delete_site, site.id) is False
    found = await read(context(session, world.creator), sites.get_site, site.id)
    assert found.title == site.title


async def test_basenames_are_generated_free_of_collisions(session: Session, world: World) -> None:
    ctx = context(session, world.creator)
    titles = ["Help Center", "help  center!", "HELP CENTER", "llms.txt", "~", "x" * 128, "x" * 127]
    made = [
        await run(ctx, sites.create_site, world.organization.id, CreateSiteInput(title=Some(title)))
        for title in [*titles, "Привет"]
    ]
    assert [site.basename for site in made] == [
        "help-center",
        "help-center-1",
        "help-center-2",
        "llms-txt",
        "page",
        "x" * 100,
        "x" * 98 + "-1",
        "привет",
    ]


@pytest.mark.parametrize("name", ["a/b", "a b", "", "UPPER", "~gitbook", "v", "robots.txt", ".."])
async def test_bad_basenames_are_refused(session: Session, world: World, name: str) -> None:
    site = await make_site(session, world.organization)
    await settle(session)
    with pytest.raises(Invalid, match="basename: "):
        await run(
            context(session, world.creator),
            sites.update_site,
            site.id,
            UpdateSiteInput(basename=Some(name)),
        )


async def test_a_basename_is_unique_in_its_organization_only(
    session: Session, world: World
) -> None:
    elsewhere = await make_organization(session)
    await make_site(session, elsewhere, basename="docs")
    await make_site(session, world.organization, basename="help")
    site = await make_site(session, world.organization)
    await settle(session)
    ctx = context(session, world.creator)
    await run(ctx, sites.update_site, site.id, UpdateSiteInput(basename=Some("docs")))
    await run(ctx, sites.update_site, site.id, UpdateSiteInput(basename=Some("docs")))
    with pytest.raises(Conflict, match="basename: 'help' is taken"):
        await run(ctx, sites.update_site, site.id, UpdateSiteInput(basename=Some("help")))


async def test_one_site_of_an_organization_has_no_basename(session: Session, world: World) -> None:
    await make_site(session, await make_organization(session), basename=None)
    one = await make_site(session, world.organization, basename="one")
    two = await make_site(session, world.organization, basename="two")
    await settle(session)
    ctx = context(session, world.creator)
    none = UpdateSiteInput(basename=Some(None))
    for _ in range(2):
        assert (await run(ctx, sites.update_site, one.id, none)).basename is None
    with pytest.raises(Conflict, match="basename: another site of the organization has none"):
        await run(ctx, sites.update_site, two.id, none)
    await run(ctx, sites.update_site, one.id, UpdateSiteInput(basename=Some("first")))
    assert (await run(ctx, sites.update_site, two.id, none)).basename is None


async def test_two_sites_cannot_both_give_up_their_basename_at_once(
    database: Database, session: Session, world: World
) -> None:
    made = [await make_site(session, world.organization, basename=name) for name in ("a", "b")]
    await settle(session)
    none = UpdateSiteInput(basename=Some(None))

    async def give_up(site: Site) -> str | None:
        async with database.session() as own:
            try:
                await run(context(own, world.creator), sites.update_site, site.id, none)
            except Conflict as error:
                return error.message
            return None

    found = await asyncio.gather(*map(give_up, made))
    assert sorted(message is None for message in found) == [False, True]


async def test_an_empty_update_changes_nothing(session: Session, world: World) -> None:
    site = await make_site(session, world.organization, proxy_origin="example.com/docs")
    await settle(session)
    before = {key: getattr(site, key) for key in Site.__table__.c.keys()}  # noqa: SIM118
    ctx = context(session, world.creator)
    found = await run(ctx, sites.update_site, site.id, UpdateSiteInput())
    assert {key: getattr(found, key) for key in before} == before


async def test_the_default_must_stand_on_the_site(session: Session, world: World) -> None:
    spaces = [await make_space(session, world.organization) for _ in range(2)]
    site = await make_site(session, world.organization, *spaces)
    other = await make_site(session, world.organization, spaces[0])
    await settle(session)
    ctx = context(session, world.creator)
    (part,) = await site_spaces.site_spaces_of_sites(ctx, [site], SiteSpaceArguments())
    last = part.rows[1].id
    for wrong in ("nothing", other.default_site_space_id or "", spaces[0].id):
        with pytest.raises(BadRequest, match="defaultSiteSpace: "):
            await run(
                ctx, sites.update_site, site.id, UpdateSiteInput(default_site_space=Some(wrong))
            )
    with pytest.raises(BadRequest, match="has no sections"):
        await run(
            ctx, sites.update_site, site.id, UpdateSiteInput(default_site_section=Some("sitesc_1"))
        )
    await run(ctx, sites.update_site, site.id, UpdateSiteInput(default_site_space=Some(last)))
    (default,) = await site_spaces.default_site_spaces(ctx, [site], None)
    assert default is not None
    assert default.id == last


async def test_a_default_in_the_bin_is_replaced_until_it_returns(
    session: Session, world: World
) -> None:
    spaces = [await make_space(session, world.organization) for _ in range(3)]
    site = await make_site(session, world.organization, *spaces)
    await settle(session)
    ctx = context(session, world.creator)
    (part,) = await site_spaces.site_spaces_of_sites(ctx, [site], SiteSpaceArguments())
    ids = [row.id for row in part.rows]

    async def served(*binned: int, default: int) -> int:
        await session.begin_write()
        binned_ids = [spaces[index].id for index in binned]
        moment = case((Space.id.in_(binned_ids), ctx.now()), else_=None)
        await session.execute(update(Space).values(deleted_at=moment))
        await session.execute(update(Site).values(default_site_space_id=ids[default]))
        await session.commit()
        arguments = SiteSpaceArguments(default=True)
        (found,) = await site_spaces.site_spaces_of_sites(ctx, [site], arguments)
        (one,) = await site_spaces.default_site_spaces(ctx, [site], None)
        assert [row.id for row in found.rows] == [one.id if one else ""]
        return ids.index(found.rows[0].id)

    assert await served(default=1) == 1
    assert await served(1, default=1) == 2
    assert await served(1, 2, default=1) == 0
    assert await served(2, default=2) == 1
    assert await served(default=2) == 2


async def test_filters_combine(session: Session, world: World) -> None:
    one, two = [await make_space(session, world.organization) for _ in range(2)]
    make = world.organization
    await make_site(session, make, one, title="Alpha Docs", published=True)
    await make_site(session, make, one, two, title="Beta docs", type=SiteType.ULTIMATE)
    await make_site(session, make, title="100%_sure", type=SiteType.PREMIUM)
    await settle(session)
    ctx = context(session, world.reader)
    assert await listed(ctx, world) == ["100%_sure", "Alpha Docs", "Beta docs"]
    assert await listed(ctx, world, space=one.id) == ["Alpha Docs", "Beta docs"]
    assert await listed(ctx, world, space="nothing") == []
    assert await listed(ctx, world, title="DOCS") == ["Alpha Docs", "Beta docs"]
    assert await listed(ctx, world, title="%_") == ["100%_sure"]
    assert await listed(ctx, world, published=True) == ["Alpha Docs"]
    assert await listed(ctx, world, published=False) == ["100%_sure", "Beta docs"]
    kinds = (SiteType.ULTIMATE, SiteType.PREMIUM)
    assert await listed(ctx, world, type=kinds) == ["100%_sure", "Beta docs"]
    assert await listed(ctx, world, type=kinds, space=one.id, title="beta") == ["Beta docs"]
    assert await listed(ctx, world, space=two.id, published=True) == []


async def test_guests_see_sites_and_spaces_that_they_may_read(
    session: Session, world: World
) -> None:
    shown, hidden = [await make_space(session, world.organization) for _ in range(2)]
    await make_grant(session, shown, world.guest, Role.READ)
    await make_site(session, world.organization, hidden, shown, title="With it")
    without = await make_site(session, world.organization, hidden, title="Without it")
    await settle(session)
    ctx = context(session, world.guest)
    assert await listed(ctx, world) == ["With it"]
    assert await listed(ctx, world, space=hidden.id) == []
    with pytest.raises(NotFound):
        await read(ctx, sites.get_site, without.id)
    organization = await read(ctx, get_organization, world.organization.id)
    (part,) = await site_fields.sites_of_organizations(ctx, [organization], SiteArguments())
    assert await paths_of(ctx, part.rows[0]) == ["path-1"]
    assert await site_spaces.default_site_spaces(ctx, part.rows, None) == [None]
    (of_space,) = await site_fields.sites_of_spaces(ctx, [shown], PageArguments())
    assert [row.title for row in of_space.rows] == ["With it"]


async def test_deleting_keeps_the_spaces_and_frees_what_pointed_here(
    session: Session, world: World
) -> None:
    space = await make_space(session, world.organization)
    site = await make_site(session, world.organization, space, basename="docs")
    world.organization.default_site_id = site.id
    await session.merge(world.organization)
    await settle(session)
    ctx = context(session, world.creator)
    assert await removes(ctx, sites.delete_site, site.id, "another organization") is False
    assert await removes(ctx, sites.delete_site, site.id) is True
    assert await removes(ctx, sites.delete_site, site.id) is False
    session.expunge_all()
    assert await session.get(SiteSpace, site.default_site_space_id) is None
    assert await session.get(Space, space.id) is not None
    organization = await session.get(Organization, world.organization.id)
    assert organization is not None
    assert organization.default_site_id is None
    again = await run(
        ctx, sites.create_site, world.organization.id, CreateSiteInput(title=Some("Docs"))
    )
    assert again.basename == "docs"


async def test_two_sites_made_at_once_get_two_basenames(
    database: Database, session: Session, world: World
) -> None:
    await settle(session)

    async def make() -> str | None:
        async with database.session() as session:
            ctx = context(session, world.creator)
            wanted = CreateSiteInput(title=Some("Docs"))
            return (await run(ctx, sites.create_site, world.organization.id, wanted)).basename

    names = await asyncio.gather(*(make() for _ in range(4)))
    assert sorted(names, key=str) == ["docs", "docs-1", "docs-2", "docs-3"]


@pytest.mark.parametrize("number", [1, 30])
async def test_lists_and_fields_cost_one_statement_each(
    session: Session, world: World, queries: Queries, number: int
) -> None:
    spaces = [await make_space(session, world.organization) for _ in range(3)]
    for index in range(number):
        await make_site(
            session, world.organization, *spaces, published=True, icon={"emoji": str(index)}
        )
    await settle(session)
    ctx = context(session, world.reader)
    organization = await read(ctx, get_organization, world.organization.id)
    with queries(1):
        (part,) = await site_fields.sites_of_organizations(ctx, [organization], SiteArguments())
    rows = part.rows
    assert len(rows) == number
    with queries(1):
        slices = await site_spaces.site_spaces_of_sites(ctx, rows, SiteSpaceArguments())
    assert [len(one.rows) for one in slices] == [3] * number
    with queries(1):
        found = await site_spaces.site_spaces_of_sites(ctx, rows, SiteSpaceArguments(default=False))
    assert [len(one.rows) for one in found] == [2] * number
    with queries(1):
        assert await site_fields.site_space_counts(ctx, rows, None) == [3] * number
    with queries(1):
        defaults = await site_spaces.default_site_spaces(ctx, rows, None)
    assert [one and one.site_id for one in defaults] == [row.id for row in rows]
    with queries(0):
        await site_fields.site_icons(ctx, rows, None)
    flat = [row for one in slices for row in one.rows]
    with queries(1):
        assert await site_spaces.are_defaults(ctx, flat, None) == [True, False, False] * number
    with queries(1):
        titles = await site_spaces.site_space_titles(ctx, flat, None)
    assert titles == [space.title for space in spaces] * number
    with queries(1):
        (of_space, *_) = await site_fields.sites_of_spaces(ctx, spaces, PageArguments())
    assert len(of_space.rows) == number
