"""Alerts as GitHub has them: quotes whose first line is a marker such as `[!NOTE]`.

They are quotes in documents, for the dialect knows nothing of them, and are written back as they
are. Where a document is shown or searched, they are hints.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from content.documents.nodes import (
    Node,
    children_of,
    data_of,
    leaves_of,
    object_of,
    walk,
    with_children,
)
from content.json_types import Json, JsonObject

# The style of the hint that an alert is shown as.
STYLES = {
    "note": "info",
    "tip": "success",
    "important": "warning",
    "warning": "warning",
    "caution": "danger",
}
# Letters of English only: a Turkish `ı` would count as an `i` in another case.
_MARKER = re.compile(rf"\[!({'|'.join(STYLES)})\](?=([ \n])|\Z)", re.IGNORECASE | re.ASCII)
# What is written as tags around Markdown: a quote in it stands at the top for GitHub, which knows
# no tags. In list items, quotes and cells of tables there are no alerts.
_AROUND = frozenset({"hint", "tabs", "tabs-item", "expandable", "stepper", "stepper-step",
                     "columns", "column", "updates", "update", "if"})  # fmt: skip

Reusable = Callable[[JsonObject], JsonObject | None]


def begins_with_marker(text: str) -> bool:
    """Whether the first word of a text is the marker of an alert."""
    return _MARKER.match(text) is not None


def with_alerts(document: Node) -> Node:
    """The document with hints for its alerts; what has none is shared.

    An alert is a quote that begins with a marker on a line of its own and holds something besides.
    A line is known by the style of its paragraph (`words`, `break`): where a document does not say
    it, paragraphs are on one line, and a marker with text behind it is text.
    """
    return _shown(document, object_of(data_of(document), "style"))


def with_alerts_in(reusable: Reusable) -> Reusable:
    """As `reusable`, with hints for alerts; the same document each time for the same one."""
    shown: dict[int, tuple[JsonObject, JsonObject]] = {}

    def find(reference: JsonObject) -> JsonObject | None:
        document = reusable(reference)
        if document is None:
            return None
        # The document is held as well, so that no other one gets its id().
        return shown.setdefault(id(document), (document, with_alerts(document)))[1]

    return find


def _shown(node: Node, page: JsonObject) -> Node:
    def shown(child: Node) -> Node:
        kind = child.get("type")
        if kind == "blockquote":
            return _alert(child, page) or child
        if kind in _AROUND or child.get("object") == "fragment":
            return _shown(child, page)
        return child

    return with_children(node, shown)


def _alert(quote: Node, page: JsonObject) -> Node | None:
    """The hint that a quote is shown as; None for a quote that is no alert."""
    children = children_of(quote)
    first = children[0] if children else {}
    inlines = children_of(first)
    leaves = (leaves_of(inlines[0]) if inlines else None) or []
    if first.get("type") != "paragraph" or not leaves or leaves[0].get("marks"):
        return None
    text = str(leaves[0].get("text", ""))
    marker = _MARKER.match(text)
    own = object_of(first, "style")
    if marker is None or "[" in str(own.get("escapes", page.get("escapes", ""))):
        return None
    behind = marker[2]
    if behind is None:
        if len(text) > marker.end() or len(leaves) > 1 or len(inlines) > 1:
            return None
        body = children[1:]
    elif not _ends_line(behind, own, page):
        return None
    else:
        rest: Node = {**leaves[0], "text": text[marker.end() + 1 :]}
        new_text: Node = {**inlines[0], "leaves": list[Json]([rest, *leaves[1:]])}
        new_first: Node = {**first, "nodes": list[Json]([new_text, *inlines[1:]])}
        body = [new_first, *children[1:]]
    if not _shows_something(body):
        return None
    style = STYLES[marker[1].lower()]
    return {**quote, "type": "hint", "data": {"style": style}, "nodes": list[Json](body)}


def _ends_line(behind: str, own: JsonObject, page: JsonObject) -> bool:
    """Whether a blank or a line break behind the first word of a paragraph ends a line."""
    if behind == "\n":
        # A backslash, the other sign of a break, would stand behind the marker.
        return own.get("break", page.get("break")) == "  "
    words = own.get("words")
    return isinstance(words, list) and len(words) > 1 and words[0] in (1, -1)


def _shows_something(nodes: list[Node]) -> bool:
    return any(
        any(leaf.get("text") for leaf in leaves)
        if (leaves := leaves_of(node)) is not None
        else node.get("isVoid") is True
        for node in walk(nodes)
    )
