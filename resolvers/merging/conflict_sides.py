"""The three versions in conflicts, with types (decision 0059).

What a version is follows from what the conflict is about; the value is the one that the field of
JSON shows, with the same addresses in it. What has no type of its own is a value of the kind
`other`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from content.pages.layout_options import read_layout
from db.content_enums import ConflictKind
from db.models.change_requests import ChangeRequest
from db.models.merging import MergeConflict
from db.prepared import among
from resolvers.content.pages import Layout, layout_of
from resolvers.core.context import Batch, Context
from resolvers.core.statements import Viewer, Written, statement
from resolvers.lists.batches import reads
from resolvers.merging.conflict_lists import (
    NODES,
    conflict_bases,
    conflict_ours,
    conflict_theirs,
    given,
)
from resolvers.revisions.typed_references import Origin, TypedReference, typed_reference
from resolvers.revisions.typed_values import (
    ComputedSource,
    PageCover,
    typed_cover,
    typed_source,
    typed_value,
)

Json = dict[str, Any]
# The largest number that Int of GraphQL has.
LARGEST_INT = 2**31 - 1


@dataclass(frozen=True, slots=True)
class NodeSide:
    """A node of a document."""

    node: Json


@dataclass(frozen=True, slots=True)
class NodesSide:
    """Nodes of a document, such as the text of a cell."""

    nodes: list[Json]


@dataclass(frozen=True, slots=True)
class PlaceSide:
    """The place of a page."""

    parent_page_id: str | None


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


@dataclass(frozen=True, slots=True)
class ReferenceSide:
    """Where a link page leads."""

    reference: TypedReference


@dataclass(frozen=True, slots=True)
class CoverSide:
    """The cover of a page."""

    cover: PageCover


@dataclass(frozen=True, slots=True)
class LayoutSide:
    """The layout of a page."""

    layout: Layout


@dataclass(frozen=True, slots=True)
class SourceSide:
    """The source of a computed page."""

    computed: ComputedSource


def typed_side(row: MergeConflict, version: Json | None, origin: Origin) -> Any:
    """A version of a conflict, as the field of JSON shows it, with its type; None for none."""
    if version is None:
        return None
    value = given(version)
    if "object" in version:
        return NodeSide(value)
    if NODES in version:
        return NodesSide(value)
    if isinstance(value, dict):
        if row.field is None and row.kind in _WHOLE:
            return _WHOLE[row.kind](value)
        if row.kind is ConflictKind.FIELD and row.block is None and row.field in _FIELDS:
            return _FIELDS[row.field](value, origin)
    return typed_value(value)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _place(value: Json) -> PlaceSide:
    return PlaceSide(_text(value.get("parent")))


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


def _cover(value: Json, origin: Origin) -> Any:
    cover = typed_cover(value, origin)
    return None if cover is None else CoverSide(cover)


def _source(value: Json, origin: Origin) -> Any:
    source = typed_source(value, origin)
    return None if source is None else SourceSide(source)


_WHOLE: dict[ConflictKind, Callable[[Json], Any]] = {
    ConflictKind.PAGE_DELETED_EDITED: _page,
    ConflictKind.PAGE_MOVED_TWICE: _place,
    ConflictKind.PAGE_CYCLE: _place,
    ConflictKind.FILE: _file,
    ConflictKind.REUSABLE_CONTENT: _content,
}
_FIELDS: dict[str | None, Callable[[Json, Origin], Any]] = {
    "target": lambda value, origin: ReferenceSide(typed_reference(value, origin)),
    "cover": _cover,
    # What an earlier release stored may be no layout.
    "layout": lambda value, origin: LayoutSide(layout_of(read_layout(value)[0])),
    "computed": _source,
}


@statement
def _contents(viewer: Viewer) -> Written:
    return select(ChangeRequest.id, ChangeRequest.revision_id).where(among(ChangeRequest.id, "ids"))


def _sides(name: str, versions: Batch, *, in_space: bool = False) -> Batch:
    @reads("data", "kind", "field", "block", "page_id", "space_id", "change_request_id")
    async def sides(ctx: Context, rows: Sequence[MergeConflict], arguments: Any) -> list[Any]:
        shown = await versions(ctx, rows, None)
        newest: dict[str, str] = {}
        if not in_space:
            ids = {row.change_request_id for row in rows}
            newest = {row.id: row.revision_id for row in await _contents.rows(ctx, ids=ids)}
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
