"""Links of single pages: what a page refers to.

Like all links they are for people: what a block withholds from a visitor links to things, too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from db.models.change_requests import ChangeRequest
from db.models.content import Revision
from db.models.content_index import ContentLink, ContentLinkUse
from db.prepared import among
from resolvers.access.policy import must_be_person, visible
from resolvers.core.context import Context
from resolvers.core.pagination import Slice
from resolvers.core.statements import Viewer, Written, statement
from resolvers.links.rows import (
    Link,
    LinkArguments,
    LinkStats,
    Use,
    Version,
    chosen,
    link_of_reference,
    link_of_row,
    stats_of,
)
from resolvers.links.targets import known_targets, shown_status
from resolvers.lists.memory_pages import memory_slices
from resolvers.revisions.extracts import Extract, Extractor
from resolvers.revisions.pages_by_id import active_revisions
from resolvers.revisions.read_targets import revisions_by_id
from resolvers.revisions.rows import File, Page
from resolvers.revisions.tree import find_pages

Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Versions:
    """The content that pages and files were read from."""

    primary: dict[str, Revision]
    others: dict[str, Revision]
    # Change requests by their newest revisions.
    requests: dict[str, str]

    def of(self, row: Page | File) -> Version:
        """The version that a row is of; without a revision for primary content."""
        primary = self.primary.get(row.space_id)
        if primary is not None and primary.id == row.revision_id:
            return Version(row.space_id)
        revision = self.others.get(row.revision_id)
        return Version(row.space_id, revision, self.requests.get(row.revision_id))


async def versions_of(ctx: Context, rows: Sequence[Page | File]) -> Versions:
    primary = await active_revisions(ctx, {row.space_id for row in rows})
    newest = {revision.id for revision in primary.values()}
    ids = {row.revision_id for row in rows} - newest
    others = await revisions_by_id(ctx, ids)
    requests = {}
    if others:
        rows_of_requests = await _requests.rows(ctx, revisions=set(others))
        requests = {row.revision_id: row.id for row in rows_of_requests}
    return Versions(primary, others, requests)


@statement
def _requests(viewer: Viewer) -> Written:
    return (
        visible(viewer, ChangeRequest)
        .with_only_columns(ChangeRequest.id, ChangeRequest.revision_id)
        .where(among(ChangeRequest.revision_id, "revisions"))
        .order_by(ChangeRequest.id.desc())
    )


# ------------------------------------------------------------------ links of pages


@statement
def _of_pages(viewer: Viewer) -> Written:
    """Links of pages with their places. Of several spaces this finds pages with the same id."""
    return (
        visible(viewer, ContentLink)
        .join(ContentLinkUse, ContentLinkUse.link_id == ContentLink.id)
        .where(
            among(ContentLinkUse.space_id, "spaces"),
            among(ContentLinkUse.source_id, "pages"),
            ContentLinkUse.reusable.is_(False),
        )
        .add_columns(
            ContentLinkUse.source_id, ContentLinkUse.node, shown_status(viewer).label("shown")
        )
        .order_by(ContentLink.id, ContentLinkUse.node)
    )


async def _links(ctx: Context, rows: Sequence[Page]) -> list[list[Link]]:
    """All links of each page; a page has a bounded number."""
    versions = await versions_of(ctx, rows)
    placed = [(row, versions.of(row)) for row in rows]
    indexed = await _indexed(ctx, [row for row, version in placed if version.revision is None])
    results: list[list[Link]] = []
    for row, version in placed:
        if version.revision is None:
            results.append(indexed.get((row.space_id, row.id), []))
        else:
            results.append(await _read(ctx, row, version))
    return results


async def _indexed(ctx: Context, rows: Sequence[Page]) -> dict[Key, list[Link]]:
    """Links of pages of primary content."""
    links: dict[tuple[str, str, str], Link] = {}
    pages: dict[Key, list[Link]] = {}
    if not rows:
        return pages
    spaces, ids = {row.space_id for row in rows}, {row.id for row in rows}
    for row in await _of_pages.rows(ctx, spaces=spaces, pages=ids):
        key = (row.id, row.space_id, row.source_id)
        if key not in links:
            links[key] = link_of_row(row, Version(row.space_id), row.shown)
            # Only its own places are shown.
            links[key].link_id = None
            pages.setdefault((row.space_id, row.source_id), []).append(links[key])
        links[key].uses.append(Use(row.source_id, row.node))
    return pages


async def _read(ctx: Context, page: Page, version: Version) -> list[Link]:
    """Links of a page of other content: read from its document."""
    revision = version.revision
    assert revision is not None
    (extract,) = await Extractor(revision).pages(ctx, [page])
    links: dict[str, Link] = {}
    for reference in extract.references:
        link = links.setdefault(reference.digest, link_of_reference(reference, version))
        link.uses.append(Use(page.id, reference.node))
    listed = list(links.values())
    anchors = await _anchors(ctx, revision, listed, extract)
    targets = await known_targets(ctx, revision, listed, anchors, visible_only=True)
    for link in listed:
        link.status = targets.status(link)
    return listed


async def _anchors(
    ctx: Context, revision: Revision, links: Sequence[Link], extract: Extract
) -> dict[str, frozenset[str]]:
    """Anchors of the pages of the revision that the links lead to."""
    target_ids = {
        link.target_id
        for link in links
        if link.kind == "anchor"
        and link.target_space_id == revision.space_id
        and link.target_id not in (None, extract.id)
    }
    anchors = {extract.id: extract.anchors}
    if target_ids:
        pages = await find_pages(ctx, revision, [id for id in target_ids if id is not None])
        chosen_pages = [page for id, page in pages.items() if id in target_ids]
        for other in await Extractor(revision).pages(ctx, chosen_pages):
            anchors[other.id] = other.anchors
    return anchors


async def links_of_pages(
    ctx: Context, rows: Sequence[Page], arguments: LinkArguments
) -> list[Slice[Link]]:
    """What a page refers to, each thing once for each relation."""
    must_be_person(ctx)
    listed = [chosen(links, arguments) for links in await _links(ctx, rows)]
    parents = [f"{row.revision_id}/{row.id}" for row in rows]
    return memory_slices(ctx, f"page-links {arguments.status}", parents, listed, arguments)


async def link_stats_of_pages(
    ctx: Context, rows: Sequence[Page], arguments: Any
) -> list[LinkStats]:
    """How many links a page has, and how many of them are broken."""
    must_be_person(ctx)
    return [stats_of(links) for links in await _links(ctx, rows)]
