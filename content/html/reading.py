"""Reading nodes of documents whose data may hold anything."""

from __future__ import annotations

from collections.abc import Iterator

from content.json_types import Json, JsonObject


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
    return list(objects_in(node.get("nodes")))


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
