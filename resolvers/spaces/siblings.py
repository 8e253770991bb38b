"""The order of siblings: spaces and collections of one parent share one row of sort keys.

Every function that makes a key expects the organization's tree to be locked
(`collection_tree.lock_tree`), so that no two siblings get the same one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import strawberry
from sqlalchemy import ColumnElement, and_, exists, func, or_, select, union_all, update

from content.ordering import between, spread
from db.content_enums import ContentKind
from db.models.spaces import Collection, Space
from resolvers.access.policy import visible
from resolvers.core import inputs
from resolvers.core.context import Context
from resolvers.core.errors import BadRequest

MODELS: dict[ContentKind, type[Space] | type[Collection]] = {
    ContentKind.SPACE: Space,
    ContentKind.COLLECTION: Collection,
}
# Keys of siblings are spread anew when one becomes longer than this; the column holds 255.
KEY_LIMIT = 120


@strawberry.input(description="A space or a collection that something is placed beside.")
class ContentPointer:
    type: ContentKind = inputs.field("Which of the two it is.", required=True)
    space: strawberry.ID | None = inputs.text("Id of the space, with the type `space`.")
    collection: strawberry.ID | None = inputs.text(
        "Id of the collection, with the type `collection`."
    )


@strawberry.input(description="A place among siblings; if both are given they must be adjacent.")
class ContentPosition:
    before: ContentPointer | None = inputs.field("Directly before this one.")
    after: ContentPointer | None = inputs.field("Directly after this one.")


@dataclass(frozen=True, slots=True)
class Siblings:
    """The children of one collection, or the top level of an organization (no parent)."""

    organization_id: str
    parent_id: str | None

    def hold(self, model: Any) -> ColumnElement[bool]:
        """The condition that a row of `model` is one of them."""
        return and_(
            model.organization_id == self.organization_id,
            model.parent_id.is_(None)
            if self.parent_id is None
            else model.parent_id == self.parent_id,
        )


async def key_at_end(ctx: Context, siblings: Siblings, moved: str = "") -> str:
    """A key behind all siblings but `moved`."""
    return between(await _edge(ctx, siblings, moved, func.max), None)


async def key_after(ctx: Context, siblings: Siblings, key: str, moved: str = "") -> str:
    """A key directly behind `key`, which is one of the siblings'."""
    beyond = await _edge(ctx, siblings, moved, func.min, lambda column: column > key)
    return between(key, beyond)


async def key_before(ctx: Context, siblings: Siblings, key: str, moved: str = "") -> str:
    """A key directly before `key`, which is one of the siblings'."""
    beyond = await _edge(ctx, siblings, moved, func.max, lambda column: column < key)
    return between(beyond, key)


async def prefix_after(ctx: Context, siblings: Siblings, key: str) -> str:
    """A key behind `key` such that everything that begins with it is there as well."""
    beyond = await _edge(ctx, siblings, "", func.min, lambda column: column > key)
    prefix = between(key, beyond)
    while beyond is not None and beyond.startswith(prefix):
        prefix = between(key, prefix)
    return prefix


async def _edge(
    ctx: Context,
    siblings: Siblings,
    moved: str,
    aggregate: Callable[[Any], Any],
    beyond: Callable[[Any], Any] | None = None,
) -> str | None:
    """The highest or lowest key; rows that the caller may not see, and the bin's, count too."""
    parts = [
        select(model.position.label("key"))
        .where(siblings.hold(model), model.id != moved)
        .where(*([] if beyond is None else [beyond(model.position)]))
        for model in MODELS.values()
    ]
    keys = await ctx.session.execute(select(aggregate(union_all(*parts).subquery().c.key)))
    key: str | None = keys.scalar()
    return key


async def place(
    ctx: Context, row: Space | Collection, siblings: Siblings, position: ContentPosition | None
) -> str | None:
    """The key that puts `row` there, or None when it stands exactly there already.

    Only siblings that the caller may see decide about adjacency: others stay unnoticed.
    BadRequest names the reference that is wrong.
    """
    before = after = None
    if position is not None and position.before is not None:
        before = await _reference(ctx, row, siblings, position.before, "position.before")
    if position is not None and position.after is not None:
        after = await _reference(ctx, row, siblings, position.after, "position.after")
    if (
        after is not None
        and before is not None
        and (after >= before or await _between(ctx, row, siblings, after, before))
    ):
        raise BadRequest("position: nothing may stand between `after` and `before`, in this order")
    stays = Siblings(row.organization_id, row.parent_id) == siblings
    if stays and await _is_there(ctx, row, siblings, before, after):
        return None
    if after is not None:
        return await key_after(ctx, siblings, after, row.id)
    if before is not None:
        return await key_before(ctx, siblings, before, row.id)
    return await key_at_end(ctx, siblings, row.id)


async def _reference(
    ctx: Context,
    row: Space | Collection,
    siblings: Siblings,
    pointer: ContentPointer,
    path: str,
) -> str:
    """The key of the sibling that a pointer names."""
    kind = pointer.type
    id = pointer.space if kind is ContentKind.SPACE else pointer.collection
    if id is None:
        raise BadRequest(f"{path}.{kind.value}: is required with the type {kind.value!r}")
    if id == row.id:
        raise BadRequest(f"{path}.{kind.value}: is the moved {kind.value} itself")
    model = MODELS[kind]
    statement = visible(ctx, model).where(model.id == id, siblings.hold(model))
    position = (
        await ctx.session.execute(statement.with_only_columns(model.position))
    ).scalar_one_or_none()
    if position is None:
        where = "at the top level" if siblings.parent_id is None else "in the target collection"
        raise BadRequest(f"{path}.{kind.value}: there is no {kind.value} {id!r} {where}")
    return str(position)


async def _is_there(
    ctx: Context,
    row: Space | Collection,
    siblings: Siblings,
    before: str | None,
    after: str | None,
) -> bool:
    if after is not None:
        return after < row.position and not await _between(ctx, row, siblings, after, row.position)
    if before is not None and before < row.position:
        return False
    return not await _between(ctx, row, siblings, row.position, before)


async def _between(
    ctx: Context, row: Space | Collection, siblings: Siblings, low: str, high: str | None
) -> bool:
    """Whether the caller sees a sibling other than `row` between two keys."""
    hidden = []
    for model in MODELS.values():
        statement = visible(ctx, model).with_only_columns(model.id)
        statement = statement.where(siblings.hold(model), model.id != row.id, model.position > low)
        if high is not None:
            statement = statement.where(model.position < high)
        hidden.append(exists(statement))
    return bool((await ctx.session.execute(select(or_(*hidden)))).scalar())


async def shorten(ctx: Context, siblings: Siblings) -> None:
    """Give all siblings new keys, in the same order, if one of them has become too long."""
    rows = []
    for model in MODELS.values():
        longest = select(func.max(func.length(model.position))).where(siblings.hold(model))
        if ((await ctx.session.execute(longest)).scalar() or 0) > KEY_LIMIT:
            break
    else:
        return
    for model in MODELS.values():
        stored = await ctx.session.execute(
            select(model.position, model.id).where(siblings.hold(model))
        )
        rows += [(*row, model) for row in stored]
    rows.sort(key=lambda row: row[:2])
    changes: dict[Any, list[dict[str, str]]] = {}
    for (_, id, model), fresh in zip(rows, spread(len(rows)), strict=True):
        changes.setdefault(model, []).append({"id": id, "position": fresh})
    for model, values in changes.items():
        await ctx.session.execute(update(model), values)
