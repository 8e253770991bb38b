"""The page of a published site with what a search has found."""

from dataclasses import dataclass, replace

from content.html.directions import direction_of
from content.html.markup import EMPTY, Html, element, escape, joined
from published.assemble import Look
from published.html.view import Page
from published.result_pages import breadcrumbs, find_part, links_of_pages, links_of_spaces
from published.visits import SearchVisit
from resolvers.core.context import Context
from resolvers.search.operations import QUERY_LENGTH, PageHit
from resolvers.search.sections import SectionHit, sections_of_hits

# Sections of a page beside the best one.
SECTIONS = 3


@dataclass(frozen=True, slots=True)
class _Result:
    """A page that was found, with its sections, best first."""

    hit: PageHit
    sections: list[SectionHit]


async def results_page(ctx: Context, look: Look, visit: SearchVisit) -> Page:
    """The page of search results; search engines must not list it."""
    visit = replace(visit, query=visit.query[:QUERY_LENGTH])
    body = await _results(ctx, look, visit) if visit.query else EMPTY
    if not body:
        message = (
            f"Nothing was found for “{visit.query}”."
            if visit.query
            else "What are you looking for?"
        )
        body = element("p", escape(message))
    return Page("Search", body, query=visit.query, no_index=True)


async def _results(ctx: Context, look: Look, visit: SearchVisit) -> Html:
    part_shown = await find_part(ctx, look, visit)
    hits = [hit for part in part_shown.pages for hit in part.rows]
    sections = iter(await sections_of_hits(ctx, hits, None))
    groups = []
    for space, part in zip(part_shown.spaces.rows, part_shown.pages, strict=True):
        results = [_Result(hit, next(sections)) for hit in part.rows]
        many = len(part_shown.spaces.rows) > 1 or visit.site_space is not None
        groups.append(_group(look, space.title, results, many=many))
        groups.append(links_of_pages(look, visit, space, part))
    if not hits:
        return EMPTY
    return joined([*groups, links_of_spaces(visit, part_shown.spaces)])


def _group(look: Look, title: str, results: list[_Result], *, many: bool) -> Html:
    items = joined(element("li", _result(look, hit)) for hit in results)
    heading = EMPTY
    if many:
        heading = element("p", escape(title), dir=direction_of(title), class_="group")
    return joined([heading, element("ul", items, class_="results")])


def _result(look: Look, result: _Result) -> Html:
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
