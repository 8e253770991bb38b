"""Who can work on a site: roles, origins, order, pages, and what is hidden from whom."""

from typing import Any

import pytest
from sqlalchemy import select

from db.base import utc_now
from db.enums import DefaultLevel, Role
from db.models.organizations import Member, Organization, TeamMember, User
from db.models.sites import Site, SiteSection, SiteSectionGroup, SiteSpace
from db.models.spaces import AccessGrant, Collection, Space
from db.session import Session
from db.site_enums import PermissionOrigin
from resolvers.core.pagination import PageArguments, total_counts
from resolvers.sites.people import SitePerson, people_of_sites
from tests.conftest import Queries, World, context, settle
from tests.factories import (
    make_collection,
    make_grant,
    make_member,
    make_organization,
    make_site,
    make_space,
    make_team,
)
from tests.resolvers.access.test_roles_property import Scene
from tests.role_reference import Facts, effective_rank

Shown = tuple[str, Role | None, str]


def shown(found: SitePerson) -> Shown:
    origin = found.origin
    assert (origin.organization is None) is (origin.type is PermissionOrigin.SPACE)
    assert (origin.space is None) is (origin.type is PermissionOrigin.ORGANIZATION)
    return found.user_id, found.permission, origin.space or origin.organization or ""


async def people_of(
    session: Session, site: Site, viewer: User | None = None, **page: Any
) -> list[Shown]:
    (part,) = await people_of_sites(context(session, viewer), [site], PageArguments(**page))
    return [shown(one) for one in part.rows]


async def test_members_have_their_role_and_the_rest_do_not_appear(
    session: Session, world: World
) -> None:
    space = await make_space(session, world.organization)
    site = await make_site(session, world.organization, space)
    await make_member(session, world.organization, Role.ADMIN, disabled=True)
    await settle(session)
    roles = [("admin", Role.ADMIN), ("creator", Role.CREATE), ("reviewer", Role.REVIEW),
             ("editor", Role.EDIT), ("commenter", Role.COMMENT), ("reader", Role.READ)]  # fmt: skip
    people = world.people()
    expected = [(people[name].id, role, world.organization.id) for name, role in roles]
    expected.sort(key=lambda one: str(one[0]))
    assert await people_of(session, site, world.reader) == expected
    assert await people_of(session, site, world.outsider) == []


async def test_guests_come_by_the_first_space_that_they_may_read(
    session: Session, world: World
) -> None:
    spaces = [await make_space(session, world.organization) for _ in range(4)]
    site = await make_site(session, world.organization, *spaces)
    for space, role in ((spaces[1], Role.READ), (spaces[2], Role.EDIT)):
        await make_grant(session, space, world.guest, role)
    await make_grant(session, spaces[0], world.guest, None)
    await session.commit()
    guest = world.guest.id
    mine = [(guest, Role.READ, spaces[1].id)]
    # Guests see nobody but themselves.
    assert await people_of(session, site, world.guest) == mine
    assert set(mine) <= set(await people_of(session, site, world.reader))
    await session.begin_write()
    spaces[1].deleted_at = utc_now()
    await session.commit()
    assert await people_of(session, site, world.guest) == [(guest, Role.EDIT, spaces[2].id)]
    await session.begin_write()
    spaces[2].deleted_at = utc_now()
    await session.commit()
    assert guest not in [one[0] for one in await people_of(session, site, world.admin)]


async def test_teams_and_collections_count(session: Session, world: World) -> None:
    organization = world.organization
    outer = await make_collection(session, organization)
    inner = await make_collection(session, organization, outer)
    space = await make_space(session, organization, inner)
    other = await make_space(session, organization)
    site = await make_site(session, organization, other, space)
    team = await make_team(session, organization, world.guest)
    await make_grant(session, outer, team, Role.COMMENT)
    await session.commit()
    assert (world.guest.id, Role.COMMENT, space.id) in await people_of(session, site, world.admin)
    # A direct grant on the space beats what comes from above.
    await session.begin_write()
    await make_grant(session, space, world.guest, None)
    await session.commit()
    assert world.guest.id not in [one[0] for one in await people_of(session, site, world.admin)]


async def test_spaces_that_one_may_not_read_tell_nothing(session: Session, world: World) -> None:
    hidden = await make_space(session, world.organization, default_level=None)
    site = await make_site(session, world.organization, hidden)
    await make_grant(session, hidden, world.guest, Role.READ)
    await settle(session)
    mine = (world.guest.id, Role.READ, hidden.id)
    assert mine in await people_of(session, site, world.admin)
    assert world.guest.id not in [one[0] for one in await people_of(session, site, world.reader)]


async def test_the_order_of_a_site_is_that_of_its_sections(session: Session, world: World) -> None:
    """Sections and groups of a level share an order, and groups stand in groups."""
    spaces = [await make_space(session, world.organization) for _ in range(4)]
    site = await make_site(session, world.organization)
    outer = SiteSectionGroup(site_id=site.id, title="Outer", position=1)
    session.add(outer)
    await session.flush()
    inner = SiteSectionGroup(site_id=site.id, title="Inner", position=0, parent_id=outer.id)
    session.add(inner)
    await session.flush()
    # Group, position in it, position in the section: what is last here comes first on the site.
    places = [(None, 2, 0), (outer.id, 1, 0), (inner.id, 5, 0), (None, 0, 3)]
    for number, (space, (group, position, place)) in enumerate(zip(spaces, places, strict=True)):
        section = SiteSection(site_id=site.id, title="S", path=f"s{number}", group_id=group,
                              position=position)  # fmt: skip
        session.add(section)
        await session.flush()
        session.add(SiteSpace(site_id=site.id, section_id=section.id, space_id=space.id,
                              path="p", position=place))  # fmt: skip
        await make_grant(session, space, world.guest, Role.READ)
    await session.commit()
    for space in reversed(spaces):
        assert await people_of(session, site, world.guest) == [
            (world.guest.id, Role.READ, space.id)
        ]
        await session.begin_write()
        space.deleted_at = utc_now()
        await session.commit()
    assert await people_of(session, site, world.admin) == await people_of(session, site, None)


async def test_pages_and_counts(session: Session, world: World) -> None:
    space = await make_space(session, world.organization)
    site = await make_site(session, world.organization, space)
    await make_grant(session, space, world.guest, Role.READ)
    await session.commit()
    ctx = context(session, world.admin)
    found, after = [], None
    while True:
        (part,) = await people_of_sites(ctx, [site], PageArguments(first=3, after=after))
        assert await total_counts(ctx, [part], None) == [7]
        found += [shown(one) for one in part.rows]
        after = part.next_cursor
        if after is None:
            break
    assert found == await people_of(session, site, world.admin)
    assert [one[0] for one in found] == sorted(one[0] for one in found)
    assert len(found) == 7


@pytest.mark.parametrize(("people", "sites"), [(1, 1), (40, 5)])
async def test_the_number_of_statements_does_not_depend_on_how_many_there_are(
    session: Session, world: World, queries: Queries, people: int, sites: int
) -> None:
    made = []
    for _ in range(sites):
        spaces = [await make_space(session, world.organization) for _ in range(2)]
        made.append(await make_site(session, world.organization, *spaces))
        for _ in range(people):
            await make_member(session, world.organization, Role.READ)
            guest = await make_member(session, world.organization, None)
            await make_grant(session, spaces[1], guest, Role.READ)
    await session.commit()
    ctx = context(session, world.admin)
    # The people, the order of the sites' spaces, and the spaces of the guests.
    with queries(3):
        parts = await people_of_sites(ctx, made, PageArguments(first=1000))
    for part in parts:
        assert len(part.rows) == 6 + people * sites + people


@pytest.mark.parametrize("seed", range(4))
async def test_guests_have_what_the_reference_says(session: Session, seed: int) -> None:
    """Random grants, teams, levels and collections on two organizations."""
    scene = Scene(seed, session)
    await scene.build()
    await session.begin_write()
    for member in (await session.execute(select(Member))).scalars():
        if scene.random.random() < 0.7:
            member.role = None
    everything = list((await session.execute(select(Space))).scalars())
    sites: dict[str, list[Space]] = {}
    for organization in scene.organizations:
        own = [one for one in everything if one.organization_id == organization.id]
        for _ in range(3):
            chosen = scene.random.sample(own, scene.random.randint(0, 5))
            sites[(await make_site(session, organization, *chosen)).id] = chosen
        scene.random.choice(own).deleted_at = utc_now()
    await session.commit()

    async def rows(model: Any) -> list[Any]:
        return list((await session.execute(select(model))).scalars())

    facts = Facts(
        await rows(Member), await rows(TeamMember), await rows(AccessGrant),
        {one.id: one for one in await rows(Collection)},
    )  # fmt: skip
    reached = 0
    for site in await rows(Site):
        expected: list[Shown] = []
        for member in sorted(facts.members, key=lambda one: str(one.user_id)):
            if member.organization_id != site.organization_id or member.disabled:
                continue
            if member.role is not None:
                expected.append((member.user_id, member.role, site.organization_id))
                continue
            for space in sites[site.id]:
                rank = effective_rank(facts, member.user_id, space)
                if rank and space.deleted_at is None:
                    expected.append((member.user_id, Role.of_rank(rank), space.id))
                    reached += 1
                    break
        assert await people_of(session, site) == expected
    assert reached


async def test_people_of_another_organization_are_not_mixed_in(
    session: Session, world: World
) -> None:
    """Somebody may be a guest here and a member there."""
    other = await make_organization(session)
    await make_member(session, other, Role.CREATE, world.guest)
    space = await make_space(session, world.organization, default_level=DefaultLevel.READ)
    site = await make_site(session, world.organization, space)
    elsewhere = await make_site(session, other, await make_space(session, other))
    await settle(session)
    assert world.guest.id not in [one[0] for one in await people_of(session, site)]
    assert await people_of(session, elsewhere) == [(world.guest.id, Role.CREATE, other.id)]
    assert isinstance(other, Organization)
