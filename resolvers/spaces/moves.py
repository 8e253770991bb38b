"""Moving spaces and collections among collections (docs/spaces.md)."""

import strawberry
from strawberry import Maybe

from db.enums import Role
from db.models.spaces import Collection, Space
from resolvers.core import inputs
from resolvers.core.arguments import CollectionId, SpaceId
from resolvers.core.context import Context
from resolvers.core.errors import BadRequest, Conflict, Forbidden, NotFound
from resolvers.spaces.collection_tree import must_hold, must_in_tree, reparent
from resolvers.spaces.siblings import KEY_LIMIT, ContentPosition, Siblings, place, shorten


@strawberry.input(description="Where to move a space or a collection.")
class MoveInput:
    parent: Maybe[strawberry.ID | None] = inputs.field(
        "Id of the collection to move it into; null = the top level, absent = where it is."
    )
    position: Maybe[ContentPosition] = inputs.field("Its place there; the end when absent.")


async def move_space(ctx: Context, id: SpaceId, input: MoveInput) -> Space:
    """Move a space; needs the role `create` on it and where it goes.

    BadRequest: the collection is unknown, or the position names something that is not there.
    Conflict: it stands there already.
    """
    space = await must_in_tree(ctx, Space, id, Role.CREATE)
    parent = await _target(ctx, space, input)
    key = await _place(ctx, space, parent, input)
    space.parent_id = parent.id if parent else None
    space.position = key
    space.updated_at = ctx.now()
    await _settle(ctx, space)
    return space


async def move_collection(ctx: Context, id: CollectionId, input: MoveInput) -> Collection:
    """Move a collection with all it holds; needs the role `create` on it and where it goes.

    BadRequest: the collection is unknown or below the moved one, the position names something
    that is not there, or there would be more than 20 levels. Conflict: it stands there already.
    """
    collection = await must_in_tree(ctx, Collection, id, Role.CREATE)
    parent = await _target(ctx, collection, input)
    key = await _place(ctx, collection, parent, input)
    if collection.parent_id != (parent.id if parent else None):
        await reparent(ctx, collection, parent)
    collection.position = key
    await _settle(ctx, collection)
    return collection


async def _target(ctx: Context, row: Space | Collection, input: MoveInput) -> Collection | None:
    """The collection that the row goes to; None for the top level."""
    parent_id = row.parent_id if input.parent is None else input.parent.value
    try:
        return await must_hold(ctx, row.organization_id, parent_id)
    except NotFound as error:
        if input.parent is None:
            raise Forbidden("this needs the role 'create' on the collection it is in") from error
        raise BadRequest(
            f"parent: collection {parent_id!r} does not exist or is not visible to you"
        ) from error


async def _place(
    ctx: Context, row: Space | Collection, parent: Collection | None, input: MoveInput
) -> str:
    siblings = Siblings(row.organization_id, parent.id if parent else None)
    position = None if input.position is None else input.position.value
    key = await place(ctx, row, siblings, position)
    if key is None:
        raise Conflict("it stands at exactly this place already")
    return key


async def _settle(ctx: Context, row: Space | Collection) -> None:
    """Write the new place; many moves to one place make its keys long, so they are renewed."""
    await ctx.session.flush()
    if len(row.position) > KEY_LIMIT:
        await shorten(ctx, Siblings(row.organization_id, row.parent_id))
        await ctx.session.refresh(row, ["position"])
