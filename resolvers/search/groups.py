"""Search in many spaces: those of an organization, or of a site, with the best pages of each."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import CTE, bindparam

from content.search.query import Term, parse_query
from db.enums import TokenScope
from db.models.spaces import Space
from db.prepared import KEY
from resolvers.access.policy import visible
from resolvers.core.context import Context
from resolvers.core.pagination import PageArguments, Places, Slice, fingerprint
from resolvers.core.statements import ViewerKind, Written, statement
from resolvers.lists.batches import needs, reads, visible_in
from resolvers.revisions.rows import Page
from resolvers.search.engines import ENGINES
from resolvers.search.homes import searched_within
from resolvers.search.operations import (
    FoundBefore,
    PageHit,
    Search,
    SearchArguments,
    Way,
    but_hidden,
    hidden_pages,
    hit_places,
    hits_in,
    named_spaces,
    narrow,
)
from resolvers.search.spellings import Respelled, respelled
from resolvers.search.words import Searched, Within

Json = dict[str, Any]
# So many pages of each space come with the list of spaces: as many as /v1 shows, and one more.
FIRST_PAGES = 11


def _searched(viewer: ViewerKind, everywhere: bool, hides: bool) -> Searched:
    """The spaces of the parameter `organization`, or those of `spaces`, that may be read."""
    if not everywhere:
        return but_hidden(viewer, named_spaces(viewer), hides)
    owned = Space.organization_id == bindparam("organization", type_=KEY)
    spaces: CTE = narrow(visible(viewer, Space).where(owned))
    return but_hidden(viewer, spaces, hides)


@statement
def _best_spaces(viewer: ViewerKind, everywhere: bool, hides: bool) -> Written:
    return ENGINES[viewer.dialect].best_spaces(_searched(viewer, everywhere, hides))


@statement
def _present(viewer: ViewerKind, everywhere: bool, hides: bool) -> Written:
    return ENGINES[viewer.dialect].present(_searched(viewer, everywhere, hides))


@statement
def _count_of_spaces(viewer: ViewerKind, everywhere: bool, hides: bool) -> Written:
    return ENGINES[viewer.dialect].count_of_spaces(_searched(viewer, everywhere, hides))


_named = visible_in(Space.id, "spaces")


@dataclass(frozen=True, slots=True)
class SpaceHits:
    """A space in which something was found: by which search, of which text."""

    space: Space
    search: Search
    text: str
    # The first pages of it, if the search has found them too.
    before: FoundBefore | None = None

    @property
    def id(self) -> str:
        """The id of the space."""
        return self.space.id

    @property
    def title(self) -> str:
        """The title of the space."""
        return self.space.title


@dataclass(frozen=True, slots=True)
class _Groups:
    """One search in all spaces of an organization, or in some that are named."""

    search: Search
    within: Within
    # All spaces of this one, or else those of `within`.
    organization: str | None = None
    # How many spaces they are, once some of them are known.
    number: list[int] = field(default_factory=list)

    @property
    def _asks_nothing(self) -> bool:
        return not self.search.query.terms or (self.organization is None and not self.within.spaces)

    @property
    def _variant(self) -> tuple[bool, bool]:
        return self.organization is not None, bool(self.search.hidden)

    def _values(self, ctx: Context) -> Json:
        return {"organization": self.organization, **self.search.values(ctx, self.within)}

    async def respelled(self, ctx: Context) -> Respelled | None:
        """The query with other spellings of words that are in these spaces."""

        async def present(terms: Sequence[Term]) -> set[Term]:
            texts = ENGINES[ctx.reader.dialect].words_text(ctx, terms, self.within)
            rows = await _present.rows(
                ctx, *self._variant, asked=texts, organization=self.organization,
                spaces=list(self.within.spaces), **self.search.hidden,
            )  # fmt: skip
            matching = {row.value for row in rows}
            return {term for term, text in zip(terms, texts, strict=True) if text in matching}

        query, spaces = self.search.query, self.within.spaces
        return await respelled(ctx, query, spaces, present, self.organization)

    def by(self, search: Search) -> "_Groups":
        """Another search in the same spaces."""
        return _Groups(search, self.within, self.organization)

    async def page(self, ctx: Context, places: Places) -> tuple[int, dict[str, FoundBefore | None]]:
        """The place of the first space that is wanted, and what `best` gives from there."""
        (total,) = await self.counts(ctx, [""]) if places.from_end else [0]
        begin, count = places.range(total)
        return begin, await self.best(ctx, begin, count) if count else {}

    async def best(self, ctx: Context, start: int, size: int) -> dict[str, FoundBefore | None]:
        """Ids of spaces, `size` from the place `start`, with their first pages."""
        if self._asks_nothing:
            return {}
        rows = await _best_spaces.rows(
            ctx, *self._variant, limit=size, offset=start, last=FIRST_PAGES, **self._values(ctx)
        )
        self.number.extend(row.found for row in rows[:1])
        pages: dict[str, list[Any]] = {}
        for row in rows:
            pages.setdefault(row.space_id, []).append(row)
        return {space: self._before(before) for space, before in pages.items()}

    def _before(self, rows: Sequence[Any]) -> FoundBefore | None:
        if rows[0].page_id is None:
            return None
        return FoundBefore([row.page_id for row in rows], rows[0].number)

    async def counts(self, ctx: Context, parents: Sequence[str]) -> list[int]:
        """The number of spaces, for the one parent that these groups have."""
        number = self.number[0] if self.number else 0
        if not self.number and not self._asks_nothing:
            (row,) = await _count_of_spaces.rows(ctx, *self._variant, **self._values(ctx))
            number = row.found
        return [number for _ in parents]


@reads("id", scope=TokenScope.ORGANIZATION_SEARCH)
async def search_organizations(
    ctx: Context, rows: Sequence[Any], arguments: SearchArguments
) -> list[Slice[SpaceHits]]:
    """Spaces of an organization in which a query finds pages, with the best pages first."""
    mark = fingerprint("organization-search", arguments.query)
    # Nobody but a visitor has hidden pages, and a visitor reads the spaces of one site.
    visitor = ctx.actor.visitor
    spaces = () if visitor is None else sorted(visitor.space_ids)
    # Each is a search of its own; parents may lead to the same organization.
    ids = list(dict.fromkeys(row.id for row in rows))
    ctx.count_searches(len(ids))
    places = await searched_within(ctx, [(id, spaces) for id in ids])
    slices = {
        id: await grouped(ctx, arguments, arguments.query, mark, id, within, id)
        for id, within in zip(ids, places, strict=True)
    }
    return [slices[row.id] for row in rows]


async def grouped(
    ctx: Context,
    arguments: PageArguments,
    text: str,
    mark: str,
    parent: str,
    within: Within,
    organization: str | None = None,
) -> Slice[SpaceHits]:
    """Spaces in which a query finds pages: of an organization, or else those `within`."""
    query = parse_query(text)
    places, way = hit_places(arguments, mark, ctx.settings)
    hidden = await hidden_pages(ctx, within.spaces) if query.terms else {}
    search = Search(query, Way.EVERY if way is None else way, hidden)
    groups = _Groups(search, within, organization)
    if search.way.respelled:
        groups = groups.by(search.again(await groups.respelled(ctx)))
    begin, spaces = await groups.page(ctx, places)
    if not spaces and way is None and query.terms:
        for search in groups.search.next_ways(await groups.respelled(ctx)):
            groups = groups.by(search)
            begin, spaces = await groups.page(ctx, places)
            if spaces:
                break
    rows = (
        {space.id: space for space in await _named.rows(ctx, spaces=list(spaces))} if spaces else {}
    )
    hits = [
        SpaceHits(rows[id], groups.search, text, before)
        for id, before in spaces.items()
        if id in rows
    ]
    return places.part(hits, begin, groups, parent, mark, int(groups.search.way))


async def hits_of_spaces(
    ctx: Context, rows: Sequence[SpaceHits], arguments: PageArguments
) -> list[Slice[PageHit]]:
    """The pages that were found in each space, best first."""
    results: list[Slice[PageHit]] = [None] * len(rows)  # type: ignore[list-item]
    # One organization's search is one; several in one request may be others.
    for found_by, text in dict.fromkeys((row.search, row.text) for row in rows):
        places = [
            index for index, row in enumerate(rows) if (row.search, row.text) == (found_by, text)
        ]
        page = (arguments.first, arguments.after, arguments.last, arguments.before)
        search = SearchArguments(*page, query=text)
        before = {
            rows[index].id: before_of_row
            for index in places
            if (before_of_row := rows[index].before)
        }
        ids = [rows[index].id for index in places]
        for index, part in zip(
            places, await hits_in(ctx, ids, search, found_by, before), strict=True
        ):
            results[index] = part
    return results


@needs(TokenScope.SPACE_READ)
async def spaces_of_hits(ctx: Context, rows: Sequence[SpaceHits], arguments: Any) -> list[Space]:
    """The spaces themselves."""
    return [row.space for row in rows]


@needs(TokenScope.SPACE_READ)
async def pages_of_hits(ctx: Context, rows: Sequence[PageHit], arguments: Any) -> list[Page]:
    """The pages themselves."""
    return [row.page for row in rows]


async def ancestors_of_hits(
    ctx: Context, rows: Sequence[PageHit], arguments: Any
) -> list[tuple[Page, ...]]:
    """The pages above each page, the outermost first."""
    return [row.above for row in rows]
