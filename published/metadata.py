"""What a page says of itself to search engines and to those who show links to it."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from content.documents.alerts import with_alerts
from content.documents.nodes import children_of
from content.documents.plain_text import plain_text
from content.json_types import JsonObject
from published.html.view import Cover, Page
from published.look import Look

# Characters of a description made of a text, and blocks that are looked at for one.
SUMMARY, BLOCKS = 200, 200
_CONTEXT = "https://schema.org"


def summary_of(document: JsonObject) -> str:
    """The beginning of the first paragraph of a document, at most `SUMMARY` characters, that ends
    with a word; empty without a paragraph."""
    for paragraph in _paragraphs(with_alerts(document)):
        text = " ".join(plain_text(paragraph).split())
        if not text:
            continue
        if len(text) <= SUMMARY:
            return text
        words, _, _ = text[:SUMMARY].rpartition(" ")
        return f"{words or text[: SUMMARY - 1]}…"
    return ""


def _paragraphs(document: JsonObject) -> Iterator[JsonObject]:
    """Paragraphs among the first blocks, in the order of the text, containers opened."""
    stack, left = list(reversed(children_of(document))), BLOCKS
    while stack and left:
        node, left = stack.pop(), left - 1
        if node.get("type") == "paragraph":
            yield node
        elif node.get("object") == "block" and node.get("type") != "code":
            stack.extend(reversed(children_of(node)))


def social_picture(look: Look, cover: Cover | None) -> str | None:
    """The picture of links to a page: that of the site, else its cover where its address lasts."""
    chosen = (look.settings.get("socialPreview") or {}).get("url")
    if chosen or cover is None:
        return chosen
    try:
        parts = urlsplit(cover.address)
    except ValueError:
        return None
    # Signed addresses have a query, and end.
    return cover.address if parts.scheme in ("http", "https") and not parts.query else None


def languages(look: Look, canonical: str | None) -> list[tuple[str, str]]:
    """Addresses of the page in the languages of the section, its own first; nothing where it is in
    one language only."""
    if canonical is None:
        return []
    addresses = {look.language: canonical}
    for space_id, path in look.counterparts.items():
        language = look.frame.languages.get(space_id)
        if path is not None and language is not None:
            there = look.addresses.canonical_page(space_id, path)
            addresses.setdefault(language.value, there)
    return list(addresses.items()) if len(addresses) > 1 else []


def structured(look: Look, page: Page) -> list[JsonObject]:
    """The page and the way to it as JSON-LD; nothing of what search engines must not list."""
    if page.canonical is None or page.no_index:
        return []
    home = look.addresses.complete(look.addresses.root) or page.canonical
    article: dict[str, Any] = {
        "@context": _CONTEXT,
        "@type": "TechArticle",
        "headline": page.title,
        "url": page.canonical,
        "inLanguage": look.language,
        "isPartOf": {"@type": "WebSite", "name": look.title, "url": home},
    }
    optional = {
        "description": page.description or page.summary,
        "dateModified": page.updated,
        "image": page.social,
    }
    article |= {name: value for name, value in optional.items() if value}
    way = [(look.title, home)]
    way += [(link.title, look.addresses.complete(link.href)) for link in page.above if link.href]
    if page.canonical != home:
        way.append((page.title, page.canonical))
    items: list[Any] = [
        {"@type": "ListItem", "position": number, "name": name, "item": address}
        for number, (name, address) in enumerate(way, start=1)
    ]
    if len(items) == 1:
        return [article]
    breadcrumb: dict[str, Any] = {"@context": _CONTEXT, "@type": "BreadcrumbList"}
    return [article, {**breadcrumb, "itemListElement": items}]
