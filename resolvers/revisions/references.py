"""Content references that callers send: what they name, and with which members."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from content.documents.reference_urls import KINDS
from resolvers.core.errors import invalid
from resolvers.core.scalars import URL_LENGTH, JsonObject

Json = dict[str, Any]
# The member that a kind of reference cannot be without.
MEMBERS = {
    "url": "url",
    "file": "file",
    "page": "page",
    "anchor": "anchor",
    "user": "user",
    "collection": "collection",
    "space": "space",
    "reusable-content": "reusableContent",
    "openapi": "spec",
    "tag": "tag",
}
# Kinds whose member may be `ref:NAME` of a batch.
_OF_BATCH = {
    "file": "file",
    "page": "page",
    "anchor": "page",
    "reusable-content": "reusableContent",
}
ALL_KINDS = ("url", *KINDS)
_SCHEMES = ("http", "https", "mailto", "tel", "")


def read_reference_input(
    value: JsonObject,
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
    of_batch = _OF_BATCH.get(kind)
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
    if scheme not in _SCHEMES or any(ord(character) < 33 for character in url):
        raise invalid(where, "must be an http, https, mailto or tel URL, or a path")
