"""Objects by id alone, whatever their kind (the Node interface)."""

from collections.abc import Sequence
from typing import Annotated, Any

import strawberry
from sqlalchemy import literal, select, union_all

from db.base import Base
from db.models.conflicts import MergeConflict
from db.models.content import Revision
from db.models.discussions import ChangeRequest, Comment
from db.models.people import Organization, User
from db.models.reviews import Review
from db.models.site_settings import ShareLink, SiteMcpServer, SiteRedirect
from db.models.sites import Site, SiteSection, SiteSectionGroup, SiteSpace
from db.models.spaces import Collection, Space
from db.prepared import among
from resolvers import inputs
from resolvers.context import Context, policy_was_asked
from resolvers.errors import Invalid
from resolvers.policy import visible
from resolvers.statements import Asks, Written, statement

# Everything that has an id of its own.
NODES: dict[str, type[Base]] = {
    model.__tablename__: model
    for model in (
        Organization, User, Collection, Space, Revision, ChangeRequest, Review, MergeConflict,
        Comment, Site, SiteSection, SiteSectionGroup, SiteSpace, ShareLink, SiteRedirect,
        SiteMcpServer,
    )
}  # fmt: skip
IDS_LIMIT = 100

NodeId = Annotated[strawberry.ID, strawberry.argument(description="Id of the object.")]
NodeIds = Annotated[
    list[strawberry.ID],
    strawberry.argument(description=f"Ids of the objects, at most {IDS_LIMIT}."),
]


@statement
def _places(asks: Asks) -> Written:
    """Which tables hold the ids, without anything of the rows."""
    found = union_all(
        *(
            select(literal(name).label("name"), model.id.label("id")).where(  # type: ignore[attr-defined]
                among(model.id, "ids")  # type: ignore[attr-defined]
            )
            for name, model in NODES.items()
        )
    ).subquery()
    return select(found.c.name, found.c.id)


@statement
def _visible(asks: Asks, model: Any) -> Written:
    return visible(asks, model).where(among(model.id, "ids"))


async def get_node(ctx: Context, id: NodeId) -> Any:
    """The object with this id; null when it does not exist or is not visible to you."""
    (found,) = await _find(ctx, [id])
    return found


async def get_nodes(ctx: Context, ids: NodeIds) -> list[Any]:
    """The objects with these ids, in order; null for each that you cannot see."""
    for problem in inputs.Bounds(maximum=IDS_LIMIT).problems(ids):
        raise Invalid(f"ids: {problem}")
    return await _find(ctx, ids)


async def _find(ctx: Context, ids: Sequence[str]) -> list[Any]:
    # First which tables hold the ids; then each table's rows through its rule.
    policy_was_asked()
    if not ids:
        return []
    tables = {place.name for place in await _places.rows(ctx, ids=ids)}
    found: dict[str, Any] = {}
    for name in sorted(tables):
        found.update((row.id, row) for row in await _visible.rows(ctx, NODES[name], ids=ids))
    return [found.get(id) for id in ids]
