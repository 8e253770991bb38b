"""The spaces that members reach, with their effective roles there (docs/roles.md).

It is the rule of resolvers/access/ranks.py for several people at once: their own grants and those
of their teams, the levels of what is above a space, and their role in the organization.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

import strawberry
from sqlalchemy import ColumnElement, Select, select
from sqlalchemy.orm import aliased

from db.enums import Role, SortOrder, TokenScope
from db.models.organizations import Member
from db.models.spaces import AccessGrant, Collection, Space
from db.prepared import among
from resolvers.access.people import grants_of_people, with_inherited
from resolvers.access.policy import visible
from resolvers.access.ranks import READ, Rank, rank_on_space
from resolvers.core.batch_functions import only
from resolvers.core.context import Context
from resolvers.core.pagination import Order, PageArguments, Slice, by_id
from resolvers.core.statements import Viewer, Written, statement
from resolvers.lists.batches import reads
from resolvers.lists.listing_statements import PARENTS
from resolvers.lists.listings import Listing

ROLES = {role.rank: role for role in Role}


@dataclass(frozen=True, slots=True)
class MemberSpace:
    """The effective role of a person on the space with this id."""

    id: str
    permission: Role


@dataclass(frozen=True)
class MemberSpaceArguments(PageArguments):
    """The order of a list of the spaces that a person reaches."""

    order: Annotated[
        SortOrder | None,
        strawberry.argument(description="Direction; oldest first when absent."),
    ] = None


def _reached(viewer: Viewer) -> tuple[Select[Any], Rank]:
    """Each space that a member and the viewer may read, with the member; the member's rank."""
    people = select(Member.user_id).where(among(Member.key, PARENTS))
    grants = with_inherited(
        grants_of_people(AccessGrant.space_id, people=people),
        grants_of_people(AccessGrant.collection_id, people=people),
    )
    parent = aliased(Collection)
    rank = rank_on_space(Space, Member, grants.c.own, parent, grants)
    theirs: ColumnElement[bool] = (grants.c.space_id == Space.id) & (
        grants.c.holder == Member.user_id
    )
    statement = (
        visible(viewer, Space)
        .join(Member, Member.organization_id == Space.organization_id)
        .outerjoin(grants, theirs)
        .outerjoin(parent, parent.id == Space.parent_id)
        .where(Member.disabled.is_(False), rank >= READ)
    )
    return statement, rank


def _order(arguments: MemberSpaceArguments) -> Order:
    return by_id(Space, descending=arguments.order is SortOrder.DESC)


_spaces = Listing(
    "spaces_of_members",
    Space,
    Member.key,
    _order,
    about="Spaces that members reach.",
    rows=lambda viewer: _reached(viewer)[0],
    key="key",
    by_itself=True,
)


@statement
def _ranks(viewer: Viewer) -> Written:
    statement, rank = _reached(viewer)
    return statement.with_only_columns(Member.key, Space.id, rank.label("rank")).where(
        among(Member.key, PARENTS), among(Space.id, "spaces")
    )


@reads("key", scope=TokenScope.SPACE_PERMISSIONS_READ)
async def spaces_of_members(
    ctx: Context, rows: Sequence[Member], arguments: MemberSpaceArguments
) -> list[Slice[MemberSpace]]:
    """Spaces that members and the caller may read, oldest first, with the members' roles there."""
    slices = await _spaces(ctx, rows, arguments, only("id"))
    spaces = {space.id for part in slices for space in part.rows}
    if not spaces:
        return slices
    keys = [row.key for row in rows]
    ranks = {
        (row.key, row.id): ROLES[row.rank]
        for row in await _ranks.rows(ctx, spaces=spaces, parents=keys)
    }
    # Behind a write each statement sees what others have committed meanwhile.
    return [
        replace(
            part,
            rows=[
                MemberSpace(space.id, ranks[part.parent, space.id])
                for space in part.rows
                if (part.parent, space.id) in ranks
            ],
        )
        for part in slices
    ]
