"""What documents refer to: files, people and reusable contents, wherever they are named."""

import asyncio
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]


@dataclass(slots=True)
class Named:
    """What documents refer to, by kind."""

    files: set[str] = field(default_factory=set)
    users: set[str] = field(default_factory=set)
    contents: set[str] = field(default_factory=set)


async def collect(documents: Iterable[Json], named: Named) -> None:
    """Add what documents refer to; in a thread, because documents may be large."""
    await asyncio.to_thread(_walk, list(documents), named)


def _walk(documents: list[Any], named: Named) -> None:
    stack: list[Any] = documents
    while stack:
        value = stack.pop()
        if isinstance(value, list):
            stack.extend(value)
        elif isinstance(value, dict):
            _name(value, named)
            stack.extend(value.values())


def _name(value: Json, named: Named) -> None:
    """Add a reference, if that is what the object is, or the values of a table that name some."""
    kind = value.get("kind")
    kinds = (("file", named.files, "file"), ("user", named.users, "user"),
             ("reusable-content", named.contents, "reusableContent"))  # fmt: skip
    for one, names, key in kinds:
        id = value.get(key)
        if kind == one and isinstance(id, str):
            names.add(id)
    definition, records = value.get("definition"), value.get("records")
    if isinstance(definition, dict) and isinstance(records, dict):
        for id, column in definition.items():
            column_type = column.get("type") if isinstance(column, dict) else None
            if column_type == "users":
                named.users.update(_cell_texts(records, id))
            elif column_type == "files":
                named.files.update(_cell_texts(records, id))


def _cell_texts(records: Json, column: str) -> Iterator[str]:
    """The texts in the cells of a column, which may be one or a list of them."""
    for record in records.values():
        values = record.get("values") if isinstance(record, dict) else None
        cell = values.get(column) if isinstance(values, dict) else None
        yield from (one for one in (cell if isinstance(cell, list) else [cell])
                    if isinstance(one, str))  # fmt: skip
