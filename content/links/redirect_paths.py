"""Paths of redirects: sources as they are written and compared, and what is put behind a target."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote, urlsplit, urlunsplit

from content.errors import SlugError
from content.links.published_urls import MARKDOWN_END, SEGMENT_SAFE
from content.slugs import RESERVED_FIRST_SEGMENTS, clean_path, normalize_path, slug_key

MAX_SOURCE = 512
_SEGMENT = r"(?:[A-Za-z0-9\-._~]|%[0-9A-Fa-f]{2})+"
SOURCE_PATTERN = rf"(?:/{_SEGMENT})+(?:/\*)?"
SOURCE_ALLOWED = (
    "a path from the site's root such as /old/page, with /* at the end for everything below it"
)
WILDCARD = "/*"
_SOURCE = re.compile(SOURCE_PATTERN)


@dataclass(frozen=True, slots=True)
class Source:
    """The source of a redirect as it is compared.

    With `wildcard` it is what is at `key` and everything below. Two sources are the same when
    both agree, whatever their capitals and their percent-encoding.
    """

    key: str
    wildcard: bool


def read_source(text: str) -> Source:
    """The source that a text is; SlugError says what is wrong with it."""
    if len(text) > MAX_SOURCE:
        raise SlugError(f"has {len(text)} characters; at most {MAX_SOURCE} are allowed")
    if not _SOURCE.fullmatch(text):
        raise SlugError(f"{text[:100]!r} is not allowed; it must be {SOURCE_ALLOWED}")
    wildcard = text.endswith(WILDCARD)
    try:
        segments = path_segments(text.removesuffix(WILDCARD) if wildcard else text)
    except SlugError as error:
        raise SlugError(str(error).removeprefix("path: ")) from error
    if not segments:
        raise SlugError(f"{text[:100]!r} is the root of the site, which cannot be redirected")
    return Source(path_key(segments), wildcard)


def old_path_key(path: str) -> str:
    """The form in which an old path of a space is compared; SlugError says what is wrong."""
    if len(path) > MAX_SOURCE:
        raise SlugError(f"it has {len(path)} characters, at most {MAX_SOURCE} are allowed")
    try:
        key = normalize_path(path)
    except SlugError as error:
        raise SlugError(str(error).removeprefix("path: ")) from error
    if not key:
        raise SlugError("the root of a space cannot be redirected")
    if key.partition("/")[0] in RESERVED_FIRST_SEGMENTS:
        raise SlugError(f"'{key.partition('/')[0]}' is not the path of a page")
    return key


def path_segments(path: str) -> list[str]:
    """The segments of a request path, percent-decoded, with their capitals; none for the root."""
    cleaned = clean_path(path)
    return cleaned.split("/") if cleaned else []


def path_key(segments: Sequence[str]) -> str:
    """The form in which paths are compared."""
    return slug_key("/".join(segments))


def keys_above(segments: Sequence[str]) -> list[str]:
    """The keys of a path and of all that it is below, the path itself first; not the root."""
    return [path_key(segments[:end]) for end in range(len(segments), 0, -1)]


def with_path(url: str, segments: Sequence[str]) -> str:
    """An address with segments behind its path, in front of its query and its fragment."""
    added = "/".join(quote(segment, safe=SEGMENT_SAFE) for segment in without_dots(segments))
    if not added:
        return url
    parts = urlsplit(url)
    return urlunsplit(parts._replace(path=f"{parts.path.rstrip('/')}/{added}"))


def without_markdown_end(segments: Sequence[str]) -> list[str] | None:
    """The path of the page whose Markdown a path names; None when it names none."""
    if not segments or not slug_key(segments[-1]).endswith(MARKDOWN_END):
        return None
    named = segments[-1][: -len(MARKDOWN_END)]
    return [*segments[:-1], named] if named else None


def without_dots(segments: Sequence[str]) -> list[str]:
    """The segments but for those that browsers resolve away."""
    return [segment for segment in segments if segment not in (".", "..")]


def with_anchor(url: str, anchor: str | None) -> str:
    """An address that names a place on the page; it has no other fragment."""
    return f"{url}#{quote(anchor, safe=SEGMENT_SAFE)}" if anchor else url


def with_query(url: str, query: str) -> str:
    """An address with the query of the request behind its own; its fragment stays the last."""
    if not query:
        return url
    parts = urlsplit(url)
    return urlunsplit(parts._replace(query=f"{parts.query}&{query}" if parts.query else query))


def path_below(base: str, url: str) -> list[str] | None:
    """The segments of an address below a base on the same host; None where it is elsewhere, or
    more than a path: it has a query or a fragment.
    """
    there, here = urlsplit(url), urlsplit(base)
    if there.netloc.lower() != here.netloc.lower() or there.query or there.fragment:
        return None
    try:
        path, root = path_segments(there.path), path_segments(here.path)
    except SlugError:
        return None
    same = len(path) >= len(root) and path_key(path[: len(root)]) == path_key(root)
    return path[len(root) :] if same else None


def is_below(base: str, url: str) -> bool:
    """Whether an address, whatever its query and fragment, is below a base on the same host."""
    bare = urlunsplit(urlsplit(url)._replace(query="", fragment=""))
    return path_below(base, bare) is not None
