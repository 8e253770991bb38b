"""Members of organizations: people with a role, and guests without one."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import strawberry
from sqlalchemy import ColumnElement, func, or_, select

from db.enums import MemberRoleFilter, MemberSort, Role, SortOrder
from db.models.people import Member, Team, TeamMember, User
from db.models.spaces import AccessGrant, Space
from resolvers import inputs
from resolvers.arguments import OrganizationId, UserId
from resolvers.context import Context
from resolvers.pagination import Listing, Order, PageArguments, Slice, SortColumn, pages
from resolvers.policy import must, number, visible


@dataclass(frozen=True)
class MemberArguments(PageArguments):
    """Filters and order of a list of members."""

    order: Annotated[
        SortOrder | None, strawberry.argument(description="Direction; ascending when absent.")
    ] = None
    sort: Annotated[
        MemberSort | None, strawberry.argument(description="Sorted by; joining when absent.")
    ] = None
    role: Annotated[
        MemberRoleFilter | None, strawberry.argument(description="Only members with this role.")
    ] = None
    search: Annotated[
        str | None,
        strawberry.argument(description="Part of the name or address; capitals do not matter."),
    ] = field(default=None, metadata={inputs.BOUNDS: inputs.Bounds(maximum=256)})


async def get_member(ctx: Context, organization_id: OrganizationId, user_id: UserId) -> Member:
    """A member of an organization, by the person's id."""
    key = (Member.organization_id == organization_id) & (Member.user_id == user_id)
    return await must(ctx, Member, None, where=key)


async def members_of_organizations(
    ctx: Context, rows: Sequence[Any], arguments: MemberArguments
) -> list[Slice[Member]]:
    """Members of organizations; guests see themselves only."""
    statement = visible(ctx, Member)
    if arguments.role is not None:
        wanted = arguments.role
        rank = 0 if wanted is MemberRoleFilter.GUEST else Role(wanted.value).rank
        statement = statement.where(number(Member.role) == rank)
    if arguments.search:
        statement = statement.join(User, User.id == Member.user_id).where(
            or_(
                _contains(User.display_name, arguments.search),
                _contains(User.email, arguments.search),
            )
        )
    order = _order(arguments.sort or MemberSort.JOINED_AT, arguments.order is SortOrder.DESC)
    identity = ("members", arguments.role, arguments.search)
    listing = Listing(Member, Member.organization_id, order, identity)
    return await pages(ctx, listing, statement, [row.id for row in rows], arguments)


def _contains(column: Any, text: str) -> ColumnElement[bool]:
    return func.lower(column).contains(text.lower(), autoescape=True)


def _order(sort: MemberSort, descending: bool) -> Order:
    by_id = SortColumn(Member.user_id, lambda row: row.user_id, descending)
    if sort is MemberSort.JOINED_AT:
        return Order((SortColumn(Member.joined_at, lambda row: row.joined_at, descending), by_id))
    # Members who were never seen stand where they joined.
    seen = func.coalesce(Member.last_seen_at, Member.joined_at)
    last = SortColumn(seen, lambda row: row.last_seen_at or row.joined_at, descending)
    return Order((last, by_id))


async def member_space_counts(ctx: Context, rows: Sequence[Member], arguments: Any) -> list[int]:
    """Spaces the caller may read on which the person has a grant, directly or through a team."""
    users = {row.user_id for row in rows}
    direct = select(AccessGrant.user_id.label("person"), AccessGrant.space_id).where(
        AccessGrant.user_id.in_(users), AccessGrant.space_id.is_not(None)
    )
    teams = (
        select(TeamMember.user_id.label("person"), AccessGrant.space_id)
        .join(AccessGrant, AccessGrant.team_id == TeamMember.team_id)
        .where(TeamMember.user_id.in_(users), AccessGrant.space_id.is_not(None))
    )
    granted = direct.union(teams).subquery()
    spaces = visible(ctx, Space).subquery()
    statement = (
        select(spaces.c.organization_id, granted.c.person, func.count())
        .join(spaces, spaces.c.id == granted.c.space_id)
        .group_by(spaces.c.organization_id, granted.c.person)
    )
    return await _counts_of_members(ctx, statement, rows)


async def member_team_counts(ctx: Context, rows: Sequence[Member], arguments: Any) -> list[int]:
    """Teams of the organization that the person belongs to."""
    statement = (
        select(Team.organization_id, TeamMember.user_id, func.count())
        .join(TeamMember, TeamMember.team_id == Team.id)
        .where(TeamMember.user_id.in_({row.user_id for row in rows}))
        .group_by(Team.organization_id, TeamMember.user_id)
    )
    return await _counts_of_members(ctx, statement, rows)


async def _counts_of_members(ctx: Context, statement: Any, rows: Sequence[Member]) -> list[int]:
    found = {
        (organization, user): count
        for organization, user, count in (await ctx.session.execute(statement))
    }
    return [found.get((row.organization_id, row.user_id), 0) for row in rows]
