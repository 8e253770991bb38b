"""Which part of what a search has found a page of results shows, and where the other parts are.

The first page has the best pages of the best spaces. Its links lead to more pages of one space, and
to more spaces; what they name is in the address, and no part of it has to be right.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from content.html.markup import EMPTY, Html, element, escape, joined
from db.site_enums import SiteSearchMode
from published.look import Look
from published.visits import SearchVisit
from resolvers.core.context import Context
from resolvers.core.errors import BadRequest, Invalid
from resolvers.core.pagination import PageArguments, Slice
from resolvers.search.groups import SpaceHits, hits_of_spaces
from resolvers.search.operations import PageHit
from resolvers.sites.search import SiteSearchArguments, search_sites

# Spaces on one page of results, and pages of each.
SPACES, PAGES = 10, 10


@dataclass(frozen=True, slots=True)
class Found:
    """The spaces on a page of results, with the pages of each."""

    spaces: Slice[SpaceHits]
    pages: list[Slice[PageHit]]


async def find_part(ctx: Context, look: Look, visit: SearchVisit) -> Found:
    """What the address asks for; the first part when it names one that is not there."""
    try:
        return await _find(ctx, look, visit)
    except (BadRequest, Invalid):
        return await _find(ctx, look, SearchVisit(visit.query))


async def _find(ctx: Context, look: Look, visit: SearchVisit) -> Found:
    site_space = visit.site_space
    scope: dict[str, Any] = {"current_site_space": look.content.site_space}
    if site_space is not None:
        scope = {"mode": SiteSearchMode.SPECIFIC, "site_space_ids": [site_space]}
    arguments = SiteSearchArguments(
        SPACES, after=None if site_space else visit.after, query=visit.query, **scope
    )
    (spaces,) = await search_sites(ctx, [look.frame.site], arguments)
    inner = PageArguments(PAGES)
    if site_space is not None and visit.after is not None:
        inner = PageArguments(PAGES, after=visit.after)
    elif site_space is not None and visit.before is not None:
        inner = PageArguments(last=PAGES, before=visit.before)
    return Found(spaces, await hits_of_spaces(ctx, spaces.rows, inner))


def links_of_pages(look: Look, visit: SearchVisit, space: SpaceHits, part: Slice[PageHit]) -> Html:
    """Links to the pages before and after those that are shown of a space."""
    site_space = look.addresses.site_spaces.get(space.id)
    if site_space is None:
        return EMPTY
    own = {"in": site_space.id}
    before = {**own, "before": part.start_cursor} if part.has_previous else None
    after = {**own, "after": part.end_cursor} if part.has_next else None
    words = look.words
    return _links(
        visit.query,
        f"{words.results}: {space.title}",
        (words.previous_results, before),
        (words.more_results, after),
    )


def links_of_spaces(look: Look, visit: SearchVisit, spaces: Slice[SpaceHits]) -> Html:
    """Links to what was found in other spaces."""
    first: Mapping[str, Any] | None = {} if visit.site_space or visit.after else None
    after = {"after": spaces.end_cursor} if spaces.has_next else None
    words = look.words
    return _links(
        visit.query, words.all_results, (words.all_results, first), (words.more_results, after)
    )


def _links(query: str, name: str, *links: tuple[str, Mapping[str, Any] | None]) -> Html:
    items = [
        element("a", escape(label), href=f"?{urlencode({'q': query, **parameters})}")
        for label, parameters in links
        if parameters is not None
    ]
    if not items:
        return EMPTY
    return element("nav", joined(items), class_="more-results", aria_label=name)


def breadcrumbs(hit: PageHit) -> Html:
    """The titles of the pages above a page."""
    if not hit.above:
        return EMPTY
    return element("p", escape(" › ".join(page.title for page in hit.above)), class_="above")
