"""Relative links between the files of a content tree."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar
from urllib.parse import unquote

T = TypeVar("T")
# Endings of Markdown files.
MARKDOWN = (".md", ".markdown")

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
    return ("" if normal == "." else normal), unquote(anchor)


def folders_of_page(path: str) -> tuple[str, str]:
    """The folders that links of a page at a path may be relative to: the one that it is in, and
    itself, for a page with pages below it was often the main file of a folder.
    """
    return posixpath.dirname(path), path


def find_relative(
    url: str, folders: Iterable[str], find: Callable[[str], T | None]
) -> tuple[T, str] | None:
    """(what `find` has at the path, anchor) for a relative URL; None where nothing is there.

    Authors write it as seen from the file, or as browsers see it from the address of the page:
    the first of the `folders` in which something is found counts.
    """
    for folder in folders:
        target = relative_target(url, folder)
        found = None if target is None else find(target[0])
        if target is not None and found is not None:
            return found, target[1]
    return None


def link_candidates(markdown: str) -> Iterator[str]:
    """Everything in the text that looks like a link or image target, in any Markdown or HTML
    form. Code samples may add targets that are no links."""
    for pattern in _LINKS:
        for match in pattern.finditer(markdown):
            yield match.group(1)
