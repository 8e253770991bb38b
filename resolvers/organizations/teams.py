"""Teams of organizations: members who receive roles together (docs/people.md)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple

import strawberry
from sqlalchemy import ColumnElement, Integer, Subquery, and_, bindparam, func, literal, or_, select
from sqlalchemy.orm import aliased
from strawberry import Maybe

from db.enums import Role
from db.models.organizations import Member, Team, TeamMember
from db.models.sign_on import SamlProvider
from db.models.spaces import AccessGrant, Collection, Space
from db.order_enums import TeamOrderField
from db.prepared import ACTOR_RANK, KEY, among
from db.rows import with_row_layout
from resolvers.access.people import with_inherited
from resolvers.access.policy import must_in, ranks_of, visible
from resolvers.access.ranks import READ, number, rank_on_space
from resolvers.core import inputs
from resolvers.core.arguments import OfOrganization, OrganizationId, TeamId
from resolvers.core.audit_notes import note_removals, note_unset
from resolvers.core.batch_functions import ALL, Projection
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.deletions import Deletion, finding_what_to_delete
from resolvers.core.filters import Filter, containing, part_of
from resolvers.core.orders import Orders, TeamOrder, by
from resolvers.core.pagination import PageArguments, by_id
from resolvers.core.statements import Viewer, Written, statement
from resolvers.lists.batches import Count, reads
from resolvers.lists.listings import Listing
from resolvers.organizations.locks import locked_organization, locked_part
from resolvers.organizations.people_named import PERSON, find_members

TITLE = inputs.Bounds(1, 64)


@strawberry.input(description="A new team.")
class CreateTeamInput:
    title: str = inputs.field("Name of the team.", bounds=TITLE, required=True)
    members: Maybe[list[str]] = inputs.items(
        "Ids or addresses of members of the organization, at most 1,000.", each=PERSON
    )


@strawberry.input(description="Changes to a team.")
class UpdateTeamInput:
    title: str = inputs.field("Name of the team.", bounds=TITLE, required=True)


@operation(one_statement=True)
async def get_team(
    ctx: Context,
    id: TeamId,
    organization_id: OfOrganization = None,
    *,
    projection: Projection = ALL,
) -> Team:
    """A team of an organization; guests see the teams that they are in."""
    return await must_in(ctx, Team, id, organization_id, projection=projection)


async def locked_team(
    ctx: Context, id: str, organization_id: str | None, role: Role | None = None
) -> Team:
    """A team, locked together with its organization, in which the caller needs `role`.

    What is decided about the people of an organization is decided in turn.
    """
    team, _ = await locked_part(ctx, Team, id, organization_id, role)
    return team


async def create_team(
    ctx: Context, organization_id: OrganizationId, input: CreateTeamInput
) -> Team:
    """Make a team of members of an organization; needs its role `admin`."""
    await locked_organization(ctx, organization_id, Role.ADMIN)
    names = inputs.given(input.members, [])
    members = await find_members(ctx, organization_id, members=names)
    team = Team(organization_id=organization_id, title=input.title, created_at=ctx.now())
    ctx.session.add(team)
    await ctx.session.flush()
    people = {member.user_id: member for member in members.values()}
    ctx.session.add_all(team_member(team, people[user_id]) for user_id in sorted(people))
    await ctx.session.flush()
    return team


def team_member(team: Team, member: Member) -> TeamMember:
    """The entry of a member of the organization in a team."""
    return TeamMember(
        team_id=team.id,
        organization_id=team.organization_id,
        user_id=member.user_id,
        owner=False,
        name_key=member.name_key,
    )


async def update_team(
    ctx: Context, id: TeamId, input: UpdateTeamInput, organization_id: OfOrganization = None
) -> Team:
    """Rename a team; needs the role `admin` in its organization."""
    team = await locked_team(ctx, id, organization_id, Role.ADMIN)
    team.title = input.title
    return team


async def delete_team(ctx: Context, id: TeamId, organization_id: OfOrganization = None) -> Deletion:
    """Delete a team: its people stay, and what it was granted ends at once.

    Needs the role `admin` in its organization.
    """
    with finding_what_to_delete():
        team = await locked_team(ctx, id, organization_id, Role.ADMIN)
    # Its grants and memberships go with it.
    await note_removals(ctx.session, TeamMember, TeamMember.team_id == team.id)
    await note_removals(ctx.session, AccessGrant, AccessGrant.team_id == team.id)
    of_providers = SamlProvider.default_team_id == team.id
    await note_unset(ctx.session, SamlProvider, "default_team_id", of_providers)
    await ctx.session.delete(team)
    return Deletion(deleted_id=team.id, organization_id=team.organization_id)


# ------------------------------------------------------------------ lists


@dataclass(frozen=True)
class TeamArguments(PageArguments):
    """Filters and order of a list of teams."""

    order_by: Annotated[
        TeamOrder | None, strawberry.argument(description="Order; oldest first when absent.")
    ] = None
    owner: Annotated[
        strawberry.ID | None,
        strawberry.argument(
            description="Id of a person: only teams whose members they may manage, as far as you "
            "see who manages them."
        ),
    ] = None
    title: Annotated[
        str | None,
        strawberry.argument(description="Part of the title; capitals do not matter."),
    ] = field(default=None, metadata={inputs.BOUNDS: inputs.Bounds(maximum=64)})


def _managed(viewer: Viewer) -> ColumnElement[bool]:
    """Whether the person `owner` manages a team, as a viewer sees it who may be a guest there."""
    owner = bindparam("owner", type_=KEY)
    owned = (
        visible(viewer, TeamMember)
        .where(TeamMember.user_id == owner, TeamMember.owner.is_(True))
        .with_only_columns(TeamMember.team_id)
    )
    active = select(Member.organization_id).where(
        Member.user_id == owner, Member.disabled.is_(False)
    )
    administrated = (
        visible(viewer, Member)
        .where(Member.user_id == owner, Member.disabled.is_(False), Member.role == Role.ADMIN)
        .with_only_columns(Member.organization_id)
    )
    return or_(
        and_(Team.id.in_(owned), Team.organization_id.in_(active)),
        Team.organization_id.in_(administrated),
    )


ORDERS = Orders(
    by(Team.id),
    {TeamOrderField.CREATED_AT: by(Team.created_at), TeamOrderField.TITLE: by(Team.title_key)},
)
teams_of_organizations = Listing(
    "teams_of_organizations",
    Team,
    Team.organization_id,
    ORDERS.or_else(by_id(Team)),
    about="Teams of organizations, oldest first; guests see those that they are in.",
    filters=(
        Filter("owner", lambda arguments: arguments.owner, _managed),
        Filter(
            "title", lambda arguments: part_of(arguments.title), containing(Team.title, "title")
        ),
    ),
)


# ------------------------------------------------------------------ fields

member_counts = Count("Number of people in a team.", TeamMember.team_id)


@dataclass(frozen=True, slots=True)
class _Guest:
    """Somebody without a role in the organization, as a member whose rank is asked for."""

    role: Any


@statement
def _space_counts(viewer: Viewer) -> Written:
    """By team: how many of the spaces that the viewer sees a guest reaches who is in it."""

    def grants_on(target: Any) -> Subquery:
        holder, rank = AccessGrant.team_id.label("holder"), number(AccessGrant.role).label("rank")
        of_teams = among(AccessGrant.team_id, "teams")
        return (
            select(holder, target.label("id"), rank).where(of_teams, target.is_not(None)).subquery()
        )

    nearest_grants = with_inherited(
        grants_on(AccessGrant.space_id), grants_on(AccessGrant.collection_id)
    )
    parent = aliased(Collection)
    held = nearest_grants.c
    rank = rank_on_space(Space, _Guest(literal(0, Integer())), held.own, parent, nearest_grants)
    return (
        select(held.holder, func.count())
        .join(Space, Space.id == held.space_id)
        .outerjoin(parent, parent.id == Space.parent_id)
        .where(rank >= READ, Space.id.in_(visible(viewer, Space).with_only_columns(Space.id)))
        .group_by(held.holder)
    )


@reads("id")
async def space_counts(ctx: Context, rows: Sequence[Team], arguments: Any) -> list[int]:
    """Spaces that each team reaches, by grants on them or above them; those that you may read."""
    counts = dict(await _space_counts.rows(ctx, teams={row.id for row in rows}))
    return [counts.get(row.id, 0) for row in rows]


@with_row_layout
class TeamPermissions(NamedTuple):
    """What the caller may do with a team."""

    admin: bool
    view: bool


@reads("id", ACTOR_RANK)
async def team_permissions(
    ctx: Context, rows: Sequence[Team], arguments: Any
) -> list[TeamPermissions]:
    """What the caller may do with teams (docs/people.md)."""
    return [
        TeamPermissions(admin=rank >= Role.ADMIN.rank, view=rank > 0)
        for rank in await ranks_of(ctx, Team, rows)
    ]
