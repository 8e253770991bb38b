"""Users, organizations and members, called as functions."""

import pytest
from strawberry import Some

from db.enums import MemberRoleFilter, MemberSort, Role, SortOrder
from db.session import Session
from resolvers.core.errors import BadRequest, Conflict, Forbidden, Invalid, NotFound
from resolvers.core.pagination import PageArguments
from resolvers.core.policy_asked import PolicyNotAskedError
from resolvers.core.runners import read, run
from resolvers.organizations import members, operations as organizations, users
from resolvers.organizations.members import MemberArguments
from resolvers.organizations.operations import UpdateOrganizationInput
from resolvers.organizations.users import UpdateUserInput
from tests import factories
from tests.conftest import Queries, World, context


async def test_member_sees_colleagues_and_not_outsiders(session: Session, world: World) -> None:
    ctx = context(session, world.reader)
    assert (await read(ctx, users.get_user, world.admin.id)).id == world.admin.id
    with pytest.raises(NotFound):
        await read(ctx, users.get_user, world.outsider.id)


async def test_person_changes_own_name_and_nobody_elses(session: Session, world: World) -> None:
    await session.commit()
    ctx = context(session, world.reader)
    changed = await run(
        ctx, users.update_user, world.reader.id, UpdateUserInput(display_name=Some("Reed"))
    )
    assert changed.display_name == "Reed"
    with pytest.raises(Forbidden):
        await run(ctx, users.update_user, world.admin.id, UpdateUserInput(display_name=Some("X")))


async def test_email_is_for_colleagues(session: Session, world: World) -> None:
    ctx = context(session, world.reader)
    emails = await users.user_emails(ctx, [world.admin, world.outsider], None)
    assert emails == [world.admin.email, None]


async def test_disabled_member_has_no_access(session: Session, world: World) -> None:
    user = await factories.make_member(session, world.organization, Role.ADMIN, disabled=True)
    with pytest.raises(NotFound):
        await read(context(session, user), organizations.get_organization, world.organization.id)


async def test_admin_changes_organization(session: Session, world: World) -> None:
    await session.commit()
    change = UpdateOrganizationInput(title=Some("Renamed"), default_role=Some(Role.EDIT))
    ctx = context(session, world.admin)
    changed = await run(ctx, organizations.update_organization, world.organization.id, change)
    assert (changed.title, changed.default_role) == ("Renamed", Role.EDIT)
    for person in (world.creator, world.guest):
        with pytest.raises(Forbidden):
            await run(
                context(session, person),
                organizations.update_organization,
                world.organization.id,
                change,
            )
    with pytest.raises(NotFound):
        await run(
            context(session, world.outsider),
            organizations.update_organization,
            world.organization.id,
            change,
        )


async def test_hostname_is_unique(session: Session, world: World) -> None:
    await factories.make_organization(session, hostname="taken")
    await session.commit()
    with pytest.raises(Conflict, match="taken"):
        await run(
            context(session, world.admin),
            organizations.update_organization,
            world.organization.id,
            UpdateOrganizationInput(hostname=Some("taken")),
        )


async def test_guest_sees_only_themselves_among_members(session: Session, world: World) -> None:
    ctx = context(session, world.guest)
    (part,) = await members.members_of_organizations(ctx, [world.organization], MemberArguments())
    assert [row.user_id for row in part.rows] == [world.guest.id]


async def test_members_are_filtered_and_sorted(session: Session, world: World) -> None:
    ctx = context(session, world.admin)

    async def listed(arguments: MemberArguments) -> list[str]:
        (part,) = await members.members_of_organizations(ctx, [world.organization], arguments)
        return [row.user_id for row in part.rows]

    everybody = await listed(MemberArguments())
    assert len(everybody) == 7
    newest_first = await listed(MemberArguments(order=SortOrder.DESC))
    assert newest_first == everybody[::-1]
    assert await listed(MemberArguments(role=MemberRoleFilter.GUEST)) == [world.guest.id]
    assert await listed(MemberArguments(search="EDIT")) == [world.editor.id]
    assert await listed(MemberArguments(search="%")) == []
    seen = await listed(MemberArguments(sort=MemberSort.LAST_SEEN_AT, first=2))
    assert seen == everybody[:2]


async def test_pages_cover_a_list_exactly_once(session: Session, world: World) -> None:
    ctx = context(session, world.admin)
    found: list[str] = []
    after = None
    while True:
        (part,) = await members.members_of_organizations(
            ctx, [world.organization], MemberArguments(first=3, after=after)
        )
        found += [row.user_id for row in part.rows]
        after = part.next_cursor
        if after is None:
            break
    assert len(found) == len(set(found)) == 7


async def test_cursor_of_another_list_is_refused(session: Session, world: World) -> None:
    ctx = context(session, world.admin)
    (part,) = await members.members_of_organizations(
        ctx, [world.organization], MemberArguments(first=1)
    )
    for arguments in (
        MemberArguments(after=part.next_cursor, search="a"),
        MemberArguments(after=part.next_cursor, order=SortOrder.DESC),
        MemberArguments(after="!"),
        MemberArguments(after="e30"),
        MemberArguments(after=""),
    ):
        with pytest.raises(BadRequest, match="cursor"):
            await members.members_of_organizations(ctx, [world.organization], arguments)


@pytest.mark.parametrize("first", [0, -1, 1001])
async def test_page_size_has_bounds(session: Session, world: World, first: int) -> None:
    with pytest.raises(Invalid, match="1 to 1000"):
        await members.members_of_organizations(
            context(session, world.admin), [world.organization], MemberArguments(first=first)
        )


async def test_statements_do_not_grow_with_the_list(
    session: Session, world: World, queries: Queries
) -> None:
    other = await factories.make_organization(session)
    await factories.make_member(session, other, Role.READ, world.admin)
    for _ in range(30):
        await factories.make_member(session, world.organization)
    ctx = context(session, world.admin)
    with queries(1):
        await members.members_of_organizations(
            ctx, [world.organization, other], MemberArguments(first=40)
        )
    with queries(1):
        await organizations.organizations_of_users(ctx, [world.admin], PageArguments())


async def test_operation_without_policy_is_stopped(session: Session, world: World) -> None:
    async def careless(ctx: object) -> str:
        return "secret"

    with pytest.raises(PolicyNotAskedError, match="careless"):
        await read(context(session, world.admin), careless)


@pytest.mark.parametrize("search", ["ÉCOLE", "école", "Éc"])
async def test_search_disregards_capitals_of_every_script(
    session: Session, world: World, search: str
) -> None:
    person = await factories.make_member(
        session, world.organization, Role.READ, await factories.make_user(session, "L'École")
    )
    (part,) = await members.members_of_organizations(
        context(session, world.admin), [world.organization], MemberArguments(search=search)
    )
    assert [row.user_id for row in part.rows] == [person.id]


async def test_what_is_shown_first_is_named_to_those_who_see_it(
    session: Session, world: World
) -> None:
    site = await factories.make_site(session, world.organization)
    world.organization.default_site_id = site.id
    await session.commit()
    for person, expected in ((world.reader, [site.id]), (world.guest, [])):
        ctx = context(session, person)
        found = await organizations.default_contents(ctx, [world.organization], None)
        assert [pointer.site for pointer in found if pointer is not None] == expected
