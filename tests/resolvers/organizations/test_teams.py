"""Teams and the people in them, called as functions."""

import pytest
from sqlalchemy import func, select
from strawberry import ID, Some

from db.enums import DefaultLevel, Role, TeamMemberRole
from db.models.organizations import Member, Team, TeamMember, User
from db.models.spaces import AccessGrant, Space
from db.session import Session
from resolvers.access.policy import ranks
from resolvers.core.errors import Forbidden, Invalid, NotFound, NothingToDelete
from resolvers.core.runners import read, run
from resolvers.organizations import members, team_members, teams
from resolvers.organizations.team_members import (
    MemberTeamArguments,
    SetTeamMemberInput,
    TeamMemberArguments,
    TeamMembershipInput,
    UpdateTeamMembersInput,
)
from resolvers.organizations.teams import CreateTeamInput, TeamArguments, UpdateTeamInput
from tests import factories
from tests.conftest import Queries, World, context, settle


async def owned_team(session: Session, world: World, owner: User, *others: User) -> Team:
    team = await factories.make_team(session, world.organization, owner, *others)
    (await session.get_one(TeamMember, (team.id, owner.id))).owner = True
    await session.flush()
    return team


async def people_in(session: Session, team: Team) -> dict[str, bool]:
    """Who is in a team: whether they own it, by their ids."""
    statement = select(TeamMember.user_id, TeamMember.owner).where(TeamMember.team_id == team.id)
    people = {row.user_id: row.owner for row in (await session.execute(statement)).all()}
    return people


async def number_of_teams(session: Session) -> int:
    number = (await session.execute(select(func.count()).select_from(Team))).scalar_one()
    return number


# ------------------------------------------------------------------ teams


async def test_administrators_make_rename_and_delete_teams(session: Session, world: World) -> None:
    await settle(session)
    ctx = context(session, world.admin)
    named = [world.editor.id, world.guest.email.upper(), world.editor.email]
    team = await run(
        ctx,
        teams.create_team,
        ID(world.organization.id),
        CreateTeamInput(title="Writers", members=Some(named)),
    )
    assert await people_in(session, team) == {world.editor.id: False, world.guest.id: False}
    renamed = await run(ctx, teams.update_team, ID(team.id), UpdateTeamInput(title="Authors"))
    assert (renamed.title, renamed.title_key) == ("Authors", "authors")
    assert (await run(ctx, teams.delete_team, ID(team.id))).deleted_id == team.id
    with pytest.raises(NothingToDelete):
        await run(ctx, teams.delete_team, ID(team.id))


async def test_nobody_else_makes_renames_or_deletes_teams(session: Session, world: World) -> None:
    """Not the owner of a team either; who does not see it does not find it."""
    team = await owned_team(session, world, world.creator, world.guest)
    await settle(session)
    for person in (world.creator, world.reviewer, world.reader, world.guest):
        ctx = context(session, person)
        with pytest.raises(Forbidden):
            await run(
                ctx, teams.create_team, ID(world.organization.id), CreateTeamInput(title="Mine")
            )
        with pytest.raises(Forbidden):
            await run(ctx, teams.update_team, ID(team.id), UpdateTeamInput(title="Mine"))
        with pytest.raises(Forbidden):
            await run(ctx, teams.delete_team, ID(team.id))
    outsider = context(session, world.outsider)
    with pytest.raises(NotFound):
        await run(outsider, teams.update_team, ID(team.id), UpdateTeamInput(title="Mine"))
    with pytest.raises(NothingToDelete):
        await run(outsider, teams.delete_team, ID(team.id))
    assert await number_of_teams(session) == 1


async def test_a_team_of_strangers_is_not_made(session: Session, world: World) -> None:
    await settle(session)
    for name in (world.outsider.id, world.outsider.email, "nobody", "a@b", "@", "%"):
        with pytest.raises(NotFound, match=f"members: '{name}'"):
            await run(
                context(session, world.admin),
                teams.create_team,
                ID(world.organization.id),
                CreateTeamInput(title="New", members=Some([world.editor.id, name])),
            )
    assert await number_of_teams(session) == 0


async def test_what_a_deleted_team_was_granted_ends(session: Session, world: World) -> None:
    team = await owned_team(session, world, world.guest)
    space = await factories.make_space(session, world.organization)
    await factories.make_grant(session, space, team, Role.EDIT)
    await settle(session)
    guest = context(session, world.guest)
    assert await ranks(guest, Space, [space.id]) == {space.id: Role.EDIT.rank}
    await run(context(session, world.admin), teams.delete_team, ID(team.id))
    assert await ranks(guest, Space, [space.id]) == {}
    assert (await session.execute(select(AccessGrant))).all() == []
    assert (await session.execute(select(TeamMember))).all() == []


async def test_a_team_is_found_in_its_organization(session: Session, world: World) -> None:
    team = await owned_team(session, world, world.guest)
    other = await factories.make_organization(session)
    await factories.make_member(session, other, Role.ADMIN, world.admin)
    here, there = ID(world.organization.id), ID(other.id)
    for person in (world.admin, world.reader, world.guest):
        ctx = context(session, person)
        assert (await read(ctx, teams.get_team, ID(team.id), here)).id == team.id
    with pytest.raises(NotFound):
        await read(context(session, world.admin), teams.get_team, ID(team.id), there)
    with pytest.raises(NotFound):
        await read(context(session, world.outsider), teams.get_team, ID(team.id))


async def test_a_disabled_owner_manages_nothing(session: Session, world: World) -> None:
    person = await factories.make_member(session, world.organization, Role.EDIT, disabled=True)
    team = await owned_team(session, world, person)
    await settle(session)
    with pytest.raises(NotFound):
        await run(
            context(session, person),
            team_members.set_team_member,
            ID(team.id),
            ID(world.reader.id),
            SetTeamMemberInput(),
        )


# ------------------------------------------------------------------ lists


async def listed(
    session: Session, world: World, person: User, arguments: TeamArguments
) -> list[str]:
    ctx = context(session, person)
    (part,) = await teams.teams_of_organizations(ctx, [world.organization], arguments)
    return [row.title for row in part.rows]


async def test_teams_are_filtered(session: Session, world: World) -> None:
    first = await owned_team(session, world, world.editor, world.guest)
    second = await factories.make_team(session, world.organization, world.editor)
    first.title, second.title = "Writers", "Under_Writers 100%"
    await session.flush()
    everything = ["Writers", "Under_Writers 100%"]
    admin = world.admin
    assert await listed(session, world, admin, TeamArguments()) == everything
    assert await listed(session, world, world.reader, TeamArguments()) == everything
    assert await listed(session, world, world.guest, TeamArguments()) == everything[:1]
    assert await listed(session, world, world.outsider, TeamArguments()) == []
    for part, titles in (("WRITER", everything), ("_", everything[1:]), ("0%", everything[1:]),
                         ("x", []), ("", everything)):  # fmt: skip
        assert await listed(session, world, admin, TeamArguments(title=part)) == titles
    for owner, titles in ((world.editor, everything[:1]), (world.admin, everything),
                          (world.guest, []), (world.outsider, [])):  # fmt: skip
        found = await listed(session, world, world.reader, TeamArguments(owner=ID(owner.id)))
        assert found == titles
    # A guest learns nothing of people whom they do not see: not who owns, nor who administrates.
    guest = world.guest
    for owner in (world.editor, world.admin, world.outsider):
        assert await listed(session, world, guest, TeamArguments(owner=ID(owner.id))) == []
    own = await owned_team(session, world, guest, world.editor)
    (await session.get_one(TeamMember, (own.id, world.editor.id))).owner = True
    await session.flush()
    for owner in (guest, world.editor):
        assert await listed(session, world, guest, TeamArguments(owner=ID(owner.id))) == [own.title]
    # The guest sees the editor in this team, and not in the others that both are in.
    member = await session.get_one(Member, (world.organization.id, world.editor.id))
    for person, number in ((guest, 1), (world.reader, 3)):
        ctx = context(session, person)
        assert await members.member_team_counts(ctx, [member], None) == [number]
        (part,) = await team_members.teams_of_members(ctx, [member], MemberTeamArguments())
        assert len(part.rows) == number


async def test_who_is_in_a_team_and_in_which_teams_a_person_is(
    session: Session, world: World, queries: Queries
) -> None:
    other = await factories.make_organization(session)
    await factories.make_member(session, other, Role.READ, world.editor)
    elsewhere = await factories.make_team(session, other, world.editor)
    first = await owned_team(session, world, world.editor, world.guest, world.admin)
    second = await factories.make_team(session, world.organization, world.editor)
    first.title = "Printers"
    await session.flush()
    names = [world.admin.id, world.editor.id, world.guest.id]
    # The guest owns none of the teams; the editor manages the first.
    for person, people in (
        (world.reader, names), (world.editor, names), (world.guest, names[2:]),
        (world.outsider, []),
    ):  # fmt: skip
        ctx = context(session, person)
        (part,) = await team_members.members_of_teams(ctx, [first], TeamMemberArguments())
        assert [row.user_id for row in part.rows] == people
    ctx = context(session, world.editor)
    members = [
        await session.get_one(Member, (organization.id, world.editor.id))
        for organization in (world.organization, other)
    ]
    with queries(1):
        parts = await team_members.teams_of_members(ctx, members, MemberTeamArguments())
    assert [[row.team_id for row in part.rows] for part in parts] == [
        [first.id, second.id], [elsewhere.id],
    ]  # fmt: skip
    (part,) = await team_members.teams_of_members(
        ctx, members[:1], MemberTeamArguments(title="print")
    )
    assert [row.team_id for row in part.rows] == [first.id]


async def test_a_guest_who_owns_a_team_sees_who_is_in_it(session: Session, world: World) -> None:
    team = await owned_team(session, world, world.guest, world.reader)
    ctx = context(session, world.guest)
    (part,) = await team_members.members_of_teams(ctx, [team], TeamMemberArguments())
    assert {row.user_id for row in part.rows} == {world.guest.id, world.reader.id}
    (permissions,) = await teams.team_permissions(ctx, [team], None)
    assert permissions == (True, True)
    (permissions,) = await teams.team_permissions(context(session, world.reader), [team], None)
    assert permissions == (False, True)
    # Whoever asks with a row that they may not see learns that they may not.
    (permissions,) = await teams.team_permissions(context(session, world.outsider), [team], None)
    assert permissions == (False, False)


async def test_counters_of_teams(session: Session, world: World, queries: Queries) -> None:
    """Spaces by the precedence of roles, as for a guest who is in no other team."""
    organization = world.organization
    team = await factories.make_team(session, organization, world.reader, world.guest)
    empty = await factories.make_team(session, organization)
    outer = await factories.make_collection(session, organization)
    inner = await factories.make_collection(session, organization, outer)
    shut = await factories.make_collection(session, organization, outer, None)
    shut.default_level = None
    below = await factories.make_space(session, organization, inner)
    await factories.make_space(session, organization, shut)
    refused = await factories.make_space(session, organization, inner)
    own = await factories.make_space(session, organization)
    hidden = await factories.make_space(session, organization)
    hidden.default_level = None
    levelled = await factories.make_space(session, organization, inner)
    levelled.default_level = DefaultLevel.READ
    await factories.make_grant(session, outer, team, Role.READ)
    await factories.make_grant(session, refused, team, None)
    await factories.make_grant(session, own, team, Role.EDIT)
    await factories.make_grant(session, hidden, team, Role.READ)
    await session.flush()
    rows = [team, empty]
    ctx = context(session, world.admin)
    with queries(1):
        assert await teams.space_counts(ctx, rows, None) == [4, 0]
    assert await teams.member_counts(ctx, rows, None) == [2, 0]
    reached = await ranks(context(session, world.guest), Space, [
        space.id for space in (below, refused, own, hidden, levelled)
    ])  # fmt: skip
    assert reached.keys() == {below.id, own.id, hidden.id, levelled.id}
    # The editor may not read the space that only the team may read.
    assert await teams.space_counts(context(session, world.editor), rows, None) == [3, 0]


# ------------------------------------------------------------------ people in teams


async def test_people_come_and_go_together(session: Session, world: World) -> None:
    team = await owned_team(session, world, world.editor, world.reader)
    await settle(session)
    names = UpdateTeamMembersInput(
        add=Some([world.guest.email, world.editor.id, world.commenter.id]),
        memberships=Some(
            [
                TeamMembershipInput(user=world.creator.email.upper(), role=TeamMemberRole.OWNER),
                TeamMembershipInput(user=world.commenter.id, role=TeamMemberRole.OWNER),
                TeamMembershipInput(user=world.reviewer.id, role=TeamMemberRole.OWNER),
            ]
        ),
        remove=Some([world.reader.email, world.reviewer.id, world.admin.id]),
    )
    await run(context(session, world.editor), team_members.update_team_members, ID(team.id), names)
    people = {world.editor.id: True, world.guest.id: False, world.commenter.id: True,
              world.creator.id: True}  # fmt: skip
    assert await people_in(session, team) == people
    for wrong, error, message in (
        (UpdateTeamMembersInput(add=Some([world.reader.id, world.outsider.email])), NotFound,
         f"add: '{world.outsider.email}'"),
        (UpdateTeamMembersInput(add=Some([world.reader.id]), remove=Some(["x"])), NotFound,
         "remove: 'x'"),
        (UpdateTeamMembersInput(memberships=Some([
            TeamMembershipInput(user=name, role=role) for name, role in
            ((world.reader.id, TeamMemberRole.OWNER), (world.reader.email, TeamMemberRole.MEMBER))
        ])), Invalid, "named twice"),
    ):  # fmt: skip
        with pytest.raises(error, match=message):
            await run(
                context(session, world.admin),
                team_members.update_team_members,
                ID(team.id),
                wrong,
            )
    assert await people_in(session, team) == people


async def test_only_owners_and_administrators_manage_a_team(session: Session, world: World) -> None:
    team = await owned_team(session, world, world.reader, world.creator, world.guest)
    await settle(session)
    team_id, somebody = ID(team.id), ID(world.commenter.id)
    before = await people_in(session, team)
    for person, error in (
        (world.creator, Forbidden), (world.reviewer, Forbidden), (world.guest, Forbidden),
        (world.outsider, NotFound),
    ):  # fmt: skip
        ctx = context(session, person)
        with pytest.raises(error):
            await run(
                ctx,
                team_members.update_team_members,
                team_id,
                UpdateTeamMembersInput(add=Some([somebody])),
            )
        with pytest.raises(error):
            await run(ctx, team_members.set_team_member, team_id, somebody, SetTeamMemberInput())
        with pytest.raises(error):
            await run(ctx, team_members.remove_team_member, team_id, ID(world.guest.id))
    assert await people_in(session, team) == before
    ctx = context(session, world.reader)
    member = await run(ctx, team_members.set_team_member, team_id, somebody, SetTeamMemberInput())
    assert (member.owner, member.name_key) == (False, "commenter")
    owner = SetTeamMemberInput(role=TeamMemberRole.OWNER)
    assert (await run(ctx, team_members.set_team_member, team_id, somebody, owner)).owner
    # Without a role they keep theirs.
    assert (
        await run(ctx, team_members.set_team_member, team_id, somebody, SetTeamMemberInput())
    ).owner
    removal = await run(ctx, team_members.remove_team_member, team_id, somebody)
    assert (removal.deleted_id, removal.team_id) == (somebody, team.id)
    with pytest.raises(NothingToDelete):
        await run(ctx, team_members.remove_team_member, team_id, somebody)
    with pytest.raises(NotFound):
        await run(
            ctx, team_members.set_team_member, team_id, ID(world.outsider.id), SetTeamMemberInput()
        )
    assert await people_in(session, team) == before
