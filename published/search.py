"""The page of a published site with what a search has found."""

from dataclasses import dataclass

from content.html.directions import direction_of
from content.html.markup import EMPTY, Html, element, escape, joined
from published.html.view import Page
from published.look import Look
from resolvers.core.context import Context
from resolvers.core.pagination import PageArguments
from resolvers.search.groups import hits_of_spaces
from resolvers.search.operations import QUERY_LENGTH, PageHit
from resolvers.search.sections import SectionHit, sections_of_hits
from resolvers.sites.search import SiteSearchArguments, search_sites

# Spaces on one page of results, and pages of each.
SPACES, PAGES = 10, 10
# Sections of a page beside the best one.
SECTIONS = 3


@dataclass(frozen=True, slots=True)
class Result:
    """A page that was found, with its sections, best first."""

    hit: PageHit
    sections: list[SectionHit]


async def results_page(ctx: Context, look: Look, query: str) -> Page:
    """The page of search results; search engines must not list it."""
    shortened = query[:QUERY_LENGTH]
    groups = await find_results(ctx, look, shortened) if shortened else []
    if groups:
        body = joined(_group(look, title, hits, many=len(groups) > 1) for title, hits in groups)
    else:
        message = (
            f"Nothing was found for “{shortened}”." if shortened else "What are you looking for?"
        )
        body = element("p", escape(message))
    return Page("Search", body, query=shortened, no_index=True)


async def find_results(ctx: Context, look: Look, query: str) -> list[tuple[str, list[Result]]]:
    arguments = SiteSearchArguments(SPACES, query=query, current_site_space=look.content.site_space)  # type: ignore[arg-type]
    (spaces,) = await search_sites(ctx, [look.frame.site], arguments)
    slices = await hits_of_spaces(ctx, spaces.rows, PageArguments(PAGES))
    hits = [hit for part in slices for hit in part.rows]
    sections = iter(await sections_of_hits(ctx, hits, None))
    return [
        (space.title, [Result(hit, next(sections)) for hit in part.rows])
        for space, part in zip(spaces.rows, slices, strict=True)
    ]


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
    parts = [element("h2", title, dir=direction_of(page.title))]
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
