"""Dated updates of a page, newest usually on top: a changelog."""

from __future__ import annotations

from content.documents.nodes import children_of, data_of, text_of
from content.documents.updates import date_of, tags_of
from content.html.markup import EMPTY, Html, element, escape, joined
from content.html.rendering import Rendering
from content.json_types import JsonObject


def updates(rendering: Rendering, node: JsonObject) -> Html:
    return element("div", rendering.blocks(children_of(node)), class_="updates")


def update(rendering: Rendering, node: JsonObject) -> Html:
    """One entry below its date and tags; its anchor is where feeds lead."""
    # Shown again by a content that is inserted twice it has none: ids are there once.
    name = rendering.update_anchors.pop(id(node), None)
    if name is not None:
        rendering.uses.updates = True
    anchor = None if name is None else rendering.id(name)
    date, written = date_of(node), text_of(data_of(node), "date").strip()
    if date is not None:
        time = element("time", escape(date.isoformat()), datetime=date.isoformat())
        shown = time if anchor is None else element("a", time, href=f"#{anchor}")
    else:
        shown = escape(written[:100])
    head = element("p", shown, class_="update-date") if shown else EMPTY
    tags = element(
        "ul",
        joined(element("li", escape(tag)) for tag in tags_of(node)),
        class_="update-tags",
    )
    body = element("div", rendering.blocks(children_of(node)), class_="update-body")
    beside = element("div", joined([head, tags if tags_of(node) else EMPTY]), class_="update-head")
    return element("section", joined([beside, body]), id=anchor, class_="update")
