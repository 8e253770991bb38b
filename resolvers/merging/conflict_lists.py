"""Conflicts of merges as they are listed, with both sides."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import orjson
from sqlalchemy import Integer, bindparam, case

from content.pages.layout_options import read_layout
from db.content_enums import ConflictKind
from db.models.change_requests import ChangeRequest
from db.models.merging import MergeConflict, recorded
from resolvers.change_requests.operations import newest_revisions
from resolvers.content.client_markdown import Standpoint, client_documents, is_private
from resolvers.content.pages import layout_of
from resolvers.core import inputs
from resolvers.core.context import Batch, Context
from resolvers.core.filters import Filter
from resolvers.core.pagination import PageArguments, by_id
from resolvers.lists.batches import computed_from, reads
from resolvers.lists.listings import Listing
from resolvers.revisions.typed_references import Origin, typed_reference
from resolvers.revisions.typed_values import (
    TypedValue,
    typed_cover,
    typed_source,
    typed_value,
)

Json = dict[str, Any]


NODES = "nodes"
VALUE = "value"
# Kinds of typed versions, beside those of JSON values: nodes, places, and fields of pages.
NODE, PLACE = "node", "place"
TARGET, COVER, LAYOUT, COMPUTED = "target", "cover", "layout", "computed"


@dataclass(frozen=True)
class ConflictArguments(PageArguments):
    """Filters of a list of conflicts."""

    resolved: Annotated[
        bool | None, inputs.argument("Only those that are settled, or only open ones.")
    ] = None


conflicts_of_change_requests = Listing(
    "conflicts_of_change_requests",
    MergeConflict,
    MergeConflict.change_request_id,
    by_id(MergeConflict),
    recorded(),
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


@computed_from("data")
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
    @computed_from("data", "change_request_id", "page_id")
    async def versions(
        ctx: Context, rows: Sequence[MergeConflict], arguments: Any
    ) -> list[Json | None]:
        shown_versions = [shown(row.data.get(name)) for row in rows]
        texts = [orjson.dumps(version).decode() for version in shown_versions]
        private = (is_private(text) for text in texts)
        ids = {row.change_request_id for row, may in zip(rows, private, strict=True) if may}
        # They stand in the content of their change requests.
        revisions = await newest_revisions(ctx, ChangeRequest, ids)
        standpoints = [
            Standpoint(revisions.get(row.change_request_id, ""), row.page_id) for row in rows
        ]
        return await client_documents(ctx, standpoints, shown_versions, texts)

    function: Callable[..., Any] = versions
    function.__doc__, function.__name__ = about, f"conflict_{name}"
    return versions


conflict_bases = _version("base", "What both sides come from.")
conflict_ours = _version("ours", "The change request's version.")
conflict_theirs = _version("theirs", "The space's version.")


# The largest number that Int of GraphQL has.
LARGEST_INT = 2**31 - 1


@dataclass(frozen=True, slots=True)
class PageSide:
    """A whole page, which the other side deleted."""

    title: str | None
    slug: str | None
    description: str | None
    document_id: str | None


@dataclass(frozen=True, slots=True)
class FileSide:
    """A whole file."""

    name: str | None
    content_type: str | None
    size: int | None


@dataclass(frozen=True, slots=True)
class ContentSide:
    """A whole reusable content."""

    title: str | None
    document_id: str | None


def typed_side(row: MergeConflict, version: Json | None, origin: Origin) -> Any:
    """A version of a conflict, as the field of JSON shows it, with its type; None for none."""
    if version is None:
        return None
    value = given(version)
    if "object" in version:
        return TypedValue(NODE, value)
    if NODES in version:
        return TypedValue(NODES, value)
    if isinstance(value, dict):
        if row.field is None and row.kind in _WHOLE:
            return _WHOLE[row.kind](value)
        if row.kind is ConflictKind.FIELD and row.block is None and row.field in _FIELDS:
            return TypedValue(str(row.field), _FIELDS[row.field](value, origin))
    return typed_value(value)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _place(value: Json) -> TypedValue:
    return TypedValue(PLACE, _text(value.get("parent")))


def _page(value: Json) -> PageSide:
    names = ("title", "slug", "description", "document_id")
    return PageSide(**{name: _text(value.get(name)) for name in names})


def _file(value: Json) -> FileSide:
    size = value.get("size")
    return FileSide(
        _text(value.get("name")),
        _text(value.get("type")),
        size if isinstance(size, int) and 0 <= size <= LARGEST_INT else None,
    )


def _content(value: Json) -> ContentSide:
    return ContentSide(_text(value.get("title")), _text(value.get("document_id")))


_WHOLE: dict[ConflictKind, Callable[[Json], Any]] = {
    ConflictKind.PAGE_DELETED_EDITED: _page,
    ConflictKind.PAGE_MOVED_TWICE: _place,
    ConflictKind.PAGE_CYCLE: _place,
    ConflictKind.FILE: _file,
    ConflictKind.REUSABLE_CONTENT: _content,
}
_FIELDS: dict[str | None, Callable[[Json, Origin], Any]] = {
    TARGET: typed_reference,
    COVER: typed_cover,
    # What an earlier release stored may be no layout.
    LAYOUT: lambda value, origin: layout_of(read_layout(value)[0]),
    COMPUTED: typed_source,
}


def _sides(name: str, versions: Batch, *, in_space: bool = False) -> Batch:
    @reads("data", "kind", "field", "block", "page_id", "space_id", "change_request_id")
    async def sides(ctx: Context, rows: Sequence[MergeConflict], arguments: Any) -> list[Any]:
        shown = await versions(ctx, rows, None)
        ids = set() if in_space else {row.change_request_id for row in rows}
        newest = await newest_revisions(ctx, ChangeRequest, ids)
        return [
            typed_side(
                row,
                version,
                Origin(row.space_id, newest.get(row.change_request_id), row.page_id),
            )
            for row, version in zip(rows, shown, strict=True)
        ]

    function: Callable[..., Any] = sides
    function.__doc__ = f"The version {name} of each conflict with its type."
    function.__name__ = f"typed_{name}"
    return sides


typed_bases = _sides("base", conflict_bases)
typed_ours = _sides("ours", conflict_ours)
# What the space made of it means things of the space.
typed_theirs = _sides("theirs", conflict_theirs, in_space=True)
