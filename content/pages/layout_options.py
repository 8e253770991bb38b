"""The layout of a page: which of its parts are shown, in the form that pages have it in.

Front matter writes `outline: {visible: false}`; a page has `outline: false`, and leaves out what
is as usual, so that equal pages have equal bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from content.json_types import Json, JsonObject

LAYOUT_DEFAULTS: Final[JsonObject] = {
    "width": "default",
    "cover": True,
    "coverSize": "hero",
    "title": True,
    "description": True,
    "tableOfContents": True,
    "outline": True,
    "pagination": True,
    "metadata": True,
    "coverMask": "none",
    "tags": True,
    "actions": True,
    "anchors": True,
}
WORDS: Final = {
    "width": ("default", "wide"),
    "coverSize": ("hero", "full"),
    "coverMask": ("none", "radial"),
}
_COVER_PARTS: Final = {"visible": "cover", "size": "coverSize", "mask": "coverMask"}
_FLAGS: Final = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


def whole_layout(layout: Mapping[str, Any]) -> dict[str, Any]:
    """A layout with all of its options."""
    return {**LAYOUT_DEFAULTS, **layout}


def read_flag(value: Json) -> bool | None:
    """True or false, also as the words that YAML has had for them; None for anything else."""
    if isinstance(value, bool):
        return value
    return _FLAGS.get(value.strip().lower()) if isinstance(value, str) else None


def read_layout(value: JsonObject) -> tuple[JsonObject, JsonObject, tuple[str, ...]]:
    """(the layout, what is not part of it, names of options whose values do not fit).

    An option is a value, or a mapping with `visible`; that of `cover` may have a `size`, too.
    What does not fit and options that are unknown are in the second part, in their form. What a
    page has already is a layout in the same form, so reading one twice changes nothing.
    """
    layout: JsonObject = {}
    rest: JsonObject = {}
    problems: list[str] = []
    for name, written in value.items():
        if name in LAYOUT_DEFAULTS and name not in WORDS and isinstance(written, dict):
            parts = _COVER_PARTS if name == "cover" else {"visible": name}
            left = {
                key: setting
                for key, setting in written.items()
                if not _put(layout, parts, key, setting)
            }
            unread = [key for key, setting in left.items() if key in parts and setting is not None]
            problems += [f"{name}.{key}" for key in unread]
            if left:
                rest[name] = left
        elif not _put(layout, {name: name}, name, written):
            rest[name] = written
            if name in LAYOUT_DEFAULTS and written is not None:
                problems.append(name)
    changed = {
        name: setting for name, setting in layout.items() if setting != LAYOUT_DEFAULTS[name]
    }
    return changed, rest, tuple(problems)


def _put(layout: JsonObject, options: Mapping[str, str], key: str, written: Json) -> bool:
    """Set the option that a key stands for; False where there is none or the value does not fit."""
    name = options.get(key)
    if name is None or name not in LAYOUT_DEFAULTS:
        return False
    read: Json
    if name in WORDS:
        read = written if isinstance(written, str) and written in WORDS[name] else None
    else:
        read = read_flag(written)
    if read is None:
        return False
    layout[name] = read
    return True
