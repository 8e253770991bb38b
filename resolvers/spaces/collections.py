"""Collections: what holds spaces and other collections."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple

import strawberry
from sqlalchemy import update
from strawberry import Maybe

from db.enums import DefaultLevel, Role
from db.models.organizations import Organization
from db.models.spaces import Collection, Space
from db.order_enums import CollectionOrderField
from db.prepared import ACTOR_RANK
from db.rows import with_row_layout
from resolvers.access.policy import must, ranks_of
from resolvers.addresses.visibilities import note_visibilities_at_top
from resolvers.core import inputs
from resolvers.core.arguments import CollectionId, OrganizationId
from resolvers.core.batch_functions import ALL, Projection
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.deletions import Deletion, finding_what_to_delete
from resolvers.core.filters import Filter, of_part
from resolvers.core.orders import CollectionOrder, Orders, by
from resolvers.core.pagination import Order, PageArguments, SortColumn, by_id
from resolvers.core.urls import Urls
from resolvers.lists.batches import computed_from, reads
from resolvers.lists.listings import Listing
from resolvers.spaces.collection_tree import (
    add_to_tree,
    keep_access,
    lock_tree,
    must_hold,
    must_in_tree,
    refresh_levels,
    remove_from_tree,
    role_to_set,
)
from resolvers.spaces.siblings import Siblings, key_at_end, prefix_after, shorten

TITLE = "Untitled"


@strawberry.input(description="A new collection.")
class CreateCollectionInput:
    title: Maybe[str] = inputs.text("Name; `Untitled` when absent.", max=50)
    parent: Maybe[strawberry.ID | None] = inputs.field(
        "Id of the collection to put it into; the top level when absent or null."
    )


@strawberry.input(description="Changes to a collection; absent fields stay as they are.")
class UpdateCollectionInput:
    title: Maybe[str] = inputs.text("Name.", max=50)
    description: Maybe[str | None] = inputs.text("What it holds; null removes it.", max=100)
    default_level: Maybe[DefaultLevel | None] = inputs.field(
        "Role of everybody in it; null = no access, `inherit` = as in its parent."
    )


@operation(one_statement=True)
async def get_collection(
    ctx: Context, id: CollectionId, *, projection: Projection = ALL
) -> Collection:
    """A collection that you may read."""
    return await must(ctx, Collection, id, projection=projection)


async def create_collection(
    ctx: Context, organization_id: OrganizationId, input: CreateCollectionInput
) -> Collection:
    """Make a collection, last in its parent; needs the role `create` there."""
    await must(ctx, Organization, organization_id)
    await lock_tree(ctx, organization_id)
    parent = await must_hold(ctx, organization_id, inputs.given(input.parent, None))
    siblings = Siblings(organization_id, parent.id if parent else None)
    collection = Collection(
        organization_id=organization_id,
        parent_id=siblings.parent_id,
        title=inputs.given(input.title, TITLE),
        default_level=DefaultLevel.INHERIT,
        position=await key_at_end(ctx, siblings),
        created_at=ctx.now(),
    )
    await add_to_tree(ctx, collection, parent)
    return collection


async def update_collection(
    ctx: Context, id: CollectionId, input: UpdateCollectionInput
) -> Collection:
    """Change a collection; needs the role `create` on it."""
    role = role_to_set(ctx, input.default_level)
    if input.default_level is None:
        collection = await must(ctx, Collection, id, role, lock=True)
    else:
        collection = await must_in_tree(ctx, Collection, id, role)
    inputs.assign(collection, input, "title", "description", "default_level")
    if input.default_level is not None:
        await ctx.session.flush()
        await refresh_levels(ctx, collection.id)
        await keep_access(ctx, collection)
    return collection


async def delete_collection(ctx: Context, id: CollectionId) -> Deletion:
    """Delete a collection; its children move to its parent, in its place.

    Needs the role `create` on it. Spaces of it in the bin return to the top level when they are
    restored.
    """
    with finding_what_to_delete():
        collection = await must_in_tree(ctx, Collection, id, Role.CREATE)
    siblings = Siblings(collection.organization_id, collection.parent_id)
    top = Siblings(collection.organization_id, None)
    prefix = await prefix_after(ctx, siblings, collection.position)
    if collection.parent_id is None:
        await note_visibilities_at_top(ctx, collection)
    for model in (Space, Collection):
        alive = [Space.deleted_at.is_(None)] if model is Space else []
        await _give(ctx, model, collection, collection.parent_id, prefix, *alive)
    await _give(ctx, Space, collection, None, await key_at_end(ctx, top))
    await remove_from_tree(ctx, collection)
    for place in {siblings, top}:
        await shorten(ctx, place)
    return Deletion(
        deleted_id=id,
        organization_id=siblings.organization_id,
        parent_id=siblings.parent_id,
        audited=collection,
    )


async def _give(
    ctx: Context,
    model: type[Space] | type[Collection],
    collection: Collection,
    parent_id: str | None,
    prefix: str,
    *conditions: Any,
) -> None:
    """Children go to another parent; with a common prefix their keys keep their order."""
    await ctx.session.change(
        update(model)
        .where(model.parent_id == collection.id, *conditions)
        .values(parent_id=parent_id, position=prefix + model.position)
    )


@dataclass(frozen=True)
class SortedCollections(PageArguments):
    """The order of a list of collections."""

    order_by: Annotated[
        CollectionOrder | None, inputs.argument("Order; that of the list itself when absent.")
    ] = None


@dataclass(frozen=True)
class CollectionArguments(SortedCollections):
    """Which collections of an organization are wanted."""

    nested: Annotated[bool, inputs.argument("Nested ones too; false = only the top level.")] = True
    title: Annotated[str | None, inputs.argument("Part of the title; capitals do not matter.")] = (
        field(default=None, metadata={inputs.BOUNDS: inputs.Bounds(maximum=50)})
    )


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
        of_part("title", Collection.title),
    ),
)
collections_of_collections = Listing(
    "collections_of_collections",
    Collection,
    Collection.parent_id,
    ORDERS.or_else(display_order(Collection)),
    about="Collections directly in other collections, in display order.",
)


@computed_from("id")
async def collection_urls(ctx: Context, rows: Sequence[Collection], arguments: Any) -> list[Urls]:
    """Where each collection is found."""
    base = ctx.settings.public_url
    return [
        Urls(location=f"{base}/v1/collections/{row.id}", app=f"{base}/c/{row.id}") for row in rows
    ]


@with_row_layout
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
    return [_permissions_of(rank) for rank in await ranks_of(ctx, Collection, rows)]


def _permissions_of(rank: int) -> CollectionPermissions:
    creator = rank >= Role.CREATE.rank
    return CollectionPermissions(
        view=rank >= Role.READ.rank, admin=creator, view_invite_links=creator, create=creator
    )
