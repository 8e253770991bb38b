"""Links of content: of spaces, change requests and pages (docs/search.md, "Links").

Links are for people: what a block withholds from a visitor links to things, too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Integer, bindparam, exists, func, not_, or_, select

from db.content_enums import BrokenContext, LinkStatus
from db.models.change_requests import ChangeRequest
from db.models.content import Revision
from db.models.content_index import ContentLink, ContentLinkUse
from db.models.spaces import Space
from db.prepared import KEY, among
from resolvers.access.policy import must_be_person, visible
from resolvers.core.context import Context
from resolvers.core.filters import Filter
from resolvers.core.pagination import Slice, by_id, fingerprint, places_of
from resolvers.core.statements import Viewer, Written, statement
from resolvers.links.index import Overlay, Use, known_targets, overlay_of, shown_status
from resolvers.links.rows import (
    BrokenStats,
    ChangeRequestLinkArguments,
    Link,
    LinkArguments,
    LinkStats,
    Version,
    chosen,
    link_of_reference,
    link_of_row,
    stats_of,
    unique_uses,
)
from resolvers.lists.batches import reads
from resolvers.lists.listings import Listing
from resolvers.lists.memory_pages import memory_slices
from resolvers.revisions.extracts import Extract, Extractor
from resolvers.revisions.objects import active_revisions, find_pages
from resolvers.revisions.read_targets import revisions_by_id
from resolvers.revisions.rows import File, Page

STATUS = ContentLink.status.type

# ------------------------------------------------------------------ spaces

_index = Listing(
    "links_of_spaces",
    ContentLink,
    ContentLink.space_id,
    by_id(ContentLink),
    about="Links of a space's primary content in the index.",
    filters=(
        Filter(
            "status",
            lambda arguments: arguments.status,
            lambda viewer: shown_status(viewer) == bindparam("status", type_=STATUS),
        ),
    ),
)


@reads("id")
async def links_of_spaces(
    ctx: Context, rows: Sequence[Space], arguments: LinkArguments
) -> list[Slice[Link]]:
    """What the primary content of a space refers to, each thing once for each relation."""
    must_be_person(ctx)
    slices = await _index(ctx, rows, arguments)
    links = [row for part in slices for row in part.rows]
    statuses = await _shown(ctx, links)
    return [_as_links(part, statuses) for part in slices]


def _as_links(part: Slice[Any], statuses: dict[str, LinkStatus]) -> Slice[Link]:
    links = [link_of_row(row, Version(row.space_id), statuses[row.id]) for row in part.rows]
    rows = {id(link): row for link, row in zip(links, part.rows, strict=True)}
    return Slice(
        rows=links,
        has_next=part.has_next,
        has_previous=part.has_previous,
        cursor_of=lambda link: part.cursor_of(rows[id(link)]),
        counter=part.counter,
        parent=part.parent,
    )


async def _shown(ctx: Context, rows: Sequence[Any]) -> dict[str, LinkStatus]:
    """The statuses of links for the caller, by id: what may not be seen is not there."""
    statuses = {row.id: row.status for row in rows}
    doubtful = {
        row.id
        for row in rows
        if row.kind in ("collection", "user", "openapi")
        or row.target_space_id not in (None, row.space_id)
    }
    if doubtful:
        statuses |= {row.id: row.shown for row in await _statuses.rows(ctx, ids=doubtful)}
    return statuses


@statement
def _statuses(viewer: Viewer) -> Written:
    shown = shown_status(viewer).label("shown")
    links = visible(viewer, ContentLink).where(among(ContentLink.id, "ids"))
    return links.with_only_columns(ContentLink.id, shown)


@statement
def _counts(viewer: Viewer) -> Written:
    status = shown_status(viewer).label("shown")
    counted = (
        visible(viewer, ContentLink)
        .with_only_columns(ContentLink.space_id.label("space_id"), status)
        .where(among(ContentLink.space_id, "spaces"), not_(among(ContentLink.id, "without")))
        .subquery()
    )
    number = func.count().label("number")
    return select(*counted.c, number).group_by(*counted.c)


async def _numbers(
    ctx: Context, spaces: Sequence[str], without: set[str]
) -> dict[str, dict[LinkStatus, int]]:
    """How many links of the index have each status, by space."""
    numbers: dict[str, dict[LinkStatus, int]] = {space: {} for space in spaces}
    if spaces:
        for row in await _counts.rows(ctx, spaces=set(spaces), without=without):
            numbers[row.space_id][row.shown] = row.number
    return numbers


@reads("id")
async def link_stats_of_spaces(
    ctx: Context, rows: Sequence[Space], arguments: Any
) -> list[LinkStats]:
    """How many links the primary content of a space has, and how many of them are broken."""
    must_be_person(ctx)
    numbers = await _numbers(ctx, [row.id for row in rows], set())
    return [
        LinkStats(
            sum(numbers[row.id].values()), BrokenStats(numbers[row.id].get(LinkStatus.BROKEN, 0))
        )
        for row in rows
    ]


# ------------------------------------------------------------------ change requests


@statement
def _touched(viewer: Viewer) -> Written:
    """Links of a space that an overlay may have changed, and how often they are used besides."""
    link, use = ContentLink, ContentLinkUse
    used_here = exists().where(use.link_id == link.id, among(use.source_id, "sources"))
    left = (
        select(func.count())
        .where(use.link_id == link.id, not_(among(use.source_id, "sources")))
        .scalar_subquery()
    )
    return (
        visible(viewer, link)
        .where(
            link.space_id == bindparam("space_id", type_=KEY),
            or_(
                used_here,
                among(link.digest, "digests"),
                (link.target_space_id == link.space_id) & among(link.target_id, "targets"),
            ),
        )
        .add_columns(shown_status(viewer).label("shown"), left.label("others"))
        .order_by(link.id)
    )


@statement
def _untouched(viewer: Viewer, status: LinkStatus | None) -> Written:
    link = ContentLink
    shown = shown_status(viewer)
    statement = visible(viewer, link).where(
        link.space_id == bindparam("space_id", type_=KEY), not_(among(link.id, "without"))
    )
    if status is not None:
        statement = statement.where(shown == status)
    return (
        statement.add_columns(shown.label("shown"))
        .order_by(link.id)
        .limit(bindparam("limit", type_=Integer()))
        .offset(bindparam("offset", type_=Integer()))
    )


class _RequestLinks:
    """The links of one change request: those that it may have changed, and the others.

    The first are worked out and are in memory, the others are read from the index.
    """

    def __init__(self, version: Version, changed: list[Link], touched: set[str]) -> None:
        self.version, self.changed, self.touched = version, changed, touched

    async def numbers(self, ctx: Context) -> dict[LinkStatus, int]:
        """How many of the others have each status."""
        space_id = self.version.space_id
        return (await _numbers(ctx, [space_id], self.touched))[space_id]

    async def page(
        self, ctx: Context, arguments: ChangeRequestLinkArguments, start: int, size: int
    ) -> list[Link]:
        """Up to `size` links from the number `start`, changed ones first."""
        changed = wanted(self.changed, arguments)
        links = changed[start : start + size]
        statuses = _statuses_of_others(arguments)
        if statuses and len(links) < size:
            rows = await _untouched.rows(
                ctx, statuses[0] if len(statuses) == 1 else None,
                space_id=self.version.space_id, without=self.touched,
                limit=size - len(links), offset=max(0, start - len(changed)),
            )  # fmt: skip
            links = [*links, *(link_of_row(row, self.version, row.shown) for row in rows)]
        return links


def _statuses_of_others(arguments: ChangeRequestLinkArguments) -> list[LinkStatus]:
    """The statuses that links have which the change request has not changed, but are listed."""
    if arguments.broken_context is BrokenContext.CHANGE_REQUEST:
        return []
    statuses = list(LinkStatus) if arguments.status is None else [arguments.status]
    if arguments.broken_context is None:
        return statuses
    return [status for status in statuses if status is LinkStatus.BROKEN]


def wanted(links: Sequence[Link], arguments: ChangeRequestLinkArguments) -> list[Link]:
    """The links that the arguments ask for."""
    links_chosen = chosen(links, arguments)
    if arguments.broken_context is None:
        return links_chosen
    before = arguments.broken_context is BrokenContext.SPACE
    return [
        link
        for link in links_chosen
        if link.status is LinkStatus.BROKEN and link.broken_before is before
    ]


async def _of_requests(ctx: Context, rows: Sequence[ChangeRequest]) -> dict[str, _RequestLinks]:
    """The links of change requests by id; without those whose content may not be read."""
    revisions = await revisions_by_id(ctx, {row.revision_id for row in rows})
    primary = await active_revisions(ctx, {revision.space_id for revision in revisions.values()})
    links_by_request: dict[str, _RequestLinks] = {}
    for row in rows:
        revision = revisions.get(row.revision_id)
        if row.id in links_by_request or revision is None or row.space_id not in primary:
            continue
        overlay = await overlay_of(ctx, primary[row.space_id], revision)
        version = Version(row.space_id, revision, row.id)
        links_by_request[row.id] = await _request_links(ctx, version, overlay)
    return links_by_request


async def _request_links(ctx: Context, version: Version, overlay: Overlay) -> _RequestLinks:
    revision = version.revision
    assert revision is not None
    rows = await _touched.rows(
        ctx, space_id=version.space_id, sources=overlay.sources,
        digests=set(overlay.references), targets=overlay.targets,
    )  # fmt: skip
    links: list[Link] = []
    for row in rows:
        uses = overlay.uses.get(row.digest, [])
        if uses or row.others:
            link = link_of_row(row, version, row.shown)
            link.uses, link.without = unique_uses(uses), overlay.sources
            link.broken_before = row.shown is LinkStatus.BROKEN
            links.append(link)
    digests = {row.digest for row in rows}
    for digest, reference in sorted(overlay.references.items()):
        if digest not in digests:
            link = link_of_reference(reference, version)
            link.uses = unique_uses(overlay.uses[digest])
            links.append(link)
    targets = await known_targets(ctx, revision, links, overlay.anchors, visible_only=True)
    for link in links:
        link.status = targets.status(link)
    return _RequestLinks(version, links, {row.id for row in rows})


@reads("id", "space_id", "revision_id")
async def links_of_change_requests(
    ctx: Context, rows: Sequence[ChangeRequest], arguments: ChangeRequestLinkArguments
) -> list[Slice[Link]]:
    """What the content of a change request refers to: first what it may have changed."""
    must_be_person(ctx)
    mark = fingerprint("request-links", arguments.status, arguments.broken_context)
    places = places_of(arguments, mark, ctx.settings)
    links_by_request = await _of_requests(ctx, rows)
    counter = _RequestCounter(links_by_request, arguments)
    slices: dict[str, Slice[Link]] = {}
    for id in dict.fromkeys(row.id for row in rows):
        links = links_by_request.get(id)
        (total,) = await counter.counts(ctx, [id]) if places.from_end else [0]
        begin, count = places.range(total)
        listed = [] if links is None else await links.page(ctx, arguments, begin, count)
        slices[id] = places.part(listed, begin, counter, id, mark)
    return [slices[row.id] for row in rows]


class _RequestCounter:
    """Counts the links of change requests."""

    def __init__(
        self, links_by_request: dict[str, _RequestLinks], arguments: ChangeRequestLinkArguments
    ) -> None:
        self._known, self._arguments = links_by_request, arguments

    async def counts(self, ctx: Context, parents: Sequence[str]) -> list[int]:
        counts = []
        for parent in parents:
            links = self._known.get(parent)
            counts.append(0 if links is None else await self._count(ctx, links))
        return counts

    async def _count(self, ctx: Context, links: _RequestLinks) -> int:
        count = len(wanted(links.changed, self._arguments))
        statuses = _statuses_of_others(self._arguments)
        numbers = await links.numbers(ctx) if statuses else {}
        return count + sum(numbers.get(status, 0) for status in statuses)


@reads("id", "space_id", "revision_id")
async def link_stats_of_change_requests(
    ctx: Context, rows: Sequence[ChangeRequest], arguments: Any
) -> list[LinkStats]:
    """How many links the content of a change request has, how many are broken, and how many of
    those it has broken itself."""
    must_be_person(ctx)
    stats: dict[str, LinkStats] = {}
    for id, links in (await _of_requests(ctx, rows)).items():
        numbers = await links.numbers(ctx)
        own = stats_of(links.changed, change_request=True)
        broken = own.broken.total + numbers.get(LinkStatus.BROKEN, 0)
        stats[id] = LinkStats(
            own.total + sum(numbers.values()), BrokenStats(broken, own.broken.change_request)
        )
    return [stats.get(row.id) or LinkStats(0, BrokenStats(0, 0)) for row in rows]


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


# ------------------------------------------------------------------ pages


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
        str(link.target_id)
        for link in links
        if link.kind == "anchor"
        and link.target_space_id == revision.space_id
        and link.target_id not in (None, extract.id)
    }
    anchors = {extract.id: extract.anchors}
    if target_ids:
        (pages,) = await find_pages(ctx, [(revision, target_ids)])
        for other in await Extractor(revision).pages(ctx, list(pages.values())):
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
