"""Links of a document in an archive, seen from the import as a whole."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from urllib.parse import quote

from content.imports.html_blocks import anchor_of
from content.links.relative import relative_target
from content.sources.tree import SourceTree


def link_within(path: str, pages: frozenset[str], source: SourceTree) -> Callable[[str], str]:
    """What a link in the document at `path` becomes: a path from the root for pages and files
    that are in the archive, with the fragment that headings get; other links stay."""
    folder = posixpath.dirname(path)

    def link(url: str) -> str:
        found = relative_target(url, folder)
        if found is None or (found[0] not in pages and found[0] not in source):
            return url
        target, anchor = found
        fragment = f"#{anchor_of(anchor)}" if anchor and target in pages else ""
        if target == path:
            return fragment or f"/{quote(target)}"
        return f"/{quote(target)}{fragment}"

    return link
