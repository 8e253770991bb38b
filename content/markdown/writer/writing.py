"""The state of writing one document: links, originals, pieces of HTML.

Nodes that the dialect has no form for become JSON in an element that shows nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import orjson

from content.documents.content_references import SCHEME, reference_url
from content.documents.nodes import Node, children_of, leaves_of
from content.emoji import SHORTCODE, code_of
from content.json_types import Json, JsonObject
from content.markdown.originals import Original
from content.markdown.styles import CANONICAL

Link = Callable[[JsonObject], str | None]


@dataclass(slots=True)
class Writing:
    """`blocks` writes the blocks of a container of some type; `link` is what the caller makes of
    content references, `labels` has the label of each annotation by its id(), `has_definitions`
    tells whether the document keeps link definitions. `original` gives the source of a block that
    stands in an earlier version just so, `joint` what stood there between two of them. `page` is
    the style of the page, `own` gives that of a node, `here` is that of the block that is being
    written."""

    blocks: Callable[[Sequence[Node], str], str]
    link: Link | None = None
    labels: dict[int, str] = field(default_factory=dict)
    has_definitions: bool = False
    original: Callable[[Node], Original | None] = lambda node: None
    joint: Callable[[Original | None, Original | None], str | None] = lambda one, other: None
    page: JsonObject = field(default_factory=dict)
    here: JsonObject = field(default_factory=dict)
    own: Callable[[Node], JsonObject] = lambda node: {}

    def url(self, reference: Json) -> str:
        """The URL of a content reference: the caller's, else one that says it all."""
        if not isinstance(reference, dict):
            return ""
        url = None if self.link is None else self.link(reference)
        return reference_url(reference) if url is None else url

    def style(self, name: str, node: Node | None = None) -> Json:
        """How a block, the one that is being written or `node`, does what pages do in several
        ways: as it says, else as the page does, else in canonical form."""
        own = self.here if node is None else self.own(node)
        return own.get(name, self.page.get(name, CANONICAL.get(name)))


def mention_label(reference: Json, url: str) -> str:
    """The label of a mention without a name: its path, else `@` and its id."""
    if url.startswith(SCHEME) and isinstance(reference, dict):
        named = reference.get(str(reference.get("kind")))
        if isinstance(named, str) and named.strip():
            return "@" + " ".join(named.split())
    return url or "mention"


class UnwritableError(Exception):
    """A node that the dialect has no form for; it is kept as JSON."""


def raw_text(nodes: Sequence[Node]) -> str:
    """The text of nodes without any marks."""
    parts: list[str] = []
    for node in nodes:
        leaves = leaves_of(node)
        if leaves is None:
            parts.append(raw_text(children_of(node)))
        else:
            parts += [str(leaf.get("text", "")) for leaf in leaves]
    return "".join(parts)


def kept_node(node: Node) -> str:
    """An empty element that holds the node without keys: `<div>` for a block, else `<span>`."""
    tag = "div" if node.get("object") == "block" else "span"
    # Everything but `'`, `&` and `<` can stand in the attribute as it is.
    text = orjson.dumps(_without_keys(node), option=orjson.OPT_SORT_KEYS).decode()
    value = text.replace("&", "&#x26;").replace("'", "&#x27;").replace("<", "&#x3C;")
    return f"<{tag} data-node='{value}'></{tag}>"


def _without_keys(value: Json) -> Json:
    if isinstance(value, list):
        return [_without_keys(item) for item in value]
    if isinstance(value, dict):
        is_node = isinstance(value.get("object"), str)
        return {
            name: _without_keys(item) if name != "data" else item
            for name, item in value.items()
            if not (is_node and name in ("key", "meta"))
        }
    return value


_AMPERSAND = re.compile(r"&(?=[A-Za-z#])")
_NAME = re.compile(r"[A-Za-z_:@][\w:.@-]*")
_BLANKS = re.compile(r"[\t\f\r]|(?<= ) ")


def attributes(pairs: Iterable[tuple[str, Json]]) -> str:
    """Attributes with a blank in front of each; those without a value (None) are left out."""
    return "".join(f' {name}="{attribute(value)}"' for name, value in pairs if value is not None)


def attribute(value: Json) -> str:
    """A value between double quotes; true and false as words."""
    text = str(value).lower() if isinstance(value, bool) else str(value)
    text = _AMPERSAND.sub("&#x26;", text).replace('"', "&#x22;").replace("<", "&#x3C;")
    return text.replace("\n", "&#xA;").replace("\r", "&#xD;").replace("\t", "&#x9;")


def kept_attributes(data: JsonObject) -> list[tuple[str, Json]]:
    """The attributes that the parser kept because no field of the node is for them."""
    attributes = data.get("attributes")
    if not isinstance(attributes, dict):
        return []
    return [(name, value) for name, value in attributes.items() if _NAME.fullmatch(name)]


def html_text(text: str) -> str:
    """Text in an element, line breaks as `<br>`, blanks that HTML would drop as entities."""
    escaped = _BLANKS.sub(_entity, plain_html(text))
    return SHORTCODE.sub(_escaped_name, escaped).replace("\n", "<br>")


def plain_html(text: str) -> str:
    """Text in an element that keeps white space, such as `<pre>`."""
    return _AMPERSAND.sub("&#x26;", text).replace("<", "&#x3C;")


def kept_edges(inner: str) -> str:
    """The content of a block element, with the blanks at its two ends as entities."""
    stripped = inner.strip(" ")
    if stripped == inner:
        return inner
    if not stripped:
        return "&#x20;" * len(inner)
    start = inner.index(stripped)
    end = len(inner) - start - len(stripped)
    return "&#x20;" * start + stripped + "&#x20;" * end


def _entity(match: re.Match[str]) -> str:
    return f"&#x{ord(match.group()):x};"


def _escaped_name(match: re.Match[str]) -> str:
    is_emoji = code_of(match.group(1)) is not None
    return f"&#x3A;{match.group()[1:]}" if is_emoji else match.group()
