"""A site as pages: where its navigation, sitemap or `llms.txt` leads, and what its documents hold.

Fetching is the caller's; everything here looks at what was fetched.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from urllib.parse import quote, unquote, urljoin, urlsplit

from content.git.space_import import SpaceImport
from content.git.summary import title_from_name
from content.imports.dom import Tag, parse_html
from content.imports.drafts import Draft, space_import
from content.imports.html_blocks import anchor_of
from content.imports.html_page import decode_html, read_page, rewrite_links
from content.imports.markdown_files import markdown_draft
from content.imports.markdown_links import replace_links
from content.imports.safe_xml import local_name, parse_xml
from content.sources.zip import open_files

MAX_LINKS = 10_000
MARKDOWN_TYPES = ("text/markdown", "text/x-markdown", "text/plain")
_INDEX = re.compile(r"/index\.(?:html?|php)\Z", re.IGNORECASE)
_FILE = re.compile(
    r"\.(?:png|jpe?g|gif|svg|webp|avif|ico|css|js|json|xml|pdf|zip|gz|tar|mp4|webm|mp3|woff2?)\Z",
    re.IGNORECASE,
)
_MARKDOWN_LINK = re.compile(r"\[([^\[\]\n]{1,300})\]\(<?([^\s()<>]{1,2000})>?\)")
_NAVIGATION = re.compile(r"(?:^|[-_\s])(?:sidebar|sidenav|toctree|menu|navigation|summary)")


@dataclass(frozen=True, slots=True)
class Scope:
    """The URLs of a site: one origin, and a path with everything below it."""

    origin: str
    path: str

    def holds(self, url: str) -> bool:
        """Whether a URL may be a page of the site."""
        parts = urlsplit(url)
        path = parts.path or "/"
        if f"{parts.scheme}://{parts.netloc}".lower() != self.origin or parts.query:
            return False
        inside = path == self.path or path.startswith(f"{self.path.rstrip('/')}/")
        return inside and not _FILE.search(path)


def scope_of(url: str) -> Scope:
    """The scope of a site that starts at `url`: that path, or the folder of a file there."""
    parts = urlsplit(url)
    path = parts.path or "/"
    last = path.rpartition("/")[2]
    if "." in last:
        path = path[: -len(last)]
    return Scope(f"{parts.scheme}://{parts.netloc}".lower(), path.rstrip("/") or "/")


def page_key(url: str) -> str:
    """The key of a page: its URL without fragment, final slash and name of an index."""
    parts = urlsplit(url)
    path = unquote(_INDEX.sub("/", parts.path or "/")).rstrip("/")
    return f"{parts.scheme}://{parts.netloc}".lower() + path


@dataclass(frozen=True, slots=True)
class Place:
    """A page that a site names: its depth in the navigation counts from 0."""

    url: str
    title: str
    depth: int = 0


def navigation_of(text: str, url: str, scope: Scope) -> list[Place]:
    """The longest list of links to pages of the site that the document has for navigation."""
    best: list[Place] = []
    for tag in parse_html(text).walk():
        if tag.name in ("nav", "aside") or tag.get("role") == "navigation" or _is_menu(tag):
            places = _places(tag, url, scope)
            if len(places) > len(best):
                best = places
    return best


def _is_menu(tag: Tag) -> bool:
    return tag.name in ("div", "ul", "section") and any(
        _NAVIGATION.search(name) for name in [*tag.classes(), tag.get("id").lower()]
    )


def links_of(text: str, url: str, scope: Scope) -> list[Place]:
    """All pages of the site that a document links to."""
    return _places(parse_html(text), url, scope)


def _places(root: Tag, url: str, scope: Scope) -> list[Place]:
    places: dict[str, Place] = {}

    def visit(tag: Tag, depth: int) -> None:
        for child in tag.elements():
            if child.name == "a" and child.get("href"):
                target = _absolute(url, child.get("href"))
                if target and scope.holds(target) and len(places) < MAX_LINKS:
                    places.setdefault(page_key(target), Place(target, child.words(), depth))
            visit(child, depth + 1 if child.name in ("ul", "ol") else depth)

    visit(root, 0)
    lowest = min((place.depth for place in places.values()), default=0)
    return [Place(place.url, place.title, place.depth - lowest) for place in places.values()]


def _absolute(base: str, url: str) -> str:
    """The URL that a link means, without its fragment; "" for what is none."""
    try:
        return urljoin(base, url.strip()).partition("#")[0]
    except ValueError:
        return ""


def sitemap_places(data: bytes, url: str, scope: Scope) -> tuple[list[Place], list[str]]:
    """(pages of the site, further sitemaps of its origin) that a `sitemap.xml` names."""
    root = parse_xml(data, url)
    places: list[Place] = []
    further: list[str] = []
    for entry in root:
        target = _absolute(url, entry.findtext("{*}loc", ""))
        if local_name(entry) == "sitemap" and target.lower().startswith(f"{scope.origin}/"):
            further.append(target)
        elif local_name(entry) == "url" and target and scope.holds(target):
            places.append(Place(target, ""))
    return places[:MAX_LINKS], further[:10]


def llms_places(text: str, url: str, scope: Scope) -> list[Place]:
    """Pages of the site that an `llms.txt` lists."""
    places: dict[str, Place] = {}
    for title, target in _MARKDOWN_LINK.findall(text[:1_000_000]):
        absolute = _absolute(url, target)
        if absolute and scope.holds(absolute):
            places.setdefault(page_key(absolute), Place(absolute, " ".join(title.split())))
    return list(places.values())[:MAX_LINKS]


def http_time(text: str) -> dt.datetime | None:
    """The time that a `Last-Modified` says; None for none."""
    try:
        time = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    return time if time.tzinfo is not None else time.replace(tzinfo=dt.UTC)


@dataclass(frozen=True, slots=True)
class SitePage:
    """A document that was fetched for a place; `url` is where it was found in the end."""

    place: Place
    url: str
    content_type: str
    charset: str | None
    data: bytes
    # When the server has last changed it, if it says so.
    changed: dt.datetime | None = None


def read_site(pages: Sequence[SitePage]) -> SpaceImport:
    """The pages of a site, nested as its navigation. Links between them become paths."""
    paths: dict[str, str] = {}
    for page in pages:
        path = urlsplit(page_key(page.url)).path.strip("/") or "index"
        paths.setdefault(page_key(page.url), path)
        paths.setdefault(page_key(page.place.url), path)
    top: list[Draft] = []
    open_drafts: list[tuple[int, Draft]] = []
    seen: set[str] = set()
    for page in pages:
        path = paths[page_key(page.url)]
        if path in seen:
            continue
        seen.add(path)
        draft = _draft(page, path, paths)
        while open_drafts and open_drafts[-1][0] >= page.place.depth:
            open_drafts.pop()
        (open_drafts[-1][1].children if open_drafts else top).append(draft)
        open_drafts.append((page.place.depth, draft))
    times = {paths[page_key(page.url)]: page.changed for page in pages}
    changed_at = {path: time for path, time in times.items() if time is not None}
    return space_import(top, open_files({}, changed=changed_at))


def _draft(page: SitePage, path: str, paths: dict[str, str]) -> Draft:
    name = path.rpartition("/")[2].removesuffix(".html").removesuffix(".htm").removesuffix(".md")
    text = decode_html(page.data, page.charset)

    def link(url: str) -> str:
        if url.startswith("#"):
            return url
        try:
            absolute = urljoin(page.url, url)
            target = paths.get(page_key(absolute))
            fragment = urlsplit(absolute).fragment
        except ValueError:
            return url
        if target is None or urlsplit(absolute).query:
            return absolute
        return f"/{quote(target)}" + (f"#{anchor_of(unquote(fragment))}" if fragment else "")

    if page.content_type in MARKDOWN_TYPES:
        draft = markdown_draft(text, path, name)
        draft.title = draft.title or page.place.title or title_from_name(name)
        draft.markdown = replace_links(draft.markdown, link, autolinks=False)
        return draft
    root = parse_html(text)
    rewrite_links(root, link)
    html_page = read_page(root)
    title = html_page.title or page.place.title or title_from_name(name)
    return Draft(title, path, html_page.markdown, html_page.description, name)


def in_order(start: Place, linked: Iterable[Place]) -> list[Place]:
    """The start and all other pages, each once; the navigation knows best where the start is."""
    places = {page_key(place.url): place for place in linked}
    if page_key(start.url) in places:
        return list(places.values())
    return [start, *places.values()]
