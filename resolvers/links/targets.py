"""Targets of links: whether they exist, and whether the caller may see them."""

from collections.abc import Collection as Several, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import ColumnElement, and_, case, literal, select

from content.documents.references import url_status
from content.merkle.read import lookup
from db.content_enums import LinkStatus, SearchAudience
from db.models.content import Revision
from db.models.content_index import ContentLink, IndexedPage, IndexedSection
from db.models.organizations import User
from db.models.spaces import Collection, Space
from db.prepared import among
from resolvers.access.policy import visible
from resolvers.core.context import Context
from resolvers.core.statements import Viewer, Written, statement
from resolvers.revisions.pages_by_id import active_revisions
from resolvers.revisions.store import walk_all

# Kind -> the map of a revision that has it.
ROOTS = {"page": "pages_root", "file": "files_root", "reusable-content": "contents_root"}
TABLES: dict[str, Any] = {"space": Space, "collection": Collection, "user": User}


@dataclass(slots=True)
class KnownTargets:
    """The targets of some links that exist."""

    app_url: str
    # (space id, kind, id) of pages, files and reusable contents; anchors are those of pages.
    content: set[tuple[str, str, str]] = field(default_factory=set)
    anchors: set[tuple[str, str, str]] = field(default_factory=set)
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
            there = (space, id, link.anchor) in self.anchors
        elif kind in ROOTS:
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
        elif link.target_space_id in revisions:
            ids_by_kind.setdefault((link.target_space_id, link.kind), set()).add(link.target_id)
    walks = [
        ((space, kind), (space, lookup(getattr(revisions[space], ROOTS[kind]), ids)))
        for (space, kind), ids in ids_by_kind.items()
        if kind in ROOTS
    ]
    results = await walk_all(ctx, [walk for _, walk in walks])
    for ((space, kind), _), entries in zip(walks, results, strict=True):
        targets.content.update((space, kind, id) for id in entries)
    for (_, kind), ids in ids_by_kind.items():
        if kind in TABLES:
            rows = await (_seen if visible_only else _there).rows(ctx, TABLES[kind], ids=ids)
            targets.others.update((kind, row.id) for row in rows)
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
    targets.anchors.update(
        (own_space, id, anchor)
        for id in pages.get(own_space, set()) & anchors.keys()
        for anchor in anchors[id]
    )
    rows = await _anchors.rows(ctx, spaces=set(pages), pages=set().union(*pages.values()))
    targets.anchors.update(
        (row.space_id, row.page_id, row.anchor)
        for row in rows
        if row.space_id != own_space or row.page_id not in anchors
    )


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


@statement
def _there(viewer: Viewer, model: Any) -> Written:
    return select(model.id).where(among(model.id, "ids"))


@statement
def _seen(viewer: Viewer, model: Any) -> Written:
    return visible(viewer, model).with_only_columns(model.id).where(among(model.id, "ids"))


def shown_status(viewer: Viewer) -> ColumnElement[Any]:
    """The status of a ContentLink for the viewer: what may not be seen is not there."""
    link = ContentLink
    foreign = and_(link.target_space_id.is_not(None), link.target_space_id != link.space_id)
    hidden = [
        and_(foreign, link.target_space_id.not_in(_all_seen(viewer, Space))),
        and_(link.kind == "collection", link.target_id.not_in(_all_seen(viewer, Collection))),
        and_(link.kind == "user", link.target_id.not_in(_all_seen(viewer, User))),
    ]
    broken = literal(LinkStatus.BROKEN, link.status.type)
    return case(*((condition, broken) for condition in hidden), else_=link.status)


def _all_seen(viewer: Viewer, model: Any) -> Any:
    return visible(viewer, model).with_only_columns(model.id).correlate(None)
