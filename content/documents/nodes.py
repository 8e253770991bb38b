"""Nodes of JSON documents: making them, walking through them, reading data of any shape."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from content.json_types import Json, JsonObject

Node = JsonObject
N = TypeVar("N", bound=dict[str, Any])
SCHEMA_VERSION = 1


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
    """The HTML among inlines, and in them, that is kept as it is written, in order.

    Without that of fragments: the body of a footnote does not stand in the line that refers to it.
    """
    sources: list[str] = []
    stack = nodes[::-1]
    while stack:
        node = stack.pop()
        source = str(data_of(node).get("source", ""))
        if node.get("type") == "markdown" and source.startswith("<"):
            sources.append(source)
        stack.extend(reversed(children_of(node)))
    return sources


def child_lists(node: N) -> Iterable[list[N]]:
    """The lists of child nodes of a node: its nodes and its fragments."""
    for name in ("nodes", "fragments"):
        children = node.get(name)
        if isinstance(children, list):
            yield children


def walk(nodes: Iterable[N]) -> Iterator[N]:
    """The nodes with all below them, in document order."""
    stack = list(nodes)[::-1]
    while stack:
        node = stack.pop()
        yield node
        for name in ("fragments", "nodes"):
            children = node.get(name)
            if isinstance(children, list):
                stack.extend(reversed(children))


def data_of(node: JsonObject) -> JsonObject:
    """The data of a node; empty when it has none."""
    data = node.get("data")
    return data if isinstance(data, dict) else {}


def text_of(data: JsonObject, name: str) -> str:
    """A text in the data; empty when it is absent or no text."""
    value = data.get(name)
    return value if isinstance(value, str) else ""


def object_of(data: JsonObject, name: str) -> JsonObject:
    """An object in the data; empty when it is absent or none."""
    value = data.get(name)
    return value if isinstance(value, dict) else {}


def flag_of(data: JsonObject, name: str) -> bool:
    """Whether the data says true."""
    return data.get(name) is True


def objects_in(value: Json) -> Iterator[JsonObject]:
    """The objects of a list; nothing when it is none."""
    if isinstance(value, list):
        yield from (item for item in value if isinstance(item, dict))


def children_of(node: JsonObject) -> list[JsonObject]:
    """The child nodes of a node, without its fragments."""
    children = node.get("nodes")
    if not isinstance(children, list):
        return []
    return [child for child in children if isinstance(child, dict)]


def fragment_of(node: JsonObject, kind: str) -> list[JsonObject] | None:
    """The nodes of the first fragment of that type (or name); None when there is none."""
    for fragment in objects_in(node.get("fragments")):
        if kind in (fragment.get("type"), fragment.get("fragment")):
            return children_of(fragment)
    return None


def fragments_by_name(node: JsonObject) -> dict[str, list[JsonObject]]:
    """The nodes of all fragments that have a name."""
    return {
        name: children_of(fragment)
        for fragment in objects_in(node.get("fragments"))
        if isinstance(name := fragment.get("fragment"), str)
    }


def leaves_of(node: Node) -> list[Node] | None:
    """The leaves of a text node, None for another node."""
    leaves = node.get("leaves")
    if not isinstance(leaves, list):
        return None
    return [leaf for leaf in leaves if isinstance(leaf, dict)]


def with_children(node: Node, new_of: Callable[[Node], Node]) -> Node:
    """The node with what `new_of` makes of each of its children; what stays the same is shared."""
    for name in ("nodes", "fragments"):
        children = node.get(name)
        if not isinstance(children, list):
            continue
        new_children: list[Json] = children
        for index, child in enumerate(children):
            new = new_of(child) if isinstance(child, dict) else child
            if new is not child:
                new_children = [*children] if new_children is children else new_children
                new_children[index] = new
        if new_children is not children:
            node = {**node, name: new_children}
    return node
