"""Feeds of the pages that have dated updates: `PAGE/rss.xml`, `PAGE/atom.xml` and their parts.

A feed shows what its page shows to the same visitor. Only the entries of the part that is asked for
are rendered, each as a document of its own.
"""

import datetime as dt
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace

from content.documents.alerts import with_alerts
from content.documents.nodes import children_of, data_of, text_of, walk
from content.documents.plain_text import plain_text
from content.documents.updates import Reusable, Update, tags_of, updates_of
from content.html.markup import escape
from content.html.rendering import Target
from content.json_types import Json, JsonObject
from content.links.published_urls import FeedAddress
from jobs.rendering import Renderer, RenderingError, Subject
from published.html.feeds import FeedEntry, FeedPart, write_feed
from published.look import Look
from published.references import References
from resolvers.core.context import Context
from resolvers.core.errors import NotFound
from resolvers.published.pages import PublishedPage, read_published_page
from resolvers.revisions.objects import find_page_by_path
from resolvers.revisions.read_targets import find_revision

# Entries of one part; characters of a title and of a summary.
ENTRIES, TITLE, SUMMARY = 25, 120, 300
# Makes ids of feeds and their entries, which have to be URIs.
_NAMES = uuid.UUID("6f1a7a53-9d0e-4b56-8d9c-6f2f6a2b1c74")


@dataclass(frozen=True, slots=True)
class UnwrittenFeed:
    """A part of a feed as it was read: nothing of the database is held while it is written."""

    look: Look
    shown: PublishedPage
    name: str
    part: int
    parts: int
    updates: Sequence[Update]


async def read_feed(ctx: Context, look: Look, address: FeedAddress) -> UnwrittenFeed | None:
    """The feed at an address; None where a page has that very path. NotFound without updates."""
    content = look.content
    if await _is_page(ctx, look):
        return None
    shown = await read_published_page(ctx, content.space, address.path, content.shown_revision)
    updates = _newest_first(updates_of(shown.document, _reusable(shown)))
    parts = -(-len(updates) // ENTRIES)
    if not 1 <= address.part <= parts:
        raise NotFound("this page has no such feed")
    own = updates[(address.part - 1) * ENTRIES : address.part * ENTRIES]
    return UnwrittenFeed(look, shown, address.name, address.part, parts, own)


async def _is_page(ctx: Context, look: Look) -> bool:
    content = look.content
    revision = await find_revision(
        ctx, content.space, revision_id=content.shown_revision, columns=None
    )
    try:
        await find_page_by_path(ctx, revision, content.pathname)
    except NotFound:
        return False
    return True


def _reusable(shown: PublishedPage) -> Reusable:
    def find(reference: JsonObject) -> JsonObject | None:
        if text_of(reference, "space") not in ("", shown.page.space_id):
            return None
        return shown.space.contents.get(text_of(reference, "reusableContent"))

    return find


def _newest_first(updates: Sequence[Update]) -> list[Update]:
    """By date, those of one day as they stand on the page; without a date they come last."""
    return sorted(updates, key=lambda update: update.date or dt.date.min, reverse=True)


async def write(renderer: Renderer, feed: UnwrittenFeed) -> tuple[str, str, bool]:
    """The XML, its media type, and whether it is so until something that it shows changes."""
    entries, lasts = [], True
    for update in feed.updates:
        html, for_now = await _html(renderer, feed, update)
        lasts = lasts and not for_now
        entries.append(_entry(feed, update, html))
    xml, media_type = write_feed(feed.name, _part(feed, entries))
    return xml, media_type, lasts


async def _html(renderer: Renderer, feed: UnwrittenFeed, update: Update) -> tuple[str, bool]:
    """The HTML of an entry; its text where it cannot be rendered, perhaps only for now."""
    shown = feed.shown
    document: JsonObject = {
        "object": "document",
        "data": data_of(shown.document),
        "nodes": list[Json](children_of(update.node)),
    }
    subject = Subject(
        feed.look.content.site, shown.page.space_id, document, shown.space.contents,
        _Absolute(feed).resolve, feed.look.words.language,
    )  # fmt: skip
    try:
        return (await renderer.render(subject)).html, False
    except RenderingError as error:
        return f"<pre>{escape(plain_text(with_alerts(update.node)))}</pre>", error.for_now


@dataclass(frozen=True, slots=True)
class _Absolute:
    """Targets with absolute addresses: entries are read anywhere."""

    feed: UnwrittenFeed

    def resolve(self, reference: JsonObject) -> Target:
        shown, addresses = self.feed.shown, self.feed.look.addresses
        target = References(shown.page, shown.space, addresses).resolve(reference)
        return replace(target, href=self._complete(target.href), image=self._complete(target.image))

    def _complete(self, address: str | None) -> str | None:
        if address is None or not address.startswith("/") or address.startswith("//"):
            return address
        return self.feed.look.addresses.absolute(address)


def _page_address(feed: UnwrittenFeed) -> str:
    shown = feed.shown
    own = References(shown.page, shown.space, feed.look.addresses).address(shown.page)
    return feed.look.addresses.absolute(own)


def _entry(feed: UnwrittenFeed, update: Update, html: str) -> FeedEntry:
    page, date, text = feed.shown.page, update.date, _text(update)
    moment = None if date is None else dt.datetime.combine(date, dt.time(), dt.UTC)
    shown_date = "Update" if date is None else date.isoformat()
    return FeedEntry(
        id=f"urn:uuid:{uuid.uuid5(_NAMES, f'{page.space_id}/{page.id}/{update.anchor}')}",
        title=_shortened(_heading(update), TITLE) or f"{page.title}: {shown_date}",
        href=f"{_page_address(feed)}#{update.anchor}",
        date=moment,
        tags=tags_of(update.node),
        html=html,
        summary=_shortened(text, SUMMARY),
    )


def _text(update: Update) -> str:
    """The text of an entry on one line."""
    return " ".join(plain_text(with_alerts(update.node)).split())


def _heading(update: Update) -> str:
    """The first heading of an entry; empty without one."""
    for node in walk([update.node]):
        if text_of(node, "type").startswith("heading-"):
            return " ".join(plain_text(node).split())
    return ""


def _shortened(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[: length - 1].rstrip()}…"


def _part(feed: UnwrittenFeed, entries: Sequence[FeedEntry]) -> FeedPart:
    look, page = feed.look, feed.shown.page
    own = _page_address(feed)
    dates = [entry.date for entry in entries if entry.date is not None]
    return FeedPart(
        id=f"urn:uuid:{uuid.uuid5(_NAMES, f'{page.space_id}/{page.id}')}",
        title=f"{page.title} | {look.title}",
        author=look.title,
        description=page.description or look.words.updates_of.format(title=page.title),
        language=look.language,
        href=own,
        updated=page.updated_at or max(dates, default=dt.datetime(1970, 1, 1, tzinfo=dt.UTC)),
        links=_links(feed, own.rstrip("/")),
        entries=entries,
    )


def _links(feed: UnwrittenFeed, base: str) -> dict[str, str]:
    def part(number: int) -> str:
        first = f"{base}/{feed.name}"
        return first if number == 1 else f"{first}/{number}"

    links = {"self": part(feed.part)}
    if feed.parts > 1:
        links |= {"first": part(1), "last": part(feed.parts)}
    if feed.part > 1:
        links["previous"] = part(feed.part - 1)
    if feed.part < feed.parts:
        links["next"] = part(feed.part + 1)
    return links
