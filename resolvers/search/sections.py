"""The sections of found pages that hold what was looked for, with excerpts."""

import asyncio
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from content.recent_cache import RecentCache
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
# Of what was found in a text: where each begins and ends.
Places = tuple[tuple[int, int], ...]
# A term in the heading counts as much as in so many texts.
_HEADING = 4


@dataclass(frozen=True, slots=True)
class Part:
    """A section of a page in which something was found, whoever has searched."""

    anchor: str | None
    heading: str
    excerpt: Excerpt

    def __len__(self) -> int:
        """Its weight in bytes, about."""
        return 300 + len(self.anchor or "") + len(self.heading) + len(self.excerpt.text)


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


# What was found in pages of late, by the revision of their space, for those who search again.
# It never changes: the index of a space follows from its revision.
_FOUND: RecentCache[tuple[Hashable, ...], tuple[Part, ...]] = RecentCache(
    16 * 1024 * 1024, lambda parts: sum(map(len, parts)) + 200
)


async def _of_some(ctx: Context, hits: Sequence[PageHit]) -> list[list[SectionHit]]:
    visiting = ctx.actor.visitor is not None
    keys = [(hit.page.space_id, hit.page.revision_id, hit.id, visiting, hit.terms) for hit in hits]
    parts_by_key = {key: parts for key in keys if (parts := _FOUND.get(key)) is not None}
    unknown = [hit for hit, key in zip(hits, keys, strict=True) if key not in parts_by_key]
    for hit, parts in zip(unknown, await _look_into(ctx, unknown), strict=True):
        key = (hit.page.space_id, hit.page.revision_id, hit.id, visiting, hit.terms)
        parts_by_key[key] = parts
        _FOUND.put(key, parts)
    return [
        [SectionHit(hit, part.anchor, part.heading, part.excerpt) for part in parts_by_key[key]]
        for hit, key in zip(hits, keys, strict=True)
    ]


async def _look_into(ctx: Context, hits: Sequence[PageHit]) -> list[tuple[Part, ...]]:
    """The best sections of pages."""
    if not hits:
        return []
    spaces = {hit.page.space_id for hit in hits}
    sections: dict[tuple[str, str], list[Any]] = {}
    # They follow from the index, whose state was noted by the search that has found the pages.
    for row in await _sections.rows(
        ctx, lasting=True, spaces=spaces, pages={hit.id for hit in hits}
    ):
        sections.setdefault((row.space_id, row.page_id), []).append(row)
    finders = {terms: Finder(terms) for terms in {hit.terms for hit in hits}}

    def find() -> list[tuple[Part, ...]]:
        return [
            _best(hit, sections.get((hit.page.space_id, hit.id), ()), finders[hit.terms])
            for hit in hits
        ]

    long = sum(len(row.body) for rows in sections.values() for row in rows) > LONG
    return await asyncio.to_thread(find) if long else find()


def _best(hit: PageHit, sections: Sequence[Any], finder: Finder) -> tuple[Part, ...]:
    ranked: list[tuple[int, int, Places]] = []
    for position, row in enumerate(sections):
        heading, body = finder.find(row.heading), finder.find(row.body)
        score = _HEADING * len(heading.terms) + len(body.terms)
        if score:
            ranked.append((-score, position, body.places))
    if not ranked and any(len(term.words) > 1 for term in hit.terms):
        ranked = _across(sections, finder)
    ranked.sort(key=lambda item: item[:2])
    best: list[Part] = []
    for _, position, places in ranked[:SECTIONS]:
        row = sections[position]
        best.append(Part(row.anchor, row.heading, excerpt_of(row.body, places)))
    return tuple(best)


def _across(sections: Sequence[Any], finder: Finder) -> list[tuple[int, int, Places]]:
    """The sections in which phrases begin that end in the next text, and their places there."""
    texts = [(position, text) for position, row in enumerate(sections)
             for text in (row.heading, row.body)]  # fmt: skip
    places_in: dict[int, list[tuple[int, int]]] = {}
    places = iter(finder.find("\n".join(text for _, text in texts)).places)
    start, end = next(places, (-1, -1))
    begin = 0
    for number, (position, text) in enumerate(texts):
        while begin <= start <= begin + len(text):
            inside = places_in.setdefault(position, [])
            if number % 2:
                inside.append((start - begin, min(end - begin, len(text))))
            start, end = next(places, (-1, -1))
        begin += len(text) + 1
    return [(-1, position, tuple(inside)) for position, inside in places_in.items()]


async def section_urls(ctx: Context, rows: Sequence[SectionHit], arguments: Any) -> list[Urls]:
    """Where the sections are found."""
    base = ctx.settings.public_url
    return [Urls(app=f"{base}/s/{row.hit.page.space_id}/{row.path}") for row in rows]
