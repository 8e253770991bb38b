"""The YAML block at the head of a Markdown page, written from the fields of the page.

The reader (front_matter.py) makes the same fields of it: keys that it does not know and values that
do not fit stand in it as they were written.
"""

from __future__ import annotations

from typing import Final

from content.json_types import Json, JsonObject
from content.pages.front_matter import KEYS, MAX_TITLE_LENGTH, FrontMatter, split_front_matter
from content.pages.title import split_title
from content.safe_yaml import dump_yaml

# A longer head is not remembered; front matter itself may have 64,000 bytes.
MAX_HEAD_LENGTH: Final = 70_000
_PLAIN: Final = (
    "title", "description", "icon", "emoji", "hidden", "no_index", "no_robots_index",
)  # fmt: skip
_COVER_OPTIONS: Final = {"cover": "visible", "coverSize": "size", "coverMask": "mask"}
_FLAT: Final = frozenset({"width"})


def source_head(text: str, body: str) -> str | None:
    """The text before the body in the file of a page; None without front matter there.

    None as well where the title was cut out of the middle of the text.
    """
    body = body.lstrip("\n")
    if split_front_matter(text)[0] is None or not text.endswith(body):
        return None
    head = text[: len(text) - len(body)].removeprefix("\ufeff")
    return head if len(head) <= MAX_HEAD_LENGTH else None


def heading_says(title: str, heading: str) -> bool:
    """Whether a page with this leading heading gets this title without front matter."""
    return split_title(heading)[0] == title


def write_front_matter(matter: FrontMatter) -> str:
    """The block with its two lines of hyphens; empty when there is nothing to say."""
    extra = dict(matter.extra)
    if not _is_cut_of(extra.get("title"), matter.title):
        extra.pop("title", None)
    values: JsonObject = {}
    for name in _PLAIN:
        value = getattr(matter, name)
        if value not in (None, "", False):
            values[KEYS[name][0]] = value
    values |= _cover(matter.cover, extra)
    values |= _layout(matter.layout, extra)
    own = extra.get("vars")
    if matter.variables and (own is None or isinstance(own, dict)):
        values["vars"] = {**matter.variables, **(own or {})}
        extra.pop("vars", None)
    if matter.condition is not None:
        values["if"] = matter.condition
    values |= extra
    return f"---\n{dump_yaml(values)}---\n" if values else ""


def _is_cut_of(whole: Json, title: str | None) -> bool:
    """Whether a title that did not fit is still that of the page, or none at all."""
    if not isinstance(whole, str) or title is None:
        return True
    return " ".join(whole.split())[:MAX_TITLE_LENGTH].rstrip() == title


def _cover(cover: JsonObject | None, extra: JsonObject) -> JsonObject:
    """The keys of a cover; takes what they hold besides out of `extra`."""
    if cover is None:
        return {}
    foreign = extra.get("cover")
    dark, position = cover.get("refDark"), cover.get("yPos")
    values: JsonObject = {"cover": cover["ref"]}
    as_mapping = isinstance(foreign, dict) or (dark is not None and "coverDark" in extra)
    if as_mapping:
        rest = foreign if isinstance(foreign, dict) else {}
        inside = dark is not None and "dark" not in rest
        values["cover"] = {"light": cover["ref"], **({"dark": dark} if inside else {}), **rest}
        extra.pop("cover", None)
        dark = None if inside else dark
    if dark is not None:
        values["coverDark"] = dark
    if position:
        values["coverY"] = position
    return values


def _layout(layout: JsonObject, extra: JsonObject) -> JsonObject:
    """The key of a layout with foreign parts, which it takes out of `extra`."""
    foreign = extra.get("layout")
    if not layout or not (foreign is None or isinstance(foreign, dict)):
        return {}
    written: JsonObject = {}
    rest = dict(foreign or {})
    # The options of covers stand in one mapping, unless something else stands in its place.
    together = isinstance(rest.get("cover", {}), dict)
    for name, value in layout.items():
        if name in _FLAT or (name in _COVER_OPTIONS and not together):
            written[name] = value
            continue
        parent, part = ("cover", _COVER_OPTIONS[name]) if name in _COVER_OPTIONS else (name, "")
        options = written.setdefault(parent, {})
        assert isinstance(options, dict)
        options[part or "visible"] = value
    for name, value in rest.items():
        there = written.get(name)
        if isinstance(there, dict) and isinstance(value, dict):
            written[name] = {**there, **value}
        else:
            written[name] = value
    extra.pop("layout", None)
    return {"layout": written}
