"""Which revision a read of content is about: every read has one of these targets.

A read names a space and, beside it, nothing (its primary content), a change request (the content
of that), or a revision. All of them follow the space: whoever reads it reads all its content, and
nobody reads content of a space in the bin.
"""

from collections.abc import Iterable
from functools import cache
from typing import Annotated, Any

import strawberry
from sqlalchemy import ColumnElement, and_, bindparam, func, select
from sqlalchemy.orm import aliased

from db.models.change_requests import ChangeRequest
from db.models.content import Revision
from db.models.spaces import Space, written_revision_of
from db.prepared import ACTOR_RANK, KEY
from resolvers.access.policy import must
from resolvers.change_requests.operations import addressing, naming_of
from resolvers.core import inputs
from resolvers.core.arguments import SpaceId
from resolvers.core.batch_functions import ALL, Columns, Projection, only
from resolvers.core.context import Context
from resolvers.core.dependencies import OF_VISITORS, Standing
from resolvers.core.errors import NotFound, invalid
from resolvers.core.statements import Statement, rows_in
from resolvers.lists.batches import visible_in

InChangeRequest = Annotated[
    strawberry.ID | None,
    inputs.argument("Read the content of this change request (id or number), not the space's own."),
]
InRevision = Annotated[
    strawberry.ID | None, inputs.argument("Read the content of this revision, not the newest.")
]
WithComputed = Annotated[
    bool,
    inputs.argument(
        "Whether the pages that a source makes stand in the place of its computed page; else that "
        "page stands there. In change requests it does in any case."
    ),
]

# What reading pages, files and reusable contents of a revision takes.
ROOTS = frozenset(
    {
        "id", "space_id", "pages_root", "slugs_root", "files_root", "contents_root",
        "redirects_root",
    }
)  # fmt: skip

_IN_SPACE = Revision.space_id == bindparam("space_id", type_=KEY)
_NAMED = and_(_IN_SPACE, Revision.id == bindparam("revision_id", type_=KEY))
# Not the space that the rule of revisions joins.
_space = aliased(Space)
_ACTIVE = and_(
    _IN_SPACE,
    Revision.id
    == select(_space.revision_id)
    .where(_space.id == bindparam("space_id", type_=KEY))
    .scalar_subquery(),
)
# The same as they were written, without the pages of sources.
_WRITTEN = and_(
    _IN_SPACE,
    Revision.id
    == select(written_revision_of(_space))
    .where(_space.id == bindparam("space_id", type_=KEY))
    .scalar_subquery(),
)
_named = aliased(Revision)
_WRITTEN_OF_NAMED = and_(
    _IN_SPACE,
    Revision.id
    == select(func.coalesce(_named.expands_id, _named.id))
    .where(
        _named.id == bindparam("revision_id", type_=KEY),
        _named.space_id == bindparam("space_id", type_=KEY),
    )
    .scalar_subquery(),
)


@cache
def _of_change_request(naming: ColumnElement[bool]) -> ColumnElement[bool]:
    newest = select(ChangeRequest.revision_id).where(addressing(naming)).scalar_subquery()
    return and_(_IN_SPACE, Revision.id == newest)


async def find_revision(
    ctx: Context,
    space_id: str,
    change_request_id: str | None = None,
    revision_id: str | None = None,
    *,
    columns: Columns = ROOTS,
    computed: bool = True,
) -> Revision:
    """The revision that a read is about, in one statement; NotFound says what does not exist.

    Without `computed` it is the one that was written, in which computed pages are what they are.
    """
    if change_request_id is not None and revision_id is not None:
        raise invalid("revisionId", "cannot stand beside changeRequestId; give one of the two")
    values: dict[str, Any] = {"space_id": space_id}
    where = _ACTIVE if computed else _WRITTEN
    if revision_id is not None:
        where = _NAMED if computed else _WRITTEN_OF_NAMED
        values["revision_id"] = revision_id
    elif change_request_id is not None:
        naming, values["named"] = naming_of(change_request_id)
        where = _of_change_request(naming)
        if ctx.actor.visitor is not None:
            # Its content may be one that visitors read anyway; that it exists is not for them.
            await must(
                ctx, ChangeRequest, None, where=addressing(naming), projection=only("id"), **values
            )
    primary = where is _ACTIVE
    try:
        revision = await must(
            ctx, Revision, None, where=where, projection=Projection(columns), lasting=primary,
            **values,
        )  # fmt: skip
    except NotFound:
        await must(ctx, Space, space_id, projection=only("id"))
        if revision_id is not None:
            raise NotFound(f"revision {revision_id!r} does not exist in the space") from None
        raise NotFound(
            f"change request {change_request_id!r} does not exist in the space"
        ) from None
    if primary and ctx.dependencies is not None:
        rank = getattr(revision, ACTOR_RANK) if ctx.actor.visitor is None else OF_VISITORS
        ctx.dependencies.add(space_id, Standing(revision.id, rank))
    return revision


_readable = visible_in(Revision.id, "ids")
_stored = rows_in(Revision.id, "ids")


async def revisions_by_id(
    ctx: Context, ids: Iterable[str], columns: Columns = ROOTS
) -> dict[str, Revision]:
    """Revisions that the caller may read, by id."""
    return await _by_id(ctx, _readable, ids, columns)


async def stored_revisions(ctx: Context, ids: Iterable[str]) -> dict[str, Revision]:
    """Revisions that were found by the policy, by id."""
    return await _by_id(ctx, _stored, ids, ROOTS)


async def _by_id(
    ctx: Context, revisions: Statement, ids: Iterable[str], columns: Columns
) -> dict[str, Revision]:
    revision_ids = set(ids)
    if not revision_ids:
        return {}
    rows = await revisions.rows(ctx, columns=columns, ids=revision_ids)
    return {revision.id: revision for revision in rows}


async def get_revision(
    ctx: Context,
    space_id: SpaceId,
    id: Annotated[
        strawberry.ID | None, inputs.argument("Id of the revision; the newest one when absent.")
    ] = None,
    change_request_id: InChangeRequest = None,
    computed: WithComputed = True,
    *,
    projection: Projection = ALL,
) -> Revision:
    """A revision of a space: the active one, the newest of a change request, or a named one."""
    columns = projection.columns_with("id")
    return await find_revision(
        ctx, space_id, change_request_id, id, columns=columns, computed=computed
    )
