"""Markdown that has no block of its own: HTML through an allow list, all else as text.

nh3 (the HTML5 parser and sanitizer of Ammonia) reads what stands there as a browser would.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import unescape
from typing import TYPE_CHECKING

from content.documents.content_references import SCHEME
from content.documents.kept_html import led_of
from content.documents.named_places import names_in
from content.documents.nodes import data_of, object_of, text_of
from content.documents.older_tags import Piece, shown_lines
from content.documents.plain_text import plain_text
from content.html.bounds import ELEMENTS, elements_of
from content.html.markup import EMPTY, Html, element, escape, joined, safe_address
from content.html.rendering import Rendering, Target
from content.json_types import JsonObject
from content.late_modules import LateModule
from content.markdown.html_tree import WITHIN_WORDS

if TYPE_CHECKING:
    import nh3
else:
    nh3 = LateModule("nh3")

TAGS = {
    "a", "abbr", "b", "blockquote", "br", "caption", "cite", "code", "dd", "del", "dfn", "div",
    "dl", "dt", "em", "h2", "h3", "h4", "h5", "h6", "hr", "i", "img", "ins", "kbd", "li", "mark",
    "ol", "p", "pre", "q", "s", "samp", "small", "span", "strong", "sub", "sup", "table", "tbody",
    "td", "tfoot", "th", "thead", "tr", "u", "ul", "var",
}  # fmt: skip
ATTRIBUTES = {
    "a": {"href"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
    "ol": {"start"},
    "abbr": {"title"},
    "img": {"src", "alt", "width", "height"},
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
# As the sanitizer writes it.
_IMAGE = re.compile(r'<img((?: [a-z]+="[^"]*")*)>')
_HEAD = re.compile(r"<thead>.*?</thead>", re.DOTALL)
_UNSCOPED = re.compile(r"<th(?=[ >])(?![^>]* scope=)")
_SOURCE = re.compile(r' src="([^"]*)"')
_PIXELS = re.compile(r"[1-9][0-9]{0,3}")
_TAG_NAME = re.compile(r"\s*</?([A-Za-z][A-Za-z0-9-]*)")


def block(rendering: Rendering, node: JsonObject) -> Html:
    """A block of Markdown kept as it stands."""
    source = text_of(data_of(node), "source")
    shown = shown_lines(source, rendering.options.words.blocks.of_older_tags)
    if shown:
        return joined(element("p", _line(line), class_="api") for line in shown)
    if not _HTML.match(source):
        return _lines(plain_text(node))
    return joined(
        [*rendering.places_named(names_in(source)), sanitized(rendering, source, led_of(node))]
    )


def _line(pieces: list[Piece]) -> Html:
    parts = [
        escape(text) if style == "text" else element(style, escape(text)) for style, text in pieces
    ]
    return Html(" ".join(parts))


def _lines(text: str) -> Html:
    return joined(element("p", escape(line)) for line in text.split("\n") if line.strip())


def sanitized(rendering: Rendering, source: str, led: JsonObject) -> Html:
    """Foreign HTML with the elements of `TAGS` only, balanced; links as the caller allows, and to
    what its addresses lead to in the space (`led`).

    Only its text where it is more than a parser may see (`bounds`).
    """
    elements = elements_of(source)
    if elements is None or rendering.foreign_elements + elements > ELEMENTS:
        return _lines(_TAG.sub(" ", source))
    rendering.foreign_elements += elements

    pictures: dict[str, Target] = {}

    def rewrite(name: str, attribute: str, value: str) -> str | None:
        if attribute in ("width", "height") and name == "img":
            return value if _PIXELS.fullmatch(value) else None
        if attribute not in ("href", "src"):
            return value
        own = object_of(led, value.strip())
        target = rendering.options.resolve(own or {"kind": "url", "url": value})
        if attribute == "src":
            # On paper only pictures are shown that were fetched for it.
            shown = target.image if own or not rendering.options.paper else None
            address = None if shown is None else safe_address(shown)
            if address is not None:
                pictures[address] = target
            return address
        return safe_address(target.href) if target.href is not None else None

    cleaned = nh3.clean(
        _OTHER_BLOCKS.sub(r"\1div", source),
        tags=TAGS,
        attributes=ATTRIBUTES,
        clean_content_tags=DROPPED,
        attribute_filter=rewrite,
        url_schemes={"http", "https", "mailto", "tel", SCHEME.rstrip(":")},
        link_rel=None,
    )
    cleaned = _IMAGE.sub(lambda match: _image(match[1], pictures), cleaned)
    # Cells of a head are those of columns, as in other tables.
    cleaned = _HEAD.sub(lambda head: _UNSCOPED.sub('<th scope="col"', head[0]), cleaned)
    # Tables keep their words whole, and are scrolled where they are too wide, as others are.
    cleaned = cleaned.replace("<table>", '<div class="table" tabindex="0"><table>')
    cleaned = cleaned.replace("</table>", "</table></div>")
    return Html(cleaned) if cleaned.strip() else EMPTY


def _image(attributes: str, pictures: Mapping[str, Target]) -> str:
    """An image that is loaded when it comes into view; without an address there is none. Files have
    their own size where nothing is said of it."""
    source = _SOURCE.search(attributes)
    if source is None:
        return ""
    target = pictures.get(unescape(source[1]), Target())
    sizes = "" if ' width="' in attributes or ' height="' in attributes else _sizes(target)
    alt = "" if ' alt="' in attributes else ' alt=""'
    return f'<img{attributes}{sizes}{alt} class="inline-image" loading="lazy">'


def _sizes(target: Target) -> str:
    has_sizes = target.width and target.height
    return f' width="{target.width:d}" height="{target.height:d}"' if has_sizes else ""


def inline(rendering: Rendering, node: JsonObject) -> Html:
    """A piece of a line kept as it stands: an image; other tags say nothing without the text
    between them, but that words on both sides of a block stand apart."""
    shown = plain_text(node)
    if shown:
        return escape(shown)
    source = text_of(data_of(node), "source")
    places = rendering.places_named(names_in(source))
    if places:
        return joined(places)
    name = _TAG_NAME.match(source)
    if name is not None and name[1].lower() == "img":
        return sanitized(rendering, source, led_of(node))
    return Html(" ") if name is not None and name[1].lower() not in WITHIN_WORDS else EMPTY
