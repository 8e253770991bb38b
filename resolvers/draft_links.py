"""What the links of a Markdown text in a draft lead to: pages, files and reusable contents.

A link is understood as `ref:NAME` of the batch, as the URL of a reference (`docstead:...`), by what
the same text led to before, and, if it is relative, by the rules of content/link_meaning.py. What
leads nowhere yet is looked at again when the batch is done: a page may have come to its path.
"""

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import unquote

from content.bounded_cache import BoundedCache
from content.file_index import IndexedNode, indexed_files, places_at
from content.json_types import JsonObject
from content.link_meaning import (
    Meaning,
    Place,
    Standing,
    file_key,
    meaning_of,
    page_reference,
    place_reference,
)
from content.markdown.parser import parse_document
from content.merkle.node import canonical
from content.reference_urls import read_reference
from content.references import NAMES
from resolvers.content_draft import Draft, Waiting
from resolvers.content_store import walk_beside
from resolvers.draft_old_paths import old_paths
from resolvers.revisions import Body

Json = dict[str, Any]
REF = "ref:"
# Paths in Git of the nodes read last: those of a dozen large spaces.
CACHED_PATHS = 100_000
_INDEXED: BoundedCache[tuple[str, str], IndexedNode] = BoundedCache(
    CACHED_PATHS, lambda node: node.weight
)


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose body it is: the id that new keys follow from, and where its relative links start."""

    id: str
    document_id: str | None
    standing: Standing
    is_page: bool = True


class Links:
    """Resolves URLs for the parser; `missing` has the relative ones that nothing is known of."""

    def __init__(self, draft: Draft, owner: Owner) -> None:
        self.missing: dict[str, Meaning] = {}
        # Everything that was asked for and may lead somewhere else another time.
        self.asked: dict[str, None] = {}
        self._draft, self._owner = draft, owner
        self._known: dict[str, JsonObject | None] = {}

    def __call__(self, url: str) -> JsonObject | None:
        """The content reference for a URL; None when it stays a URL."""
        if url.startswith(REF):
            return self._named(url)
        found = read_reference(url)
        if found is not None:
            return found
        self.asked[url] = None
        if url in self._known:
            return self._known[url]
        meaning = meaning_of(url, self._owner.standing)
        if meaning is not None:
            self.missing[url] = meaning
        return None

    def _named(self, url: str) -> JsonObject | None:
        name, _, anchor = url.partition("#")
        id = self._draft.refs.get(name)
        if id is None:
            return None
        kind = self._draft.kinds[name]
        if kind == "page":
            return page_reference(id, unquote(anchor))
        return {"kind": kind, NAMES[kind]: id}

    def led(self) -> dict[str, JsonObject | None]:
        """What everything that was asked for leads to."""
        return {url: self._known.get(url) for url in self.asked}

    async def lead_again(self, led: Mapping[str, JsonObject | None], old: str | None) -> bool:
        """Ask for URLs once more; whether they still lead where they led."""

        def ask() -> None:
            for url in led:
                self(url)

        await asyncio.to_thread(ask)
        if self.missing:
            await self.look_up(old)
            self.wait()
        return self.led() == led

    async def look_up(self, old: str | None) -> None:
        """Find what the missing URLs lead to, after the body `old` that stood there."""
        led = await led_before(self._draft, old)
        gone = await self._gone(led)
        self._known.update((url, one) for url, one in led.items() if url not in gone)
        left = {url: one for url, one in self.missing.items() if url not in self._known}
        if not left:
            return
        files = await self._files({path for one in left.values() for path in one.files})
        pages = await self._draft.at_paths(path for one in left.values() for path in one.addresses)
        ids = {path: page.id for path, page in pages.items()}
        found = await asyncio.to_thread(_leading, left, files, ids, {})
        # A page that is gone is what the text meant, unless there is another one now.
        self._known.update((url, found.get(url) or led.get(url)) for url in left)

    def wait(self) -> None:
        """Look again for what leads nowhere, when the batch is done."""
        urls = {url: one for url, one in self.missing.items() if self._known.get(url) is None}
        if urls:
            waiting = self._draft.waiting.setdefault(self._owner.id, Waiting(self._owner.is_page))
            waiting.urls.update(urls)

    async def _gone(self, led: Mapping[str, JsonObject]) -> set[str]:
        """URLs that led to pages of this space which are not there any more."""
        pages = {url: str(one["page"]) for url, one in led.items() if _is_page(one)}
        there = await self._draft.find_pages(pages.values())
        return {url for url, id in pages.items() if id not in there}

    async def _files(self, paths: Iterable[str]) -> dict[str, JsonObject]:
        """What stands at paths from the content root, in content that came from Git."""
        draft, root = self._draft, self._owner.standing.root
        keys = await asyncio.to_thread(_keys, root, paths)
        if not keys:
            return {}
        revision = draft.revision
        roots = {
            "page": revision.pages_root,
            "file": revision.files_root,
            "reusable-content": revision.contents_root,
        }
        walk = indexed_files(roots, _INDEXED)
        parts = await walk_beside(draft.ctx, draft.space_id, walk)
        places = await asyncio.to_thread(places_at, parts, keys.values())
        pages = {one.id for several in places.values() for one in several if one.kind == "page"}
        there = await draft.find_pages(pages)

        def stays(place: Place) -> bool:
            if place.kind == "page":
                return place.id in there
            written: Mapping[str, object | None] = (
                draft.written.files if place.kind == "file" else draft.written.contents
            )
            return written.get(place.id, place) is not None

        return {
            path: place_reference(left[0])
            for path, key in keys.items()
            if (left := [one for one in places.get(key, ()) if stays(one)])
        }


def _keys(root: str, paths: Iterable[str]) -> dict[str, str]:
    """Keys of paths in the repository, by path from the content root."""
    return {path: file_key(f"{root}/{path}".strip("/")) for path in paths}


def _leading(
    urls: Mapping[str, Meaning],
    files: Mapping[str, JsonObject],
    pages: Mapping[str, str],
    moved: Mapping[str, tuple[str, str | None]],
) -> dict[str, JsonObject]:
    """What URLs lead to, without those that lead nowhere."""
    found = ((url, one.lead(files.get, pages.get, moved.get)) for url, one in urls.items())
    return {url: reference for url, reference in found if reference is not None}


def _is_page(reference: Mapping[str, Any]) -> bool:
    own = reference.get("kind") in ("page", "anchor") and "space" not in reference
    return own and isinstance(reference.get("page"), str)


async def settle_links(draft: Draft) -> None:
    """Lead the links on that wait for the end of the batch: to pages that came to their paths, or
    that were there before they moved."""
    meanings = [one for waiting in draft.waiting.values() for one in waiting.urls.values()]
    if not meanings:
        return
    addresses = list(dict.fromkeys(path for one in meanings for path in one.addresses))
    pages = await draft.at_paths(addresses)
    moved = await old_paths(draft, (path for path in addresses if path not in pages))
    ids = {path: page.id for path, page in pages.items()}
    for id, waiting in draft.waiting.items():
        found = await asyncio.to_thread(_leading, waiting.urls, {}, ids, moved)
        if found:
            await _lead_on(draft, id, waiting, found)


async def _lead_on(
    draft: Draft, id: str, waiting: Waiting, found: Mapping[str, JsonObject]
) -> None:
    """Put references into the body of a page or reusable content in place of URLs."""
    page = await draft.find_page(id) if waiting.page else None
    content = None if waiting.page else draft.written.contents.get(id)
    document_id = next((one.document_id for one in (page, content) if one is not None), None)
    if document_id is None or document_id not in draft.written.documents:
        # It was deleted, or has got another body, later in the batch.
        return
    body = draft.written.body(document_id)

    def put() -> None:
        for one in list(_references(body.document)):
            if one.get("kind") == "url" and one.get("url") in found and len(one) == 2:
                reference = found[one["url"]]
                one.clear()
                one.update(reference)

    await asyncio.to_thread(put)
    made = draft.replace_document(document_id, body.markdown, body.document)
    if page is not None:
        draft.put(replace(page, document_id=made))
    elif content is not None:
        draft.written.contents[id] = replace(content, document_id=made)


async def led_before(draft: Draft, document_id: str | None) -> Mapping[str, JsonObject]:
    """What the URLs of a body led to; empty without one."""
    key = ("led", document_id)
    known: Mapping[str, JsonObject] | None = draft.work.known(key)
    if known is not None:
        return known
    old: Body | None = draft.work.known(("before", document_id))
    if old is None and (old := await draft.body(document_id)) is None:
        return {}
    body = old
    return await draft.work.do(
        len(body.markdown), lambda: _pairs(body.markdown, body.document), key
    )


def _pairs(markdown: str, document: Json) -> dict[str, JsonObject]:
    """What each URL of a text led to: the same text gives the same references in order."""
    fresh = parse_document(markdown, resolve=lambda url: {"kind": "url", "url": url})
    written, resolved = list(_references(fresh)), list(_references(document))
    if len(written) != len(resolved):
        return {}
    return {
        str(one["url"]): dict(other)
        for one, other in zip(written, resolved, strict=True)
        if one.get("kind") == "url" and other.get("kind") != "url"
    }


class Addresses:
    """How one text writes what it links to, for writing it anew after an edit."""

    def __init__(self, markdown: str, document: Json) -> None:
        self._led_to: dict[str, JsonObject] = {}
        if any(one.get("kind") != "url" for one in _references(document)):
            self._led_to = _pairs(markdown, document)
        self._urls = {canonical(one): url for url, one in self._led_to.items()}

    def resolve(self, url: str) -> JsonObject | None:
        """The content reference for a URL of the text; None when it is just a URL."""
        return self._led_to.get(url) or read_reference(url)

    def link(self, reference: JsonObject) -> str | None:
        """The URL that the text has for a reference; None when it has none."""
        return self._urls.get(canonical(reference))


def _references(value: Any) -> Iterator[Json]:
    """All content references of a document, in document order."""
    stack = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, list):
            stack.extend(reversed(item))
        elif isinstance(item, dict):
            if isinstance(item.get("kind"), str):
                yield item
            else:
                stack.extend(item[name] for name in sorted(item, reverse=True))
