"""Addresses of published sites, in the form in which they are compared (docs/sites.md).

The scheme and the port do not count, the host is folded, the path is percent-decoded at most twice
and split into segments without empty ones. What the segments mean is said by resolvers.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import quote, unquote, urlsplit, urlunsplit

from content.errors import PublishedUrlError
from content.slugs import slug_key

MAX_URL_LENGTH = 2048
DECODINGS = 2
# A page is at its path with this ending, too, as Markdown.
MARKDOWN_END = ".md"
# The feeds of its updates are below it, in parts: the first has no number.
RSS, ATOM = "rss.xml", "atom.xml"
_FEED = re.compile(rf"(?:(.+)/)?({RSS}|{ATOM})(?:/([2-9]|[1-9][0-9]{{1,3}}))?", re.DOTALL)
# What may stand in a segment of a path, and in a query, as it is.
SEGMENT_SAFE = "-._~!$&'()*+,;=:@"
_QUERY_SAFE = SEGMENT_SAFE + "/?%[]"
_SCHEMES = frozenset({"http", "https"})


@dataclass(frozen=True, slots=True)
class PublishedUrl:
    """An address as it was asked for."""

    # Scheme, host and port, for addresses on the same host.
    origin: str
    # Folded and without the port.
    host: str
    # The decoded segments of the path as they were written, and as they are compared.
    segments: tuple[str, ...]
    keys: tuple[str, ...]
    query: str = ""


def read_published_url(text: str) -> PublishedUrl:
    """The parts of an address; PublishedUrlError when it is too long or none."""
    if len(text) > MAX_URL_LENGTH:
        raise PublishedUrlError(f"has {len(text)} characters, at most {MAX_URL_LENGTH} are allowed")
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise PublishedUrlError(f"{text[:100]!r} is not an address: {error}") from error
    if parts.scheme not in _SCHEMES or not host:
        raise PublishedUrlError(f"{text[:100]!r} is not an absolute http or https address")
    path = parts.path
    for _ in range(DECODINGS):
        path = unquote(path, errors="replace")
    for character in path + parts.query + host:
        if unicodedata.category(character) in ("Cc", "Cs"):
            raise PublishedUrlError(f"the character {character!r} is not allowed")
    folded = _folded_host(host)
    named = f"[{folded}]" if ":" in folded else folded
    segments = tuple(segment for segment in path.split("/") if segment)
    return PublishedUrl(
        f"{parts.scheme}://{named}" + ("" if port is None else f":{port}"),
        folded,
        segments,
        tuple(map(slug_key, segments)),
        quote(parts.query, safe=_QUERY_SAFE),
    )


def _folded_host(host: str) -> str:
    host = host.lower().rstrip(".")
    if host.isascii():
        return host
    try:
        return host.encode("idna").decode()
    except UnicodeError:
        # No site has such a name.
        return host


def address(root: str, segments: Iterable[str] = (), query: str = "") -> str:
    """An address below another one, without a slash at its end."""
    path = "".join(f"/{quote(segment, safe=SEGMENT_SAFE)}" for segment in segments)
    return f"{root.rstrip('/')}{path}" + (f"?{query}" if query else "")


def base_path(segments: Iterable[str]) -> str:
    """A path that begins and ends with a slash."""
    return "".join(f"/{quote(segment, safe=SEGMENT_SAFE)}" for segment in segments) + "/"


def with_parameter(url: str, name: str, value: str) -> str:
    """The address with one more parameter in its query."""
    parts = urlsplit(url)
    parameter = f"{quote(name)}={quote(value, safe='/')}"
    query = f"{parts.query}&{parameter}" if parts.query else parameter
    return urlunsplit(parts._replace(query=query))


@dataclass(frozen=True, slots=True)
class FeedAddress:
    """The address of a feed, below that of its page."""

    # Of the page; empty for the landing page.
    path: str
    # `rss.xml` or `atom.xml`, and which part of it.
    name: str
    part: int


def read_feed_address(path: str) -> FeedAddress | None:
    """The feed that a path names; None when it names none."""
    match = _FEED.fullmatch(path)
    if match is None:
        return None
    return FeedAddress(match[1] or "", match[2], int(match[3] or 1))
