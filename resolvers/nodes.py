"""Objects by id alone, whatever their kind (the Node interface)."""

from collections.abc import Sequence
from typing import Annotated, Any

import strawberry
from sqlalchemy import literal, select, union_all

from db.models.content import ContentOwner
from db.prepared import among
from db.rows import model_of
from resolvers.access.model_scopes import scope_of_object
from resolvers.access.policy import visible
from resolvers.core import inputs
from resolvers.core.context import Context
from resolvers.core.errors import Invalid
from resolvers.core.nodes import NODES, SEPARATOR
from resolvers.core.policy_asked import policy_was_asked
from resolvers.core.scopes import must_hold
from resolvers.core.statements import Viewer, Written, statement
from resolvers.organizations.members import find_members
from resolvers.revisions.nodes import find_content

OWNERS = ContentOwner.__tablename__
IDS_LIMIT = 100

NodeId = Annotated[strawberry.ID, inputs.argument("Id of the object.")]
NodeIds = Annotated[
    list[strawberry.ID], inputs.argument(f"Ids of the objects, at most {IDS_LIMIT}.")
]


@statement
def _places(viewer: Viewer) -> Written:
    """Which tables hold the ids, without anything of the rows."""
    places = union_all(
        *(
            select(literal(name).label("name"), model.id.label("id")).where(  # type: ignore[attr-defined]
                among(model.id, "ids")  # type: ignore[attr-defined]
            )
            for name, model in (*NODES.items(), (OWNERS, ContentOwner))
        )
    ).subquery()
    return select(places.c.name, places.c.id)


@statement
def _visible(viewer: Viewer, model: Any) -> Written:
    return visible(viewer, model).where(among(model.id, "ids"))


async def get_node(ctx: Context, id: NodeId) -> Any:
    """The object with this id; null when it does not exist or is not visible to you."""
    (node,) = await _find(ctx, [id])
    return node


async def get_nodes(ctx: Context, ids: NodeIds) -> list[Any]:
    """The objects with these ids, in order; null for each that you cannot see."""
    for problem in inputs.Bounds(maximum=IDS_LIMIT).problems(ids):
        raise Invalid(f"ids: {problem}")
    return await _find(ctx, ids)


async def _find(ctx: Context, ids: Sequence[str]) -> list[Any]:
    # First which tables hold the ids; then each table's rows through its rule.
    policy_was_asked()
    plain = [id for id in ids if SEPARATOR not in id]
    tables = {place.name for place in await _places.rows(ctx, ids=plain)} if plain else set()
    rows: dict[str, Any] = {}
    for name in sorted(tables - {OWNERS}):
        rows.update((row.id, row) for row in await _visible.rows(ctx, NODES[name], ids=plain))
    placed = [id for id in ids if SEPARATOR in id]
    rows.update(await find_members(ctx, placed))
    if placed or OWNERS in tables:
        rows.update(await find_content(ctx, [id for id in ids if id not in rows]))
    nodes = [rows.get(id) for id in ids]
    for node in nodes:
        if node is not None:
            must_hold(ctx.actor, scope_of_object(model_of(node)))
    return nodes
