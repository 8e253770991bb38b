"""Search in the primary content of spaces (docs/search.md).

Search in organizations and sites (resolvers/search/groups.py) groups what is found so by space.
Pages that are hidden from a visitor are left out by the statements before they are ranked, and so
are the rows of the index with text of `if` blocks (db/models/content_index.py). The statements hold
the policy: a page is ranked, counted and listed only if its space may be read. Pages stand in the
order of their rank, so a cursor is a place in that order; what is written between two pages of a
list may move hits by some places.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Annotated, Any

from sqlalchemy import CTE, select
from sqlalchemy.orm import aliased

from content.search.query import SearchQuery, Term, parse_query
from db.models.content import Revision
from db.models.content_index import IndexedPage, index_state
from db.models.spaces import Space
from db.prepared import among
from resolvers.access.policy import visible
from resolvers.core import inputs
from resolvers.core.context import Context
from resolvers.core.errors import BadRequest
from resolvers.core.inputs import BOUNDS, Bounds
from resolvers.core.installation import Settings
from resolvers.core.pagination import (
    PageArguments,
    Places,
    Slice,
    decode_cursor,
    fingerprint,
    places_between,
)
from resolvers.core.statements import ViewerKind, Written, statement
from resolvers.core.urls import Urls
from resolvers.lists.batches import reads
from resolvers.revisions.objects import active_revisions, hidden_in
from resolvers.revisions.read_targets import ROOTS
from resolvers.revisions.rows import Page
from resolvers.revisions.tree import find_with_those_above
from resolvers.search.engines import ENGINES
from resolvers.search.spellings import Respelled, respelled
from resolvers.search.words import PAGE_LIMIT, Searched, Within

Json = dict[str, Any]
QUERY_LENGTH = 512


@dataclass(frozen=True)
class SearchArguments(PageArguments):
    """Arguments of a search: the query, and the page of results."""

    query: Annotated[
        str,
        inputs.argument(
            "Words, and phrases in quotes, 1 to 512 characters; the last word may be "
            "the beginning of one. Pages with all of them, or, when there are none, with any."
        ),
    ] = field(kw_only=True, metadata={BOUNDS: Bounds(1, QUERY_LENGTH)})


@dataclass(frozen=True, slots=True)
class PageHit:
    """A page that was found, and what was looked for.

    `above` are the pages above it, the outermost first.
    """

    page: Page
    terms: tuple[Term, ...]
    above: tuple[Page, ...] = ()

    @property
    def id(self) -> str:
        """The id of the page."""
        return self.page.id

    @property
    def title(self) -> str:
        """The title of the page."""
        return self.page.title

    @property
    def description(self) -> str:
        """The description of the page; empty without one."""
        return self.page.description or ""

    @property
    def path(self) -> str:
        """The path of the page."""
        return self.page.path


# ------------------------------------------------------------------ statements


def named_spaces(viewer: ViewerKind) -> CTE:
    """The spaces of the parameter `spaces` that may be read."""
    readable = visible(viewer, Space).where(among(Space.id, "spaces"))
    return narrow(readable)


def narrow(readable: Written) -> CTE:
    """The ids of spaces as a common table."""
    return readable.with_only_columns(Space.id).cte("readable").prefix_with("MATERIALIZED")


_indexed = aliased(IndexedPage)


def but_hidden(viewer: ViewerKind, spaces: CTE, hides: bool) -> Searched:
    """The spaces to search, without the pages of the parameters that `hidden_pages` makes."""
    if not hides:
        return Searched(viewer, spaces)
    # A page has its id from its space only.
    both = _indexed.space_id.concat("/").concat(_indexed.page_id)
    hidden = select(_indexed.id).where(
        among(_indexed.space_id, "hidden_spaces"), among(both, "hidden_pages")
    )
    return Searched(viewer, spaces, hidden)


async def hidden_pages(ctx: Context, spaces: Iterable[str]) -> Json:
    """Parameters of statements about spaces: the pages that are not there for the viewer."""
    hidden = await hidden_in(ctx, spaces)
    if not hidden:
        return {}
    pages = [f"{space}/{id}" for space, ids in hidden.items() for id in ids]
    return {"hidden_spaces": list(hidden), "hidden_pages": pages}


@statement
def _best_pages(viewer: ViewerKind, hides: bool) -> Written:
    return ENGINES[viewer.dialect].best_pages(but_hidden(viewer, named_spaces(viewer), hides))


@statement
def _best_pages_of_each(viewer: ViewerKind, hides: bool) -> Written:
    return ENGINES[viewer.dialect].best_pages_of_each(
        but_hidden(viewer, named_spaces(viewer), hides)
    )


@statement
def _counts(viewer: ViewerKind, hides: bool) -> Written:
    return ENGINES[viewer.dialect].counts(but_hidden(viewer, named_spaces(viewer), hides))


@statement
def _count_of_one(viewer: ViewerKind, hides: bool) -> Written:
    return ENGINES[viewer.dialect].count_of_one(but_hidden(viewer, named_spaces(viewer), hides))


@statement
def _present(viewer: ViewerKind, hides: bool) -> Written:
    return ENGINES[viewer.dialect].present(but_hidden(viewer, named_spaces(viewer), hides))


@statement
def _searched(viewer: ViewerKind) -> Written:
    """The active revisions of spaces, with the state of their index."""
    spaces = select(Revision, index_state().label("index"))
    return spaces.join(Space, Space.revision_id == Revision.id).where(among(Space.id, "spaces"))


# ------------------------------------------------------------------ spaces


class Way(IntEnum):
    """Which pages a search lists: those with every term, or with any; by the words as they were
    typed, or with other spellings. Cursors hold the number."""

    ANY = 0
    EVERY = 1
    EVERY_RESPELLED = 2
    ANY_RESPELLED = 3

    @property
    def every(self) -> bool:
        """Whether pages have every term."""
        return self in (Way.EVERY, Way.EVERY_RESPELLED)

    @property
    def respelled(self) -> bool:
        """Whether other spellings count."""
        return self in (Way.EVERY_RESPELLED, Way.ANY_RESPELLED)


@dataclass(frozen=True, slots=True)
class Search:
    """One query in some spaces, looked for in one way.

    `hidden` is what `hidden_pages` gives for the spaces. With `lasting` the caller notes the state
    of the index (`Dependencies`).
    """

    query: SearchQuery
    way: Way
    hidden: Json = field(hash=False)
    lasting: bool = False

    def values(self, ctx: Context, within: Within) -> Json:
        """The parameters of the statements."""
        engine = ENGINES[ctx.dialect]
        words = engine.values(ctx, self.query, within, every=self.way.every)
        return {"spaces": within.spaces, **words, **self.hidden}

    def next_ways(self, other: Respelled | None) -> list["Search"]:
        """What is looked for where no page has every term, in turn."""
        several = len(self.query.terms) > 1
        ways = [replace(self, way=Way.ANY)] if several else []
        if other is None:
            return ways
        if other.missing and several:
            ways = [replace(self, query=other.query, way=Way.ANY_RESPELLED)]
        return [replace(self, query=other.query, way=Way.EVERY_RESPELLED), *ways]

    def again(self, other: Respelled | None) -> "Search":
        """The search of a cursor, with the other spellings if it has them."""
        if other is None or not self.way.respelled:
            return self
        return replace(self, query=other.query)

    async def pages(
        self, ctx: Context, spaces: Sequence[str], start: int, size: int
    ) -> dict[str, list[str]]:
        """Ids of pages by space, `size` from the place `start` in each."""
        size = min(size, PAGE_LIMIT - start)
        if size <= 0 or not spaces:
            return {}
        values = self.values(ctx, Within(spaces))
        hides, lasting = bool(self.hidden), self.lasting
        pages: dict[str, list[str]] = {}
        if len(spaces) == 1:
            rows = await _best_pages.rows(
                ctx, hides, lasting=lasting, limit=size, offset=start, **values
            )
            for row in rows:
                pages.setdefault(row.space_id, []).append(row.page_id)
            return pages
        for row in await _best_pages_of_each.rows(
            ctx, hides, lasting=lasting, last=start + size, **values
        ):
            if row.place > start:
                pages.setdefault(row.space_id, []).append(row.page_id)
        return pages


async def present_terms(
    ctx: Context, terms: Sequence[Term], spaces: Sequence[str], hidden: Json, lasting: bool = False
) -> set[Term]:
    """Those of the terms that pages of the spaces have, as far as the caller may read them."""
    texts = ENGINES[ctx.dialect].words_text(ctx, terms, Within(spaces))
    rows = await _present.rows(
        ctx, bool(hidden), lasting=lasting, asked=texts, spaces=list(spaces), **hidden
    )
    matching = {row.value for row in rows}
    return {term for term, text in zip(terms, texts, strict=True) if text in matching}


async def _respelled(ctx: Context, search: Search, spaces: Sequence[str]) -> Respelled | None:
    async def present(terms: Sequence[Term]) -> set[Term]:
        return await present_terms(ctx, terms, spaces, search.hidden, search.lasting)

    return await respelled(ctx, search.query, spaces, present, lasting=search.lasting)


@dataclass(frozen=True, slots=True)
class FoundBefore:
    """The first pages in one space, as a search in many spaces has found them.

    `pages` are the ids of the first pages, and `number` says how many they all are, if that is
    known.
    """

    pages: Sequence[str]
    number: int | None

    def has(self, size: int) -> bool:
        """Whether the first `size` pages are there, or all if they are fewer."""
        return len(self.pages) >= size or len(self.pages) == self.number


@dataclass(frozen=True, slots=True)
class _Counter:
    """Counts what a search has found in each space, up to the number that can be listed."""

    # By space.
    searches: Mapping[str, Search]
    # Numbers that are known.
    known: Mapping[str, int]

    async def counts(self, ctx: Context, parents: Sequence[str]) -> list[int]:
        numbers = {space: min(number, PAGE_LIMIT) for space, number in self.known.items()}
        alike: dict[Search, list[str]] = {}
        for space in sorted(set(parents) - numbers.keys()):
            alike.setdefault(self.searches[space], []).append(space)
        for search, spaces in alike.items():
            if not search.query.terms:
                continue
            values = search.values(ctx, Within(spaces))
            if len(spaces) == 1:
                (row,) = await _count_of_one.rows(
                    ctx, bool(search.hidden), lasting=search.lasting, **values
                )
                numbers[spaces[0]] = row.found
            else:
                numbers.update(
                    await _counts.rows(ctx, bool(search.hidden), lasting=search.lasting, **values)
                )
        return [numbers.get(parent, 0) for parent in parents]


@reads("id")
async def search_spaces(
    ctx: Context, rows: Sequence[Space], arguments: SearchArguments
) -> list[Slice[PageHit]]:
    """Pages of each space's primary content that a query finds, best first, at most 1000.

    What is in the bin, and pages that are left out of search, are not found.
    """
    spaces = [row.id for row in rows]
    ctx.count_searches(len(set(spaces)))
    query, mark = parse_query(arguments.query), fingerprint("search", arguments.query)
    places, way = hit_places(arguments, mark, ctx.settings)
    # How many a space has is not known yet; they are not many.
    start, count = (0, PAGE_LIMIT) if places.from_end else places.range()
    all_spaces = list(dict.fromkeys(spaces))
    hidden = await hidden_pages(ctx, all_spaces) if query.terms else {}
    # What visitors find follows from more than the index.
    lasting = ctx.dependencies is not None and ctx.actor.visitor is None
    search = Search(query, Way.EVERY if way is None else way, hidden, lasting)
    if search.way.respelled:
        search = search.again(await _respelled(ctx, search, all_spaces))
    searches = dict.fromkeys(all_spaces, search)
    page_ids: dict[str, list[str]] = {}
    if query.terms:
        page_ids = await search.pages(ctx, all_spaces, start, count)
        left = [space for space in all_spaces if space not in page_ids]
        if way is None and left:
            for again in search.next_ways(await _respelled(ctx, search, all_spaces)):
                searches.update(dict.fromkeys(left, again))
                page_ids |= await again.pages(ctx, left, start, count)
                left = [space for space in left if space not in page_ids]
    # Fewer pages than were asked for are all that there are.
    most = min(count, PAGE_LIMIT - start)
    numbers = {id: start + len(ids) for id, ids in page_ids.items() if len(ids) < most}
    if lasting:
        revisions = await _noted_revisions(ctx, all_spaces)
    else:
        revisions = await active_revisions(ctx, page_ids)
    counter = _Counter(searches, numbers)
    return await _slices(ctx, spaces, revisions, page_ids, places, counter, mark)


async def _noted_revisions(ctx: Context, spaces: Sequence[str]) -> dict[str, Revision]:
    """The active revisions of spaces; notes the state of their index, from which all follows that a
    search finds in them."""
    rows = await _searched.rows(ctx, columns=ROOTS, lasting=True, spaces=set(spaces))
    by_space = {row.space_id: row for row in rows}
    for space in spaces:
        row = by_space.get(space)
        if ctx.dependencies is not None:
            ctx.dependencies.add_searched(space, row and row.id, row and row.index)
    return by_space


async def hits_in(
    ctx: Context,
    parents: Sequence[str],
    arguments: SearchArguments,
    search: Search,
    before: Mapping[str, FoundBefore],
) -> list[Slice[PageHit]]:
    """Pages of spaces by their ids, in each of which a search has found some.

    What was found `before` is not looked for again.
    """
    mark = fingerprint("search", arguments.query)
    places, way = hit_places(arguments, mark, ctx.settings)
    start, count = (0, PAGE_LIMIT) if places.from_end else places.range()
    usable = {
        space: earlier
        for space, earlier in before.items()
        if start == 0 and way is None and earlier.has(count)
    }
    spaces = [space for space in dict.fromkeys(parents) if space not in usable]
    page_ids = {space: list(earlier.pages[:count]) for space, earlier in usable.items()}
    page_ids |= await search.pages(ctx, spaces, start, count)
    numbers = {
        space: earlier.number for space, earlier in usable.items() if earlier.number is not None
    }
    counter = _Counter(dict.fromkeys(parents, search), numbers)
    revisions = await active_revisions(ctx, page_ids)
    return await _slices(ctx, parents, revisions, page_ids, places, counter, mark)


async def _slices(
    ctx: Context,
    parents: Sequence[str],
    revisions: Mapping[str, Revision],
    page_ids: dict[str, list[str]],
    places: Places,
    counter: _Counter,
    mark: str,
) -> list[Slice[PageHit]]:
    """A page of each space's list; of `page_ids` all are there where they are read from the end."""
    begins = dict.fromkeys(parents, 0 if places.from_end else places.range()[0])
    if places.from_end:
        for space, ids in page_ids.items():
            begins[space], count = places.range(len(ids))
            page_ids[space] = ids[begins[space] : begins[space] + count]
    pages = await _pages(ctx, revisions, page_ids)
    slices = []
    for space in parents:
        search = counter.searches[space]
        terms = search.query.terms
        hits = [PageHit(page, terms, above) for page, above in pages.get(space, ())]
        slices.append(places.part(hits, begins[space], counter, space, mark, int(search.way)))
    return slices


def hit_places(
    arguments: PageArguments, mark: str, settings: Settings
) -> tuple[Places, Way | None]:
    """The places that are wanted, and the way in which their list was found; None where that is
    still open, for want of a cursor.

    BadRequest for cursors of two lists.
    """
    cursors = {
        name: decode_cursor(mark, cursor, [int, int])
        for name, cursor in (("after", arguments.after), ("before", arguments.before))
        if cursor is not None
    }
    ways = {way if way in set(Way) else Way.ANY for _, way in cursors.values()}
    if len(ways) > 1:
        raise BadRequest("`after` and `before` are cursors of two lists; pass those of one")
    after, before = (cursors[name][0] if name in cursors else None for name in ("after", "before"))
    places = places_between(arguments, after, before, settings)
    return places, Way(ways.pop()) if ways else None


async def _pages(
    ctx: Context, revisions: Mapping[str, Revision], ids_by_space: dict[str, list[str]]
) -> dict[str, list[tuple[Page, tuple[Page, ...]]]]:
    """The pages with their paths and those above them, by space, in the order in which they were
    found."""
    spaces = [space for space in ids_by_space if space in revisions]
    placed = await find_with_those_above(
        ctx, [(revisions[space], ids_by_space[space]) for space in spaces]
    )
    return {
        space: [(pages[id], _above(pages[id], pages)) for id in ids_by_space[space] if id in pages]
        for space, pages in zip(spaces, placed, strict=True)
    }


def _above(page: Page, pages: Mapping[str, Page]) -> tuple[Page, ...]:
    above: list[Page] = []
    while page.parent_id is not None and page.parent_id in pages:
        page = pages[page.parent_id]
        above.append(page)
    return tuple(reversed(above))


async def hit_urls(ctx: Context, rows: Sequence[PageHit], arguments: Any) -> list[Urls]:
    """Where the pages are found."""
    base = ctx.settings.public_url
    return [Urls(app=f"{base}/s/{row.page.space_id}/{row.path}") for row in rows]
