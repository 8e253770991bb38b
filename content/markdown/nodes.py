"""Building the nodes of a JSON document."""

from __future__ import annotations

from collections.abc import Iterable

from content.json_types import Json, JsonObject

Node = JsonObject


def block(
    kind: str,
    nodes: Iterable[Node] | None = None,
    data: JsonObject | None = None,
    fragments: Iterable[Node] | None = None,
) -> Node:
    """A block; without `nodes` it is void."""
    node: Node = {"object": "block", "type": kind, "isVoid": nodes is None, "data": data or {}}
    if nodes is not None:
        node["nodes"] = list(nodes)
    if fragments is not None:
        node["fragments"] = list(fragments)
    return node


def inline(
    kind: str,
    nodes: Iterable[Node] | None = None,
    data: JsonObject | None = None,
    fragments: Iterable[Node] | None = None,
) -> Node:
    """An inline; without `nodes` it is void."""
    node = block(kind, nodes, data, fragments)
    node["object"] = "inline"
    return node


def text(content: str = "") -> Node:
    """A text node with one leaf and no marks."""
    return {"object": "text", "leaves": [leaf(content, [])]}


def leaf(content: str, marks: list[Json]) -> Node:
    return {"object": "leaf", "text": content, "marks": marks}


def mark(kind: str, data: JsonObject | None = None) -> Node:
    return {"object": "mark", "type": kind, **({"data": data} if data else {})}


def fragment(name: str, nodes: Iterable[Node], kind: str | None = None) -> Node:
    """Nodes that belong to a void block under a name, such as its caption."""
    node: Node = {"object": "fragment", "fragment": name, "nodes": list(nodes)}
    if kind is not None:
        node["type"] = kind
    return node


def paragraph(nodes: list[Node]) -> Node:
    """A paragraph; it always has at least one text, as editors expect."""
    return block("paragraph", nodes or [text()])


def verbatim(source: str) -> Node:
    """A block of Markdown that has no other node; it is written back as it stands."""
    return block("markdown", data={"source": source})


def verbatim_inline(source: str) -> Node:
    """An inline piece of Markdown that has no other node."""
    return inline("markdown", data={"source": source})


def html_sources(nodes: list[Node]) -> list[str]:
    """The HTML among inlines, and in them, that is kept as it is written, in order."""
    found: list[str] = []
    stack = nodes[::-1]
    while stack:
        node = stack.pop()
        data = node.get("data")
        if node.get("type") == "markdown" and isinstance(data, dict):
            source = str(data.get("source", ""))
            found += [source] if source.startswith("<") else []
        children = node.get("nodes")
        if isinstance(children, list):
            stack.extend(child for child in reversed(children) if isinstance(child, dict))
    return found


def child_lists(node: Node) -> Iterable[list[Node]]:
    """The lists of child nodes of a node: its nodes and its fragments."""
    for name in ("nodes", "fragments"):
        children = node.get(name)
        if isinstance(children, list):
            yield children  # type: ignore[misc]  # documents hold only nodes in these lists
