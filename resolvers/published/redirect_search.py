"""Where a path of a site leads when no page is there (docs/sites.md, "Redirects").

A live page comes before everything. Then come automatic redirects: pages that moved, and sections
and site spaces that were given another path. Then come those that the content of a space sets, then
those that somebody made for the site, the exact one before those with `/*`, of which the longest
counts. Drafts, and redirects whose destination is gone, do not fire. Pages, sections and site
spaces are those that are there for the caller.

The Markdown of a page follows it: from its old path with `.md` to its path with `.md`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import bindparam, literal_column, null, select, union_all

from content.errors import SlugError
from content.links.old_spellings import is_markdown, other_spellings
from content.links.published_urls import MARKDOWN_END, read_feed_address
from content.links.redirect_paths import (
    is_below,
    keys_above,
    path_below,
    path_key,
    with_anchor,
    with_path,
    without_dots,
    without_markdown_end,
)
from content.slugs import RESERVED_FIRST_SEGMENTS, normalize_path, slug_key
from db.enums import SiteVisibility
from db.models.content import ContentRedirect, PageRedirect, Revision
from db.models.site_settings import SitePathRedirect, SiteRedirect
from db.prepared import KEY, among
from db.site_enums import SiteRedirectKind
from resolvers.addresses.bases import SiteAddress
from resolvers.core.context import Context
from resolvers.core.errors import NotFound
from resolvers.core.statements import Viewer, Written, statement
from resolvers.published.paths import Place, SiteMap
from resolvers.revisions.objects import find_landing_page, find_page_by_path
from resolvers.revisions.read_targets import find_revision
from resolvers.revisions.redirects import (
    Matching,
    find_redirect,
    match_moved,
    match_set,
    path_id,
    redirect_keys,
)
from resolvers.revisions.rows import Page
from resolvers.revisions.tree import find_page
from resolvers.sites.redirect_destinations import KIND, PAGE, SECTION, SITE_SPACE, URL

# Segments of the longest path that a section with a site space has.
LONGEST = 2


@dataclass(frozen=True, slots=True)
class Signs:
    """Which redirects a path has, or the path of the page whose Markdown it names."""

    # Rows of `SitePathRedirect`, longest key first.
    renamed: Sequence[Any]
    moved: bool
    of_content: bool
    made: bool
    # Whether one of them is for this very path.
    exact: bool
    # Whether there is any, those of the page whose Markdown it names included.
    any: bool


@statement
def _signs(viewer: Viewer) -> Written:
    site = bindparam("site", type_=KEY)
    space = bindparam("space", type_=KEY)
    renamed: Written = select(
        literal_column("'renamed'").label("kind"),
        SitePathRedirect.key.label("key"),
        SitePathRedirect.section_id.label("section_id"),
        SitePathRedirect.site_space_id.label("site_space_id"),
    ).where(SitePathRedirect.site_id == site, among(SitePathRedirect.key, "places"))
    moved: Written = select(literal_column("'moved'"), PageRedirect.key, null(), null()).where(
        PageRedirect.space_id == space, among(PageRedirect.key, "pages")
    )
    of_content: Written = select(
        literal_column("'content'"), ContentRedirect.key, null(), null()
    ).where(ContentRedirect.space_id == space, among(ContentRedirect.key, "exact"))
    set_by_people: Written = select(
        literal_column("'made'"), SiteRedirect.source_key, null(), null()
    ).where(
        SiteRedirect.site_id == site,
        among(SiteRedirect.source_key, "sources"),
        SiteRedirect.draft.is_(False),
    )
    return select(union_all(renamed, moved, of_content, set_by_people).subquery())


async def find_signs(
    ctx: Context,
    site_id: str,
    segments: Sequence[str],
    space_id: str,
    path: str,
    plain: str | None,
) -> Signs:
    """The signs of a path of a site: one statement.

    `path` is what it is in the space that it names ("" for none), `plain` the same of the page
    whose Markdown it names.
    """
    own = keys_above(segments)
    named = without_markdown_end(segments)
    more = set() if named is None else {path_key(named)}
    paths = [path] if plain is None else [path, plain]
    rows = await _signs.rows(
        ctx,
        site=site_id,
        sources={*own, *more},
        places={*own[-LONGEST:], *more},
        space=space_id,
        pages={key for candidate in paths for key in redirect_keys(candidate)},
        exact={path_id(candidate) for candidate in paths},
    )
    kinds = {row.kind for row in rows}
    renamed = [row for row in rows if row.kind == "renamed" and row.key in own]
    renamed.sort(key=lambda row: len(row.key), reverse=True)
    exact = {("moved", path_id(path)), ("content", path_id(path)), ("made", path_key(segments))}
    return Signs(
        renamed,
        "moved" in kinds,
        "content" in kinds,
        "made" in kinds,
        any((row.kind, row.key) in exact for row in rows),
        bool(rows),
    )


# A chain of redirects that is longer leads nowhere.
STEPS = 10
PERMANENT, TEMPORARY = 308, 307


@dataclass(frozen=True, slots=True)
class FoundRedirect:
    """Where a path leads: an address, and what stands there if that is on the site itself."""

    url: str
    # The path below the address of the site; None when the address is given as it is.
    segments: Sequence[str] | None
    # Whether the address is one of the site.
    own: bool
    status: int
    # What somebody made; None for an automatic redirect.
    redirect: SiteRedirect | None
    site_space: Any | None = None
    page: Page | None = None
    # A heading of the page; the address has it, too.
    anchor: str | None = None
    # Whether the content of a space sets it.
    of_content: bool = False


@dataclass(frozen=True, slots=True)
class _End:
    """The page that a way leads to, and a heading of it."""

    site_space: Any
    page: Page
    anchor: str | None = None
    of_content: bool = False


@dataclass(frozen=True, slots=True)
class _Hop:
    """Where one redirect leads: another path of the site, a page of it, or an address elsewhere."""

    redirect: SiteRedirect
    segments: list[str] | None = None
    site_space: Any | None = None
    page: Page | None = None
    url: str = ""


async def find_site_redirect(
    ctx: Context,
    site: Any,
    segments: Sequence[str],
    map: SiteMap,
    address: SiteAddress,
    *,
    without_page: bool = False,
) -> FoundRedirect | None:
    """Where a path of a site leads; None where a page is there, or nothing leads on.

    The caller has found the site by the policy, with `id`, `published` and `visibility`; `map` has
    what is there for the caller. `segments` are those behind the address of the site and its share
    key; whoever redirects puts the query of the request behind the address
    (`content.links.redirect_paths.with_query`). One statement where the path has no redirect.

    With `without_page`, the old path of a section or a site space leads on whatever stands behind
    it: previews and lists for machines are no pages. What somebody made comes before that.
    """
    return await _Search(ctx, site, address, map).follow(list(segments), without_page)


@statement
def _firing(viewer: Viewer) -> Written:
    """Whoever may read the site may know where its paths lead."""
    return select(SiteRedirect).where(
        SiteRedirect.site_id == bindparam("site", type_=KEY),
        among(SiteRedirect.source_key, "keys"),
        SiteRedirect.draft.is_(False),
    )


class _Search:
    """The way of one path."""

    def __init__(self, ctx: Context, site: Any, address: SiteAddress, map: SiteMap) -> None:
        self._ctx, self._site, self._address, self._map = ctx, site, address, map
        self._revisions: dict[str, Revision] = {}
        self._start = ""

    async def follow(self, segments: list[str], without_page: bool) -> FoundRedirect | None:
        """Where a path leads on when no page is there, as HTML or as Markdown."""
        match = await self._by_signs(segments, without_page)
        return match or await self._otherwise_spelled(segments)

    async def _by_signs(self, segments: list[str], without_page: bool) -> FoundRedirect | None:
        signs = await self._signs(segments)
        if not signs.any or await self._is_there(segments):
            return None
        named = without_markdown_end(segments)
        if named is None or signs.exact:
            match = await self._follow(segments, signs, without_page)
            if match is not None or named is None:
                return match
        match = await self._follow(named, await self._signs(named), without_page=False)
        if match is not None and match.page is not None:
            return self._as_markdown(match, match.page)
        return None if signs.exact else await self._follow(segments, signs, without_page)

    async def _otherwise_spelled(self, segments: list[str]) -> FoundRedirect | None:
        """Where a path leads that is one of another program for the page."""
        place, _ = self._page_path(segments)
        depth = 0 if place is None else place.depth
        spellings = other_spellings(segments[depth:])
        if place is None or not spellings or await self._is_there(segments):
            return None
        for spelled in spellings:
            path = [*segments[:depth], *spelled]
            end = await self._live(path) if spelled else await self._landing(place)
            if end is not None:
                self._start = path_key(segments)
                match = await self._found(None, True, end)
            else:
                signs = await self._signs(path)
                match = await self._follow(path, signs, without_page=False) if signs.any else None
            if match is not None and match.page is not None:
                return self._as_markdown(match, match.page) if is_markdown(segments) else match
            if match is not None:
                return match
        return None

    async def _landing(self, place: Place) -> _End | None:
        """The page at the root of a site space."""
        try:
            revision = await self._revision(place.site_space)
            return _End(place.site_space, await find_landing_page(self._ctx, revision))
        except NotFound:
            return None

    async def _follow(
        self, segments: list[str], signs: Signs, without_page: bool
    ) -> FoundRedirect | None:
        """Follow redirects from a path until a page, an address elsewhere or a dead end."""
        self._start = path_key(segments)
        first: SiteRedirect | None = None
        permanent, visited = True, set[str]()
        while (key := path_key(segments)) not in visited:
            visited.add(key)
            if first is not None:
                there = await self._live(segments)
                if there is not None:
                    return await self._found(first, permanent, there)
                signs = await self._signs(segments)
            there, renamed = await self._moved(segments, signs)
            if there is not None:
                return await self._found(first, permanent, there)
            hop = await self._made(segments) if signs.made else None
            if hop is None:
                ends_at = segments if first is not None else renamed if without_page else None
                return None if ends_at is None else self._answer(ends_at, first, permanent)
            if len(visited) > STEPS:
                return None
            first = first or hop.redirect
            permanent = permanent and hop.redirect.permanent
            if hop.page is not None:
                return await self._found(first, permanent, _End(hop.site_space, hop.page))
            if hop.segments is None:
                own = is_below(self._address.base, hop.url)
                return FoundRedirect(hop.url, None, own, self._status(permanent), first)
            segments = hop.segments
        # A loop.
        return None

    async def _signs(self, segments: Sequence[str]) -> Signs:
        place, path = self._page_path(segments)
        named = without_markdown_end(segments)
        _, plain = (None, None) if named is None else self._page_path(named)
        space_id = "" if place is None else place.site_space.space_id
        return await find_signs(self._ctx, self._site.id, segments, space_id, path, plain)

    def _status(self, permanent: bool) -> int:
        live = self._site.published and self._site.visibility is SiteVisibility.PUBLIC
        return PERMANENT if permanent and live else TEMPORARY

    def _answer(
        self,
        segments: Sequence[str],
        first: SiteRedirect | None,
        permanent: bool,
    ) -> FoundRedirect | None:
        if path_key(segments) == self._start:
            return None
        url = with_path(self._address.root, segments)
        return FoundRedirect(url, without_dots(segments), True, self._status(permanent), first)

    async def _found(
        self, first: SiteRedirect | None, permanent: bool, end: _End
    ) -> FoundRedirect | None:
        match = self._answer(await self._path_of_page(end.site_space, end.page), first, permanent)
        return match and replace(
            match,
            url=with_anchor(match.url, end.anchor),
            site_space=end.site_space,
            page=end.page,
            anchor=end.anchor,
            of_content=end.of_content,
        )

    def _as_markdown(self, match: FoundRedirect, page: Page) -> FoundRedirect:
        """The address of the page's Markdown; the landing page has a path of its own for that."""
        *above, last = page.path.split("/")
        segments = self._map.path_below(match.site_space, [*above, last + MARKDOWN_END])
        url = with_path(self._address.root, segments)
        return replace(match, url=url, segments=without_dots(segments), anchor=None)

    async def _path_of_page(self, site_space: Any, page: Page) -> Sequence[str]:
        """The canonical path of a page: the landing page is at the root of its site space."""
        landing = await find_landing_page(self._ctx, await self._revision(site_space))
        rest = [] if landing.id == page.id else page.path.split("/")
        return self._map.path_below(site_space, rest)

    async def _revision(self, site_space: Any) -> Revision:
        revision = self._revisions.get(site_space.space_id)
        if revision is None:
            revision = await find_revision(self._ctx, site_space.space_id)
            self._revisions[site_space.space_id] = revision
        return revision

    # ------------------------------------------------------------------ pages

    def _page_path(self, segments: Sequence[str]) -> tuple[Place | None, str]:
        """The place that a path names, and the path of a page there; no place for what is none."""
        place = self._map.place([slug_key(segment) for segment in segments])
        if place is None:
            return None, ""
        try:
            return place, normalize_path("/".join(segments[place.depth :]))
        except SlugError:
            return None, ""

    async def _is_there(self, segments: Sequence[str]) -> bool:
        """Whether a page is at a path, as HTML or as Markdown, or what machines read of a space."""
        _, path = self._page_path(segments)
        if path.partition("/")[0] in RESERVED_FIRST_SEGMENTS:
            return True
        if await self._live(segments) is not None:
            return True
        feed = read_feed_address("/".join(segments))
        named = without_markdown_end(segments) if feed is None else feed.path.split("/")
        return named is not None and await self._live(named) is not None

    async def _live(self, segments: Sequence[str]) -> _End | None:
        """The page at a path."""
        place, path = self._page_path(segments)
        if place is None:
            return None
        try:
            revision = await self._revision(place.site_space)
            return _End(place.site_space, await find_page_by_path(self._ctx, revision, path))
        except NotFound:
            return None

    async def _moved(
        self, segments: list[str], signs: Signs
    ) -> tuple[_End | None, list[str] | None]:
        """The page that was at a path before it, or what it is in, moved or was renamed.

        After that the page that the content sets for the path. With it the path as sections and
        site spaces are called now, if that is another one.
        """
        visited, now = set[str](), None
        named: list[list[str]] = []
        while (key := path_key(segments)) not in visited and len(visited) < STEPS:
            visited.add(key)
            if now is not None:
                end = await self._live(segments)
                if end is not None:
                    return end, now
                signs = await self._signs(segments)
            end = await self._old(segments, match_moved) if signs.moved else None
            if end is not None:
                return end, now
            if signs.of_content:
                named.append(segments)
            renamed = self._renamed(segments, signs)
            if renamed is None:
                break
            segments = now = renamed
        for segments in named:
            end = await self._old(segments, match_set)
            if end is not None:
                return end, now
        return None, now

    async def _old(self, segments: Sequence[str], matching: Matching) -> _End | None:
        """The page that content leads to from an old path."""
        place, path = self._page_path(segments)
        if place is None or not path:
            return None
        try:
            revision = await self._revision(place.site_space)
            end = await find_redirect(self._ctx, revision, path, matching)
        except NotFound:
            return None
        return _End(place.site_space, end.page, end.anchor, of_content=matching is match_set)

    def _renamed(self, segments: Sequence[str], signs: Signs) -> list[str] | None:
        """The path with what its section or site space is called now in place of an old name."""
        for row in signs.renamed:
            path = self._map.path_of(row.section_id, row.site_space_id)
            if path is not None:
                return [*path, *segments[row.key.count("/") + 1 :]]
        return None

    # ------------------------------------------------------------------ what somebody made

    async def _made(self, segments: Sequence[str]) -> _Hop | None:
        """Where the redirect leads that fires for a path."""
        keys = keys_above(segments)
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
        path: Sequence[str] | None
        match SiteRedirectKind(stored[KIND]):
            case SiteRedirectKind.URL:
                url = with_path(stored[URL], rest)
                own = path_below(self._address.root, url)
                if own is None:
                    own = path_below(self._address.base, url)
                return _Hop(row, own, url=url)
            case SiteRedirectKind.SITE_SECTION:
                path = self._map.path_of(stored[SECTION], None)
            case SiteRedirectKind.SITE_SPACE:
                path = self._map.path_of(None, stored[SITE_SPACE])
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
        return None if path is None else _Hop(row, [*path, *rest])
