"""Markdown that has no block of its own: HTML through an allow list, all else as text.

nh3 (the HTML5 parser and sanitizer of Ammonia) reads what stands there as a browser would.
"""

from __future__ import annotations

import re

import nh3

from content.documents.named_places import names_in
from content.documents.nodes import data_of, text_of
from content.documents.older_tags import Piece, shown_lines
from content.documents.plain_text import plain_text
from content.html.bounds import ELEMENTS, elements_of
from content.html.markup import EMPTY, Html, element, escape, joined, safe_address
from content.html.rendering import Rendering
from content.json_types import JsonObject
from content.markdown.html_tree import WITHIN_WORDS

TAGS = {
    "a", "abbr", "b", "blockquote", "br", "caption", "cite", "code", "dd", "del", "dfn", "div",
    "dl", "dt", "em", "h2", "h3", "h4", "h5", "h6", "hr", "i", "ins", "kbd", "li", "mark", "ol",
    "p", "pre", "q", "s", "samp", "small", "span", "strong", "sub", "sup", "table", "tbody", "td",
    "tfoot", "th", "thead", "tr", "u", "ul", "var",
}  # fmt: skip
ATTRIBUTES = {
    "a": {"href"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
    "ol": {"start"},
    "abbr": {"title"},
}
# Their content is no text for readers.
DROPPED = {"script", "style", "template", "title", "noscript", "iframe", "object", "svg", "math"}
_HTML = re.compile(r"\s*<[A-Za-z!]")
_TAG = re.compile(r"<[^<>]*>")
# Blocks that are shown as plain ones: without them their words would run into each other.
_OTHER_BLOCKS = re.compile(
    r"(</?)(?:address|article|aside|center|details|dir|fieldset|figcaption|figure|footer|form|h1|"
    r"header|hgroup|legend|main|menu|nav|optgroup|option|section|summary)(?=[\s/>])",
    re.IGNORECASE,
)
_TAG_NAME = re.compile(r"\s*</?([A-Za-z][A-Za-z0-9-]*)")


def block(rendering: Rendering, node: JsonObject) -> Html:
    """A block of Markdown kept as it stands."""
    source = text_of(data_of(node), "source")
    shown = shown_lines(source, rendering.options.words.blocks.of_older_tags)
    if shown:
        return joined(element("p", _line(line), class_="api") for line in shown)
    if not _HTML.match(source):
        return _lines(plain_text(node))
    return joined([*rendering.places_named(names_in(source)), sanitized(rendering, source)])


def _line(pieces: list[Piece]) -> Html:
    parts = [
        escape(text) if style == "text" else element(style, escape(text)) for style, text in pieces
    ]
    return Html(" ".join(parts))


def _lines(text: str) -> Html:
    return joined(element("p", escape(line)) for line in text.split("\n") if line.strip())


def sanitized(rendering: Rendering, source: str) -> Html:
    """Foreign HTML with the elements of `TAGS` only, balanced; links as the caller allows.

    Only its text where it is more than a parser may see (`bounds`).
    """
    elements = elements_of(source)
    if elements is None or rendering.foreign_elements + elements > ELEMENTS:
        return _lines(_TAG.sub(" ", source))
    rendering.foreign_elements += elements

    def rewrite(name: str, attribute: str, value: str) -> str | None:
        if attribute != "href":
            return value
        target = rendering.options.resolve({"kind": "url", "url": value})
        return safe_address(target.href) if target.href is not None else None

    cleaned = nh3.clean(
        _OTHER_BLOCKS.sub(r"\1div", source),
        tags=TAGS,
        attributes=ATTRIBUTES,
        clean_content_tags=DROPPED,
        attribute_filter=rewrite,
        url_schemes={"http", "https", "mailto", "tel"},
        link_rel=None,
    )
    # Tables keep their words whole, and are scrolled where they are too wide, as others are.
    cleaned = cleaned.replace("<table>", '<div class="table" tabindex="0"><table>')
    cleaned = cleaned.replace("</table>", "</table></div>")
    return Html(cleaned) if cleaned.strip() else EMPTY


def inline(rendering: Rendering, node: JsonObject) -> Html:
    """A piece of a line kept as it stands: tags say nothing without the text between them, but
    that words on both sides of a block stand apart."""
    shown = plain_text(node)
    if shown:
        return escape(shown)
    source = text_of(data_of(node), "source")
    places = rendering.places_named(names_in(source))
    if places:
        return joined(places)
    name = _TAG_NAME.match(source)
    return Html(" ") if name is not None and name[1].lower() not in WITHIN_WORDS else EMPTY
