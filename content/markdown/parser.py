"""Markdown to a JSON document."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import nullcontext

from markdown_it.token import Token

from content.collector import collector_paused
from content.documents.keys import assign_keys
from content.documents.limits import JSON_LEVELS, LEVELS
from content.documents.nodes import (
    SCHEMA_VERSION,
    Node,
    child_lists,
    html_sources,
    paragraph,
    verbatim,
)
from content.json_types import JsonObject
from content.markdown.blocks import BlockBuilder
from content.markdown.context import Context, Footnotes, Resolve, collect_footnotes
from content.markdown.engine import References, make_engine
from content.markdown.footnote_labels import settle_labels
from content.markdown.inlines import build_inlines
from content.markdown.misplaced_ends import settle_ends
from content.markdown.styles import Styles

# Texts of more characters are parsed without collections of garbage.
LARGE = 20_000
# Where no container is nested deeper than this, no node is beyond the limit.
SHALLOW = 8
_ENGINE = make_engine()


def parse_document(
    markdown: str,
    *,
    seed: str = "",
    resolve: Resolve | None = None,
    most: int = sys.maxsize,
) -> Node:
    """The document `{object, data: {schemaVersion}, nodes}` for the body of a page.

    Any text gives a document: what has no node of its own is kept as it is in nodes of type
    `markdown` (`data.source`). `resolve` turns the URL of a link, image or file into a content
    reference, or gives None for a url reference. Equal text and `seed` give equal node keys.
    Containers nest at most 32 deep, deeper ones stay Markdown. TooManyNodes, soon, for a text that
    makes several times more than `most` nodes.
    """
    markdown = clean(markdown)
    with collector_paused() if len(markdown) > LARGE else nullcontext():
        return parse_places(markdown, seed=seed, resolve=resolve, most=most)[0]


def parse_places(
    markdown: str,
    *,
    seed: str = "",
    resolve: Resolve | None = None,
    keep_style: bool = False,
    most: int = sys.maxsize,
) -> tuple[Node, dict[int, tuple[Node, int, int]]]:
    """The document of `markdown`, which has been cleaned, and where its blocks stand: (block,
    first line, line after the last) by id() of the block, also for those within others. With
    `keep_style` it says what pages do in several ways (`content.markdown.styles`)."""
    references = References()
    tokens = settle_ends(_ENGINE.parse(markdown, {"references": references, "most": most}))
    notes = collect_footnotes(tokens, markdown)

    def is_used(definition: Token) -> bool:
        label = definition.meta["id"]
        return label in references.used and references.data[label]["map"] == definition.map

    styles = Styles(markdown.split("\n"), "\\" in markdown) if keep_style else None
    context = Context(notes, resolve, styles)
    builder = BlockBuilder(context, is_used)
    notes.build = builder.build

    def inlines(source: str) -> list[Node]:
        (line,) = _ENGINE.parseInline(source.strip(), {"references": references})
        return build_inlines(line.children or [], context)

    context.inlines = inlines
    nodes = builder.build(tokens)
    # Without this circle everything that was read is freed with the document, not by a collection.
    del notes.build
    del context.inlines
    for label, definition in notes.definitions.items():
        if label not in notes.used:
            # The reference stood where the document holds plain text only. Nothing may follow
            # kept Markdown: it may be the start of a comment that never ends.
            place = 0 if nodes and nodes[-1]["type"] == "markdown" else len(nodes)
            nodes.insert(place, verbatim(notes.source(definition)))
    nodes = nodes or [paragraph([])]
    holds_json = "data-node" in markdown.lower()
    if (builder.deepest > SHALLOW or holds_json) and (
        _levels(nodes) > LEVELS or (holds_json and json_levels(nodes) > JSON_LEVELS)
    ):
        # Containers of several kinds in each other: no reader follows them.
        nodes = [verbatim(markdown.strip("\n"))]
    # Annotations come from notes and from nodes that stand in attributes as JSON.
    if notes.used or holds_json:
        settle_labels(nodes)
    assign_keys(nodes, seed)
    data: JsonObject = {"schemaVersion": SCHEMA_VERSION}
    if styles is not None:
        style = styles.finish(nodes, context.spans)
        if style:
            data["style"] = style
    document: Node = {
        "object": "document",
        "data": data,
        "nodes": nodes,  # type: ignore[dict-item]
    }
    return document, context.spans


def _levels(nodes: list[Node]) -> int:
    """How deep nodes are nested; 1 without any in them."""
    deepest, stack = 0, [(node, 1) for node in nodes]
    while stack:
        node, level = stack.pop()
        deepest = max(deepest, level)
        stack.extend((child, level + 1) for group in child_lists(node) for child in group)
    return deepest


def json_levels(value: object) -> int:
    """How deep arrays and objects are nested in a JSON value."""
    deepest, stack = 0, [(value, 1)]
    while stack:
        item, level = stack.pop()
        inner: Iterable[object]
        if isinstance(item, dict):
            inner = item.values()
        elif isinstance(item, list):
            inner = item
        else:
            continue
        deepest = max(deepest, level)
        stack.extend((inner_value, level + 1) for inner_value in inner)
    return deepest


def kept_html(markdown: str) -> list[str]:
    """The HTML of a line of Markdown that has no node of its own, in order."""
    (line,) = _ENGINE.parseInline(markdown, {"references": References()})
    nodes = build_inlines(line.children or [], Context(Footnotes(lines=[])))
    return html_sources(nodes)


def clean(markdown: str) -> str:
    """The text with `\\n` line ends and without characters that no JSON or database takes."""
    markdown = markdown.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "\ufffd")
    if markdown.isascii():
        return markdown
    return markdown.encode("utf-8", "replace").decode("utf-8")
