"""Grants of several people or teams at once: the rule of ranks.py for more than one actor.

What comes of it goes into `rank_on_space` in place of an actor's own grants.
"""

from typing import Any

from sqlalchemy import (
    ColumnElement,
    FromClause,
    Integer,
    Subquery,
    case,
    delete,
    func,
    literal,
    null,
    or_,
    select,
    true,
    union_all,
)
from sqlalchemy.orm import aliased

from db.models.organizations import TeamMember
from db.models.spaces import AccessGrant, Collection, CollectionAncestor, Space
from db.session import Session
from resolvers.access.ranks import RANKS, number


def grants_of_people(target: Any, *, objects: Any = None, people: Any = None) -> Subquery:
    """`holder`, `id` and `rank` of each grant on one of the objects for one of the people.

    A direct grant beats those of teams. All objects or people where none are given.
    """
    role = number(AccessGrant.role)
    on_objects = target.is_not(None) if objects is None else target.in_(objects)

    def of_people(column: Any) -> Any:
        return column.is_not(None) if people is None else column.in_(people)

    direct = select(
        AccessGrant.user_id.label("holder"), target.label("id"), role.label("rank"),
        literal(1, Integer()).label("direct"),
    ).where(of_people(AccessGrant.user_id), on_objects)  # fmt: skip
    of_teams = (
        select(TeamMember.user_id, target, role, literal(0, Integer()))
        .join(AccessGrant, AccessGrant.team_id == TeamMember.team_id)
        .where(of_people(TeamMember.user_id), on_objects)
    )
    grants = union_all(direct, of_teams).cte()
    own = func.max(case((grants.c.direct == 1, grants.c.rank)))
    return (
        select(
            grants.c.holder, grants.c.id, func.coalesce(own, func.max(grants.c.rank)).label("rank")
        )
        .group_by(grants.c.holder, grants.c.id)
        .subquery()
    )


def with_inherited(
    own: FromClause, above: FromClause, spaces: ColumnElement[bool] | None = None
) -> Subquery:
    """By `holder` and `space_id`: the grant on the space (`own`), and the nearest one above it.

    Of that, `rank` and `depth`; `held` is 1 when one of the grants on the way up gives any access.
    `own` and `above` are grants on spaces and collections, as `grants_of_people` gives them;
    `spaces` is a condition on `Space`.

    Both are in one table, a row for each holder and space: joining them would leave it to estimates
    whether a database compares each grant with every other.
    """
    granted, none = aliased(Collection), null().cast(Integer)
    nearest = func.max(granted.depth * RANKS + above.c.rank)
    held = union_all(
        select(
            own.c.holder, own.c.id.label("space_id"), own.c.rank.label("own"),
            none.label("rank"), none.label("depth"), none.label("held"),
        ),
        select(
            above.c.holder, Space.id, none, nearest % RANKS, nearest // RANKS,
            func.max(case((above.c.rank > 0, 1), else_=0)),
        )
        .join(granted, granted.id == above.c.id)
        .join(CollectionAncestor, CollectionAncestor.ancestor_id == granted.id)
        .join(Space, Space.parent_id == CollectionAncestor.collection_id)
        .where(true() if spaces is None else spaces)
        .group_by(above.c.holder, Space.id),
    ).cte()  # fmt: skip
    return (
        select(
            held.c.holder,
            held.c.space_id,
            *(func.max(held.c[name]).label(name) for name in ("own", "rank", "depth", "held")),
        )
        .group_by(held.c.holder, held.c.space_id)
        .subquery()
    )


async def delete_grants(session: Session, organization_id: str, user_id: str) -> None:
    """Take away what a person was granted in an organization; grants of their teams stay."""
    on_objects = or_(
        AccessGrant.space_id.in_(select(Space.id).where(Space.organization_id == organization_id)),
        AccessGrant.collection_id.in_(
            select(Collection.id).where(Collection.organization_id == organization_id)
        ),
    )
    statement = delete(AccessGrant).where(AccessGrant.user_id == user_id, on_objects)
    await session.change(statement)


def nearest_on_collections(above: FromClause, collections: ColumnElement[bool]) -> Subquery:
    """By `holder` and `id` of a collection: the nearest grant at or above it, as `with_inherited`.

    `above` are grants on collections, as `grants_of_people` gives them; `collections` is a
    condition on `CollectionAncestor.collection_id`.
    """
    granted = aliased(Collection)
    nearest = func.max(granted.depth * RANKS + above.c.rank)
    return (
        select(
            above.c.holder,
            CollectionAncestor.collection_id.label("id"),
            (nearest % RANKS).label("rank"),
            (nearest // RANKS).label("depth"),
            func.max(case((above.c.rank > 0, 1), else_=0)).label("held"),
        )
        .join(granted, granted.id == above.c.id)
        .join(CollectionAncestor, CollectionAncestor.ancestor_id == granted.id)
        .where(collections)
        .group_by(above.c.holder, CollectionAncestor.collection_id)
        .subquery()
    )
