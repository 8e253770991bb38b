"""Keeps the index of primary content: what search finds, and what links to what.

`index_revision` is called in the transaction that makes a revision the active one, so the index
always shows what the space shows. Spaces that were never indexed are left to jobs/reindex.py,
which builds their index in steps (resolvers/search/builds.py).
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import delete, insert, select

from db.content_enums import PageType, SearchAudience
from db.inserts import ROWS_PER_INSERT, parts
from db.models.content import Revision
from db.models.content_index import (
    ContentIndex,
    ContentLink,
    ContentLinkUse,
    IndexedPage,
    IndexedSection,
)
from db.models.spaces import Space
from resolvers.core.context import Context
from resolvers.links.index import IDS_AT_ONCE, LinkWriter, judge_links
from resolvers.revisions.extracts import Extract, Extractor, shown_line
from resolvers.revisions.index_plan import Plan, add_pages, plan_of
from resolvers.revisions.owners import note_ids
from resolvers.revisions.rows import Page
from resolvers.revisions.shown_files import ShownFiles
from resolvers.search.engines import ENGINES
from resolvers.search.spellings import put_spellings
from resolvers.search.words import PageWords, page_words

# Another number when what is stored changes its meaning: then all spaces are indexed again.
FORMAT = 9
PAGES_AT_ONCE = 100


async def index_revision(
    ctx: Context, space_id: str, before: Revision | None, after: Revision
) -> None:
    """Bring the index of a space from its revision `before` to `after`, and note its new ids.

    `before` is None for a new space. When the index does not show `before`, nothing is done: the
    space is not indexed yet, or is being indexed by somebody who will come to this revision.
    """
    if before is None:
        ctx.session.add(
            ContentIndex(space_id=space_id, revision_id=after.id, format=FORMAT, built_at=ctx.now())
        )
        await ctx.session.flush()
    else:
        state = await ctx.session.get(ContentIndex, space_id, populate_existing=True)
        if state is None or state.format != FORMAT or state.revision_id != before.id:
            return
        state.revision_id, state.built_at = after.id, ctx.now()
    plan = await plan_of(ctx, before, after)
    # It reads what the plan has read.
    await note_ids(ctx, before, after)
    await apply_plan(ctx, plan)


async def apply_plan(ctx: Context, plan: Plan) -> None:
    """Do what a plan says, in batches."""
    revision, links = plan.revision, LinkWriter(ctx, plan.revision.space_id)
    embedding = await _embedding(ctx, revision.space_id, {*plan.contents, *plan.removed_contents})
    embedding |= await _showing(ctx, revision.space_id, plan.files)
    await add_pages(ctx, plan, sorted(embedding - plan.pages.keys()))
    removed = [*plan.removed, *plan.removed_contents]
    await forget_pages(ctx, revision.space_id, removed)
    await links.forget(removed)
    shown = ShownFiles(ctx, revision)
    await shown.forget([*plan.removed])
    await shown.drop_unused()
    await index_pages(ctx, plan, links)
    await links.drop_unused()
    await judge_links(ctx, revision, links.digests, plan.targets)


async def index_pages(ctx: Context, plan: Plan, links: LinkWriter) -> None:
    """Index the pages and contents of a plan anew."""
    extractor, shown = Extractor(plan.revision), ShownFiles(ctx, plan.revision)
    for some in parts(list(plan.pages.values()), PAGES_AT_ONCE):
        extracts = await extractor.pages(ctx, some)
        await forget_pages(ctx, plan.revision.space_id, [page.id for page in some])
        await _put_pages(ctx, plan, some, extracts)
        await links.put(extracts, reusable=False)
        await shown.put(
            {
                extract.id: () if extract.id in plan.restricted else extract.files
                for extract in extracts
            }
        )
    await shown.drop_unused()
    for contents in parts(list(plan.contents.values()), PAGES_AT_ONCE):
        await links.put(await extractor.contents(ctx, contents), reusable=True)


async def forget_pages(ctx: Context, space_id: str, page_ids: Sequence[str]) -> None:
    """Take pages out of the index; their sections and words go with them."""
    for some in parts(page_ids, IDS_AT_ONCE):
        await ctx.session.execute(
            delete(IndexedPage).where(
                IndexedPage.space_id == space_id, IndexedPage.page_id.in_(some)
            )
        )


async def _put_pages(
    ctx: Context, plan: Plan, pages: Sequence[Page], extracts: Sequence[Extract]
) -> None:
    """Store sections and words of the documents among the pages."""
    space_id = plan.revision.space_id
    shown = [
        shown
        for page, extract in zip(pages, extracts, strict=True)
        if page.type is PageType.DOCUMENT
        for shown in _shown(page, extract, searchable=page.id not in plan.unsearchable)
    ]
    if not shown:
        return
    await _number(ctx, space_id, shown)
    sections = [
        {"page": page.number, "position": position, "anchor": section.anchor,
         "heading": section.heading, "body": section.text}
        for page in shown
        for position, section in enumerate(page.extract.sections)
    ]  # fmt: skip
    # In front of the sections, where search does not look.
    sections += [
        {"page": page.number, "position": -position, "anchor": alias, "heading": "", "body": ""}
        for page in shown
        for position, alias in enumerate(page.extract.aliases, start=1)
    ]
    for some in parts(sections, ROWS_PER_INSERT):
        await ctx.session.execute(insert(IndexedSection), some)

    organization_id = (await ctx.session.get_one(Space, space_id)).organization_id

    def cut() -> list[PageWords]:
        return [
            page_words(
                page.number,
                space_id,
                organization_id,
                page.audience,
                shown_line(page.page.title),
                [section.heading for section in page.extract.sections],
                shown_line(page.page.description),
                _whole_text(page),
            )
            for page in shown
            if page.searchable
        ]

    engine = ENGINES[ctx.session.get_bind().dialect.name]
    words = await asyncio.to_thread(cut)
    await engine.put(ctx, words)
    await put_spellings(ctx, space_id, set().union(*(page.spellings for page in words)))


@dataclass(slots=True)
class _Shown:
    """A page as one audience sees it, and its number in the index."""

    page: Page
    audience: SearchAudience
    extract: Extract
    searchable: bool
    number: int = 0


def _whole_text(page: _Shown) -> str:
    """All that a page shows, in the order of reading."""
    sections = [text for part in page.extract.sections for text in (part.heading, part.text)]
    lines = (shown_line(page.page.title), shown_line(page.page.description))
    return "\n".join([*lines, *sections, page.extract.embedded_text])


def _shown(page: Page, extract: Extract, *, searchable: bool) -> list[_Shown]:
    """The rows of a page in the index; links and anchors are judged by the whole page."""
    if extract.unconditional is None:
        return [_Shown(page, SearchAudience.EVERYONE, extract, searchable)]
    shown = [_Shown(page, SearchAudience.MEMBERS, extract, searchable)]
    if searchable:
        shown.append(_Shown(page, SearchAudience.VISITORS, extract.unconditional, True))
    return shown


async def _number(ctx: Context, space_id: str, pages: Sequence[_Shown]) -> None:
    """Add pages to the index, which numbers them."""
    rows = [
        {"space_id": space_id, "page_id": page.page.id, "audience": page.audience,
         "searchable": page.searchable}
        for page in pages
    ]  # fmt: skip
    statement = insert(IndexedPage).returning(
        IndexedPage.page_id, IndexedPage.audience, IndexedPage.id
    )
    numbers = {
        (id, audience): number
        for id, audience, number in await ctx.session.execute(statement, rows)
    }
    for page in pages:
        page.number = numbers[page.page.id, page.audience]


async def _showing(ctx: Context, space_id: str, files: set[str]) -> set[str]:
    """Pages that show some of these files, also by a reusable content."""
    pages: set[str] = set()
    contents: set[str] = set()
    for some in parts(sorted(files), IDS_AT_ONCE):
        statement = (
            select(ContentLinkUse.source_id, ContentLinkUse.reusable)
            .join(ContentLink, ContentLink.id == ContentLinkUse.link_id)
            .where(
                ContentLink.space_id == space_id,
                ContentLink.target_space_id == space_id,
                ContentLink.target_id.in_(some),
                ContentLink.kind == "file",
            )
        )
        for id, reusable in await ctx.session.execute(statement):
            (contents if reusable else pages).add(id)
    return pages | await _embedding(ctx, space_id, contents)


async def _embedding(ctx: Context, space_id: str, contents: set[str]) -> set[str]:
    """Pages that show some of these reusable contents."""
    pages: set[str] = set()
    for some in parts(sorted(contents), IDS_AT_ONCE):
        statement = (
            select(ContentLinkUse.source_id)
            .join(ContentLink, ContentLink.id == ContentLinkUse.link_id)
            .where(
                ContentLink.space_id == space_id,
                ContentLink.target_space_id == space_id,
                ContentLink.target_id.in_(some),
                ContentLink.kind == "reusable-content",
                ContentLinkUse.reusable.is_(False),
            )
        )
        pages.update(await ctx.session.scalars(statement))
    return pages
