"""What a search in a published site has found: as a page, as JSON for its script, as near pages."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import orjson

from content.html.directions import direction_of
from content.html.markup import EMPTY, Html, element, escape, joined
from published.html.view import Link, Page
from published.look import Look
from published.result_pages import breadcrumbs, find_part, links_of_pages, links_of_spaces
from published.visits import SearchVisit
from resolvers.core.context import Context
from resolvers.core.errors import RateLimited
from resolvers.core.pagination import PageArguments, Slice
from resolvers.search.groups import hits_of_spaces
from resolvers.search.operations import QUERY_LENGTH, PageHit
from resolvers.search.sections import SectionHit, sections_of_hits
from resolvers.sites.search import SiteSearchArguments, search_sites

# Sections of a page beside the best one.
SECTIONS = 3
# Spaces and pages of each while somebody types.
SPACES_TYPED, PAGES_TYPED, MOST_TYPED = 5, 5, 10
# Pages that may be meant where none is.
NEAR = 5
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Result:
    """A page that was found, with its sections, best first."""

    hit: PageHit
    sections: list[SectionHit]


async def results_page(ctx: Context, look: Look, visit: SearchVisit) -> Page:
    """The page of search results; search engines must not list it."""
    visit, words = replace(visit, query=visit.query[:QUERY_LENGTH]), look.words
    body = await _results(ctx, look, visit) if visit.query else EMPTY
    if not body:
        message = words.what_to_search
        if visit.query:
            message = words.nothing_found.format(query=visit.query)
        body = element("p", escape(message))
    return Page(words.search, body, query=visit.query, no_index=True)


async def _results(ctx: Context, look: Look, visit: SearchVisit) -> Html:
    part_found = await find_part(ctx, look, visit)
    spaces, pages = part_found.spaces, part_found.pages
    results = await _with_sections(ctx, pages)
    many = len(spaces.rows) > 1 or visit.site_space is not None
    groups = []
    for space, part, of_space in zip(spaces.rows, pages, results, strict=True):
        groups.append(_group(look, space.title, of_space, many=many))
        groups.append(links_of_pages(look, visit, space, part))
    if not any(results):
        return EMPTY
    return joined([*groups, links_of_spaces(look, visit, spaces)])


async def typed_results(ctx: Context, look: Look, query: str) -> bytes:
    """The best pages as JSON: `query`, and `results` with `title`, `href`, `place` (the space,
    where several have some), `section` (a heading, or null) and `excerpt` as pairs of a text and
    whether it was looked for."""
    shortened = query[:QUERY_LENGTH]
    groups = (
        await find_results(ctx, look, shortened, SPACES_TYPED, PAGES_TYPED) if shortened else []
    )
    results = [
        _typed(look, title if len(groups) > 1 else None, result)
        for title, results_of_space in groups
        for result in results_of_space
    ]
    return orjson.dumps({"query": shortened, "results": results[:MOST_TYPED]})


def _typed(look: Look, place: str | None, result: Result) -> dict[str, Any]:
    page, best = result.hit.page, next(iter(result.sections), None)
    anchor = "" if best is None else best.anchor or ""
    excerpt = [(page.description, False)] if page.description else []
    if best is not None:
        excerpt = list(best.excerpt.pieces())
    return {
        "title": page.title,
        "href": look.addresses.page(page.space_id, page.path, anchor, published=True),
        "place": place,
        "section": best.title if best is not None and anchor else None,
        "excerpt": excerpt,
    }


async def near_pages(ctx: Context, look: Look, path: str) -> list[Link]:
    """The pages that a path without one may have meant: those found by its words. None where the
    reader has searched too often."""
    query = " ".join(_WORD.findall(path.replace("_", " ")))[:QUERY_LENGTH]
    if not query:
        return []
    try:
        groups = await find_results(ctx, look, query, SPACES_TYPED, NEAR)
    except RateLimited:
        return []
    hits = [result.hit.page for _, results in groups for result in results]
    return [
        Link(page.title, look.addresses.page(page.space_id, page.path, published=True))
        for page in hits[:NEAR]
    ]


async def find_results(
    ctx: Context, look: Look, query: str, most_spaces: int, most_pages: int
) -> list[tuple[str, list[Result]]]:
    """The best pages of each space, by the titles of the spaces."""
    arguments = SiteSearchArguments(
        most_spaces,
        query=query,
        current_site_space=look.content.site_space,  # type: ignore[arg-type]
    )
    (spaces,) = await search_sites(ctx, [look.frame.site], arguments)
    slices = await hits_of_spaces(ctx, spaces.rows, PageArguments(most_pages))
    results = await _with_sections(ctx, slices)
    return [(space.title, part) for space, part in zip(spaces.rows, results, strict=True)]


async def _with_sections(ctx: Context, parts: Sequence[Slice[PageHit]]) -> list[list[Result]]:
    """The pages of each part with their sections."""
    hits = [hit for part in parts for hit in part.rows]
    sections = iter(await sections_of_hits(ctx, hits, None))
    return [[Result(hit, next(sections)) for hit in part.rows] for part in parts]


def _group(look: Look, title: str, results: list[Result], *, many: bool) -> Html:
    items = joined(element("li", _result(look, hit)) for hit in results)
    heading = EMPTY
    if many:
        heading = element("p", escape(title), dir=direction_of(title), class_="group")
    return joined([heading, element("ul", items, class_="results")])


def _result(look: Look, result: Result) -> Html:
    page = result.hit.page
    # Drafts are not searched: what is found is published.
    address = look.addresses.page(page.space_id, page.path, published=True)
    title = element("a", escape(page.title), href=address)
    parts = [breadcrumbs(result.hit), element("h2", title, dir=direction_of(page.title))]
    best = result.sections[:1]
    # The excerpt is HTML that was escaped when it was made.
    excerpt = Html(best[0].html) if best else escape(page.description or "")
    shown = best[0].body if best else page.description or ""
    parts.append(element("p", excerpt, dir=direction_of(shown)))
    others = [
        element(
            "li",
            element("a", escape(section.title),
                    href=look.addresses.page(
                        page.space_id, page.path, section.anchor or "", published=True)),
            dir=direction_of(section.title),
        )
        for section in result.sections[: SECTIONS + 1]
        if section.anchor is not None
    ]  # fmt: skip
    return joined([*parts, element("ul", joined(others)) if others else EMPTY])
