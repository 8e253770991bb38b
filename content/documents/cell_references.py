"""Cells of tables that name files or people: by id, as published schemas have it.

What is not of this space, such as the address of a file elsewhere, is a content reference.
"""

from __future__ import annotations

from collections.abc import Iterator

from content.json_types import Json, JsonObject

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
                found = cell_reference(kind, item)
                if found is not None:
                    yield found.get("ref", found) if "kind" not in found else found


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
                    cell_item(str(kind), one) if isinstance(one, dict) else one for one in value
                ]
