"""Writing the index of links: what refers to what, and whether it is there."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Select, delete, exists, select, update

from content.documents.references import Reference
from db.content_enums import LinkRelation, LinkStatus
from db.ids import new_id
from db.inserts import ROWS_PER_INSERT, insert_missing
from db.models.content import Revision
from db.models.content_index import ContentLink, ContentLinkUse
from resolvers.core.context import Context
from resolvers.links.targets import known_targets
from resolvers.revisions.extracts import Extract

T = TypeVar("T")
IDS_AT_ONCE = 500
LINKS_AT_ONCE = 5000
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
