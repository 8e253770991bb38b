"""Targets of the links of a Markdown text in a draft: pages, files and reusable contents.

A link is understood as `ref:NAME` of the batch, as the URL of a reference (`docstead:...`), by what
the same text led to before, if it is relative, by the rules of content/links/meaning.py, and if it
is an address of this application (`/s/SPACE/path`), by what is there. What leads nowhere yet in the
own space is looked at again when the batch is done: a page may have come to its path.

A text may have very many links, so what looks at all of them runs beside the event loop.
"""

import asyncio
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Self

from content.collector import paused_for
from content.documents.content_references import NAMES, read_reference
from content.json_types import JsonObject
from content.links.file_index import places_at
from content.links.meaning import (
    Meaning,
    Place,
    Standing,
    file_key,
    meaning_of,
    page_reference,
    place_reference,
)
from content.links.relative import read_anchor
from content.merkle.read import lookup
from resolvers.addresses.app import AppAddresses, AppPlace, meaning_in_space
from resolvers.drafts.draft import Draft, Waiting
from resolvers.links.other_spaces import led_to, pages_gone
from resolvers.revisions.limits import DEPTH
from resolvers.revisions.redirects import (
    PageKey,
    Place as OldPlace,
    by_first,
    match,
    old_paths_of_spaces,
)
from resolvers.revisions.references import lead_on, pairs
from resolvers.revisions.rows import Page, ReusableContent
from resolvers.revisions.source_paths import source_paths
from resolvers.revisions.states import Body
from resolvers.revisions.store import walk_one

REF = "ref:"
_BY_ID = re.compile(r"/(?P<kind>pages|files)/(?P<id>[A-Za-z0-9_-]{1,64})(?:#(?P<anchor>.*))?")


@dataclass(frozen=True, slots=True)
class Owner:
    """The page or reusable content of a body: its id, and the base of its relative links."""

    id: str
    document_id: str | None
    standing: Standing
    is_page: bool

    @classmethod
    def of(cls, row: Page | ReusableContent, path: str = "") -> Self:
        """The owner of a body; `path` is that of a page, where its relative links begin."""
        is_page = isinstance(row, Page)
        return cls(row.id, row.document_id, Standing.of(path, row.git), is_page)


class Links:
    """Resolves URLs for the parser.

    `missing` has those that may lead into the own space, `elsewhere` those that may lead to others,
    or to spaces as such, of which nothing is known yet.
    """

    def __init__(self, draft: Draft, owner: Owner) -> None:
        self.missing: dict[str, Meaning] = {}
        self.elsewhere: dict[str, AppPlace] = {}
        # Everything that was asked for and may lead somewhere else another time.
        self.asked: dict[str, None] = {}
        self._draft, self._owner = draft, owner
        self._addresses = AppAddresses.of(draft.ctx)
        self._known: dict[str, JsonObject | None] = {}

    def __call__(self, url: str) -> JsonObject | None:
        """The content reference for a URL; None when it stays a URL."""
        if url.startswith(REF):
            return self._named(url)
        if url.startswith("./") and (local := self._local(url)) is not None:
            return local
        reference = read_reference(url) or self._addresses.reference(url, self._draft.space_id)
        if reference is not None:
            return reference
        self.asked[url] = None
        if url in self._known:
            return self._known[url]
        meaning = meaning_of(url, self._owner.standing)
        place = self._addresses.place(url)
        if place is not None and place.path and place.space_id == self._draft.space_id:
            meaning = meaning_in_space(place, meaning)
        elif place is not None:
            self.elsewhere[url] = place
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
            return page_reference(id, read_anchor(anchor))
        return {"kind": kind, NAMES[kind]: id}

    def _local(self, url: str) -> JsonObject | None:
        """The content that the batch names NAME: a page for `./NAME.md`, a file for `./NAME`."""
        name, _, anchor = url.removeprefix("./").partition("#")
        for named, kind in ((name.removesuffix(".md"), "page"), (name, "file")):
            if self._draft.kinds.get(f"{REF}{named}") == kind:
                return self._named(f"{REF}{named}#{anchor}")
        return None

    def led(self) -> dict[str, JsonObject | None]:
        """The content references of all URLs that were looked up; None for one without."""
        return {url: self._known.get(url) for url in self.asked}

    async def lead_again(self, led: Mapping[str, JsonObject | None], old: str | None) -> bool:
        """Ask for URLs once more; whether they still lead where they led."""

        def ask() -> None:
            for url in led:
                self(url)

        await asyncio.to_thread(ask)
        if self.missing or self.elsewhere:
            await self.look_up(old)
        return await asyncio.to_thread(lambda: self.led() == led)

    async def look_up(self, old: str | None) -> None:
        """Find what the missing URLs lead to, after the body `old` that stood there."""
        led = await led_before(self._draft, old)
        gone = await self._gone(led)
        left, elsewhere = await asyncio.to_thread(self._take_over, led, gone)
        references = await self._leading(left) if left else {}
        places = {url: place for url, place in elsewhere.items() if url not in references}
        there = await led_to(self._draft.ctx, places.values())
        references |= {url: there[place] for url, place in places.items() if place in there}
        await asyncio.to_thread(self._note, (*left, *elsewhere), references, led)

    def _take_over(
        self, led: Mapping[str, JsonObject], gone: set[str]
    ) -> tuple[dict[str, Meaning], dict[str, AppPlace]]:
        """Note what stays as it was; what is left to look up, in the own space and elsewhere."""
        self._known.update((url, reference) for url, reference in led.items() if url not in gone)
        left = {url: meaning for url, meaning in self.missing.items() if url not in self._known}
        others = {url: place for url, place in self.elsewhere.items() if url not in self._known}
        return left, others

    async def _leading(self, left: Mapping[str, Meaning]) -> dict[str, JsonObject]:
        """Content references of URLs in the own space, as it is now."""
        paths, addresses = await asyncio.to_thread(_places, left.values())
        files = await self._files(paths)
        pages = await self._draft.at_paths(addresses)
        references = await asyncio.to_thread(_leading, left, files, pages, {})
        return await self._by_id(left) | references

    async def _by_id(self, urls: Iterable[str]) -> dict[str, JsonObject]:
        """Content references of `/pages/ID` and `/files/ID`, where the content has them."""
        named = {url: match for url in urls if (match := _BY_ID.fullmatch(url)) is not None}
        if not named:
            return {}
        pages = await self._draft.find_pages(
            match["id"] for match in named.values() if match["kind"] == "pages"
        )
        files = await self._draft.find_files(
            match["id"] for match in named.values() if match["kind"] == "files"
        )
        references: dict[str, JsonObject] = {}
        for url, match in named.items():
            id, anchor = match["id"], match["anchor"]
            if match["kind"] == "pages" and id in pages:
                references[url] = page_reference(id, read_anchor(anchor or ""))
            elif match["kind"] == "files" and id in files:
                references[url] = {"kind": "file", "file": id}
        return references

    def _note(
        self,
        urls: Iterable[str],
        references: Mapping[str, JsonObject],
        led: Mapping[str, JsonObject],
    ) -> None:
        """Note what URLs lead to; what leads nowhere is looked for again when the batch is done."""
        for url in urls:
            # A page that is gone is what the text meant, unless there is another one now.
            self._known[url] = references.get(url) or led.get(url)
        waits = {
            url: meaning for url, meaning in self.missing.items() if self._known.get(url) is None
        }
        if waits:
            waiting = self._draft.waiting.setdefault(self._owner.id, Waiting(self._owner.is_page))
            waiting.urls.update(waits)

    async def _gone(self, led: Mapping[str, JsonObject]) -> set[str]:
        """URLs that led to pages which are not there any more."""
        own, others = await asyncio.to_thread(
            _pages_of, led, [url for url in (*self.missing, *self.elsewhere) if url in led]
        )
        there = await self._draft.find_pages(own.values())
        gone = await pages_gone(self._draft.ctx, others.values())
        return {url for url, id in own.items() if id not in there} | {
            url for url, page in others.items() if page in gone
        }

    async def _files(self, paths: Iterable[str]) -> dict[str, JsonObject]:
        """Pages and files by their paths from the content root, in content that came from Git."""
        draft, root = self._draft, self._owner.standing.root
        keys = await asyncio.to_thread(_keys, root, paths)
        if not keys:
            return {}
        parts = await source_paths(draft.ctx, draft.revision)

        def look() -> tuple[dict[str, Any], set[str]]:
            places = places_at(parts, keys.values())
            return places, {
                place.id for several in places.values() for place in several if place.kind == "page"
            }

        places, pages = await asyncio.to_thread(look)
        there = await draft.find_pages(pages)

        def stays(place: Place) -> bool:
            if place.kind == "page":
                return place.id in there
            written: Mapping[str, object | None] = (
                draft.written.files if place.kind == "file" else draft.written.contents
            )
            return written.get(place.id, place) is not None

        def choose() -> dict[str, JsonObject]:
            return {
                path: place_reference(left[0])
                for path, key in keys.items()
                if (left := [place for place in places.get(key, ()) if stays(place)])
            }

        return await asyncio.to_thread(choose)


def _keys(root: str, paths: Iterable[str]) -> dict[str, str]:
    """Keys of paths in the repository, by path from the content root."""
    return {path: file_key(f"{root}/{path}".strip("/")) for path in paths}


def _leading(
    urls: Mapping[str, Meaning],
    files: Mapping[str, JsonObject],
    pages: Mapping[str, Page],
    moved: Mapping[str, tuple[str, str | None]],
) -> dict[str, JsonObject]:
    """Content references of URLs, without URLs that lead nowhere."""

    def page_at(path: str) -> str | None:
        page = pages.get(path)
        return None if page is None else page.id

    references = (
        (url, meaning.lead(files.get, page_at, moved.get)) for url, meaning in urls.items()
    )
    return {url: reference for url, reference in references if reference is not None}


def _places(meanings: Iterable[Meaning]) -> tuple[set[str], list[str]]:
    """The paths of files and the addresses that links may mean."""
    files: set[str] = set()
    addresses: dict[str, None] = {}
    for meaning in meanings:
        files.update(meaning.files)
        addresses.update(dict.fromkeys(meaning.addresses))
    return files, list(addresses)


def _pages_of(
    led: Mapping[str, JsonObject], urls: Iterable[str]
) -> tuple[dict[str, str], dict[str, tuple[str, str]]]:
    """Pages of the own space that URLs led to, and those of others with their space."""
    own: dict[str, str] = {}
    others: dict[str, tuple[str, str]] = {}
    for url in urls:
        page, space = led[url].get("page"), led[url].get("space")
        if led[url].get("kind") not in ("page", "anchor") or not isinstance(page, str):
            continue
        if space is None:
            own[url] = page
        else:
            others[url] = str(space), page
    return own, others


async def settle_links(draft: Draft) -> None:
    """Lead the links on that wait for the end of the batch: to pages that came to their paths, or
    that were there before they moved."""
    if not draft.waiting:
        return
    urls = [waiting.urls for waiting in draft.waiting.values()]
    _, addresses = await asyncio.to_thread(
        lambda: _places(meaning for some in urls for meaning in some.values())
    )
    pages = await draft.at_paths(addresses)
    moved = await old_paths(draft, (path for path in addresses if path not in pages))
    for id, waiting in draft.waiting.items():
        references = await asyncio.to_thread(_leading, waiting.urls, {}, pages, moved)
        if references:
            await _lead_on(draft, id, waiting, references)


async def _lead_on(
    draft: Draft, id: str, waiting: Waiting, references: Mapping[str, JsonObject]
) -> None:
    """Put references into the body of a page or reusable content in place of URLs."""
    row = await draft.find_page(id) if waiting.page else draft.written.contents.get(id)
    document_id = None if row is None else row.document_id
    if row is None or document_id is None or document_id not in draft.written.documents:
        # It was deleted, or has got another body, later in the batch.
        return

    def put() -> str:
        markdown = draft.written.documents[document_id][0]
        with paused_for(markdown):
            document = draft.written.body(document_id).document
            lead_on(document, references)
            return draft.replace_document(document_id, markdown, document)

    draft.put_body(row, await asyncio.to_thread(put))


async def led_before(draft: Draft, document_id: str | None) -> Mapping[str, JsonObject]:
    """The content references of the URLs of a body; empty without a body."""
    key = ("led", document_id)
    references: Mapping[str, JsonObject] | None = draft.work.known(key)
    if references is not None:
        return references
    old: Body | None = draft.work.known(("before", document_id))
    if old is None and (old := await draft.body(document_id)) is None:
        return {}
    body = old
    return await draft.work.do(len(body.markdown), lambda: pairs(body.markdown, body.document), key)


# Old paths that one batch looks for, so that no text makes a search of thousands of statements.
PATHS = 500


async def old_paths(draft: Draft, paths: Iterable[str]) -> dict[str, tuple[str, str | None]]:
    """(id of the page, anchor) by old path, as it is compared; without paths that lead nowhere.

    All paths are looked up at once. The caller has found no page at them. Of more than 500 the
    first count.
    """
    candidates = set(islice((path for path in paths if path and path.count("/") < DEPTH), PATHS))
    led_to = await match(_DraftContent(draft), [(draft.space_id, path) for path in candidates])
    return {path: (end.page.id, end.anchor) for (_, path), end in led_to.items()}


class _DraftContent:
    """The content of a draft, by its space."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft

    async def moved_ids(self, places: Collection[OldPlace]) -> dict[OldPlace, list[str]]:
        ids = await old_paths_of_spaces(self._draft.ctx, by_first(places))
        return {place: [id] for place, id in ids.items()}

    async def set_at(self, places: Collection[OldPlace]) -> dict[OldPlace, tuple[str, str | None]]:
        draft, paths = self._draft, {path for _, path in places}
        stored = await walk_one(
            draft.ctx, draft.space_id, lookup(draft.revision.redirects_root, paths)
        )
        targets = {path: (entry["page"], entry.get("anchor")) for path, entry in stored.items()}
        for path in paths & draft.written.redirects.keys():
            redirect = draft.written.redirects[path]
            targets.pop(path, None)
            if redirect is not None:
                targets[path] = redirect.page_id, redirect.anchor
        return {(draft.space_id, path): target for path, target in targets.items()}

    async def live_at(self, places: Collection[OldPlace]) -> dict[OldPlace, str]:
        pages = await self._draft.at_paths(path for _, path in places)
        return {(self._draft.space_id, path): page.id for path, page in pages.items()}

    async def pages(self, keys: Iterable[PageKey]) -> dict[PageKey, Page]:
        pages = await self._draft.find_pages(id for _, id in keys)
        await self._draft.load_above(pages.values())
        return {
            (self._draft.space_id, id): replace(page, path=await self._draft.path_of(page))
            for id, page in pages.items()
        }
