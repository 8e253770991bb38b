"""The tree of collections: its lock, and the columns and rows that are derived from it.

`collection_ancestor` holds every collection with each of its ancestors and itself; `depth`,
`level_rank` and `level_depth` of a collection follow from it. All changes are a fixed number of
statements, however large the subtree is.
"""

from typing import Any

from sqlalchemy import (
    ColumnElement,
    ScalarSelect,
    Select,
    and_,
    delete,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.orm import aliased
from strawberry import Maybe

from db.base import Base
from db.enums import DefaultLevel, Role, TokenScope
from db.models.organizations import Organization
from db.models.spaces import LEVEL_LIMIT, AccessGrant, Collection, CollectionAncestor, Space
from resolvers.access.policy import Model, Rule, must, ranked
from resolvers.access.ranks import number
from resolvers.core import scopes
from resolvers.core.audit_notes import note_removals
from resolvers.core.context import Context
from resolvers.core.errors import BadRequest


async def lock_tree(ctx: Context, *organization_ids: str) -> None:
    """Make other changes of these organizations' trees wait until the end of the transaction.

    Everything that places a space or a collection takes this one lock, always in the order of
    ids, so there is neither a cycle, nor two equal sort keys, nor a deadlock.
    """
    statement = select(Organization.id).where(Organization.id.in_(organization_ids))
    await ctx.session.execute(
        statement.order_by(Organization.id).with_for_update(of=Organization, key_share=True)
    )


async def must_in_tree(
    ctx: Context,
    model: type[Model],
    id: str,
    role: Role | None,
    *,
    where: ColumnElement[bool] | None = None,
    rule: Rule | None = None,
    **values: Any,
) -> Model:
    """Like `must` with `lock`, and with the tree around the row locked too."""
    row: Any = await must(ctx, model, id, role, where=where, rule=rule, **values)
    await lock_tree(ctx, row.organization_id)
    same: Any = model
    # Somebody may have transferred it while this waited.
    here = same.organization_id == row.organization_id
    where = here if where is None else and_(here, where)
    return await must(ctx, model, id, role, where=where, lock=True, rule=rule, **values)


async def must_hold(ctx: Context, organization_id: str, parent_id: str | None) -> Collection | None:
    """The collection that something is put into; None for the top level.

    The caller needs `create` there: on the collection, or as the role in the organization.
    """
    if parent_id is None:
        await must(ctx, Organization, organization_id, Role.CREATE)
        return None
    inside = Collection.organization_id == organization_id
    return await must(ctx, Collection, parent_id, Role.CREATE, where=inside)


def role_to_set(ctx: Context, level: Maybe[DefaultLevel | None]) -> Role:
    """The role that setting a default level needs: nobody grants a role above their own.

    A level gives everybody a role, so a token needs the scope that giving roles needs.
    """
    if level is not None:
        scopes.must_hold(ctx.actor, TokenScope.SPACE_PERMISSIONS_WRITE)
    if level is not None and level.value is DefaultLevel.ADMIN:
        return Role.ADMIN
    return Role.CREATE


async def keep_access(ctx: Context, row: Space | Collection) -> None:
    """Grant `create` to the caller if their role on the (flushed) row has become lower.

    Called where a write can lower it: nobody locks themselves out. A new object needs no such
    grant, because it inherits from where its maker had to have `create`.
    """
    if ctx.actor.operator:
        return
    model: type[Base] = type(row)
    key: Any = type(row).id
    statement, rank = ranked(ctx, model)
    ranks = await ctx.session.execute(statement.with_only_columns(rank).where(key == row.id))
    if (ranks.scalar() or 0) >= Role.CREATE.rank:
        return
    grant = AccessGrant(user_id=ctx.user_id, role=Role.CREATE)
    if isinstance(row, Space):
        grant.space_id = row.id
    else:
        grant.collection_id = row.id
    ctx.session.add(grant)


def subtree(collection_id: str) -> Select[str]:
    """Ids of a collection and of everything below it."""
    below = aliased(CollectionAncestor)
    return select(below.collection_id).where(below.ancestor_id == collection_id)


async def add_to_tree(ctx: Context, collection: Collection, parent: Collection | None) -> None:
    """Insert a new collection; BadRequest when it would be more than 20 levels deep."""
    collection.depth = _depth_below(parent)
    _check_depth(collection.depth)
    collection.level_rank = parent.level_rank if parent else None
    collection.level_depth = parent.level_depth if parent else None
    ctx.session.add(collection)
    await ctx.session.flush()
    ctx.session.add(CollectionAncestor(collection_id=collection.id, ancestor_id=collection.id))
    await ctx.session.flush()
    await _link(ctx, collection.id, parent)


async def reparent(ctx: Context, collection: Collection, parent: Collection | None) -> None:
    """Move a collection with everything below it under `parent`.

    BadRequest for a cycle and for more than 20 levels.
    """
    below = (
        await ctx.session.execute(
            select(
                func.max(Collection.depth),
                func.count().filter(Collection.id == (parent.id if parent else None)),
            ).where(Collection.id.in_(subtree(collection.id)))
        )
    ).one()
    deepest, cycles = below
    if cycles:
        raise BadRequest("parent: is the moved collection itself or stands below it")
    change = _depth_below(parent) - collection.depth
    _check_depth(deepest + change)
    await ctx.session.change(
        delete(CollectionAncestor)
        .where(CollectionAncestor.collection_id.in_(subtree(collection.id)))
        .where(CollectionAncestor.ancestor_id.not_in(subtree(collection.id)))
    )
    await _link(ctx, collection.id, parent)
    collection.parent_id = parent.id if parent else None
    await ctx.session.flush()
    await _shift(ctx, collection.id, change)
    await refresh_levels(ctx, collection.id)


async def refresh_levels(ctx: Context, collection_id: str, without: str | None = None) -> None:
    """Find the nearest default level anew for a collection and everything below it.

    `without` names a collection that is about to be deleted: its level does not count any more.
    """
    rank, depth = _nearest(number(Collection.default_level), without), _nearest(None, without)
    await ctx.session.change(
        update(Collection)
        .where(Collection.id.in_(subtree(collection_id)))
        .values(level_rank=rank, level_depth=depth)
    )


def _nearest(value: Any, without: str | None) -> ScalarSelect[Any]:
    above = aliased(Collection)
    chosen = above.depth if value is None else number(above.default_level)
    statement = (
        select(chosen)
        .join(CollectionAncestor, CollectionAncestor.ancestor_id == above.id)
        .where(CollectionAncestor.collection_id == Collection.id)
        .where(number(above.default_level) != DefaultLevel.INHERIT.rank)
        .order_by(above.depth.desc())
        .limit(1)
        .correlate(Collection)
    )
    if without is not None:
        statement = statement.where(above.id != without)
    return statement.scalar_subquery()


async def remove_from_tree(ctx: Context, collection: Collection) -> None:
    """Delete a collection whose children have been given to its parent already."""
    await _shift(ctx, collection.id, -1)
    await refresh_levels(ctx, collection.id, without=collection.id)
    # Its rows of the closure and its grants go with it.
    await note_removals(ctx.session, AccessGrant, AccessGrant.collection_id == collection.id)
    await ctx.session.change(delete(Collection).where(Collection.id == collection.id))
    ctx.session.expunge(collection)


async def _link(ctx: Context, collection_id: str, parent: Collection | None) -> None:
    """Put the ancestors of `parent` above everything at or below a collection."""
    if parent is None:
        return
    low, high = aliased(CollectionAncestor), aliased(CollectionAncestor)
    pairs = (
        select(low.collection_id, high.ancestor_id)
        .join(high, high.collection_id == parent.id)
        .where(low.ancestor_id == collection_id)
    )
    await ctx.session.execute(
        insert(CollectionAncestor).from_select(["collection_id", "ancestor_id"], pairs)
    )


async def _shift(ctx: Context, collection_id: str, change: int) -> None:
    if change == 0:
        return
    await ctx.session.change(
        update(Collection)
        .where(Collection.id.in_(subtree(collection_id)))
        .values(depth=Collection.depth + change)
    )


def _depth_below(parent: Collection | None) -> int:
    return parent.depth + 1 if parent else 0


def _check_depth(depth: int) -> None:
    if depth >= LEVEL_LIMIT:
        raise BadRequest(f"parent: collections may be nested at most {LEVEL_LIMIT} levels deep")
