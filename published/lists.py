"""llms.txt, llms-full.txt, sitemaps and robots.txt of a published site."""

import asyncio
import re

from db.enums import AgentsContext, SiteVisibility
from published.html.machine import (
    ListedSpace,
    llms_txt,
    robots_txt,
    sitemap,
    sitemap_index,
)
from published.listed_pages import listed_pages
from published.look import Look
from published.whole_texts import WholeText
from resolvers.core.context import Context
from resolvers.core.errors import NotFound
from resolvers.published.lists import (
    for_assistants,
    for_crawlers,
    list_pages,
    part_of_whole,
)

LLMS, LLMS_FULL, ROBOTS = "llms.txt", "llms-full.txt", "robots.txt"
SITEMAP, SITEMAP_PAGES = "sitemap.xml", "sitemap-pages.xml"
_PART = re.compile(rf"{re.escape(LLMS_FULL)}/([1-9][0-9]{{0,5}})")
MARKDOWN, TEXT, XML = "text/markdown", "text/plain", "application/xml"


async def read_list(ctx: Context, look: Look, name: str) -> tuple[str, str] | WholeText | None:
    """The list of this name with its media type, or the whole text; None when no list has it.

    NotFound where the site has none: for assistants it may be closed, and the parts of a text may
    end.
    """
    part = _PART.fullmatch(name)
    if name in (LLMS, LLMS_FULL) or part is not None:
        if look.frame.site.agents_context is AgentsContext.EXCLUDED:
            raise NotFound("this site is closed to assistants")
        if name == LLMS:
            return await _for_assistants(ctx, look), TEXT
        return await _whole(ctx, look, 1 if part is None else int(part.group(1)))
    if name == ROBOTS:
        return _robots(look), TEXT
    if name in (SITEMAP, SITEMAP_PAGES) and not _is_open(look):
        raise NotFound("this site is closed to search engines")
    if name == SITEMAP:
        return await _index(ctx, look), XML
    if name == SITEMAP_PAGES:
        return await _pages(ctx, look), XML
    return None


def _is_open(look: Look) -> bool:
    """Whether search engines may list the site. In previews the lists are those of the site."""
    return look.frame.site.visibility is SiteVisibility.PUBLIC


def _robots(look: Look) -> str:
    address = look.addresses.complete(f"{look.addresses.root}/{SITEMAP}")
    preview = look.content.is_preview or look.content.signed
    return robots_txt(address if _is_open(look) and not preview else None)


async def _for_assistants(ctx: Context, look: Look) -> str:
    everything = await list_pages(ctx, look.frame, for_assistants)

    def write() -> str:
        sections = {row.id: row.title for row in look.frame.sections()}
        spaces = []
        for listed in everything:
            row = listed.site_space
            section = sections.get(row.section_id)
            several = len(look.frame.site_spaces(row.section_id)) > 1
            title = (
                row.title if section is None else f"{section}: {row.title}" if several else section
            )
            spaces.append(ListedSpace(title, listed_pages(look, listed)))
        return llms_txt(look.title, spaces)

    return await asyncio.to_thread(write)


async def _whole(ctx: Context, look: Look, number: int) -> WholeText:
    part = await part_of_whole(ctx, look.frame, number)
    if part is None:
        raise NotFound(f"there is no part {number} of {LLMS_FULL}")
    pages, parts = part
    if number == parts:
        return WholeText(look, pages)
    following = look.addresses.complete(f"{look.addresses.root}/{LLMS_FULL}/{number + 1}")
    return WholeText(look, pages, f"\n---\n\n[Part {number + 1} of {parts}]({following})\n")


async def _index(ctx: Context, look: Look) -> str:
    listed = await list_pages(ctx, look.frame, for_crawlers)
    return sitemap_index(
        look.addresses.complete(
            f"{look.addresses.published[space.site_space.space_id]}/{SITEMAP_PAGES}"
        )
        for space in listed
        if space.pages
    )


async def _pages(ctx: Context, look: Look) -> str:
    """The sitemap of the space that the address leads to."""
    for listed in await list_pages(ctx, look.frame, for_crawlers, look.content.site_space):
        pages = await asyncio.to_thread(listed_pages, look, listed)
        return await asyncio.to_thread(sitemap, pages)
    raise NotFound("there is no such space on this site")
