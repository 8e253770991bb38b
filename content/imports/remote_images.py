"""Pictures that pages show from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import unescape
from urllib.parse import urljoin, urlsplit

from content.links import relative_target
from content.space_import import SpaceImport

_IMAGES = (
    re.compile(r"!\[[^\[\]\n]{0,1000}\]\([ \t]*<([^<>\n]+)>"),
    re.compile(r"!\[[^\[\]\n]{0,1000}\]\([ \t]*((?:[^\s()<>]|\([^\s()<>]*\))+)"),
    re.compile(r"<img\b[^<>]{0,2000}?\bsrc=\"([^\"\n]+)\""),
)


def remote_images(found: SpaceImport, base: str) -> list[str]:
    """Addresses of pictures in pages, in order, each once; `base` is what relative ones mean."""
    held = {file.path for file in found.files}
    urls: dict[str, None] = {}
    for page in found.walk():
        for url in _sources(page.markdown):
            inside = relative_target(url, (page.git_path or "").rpartition("/")[0])
            if inside is not None and inside[0] in held:
                continue
            absolute = absolute_url(url, base)
            if urlsplit(absolute).scheme in ("http", "https"):
                urls[absolute] = None
    return list(urls)


def absolute_url(url: str, base: str) -> str:
    """What a URL in a page means when the page was found at `base`; itself when it is none."""
    try:
        return urljoin(base, url)
    except ValueError:
        return url


def _sources(markdown: str) -> Iterable[str]:
    for pattern in _IMAGES:
        for match in pattern.finditer(markdown):
            yield unescape(match.group(1))
