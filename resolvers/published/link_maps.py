"""References of the URLs in a stored text, and whether all of them can be replaced in place.

A text never changes, so what was found out about one is cached: one parse for each text.
"""

import asyncio
import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from content.documents.content_references import SCHEME
from content.imports.markdown_links import replace_links
from content.json_types import JsonObject
from content.links.relative import read_anchor
from content.markdown.parser import parse_document
from content.recent_cache import RecentCache
from resolvers.content.client_markdown import named_by
from resolvers.revisions.references import references_in
from resolvers.revisions.states import Body

# No text can have it before.
_PLACE = f"{SCHEME}tag?tag={secrets.token_hex(8)}-"
_MARK = re.compile(rf"{re.escape(_PLACE)}(\d+)-")
# Together they have so many URLs.
CACHED_URLS = 200_000


@dataclass(frozen=True, slots=True)
class LinkMap:
    """The references that the URLs of one text lead to; URLs that are no more than that lead to
    none. With `whole` every one of them can be replaced in the text."""

    references: Mapping[str, JsonObject] = field(default_factory=dict)
    urls: frozenset[str] = frozenset()
    whole: bool = True

    @property
    def weight(self) -> int:
        """Its weight in the cache: one for each URL and reference."""
        return 1 + len(self.references) + len(self.urls)


LINKS: RecentCache[tuple[str, str], LinkMap] = RecentCache(CACHED_URLS, lambda map: map.weight)


async def link_map(space_id: str, document_id: str | None, body: Body) -> LinkMap:
    """The map of a stored text, worked out beside the event loop."""
    if document_id is None or not body.markdown:
        return LinkMap()
    key = (space_id, document_id)
    cached = LINKS.get(key)
    if cached is None:
        cached = await asyncio.to_thread(read_links, body.markdown, body.document)
        LINKS.put(key, cached)
    return cached


def read_links(markdown: str, document: Mapping[str, Any]) -> LinkMap:
    """The map of a text and the document that was read from it."""
    places: list[str] = []

    def mark(url: str) -> str | None:
        if url.startswith("#"):
            return None
        places.append(url)
        return f"{_PLACE}{len(places) - 1}-"

    marked = parse_document(
        replace_links(markdown, mark, mark), resolve=lambda url: {"kind": "url", "url": url}
    )
    read, stored = list(references_in(marked)), list(references_in(document))
    led = stored if len(stored) == len(read) else read
    references: dict[str, JsonObject] = {}
    urls: set[str] = set()
    whole = True
    for written, other in zip(read, led, strict=True):
        url = str(written.get("url", ""))
        if written.get("kind") != "url":
            continue
        if _PLACE in url:
            # What is left beside marks, the text has of the URL and `replace_links` does not see.
            whole = whole and _MARK.fullmatch(url) is not None
            url = _MARK.sub(lambda mark: places[int(mark[1])], url)
        elif not url.startswith("#"):
            whole = whole and not _may_change(url, other)
        urls.add(url)
        reference = dict(other)
        if reference.get("kind") == "url":
            named = named_by(url)
            if url.startswith("#") and len(url) > 1:
                named = {"kind": "anchor", "anchor": read_anchor(url[1:])}
            if named is None:
                continue
            reference = named
        references.setdefault(url, reference)
    # Places that the parser knows nothing of, such as attributes of HTML that is kept.
    for url in places:
        urls.add(url)
        named = named_by(url)
        if named is not None:
            references.setdefault(url, named)
    return LinkMap(references, frozenset(urls), whole)


def _may_change(url: str, reference: Mapping[str, Any]) -> bool:
    """Whether a published text may have another URL in its place."""
    return reference.get("kind") != "url" or not url.startswith(("http:", "https:", "mailto:"))
