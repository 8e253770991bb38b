"""Collections: their lists and computed fields."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple

import strawberry

from db.enums import Role
from db.models.spaces import Collection
from db.order_enums import CollectionOrderField
from db.prepared import ACTOR_RANK
from db.rows import light
from resolvers.access.policy import ranks_of
from resolvers.core.context import Context
from resolvers.core.filters import Filter
from resolvers.core.orders import CollectionOrder, Orders, by
from resolvers.core.pagination import Order, PageArguments, SortColumn, by_id
from resolvers.core.urls import Urls
from resolvers.lists.batches import reads
from resolvers.lists.listings import Listing


@dataclass(frozen=True)
class SortedCollections(PageArguments):
    """The order of a list of collections."""

    order_by: Annotated[
        CollectionOrder | None,
        strawberry.argument(description="Order; that of the list itself when absent."),
    ] = None


@dataclass(frozen=True)
class CollectionArguments(SortedCollections):
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


ORDERS = Orders(
    by(Collection.id),
    {
        CollectionOrderField.CREATED_AT: by(Collection.created_at),
        CollectionOrderField.TITLE: by(Collection.title_key),
    },
)
collections_of_organizations = Listing(
    "collections_of_organizations",
    Collection,
    Collection.organization_id,
    ORDERS.or_else(by_id(Collection)),
    about="Collections of organizations that you may read, oldest first.",
    filters=(
        Filter(
            "top",
            lambda arguments: None if arguments.nested else True,
            Collection.parent_id.is_(None),
        ),
    ),
)
collections_of_collections = Listing(
    "collections_of_collections",
    Collection,
    Collection.parent_id,
    ORDERS.or_else(display_order(Collection)),
    about="Collections directly in other collections, in display order.",
)


@reads("id")
async def collection_urls(ctx: Context, rows: Sequence[Collection], arguments: Any) -> list[Urls]:
    """Where each collection is found."""
    base = ctx.settings.public_url
    return [
        Urls(location=f"{base}/v1/collections/{row.id}", app=f"{base}/c/{row.id}") for row in rows
    ]


@light
class CollectionPermissions(NamedTuple):
    """What the caller may do with a collection."""

    view: bool
    admin: bool
    view_invite_links: bool
    create: bool


@reads("id", ACTOR_RANK)
async def collection_permissions(
    ctx: Context, rows: Sequence[Collection], arguments: Any
) -> list[CollectionPermissions]:
    """What the caller may do with each collection (docs/roles.md)."""
    return [_permissions(rank) for rank in await ranks_of(ctx, Collection, rows)]


def _permissions(rank: int) -> CollectionPermissions:
    creator = rank >= Role.CREATE.rank
    return CollectionPermissions(
        view=rank >= Role.READ.rank, admin=creator, view_invite_links=creator, create=creator
    )
