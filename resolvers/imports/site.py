"""The pages of a site, fetched in the order of its navigation and no more than an import takes."""

from dataclasses import dataclass, field
from typing import Any, Protocol
from urllib.parse import urlsplit

from content.imports.packing import LEFT_OUT
from content.imports.website import Place, Scope, in_order, page_key, scope_of
from fetching.client import Fetched, Fetcher
from fetching.errors import FetchError
from fetching.several import AT_ONCE, some_at_once
from resolvers.core.errors import BadRequest
from resolvers.imports.worker import ImportWorker

Json = dict[str, Any]
PAGE_BYTES = 5_000_000
# Bytes of all pages of an import.
SITE_BYTES = 100_000_000
SITEMAPS = 5
_PAGES = frozenset(
    {"text/html", "application/xhtml+xml", "text/markdown", "text/x-markdown", "text/plain"}
)
_DOCUMENTS = frozenset({"text/html", "application/xhtml+xml"})


class Report(Protocol):
    """Hears how far an import is: the stage, what is done in it, and how much there is."""

    def __call__(self, stage: str, done: int = 0, total: int | None = None) -> None: ...


def no_report(stage: str, done: int = 0, total: int | None = None) -> None:
    """For those who do not watch."""


def left_out(kind: str, title: str, path: str, reason: str) -> Json:
    """An entry of the list of what an import leaves out."""
    return {"kind": kind, "title": title[:255], "path": path, "reason": reason}


@dataclass(slots=True)
class Missing:
    """Pages of a site that are left out: those that could not be fetched, by name, and how many
    there are altogether, with those that were not tried because enough had been fetched."""

    left_out: list[Json] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    count: int = 0

    def add(self, place: Place, reason: str) -> None:
        """A page that is left out."""
        self.left_out.append(left_out("page", place.title, place.url, reason))
        self.warnings.append(f"a page is left out: {reason}")


def is_page(content_type: str) -> bool:
    """Whether a media type is one of pages."""
    return content_type in _PAGES


async def fetch_site(
    fetcher: Fetcher,
    worker: ImportWorker,
    url: str,
    first: Fetched,
    most: int,
    report: Report = no_report,
) -> tuple[Json, Missing]:
    """The answer of the reading process, and the pages of the site that were not fetched."""
    if not is_page(first.content_type):
        raise BadRequest(f"url: {first.url}: is {first.content_type or 'of no type'}, not a page")
    scope = _scope(url, first.url)
    site = _Site(fetcher, worker, scope, most, first, report)
    if first.content_type in _DOCUMENTS:
        places = await site.places("navigation", first)
        if len(places) < 2:
            places = await site.from_sitemaps()
        if len(places) < 2:
            places = await site.from_llms()
    else:
        # The address may be that of an `llms.txt`, or of one page in Markdown.
        places = await site.places("llms", first)
    await site.fetch(in_order(Place(first.url, ""), places))
    if len(places) < 2 and first.content_type in _DOCUMENTS:
        await site.follow_links()
    read = await worker.call(
        "read_site",
        [fetched.data for _, fetched in site.pages],
        url=first.url,
        pages=[
            {
                "place": [place.url, place.title, place.depth],
                "url": fetched.url,
                "type": fetched.content_type,
                "charset": fetched.charset,
                "changed": fetched.changed,
            }
            for place, fetched in site.pages
        ],
    )
    site.missing.count = site.named - len(site.pages)
    return read, site.missing


def _scope(requested_url: str, final_url: str) -> Scope:
    """The part of a site: what was asked for, on the origin where it was found."""
    there = scope_of(final_url)
    requested = scope_of(requested_url)
    inside = there.path == requested.path or there.path.startswith(f"{requested.path.rstrip('/')}/")
    return Scope(there.origin, requested.path if inside else there.path)


class _Site:
    """Pages that were fetched so far."""

    def __init__(
        self,
        fetcher: Fetcher,
        worker: ImportWorker,
        scope: Scope,
        most: int,
        first: Fetched,
        report: Report,
    ) -> None:
        self._report = report
        self.pages: list[tuple[Place, Fetched]] = []
        self.missing = Missing()
        self._fetcher = fetcher
        self._worker = worker
        self._scope = scope
        self._most = most
        self._first = first
        self._known: dict[str, Fetched | None] = {page_key(first.url): first}
        self._bytes = len(first.data)
        self._named: set[str] = set()

    @property
    def named(self) -> int:
        """The number of pages that the site names."""
        return max(len(self._named), len(self.pages))

    async def places(self, form: str, document: Fetched) -> list[Place]:
        """The pages that a document names in one of its forms."""
        answer = await self._ask(form, document)
        return [Place(*place) for place in answer["places"]]

    async def _ask(self, form: str, document: Fetched) -> Json:
        return await self._worker.call(
            "places",
            [document.data],
            form=form,
            url=document.url,
            charset=document.charset,
            scope=[self._scope.origin, self._scope.path],
        )

    def _beside(self, name: str) -> list[str]:
        """Where a file of the site may be: in its part, and at the root."""
        root = f"{self._scope.origin}/{name}"
        own = f"{self._scope.origin}{self._scope.path.rstrip('/')}/{name}"
        return list(dict.fromkeys([own, root]))

    async def from_sitemaps(self) -> list[Place]:
        """The pages in the first sitemap that there is, and in those it names."""
        for address in self._beside("sitemap.xml"):
            waiting, read, places = [address], 0, list[Place]()
            while waiting and read < SITEMAPS:
                read += 1
                try:
                    document = await self._fetcher.get(waiting.pop(0), max_bytes=PAGE_BYTES)
                    answer = await self._ask("sitemap", document)
                except (FetchError, BadRequest):
                    # Sites need not have one.
                    continue
                places += [Place(*place) for place in answer["places"]]
                waiting += [sitemap for sitemap in answer["further"] if self._is_here(sitemap)]
            if places:
                return places
        return []

    def _is_here(self, url: str) -> bool:
        parts = urlsplit(url)
        return f"{parts.scheme}://{parts.netloc}".lower() == self._scope.origin

    async def from_llms(self) -> list[Place]:
        """The pages in an `llms.txt`."""
        for address in self._beside("llms.txt"):
            try:
                document = await self._fetcher.get(address, accepts=is_page, max_bytes=PAGE_BYTES)
            except FetchError:
                continue
            if document.content_type in _DOCUMENTS:
                # A site that answers every address with a page.
                continue
            places = await self.places("llms", document)
            if places:
                return places
        return []

    async def fetch(self, places: list[Place]) -> None:
        """Fetch pages in order until there are enough."""
        self._named.update(page_key(place.url) for place in places)
        while places and len(self.pages) < self._most:
            count = min(AT_ONCE, self._most - len(self.pages))
            chosen, places = places[:count], places[count:]
            documents = await some_at_once(self._document, chosen)
            for place, fetched in zip(chosen, documents, strict=True):
                # A page that was moved out of the site is none of its pages.
                if fetched is not None and self._is_own(fetched):
                    self.pages.append((place, fetched))
            self._report("fetching pages", len(self.pages), min(self._most, self.named))
        for place in places:
            if len(self.missing.left_out) < LEFT_OUT:
                reason = f"is beyond the {self._most} pages of one import"
                self.missing.left_out.append(left_out("page", place.title, place.url, reason))

    def _is_own(self, fetched: Fetched) -> bool:
        return fetched is self._first or self._scope.holds(fetched.url)

    async def follow_links(self) -> None:
        """Fetch what pages link to, then what those link to, until there are enough."""
        done = 0
        while done < len(self.pages):
            _, document = self.pages[done]
            done += 1
            if document.content_type not in _DOCUMENTS:
                continue
            places = await self.places("links", document)
            new = [place for place in places if page_key(place.url) not in self._named]
            await self.fetch([Place(place.url, place.title) for place in new])

    async def _document(self, place: Place) -> Fetched | None:
        key = page_key(place.url)
        if key in self._known:
            return self._known[key]
        self._known[key] = None
        if self._bytes >= SITE_BYTES:
            self.missing.add(place, f"{place.url}: the pages are too large together")
            return None
        try:
            fetched = await self._fetcher.get(place.url, accepts=is_page, max_bytes=PAGE_BYTES)
        except FetchError as error:
            self.missing.add(place, str(error))
            return None
        self._bytes += len(fetched.data)
        self._known[key] = self._known[page_key(fetched.url)] = fetched
        return fetched
