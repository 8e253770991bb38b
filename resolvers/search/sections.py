"""The sections of found pages that hold what was looked for, with excerpts."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from content.search.excerpts import Excerpt, Finder, excerpt_of
from db.inserts import parts
from db.models.content_index import IndexedPage, IndexedSection
from db.prepared import among
from resolvers.core.context import Context
from resolvers.core.statements import Viewer, Written, statement
from resolvers.core.urls import Urls
from resolvers.search.operations import PageHit
from resolvers.search.words import is_for

# Of one page, the best ones are shown.
SECTIONS = 5
# Pages whose sections are in memory at a time.
PAGES_AT_ONCE = 50
# Longer texts are looked through beside the event loop: a megabyte of a script that is not Latin
# takes half a second.
LONG = 100_000
# A term in the heading counts as much as in so many texts.
_HEADING = 4


@dataclass(frozen=True, slots=True)
class SectionHit:
    """A part of a page in which something was found."""

    hit: PageHit
    anchor: str | None
    heading: str
    excerpt: Excerpt

    @property
    def id(self) -> str:
        """The anchor of the heading; the part before the first heading has the id of the page."""
        return self.hit.id if self.anchor is None else self.anchor

    @property
    def title(self) -> str:
        """The heading, or the title of the page before the first one."""
        return self.hit.title if self.anchor is None else self.heading

    @property
    def path(self) -> str:
        """The path of the page with the anchor."""
        return self.hit.path if self.anchor is None else f"{self.hit.path}#{self.anchor}"

    @property
    def body(self) -> str:
        """The excerpt as plain text."""
        return self.excerpt.text

    @property
    def html(self) -> str:
        """The excerpt with what was found in `mark` elements."""
        return self.excerpt.html


@statement
def _sections(viewer: Viewer) -> Written:
    # Pages of several spaces may have the same id; which of them were found is known.
    return (
        select(
            IndexedPage.space_id,
            IndexedPage.page_id,
            IndexedSection.anchor,
            IndexedSection.heading,
            IndexedSection.body,
        )
        .join(IndexedSection, IndexedSection.page == IndexedPage.id)
        .where(
            among(IndexedPage.space_id, "spaces"),
            among(IndexedPage.page_id, "pages"),
            is_for(viewer, IndexedPage.audience),
            # Those below are anchors that headings had.
            IndexedSection.position >= 0,
        )
        .order_by(IndexedPage.id, IndexedSection.position)
    )


async def sections_of_hits(
    ctx: Context, rows: Sequence[PageHit], arguments: Any
) -> list[list[SectionHit]]:
    """The sections of each page that hold what was looked for, at most 5, best first."""
    hits: list[list[SectionHit]] = []
    for some in parts(rows, PAGES_AT_ONCE):
        hits.extend(await _of_some(ctx, some))
    return hits


async def _of_some(ctx: Context, hits: Sequence[PageHit]) -> list[list[SectionHit]]:
    spaces = {hit.page.space_id for hit in hits}
    sections: dict[tuple[str, str], list[Any]] = {}
    for row in await _sections.rows(ctx, spaces=spaces, pages={hit.id for hit in hits}):
        sections.setdefault((row.space_id, row.page_id), []).append(row)
    finders = {terms: Finder(terms) for terms in {hit.terms for hit in hits}}

    def find() -> list[list[SectionHit]]:
        return [
            _best(hit, sections.get((hit.page.space_id, hit.id), ()), finders[hit.terms])
            for hit in hits
        ]

    long = sum(len(row.body) for rows in sections.values() for row in rows) > LONG
    return await asyncio.to_thread(find) if long else find()


def _best(hit: PageHit, sections: Iterable[Any], finder: Finder) -> list[SectionHit]:
    ranked: list[tuple[int, int, SectionHit]] = []
    for position, row in enumerate(sections):
        heading, body = finder.find(row.heading), finder.find(row.body)
        score = _HEADING * len(heading.terms) + len(body.terms)
        if score:
            section = SectionHit(hit, row.anchor, row.heading, excerpt_of(row.body, body.places))
            ranked.append((-score, position, section))
    ranked.sort(key=lambda item: item[:2])
    return [section for _, _, section in ranked[:SECTIONS]]


async def section_urls(ctx: Context, rows: Sequence[SectionHit], arguments: Any) -> list[Urls]:
    """Where the sections are found."""
    base = ctx.settings.public_url
    return [Urls(app=f"{base}/s/{row.hit.page.space_id}/{row.path}") for row in rows]
