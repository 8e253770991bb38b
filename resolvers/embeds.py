"""What an address shows where it is embedded: fetched now, and kept nowhere."""

import posixpath
from dataclasses import dataclass, replace
from typing import Annotated
from urllib.parse import unquote, urljoin, urlsplit

import strawberry

from content.imports.html_page import decode_html
from content.page_heads import PageHead, read_head
from content.players import player
from db.models.spaces import Space
from db.site_enums import EmbedType
from fetching.client import Fetched
from fetching.errors import FetchError
from resolvers.arguments import SpaceId
from resolvers.context import Context
from resolvers.errors import BadRequest, invalid
from resolvers.policy import must, must_be_person
from resolvers.scalars import read_url

SECONDS = 8.0
BYTES = 5_000_000
TITLE, SITE = 300, 100
_HTML = frozenset({"text/html", "application/xhtml+xml"})

EmbedUrl = Annotated[
    str,
    strawberry.argument(
        description="An http or https address that the server can reach on the public internet."
    ),
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
    """What an address shows where it is embedded; for people with a token.

    A bad request when nothing usable is there.
    """
    must_be_person(ctx)
    return await _embed(ctx, url)


async def get_space_embed(ctx: Context, space_id: SpaceId, url: EmbedUrl) -> Embed:
    """What an address shows where it is embedded in a space that you may read.

    A bad request when nothing usable is there.
    """
    # As a read of its own: nothing of the database is held while the address is fetched.
    await must(replace(ctx, alone=True), Space, space_id, columns=frozenset({"id"}))
    must_be_person(ctx)
    return await _embed(ctx, url)


async def _embed(ctx: Context, url: str) -> Embed:
    try:
        read_url(url)
    except ValueError as error:
        raise invalid("url", str(error)) from error
    types: list[str] = []

    def accepts(content_type: str) -> bool:
        types.append(content_type)
        return content_type in _HTML

    fetcher = ctx.import_access.fetcher
    try:
        page = await fetcher.get(url, accepts=accepts, max_bytes=BYTES, seconds=SECONDS)
    except FetchError as error:
        if types and types[-1] not in _HTML:
            # Something is there that has no head: a picture, a document.
            return _of(url, url, PageHead(title=_file_name(url)))
        raise BadRequest(f"url: {error}") from error
    return _of(url, page.url, _head(page))


def _head(page: Fetched) -> PageHead:
    return read_head(decode_html(page.data, page.charset))


def _of(asked: str, found: str, head: PageHead) -> Embed:
    host = (urlsplit(found).hostname or "").removeprefix("www.")
    title = (head.title or host)[:TITLE]
    html = player(asked, title) or player(found, title)
    return Embed(
        EmbedType.LINK if html is None else EmbedType.RICH,
        title,
        (head.site or host)[:SITE],
        _icon(found, head.icon),
        html,
    )


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
    return "".join(one for one in name if one.isprintable()) or None
