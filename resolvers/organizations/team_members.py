"""The people in teams: who is there, and who brings them there (docs/people.md)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple

import strawberry
from sqlalchemy import Select, delete, select
from strawberry import Maybe

from db.enums import Role, TeamMemberRole
from db.models.organizations import Member, Team, TeamMember
from db.order_enums import TeamMemberOrderField
from db.prepared import among
from db.rows import with_row_layout
from resolvers.access.policy import must, visible
from resolvers.core import inputs
from resolvers.core.arguments import OfOrganization, TeamId, UserId
from resolvers.core.batch_functions import ALL, Projection
from resolvers.core.context import Context
from resolvers.core.deletions import Deletion, finding_what_to_delete
from resolvers.core.errors import ApiError, NotFound, NothingToDelete, invalid
from resolvers.core.filters import Filter, containing, part_of
from resolvers.core.orders import Orders, TeamMemberOrder, by
from resolvers.core.pagination import Order, PageArguments, SortColumn
from resolvers.core.statements import Viewer, Written, statement
from resolvers.lists.batches import computed_from, reads
from resolvers.lists.listings import Listing
from resolvers.organizations.people_named import PERSON, find_members, named_users
from resolvers.organizations.teams import locked_team, team_member


@strawberry.input(description="A person with the role that they get in a team.")
class TeamMembershipInput:
    user: str = inputs.field("Id or address of the person.", bounds=PERSON, required=True)
    role: TeamMemberRole = inputs.field("Role in the team.", required=True)


@strawberry.input(description="Who comes into a team, who leaves it, and who has which role there.")
class UpdateTeamMembersInput:
    add: Maybe[list[str]] = inputs.items(
        "Ids or addresses of members of the organization who come into the team, at most 1,000. "
        "Who is there already keeps their role.",
        each=PERSON,
    )
    memberships: Maybe[list[TeamMembershipInput]] = inputs.items(
        "Members of the organization, at most 1,000, with their roles in the team; who is not "
        "there yet comes into it. In /v1 an object, by ids or addresses.",
        keyed="user",
    )
    remove: Maybe[list[str]] = inputs.items(
        "Ids or addresses of members of the organization who leave the team, at most 1,000; also "
        "of people who are in `add` or `memberships`.",
        each=PERSON,
    )


@strawberry.input(description="The role of a person in a team.")
class SetTeamMemberInput:
    role: TeamMemberRole | None = inputs.field(
        "Role in the team; when absent, who is there keeps theirs, and others come in as `MEMBER`."
    )


# ------------------------------------------------------------------ writes


async def update_team_members(
    ctx: Context,
    id: TeamId,
    input: UpdateTeamMembersInput,
    organization_id: OfOrganization = None,
) -> Team:
    """Bring people into a team and out of it: all of them, or an error and nobody.

    For owners of the team and the organization's role `admin`.
    """
    team = await _managed_team(ctx, id, organization_id)
    added, removed = inputs.given(input.add, []), inputs.given(input.remove, [])
    memberships = inputs.given(input.memberships, [])
    members = await find_members(
        ctx,
        team.organization_id,
        add=added,
        memberships=[membership.user for membership in memberships],
        remove=removed,
    )
    people = {member.user_id: member for member in members.values()}
    roles: dict[str, TeamMemberRole | None] = {members[name].user_id: None for name in added}
    named: set[str] = set()
    for membership in memberships:
        person = members[membership.user].user_id
        if person in named:
            raise invalid("memberships", f"{membership.user!r} is a person who is named twice")
        named.add(person)
        roles[person] = membership.role
    leaving = {members[name].user_id for name in removed}
    await _leave(ctx, team, leaving)
    staying = {id: role for id, role in roles.items() if id not in leaving}
    await _place(ctx, team, people, staying)
    return team


async def set_team_member(
    ctx: Context,
    team_id: TeamId,
    user_id: UserId,
    input: SetTeamMemberInput,
    organization_id: OfOrganization = None,
) -> TeamMember:
    """Bring a member of the organization into a team, or give them another role there.

    For owners of the team and the organization's role `admin`.
    """
    team = await _managed_team(ctx, team_id, organization_id)
    member = (await find_members(ctx, team.organization_id, userId=[user_id]))[user_id]
    person = member.user_id
    await _place(ctx, team, {person: member}, {person: input.role})
    return await ctx.session.get_one(TeamMember, (team.id, person))


async def remove_team_member(
    ctx: Context, team_id: TeamId, user_id: UserId, organization_id: OfOrganization = None
) -> Deletion:
    """Take a person out of a team; for its owners and the organization's role `admin`."""
    with finding_what_to_delete():
        team = await _managed_team(ctx, team_id, organization_id)
    left = await _leave(ctx, team, await named_users(ctx, user_id))
    if not left:
        raise NothingToDelete(f"user {user_id!r} is not in the team")
    return Deletion(deleted_id=user_id, team_id=team.id, audited=left[0])


async def _managed_team(ctx: Context, id: str, organization_id: str | None) -> Team:
    """A locked team whose members the caller manages."""
    team = await locked_team(ctx, id, organization_id)
    return await must(ctx, Team, team.id, Role.ADMIN)


async def _leave(ctx: Context, team: Team, people: set[str]) -> list[TeamMember]:
    """Take people out of a locked team; those who were in it."""
    if not people:
        return []
    result = await ctx.session.execute(
        delete(TeamMember)
        .where(TeamMember.team_id == team.id, TeamMember.user_id.in_(people))
        .returning(TeamMember.user_id, TeamMember.owner)
    )
    return [
        TeamMember(team_id=team.id, organization_id=team.organization_id, user_id=id, owner=owner)
        for id, owner in result
    ]


async def _place(
    ctx: Context,
    team: Team,
    people: dict[str, Member],
    roles: dict[str, TeamMemberRole | None],
) -> None:
    """Give people roles in a locked team; without one, who is there keeps theirs."""
    if not roles:
        return
    there = select(TeamMember).where(TeamMember.team_id == team.id, TeamMember.user_id.in_(roles))
    members = {row.user_id: row for row in (await ctx.session.execute(there)).scalars()}
    for user_id, role in sorted(roles.items()):
        member = members.get(user_id)
        if member is None:
            member = team_member(team, people[user_id])
            ctx.session.add(member)
        if role is not None:
            member.owner = role is TeamMemberRole.OWNER
    await ctx.session.flush()


# ------------------------------------------------------------------ lists


@dataclass(frozen=True)
class TeamMemberArguments(PageArguments):
    """The order of a list of the people in a team."""

    order_by: Annotated[
        TeamMemberOrder | None, strawberry.argument(description="Order; by name when absent.")
    ] = None


ORDERS = Orders(by(TeamMember.user_id), {TeamMemberOrderField.NAME: by(TeamMember.name_key)})
members_of_teams = Listing(
    "members_of_teams",
    TeamMember,
    TeamMember.team_id,
    ORDERS.or_else(ORDERS.by(TeamMemberOrderField.NAME)),
    about="People in teams, by their names; guests see themselves, unless they own the team.",
)


@dataclass(frozen=True)
class MemberTeamArguments(PageArguments):
    """Filters of a list of the teams of a person."""

    title: Annotated[
        str | None,
        strawberry.argument(description="Part of the team's title; capitals do not matter."),
    ] = field(default=None, metadata={inputs.BOUNDS: inputs.Bounds(maximum=64)})


def _with_members(viewer: Viewer) -> Select[Any]:
    """The rows, with the membership in the organization that each belongs to."""
    return visible(viewer, TeamMember).join(
        Member,
        (Member.organization_id == TeamMember.organization_id)
        & (Member.user_id == TeamMember.user_id),
    )


_TITLED = TeamMember.team_id.in_(select(Team.id).where(containing(Team.title, "title")))
teams_of_members = Listing(
    "teams_of_members",
    TeamMember,
    Member.key,
    Order((SortColumn(TeamMember.team_id, lambda row: row.team_id),)),
    about="Teams that members of an organization are in, oldest first.",
    filters=(Filter("title", lambda arguments: part_of(arguments.title), _TITLED),),
    rows=_with_members,
    key="key",
)


# ------------------------------------------------------------------ fields


@computed_from("owner")
async def team_roles(
    ctx: Context, rows: Sequence[TeamMember], arguments: Any
) -> list[TeamMemberRole]:
    """The role of each person in their team."""
    return [TeamMemberRole.OWNER if row.owner else TeamMemberRole.MEMBER for row in rows]


@statement
def _memberships(viewer: Viewer) -> Written:
    return select(Member).where(among(Member.key, "keys"))


@reads("organization_id", "user_id")
async def organization_members(
    ctx: Context, rows: Sequence[TeamMember], arguments: Any, projection: Projection = ALL
) -> list[Member | ApiError]:
    """The membership in the organization of each person in a team."""
    keys = [f"{row.organization_id}~{row.user_id}" for row in rows]
    columns = projection.columns_with("key")
    members = await _memberships.rows(ctx, columns=columns, keys=set(keys))
    by_key = {member.key: member for member in members}
    # Behind a write somebody else may have removed them meanwhile.
    gone = NotFound("the person is no member of the organization any more")
    return [by_key.get(key, gone) for key in keys]


@with_row_layout
class TeamMemberPermissions(NamedTuple):
    """What the caller may do with the entry of a person in a team."""

    view: bool


@computed_from()
async def team_member_permissions(
    ctx: Context, rows: Sequence[TeamMember], arguments: Any
) -> list[TeamMemberPermissions]:
    """Whoever gets an entry may see it."""
    return [TeamMemberPermissions(view=True) for _ in rows]
