"""Where a path of a site leads when no page is there (sites.md section 6).

A live page comes before everything. Then come automatic redirects: pages that moved, and sections
and site spaces that were given another path. Then come the redirects that somebody made, the exact
one before those with `/*`, of which the longest counts. Drafts, and redirects whose destination is
gone, do not fire.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import strawberry
from sqlalchemy import bindparam, select

from content.errors import SlugError
from content.redirect_paths import (
    keys_above,
    path_below,
    path_key,
    path_segments,
    with_path,
)
from content.slugs import MAX_PATH_LENGTH
from db.enums import SiteVisibility
from db.models.content import Revision
from db.models.site_settings import SitePathRedirect, SiteRedirect
from db.models.sites import Site
from db.prepared import KEY, among
from db.site_enums import SiteRedirectKind
from resolvers.arguments import InOrganization, ShareKey, SiteId
from resolvers.content_revisions import find_revision
from resolvers.context import Context
from resolvers.errors import NotFound, invalid
from resolvers.page_rows import Page
from resolvers.page_tree import find_landing_page, find_page, find_page_by_path
from resolvers.redirects import find_redirect
from resolvers.site_addresses import SiteAddress, site_addresses
from resolvers.site_destinations import KIND, PAGE, SECTION, SITE_SPACE, URL
from resolvers.site_maps import SiteMap, read_site_map
from resolvers.sites import get_site
from resolvers.statements import Asks, Written, statement

# A chain of redirects that is longer leads nowhere.
STEPS = 10
PERMANENT, TEMPORARY = 308, 307
# The id of what no one made.
AUTOMATIC = "automatic"

SourcePath = Annotated[
    str, strawberry.argument(description="Path from the site's root, at most 2,048 characters.")
]


@dataclass(frozen=True, slots=True)
class FoundRedirect:
    """Where a path leads: an address, and what stands there if that is on the site itself."""

    url: str
    status: int
    # What somebody made; None for an automatic redirect.
    redirect: SiteRedirect | None
    site_space: Any | None = None
    page: Page | None = None


@dataclass(frozen=True, slots=True)
class _Hop:
    """Where one redirect leads: another path of the site, a page of it, or an address elsewhere."""

    redirect: SiteRedirect
    segments: list[str] | None = None
    site_space: Any | None = None
    page: Page | None = None
    url: str | None = None


async def find_site_redirect(
    ctx: Context, site: Site, path: str, *, argument: str = "path"
) -> FoundRedirect | None:
    """Where a path of a site leads; None where a page is there, or nothing leads on.

    The caller has found the site by the policy, with `id`, `published` and `visibility`. `path` is
    that behind the address of the site and its share key, without a query; whoever redirects puts
    the query of the request behind the address (`content.redirect_paths.with_query`). Invalid about
    `argument` when the path is none.
    """
    try:
        segments = path_segments(path)
    except SlugError as error:
        raise invalid(argument, str(error).removeprefix("path: ")) from error
    address = (await site_addresses(ctx, {site.id}))[site.id]
    search = _Search(ctx, site, address, await read_site_map(ctx, site.id))
    return await search.follow(segments)


@statement
def _renamed(asks: Asks) -> Written:
    return select(
        SitePathRedirect.key, SitePathRedirect.section_id, SitePathRedirect.site_space_id
    ).where(
        SitePathRedirect.site_id == bindparam("site", type_=KEY),
        among(SitePathRedirect.key, "keys"),
    )


@statement
def _firing(asks: Asks) -> Written:
    """Whoever may read the site may know where its paths lead."""
    return select(SiteRedirect).where(
        SiteRedirect.site_id == bindparam("site", type_=KEY),
        among(SiteRedirect.source_key, "keys"),
        SiteRedirect.draft.is_(False),
    )


class _Search:
    """The way of one path."""

    def __init__(self, ctx: Context, site: Site, address: SiteAddress, map: SiteMap) -> None:
        self._ctx, self._site, self._address, self._map = ctx, site, address, map
        self._revisions: dict[str, Revision] = {}

    async def follow(self, segments: list[str]) -> FoundRedirect | None:
        """Follow redirects from a path until a page, an address elsewhere or a dead end."""
        first: SiteRedirect | None = None
        permanent, seen = True, set[str]()
        while (key := path_key(segments)) not in seen:
            seen.add(key)
            there = await self._live(segments)
            if there is None:
                there = await self._moved(segments)
            elif first is None:
                return None
            if there is not None:
                return await self._found(first, permanent, *there)
            hop = await self._made(segments)
            if hop is None:
                if first is None:
                    return None
                return self._answer(self._url(segments), first, permanent)
            if len(seen) > STEPS:
                return None
            first = first or hop.redirect
            permanent = permanent and hop.redirect.permanent
            if hop.page is not None:
                return await self._found(first, permanent, hop.site_space, hop.page)
            if hop.segments is None:
                return self._answer(hop.url or "", first, permanent)
            segments = hop.segments
        # A loop.
        return None

    def _answer(
        self,
        url: str,
        first: SiteRedirect | None,
        permanent: bool,
        site_space: Any | None = None,
        page: Page | None = None,
    ) -> FoundRedirect:
        live = self._site.published and self._site.visibility is SiteVisibility.PUBLIC
        status = PERMANENT if permanent and live else TEMPORARY
        return FoundRedirect(url, status, first, site_space, page)

    async def _found(
        self, first: SiteRedirect | None, permanent: bool, site_space: Any, page: Page
    ) -> FoundRedirect:
        url = self._url(await self._path_of_page(site_space, page))
        return self._answer(url, first, permanent, site_space, page)

    def _url(self, segments: Sequence[str]) -> str:
        return with_path(self._address.root, segments)

    async def _path_of_page(self, site_space: Any, page: Page) -> list[str]:
        """The canonical path of a page: the landing page is at the root of its site space."""
        above = self._map.path_of_site_space(site_space.id) or []
        landing = await find_landing_page(self._ctx, await self._revision(site_space))
        return above if landing.id == page.id else [*above, *page.path.split("/")]

    async def _revision(self, site_space: Any) -> Revision:
        known = self._revisions.get(site_space.space_id)
        if known is None:
            known = await find_revision(self._ctx, site_space.space_id)
            self._revisions[site_space.space_id] = known
        return known

    # ------------------------------------------------------------------ pages

    async def _live(self, segments: Sequence[str]) -> tuple[Any, Page] | None:
        """The page at a path, with its site space."""
        place = self._map.place(segments)
        path = "/".join(place.page)
        if place.site_space is None or len(path) > MAX_PATH_LENGTH:
            return None
        try:
            revision = await self._revision(place.site_space)
            return place.site_space, await find_page_by_path(self._ctx, revision, path)
        except NotFound:
            return None

    async def _moved(self, segments: list[str]) -> tuple[Any, Page] | None:
        """The page that was at a path before it, or what it is in, moved or was renamed."""
        seen = set[str]()
        while (key := path_key(segments)) not in seen and len(seen) < STEPS:
            seen.add(key)
            found = await self._live(segments) if len(seen) > 1 else None
            found = found or await self._moved_page(segments)
            if found is not None:
                return found
            renamed = await self._renamed(segments)
            if renamed is None:
                return None
            segments = renamed
        return None

    async def _moved_page(self, segments: Sequence[str]) -> tuple[Any, Page] | None:
        place = self._map.place(segments)
        path = "/".join(place.page)
        if place.site_space is None or not path or len(path) > MAX_PATH_LENGTH:
            return None
        try:
            revision = await self._revision(place.site_space)
            return place.site_space, await find_redirect(self._ctx, revision, path)
        except NotFound:
            return None

    async def _renamed(self, segments: Sequence[str]) -> list[str] | None:
        """The path with what its section or site space is called now in place of an old name."""
        keys = keys_above(segments[:2])
        rows = await _renamed.rows(self._ctx, site=self._site.id, keys=set(keys)) if keys else []
        for row in sorted(rows, key=lambda row: len(row.key), reverse=True):
            if row.section_id is not None:
                path = self._map.path_of_section(row.section_id)
            else:
                path = self._map.path_of_site_space(row.site_space_id)
            if path is not None:
                return [*path, *segments[row.key.count("/") + 1 :]]
        return None

    # ------------------------------------------------------------------ what somebody made

    async def _made(self, segments: Sequence[str]) -> _Hop | None:
        """Where the redirect leads that fires for a path."""
        keys = keys_above(segments)
        if not keys:
            return None
        rows = await _firing.rows(self._ctx, site=self._site.id, keys=set(keys))
        rows = [row for row in rows if row.wildcard or row.source_key == keys[0]]
        rows.sort(key=lambda row: (row.wildcard, -len(row.source_key)))
        for row in rows:
            below = segments[row.source_key.count("/") + 1 :]
            hop = await self._hop(row, below if row.capture_wildcard else ())
            if hop is not None:
                return hop
        return None

    async def _hop(self, row: SiteRedirect, rest: Sequence[str]) -> _Hop | None:
        """Where a redirect leads, `rest` put behind it; None when its destination is gone."""
        stored = row.destination
        path: list[str] | None
        match SiteRedirectKind(stored[KIND]):
            case SiteRedirectKind.URL:
                url = with_path(stored[URL], rest)
                own = path_below(self._address.base, url)
                return _Hop(row, url=url, segments=own)
            case SiteRedirectKind.SITE_SECTION:
                path = self._map.path_of_section(stored[SECTION])
            case SiteRedirectKind.SITE_SPACE:
                path = self._map.path_of_site_space(stored[SITE_SPACE])
            case SiteRedirectKind.SITE_PAGE:
                site_space = self._map.site_spaces.get(stored[SITE_SPACE])
                if site_space is None:
                    return None
                try:
                    revision = await self._revision(site_space)
                    page = await find_page(self._ctx, revision, stored[PAGE])
                except NotFound:
                    return None
                if not rest:
                    return _Hop(row, site_space=site_space, page=page)
                path = await self._path_of_page(site_space, page)
        return None if path is None else _Hop(row, segments=[*path, *rest])


# ------------------------------------------------------------------ the operation


@dataclass(frozen=True, slots=True)
class SiteRedirectMatch:
    """The redirect that a path of a site has, and where it leads in the end."""

    redirect: SiteRedirect
    target: str
    status: int


async def get_site_redirect_by_source(
    ctx: Context,
    site_id: SiteId,
    source: SourcePath,
    organization_id: InOrganization = None,
    share_key: ShareKey = None,
) -> SiteRedirectMatch:
    """Where a path of a site leads: the redirect, and the address at the end of the chain.

    NotFound where a page is there or nothing leads on. For pages that moved, and below sections
    and site spaces that were renamed, the redirect is made up and has the id `automatic`.
    """
    site = await get_site(ctx, site_id, organization_id, share_key)
    found = await find_site_redirect(ctx, site, source, argument="source")
    if found is None:
        raise NotFound(f"nothing leads on from {source[:200]!r} on this site")
    redirect = found.redirect or _made_up(ctx, site, source, found)
    return SiteRedirectMatch(redirect, found.url, found.status)


def _made_up(ctx: Context, site: Site, source: str, found: FoundRedirect) -> SiteRedirect:
    """An automatic redirect in the form of those that somebody made."""
    assert found.site_space is not None
    assert found.page is not None
    segments = path_segments(source)
    return SiteRedirect(
        id=AUTOMATIC,
        site_id=site.id,
        source=with_path("/", segments),
        source_key=path_key(segments),
        destination={
            KIND: SiteRedirectKind.SITE_PAGE.value,
            SITE_SPACE: found.site_space.id,
            PAGE: found.page.id,
        },
        wildcard=False,
        capture_wildcard=False,
        permanent=True,
        draft=False,
        created_at=ctx.now(),
        updated_at=ctx.now(),
    )
