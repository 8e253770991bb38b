"""How a text writes what its links lead to: URLs and content references, side by side."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any

from content.documents.cell_references import cell_references, settle_cells
from content.documents.reference_urls import read_reference
from content.json_types import JsonObject
from content.markdown.parser import parse_document
from content.merkle.node import canonical
from resolvers.revisions.references import ALL_KINDS

Json = dict[str, Any]
NOTHING: Mapping[str, JsonObject] = MappingProxyType({})


def pairs(markdown: str, document: Json) -> dict[str, JsonObject]:
    """The content reference of each URL of a text: the same text gives the same ones in order."""
    fresh = parse_document(markdown, resolve=lambda url: {"kind": "url", "url": url})
    written, resolved = list(references_in(fresh)), list(references_in(document))
    if len(written) != len(resolved):
        return {}
    return {
        str(from_text["url"]): dict(other)
        for from_text, other in zip(written, resolved, strict=True)
        if from_text.get("kind") == "url" and other.get("kind") != "url"
    }


def elsewhere_in(value: Any) -> set[str]:
    """The spaces that content references of a document name: pages of them, or they themselves."""
    return {
        str(reference["space"])
        for reference in references_in(value)
        if reference["kind"] in ("page", "anchor", "space") and "space" in reference
    }


class Addresses:
    """How one text writes what it links to, for writing it anew after an edit."""

    def __init__(
        self, markdown: str, document: Json, added: Mapping[str, JsonObject] = NOTHING
    ) -> None:
        """`added` are URLs of texts that were put in, with what they lead to."""
        self._led_to: dict[str, JsonObject] = dict(added)
        if any(reference.get("kind") != "url" for reference in references_in(document)):
            self._led_to |= pairs(markdown, document)
        self._urls = {canonical(reference): url for url, reference in self._led_to.items()}

    def resolve(self, url: str) -> JsonObject | None:
        """The content reference for a URL of the text; None when it is just a URL."""
        return self._led_to.get(url) or read_reference(url)

    def link(self, reference: JsonObject) -> str | None:
        """The URL that the text has for a reference; None when it has none."""
        return self._urls.get(canonical(reference))


def lead_on(value: Any, destinations: Mapping[str, JsonObject]) -> None:
    """Put references in place of URLs, wherever a document or other value has them."""
    for written in list(references_in(value)):
        if (
            written.get("kind") == "url"
            and written.get("url") in destinations
            and len(written) == 2
        ):
            reference = destinations[written["url"]]
            written.clear()
            written.update(reference)
    for table in _tables_in(value):
        settle_cells(table["data"].get("definition"), table["data"].get("records"))


def _tables_in(value: Any) -> Iterator[Json]:
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, list):
            stack.extend(item)
        elif isinstance(item, dict):
            if item.get("type") == "table" and isinstance(item.get("data"), dict):
                yield item
            stack.extend(item.get(name, ()) for name in ("nodes", "fragments"))


def references_in(value: Any) -> Iterator[Json]:
    """All content references of a document, in document order."""
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, list):
            stack.extend(reversed(item))
        elif isinstance(item, dict):
            if item.get("kind") in ALL_KINDS:
                yield item
            elif item.get("type") == "table":
                # Cells may have ids in place of references.
                data = item.get("data") or {}
                stack.append(item.get("fragments", []))
                stack.append(list(cell_references(data.get("definition"), data.get("records"))))
            else:
                stack.extend(item[name] for name in sorted(item, reverse=True))
