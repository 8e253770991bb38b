"""Settling conflicts: what content becomes by a decision, and whether editing has made one."""

from __future__ import annotations

from enum import Enum
from typing import Any, Final

from content.merge.conflict import Conflict, ConflictKind, Resolution, ResolutionError
from content.merge.entries import BODY, fields_of, placed
from content.merge.nodes import Node, canonical
from content.merge.resolve_blocks import block_is_settled, resolve_in_document

Json = dict[str, Any]

_IN_DOCUMENTS: Final = frozenset({ConflictKind.BLOCK, ConflictKind.CELL})
_PLACES: Final = frozenset({ConflictKind.PAGE_MOVED_TWICE, ConflictKind.PAGE_CYCLE})


class Keep(Enum):
    """Stands for no value."""

    AS_IT_IS = "as it is"


AS_IT_IS: Final = Keep.AS_IT_IS


def allowed_resolutions(conflict: Conflict) -> tuple[Resolution, ...]:
    """What a conflict may be resolved to. `custom` always may: it accepts what was edited."""
    several = conflict.kind in _IN_DOCUMENTS and conflict.field is None
    part = conflict.cell is None or None not in (conflict.cell.record, conflict.cell.definition)
    lists = conflict.cell is None or (
        isinstance(conflict.ours, list) and isinstance(conflict.theirs, list)
    )
    there = conflict.ours is not None and conflict.theirs is not None
    both = several and part and lists and there
    return tuple(r for r in Resolution if r is not Resolution.BOTH or both)


def resolve(
    content: Json | None,
    conflict: Conflict,
    resolution: Resolution,
    custom: Any = AS_IT_IS,
) -> Json | None:
    """What content becomes when a conflict in it is resolved; None when that removes it.

    `content` is what holds the conflict now: the document for blocks and cells, the entry for
    pages, files and reusable contents, all variables for a variable. `custom` is the value for
    that resolution: nodes for blocks and cells with text, `{parent, order}` for places, else the
    value itself; without one the content stays as it is. A place is not checked against the
    tree: the caller does that as for every move. ResolutionError when the conflict does not
    allow this, or is about something that is no longer there.
    """
    if resolution not in allowed_resolutions(conflict):
        allowed = ", ".join(r.value for r in allowed_resolutions(conflict))
        raise ResolutionError(
            f"resolution: {resolution.value!r} is not possible for this conflict; "
            f"allowed are {allowed}"
        )
    if resolution is Resolution.CUSTOM and custom is AS_IT_IS:
        return content
    if conflict.kind in _IN_DOCUMENTS:
        return resolve_in_document(_there(content), conflict, resolution, custom)
    value = {Resolution.OURS: conflict.ours, Resolution.THEIRS: conflict.theirs}.get(
        resolution, custom
    )
    if conflict.kind in _PLACES:
        return placed(_there(content), _checked_place(value))
    if conflict.field is not None:
        return _with_field(_there(content), conflict.field, value, conflict.kind)
    if value is not None and not isinstance(value, dict):
        raise ResolutionError("custom: must be an object, or null to remove it")
    if conflict.kind is ConflictKind.PAGE_DELETED_EDITED and value is not None:
        # It was kept as it had been edited, and may have been edited further.
        return value if resolution is Resolution.CUSTOM or content is None else content
    return value


def is_settled(conflict: Conflict, current: Json | None) -> bool:
    """Whether somebody decided by editing: the content is no longer what the merge left there.

    `current` is what `resolve` would be given; None when the page, file, content or document is
    gone.
    """
    if current is None:
        return True
    if conflict.kind in _IN_DOCUMENTS:
        return block_is_settled(conflict, current)
    if conflict.kind in _PLACES:
        return bool(current.get("parent") != conflict.theirs["parent"])
    if conflict.field is not None:
        return canonical(field_of(current, conflict.field, conflict.kind)) != canonical(
            conflict.theirs
        )
    left = conflict.theirs if conflict.theirs is not None else conflict.ours
    return canonical(_told(current)) != canonical(_told(left))


def _told(entry: Json) -> list[Any]:
    """The fields of an entry without slug and place, which a merge itself may change."""
    fields = {name: value for name, value in fields_of(entry).items() if name != "slug"}
    return [fields, entry.get(BODY)]


def _there(content: Json | None) -> Json:
    if content is None:
        raise ResolutionError("the conflict is about something that is no longer there")
    return content


def _checked_place(value: Any) -> Json:
    if not isinstance(value, dict) or value.keys() != {"parent", "order"}:
        raise ResolutionError("custom: must be a place: an object with parent and order")
    parent, order = value["parent"], value["order"]
    if not isinstance(order, str) or not (parent is None or isinstance(parent, str)):
        raise ResolutionError("custom: parent must be a page id or null, order a sort key")
    return value


def _path(field: str, kind: ConflictKind) -> tuple[str | None, str]:
    """The object that holds a field, and its name there."""
    if kind is ConflictKind.FIELD:
        outer, _, inner = field.partition(".")
        if inner:
            return outer, inner
    return None, field


def field_of(content: Json, field: str, kind: ConflictKind) -> Any:
    """A field of an entry, or a variable of all; None without it."""
    outer, name = _path(field, kind)
    holder = content if outer is None else content.get(outer) or {}
    return holder.get(name)


def _with_field(content: Json, field: str, value: Any, kind: ConflictKind) -> Node:
    outer, name = _path(field, kind)
    holder = dict(content if outer is None else content.get(outer) or {})
    if value is None:
        holder.pop(name, None)
    else:
        holder[name] = value
    if outer is None:
        return holder
    result = {**content, outer: holder}
    if not holder:
        del result[outer]
    return result
