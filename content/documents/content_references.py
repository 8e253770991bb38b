"""Content references: their kinds; as URLs; and in cells of tables.

Markdown needs a URL where no path of a file is known. A url reference is its URL. Any other becomes
`docstead:KIND?field=value&...` with all of its text fields, so that nothing is lost on the way to
Markdown and back. Cells name files and people by id, as published schemas have it; what is not of
this space, such as the address of a file elsewhere, is a content reference there, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import parse_qsl, urlencode

from content.json_types import Json, JsonObject

# Kind -> the member that names the thing.
NAMES = {
    "url": "url",
    "file": "file",
    "page": "page",
    "anchor": "page",
    "user": "user",
    "collection": "collection",
    "space": "space",
    "reusable-content": "reusableContent",
    "openapi": "spec",
}
# These may name a space; without one they are about their own.
IN_SPACES = ("file", "page", "anchor", "reusable-content")


SCHEME = "docstead:"
KINDS = (*(kind for kind in NAMES if kind != "url"), "tag")


def reference_url(reference: JsonObject) -> str:
    """The URL that stands for a content reference; empty for one without a kind."""
    kind = reference.get("kind")
    if kind == "url":
        return str(reference.get("url", ""))
    if not isinstance(kind, str):
        return ""
    fields = {
        name: value
        for name, value in sorted(reference.items())
        if name != "kind" and isinstance(value, str)
    }
    return f"{SCHEME}{kind}?{urlencode(fields)}"


def read_reference(url: str) -> JsonObject | None:
    """The content reference that such a URL stands for; None for every other URL."""
    if not url.startswith(SCHEME):
        return None
    kind, _, query = url.removeprefix(SCHEME).partition("?")
    if kind not in KINDS:
        return None
    # NUL cannot be stored; it becomes what bytes become that are no text.
    query = query.replace("%00", "%EF%BF%BD")
    fields = parse_qsl(query, keep_blank_values=True, max_num_fields=None)
    return {"kind": kind, **{name: value for name, value in fields if name != "kind"}}


# Type of the column -> kind of the reference that an id stands for, which is also its member.
_KINDS = {"files": "file", "users": "user"}


def cell_reference(column: Json, item: Json) -> JsonObject | None:
    """The content reference for one item of a cell in a column of type `column`."""
    if isinstance(item, dict):
        return item
    kind = _KINDS.get(column) if isinstance(column, str) else None
    return {"kind": kind, kind: item} if kind is not None and isinstance(item, str) else None


def cell_item(column: str, reference: JsonObject) -> Json:
    """The item of a cell for a reference: its id when that says it all."""
    kind = _KINDS.get(column, "")
    id = reference.get(kind)
    if isinstance(id, str) and reference == {"kind": kind, kind: id}:
        return id
    return reference


def cell_references(definition: Json, records: Json) -> Iterator[Json]:
    """The references in the cells of a table, row by row; text cells are fragments."""
    columns = definition if isinstance(definition, dict) else {}
    rows = records.values() if isinstance(records, dict) else records
    for record in rows if rows is not None and not isinstance(rows, bool | int | float) else ():
        values = record.get("values") if isinstance(record, dict) else None
        for id, value in values.items() if isinstance(values, dict) else ():
            column = columns.get(id)
            kind = column.get("type") if isinstance(column, dict) else None
            for item in value if isinstance(value, list) else (value,):
                reference = cell_reference(kind, item)
                if reference is not None:
                    yield reference.get("ref", reference) if "kind" not in reference else reference


def settle_cells(definition: Json, records: Json) -> None:
    """Write ids in place of references that they can stand for, in all cells of a table."""
    columns = definition if isinstance(definition, dict) else {}
    for record in records.values() if isinstance(records, dict) else ():
        values = record.get("values") if isinstance(record, dict) else None
        for id, value in values.items() if isinstance(values, dict) else ():
            column = columns.get(id)
            kind = column.get("type") if isinstance(column, dict) else None
            if isinstance(value, list) and kind in _KINDS:
                value[:] = [
                    cell_item(str(kind), item) if isinstance(item, dict) else item for item in value
                ]
