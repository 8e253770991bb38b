"""Relative links between the files of a content tree."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from urllib.parse import unquote

from content.sources.tree import PAGES

# Endings of Markdown files.
MARKDOWN = PAGES

_SCHEME = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:|//)")
_LINKS = (
    re.compile(r"\]\([ \t]*<([^<>\n]+)>"),
    re.compile(r"\]\([ \t]*((?:[^\s()<>]|\([^\s()<>]*\))+)"),
    re.compile(r"\b(?:src|href|srcset|url)=\"([^\"\n]+)\""),
    re.compile(r"\b(?:src|href|srcset|url)='([^'\n]+)'"),
    re.compile(r"^ {0,3}\[[^\]\n]+\]:[ \t]*<?([^\s<>]+)", re.MULTILINE),
)


def is_absolute(url: str) -> bool:
    """Whether a URL has a scheme or names a host."""
    return _SCHEME.match(url) is not None


def read_anchor(fragment: str) -> str:
    """The anchor that a URL names behind `#`. NUL, which no database stores, becomes what bytes
    become that are no text."""
    return unquote(fragment).replace("\x00", "\ufffd")


def relative_target(url: str, folder: str) -> tuple[str, str] | None:
    """(path from the content root, anchor without `#`) that `url` names when written in `folder`.

    A leading `/` counts from the root; percent-encoding is decoded and a query dropped. The path
    is empty for the root itself and `folder` for a bare anchor is not known here, so a bare
    anchor gives None, as do absolute URLs and paths that leave the root.
    """
    if not url or len(url) > 4096 or _SCHEME.match(url) or url.startswith(("#", "?")):
        return None
    location, _, anchor = url.partition("#")
    path = unquote(location.partition("?")[0])
    if "\x00" in path or "\\" in path:
        return None
    joined = path.lstrip("/") if path.startswith("/") else posixpath.join(folder, path)
    normal = posixpath.normpath(joined) if joined else ""
    if normal == ".." or normal.startswith("../"):
        return None
    return ("" if normal == "." else normal), read_anchor(anchor)


def link_candidates(markdown: str) -> Iterator[str]:
    """Everything in the text that looks like a link or image target, in any Markdown or HTML
    form. Code samples may add targets that are no links."""
    for pattern in _LINKS:
        for match in pattern.finditer(markdown):
            yield match.group(1)
