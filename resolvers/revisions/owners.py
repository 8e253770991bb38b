"""Which space has a stable id as its id in GraphQL: the first in whose primary content it is.

Ids that this server makes are unique. Imports bring ids of their own, and the same source may be
imported into several spaces. Whatever comes later with an id that something has, be it another page
or an organization, is noted as a homonym: its id in GraphQL names the space as well (decision
0049). Both are noted for good, so an id never changes what it means, and with the index of the
space (resolvers/search/index.py): in the write that changes it, or when it is built.
"""

from collections.abc import Sequence

from sqlalchemy import literal, select, union_all

from content.merkle.read import diff
from db.inserts import insert_missing, parts
from db.models.content import ContentHomonym, ContentOwner, Revision
from db.prepared import among
from resolvers.core.context import Context
from resolvers.core.nodes import NODES
from resolvers.core.statements import Viewer, Written, statement
from resolvers.revisions.ids import MAPS
from resolvers.revisions.store import walk_all

IDS_AT_ONCE = 1000


@statement
def _holders(viewer: Viewer) -> Written:
    """The holders of ids: content by space and kind, and rows of all other tables."""
    owners = select(ContentOwner.id, ContentOwner.space_id, ContentOwner.kind)
    empty = literal("").label("space_id"), literal("").label("kind")
    others = (
        select(model.id.label("id"), *empty).where(among(model.id, "ids"))  # type: ignore[attr-defined]
        for model in NODES.values()
    )
    holders = union_all(owners.where(among(ContentOwner.id, "ids")), *others).subquery()
    return select(holders.c.id, holders.c.space_id, holders.c.kind)


async def note_ids(ctx: Context, before: Revision | None, after: Revision) -> None:
    """Note the stable ids that are new in the primary content of a space."""
    walks = [
        (after.space_id, diff(getattr(before, root, None), getattr(after, root)))
        for root in MAPS.values()
    ]
    # In one order for all spaces: two that note the same ids wait for each other in turn.
    new = sorted(
        (kind, change.key)
        for kind, changes in zip(MAPS, await walk_all(ctx, walks), strict=True)
        for change in changes
        if change.before is None
    )
    for some in parts(new, IDS_AT_ONCE):
        await _note(ctx, after.space_id, some)


async def _note(ctx: Context, space_id: str, new: Sequence[tuple[str, str]]) -> None:
    rows = [{"id": id, "space_id": space_id, "kind": kind} for kind, id in new]
    await insert_missing(ctx.session, ContentOwner, rows)
    homonyms = await _homonyms(ctx, space_id, new)
    rows = [{"space_id": space_id, "kind": kind, "id": id} for kind, id in homonyms]
    await insert_missing(ctx.session, ContentHomonym, rows)


async def _homonyms(
    ctx: Context, space_id: str, new: Sequence[tuple[str, str]]
) -> list[tuple[str, str]]:
    """The objects whose id another object has, too."""
    held: dict[str, set[tuple[str, str]]] = {}
    for row in await _holders.rows(ctx, ids={id for _, id in new}):
        held.setdefault(row.id, set()).add((row.space_id, row.kind))
    return [(kind, id) for kind, id in new if held.get(id) != {(space_id, kind)}]
