"""Pictures that pages show from elsewhere."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from html import unescape
from urllib.parse import urljoin, urlsplit

from content.git.space_import import SpaceImport
from content.links.relative import relative_target

_IMAGES = (
    re.compile(r"!\[[^\[\]\n]{0,1000}\]\([ \t]*<([^<>\n]+)>"),
    re.compile(r"!\[[^\[\]\n]{0,1000}\]\([ \t]*((?:[^\s()<>]|\([^\s()<>]*\))+)"),
    re.compile(r"<img\b[^<>]{0,2000}?\bsrc=\"([^\"\n]+)\""),
)


def remote_images(space: SpaceImport, base: str) -> list[str]:
    """Addresses of pictures in pages and reusable contents, and of covers, in order, each once;
    `base` is what relative ones mean."""
    held = {file.path for file in space.files}
    root = f"{space.root}/" if space.root else ""
    urls: dict[str, None] = {}
    for git_path, url in _pictures(space):
        # Files are known by their paths from the content root, which may be within an archive.
        folder = posixpath.dirname((git_path or "").removeprefix(root))
        inside = relative_target(url, folder)
        if inside is not None and inside[0] in held:
            continue
        absolute = absolute_url(url, base)
        if _is_remote(absolute):
            urls[absolute] = None
    return list(urls)


def _pictures(space: SpaceImport) -> Iterable[tuple[str | None, str]]:
    """(path of the document, address as written) of every picture."""
    for page in space.walk():
        for cover in (page.cover or {}).values():
            if isinstance(cover, str):
                yield page.git_path, cover
        for url in _sources(page.markdown):
            yield page.git_path, url
    for content in space.reusable_contents:
        for url in _sources(content.markdown):
            yield content.git_path, url


def _is_remote(url: str) -> bool:
    try:
        return urlsplit(url).scheme in ("http", "https")
    except ValueError:
        return False


def absolute_url(url: str, base: str) -> str:
    """What a URL in a page means when the page was found at `base`; itself when it is none, or
    when nothing is known to be there ("")."""
    try:
        return urljoin(base, url) if base else url
    except ValueError:
        return url


def _sources(markdown: str) -> Iterable[str]:
    for pattern in _IMAGES:
        for match in pattern.finditer(markdown):
            yield unescape(match.group(1))
