"""Content references as callers and texts write them: what they name, URLs and references."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from content.documents.content_references import (
    IN_SPACES,
    KINDS,
    NAMES,
    cell_references,
    read_reference,
    settle_cells,
)
from content.json_types import JsonObject
from content.markdown.parser import parse_document
from content.merkle.node import canonical
from content.script_addresses import runs_script
from resolvers.core.errors import invalid
from resolvers.core.scalars import URL_LENGTH, JsonObject as JsonInput

Json = dict[str, Any]


# The member that a kind of reference cannot be without.
MEMBERS = {**NAMES, "anchor": "anchor", "tag": "tag"}
# Kinds with the member that holds an id of the same content, or `ref:NAME` of a batch.
OF_CONTENT = {kind: NAMES[kind] for kind in IN_SPACES}
ALL_KINDS = ("url", *KINDS)
_SCHEMES = ("http", "https", "mailto", "tel", "")


def read_reference_input(
    value: JsonInput,
    where: str,
    refs: Mapping[str, str],
    kinds: tuple[str, ...] = ALL_KINDS,
) -> Json:
    """A content reference as it is stored, with ids for `ref:NAME`; Invalid names what is wrong."""
    kind = value.get("kind")
    if kind not in kinds:
        raise invalid(f"{where}.kind", f"must be one of {', '.join(kinds)}")
    for name, text in value.items():
        if not isinstance(text, str) or len(text) > URL_LENGTH:
            raise invalid(f"{where}.{name}", f"must be text of at most {URL_LENGTH} characters")
    member = MEMBERS[kind]
    if not value.get(member):
        raise invalid(f"{where}.{member}", f"is required with the kind {kind!r}")
    if kind == "url":
        _check_url(value["url"], f"{where}.url")
    stored = dict(value)
    of_batch = OF_CONTENT.get(kind)
    named = stored.get(of_batch) if of_batch is not None else None
    if of_batch is not None and isinstance(named, str) and named.startswith("ref:"):
        if named not in refs:
            raise invalid(f"{where}.{of_batch}", f"{named!r} is the name of nothing in this batch")
        stored[of_batch] = refs[named]
    return stored


def _check_url(url: str, where: str) -> None:
    """Invalid for a URL that browsers would run, and for one with blanks or control characters."""
    try:
        scheme = urlsplit(url).scheme.lower()
    except ValueError as error:
        raise invalid(where, "is not a URL") from error
    if scheme not in _SCHEMES or runs_script(url) or any(ord(sign) < 33 for sign in url):
        raise invalid(where, "must be an http, https, mailto or tel URL, or a path")


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
    """URLs of one text by content reference, for writing it anew after an edit."""

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
