"""Members of organizations: people with a role, and guests without one."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import strawberry
from sqlalchemy import Integer, and_, bindparam, func, or_, select

from db.enums import MemberRoleFilter, MemberSort, Role, SortOrder
from db.models.organizations import LAST_SEEN, Member, TeamMember, User
from db.models.spaces import AccessGrant, Space
from db.order_enums import MemberOrderField
from db.prepared import KEY, among
from resolvers.access.policy import must, visible
from resolvers.access.ranks import number
from resolvers.core import inputs
from resolvers.core.arguments import OrganizationId, UserId
from resolvers.core.batch_functions import ALL, Projection
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.filters import Filter, containing, part_of
from resolvers.core.nodes import SEPARATOR
from resolvers.core.orders import MemberOrder, Orders, by
from resolvers.core.pagination import Order, PageArguments, SortColumn
from resolvers.core.statements import Statement, Viewer, Written, statement
from resolvers.lists.batches import computed_from, reads
from resolvers.lists.listings import Listing

MEMBER = "member"


@dataclass(frozen=True)
class MemberArguments(PageArguments):
    """Filters and order of a list of members."""

    order: Annotated[
        SortOrder | None,
        strawberry.argument(description="Direction; ascending when absent. Not with `orderBy`."),
    ] = None
    sort: Annotated[
        MemberSort | None,
        strawberry.argument(description="Sorted by; joining when absent. Not with `orderBy`."),
    ] = None
    order_by: Annotated[
        MemberOrder | None,
        strawberry.argument(
            description="Order; by joining when absent. Not with `order` and `sort`."
        ),
    ] = None
    role: Annotated[
        MemberRoleFilter | None, strawberry.argument(description="Only members with this role.")
    ] = None
    search: Annotated[
        str | None,
        strawberry.argument(description="Part of the name or address; capitals do not matter."),
    ] = field(default=None, metadata={inputs.BOUNDS: inputs.Bounds(maximum=256)})


KEYED = and_(
    Member.organization_id == bindparam("organization_id", type_=KEY),
    Member.user_id == bindparam("user_id", type_=KEY),
)


@operation(one_statement=True)
async def get_member(
    ctx: Context, organization_id: OrganizationId, user_id: UserId, *, projection: Projection = ALL
) -> Member:
    """A member of an organization, by the person's id."""
    return await must(
        ctx,
        Member,
        None,
        where=KEYED,
        projection=projection,
        organization_id=organization_id,
        user_id=user_id,
    )


@computed_from("key")
async def member_ids(ctx: Context, rows: Sequence[Member], arguments: Any) -> list[str]:
    """The id of each membership, which no other object has: the person's is in all of theirs."""
    return [f"{MEMBER}{SEPARATOR}{row.key}" for row in rows]


@statement
def _memberships(viewer: Viewer) -> Written:
    return visible(viewer, Member).where(among(Member.key, "keys"))


async def find_members(ctx: Context, ids: Sequence[str]) -> dict[str, Member]:
    """Memberships by their ids; without those that the caller may not see."""
    keys = [key for kind, _, key in (id.partition(SEPARATOR) for id in ids) if kind == MEMBER]
    if not keys:
        return {}
    rows = await _memberships.rows(ctx, keys=keys)
    return dict(zip(await member_ids(ctx, rows, None), rows, strict=True))


SEARCHED = Member.user_id.in_(
    select(User.id).where(
        or_(containing(User.display_name, "search"), containing(User.email, "search"))
    )
)


def _rank(role: MemberRoleFilter | None) -> int | None:
    if role is None:
        return None
    return 0 if role is MemberRoleFilter.GUEST else Role(role.value).rank


ORDERS = Orders(
    by(Member.user_id),
    {
        MemberOrderField.NAME: by(Member.name_key),
        MemberOrderField.JOINED_AT: by(Member.joined_at),
        MemberOrderField.LAST_SEEN_AT: SortColumn(
            LAST_SEEN,
            lambda row: row.last_seen_at or row.joined_at,
            reads=("last_seen_at", "joined_at"),
        ),
        MemberOrderField.ROLE: SortColumn(
            number(Member.role),
            lambda row: 0 if row.role is None else row.role.rank,
            reads=("role",),
        ),
    },
)
SORTS = {
    MemberSort.JOINED_AT: MemberOrderField.JOINED_AT,
    MemberSort.LAST_SEEN_AT: MemberOrderField.LAST_SEEN_AT,
}


def _by_sort(arguments: MemberArguments) -> Order:
    return ORDERS.by(
        SORTS[arguments.sort or MemberSort.JOINED_AT], arguments.order or SortOrder.ASC
    )


members_of_organizations = Listing(
    "members_of_organizations",
    Member,
    Member.organization_id,
    ORDERS.or_else(_by_sort, "order", "sort"),
    about="Members of organizations; guests see themselves only.",
    filters=(
        Filter(
            "role",
            lambda arguments: _rank(arguments.role),
            number(Member.role) == bindparam("role", type_=Integer()),
        ),
        Filter("search", lambda arguments: part_of(arguments.search), SEARCHED),
    ),
)


@statement
def _space_counts(viewer: Viewer) -> Written:
    granted_to = among(AccessGrant.user_id, "people")
    direct = select(AccessGrant.user_id.label("person"), AccessGrant.space_id).where(
        granted_to, AccessGrant.space_id.is_not(None)
    )
    teams = (
        select(TeamMember.user_id.label("person"), AccessGrant.space_id)
        .join(AccessGrant, AccessGrant.team_id == TeamMember.team_id)
        .where(among(TeamMember.user_id, "people"), AccessGrant.space_id.is_not(None))
    )
    granted = direct.union(teams).subquery()
    spaces = visible(viewer, Space).subquery()
    return (
        select(spaces.c.organization_id, granted.c.person, func.count())
        .join(spaces, spaces.c.id == granted.c.space_id)
        .group_by(spaces.c.organization_id, granted.c.person)
    )


@statement
def _team_counts(viewer: Viewer) -> Written:
    return (
        visible(viewer, TeamMember)
        .where(among(TeamMember.user_id, "people"))
        .with_only_columns(TeamMember.organization_id, TeamMember.user_id, func.count())
        .group_by(TeamMember.organization_id, TeamMember.user_id)
    )


@reads("organization_id", "user_id")
async def member_space_counts(ctx: Context, rows: Sequence[Member], arguments: Any) -> list[int]:
    """Spaces the caller may read on which the person has a grant, directly or through a team."""
    return await _counts_of_members(ctx, _space_counts, rows)


@reads("organization_id", "user_id")
async def member_team_counts(ctx: Context, rows: Sequence[Member], arguments: Any) -> list[int]:
    """Teams of the organization that the person is in, as far as the caller sees that."""
    return await _counts_of_members(ctx, _team_counts, rows)


async def _counts_of_members(
    ctx: Context, counting: Statement, rows: Sequence[Member]
) -> list[int]:
    people = {row.user_id for row in rows}
    counts = {
        (organization, user): count
        for organization, user, count in await counting.rows(ctx, people=people)
    }
    return [counts.get((row.organization_id, row.user_id), 0) for row in rows]
