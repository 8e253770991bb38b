"""Embeds of URLs: fetched, and cached for a while.

What cannot be fetched is a plain link: a page that embeds it can be shown all the same, and nobody
learns why, which would tell of servers that only this one reaches. Visitors of sites have only
those addresses fetched that they read (resolvers/published/embedded_addresses.py), so nobody scans
anything with a content token; and no site, and no person, has many fetched at a time.
"""

import posixpath
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Annotated
from urllib.parse import unquote, urljoin, urlsplit

from content.imports.html_page import decode_html
from content.media.page_heads import PageHead, read_head
from content.media.players import player
from db.models.spaces import Space
from db.site_enums import EmbedType
from fetching.client import Fetched
from fetching.errors import FetchError
from resolvers.access.policy import must, must_be_person
from resolvers.core import inputs
from resolvers.core.arguments import SpaceId
from resolvers.core.batch_functions import only
from resolvers.core.context import Context
from resolvers.core.embed_cache import EmbedCache
from resolvers.core.errors import invalid_at
from resolvers.core.policy_asked import policy_was_asked
from resolvers.core.scalars import read_url
from resolvers.published.embedded_addresses import stands_in_content

SECONDS = 8.0
BYTES = 5_000_000
TITLE, SITE = 300, 100
_HTML = frozenset({"text/html", "application/xhtml+xml"})

EmbedUrl = Annotated[
    str,
    inputs.argument("An http or https address that the server can reach on the public internet."),
]


@dataclass(frozen=True, slots=True)
class Embed:
    """An embedded address: a link, or with `html` the player of a known service."""

    type: EmbedType
    title: str
    site: str
    icon: str | None = None
    html: str | None = None


async def get_embed(ctx: Context, url: EmbedUrl) -> Embed:
    """What an address shows where it is embedded; for people with a token, and for the content
    token of a site, if the address stands in what it may read.

    A plain link with the host's name where nothing usable is there, or where it is not asked.
    """
    visitor = ctx.actor.visitor
    if visitor is None:
        must_be_person(ctx)
        return await _embed(ctx, url)
    policy_was_asked()
    return await _embed(ctx, url, visitor.space_ids)


async def get_space_embed(ctx: Context, space_id: SpaceId, url: EmbedUrl) -> Embed:
    """What an address shows where it is embedded in a space that you may read; with the content
    token of a site, if the address stands in what it may read of the space.

    A plain link with the host's name where nothing usable is there, or where it is not asked.
    """
    # Without a snapshot: nothing of the database is held while the address is fetched.
    await must(replace(ctx, snapshot=False), Space, space_id, projection=only("id"))
    if ctx.actor.visitor is not None:
        return await _embed(ctx, url, [space_id])
    must_be_person(ctx)
    return await _embed(ctx, url)


async def _embed(ctx: Context, url: str, spaces: Collection[str] | None = None) -> Embed:
    """The embed of a URL; with `spaces` only if it stands in their content."""
    with invalid_at("url", ValueError):
        read_url(url)
    unheld = replace(ctx, snapshot=False)
    if spaces is not None and not await stands_in_content(unheld, spaces, url):
        return _plain(url)
    cache: EmbedCache[Embed] = ctx.import_access.embeds
    cached = cache.get(url)
    if cached is not None:
        return cached
    visitor = ctx.actor.visitor
    if ctx.limits.embeds.take(ctx.actor.user_id if visitor is None else visitor.site_id):
        return _plain(url)
    # Other servers may take seconds, and connections of the database are few.
    await ctx.reader.pause()
    fetched = await _fetched(ctx, url)
    shown = fetched or _plain(url)
    cache.put(url, shown, failed=fetched is None)
    return shown


async def _fetched(ctx: Context, url: str) -> Embed | None:
    """The fetched embed of a URL; None when nothing usable is there."""
    types: list[str] = []

    def accepts(content_type: str) -> bool:
        types.append(content_type)
        return content_type in _HTML

    fetcher = ctx.import_access.fetcher
    try:
        page = await fetcher.get(url, accepts=accepts, max_bytes=BYTES, seconds=SECONDS)
    except FetchError:
        if types and types[-1] not in _HTML:
            # Something is there that has no head: a picture, a document.
            return _of(url, url, PageHead(title=_file_name(url)))
        return None
    return _of(url, page.url, _head(page))


def _head(page: Fetched) -> PageHead:
    return read_head(decode_html(page.data, page.charset))


def _of(url: str, final_url: str, head: PageHead) -> Embed:
    host = (urlsplit(final_url).hostname or "").removeprefix("www.")
    title = (head.title or host)[:TITLE]
    html = player(url, title) or player(final_url, title)
    return Embed(
        EmbedType.LINK if html is None else EmbedType.RICH,
        title,
        (head.site or host)[:SITE],
        _icon(final_url, head.icon),
        html,
    )


def _plain(url: str) -> Embed:
    """An address as a link, without asking whose it is: by its host and path."""
    parts = urlsplit(url)
    path = "".join(
        character for character in unquote(parts.path) if character.isprintable()
    ).rstrip("/")
    return _of(url, url, PageHead(title=f"{(parts.hostname or '').removeprefix('www.')}{path}"))


def _icon(page: str, address: str | None) -> str | None:
    """The address of an icon; None for one that browsers would not fetch from somewhere."""
    if address is None:
        return None
    try:
        return read_url(urljoin(page, address))
    except ValueError:
        return None


def _file_name(url: str) -> str | None:
    name = posixpath.basename(unquote(urlsplit(url).path))
    return "".join(character for character in name if character.isprintable()) or None
