"""Blocks that hold blocks: hints, tabs, steppers, columns, expandables, conditions, contents."""

from __future__ import annotations

import re

from content.documents.anchors import expandable_title
from content.documents.nodes import children_of, data_of, flag_of, fragment_of, object_of, text_of
from content.html.inlines import icon_of
from content.html.markup import (
    EMPTY,
    HINTS,
    Html,
    classes,
    element,
    escape,
    hint_symbol,
    joined,
    old_anchors,
)
from content.html.rendering import Rendering
from content.json_types import Json, JsonObject

_PERCENT = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,4})?)%")


def hint(rendering: Rendering, node: JsonObject) -> Html:
    data = data_of(node)
    style = text_of(data, "style")
    style = style if style in HINTS else "info"
    body = element("div", rendering.blocks(children_of(node)), class_="hint-body")
    words = rendering.options.words
    labels = {
        "info": words.info,
        "success": words.success,
        "warning": words.warning,
        "danger": words.danger,
    }
    content = joined([hint_symbol(style, labels[style]), body])
    return element("div", content, class_=f"hint hint-{style}", role="note")


def tabs(rendering: Rendering, node: JsonObject) -> Html:
    """Every tab is shown under its title: nothing has to be clicked, printed pages lack nothing.

    On sites a script makes tabs of them.
    """
    return element("div", rendering.blocks(children_of(node)), class_="tabs")


def tabs_item(rendering: Rendering, node: JsonObject) -> Html:
    data = data_of(node)
    title = joined([icon_of(text_of(data, "icon")), escape(text_of(data, "title"))])
    head = element("p", title, class_="tab-title") if title else EMPTY
    own_id, places = rendering.tab(text_of(data, "title"))
    content = joined([*places, rendering.blocks(children_of(node))])
    body = element("div", content, class_="tab-body")
    return element(
        "section",
        joined([head, body]),
        class_="tab",
        id=None if rendering.options.paper else own_id,
    )


def stepper(rendering: Rendering, node: JsonObject) -> Html:
    steps = [_step(rendering, child, number) for number, child in enumerate(children_of(node), 1)]
    return element("ol", joined(steps), class_="stepper")


def _step(rendering: Rendering, node: JsonObject, number: int) -> Html:
    data = data_of(node)
    head = element("span", escape(str(number)), class_="step-number", aria_hidden="true")
    title = escape(text_of(data, "title"))
    if title:
        title = element("p", title, class_="step-title")
    is_step = node.get("type") == "stepper-step"
    body = rendering.blocks(children_of(node) if is_step else [node])
    content = joined([head, element("div", joined([title, body]), class_="step-body")])
    return element("li", content, class_="step")


def stepper_step(rendering: Rendering, node: JsonObject) -> Html:
    """A step outside of any stepper."""
    return rendering.blocks(children_of(node))


def columns(rendering: Rendering, node: JsonObject) -> Html:
    return element("div", rendering.blocks(children_of(node)), class_="columns")


def column(rendering: Rendering, node: JsonObject) -> Html:
    data = data_of(node)
    vertical = text_of(data, "verticalAlignment")
    name = classes(
        "column",
        share_class(data.get("width")),
        f"vertical-{vertical}" if vertical in ("middle", "bottom") else "",
    )
    return element("div", rendering.blocks(children_of(node)), class_=name)


def share_class(width: Json) -> str:
    """The class of a width in percent, in steps of five; empty for other lengths.

    Classes and not styles, so that pages can forbid styles within HTML.
    """
    percent: float | None = None
    if isinstance(width, str) and (match := _PERCENT.fullmatch(width.strip())):
        percent = float(match.group(1))
    if isinstance(width, dict) and width.get("unit") == "%":
        value = width.get("value")
        percent = float(value) if isinstance(value, int | float) else None
    if percent is None or not 2.5 <= percent <= 100:
        return ""
    return f"share-{max(5, round(percent / 5) * 5)}"


def expandable(rendering: Rendering, node: JsonObject) -> Html:
    title = joined(
        rendering.inlines(children_of(paragraph))
        for paragraph in fragment_of(node, "expandable-title") or []
    )
    body = rendering.blocks(fragment_of(node, "expandable-body") or children_of(node))
    shown = rendering.options.paper or flag_of(data_of(node), "open")
    head = element("summary", title or escape(rendering.options.words.details))
    name = expandable_title(node)
    anchor = rendering.id(rendering.anchor(node, name)) if name else None
    places = old_anchors(map(rendering.id, rendering.aliases(node)))
    # In what is folded away: whoever follows a link there sees it, which browsers open for that.
    content = element("div", joined([*places, body]), id=anchor, class_="expandable-body")
    return element("details", joined([head, content]), class_="expandable", open=shown)


def condition(rendering: Rendering, node: JsonObject) -> Html:
    source = text_of(data_of(node), "expression")
    shown = not source.strip() or rendering.options.condition(source)
    return rendering.blocks(children_of(node)) if shown else EMPTY


def reusable_content(rendering: Rendering, node: JsonObject) -> Html:
    reference = object_of(data_of(node), "ref")
    document = rendering.options.reusable(reference)
    return EMPTY if document is None else rendering.inserted(reference, document)
