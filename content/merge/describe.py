"""Conflicts in a sentence for people."""

from __future__ import annotations

from typing import Any, Final

from content.markdown.plain_text import plain_text
from content.merge.conflict import Conflict, ConflictKind

LIMIT: Final = 60
_FIELDS: Final = {
    "no_index": "search setting",
    "no_robots_index": "search engine setting",
    "hidden": "visibility",
    "condition": "condition",
    "target": "link target",
}


def describe(conflict: Conflict) -> str:
    """One line in English that says what met, without JSON: texts are cut to 60 characters."""
    ours, theirs = _told(conflict.ours), _told(conflict.theirs)
    match conflict.kind:
        case ConflictKind.PAGE_DELETED_EDITED:
            return f"Page {_title(conflict)} was {_removed(conflict, 'edited')}."
        case ConflictKind.PAGE_MOVED_TWICE:
            return "The page was moved to different places by the change request and the space."
        case ConflictKind.PAGE_CYCLE:
            return "Moves in the change request and in the space would put pages into each other."
        case ConflictKind.FIELD:
            return f"The {_name(conflict.field)} of the page is {_versions(ours, theirs)}."
        case ConflictKind.VARIABLE:
            return f"The variable {conflict.field} is {_versions(ours, theirs)}."
        case ConflictKind.FILE:
            if conflict.ours is None or conflict.theirs is None:
                return f"File {_title(conflict)} was {_removed(conflict, 'changed')}."
            return f"File {_title(conflict)} was changed by the change request and by the space."
        case ConflictKind.REUSABLE_CONTENT:
            if conflict.field is not None:
                return f"The {conflict.field} of a reusable content is {_versions(ours, theirs)}."
            return f"Reusable content {_title(conflict)} was {_removed(conflict, 'edited')}."
        case ConflictKind.CELL:
            return _cell(conflict, ours, theirs)
        case ConflictKind.BLOCK:
            return _block(conflict, ours, theirs)


def _block(conflict: Conflict, ours: str, theirs: str) -> str:
    if conflict.field is not None:
        return f"The {_name(conflict.field)} of a block is {_versions(ours, theirs)}."
    if conflict.ours is None or conflict.theirs is None:
        left = theirs if conflict.ours is None else ours
        return f"A block was {_removed(conflict, 'edited')}: {left}."
    if conflict.base is None:
        return f"A block was added twice: it is {_versions(ours, theirs)}."
    return f"A block was edited twice: it is {_versions(ours, theirs)}."


def _cell(conflict: Conflict, ours: str, theirs: str) -> str:
    cell = conflict.cell
    if cell is None or cell.record is None:
        if conflict.field is not None:
            return f"The {_name(conflict.field)} of a column is {_versions(ours, theirs)}."
        return f"A column of a table was {_removed(conflict, 'edited')}."
    if cell.definition is None:
        return f"A row of a table was {_removed(conflict, 'edited')}."
    return f"A cell of a table is {_versions(ours, theirs)}."


def _versions(ours: str, theirs: str) -> str:
    return f"{ours} in the change request and {theirs} in the space"


def _removed(conflict: Conflict, verb: str) -> str:
    if conflict.ours is None:
        return f"removed by the change request and {verb} in the space"
    return f"{verb} by the change request and removed in the space"


def _title(conflict: Conflict) -> str:
    for entry in (conflict.theirs, conflict.ours):
        if isinstance(entry, dict):
            return _told(entry.get("title", entry.get("name")))
    return _told(None)


def _name(field: str | None) -> str:
    words = _FIELDS.get(field or "", field or "")
    return words.replace(".", " ").replace("_", " ")


def _told(value: Any) -> str:
    """A value as text in quotes; nodes as what they show."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, str):
        text = value
    elif isinstance(value, dict) and "object" in value:
        text = plain_text(value)
    elif isinstance(value, list) and all(isinstance(v, dict) and "object" in v for v in value):
        text = plain_text({"object": "document", "nodes": value})
    else:
        return "set otherwise"
    line = " ".join(text.split())
    if len(line) > LIMIT:
        line = line[: LIMIT - 1].rstrip() + "…"
    return f"“{line}”" if line else "without text"
