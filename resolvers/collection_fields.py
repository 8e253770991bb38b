"""Collections: their lists and computed fields."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import strawberry

from db.enums import Role
from db.models.spaces import Collection
from resolvers.context import Context
from resolvers.pagination import Listing, Order, PageArguments, Slice, SortColumn, by_id, pages
from resolvers.policy import ranked, visible
from resolvers.urls import Urls


@dataclass(frozen=True)
class CollectionArguments(PageArguments):
    """Which collections of an organization are wanted."""

    nested: Annotated[
        bool, strawberry.argument(description="Nested ones too; false = only the top level.")
    ] = True


def display_order(model: Any) -> Order:
    """The order among siblings."""
    return Order(
        (
            SortColumn(model.position, lambda row: row.position),
            SortColumn(model.id, lambda row: row.id),
        )
    )


async def collections_of_organizations(
    ctx: Context, rows: Sequence[Any], arguments: CollectionArguments
) -> list[Slice[Collection]]:
    """Collections of organizations that you may read, oldest first."""
    statement = visible(ctx, Collection)
    if not arguments.nested:
        statement = statement.where(Collection.parent_id.is_(None))
    identity = ("collections", arguments.nested)
    listing = Listing(Collection, Collection.organization_id, by_id(Collection), identity)
    return await pages(ctx, listing, statement, [row.id for row in rows], arguments)


async def collections_of_collections(
    ctx: Context, rows: Sequence[Any], arguments: PageArguments
) -> list[Slice[Collection]]:
    """Collections directly in other collections, in display order."""
    listing = Listing(
        Collection, Collection.parent_id, display_order(Collection), ("collections-in",)
    )
    statement = visible(ctx, Collection)
    return await pages(ctx, listing, statement, [row.id for row in rows], arguments)


async def collection_urls(ctx: Context, rows: Sequence[Collection], arguments: Any) -> list[Urls]:
    """Where each collection is found."""
    base = ctx.settings.public_url
    return [
        Urls(location=f"{base}/v1/collections/{row.id}", app=f"{base}/c/{row.id}") for row in rows
    ]


@dataclass(frozen=True, slots=True)
class CollectionPermissions:
    """What the caller may do with a collection."""

    view: bool
    admin: bool
    view_invite_links: bool
    create: bool


async def collection_permissions(
    ctx: Context, rows: Sequence[Collection], arguments: Any
) -> list[CollectionPermissions]:
    """What the caller may do with each collection (workflow.md section 6)."""
    statement, rank = ranked(ctx, Collection)
    found = await ctx.session.execute(
        statement.with_only_columns(Collection.id, rank).where(
            Collection.id.in_({row.id for row in rows})
        )
    )
    ranks = dict(found.all())
    return [_permissions(ranks.get(row.id, 0)) for row in rows]


def _permissions(rank: int) -> CollectionPermissions:
    creator = rank >= Role.CREATE.rank
    return CollectionPermissions(
        view=rank >= Role.READ.rank, admin=creator, view_invite_links=creator, create=creator
    )
