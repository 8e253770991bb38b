"""Paths by which other programs knew the pages of a site: with the endings of files, the names of
main files, branches and versions, and names that are no slugs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from content.links.published_urls import MARKDOWN_END
from content.slugs import slug_from_title, slug_key

_ENDING = re.compile(r"(.+)\.(?:html?|xhtml|mdx?|markdown)\Z", re.IGNORECASE | re.DOTALL)
# Files that stand for their folder.
_MAIN = frozenset({"index", "readme", "_index"})
# What stands before the path of a page where there are branches or versions of the content.
_BRANCHES = frozenset({"master", "main", "latest", "stable"})
_VARIANT = "v"
_LANGUAGE = re.compile(r"[a-z]{2}(?:[-_][a-z]{2,4})?")
# Of longer paths there are none.
_MOST = 50


def other_spellings(segments: Sequence[str]) -> list[list[str]]:
    """Paths of pages that a path may have meant, the likeliest first, without the path itself.

    None for a path as pages here have it, so that nothing is to be looked for. The root is an
    empty path.
    """
    if not segments or len(segments) > _MOST:
        return []
    spellings: dict[tuple[str, ...], None] = {}
    for start in _starts(segments):
        rest = list(segments[start:])
        for path in (rest, _without_file(rest)):
            for spelled in (path, [slug_from_title(segment) for segment in path]):
                spellings[tuple(spelled)] = None
    own = tuple(map(slug_key, segments))
    return [list(path) for path in spellings if tuple(map(slug_key, path)) != own]


def is_markdown(segments: Sequence[str]) -> bool:
    """Whether a path asks for Markdown."""
    return bool(segments) and slug_key(segments[-1]).endswith(MARKDOWN_END)


def _starts(segments: Sequence[str]) -> list[int]:
    """Where the path of the page may begin."""
    keys = [slug_key(segment) for segment in segments[:2]]
    if keys[0] == _VARIANT:
        return [0, 2] if len(segments) > 1 else [0]
    if keys[0] in _BRANCHES:
        return [0, 1]
    if len(keys) > 1 and keys[1] in _BRANCHES and _LANGUAGE.fullmatch(keys[0]):
        return [0, 2]
    return [0]


def _without_file(segments: list[str]) -> list[str]:
    """The path without the ending of a file; that of its folder for a main file."""
    if not segments:
        return segments
    match = _ENDING.fullmatch(segments[-1])
    name = segments[-1] if match is None else match.group(1)
    return segments[:-1] if slug_key(name) in _MAIN else [*segments[:-1], name]
