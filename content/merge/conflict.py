"""Conflicts of a merge: what both sides changed differently, as values that can be stored."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from content.errors import ContentError
from content.hashing import content_id
from content.merge.nodes import canonical


class ConflictKind(StrEnum):
    """On which level two changes met."""

    PAGE_DELETED_EDITED = "page_deleted_edited"
    PAGE_MOVED_TWICE = "page_moved_twice"
    PAGE_CYCLE = "page_cycle"
    FIELD = "field"
    BLOCK = "block"
    CELL = "cell"
    FILE = "file"
    REUSABLE_CONTENT = "reusable_content"
    VARIABLE = "variable"


class Resolution(StrEnum):
    """How a conflict was resolved; `custom` comes with a value or by editing."""

    OURS = "ours"
    THEIRS = "theirs"
    BOTH = "both"
    CUSTOM = "custom"


class ResolutionError(ContentError):
    """A resolution that a conflict does not allow, or content that the conflict is not about."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table; a whole row without `definition`, a whole column without `record`."""

    record: str | None = None
    definition: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """One thing that ours and theirs both changed, and differently.

    `page`, `file` or `content` (a reusable content) says where; none of them for a variable of
    the space. `block` is the key of a node as the merged document has it, `field` the name of an
    attribute, `cell` the part of a table. `base`, `ours` and `theirs` are JSON, None where it is
    absent there: a node for blocks, list of nodes for cells with text, `{parent, order}` for
    places, an entry for whole pages, files and contents, else the value. The nodes in `ours` and
    `theirs` have the keys by which the merged document holds them.
    """

    id: str
    kind: ConflictKind
    page: str | None = None
    file: str | None = None
    content: str | None = None
    block: str | None = None
    field: str | None = None
    cell: Cell | None = None
    base: Any = None
    ours: Any = None
    theirs: Any = None
    resolution: Resolution | None = None


def make_conflict(
    kind: ConflictKind,
    *,
    page: str | None = None,
    file: str | None = None,
    content: str | None = None,
    block: str | None = None,
    field: str | None = None,
    cell: Cell | None = None,
    base: Any = None,
    ours: Any = None,
    theirs: Any = None,
) -> Conflict:
    """A conflict without resolution; its id follows from all the rest."""
    part = None if cell is None else [cell.record, cell.definition]
    place = [kind.value, page, file, content, block, field, part]
    return Conflict(
        id=content_id(canonical([*place, base, ours, theirs])),
        kind=kind, page=page, file=file, content=content, block=block, field=field, cell=cell,
        base=base, ours=ours, theirs=theirs,
    )  # fmt: skip


def conflict_json(conflict: Conflict) -> dict[str, Any]:
    """A conflict as a JSON object that leaves out what is None, `base` to `theirs` apart."""
    members: dict[str, Any] = {"id": conflict.id, "kind": conflict.kind.value}
    for name in ("page", "file", "content", "block", "field"):
        if (value := getattr(conflict, name)) is not None:
            members[name] = value
    if conflict.cell is not None:
        members["cell"] = {"record": conflict.cell.record, "definition": conflict.cell.definition}
    members |= {"base": conflict.base, "ours": conflict.ours, "theirs": conflict.theirs}
    members["resolution"] = None if conflict.resolution is None else conflict.resolution.value
    return members


def conflict_of(stored: Mapping[str, Any]) -> Conflict:
    """The conflict that `conflict_json` wrote."""
    cell = stored.get("cell")
    resolution = stored.get("resolution")
    return Conflict(
        id=stored["id"],
        kind=ConflictKind(stored["kind"]),
        cell=None if cell is None else Cell(cell.get("record"), cell.get("definition")),
        resolution=None if resolution is None else Resolution(resolution),
        **{
            name: stored.get(name)
            for name in ("page", "file", "content", "block", "field", "base", "ours", "theirs")
        },
    )
