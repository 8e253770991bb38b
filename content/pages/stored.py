"""Pages that were stored with values which no field of a page may have.

Revisions never change, so what an earlier release stored stays in them: front matter as it was
written in place of a layout, names of icons that are none, covers without a position. Whoever
reads the entry of a page reads it through `repaired_page`, which is the reader of front matter for
what is stored. An entry that is fine is given back as it is.
"""

from __future__ import annotations

from typing import Any

from content.json_types import JsonObject
from content.pages.front_matter import MAX_TITLE_LENGTH, is_emoji, is_icon
from content.pages.layout_options import read_layout
from content.slugs import slug_key

UNTITLED = "Untitled"

Entry = dict[str, Any]


def stored_title(text: str) -> str:
    """A text as the title of a page: one line of 1 to 255 characters."""
    return " ".join(text.split())[:MAX_TITLE_LENGTH].rstrip() or UNTITLED


def repaired_page(entry: Entry) -> Entry:
    """The entry of a page with values that its fields may have; what does not fit is `extra`."""
    fixed: Entry = {}
    rest: JsonObject = {}
    title = entry["title"]
    if not title or len(title) > MAX_TITLE_LENGTH:
        fixed["title"] = stored_title(title)
    icon, emoji, cover = entry.get("icon"), entry.get("emoji"), entry.get("cover")
    if icon is not None and not is_icon(icon):
        fixed["icon"], rest["icon"] = None, icon
    if emoji is not None and not is_emoji(emoji):
        fixed["emoji"], rest["emoji"] = None, emoji
    if cover is not None and "yPos" not in cover:
        fixed["cover"] = {**cover, "yPos": 0}
    if "layout" in entry:
        layout, foreign, _ = read_layout(entry["layout"])
        if layout != entry["layout"]:
            fixed["layout"] = layout
        if foreign:
            rest["layout"] = foreign
    if rest:
        fixed["extra"] = {**rest, **entry.get("extra", {})}
    if not fixed:
        return entry
    return {name: value for name, value in {**entry, **fixed}.items() if value not in (None, {})}


def has_slugs(path: str) -> bool:
    """Whether a path may be one of slugs; what has none has ":" in front of its id in the map."""
    return path != "" and "/:" not in f"/{path}"


def child_key(parent_id: str | None, slug: str | None, page_id: str) -> str:
    """The key of a page in the map of children."""
    return f"{parent_id or ''}/{slug_key(slug) if slug is not None else ':' + page_id}"
