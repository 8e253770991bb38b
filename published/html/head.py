"""The head of a page of a published site: what browsers, search engines and link previews read."""

from __future__ import annotations

import json
from collections.abc import Iterator

from content.html.directions import direction_of
from content.html.markup import EMPTY, Html, element, escape, joined, safe_address
from content.json_types import JsonObject
from published.html.page_parts import head_parts
from published.html.view import Page, Site

DARK = "(prefers-color-scheme: dark)"


def head(site: Site, page: Page) -> Html:
    """The content of `<head>`."""
    title = page.title if page.title == site.title else f"{page.title} | {site.title}"
    description = page.description or page.summary
    parts = [
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        # Before anything is drawn: it applies the theme that the reader has chosen.
        _script(site),
        element("title", escape(title), dir=direction_of(title)),
        element("meta", name="description", content=description) if description else EMPTY,
        element("meta", name="robots", content="noindex") if page.no_index else EMPTY,
        element("link", rel="stylesheet", href=safe_address(site.style)),
        _link_to("icon", site.favicon),
        _link_to("icon", site.dark_favicon, media=DARK),
        _link_to("canonical", page.canonical),
        _link_to("alternate", page.markdown, type="text/markdown"),
        *(_link_to("alternate", href, hreflang=language) for language, href in page.languages),
        *head_parts(page),
        *_previews_of_links(site, page, description),
        *(_structured(data) for data in page.structured),
    ]
    return joined(parts)


def _script(site: Site) -> Html:
    address = None if site.script is None else safe_address(site.script.address)
    if site.script is None or address is None:
        return EMPTY
    return element("script", src=address, integrity=site.script.digest)


def _link_to(relation: str, address: str | None, **attributes: str) -> Html:
    safe = safe_address(address or "")
    return element("link", rel=relation, href=safe, **attributes) if safe else EMPTY


def _previews_of_links(site: Site, page: Page, description: str) -> Iterator[Html]:
    """What others show of a link to the page: Open Graph, and the card of Twitter."""
    graph = {
        "title": page.title,
        "site_name": site.title,
        "description": description,
        "type": "article" if page.above or page.updated else "website",
        "url": page.canonical,
        "image": page.social,
        "locale": _locale(site.language),
    }
    for name, value in graph.items():
        if value:
            yield element("meta", property=f"og:{name}", content=value)
    card = "summary_large_image" if page.social else "summary"
    yield element("meta", name="twitter:card", content=card)


def _locale(language: str) -> str:
    """A language as Open Graph writes it: `pt_BR`."""
    main, _, region = language.partition("-")
    return f"{main}_{region.upper()}" if region else main


def _structured(data: JsonObject) -> Html:
    """JSON-LD: data, which no browser runs. `<` is written so that it ends no element."""
    # All else than ASCII is escaped, too.
    text = json.dumps(data).replace("<", "\\u003c")
    return element("script", Html(text), type="application/ld+json")
