"""Code blocks: title, line numbers, highlighted lines, colours; formulas on their own."""

from __future__ import annotations

import re
from collections.abc import Callable

from content.html.highlighting import Piece, highlighted
from content.html.markup import Html, classes, element, escape, escape_breakable, joined
from content.html.reading import children_of, data_of, flag_of, objects_in, text_of
from content.html.rendering import Rendering
from content.json_types import JsonObject

# So many lines stay on one sheet of paper.
SHORT = 30
_LANGUAGE = re.compile(r"[A-Za-z0-9+#._-]{1,40}")


def code(rendering: Rendering, node: JsonObject) -> Html:
    data = data_of(node)
    lines = children_of(node)
    syntax = text_of(data, "syntax")
    plain = [_plain_line(line) for line in lines]
    if all(text is not None for text in plain):
        pieces = highlighted([text or "" for text in plain], syntax)
        written = escape_breakable if rendering.options.paper else escape
        contents = [joined(_piece(piece, written) for piece in line) for line in pieces]
    else:
        contents = [rendering.inlines(children_of(line)) for line in lines]
    rows = [
        element(
            "span",
            # The end of the line is part of it, for those who copy: a line is a block.
            joined([content, Html("\n")]),
            class_=classes("line", "highlighted" if flag_of(data_of(line), "highlighted") else ""),
        )
        for line, content in zip(lines, contents, strict=True)
    ]
    name = classes(
        "code-lines",
        "numbered" if flag_of(data, "lineNumbers") else "",
        "wrap" if data.get("overflow") == "wrap" else "",
    )
    language = f"language-{syntax}" if _LANGUAGE.fullmatch(syntax) else None
    body = element("code", joined(rows), class_=language)
    shown = element("pre", body, class_=name, tabindex=None if rendering.options.paper else 0)
    title = escape(text_of(data, "title"))
    caption = element("figcaption", title) if title else title
    size = "short" if len(lines) <= SHORT else ""
    return element("figure", joined([caption, shown]), class_=classes("code", size))


def code_line(rendering: Rendering, node: JsonObject) -> Html:
    """A line outside of any code block."""
    return element("pre", element("code", rendering.inlines(children_of(node))))


def _plain_line(line: JsonObject) -> str | None:
    """The text of a line; None when anything in it is more than text."""
    parts: list[str] = []
    for child in children_of(line):
        if child.get("object") != "text":
            return None
        for leaf in objects_in(child.get("leaves")):
            text = text_of(leaf, "text")
            if leaf.get("marks") or "\n" in text or "\r" in text:
                return None
            parts.append(text)
    return "".join(parts)


def _piece(piece: Piece, written: Callable[[str], Html]) -> Html:
    text, name = piece
    return element("span", written(text), class_=name) if name else written(text)


def math(rendering: Rendering, node: JsonObject) -> Html:
    formula = rendering.options.formula(text_of(data_of(node), "formula"), True)
    return element("div", formula, class_="math-block")
