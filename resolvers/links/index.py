"""The index of links: what refers to what, whether it is there, and how other content differs.

The index holds the links of primary content. Those of a change request are the same but for the
pages that differ between its revision and the primary one (`Overlay`): only those are read, and
nothing is stored.
"""

from collections.abc import Collection as Several, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Select,
    and_,
    bindparam,
    case,
    delete,
    exists,
    literal,
    select,
    update,
)

from content.documents.anchor_keys import AnchorNames
from content.links.references import Reference, url_status
from content.merkle.read import lookup
from content.recent_cache import RecentCache
from db.content_enums import LinkRelation, LinkStatus, SearchAudience
from db.ids import new_id
from db.inserts import ROWS_PER_INSERT, insert_missing, parts
from db.models.content import Revision
from db.models.content_index import ContentLink, ContentLinkUse, IndexedPage, IndexedSection
from db.models.organizations import User
from db.models.spaces import Collection, Space
from db.models.specifications import Specification
from db.prepared import KEY, among
from resolvers.access.policy import visible
from resolvers.core.context import Context
from resolvers.core.statements import Viewer, Written, statement
from resolvers.revisions.extracts import Extract, Extractor
from resolvers.revisions.ids import MAPS
from resolvers.revisions.index_plan import plan_of
from resolvers.revisions.objects import active_revisions
from resolvers.revisions.store import walk_all

IDS_AT_ONCE = 500
LINKS_AT_ONCE = 5000
NODE_LENGTH = 64
# Of a page that more links lead to, the first ones count.
LINKED_ANCHORS = 1000

# ------------------------------------------------------------------ writing


class LinkWriter:
    """Writes the links of pages and reusable contents of one space."""

    def __init__(self, ctx: Context, space_id: str) -> None:
        self._ctx, self._space_id = ctx, space_id
        # Digests of the links that were written: whether they are broken is to be judged.
        self.digests: set[str] = set()
        # Links that lost a use, and may have none left.
        self._touched: set[str] = set()

    async def put(self, extracts: Sequence[Extract], *, reusable: bool) -> None:
        """Replace what some pages, or some reusable contents, refer to."""
        await self.forget([extract.id for extract in extracts])
        references = {ref.digest: ref for extract in extracts for ref in extract.references}
        if not references:
            return
        self.digests |= references.keys()
        ids = await self._put_links(references)
        rows = {
            (ids[ref.digest], extract.id, ref.node[:NODE_LENGTH]): ref.text
            for extract in extracts
            for ref in extract.references
        }
        uses = [
            {"link_id": link, "source_id": source, "node": node, "space_id": self._space_id,
             "reusable": reusable, "text": text}
            for (link, source, node), text in rows.items()
        ]  # fmt: skip
        await insert_missing(self._ctx.session, ContentLinkUse, uses)

    async def forget(self, source_ids: Sequence[str]) -> None:
        """Take away what these pages or reusable contents refer to."""
        for some in parts(source_ids, IDS_AT_ONCE):
            statement = (
                delete(ContentLinkUse)
                .where(
                    ContentLinkUse.space_id == self._space_id, ContentLinkUse.source_id.in_(some)
                )
                .returning(ContentLinkUse.link_id)
            )
            self._touched.update(await self._ctx.session.scalars(statement))

    async def drop_unused(self) -> None:
        """Remove links that nothing uses any more."""
        used = exists().where(ContentLinkUse.link_id == ContentLink.id)
        for some in parts(sorted(self._touched), IDS_AT_ONCE):
            await self._ctx.session.execute(
                delete(ContentLink).where(ContentLink.id.in_(some), ~used)
            )
        self._touched.clear()

    async def _put_links(self, references: Mapping[str, Reference]) -> dict[str, str]:
        """Ids of links by digest; those that are missing are made."""
        rows = [link_row(self._space_id, ref) for ref in references.values()]
        await insert_missing(self._ctx.session, ContentLink, rows)
        ids: dict[str, str] = {}
        for some in parts(sorted(references), IDS_AT_ONCE):
            statement = select(ContentLink.digest, ContentLink.id).where(
                ContentLink.space_id == self._space_id, ContentLink.digest.in_(some)
            )
            ids.update((digest, id) for digest, id in await self._ctx.session.execute(statement))
        return ids


def link_row(space_id: str, reference: Reference) -> dict[str, Any]:
    """The row of a link; its status has yet to be judged."""
    kind, id = reference.kind, reference.target_id
    space = id if kind == "space" else reference.space_id
    if kind in ("page", "anchor", "file", "reusable-content"):
        space = reference.space_id or space_id
    return {
        "id": new_id(),
        "space_id": space_id,
        "digest": reference.digest,
        "relation": LinkRelation(reference.relation),
        "status": LinkStatus.OK,
        "kind": kind,
        "reference": reference.target,
        "target_space_id": space,
        "target_id": id,
        "anchor": reference.anchor,
    }


async def judge_links(
    ctx: Context, revision: Revision, digests: set[str], targets: set[str]
) -> None:
    """Find out which links are broken: those of a space with these digests, and those of all
    spaces that lead to these pages, files and reusable contents of it."""
    conditions: list[ColumnElement[bool]] = []
    for some in parts(sorted(digests), IDS_AT_ONCE):
        own = ContentLink.space_id == revision.space_id
        conditions.append(own & ContentLink.digest.in_(some))
    for some in parts(sorted(targets), IDS_AT_ONCE):
        to_it = ContentLink.target_space_id == revision.space_id
        conditions.append(to_it & ContentLink.target_id.in_(some))
    for condition in conditions:
        await _judge(ctx, revision, select(ContentLink).where(condition))


async def judge_all_links(ctx: Context, revision: Revision) -> None:
    """Find out which links of a space are broken, and which of other spaces that lead into it."""
    for condition in (
        ContentLink.space_id == revision.space_id,
        ContentLink.target_space_id == revision.space_id,
    ):
        last: str | None = ""
        while last is not None:
            part = select(ContentLink).where(condition, ContentLink.id > last)
            part = part.order_by(ContentLink.id).limit(LINKS_AT_ONCE)
            last = await _judge(ctx, revision, part)


async def _judge(ctx: Context, revision: Revision, statement: Select[ContentLink]) -> str | None:
    """Judge the links of a statement; the id of the last one, None when there are none."""
    columns = (ContentLink.id, ContentLink.kind, ContentLink.reference, ContentLink.target_space_id,
               ContentLink.target_id, ContentLink.anchor, ContentLink.status)  # fmt: skip
    links = (await ctx.session.execute(statement.with_only_columns(*columns))).all()
    targets = await known_targets(ctx, revision, links)
    changed = [
        {"id": link.id, "status": status}
        for link in links
        if (status := targets.status(link)) is not link.status
    ]
    for some in parts(changed, ROWS_PER_INSERT):
        await ctx.session.execute(update(ContentLink), list(some))
    return links[-1].id if links else None


# ------------------------------------------------------------------ what links lead to


SPECIFICATION = "openapi"
TABLES: dict[str, Any] = {"space": Space, "collection": Collection, "user": User}


@dataclass(slots=True)
class KnownTargets:
    """The targets of some links that exist."""

    app_url: str
    # (space id, kind, id) of pages, files and reusable contents; anchors by (space id, page id).
    content: set[tuple[str, str, str]] = field(default_factory=set)
    anchors: dict[tuple[str, str], AnchorNames] = field(default_factory=dict)
    # (kind, id) of spaces, collections and users.
    others: set[tuple[str, str]] = field(default_factory=set)

    def status(self, link: Any) -> LinkStatus:
        """The status of a link."""
        kind, id, space = link.kind, link.target_id, link.target_space_id
        if kind == "url":
            return LinkStatus(url_status(str(link.reference["url"]), self.app_url))
        if kind == "anchor":
            if link.reference.get("page") is None:
                # An anchor of the text that a reusable content stands in: of which is not known.
                return LinkStatus.OK
            names = self.anchors.get((space, id))
            there = names is not None and names.find(link.anchor) is not None
        elif kind in MAPS:
            there = (space, kind, id) in self.content
        else:
            there = (kind, id) in self.others
        return LinkStatus.OK if there else LinkStatus.BROKEN


async def known_targets(
    ctx: Context,
    revision: Revision,
    links: Sequence[Any],
    anchors: Mapping[str, Several[str]] | None = None,
    *,
    visible_only: bool = False,
) -> KnownTargets:
    """Look up what links lead to.

    `revision` is what counts in its own space, where `anchors` are those of pages that differ
    from the primary content, by page. With `visible_only`, things that the caller may not see do
    not exist.
    """
    targets = KnownTargets(ctx.settings.public_url)
    spaces = {link.target_space_id for link in links} - {None, revision.space_id}
    if visible_only and spaces:
        spaces = {row.id for row in await _seen.rows(ctx, Space, ids=spaces)}
    revisions = {revision.space_id: revision, **await active_revisions(ctx, spaces)}
    ids_by_kind: dict[tuple[str, str], set[str]] = {}
    for link in links:
        if link.target_id is None:
            continue
        if link.kind in TABLES:
            ids_by_kind.setdefault(("", link.kind), set()).add(link.target_id)
        elif link.kind == SPECIFICATION:
            ids_by_kind.setdefault((revision.space_id, SPECIFICATION), set()).add(link.target_id)
        elif link.target_space_id in revisions:
            ids_by_kind.setdefault((link.target_space_id, link.kind), set()).add(link.target_id)
    walks = [
        ((space, kind), (space, lookup(getattr(revisions[space], MAPS[kind]), ids)))
        for (space, kind), ids in ids_by_kind.items()
        if kind in MAPS
    ]
    results = await walk_all(ctx, [walk for _, walk in walks])
    for ((space, kind), _), entries in zip(walks, results, strict=True):
        targets.content.update((space, kind, id) for id in entries)
    for (_, kind), ids in ids_by_kind.items():
        if kind in TABLES:
            rows = await (_seen if visible_only else _there).rows(ctx, TABLES[kind], ids=ids)
            targets.others.update((kind, row.id) for row in rows)
    slugs = ids_by_kind.get((revision.space_id, SPECIFICATION))
    if slugs:
        there = await _specifications.rows(ctx, space=revision.space_id, slugs=slugs)
        targets.others.update((SPECIFICATION, row.slug) for row in there)
    await _look_up_anchors(ctx, targets, ids_by_kind, revision.space_id, anchors or {})
    return targets


async def _look_up_anchors(
    ctx: Context,
    targets: KnownTargets,
    ids_by_kind: Mapping[tuple[str, str], set[str]],
    own_space: str,
    anchors: Mapping[str, Several[str]],
) -> None:
    pages = {space: ids for (space, kind), ids in ids_by_kind.items() if kind == "anchor"}
    if not pages:
        return
    names: dict[tuple[str, str], list[str]] = {
        (own_space, id): sorted(anchors[id]) for id in pages.get(own_space, set()) & anchors.keys()
    }
    rows = await _anchors.rows(ctx, spaces=set(pages), pages=set().union(*pages.values()))
    for row in rows:
        if row.space_id != own_space or row.page_id not in anchors:
            names.setdefault((row.space_id, row.page_id), []).append(row.anchor)
    targets.anchors = {place: AnchorNames(anchors) for place, anchors in names.items()}


@statement
def _anchors(viewer: Viewer) -> Written:
    return (
        select(IndexedPage.space_id, IndexedPage.page_id, IndexedSection.anchor)
        .join(IndexedSection, IndexedSection.page == IndexedPage.id)
        .where(
            among(IndexedPage.space_id, "spaces"),
            among(IndexedPage.page_id, "pages"),
            IndexedPage.audience != SearchAudience.VISITORS,
            IndexedSection.anchor.is_not(None),
        )
    )


async def anchors_that_links_say(ctx: Context, space_id: str, page_id: str) -> list[str]:
    """The anchors that links of a space to a page of it say, in primary content; the caller has
    found the page. At most `LINKED_ANCHORS`."""
    return [row.anchor for row in await _said.rows(ctx, space_id=space_id, page_id=page_id)]


@statement
def _said(viewer: Viewer) -> Written:
    return (
        select(ContentLink.anchor)
        .where(
            ContentLink.target_space_id == bindparam("space_id", type_=KEY),
            ContentLink.target_id == bindparam("page_id", type_=KEY),
            ContentLink.space_id == bindparam("space_id", type_=KEY),
            ContentLink.kind == "anchor",
        )
        .distinct()
        .order_by(ContentLink.anchor)
        .limit(LINKED_ANCHORS)
    )


@statement
def _there(viewer: Viewer, model: Any) -> Written:
    return select(model.id).where(among(model.id, "ids"))


@statement
def _seen(viewer: Viewer, model: Any) -> Written:
    return visible(viewer, model).with_only_columns(model.id).where(among(model.id, "ids"))


@statement
def _specifications(viewer: Viewer) -> Written:
    """Specifications that can be shown in a space."""
    return (
        select(Specification.slug)
        .join(Space, Space.organization_id == Specification.organization_id)
        .where(
            Space.id == bindparam("space", type_=KEY),
            among(Specification.slug, "slugs"),
            Specification.last_version_id.is_not(None),
        )
    )


def shown_status(viewer: Viewer) -> ColumnElement[Any]:
    """The status of a ContentLink for the viewer: what may not be seen is not there.

    Specifications come and go without a write of the content that shows them, so they are looked
    for; whoever reads the content reads what it shows of them.
    """
    link = ContentLink
    shows = link.kind == SPECIFICATION
    is_there = (
        exists()
        .where(
            Space.id == link.space_id,
            Specification.organization_id == Space.organization_id,
            Specification.slug == link.target_id,
            Specification.last_version_id.is_not(None),
        )
        .correlate(ContentLink)
    )
    foreign = and_(link.target_space_id.is_not(None), link.target_space_id != link.space_id)
    hidden = [
        and_(foreign, link.target_space_id.not_in(_all_seen(viewer, Space))),
        and_(link.kind == "collection", link.target_id.not_in(_all_seen(viewer, Collection))),
        and_(link.kind == "user", link.target_id.not_in(_all_seen(viewer, User))),
    ]
    broken = literal(LinkStatus.BROKEN, link.status.type)
    there = literal(LinkStatus.OK, link.status.type)
    return case(
        (and_(shows, is_there), there),
        (shows, broken),
        *((condition, broken) for condition in hidden),
        else_=link.status,
    )


def _all_seen(viewer: Viewer, model: Any) -> Any:
    return visible(viewer, model).with_only_columns(model.id).correlate(None)


# ------------------------------------------------------------------ other content


PAGES_AT_ONCE = 50
# References that the cache holds in all overlays.
CACHED_REFERENCES = 50_000


@dataclass(frozen=True, slots=True)
class Use:
    """A block that holds a link, of a page or of a reusable content; no node = the page itself."""

    source_id: str
    node: str
    reusable: bool = False


@dataclass(slots=True)
class Overlay:
    """The changes of a revision to the links of the primary content."""

    # Pages and reusable contents whose links in the index do not count.
    sources: frozenset[str] = frozenset()
    references: dict[str, Reference] = field(default_factory=dict)
    # By the digest of the reference.
    uses: dict[str, list[Use]] = field(default_factory=dict)
    # Anchors of the pages that differ.
    anchors: dict[str, frozenset[str]] = field(default_factory=dict)
    # Pages, files and contents that are there in only one of the two, or have other anchors.
    targets: frozenset[str] = frozenset()

    def add(self, extract: Extract, *, reusable: bool) -> None:
        """Add what a page or a reusable content refers to."""
        for reference in extract.references:
            self.references[reference.digest] = reference
            use = Use(extract.id, reference.node, reusable)
            self.uses.setdefault(reference.digest, []).append(use)

    def uses_of(self, target_id: str, kinds: frozenset[str]) -> list[Use]:
        """Where something of the own space is linked."""
        uses = [
            use
            for digest, reference in self.references.items()
            if reference.kind in kinds
            and reference.space_id is None
            and reference.target_id == target_id
            for use in self.uses[digest]
        ]
        return sorted(set(uses), key=lambda use: (use.source_id, use.node))


def _weight(overlay: Overlay) -> int:
    return 1 + len(overlay.sources) + sum(map(len, overlay.uses.values()))


# By the two revisions, which never change.
_OVERLAYS: RecentCache[tuple[str, str], Overlay] = RecentCache(CACHED_REFERENCES, _weight)


async def overlay_of(ctx: Context, primary: Revision, revision: Revision) -> Overlay:
    """The changes of `revision` to the links of `primary`, both of one space."""
    if primary.id == revision.id:
        return Overlay()
    key = (primary.id, revision.id)
    overlay = _OVERLAYS.get(key)
    if overlay is None:
        overlay = await _make(ctx, primary, revision)
        _OVERLAYS.put(key, overlay)
    return overlay


async def _make(ctx: Context, primary: Revision, revision: Revision) -> Overlay:
    plan = await plan_of(ctx, primary, revision)
    overlay = Overlay(
        sources=frozenset({*plan.pages, *plan.contents, *plan.removed, *plan.removed_contents}),
        targets=frozenset(plan.targets),
    )
    extractor = Extractor(revision)
    for pages in parts(list(plan.pages.values()), PAGES_AT_ONCE):
        for extract in await extractor.pages(ctx, pages):
            overlay.add(extract, reusable=False)
            overlay.anchors[extract.id] = extract.anchors
    for extract in await extractor.contents(ctx, list(plan.contents.values())):
        overlay.add(extract, reusable=True)
    return overlay
