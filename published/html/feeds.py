"""Feeds of updates: RSS 2.0 and Atom (RFC 4287), in parts as RFC 5005 pages them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email.utils import format_datetime

from content.html.markup import escape
from content.links.published_urls import RSS

RSS_TYPE, ATOM_TYPE = "application/rss+xml", "application/atom+xml"
_ATOM_NAMES = "http://www.w3.org/2005/Atom"
_CONTENT_NAMES = "http://purl.org/rss/1.0/modules/content/"


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """One update. `id` is a URI that stays the same; `date` is in UTC, None without one."""

    id: str
    title: str
    href: str
    date: dt.datetime | None
    tags: Sequence[str]
    # HTML with absolute addresses, and the beginning of its text.
    html: str
    summary: str
    # Who has made it; None: as the whole feed says.
    author: str | None = None


@dataclass(frozen=True, slots=True)
class FeedPart:
    """A part of a feed, newest updates first."""

    # A URI of the page's feed, which stays the same.
    id: str
    title: str
    author: str
    description: str
    language: str
    # The page, when it was changed last, and the addresses of parts by relation: self, first,
    # last, previous, next.
    href: str
    updated: dt.datetime
    links: Mapping[str, str]
    entries: Sequence[FeedEntry]


def write_feed(name: str, part: FeedPart) -> tuple[str, str]:
    """The XML of a part in the format that the name asks for, and its media type."""
    return (_rss(part), RSS_TYPE) if name == RSS else (_atom(part), ATOM_TYPE)


def _tag(name: str, content: str | None, attributes: Mapping[str, str] | None = None) -> str:
    """An element; `content` is XML already, None for an empty one."""
    written = "".join(f' {key}="{escape(value)}"' for key, value in (attributes or {}).items())
    return f"<{name}{written}/>" if content is None else f"<{name}{written}>{content}</{name}>"


def _links(part: FeedPart, type: str, name: str) -> str:
    return "".join(
        _tag(name, None, {"rel": relation, "type": type, "href": href})
        for relation, href in part.links.items()
    )


# ------------------------------------------------------------------ RSS


def _rss(part: FeedPart) -> str:
    channel = [
        _tag("title", escape(part.title)),
        _tag("link", escape(part.href)),
        _tag("description", escape(part.description)),
        _tag("language", escape(part.language)),
        _tag("lastBuildDate", format_datetime(part.updated.astimezone(dt.UTC), usegmt=True)),
        _links(part, RSS_TYPE, "atom:link"),
        *(_item(entry) for entry in part.entries),
    ]
    names = {"version": "2.0", "xmlns:atom": _ATOM_NAMES, "xmlns:content": _CONTENT_NAMES}
    return _xml(_tag("rss", _tag("channel", "".join(channel)), names))


def _item(entry: FeedEntry) -> str:
    parts = [
        _tag("title", escape(entry.title)),
        _tag("link", escape(entry.href)),
        _tag("guid", escape(entry.id), {"isPermaLink": "false"}),
    ]
    if entry.date is not None:
        parts.append(_tag("pubDate", format_datetime(entry.date, usegmt=True)))
    parts += [_tag("category", escape(tag)) for tag in entry.tags]
    parts.append(_tag("description", escape(entry.summary)))
    parts.append(_tag("content:encoded", escape(entry.html)))
    return _tag("item", "".join(parts))


# ------------------------------------------------------------------ Atom


def _atom(part: FeedPart) -> str:
    feed = [
        _tag("id", escape(part.id)),
        _tag("title", escape(part.title)),
        _tag("subtitle", escape(part.description)) if part.description else "",
        _tag("updated", _time(part.updated)),
        _tag("author", _tag("name", escape(part.author))),
        _tag("link", None, {"rel": "alternate", "type": "text/html", "href": part.href}),
        _links(part, ATOM_TYPE, "link"),
        *(_entry(entry, part.updated) for entry in part.entries),
    ]
    names = {"xmlns": _ATOM_NAMES, "xml:lang": part.language}
    return _xml(_tag("feed", "".join(feed), names))


def _entry(entry: FeedEntry, updated: dt.datetime) -> str:
    """One without a date is as old as the page says: Atom has no entries without a time."""
    parts = [
        _tag("id", escape(entry.id)),
        _tag("title", escape(entry.title)),
        _tag("updated", _time(entry.date or updated)),
        _tag("link", None, {"rel": "alternate", "type": "text/html", "href": entry.href}),
    ]
    if entry.author is not None:
        parts.append(_tag("author", _tag("name", escape(entry.author))))
    if entry.date is not None:
        parts.append(_tag("published", _time(entry.date)))
    parts += [_tag("category", None, {"term": tag}) for tag in entry.tags]
    parts.append(_tag("summary", escape(entry.summary)))
    parts.append(_tag("content", escape(entry.html), {"type": "html"}))
    return _tag("entry", "".join(parts))


def _time(time: dt.datetime) -> str:
    return time.astimezone(dt.UTC).replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


def _xml(body: str) -> str:
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'
