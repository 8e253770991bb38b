"""What all parts of one document share while it is written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from content.documents.reference_urls import SCHEME, reference_url
from content.json_types import Json, JsonObject
from content.markdown.nodes import Node
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
        made = None if self.link is None else self.link(reference)
        return reference_url(reference) if made is None else made

    def style(self, name: str, node: Node | None = None) -> Json:
        """How a block, the one that is being written or `node`, does what pages do in several
        ways: as it says, else as the page does, else in canonical form."""
        own = self.here if node is None else self.own(node)
        return own.get(name, self.page.get(name, CANONICAL.get(name)))


def mention_label(reference: Json, url: str) -> str:
    """What stands for a mention where nobody looks up a name: its path, else `@` and its id."""
    if url.startswith(SCHEME) and isinstance(reference, dict):
        named = reference.get(str(reference.get("kind")))
        if isinstance(named, str) and named.strip():
            return "@" + " ".join(named.split())
    return url or "mention"


class UnwritableError(Exception):
    """A node that the dialect has no form for; it is kept as JSON."""


def data_of(node: Node) -> JsonObject:
    data = node.get("data")
    return data if isinstance(data, dict) else {}


def nodes_of(node: Node) -> list[Node]:
    """The child nodes of a node."""
    children = node.get("nodes")
    if not isinstance(children, list):
        return []
    return [child for child in children if isinstance(child, dict)]


def fragment_of(node: Node, name: str) -> list[Node] | None:
    """The nodes of the fragment with a name or of a type; None when there is none."""
    fragments = node.get("fragments")
    for part in fragments if isinstance(fragments, list) else []:
        if isinstance(part, dict) and name in (part.get("fragment"), part.get("type")):
            return nodes_of(part)
    return None


def leaves_of(node: Node) -> list[Node] | None:
    """The leaves of a text node, None for another node."""
    leaves = node.get("leaves")
    if not isinstance(leaves, list):
        return None
    return [leaf for leaf in leaves if isinstance(leaf, dict)]


def raw_text(nodes: Sequence[Node]) -> str:
    """The text of nodes without any marks."""
    parts: list[str] = []
    for node in nodes:
        leaves = leaves_of(node)
        if leaves is None:
            parts.append(raw_text(nodes_of(node)))
        else:
            parts += [str(leaf.get("text", "")) for leaf in leaves]
    return "".join(parts)
