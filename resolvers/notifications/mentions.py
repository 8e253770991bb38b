"""People who are mentioned in texts of others."""

from collections.abc import Iterator, Mapping
from typing import Any

from content.documents.nodes import data_of, leaves_of, object_of, text_of, walk
from resolvers.addresses.app import AppAddresses

# People whom one text mentions; those behind them are not notified.
MOST_MENTIONED = 100


def people_mentioned(
    document: Mapping[str, Any] | None, addresses: AppAddresses, space_id: str
) -> list[str]:
    """Ids of the people whom a document mentions, each once, in order, at most MOST_MENTIONED.

    A mention is a node of that type, or a link to a person whose text begins with `@`.
    """
    people = dict.fromkeys(_mentions(document or {}, addresses, space_id))
    return list(people)[:MOST_MENTIONED]


def _mentions(document: Mapping[str, Any], addresses: AppAddresses, space_id: str) -> Iterator[str]:
    nodes = document.get("nodes")
    for node in walk(nodes if isinstance(nodes, list) else []):
        kind = node.get("type")
        if kind == "mention" or (kind == "link" and _text(node).startswith("@")):
            reference = object_of(data_of(node), "ref")
            if reference.get("kind") == "url":
                url = text_of(reference, "url").strip()
                absolute = addresses.url + url if url.startswith("/") else url
                reference = addresses.reference(absolute, space_id) or {}
            person = reference.get("user")
            if reference.get("kind") == "user" and isinstance(person, str):
                yield person


def _text(link: Mapping[str, Any]) -> str:
    """The text at the beginning of a link."""
    texts = (
        str(leaf.get("text", ""))
        for node in walk(link.get("nodes") or [])
        for leaf in leaves_of(node) or ()
    )
    return next((text for text in texts if text), "")
