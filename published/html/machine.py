"""Files of a published site for machines: llms.txt, sitemaps, robots.txt (docs/sites.md)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
# Addresses that one sitemap may hold.
SITEMAP_LIMIT = 50_000


@dataclass(frozen=True, slots=True)
class ListedPage:
    """A page in a list for machines."""

    title: str
    href: str
    description: str = ""
    # RFC 3339, when it was changed last.
    updated: str | None = None


@dataclass(frozen=True, slots=True)
class ListedSpace:
    """A section or a space in a list for machines, with its pages in their order."""

    title: str
    pages: Sequence[ListedPage]


def llms_txt(title: str, spaces: Iterable[ListedSpace]) -> str:
    """A site as a list of links for assistants."""
    lines = [f"# {_line(title)}"]
    for space in spaces:
        if not space.pages:
            continue
        lines += ["", f"## {_line(space.title)}", ""]
        for page in space.pages:
            about = f": {_line(page.description)}" if page.description else ""
            lines.append(f"- [{_label(page.title)}]({page.href}){about}")
    return "\n".join(lines) + "\n"


def _line(text: str) -> str:
    return " ".join(text.split())


def _label(text: str) -> str:
    """A text that does not end the label of a link."""
    escaped = _line(text).replace("\\", "\\\\")
    return escaped.replace("[", "\\[").replace("]", "\\]")


def sitemap_index(sitemaps: Iterable[str]) -> str:
    """The sitemap of sitemaps."""
    entries = "".join(f"<sitemap><loc>{escape(href)}</loc></sitemap>" for href in sitemaps)
    return _xml(f'<sitemapindex xmlns="{SITEMAP}">{entries}</sitemapindex>')


def sitemap(pages: Sequence[ListedPage]) -> str:
    """The addresses of pages, and when they were changed."""
    entries = "".join(
        f"<url><loc>{escape(page.href)}</loc>"
        + (f"<lastmod>{escape(page.updated)}</lastmod>" if page.updated else "")
        + "</url>"
        for page in pages[:SITEMAP_LIMIT]
    )
    return _xml(f'<urlset xmlns="{SITEMAP}">{entries}</urlset>')


def _xml(body: str) -> str:
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'


def robots_txt(sitemap_href: str | None) -> str:
    """robots.txt: crawlers may read everything where a sitemap is given, nothing without one."""
    if sitemap_href is None:
        return "User-agent: *\nDisallow: /\n"
    return f"User-agent: *\nAllow: /\n\nSitemap: {sitemap_href}\n"
