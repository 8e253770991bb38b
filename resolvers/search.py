"""Search in the primary content of spaces (sites.md section 8).

The statements hold the policy: a page is ranked, counted and listed only if its space may be
read. Pages stand in the order of their rank, so a cursor is a place in that order; what is
written between two pages of a list may move hits by some places.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import strawberry
from sqlalchemy import CTE, bindparam

from content.search_query import SearchQuery, Term, parse_query
from db.models.spaces import Space
from db.prepared import KEY, among
from resolvers.batches import reads
from resolvers.context import Context
from resolvers.found_pages import active_revisions, find_pages
from resolvers.inputs import BOUNDS, Bounds
from resolvers.page_rows import Page
from resolvers.pagination import (
    PageArguments,
    Slice,
    decode_cursor,
    encode_cursor,
    fingerprint,
)
from resolvers.policy import visible
from resolvers.search_engines import ENGINES
from resolvers.search_words import PAGE_LIMIT
from resolvers.statements import Asker, Written, statement
from resolvers.urls import Urls

QUERY_LENGTH = 512


@dataclass(frozen=True)
class SearchArguments(PageArguments):
    """What is searched for, and how much of what was found is wanted."""

    query: Annotated[
        str,
        strawberry.argument(
            description="Words, and phrases in quotes, 1 to 512 characters; the last word may be "
            "the beginning of one. Pages with all of them, or, when there are none, with any."
        ),
    ] = field(kw_only=True, metadata={BOUNDS: Bounds(1, QUERY_LENGTH)})


@dataclass(frozen=True, slots=True)
class PageHit:
    """A page that was found, and what was looked for."""

    page: Page
    terms: tuple[Term, ...]

    @property
    def id(self) -> str:
        """The id of the page."""
        return self.page.id

    @property
    def title(self) -> str:
        """The title of the page."""
        return self.page.title

    @property
    def path(self) -> str:
        """The path of the page."""
        return self.page.path


# ------------------------------------------------------------------ statements


def _spaces(asks: Asker) -> CTE:
    """Those of the parameter `spaces` that may be read."""
    readable = visible(asks, Space).where(among(Space.id, "spaces"))
    return _narrow(readable)


def _of_organization(asks: Asker) -> CTE:
    """Those of the parameter `organization` that may be read."""
    readable = visible(asks, Space)
    return _narrow(readable.where(Space.organization_id == bindparam("organization", type_=KEY)))


def _narrow(readable: Written) -> CTE:
    return readable.with_only_columns(Space.id).cte("readable").prefix_with("MATERIALIZED")


@statement
def _best_pages(asks: Asker) -> Written:
    return ENGINES[asks.dialect].best_pages(_spaces(asks))


@statement
def _best_pages_of_each(asks: Asker) -> Written:
    return ENGINES[asks.dialect].best_pages_of_each(_spaces(asks))


@statement
def _counts(asks: Asker) -> Written:
    return ENGINES[asks.dialect].counts(_spaces(asks))


@statement
def _count_of_one(asks: Asker) -> Written:
    return ENGINES[asks.dialect].count_of_one(_spaces(asks))


@statement
def _best_spaces(asks: Asker) -> Written:
    return ENGINES[asks.dialect].best_spaces(_of_organization(asks))


@statement
def _all_counts(asks: Asker) -> Written:
    return ENGINES[asks.dialect].counts(_of_organization(asks))


# ------------------------------------------------------------------ spaces


@dataclass(frozen=True, slots=True)
class _Search:
    """One query in some spaces: every term has to be there, or any of them."""

    query: SearchQuery
    every: bool

    def match(self, ctx: Context, spaces: Sequence[str]) -> str:
        engine = ENGINES[ctx.reader.dialect]
        return engine.match(self.query.terms, spaces, every=self.every)

    async def pages(
        self, ctx: Context, spaces: Sequence[str], start: int, size: int
    ) -> dict[str, list[str]]:
        """Ids of pages by space, `size` from the place `start` in each."""
        size = min(size, PAGE_LIMIT - start)
        if size <= 0 or not spaces:
            return {}
        values: dict[str, Any] = {"spaces": spaces, "match": self.match(ctx, spaces)}
        found: dict[str, list[str]] = {}
        if len(spaces) == 1:
            rows = await _best_pages.rows(ctx, limit=size, offset=start, **values)
            for row in rows:
                found.setdefault(row.space_id, []).append(row.page_id)
            return found
        for row in await _best_pages_of_each.rows(ctx, last=start + size, **values):
            if row.place > start:
                found.setdefault(row.space_id, []).append(row.page_id)
        return found


@dataclass(frozen=True, slots=True)
class _Counter:
    """Counts what a search has found in each space, up to the number that can be listed."""

    query: SearchQuery
    # Spaces in which any term is enough.
    loose: frozenset[str]

    async def counts(self, ctx: Context, parents: Sequence[str]) -> list[int]:
        found: dict[str, int] = {}
        for every in (True, False):
            spaces = sorted({one for one in parents if (one in self.loose) is not every})
            if spaces and self.query.terms:
                match = _Search(self.query, every).match(ctx, spaces)
                if len(spaces) == 1:
                    (row,) = await _count_of_one.rows(ctx, spaces=spaces, match=match)
                    found[spaces[0]] = row.found
                else:
                    found.update(await _counts.rows(ctx, spaces=spaces, match=match))
        return [found.get(parent, 0) for parent in parents]


@reads("id")
async def search_spaces(
    ctx: Context, rows: Sequence[Space], arguments: SearchArguments
) -> list[Slice[PageHit]]:
    """Pages of each space's primary content that a query finds, best first, at most 1000.

    What is in the bin, and pages that are left out of search, are not found.
    """
    query, size = parse_query(arguments.query), arguments.size(ctx.settings)
    mark = fingerprint("search", arguments.query)
    start, every = _place(mark, arguments.after)
    spaces = list(dict.fromkeys(row.id for row in rows))
    found: dict[str, list[str]] = {}
    loose: frozenset[str] = frozenset() if every else frozenset(spaces)
    if query.terms:
        found = await _Search(query, every).pages(ctx, spaces, start, size + 1)
        if arguments.after is None and len(query.terms) > 1:
            loose = frozenset(spaces) - found.keys()
            found |= await _Search(query, False).pages(ctx, sorted(loose), start, size + 1)
    pages = await _pages(ctx, found)
    counter = _Counter(query, loose)
    return [
        _slice(
            [PageHit(page, query.terms) for page in pages.get(row.id, [])],
            mark, start, size, counter, row.id, row.id not in loose,
        )
        for row in rows
    ]  # fmt: skip


def _place(mark: str, after: str | None) -> tuple[int, bool]:
    """The place behind a cursor, and whether its list holds pages with every term."""
    if after is None:
        return 0, True
    place, every = decode_cursor(mark, after, [int, int])
    return max(0, place + 1), bool(every)


def _slice(
    hits: list[Any], mark: str, start: int, size: int, counter: Any, parent: str, every: bool
) -> Slice[Any]:
    shown = hits[:size]
    places = {id(hit): start + index for index, hit in enumerate(shown)}
    return Slice(
        rows=shown,
        has_next=len(hits) > size,
        has_previous=start > 0,
        cursor_of=lambda hit: encode_cursor(mark, [places[id(hit)], int(every)]),
        counter=counter,
        parent=parent,
    )


async def _pages(ctx: Context, found: dict[str, list[str]]) -> dict[str, list[Page]]:
    """The pages with their paths, by space, in the order in which they were found."""
    revisions = await active_revisions(ctx, found)
    spaces = [space for space in found if space in revisions]
    pages = await find_pages(ctx, [(revisions[space], found[space]) for space in spaces])
    return {
        space: [known[id] for id in found[space] if id in known]
        for space, known in zip(spaces, pages, strict=True)
    }


async def hit_urls(ctx: Context, rows: Sequence[PageHit], arguments: Any) -> list[Urls]:
    """Where the pages are found."""
    base = ctx.settings.public_url
    return [Urls(app=f"{base}/s/{row.page.space_id}/{row.path}") for row in rows]


# ------------------------------------------------------------------ organizations


@dataclass(frozen=True, slots=True)
class SpaceHits:
    """A space in which something was found."""

    space: Space
    arguments: SearchArguments

    @property
    def id(self) -> str:
        """The id of the space."""
        return self.space.id

    @property
    def title(self) -> str:
        """The title of the space."""
        return self.space.title


@dataclass(frozen=True, slots=True)
class _SpaceCounter:
    query: SearchQuery
    loose: frozenset[str]

    async def counts(self, ctx: Context, parents: Sequence[str]) -> list[int]:
        counts: list[int] = []
        for parent in parents:
            match = _Search(self.query, parent not in self.loose).match(ctx, ())
            rows = (
                await _all_counts.rows(ctx, organization=parent, match=match)
                if self.query.terms
                else []
            )
            counts.append(len(rows))
        return counts


@reads("id")
async def search_organizations(
    ctx: Context, rows: Sequence[Any], arguments: SearchArguments
) -> list[Slice[SpaceHits]]:
    """Spaces of an organization in which a query finds pages, with the best pages first."""
    query, size = parse_query(arguments.query), arguments.size(ctx.settings)
    mark = fingerprint("organization-search", arguments.query)
    start, every = _place(mark, arguments.after)
    slices: list[Slice[SpaceHits]] = []
    for row in rows:
        found: list[str] = []
        strict = every
        if query.terms:
            found = await _found_spaces(ctx, row.id, _Search(query, strict), start, size + 1)
            if not found and arguments.after is None and len(query.terms) > 1:
                strict = False
                found = await _found_spaces(ctx, row.id, _Search(query, False), start, size + 1)
        known = {space.id: space for space in await _named.rows(ctx, spaces=found)} if found else {}
        inner = SearchArguments(query=arguments.query)
        hits = [SpaceHits(known[id], inner) for id in found if id in known]
        counter = _SpaceCounter(query, frozenset(() if strict else (row.id,)))
        slices.append(_slice(hits, mark, start, size, counter, row.id, strict))
    return slices


async def _found_spaces(
    ctx: Context, organization: str, search: _Search, start: int, size: int
) -> list[str]:
    rows = await _best_spaces.rows(
        ctx, organization=organization, match=search.match(ctx, ()), limit=size, offset=start
    )
    return [row.space_id for row in rows]


@statement
def _named(asks: Asker) -> Written:
    return visible(asks, Space).where(among(Space.id, "spaces"))


async def hits_of_spaces(
    ctx: Context, rows: Sequence[SpaceHits], arguments: PageArguments
) -> list[Slice[PageHit]]:
    """The pages that were found in each space, best first."""
    results: list[Slice[PageHit]] = [None] * len(rows)  # type: ignore[list-item]
    # One organization's search has one query; several in one request may have others.
    for query in dict.fromkeys(row.arguments.query for row in rows):
        places = [index for index, row in enumerate(rows) if row.arguments.query == query]
        asked = SearchArguments(arguments.first, arguments.after, query=query)
        slices = await search_spaces(ctx, [rows[index].space for index in places], asked)
        for index, part in zip(places, slices, strict=True):
            results[index] = part
    return results


async def spaces_of_hits(ctx: Context, rows: Sequence[SpaceHits], arguments: Any) -> list[Space]:
    """The spaces themselves."""
    return [row.space for row in rows]


async def pages_of_hits(ctx: Context, rows: Sequence[PageHit], arguments: Any) -> list[Page]:
    """The pages themselves."""
    return [row.page for row in rows]
