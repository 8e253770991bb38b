"""What is changed about members, called as functions."""

import asyncio
from contextlib import suppress
from typing import Any

import pytest
from sqlalchemy import func, select
from strawberry import ID, Some

from db.enums import Role
from db.models.comments import Comment
from db.models.organizations import Member, TeamMember, User
from db.models.reviews import RequestedReviewer
from db.models.spaces import AccessGrant, Space
from db.session import Database, Session
from resolvers.access import accounts
from resolvers.access.policy import ranks
from resolvers.core.errors import (
    Forbidden,
    NotFound,
    NothingToDelete,
    PreconditionFailed,
)
from resolvers.core.runners import read, run
from resolvers.organizations import member_writes, members, operations, team_members
from resolvers.organizations.member_writes import UpdateMemberInput
from resolvers.organizations.team_members import SetTeamMemberInput
from tests import factories
from tests.conftest import Api, World, context, settle


async def change(session: Session, world: World, by: User, of: User, **values: Any) -> Member:
    input = UpdateMemberInput(**{name: Some(value) for name, value in values.items()})
    return await run(
        context(session, by),
        member_writes.update_member,
        ID(world.organization.id),
        ID(of.id),
        input,
    )


async def memberships(session: Session) -> set[tuple[Any, ...]]:
    rows = await session.execute(select(Member.user_id, Member.role, Member.disabled, Member.sso))
    return {tuple(row) for row in rows.all()}


async def test_administrators_change_roles_and_states(session: Session, world: World) -> None:
    await settle(session)
    changed = await change(session, world, world.admin, world.reader, role=Role.ADMIN)
    assert (changed.role, changed.disabled) == (Role.ADMIN, False)
    guest = await change(session, world, world.reader, world.creator, role=None)
    assert guest.role is None
    disabled = await change(session, world, world.reader, world.editor, disabled=True)
    assert (disabled.role, disabled.disabled) == (Role.EDIT, True)
    organization = ID(world.organization.id)
    with pytest.raises(NotFound):
        await read(context(session, world.editor), operations.get_organization, organization)
    # There is another one now.
    assert (
        await change(session, world, world.reader, world.admin, role=Role.READ)
    ).role is Role.READ
    with pytest.raises(Forbidden):
        await change(session, world, world.admin, world.reader, role=Role.READ)


async def test_nobody_else_changes_members(session: Session, world: World) -> None:
    await settle(session)
    before = await memberships(session)
    organization, somebody = ID(world.organization.id), ID(world.commenter.id)
    for person, error in (
        (world.creator, Forbidden), (world.reader, Forbidden), (world.guest, Forbidden),
        (world.commenter, Forbidden), (world.outsider, NotFound),
    ):  # fmt: skip
        ctx = context(session, person)
        with pytest.raises(error):
            await change(session, world, person, world.commenter, role=Role.READ)
        with pytest.raises(error):
            await run(ctx, member_writes.set_sso_member, organization, somebody)
        with pytest.raises(error):
            await run(ctx, member_writes.remove_member, organization, somebody)
    admin = context(session, world.admin)
    with pytest.raises(NotFound):
        await change(session, world, world.admin, world.outsider, role=Role.READ)
    with pytest.raises(NothingToDelete):
        await run(admin, member_writes.remove_member, organization, ID(world.outsider.id))
    assert await memberships(session) == before


async def test_the_last_active_administrator_stays(session: Session, world: World) -> None:
    disabled = await factories.make_member(session, world.organization, Role.ADMIN, disabled=True)
    await settle(session)
    before = await memberships(session)
    organization = ID(world.organization.id)
    # The operator keeps to it, too.
    for ctx in (context(session, world.admin), context(session)):
        for values in ({"role": Some(Role.CREATE)}, {"role": Some(None)}, {"disabled": Some(True)}):
            with pytest.raises(PreconditionFailed, match="last active administrator"):
                await run(
                    ctx,
                    member_writes.update_member,
                    organization,
                    ID(world.admin.id),
                    UpdateMemberInput(**values),  # type: ignore[arg-type]
                )
        with pytest.raises(PreconditionFailed, match="last active administrator"):
            await run(ctx, member_writes.remove_member, organization, ID(world.admin.id))
    assert await memberships(session) == before
    await change(session, world, world.admin, world.admin, role=Role.ADMIN, disabled=False)
    # Who is disabled is none.
    await run(
        context(session, world.admin), member_writes.remove_member, organization, ID(disabled.id)
    )


@pytest.mark.parametrize("each", ["themselves", "the next"])
async def test_twelve_administrators_at_the_same_time_leave_one(
    session: Session, world: World, database: Database, each: str
) -> None:
    people = [world.admin]
    people += [await factories.make_member(session, world.organization, Role.ADMIN)
               for _ in range(11)]  # fmt: skip
    ids = [person.id for person in people]
    organization = ID(world.organization.id)
    await settle(session)

    async def attempt(number: int) -> bool:
        target = ID(ids[number if each == "themselves" else (number + 1) % 12])
        async with database.session() as own:
            ctx = context(own, people[number])
            try:
                if number % 3 == 0:
                    await run(ctx, member_writes.remove_member, organization, target)
                else:
                    value: Any = {"role": Some(Role.READ)} if number % 3 == 1 else {
                        "disabled": Some(True)}  # fmt: skip
                    await run(
                        ctx, member_writes.update_member, organization, target,
                        UpdateMemberInput(**value),
                    )  # fmt: skip
            except (Forbidden, NotFound, PreconditionFailed):
                return False
            return True

    done = await asyncio.gather(*map(attempt, range(12)))
    active = select(func.count()).where(
        Member.organization_id == organization,
        Member.role == Role.ADMIN,
        Member.disabled.is_(False),
    )
    left = (await session.execute(active)).scalar_one()
    assert left == 12 - done.count(True)
    assert left >= 1
    if each == "themselves":
        assert left == 1


async def test_nobody_who_is_removed_stays_in_a_team(
    session: Session, world: World, database: Database
) -> None:
    """Though they are brought into teams at the same moment."""
    teams = [await factories.make_team(session, world.organization) for _ in range(6)]
    ids = [ID(team.id) for team in teams]
    organization, person = ID(world.organization.id), ID(world.reader.id)
    await settle(session)

    async def bring(team: ID) -> None:
        async with database.session() as own:
            ctx = context(own, world.admin)
            with suppress(NotFound):
                await run(ctx, team_members.set_team_member, team, person, SetTeamMemberInput())

    async def take() -> None:
        async with database.session() as own:
            await run(context(own, world.admin), member_writes.remove_member, organization, person)

    await asyncio.gather(*map(bring, ids[:3]), take(), *map(bring, ids[3:]))
    assert (await session.execute(select(TeamMember.team_id))).all() == []


async def test_what_a_removed_person_made_stays_and_names_them(
    session: Session, world: World, api: Api
) -> None:
    organization, person = world.organization, world.editor
    elsewhere = await factories.make_organization(session)
    await factories.make_member(session, elsewhere, Role.READ, person)
    other = await factories.make_space(session, elsewhere)
    collection = await factories.make_collection(session, organization)
    space = await factories.make_space(session, organization, collection)
    for target in (space, collection, other):
        await factories.make_grant(session, target, person, Role.EDIT)
    team = await factories.make_team(session, organization, person, world.reader)
    abroad = await factories.make_team(session, elsewhere, person)
    request = await factories.make_change_request(session, space, person)
    theirs = await factories.make_change_request(session, space, world.creator)
    comment = await factories.make_comment(session, space, person)
    for change_request in (
        theirs,
        await factories.make_change_request(session, other, world.admin),
    ):
        await factories.make_requested_reviewer(session, change_request, person, world.creator)
    await settle(session)
    path = f"/spaces/{space.id}"
    assert (await api.rest("GET", path, person)).status_code == 200
    answer = await api.rest("DELETE", f"/orgs/{organization.id}/members/{person.id}", world.admin)
    assert answer.status_code == 205
    # The token is the same, and stops to see the organization.
    for gone in (path, f"/orgs/{organization.id}", f"{path}/change-requests/{request.id}"):
        assert (await api.rest("GET", gone, person)).status_code == 404
    assert (await api.rest("GET", f"/orgs/{elsewhere.id}", person)).status_code == 200
    shown = (await api.rest("GET", f"{path}/change-requests/{request.id}", world.reader)).json()
    assert shown["createdBy"]["displayName"] == "Editor"
    shown = (await api.rest("GET", f"{path}/comments/{comment.id}", world.reader)).json()
    assert shown["postedBy"]["displayName"] == "Editor"
    grants = (await session.execute(select(AccessGrant.space_id))).scalars().all()
    assert grants == [other.id]
    teams = select(TeamMember.team_id).where(TeamMember.user_id == person.id)
    assert (await session.execute(teams)).scalars().all() == [abroad.id]
    asked = select(RequestedReviewer.space_id)
    assert (await session.execute(asked)).scalars().all() == [other.id]
    assert (await session.execute(select(func.count()).select_from(Comment))).scalar_one() == 1
    assert team.id != abroad.id
    again = f"/orgs/{organization.id}/members/{person.id}"
    assert (await api.rest("DELETE", again, world.admin)).status_code == 204


async def test_whoever_comes_back_has_nothing_of_before(session: Session, world: World) -> None:
    space = await factories.make_space(session, world.organization)
    await factories.make_grant(session, space, world.guest, Role.EDIT)
    await settle(session)
    organization = ID(world.organization.id)
    await run(
        context(session, world.admin),
        member_writes.remove_member,
        organization,
        ID(world.guest.id),
    )
    await session.begin_write()
    # A write of the same instant granted something when they had been removed.
    await factories.make_grant(session, space, world.guest, Role.EDIT)
    other = await factories.make_organization(session)
    await factories.make_member(session, other, None, world.guest)
    abroad = await factories.make_space(session, other)
    await factories.make_grant(session, abroad, world.guest, Role.READ)
    person = await session.get_one(User, world.guest.id)
    await accounts.add_member(context(session), world.organization, person, None)
    spaces = [space.id, abroad.id]
    assert (await ranks(context(session, world.guest), Space, spaces)).keys() == {abroad.id}


async def test_people_are_seen_and_marked(session: Session, world: World) -> None:
    disabled = await factories.make_member(session, world.organization, Role.READ, disabled=True)
    await settle(session)
    organization = ID(world.organization.id)
    for person in (world.reader, world.guest):
        ctx = context(session, person)
        seen = await run(ctx, member_writes.record_last_seen, organization)
        assert seen.user_id == person.id
        assert seen.last_seen_at is not None
    for person in (world.outsider, disabled):
        with pytest.raises(NotFound):
            await run(context(session, person), member_writes.record_last_seen, organization)
    admin = context(session, world.admin)
    marked = await run(admin, member_writes.set_sso_member, organization, ID(world.guest.id))
    assert marked.sso
    row = await read(admin, members.get_member, organization, ID(world.guest.id))
    assert row.sso
