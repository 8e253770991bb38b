"""Writing the index of links: what refers to what, and whether it is there."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Select, delete, exists, select, update
from sqlalchemy.dialects import postgresql, sqlite

from content.merkle.read import lookup
from content.references import Reference, url_status
from db.enums import LinkRelation, LinkStatus
from db.ids import new_id
from db.models.content import Revision
from db.models.content_index import ContentLink, ContentLinkUse, IndexedPage, IndexedSection
from db.models.people import User
from db.models.spaces import Collection, Space
from resolvers.content_store import walk_all
from resolvers.context import Context
from resolvers.index_extracts import Extract

T = TypeVar("T")
ROWS_PER_INSERT = 500
IDS_AT_ONCE = 500
NODE_LENGTH = 64


def parts(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """The items in pieces of at most `size`."""
    for start in range(0, len(items), size):
        yield items[start : start + size]


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
        await self.forget([one.id for one in extracts])
        found = {ref.digest: ref for one in extracts for ref in one.references}
        if not found:
            return
        self.digests |= found.keys()
        ids = await self._put_links(found)
        rows = {
            (ids[ref.digest], one.id, ref.node[:NODE_LENGTH]): ref.text
            for one in extracts
            for ref in one.references
        }
        uses = [
            {"link_id": link, "source_id": source, "node": node, "space_id": self._space_id,
             "reusable": reusable, "text": text}
            for (link, source, node), text in rows.items()
        ]  # fmt: skip
        await self._insert(ContentLinkUse, uses)

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

    async def _put_links(self, found: Mapping[str, Reference]) -> dict[str, str]:
        """Ids of links by digest; those that are missing are made."""
        rows = [link_row(self._space_id, ref) for ref in found.values()]
        await self._insert(ContentLink, rows)
        ids: dict[str, str] = {}
        for some in parts(sorted(found), IDS_AT_ONCE):
            statement = select(ContentLink.digest, ContentLink.id).where(
                ContentLink.space_id == self._space_id, ContentLink.digest.in_(some)
            )
            ids.update((digest, id) for digest, id in await self._ctx.session.execute(statement))
        return ids

    async def _insert(self, model: Any, rows: Sequence[dict[str, Any]]) -> None:
        dialect = self._ctx.session.get_bind().dialect.name
        make = sqlite.insert if dialect == "sqlite" else postgresql.insert
        statement = make(model).on_conflict_do_nothing()
        for some in parts(rows, ROWS_PER_INSERT):
            await self._ctx.session.execute(statement, list(some))


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


async def judge_links_to(ctx: Context, revision: Revision) -> None:
    """Find out which links of other spaces into a space are broken."""
    await _judge(
        ctx,
        revision,
        select(ContentLink).where(
            ContentLink.target_space_id == revision.space_id,
            ContentLink.space_id != revision.space_id,
        ),
    )


async def _judge(ctx: Context, revision: Revision, statement: Select[ContentLink]) -> None:
    columns = (ContentLink.id, ContentLink.kind, ContentLink.reference, ContentLink.target_space_id,
               ContentLink.target_id, ContentLink.anchor, ContentLink.status)  # fmt: skip
    links = (await ctx.session.execute(statement.with_only_columns(*columns))).all()
    known = await known_targets(ctx, revision, links)
    changed = [
        {"id": link.id, "status": status}
        for link in links
        if (status := known.status(link)) is not link.status
    ]
    for some in parts(changed, ROWS_PER_INSERT):
        await ctx.session.execute(update(ContentLink), list(some))


@dataclass(slots=True)
class KnownTargets:
    """What is there of the things that some links lead to."""

    app_url: str
    # (space id, kind, id) of pages, files and reusable contents; anchors are those of pages.
    content: set[tuple[str, str, str]] = field(default_factory=set)
    anchors: set[tuple[str, str, str]] = field(default_factory=set)
    # Ids of spaces, collections and users.
    others: set[tuple[str, str]] = field(default_factory=set)

    def status(self, link: Any) -> LinkStatus:
        """The status of a link, for those who may see its target."""
        kind, id, space = link.kind, link.target_id, link.target_space_id
        if kind == "url":
            return LinkStatus(url_status(str(link.reference["url"]), self.app_url))
        if kind == "anchor":
            if link.reference.get("page") is None:
                # An anchor of the text that a reusable content stands in: of which is not known.
                return LinkStatus.OK
            there = (space, id, link.anchor) in self.anchors
        elif kind in _ROOTS:
            there = (space, kind, id) in self.content
        else:
            there = (kind, id) in self.others
        return LinkStatus.OK if there else LinkStatus.BROKEN


# Kind -> the map of a revision that has it.
_ROOTS = {"page": "pages_root", "file": "files_root", "reusable-content": "contents_root"}
_TABLES: dict[str, Any] = {"space": Space.id, "collection": Collection.id, "user": User.id}


async def known_targets(ctx: Context, revision: Revision, links: Sequence[Any]) -> KnownTargets:
    """Look up what links lead to; `revision` is the newest one of its space."""
    known = KnownTargets(ctx.settings.public_url)
    revisions = await _revisions(ctx, revision, {one.target_space_id for one in links} - {None})
    wanted: dict[tuple[str, str], set[str]] = {}
    for link in links:
        if link.target_id is None:
            continue
        if link.kind in _ROOTS and link.target_space_id in revisions:
            wanted.setdefault((link.target_space_id, link.kind), set()).add(link.target_id)
        elif link.kind in _TABLES:
            wanted.setdefault(("", link.kind), set()).add(link.target_id)
        elif link.kind == "anchor":
            wanted.setdefault((link.target_space_id, "anchor"), set()).add(link.target_id)
    walks = [
        ((space, kind), (space, lookup(getattr(revisions[space], _ROOTS[kind]), ids)))
        for (space, kind), ids in wanted.items()
        if kind in _ROOTS
    ]
    results = await walk_all(ctx, [walk for _, walk in walks])
    for ((space, kind), _), found in zip(walks, results, strict=True):
        known.content.update((space, kind, id) for id in found)
    for (space, kind), ids in wanted.items():
        for some in parts(sorted(ids), IDS_AT_ONCE):
            if kind == "anchor":
                known.anchors |= await _anchors(ctx, space, some)
            elif kind in _TABLES:
                column = _TABLES[kind]
                rows = await ctx.session.scalars(select(column).where(column.in_(some)))
                known.others.update((kind, id) for id in rows)
    return known


async def _revisions(ctx: Context, revision: Revision, spaces: set[str]) -> dict[str, Revision]:
    """The active revisions of spaces by space; `revision` is that of its own."""
    found = {revision.space_id: revision}
    for some in parts(sorted(spaces - {revision.space_id}), IDS_AT_ONCE):
        statement = (
            select(Revision).join(Space, Space.revision_id == Revision.id).where(Space.id.in_(some))
        )
        found.update((one.space_id, one) for one in await ctx.session.scalars(statement))
    return found


async def _anchors(
    ctx: Context, space_id: str, page_ids: Iterable[str]
) -> set[tuple[str, str, str]]:
    statement = (
        select(IndexedPage.page_id, IndexedSection.anchor)
        .join(IndexedSection, IndexedSection.page == IndexedPage.id)
        .where(
            IndexedPage.space_id == space_id,
            IndexedPage.page_id.in_(page_ids),
            IndexedSection.anchor.is_not(None),
        )
    )
    return {(space_id, page, anchor) for page, anchor in await ctx.session.execute(statement)}
