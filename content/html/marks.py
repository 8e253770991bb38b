"""Marks of text: one function each, by their type."""

from __future__ import annotations

from collections.abc import Callable

from content.html.markup import EMPTY, Html, classes, element, escape, escape_breakable, joined
from content.html.reading import data_of, objects_in, text_of
from content.html.rendering import Rendering
from content.json_types import JsonObject

COLORS = {
    "green": "green", "blue": "blue", "red": "red", "orange": "orange", "yellow": "yellow",
    "purple": "purple", "$primary": "primary", "$info": "info", "$success": "success",
    "$warning": "warning", "$danger": "danger",
}  # fmt: skip


def _element(name: str) -> Callable[[JsonObject, Html], Html]:
    return lambda mark, content: element(name, content)


def _color(mark: JsonObject, content: Html) -> Html:
    data = data_of(mark)
    text = COLORS.get(text_of(data, "text"), "")
    background = COLORS.get(text_of(data, "background"), "")
    chosen = classes(text and f"text-{text}", background and f"background-{background}")
    return element("span", content, class_=chosen) if chosen else content


MARKS: dict[str, Callable[[JsonObject, Html], Html]] = {
    "bold": _element("strong"),
    "italic": _element("em"),
    "code": _element("code"),
    "keyboard": _element("kbd"),
    "strikethrough": _element("s"),
    "superscript": _element("sup"),
    "subscript": _element("sub"),
    "color": _color,
}
# Code stands closest to the text, so that it may be bold as a whole.
_INNERMOST = ("code", "keyboard")


def render_text(rendering: Rendering, node: JsonObject) -> Html:
    """The leaves of a text; a line end in it is one that its writer asked for."""
    written = escape_breakable if rendering.options.paper else escape
    return joined(_leaf(leaf, written) for leaf in objects_in(node.get("leaves")))


def _leaf(leaf: JsonObject, written: Callable[[str], Html]) -> Html:
    lines = text_of(leaf, "text").split("\n")
    content = Html(element("br").join(written(line) for line in lines))
    if not content:
        return EMPTY
    marks = list(objects_in(leaf.get("marks")))[:20]
    for mark in sorted(marks, key=lambda mark: mark.get("type") not in _INNERMOST):
        kind = mark.get("type")
        make = MARKS.get(kind) if isinstance(kind, str) else None
        if make is not None:
            content = make(mark, content)
    return content
