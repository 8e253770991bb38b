"""Blocks of text: paragraphs, headings, lists, quotes, dividers."""

from __future__ import annotations

import re

from content.documents.nodes import children_of, data_of, flag_of, text_of
from content.documents.plain_text import plain_text
from content.html.directions import direction_of, direction_of_block
from content.html.markup import EMPTY, Html, classes, element, joined, old_anchors, task_symbol
from content.html.rendering import Heading, Render, Rendering
from content.json_types import JsonObject

_TAG = re.compile(r"<[^>]*>")
_PICTURE = re.compile(r"<(?:img|svg|math|input)\b")
_ALIGNMENTS = {"center": "align-center", "end": "align-end"}


def alignment(data: JsonObject) -> str:
    """The class of a text's alignment; empty for the usual one."""
    return _ALIGNMENTS.get(text_of(data, "align"), "")


def paragraph(rendering: Rendering, node: JsonObject) -> Html:
    content = rendering.inlines(children_of(node))
    if not content.strip():
        return EMPTY
    direction = direction_of_block(content, node)
    return element("p", content, dir=direction, class_=alignment(data_of(node)))


def heading(level: int) -> Render:
    """Headings of a level; the title of the page is the heading above level 1."""

    def render(rendering: Rendering, node: JsonObject) -> Html:
        data = data_of(node)
        text = " ".join(plain_text(node).split())
        anchor = rendering.id(rendering.anchor(node, text))
        places = old_anchors(map(rendering.id, rendering.aliases(node)))
        content = rendering.inlines(children_of(node))
        if not _shows_something(content):
            return joined([*old_anchors([anchor]), *places, content])
        rendering.headings.append(Heading(level, anchor, text))
        content = joined([*places, content])
        return element(
            f"h{level + 1}", content, id=anchor, dir=direction_of(text), class_=alignment(data)
        )

    return render


def _shows_something(content: Html) -> bool:
    """Whether there is anything to see in a heading: text, or a picture."""
    return bool(_TAG.sub("", content).strip()) or _PICTURE.search(content) is not None


def list_block(name: str, kind: str = "") -> Render:
    """A list; items of task lists show whether they are done."""

    def render(rendering: Rendering, node: JsonObject) -> Html:
        start = data_of(node).get("start")
        number = start if isinstance(start, int) and not isinstance(start, bool) else None
        items = joined(_item(rendering, child, kind == "tasks") for child in children_of(node))
        return element(
            name,
            items,
            dir=direction_of_block(items, node),
            class_=kind or None,
            start=number if name == "ol" and number != 1 else None,
        )

    return render


def _item(rendering: Rendering, node: JsonObject, task: bool) -> Html:
    if node.get("type") != "list-item":
        return element("li", rendering.blocks([node]))
    data = data_of(node)
    content = rendering.blocks(children_of(node))
    if not task and "checked" not in data:
        return element("li", content)
    done = flag_of(data, "checked")
    body = element("div", content, class_="task-body")
    name = classes("task", "done" if done else "")
    words = rendering.options.words
    symbol = task_symbol(done, words.done if done else words.open)
    return element("li", joined([symbol, body]), class_=name)


def list_item(rendering: Rendering, node: JsonObject) -> Html:
    """An item outside of any list: a list of its own."""
    return element("ul", _item(rendering, node, False))


def blockquote(rendering: Rendering, node: JsonObject) -> Html:
    content = rendering.blocks(children_of(node))
    return element("blockquote", content, dir=direction_of_block(content, node))


def divider(rendering: Rendering, node: JsonObject) -> Html:
    return element("hr")
