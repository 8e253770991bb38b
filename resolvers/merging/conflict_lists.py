"""Lists of conflicts, and how the three versions in them are shown."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import strawberry
from sqlalchemy import Integer, bindparam, case

from db.models.change_requests import ChangeRequest
from db.models.merging import MergeConflict
from resolvers.comments.texts import client_versions
from resolvers.core.context import Batch, Context
from resolvers.core.filters import Filter
from resolvers.core.pagination import PageArguments, by_id
from resolvers.lists.batches import reads
from resolvers.lists.listings import Listing

Json = dict[str, Any]
# Kinds whose versions are nodes of documents.
NODES = "nodes"
VALUE = "value"


@dataclass(frozen=True)
class ConflictArguments(PageArguments):
    """Filters of a list of conflicts."""

    resolved: Annotated[
        bool | None,
        strawberry.argument(description="Only those that are settled, or only open ones."),
    ] = None


conflicts_of_change_requests = Listing(
    "conflicts_of_change_requests",
    MergeConflict,
    MergeConflict.change_request_id,
    by_id(MergeConflict),
    about="What merges could not decide, oldest first.",
    filters=(
        Filter(
            "resolved",
            lambda arguments: None if arguments.resolved is None else int(arguments.resolved),
            case((MergeConflict.resolution.is_not(None), 1), else_=0)
            == bindparam("resolved", type_=Integer()),
        ),
    ),
    follows=ChangeRequest,
)


@dataclass(frozen=True, slots=True)
class ConflictCell:
    """A cell of a table, or a whole row or column."""

    record: str | None
    definition: str | None


@reads("data")
async def conflict_cells(
    ctx: Context, rows: Sequence[MergeConflict], arguments: Any
) -> list[ConflictCell | None]:
    """The part of a table that each is about."""
    return [
        ConflictCell(cell.get("record"), cell.get("definition"))
        if (cell := row.data.get("cell")) is not None
        else None
        for row in rows
    ]


def shown(value: Any) -> Json | None:
    """A version as an object: a node as it is, nodes in `nodes`, anything else in `value`."""
    if value is None:
        return None
    if isinstance(value, dict) and "object" in value:
        return value
    if isinstance(value, list) and all(
        isinstance(node, dict) and "object" in node for node in value
    ):
        return {NODES: value}
    return {VALUE: value}


def given(value: Json) -> Any:
    """The version that `shown` has shown as this object."""
    if "object" in value:
        return value
    return value[NODES] if NODES in value else value.get(VALUE)


def _version(name: str, about: str) -> Batch:
    @reads("data", "change_request_id", "page_id")
    async def versions(
        ctx: Context, rows: Sequence[MergeConflict], arguments: Any
    ) -> list[Json | None]:
        return await client_versions(ctx, rows, [shown(row.data.get(name)) for row in rows])

    function: Callable[..., Any] = versions
    function.__doc__, function.__name__ = about, f"conflict_{name}"
    return versions


conflict_bases = _version("base", "What both sides come from.")
conflict_ours = _version("ours", "The change request's version.")
conflict_theirs = _version("theirs", "The space's version.")
