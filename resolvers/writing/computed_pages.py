"""What readers see of computed pages: kept with each write, and made anew when sources change.

A write only uses what sources have made before; what is missing is made by a job. So no write
waits for a specification to be read, and the last good pages stay while the next are made
(docs/decisions/0141-computed-pages-are-shown-beside-what-was-written.md).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from content.merkle.read import diff
from db.content_enums import PageType
from db.models.change_requests import ChangeRequest
from db.models.content import ComputedPage, Revision
from db.models.spaces import Space, written_revision
from resolvers.access.policy import must_be_operator
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.jobs.queue import enqueue_of_server
from resolvers.revisions.expansion import computed_pages, expanded
from resolvers.revisions.rows import Page, page_of
from resolvers.revisions.states import get_in_space
from resolvers.revisions.store import put_documents, walk_one
from resolvers.revisions.write_targets import EDITABLE, limit_wait
from resolvers.search.index import index_revision
from resolvers.specifications.uses import StalePage, job_of_space, name_of
from resolvers.writing.offered_files import fetch_offered

__all__ = ["fetch_offered"]

# Change requests whose previews follow new versions of sources.
MOST_DRAFTS = 20
# The source of a computed page.
Source = Mapping[str, Any]


async def shown_revision(ctx: Context, space: Space, written: Revision) -> Revision:
    """The revision that readers of a space see, which shows `written`."""
    if space.written_id is None:
        return written
    return await get_in_space(ctx, space.id, space.revision_id)


def show(space: Space, written: Revision, shown: Revision) -> None:
    """Make a revision the one that readers of a space see; it shows `written`."""
    space.revision_id = shown.id
    space.written_id = None if shown is written else written.id


async def show_sources(
    ctx: Context, space: Space, written: Revision, changed: Mapping[str, Source | None]
) -> Revision:
    """The revision that shows a newly written one, of what its sources have made before.

    Notes which computed pages there are now, and has those made that are new. `changed` are the
    pages that the write has changed or removed, with the sources of those that are computed.
    """
    sources = {id: source for id, source in changed.items() if source is not None}
    if not sources and space.written_id is None:
        return written
    rows = await _rows(ctx, space.id)
    for id in (changed.keys() - sources.keys()) & rows.keys():
        await ctx.session.delete(rows.pop(id))
    new = {id: source for id, source in sources.items() if not _is_of(rows.get(id), source)}
    for id, source in new.items():
        rows[id] = await ctx.session.merge(_new_row(space.id, id, source))
    if any(name_of(source) for source in new.values()):
        await enqueue_of_server(ctx, [job_of_space(space.id, space.organization_id)])
    return await expanded(ctx, written, list(rows.values()))


def _new_row(space_id: str, page_id: str, source: Source) -> ComputedPage:
    return ComputedPage(
        space_id=space_id, page_id=page_id, source=source, version=None, tried=None, pages=None,
        files=None, name=name_of(source), failures=0, retry_at=None,
    )  # fmt: skip


async def show_draft(
    ctx: Context, space_id: str, written: Revision, changed: Mapping[str, Source | None]
) -> None:
    """Store what previews show of the newest revision of a change request: with the pages of its
    sources, as far as these are there; those of new computed pages are made by a job.

    A computed page that the space has, too, is shown with the pages that it has there.
    """
    rows = await _rows(ctx, space_id)
    sources = {id: source for id, source in changed.items() if source is not None}
    new = {id: source for id, source in sources.items() if id not in rows}
    for id, source in new.items():
        rows[id] = await ctx.session.merge(_new_row(space_id, id, source))
    if any(name_of(source) for source in new.values()):
        space = await ctx.session.get_one(Space, space_id)
        await enqueue_of_server(ctx, [job_of_space(space_id, space.organization_id)])
    if rows:
        await expanded(ctx, written, list(rows.values()))


async def _drafts(ctx: Context, space_id: str) -> list[Revision]:
    """The newest revisions of change requests that may still be previewed, last changed first."""
    statement = (
        select(Revision)
        .join(ChangeRequest, ChangeRequest.revision_id == Revision.id)
        .where(
            ChangeRequest.space_id == space_id,
            Revision.space_id == space_id,
            ChangeRequest.status.in_(EDITABLE),
        )
        .order_by(ChangeRequest.updated_at.desc(), ChangeRequest.id)
        .limit(MOST_DRAFTS)
    )
    return list((await ctx.session.execute(statement)).scalars())


def sources_of(pages: Mapping[str, Page | None]) -> dict[str, Source | None]:
    """Changed pages with the sources of those that are computed."""
    return {
        id: None if page is None or page.type is not PageType.COMPUTED else page.computed or {}
        for id, page in pages.items()
    }


async def sources_between(
    ctx: Context, before: Revision | None, after: Revision
) -> dict[str, Source | None]:
    """The same of all pages that differ between two revisions."""
    root = None if before is None else before.pages_root
    changes = await walk_one(ctx, after.space_id, diff(root, after.pages_root))
    return sources_of(
        {
            change.key: None
            if change.after is None
            else page_of(after.space_id, after.id, change.key, change.after)
            for change in changes
        }
    )


async def _rows(ctx: Context, space_id: str) -> dict[str, ComputedPage]:
    statement = select(ComputedPage).where(ComputedPage.space_id == space_id)
    rows = await ctx.session.execute(statement.execution_options(populate_existing=True))
    return {row.page_id: row for row in rows.scalars()}


def _roots(revision: Revision) -> tuple[str | None, str | None, str | None]:
    return revision.pages_root, revision.slugs_root, revision.files_root


def _is_of(row: ComputedPage | None, source: Source) -> bool:
    return row is not None and dict(row.source) == dict(source)


# ------------------------------------------------------------------ what sources make


@dataclass(frozen=True, slots=True)
class MadePages:
    """What a source has made of a computed page: pages as they are stored, and their bodies."""

    stale: StalePage
    # None where the source could make nothing of this version: what was there stays.
    pages: list[Mapping[str, Any]] | None
    documents: Mapping[str, tuple[str, bytes]]
    # Files that belong to them, as they are stored.
    files: Sequence[Mapping[str, Any]] = ()


@operation(audited=False)
async def put_made_pages(ctx: Context, space_id: str, outcomes: list[MadePages]) -> None:
    """Show what sources have made in a space, whose content may have changed meanwhile."""
    must_be_operator(ctx)
    await limit_wait(ctx)
    space = await ctx.session.get(
        Space, space_id, with_for_update={"key_share": True}, populate_existing=True
    )
    if space is None:
        return
    rows = await _rows(ctx, space_id)
    for page in outcomes:
        row = rows.get(page.stale.page_id)
        if not _is_of(row, page.stale.source):
            continue
        assert row is not None
        row.tried, row.failures, row.retry_at = page.stale.version, 0, None
        if page.pages is not None:
            await put_documents(ctx, space_id, page.documents)
            row.version, row.pages = page.stale.version, page.pages
            row.files = list(page.files) or None
    written = await get_in_space(ctx, space_id, written_revision(space))
    standing = await computed_pages(ctx, written, rows.keys())
    in_use = {place.id for place in standing}
    for draft in await _drafts(ctx, space_id):
        places = await computed_pages(ctx, draft, rows.keys())
        in_use |= {place.id for place in places}
        await expanded(ctx, draft, list(rows.values()), places)
    for id in rows.keys() - in_use:
        await ctx.session.delete(rows.pop(id))
    before = await shown_revision(ctx, space, written)
    shown = await expanded(ctx, written, list(rows.values()), standing)
    if _roots(shown) == _roots(before):
        if shown is not written:
            await ctx.session.delete(shown)
        return
    show(space, written, shown)
    space.updated_at = ctx.now()
    await ctx.session.flush()
    await index_revision(ctx, space_id, before, shown)
