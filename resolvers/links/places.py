"""Where links stand, and the objects that locations are."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Integer, bindparam, func, not_, select

from content.merkle.read import lookup
from db.models.change_requests import ChangeRequest
from db.models.content import Revision
from db.models.content_index import ContentLinkUse
from db.models.organizations import Organization, User
from db.models.spaces import Collection, Space
from db.prepared import among
from resolvers.access.policy import visible
from resolvers.core.context import Context
from resolvers.core.statements import Asks, Written, statement
from resolvers.links.rows import PLACES, Link, Location, Use, location_of
from resolvers.lists.batches import visible_by_key
from resolvers.revisions.pages_by_id import active_revisions, find_pages
from resolvers.revisions.rows import File, Page, ReusableContent, content_of, file_of
from resolvers.revisions.store import walk_all


@statement
def _uses(asks: Asks) -> Written:
    """Places of links, the first ones of each, and their number."""
    use = ContentLinkUse
    places = (
        visible(asks, use)
        .where(among(use.link_id, "links"), not_(among(use.source_id, "without")))
        .with_only_columns(
            use.link_id.label("link_id"),
            use.source_id.label("source_id"),
            use.node.label("node"),
            use.reusable.label("reusable"),
            func.row_number()
            .over(partition_by=use.link_id, order_by=(use.source_id, use.node))
            .label("place"),
            func.count().over(partition_by=use.link_id).label("number"),
        )
        .subquery()
    )
    return (
        select(*places.c)
        .where(places.c.place <= bindparam("last", type_=Integer()))
        .order_by(places.c.link_id, places.c.place)
    )


async def _places(ctx: Context, rows: Sequence[Link]) -> list[tuple[list[Use], int]]:
    """The first places of each link, and how many it has."""
    indexed: dict[tuple[str, frozenset[str]], tuple[list[Use], int]] = {}
    # Links of one version leave out the same pages.
    for without in dict.fromkeys(row.without for row in rows if row.link_id is not None):
        ids = {row.link_id for row in rows if row.link_id is not None and row.without == without}
        for row in await _uses.rows(ctx, links=ids, without=without, last=PLACES):
            uses, _ = indexed.setdefault((row.link_id, without), ([], row.number))
            uses.append(Use(row.source_id, row.node, row.reusable))
    results: list[tuple[list[Use], int]] = []
    for link in rows:
        more, number = indexed.get((link.link_id or "", link.without), ([], 0))
        results.append(([*link.uses, *more][:PLACES], len(link.uses) + number))
    return results


async def places_of_links(
    ctx: Context, rows: Sequence[Link], arguments: Any
) -> list[list[Location]]:
    """Where each link stands: the first 20 places."""
    return [
        [location_of(use, link.version) for use in uses]
        for link, (uses, _) in zip(rows, await _places(ctx, rows), strict=True)
    ]


async def place_counts(ctx: Context, rows: Sequence[Link], arguments: Any) -> list[int]:
    """In how many places each link stands."""
    return [number for _, number in await _places(ctx, rows)]


# ------------------------------------------------------------------ objects of locations

location_spaces = visible_by_key(Space, "space_id")
location_collections = visible_by_key(Collection, "id")
location_users = visible_by_key(User, "id")
requests_of_contexts = visible_by_key(ChangeRequest, "change_request_id")


async def location_organizations(
    ctx: Context, rows: Sequence[Location], arguments: Any
) -> list[Organization | None]:
    """The organizations that locations are in."""
    spaces = {row.space_id for row in rows if row.kind != "collection"}
    collections = {row.id for row in rows if row.kind == "collection"}
    found: dict[tuple[str, str], Organization] = {}
    for kind, model, ids in (("space", Space, spaces), ("collection", Collection, collections)):
        if ids:
            for row in await _organizations.rows(ctx, model, ids=ids):
                found[kind, row.owned] = row
    return [
        found.get(("collection", row.id) if row.kind == "collection" else ("space", row.space_id))
        for row in rows
    ]


@statement
def _organizations(asks: Asks, model: Any) -> Written:
    # Visible with what it owns, whose locations the caller was given.
    return (
        select(Organization)
        .join(model, model.organization_id == Organization.id)
        .where(among(model.id, "ids"))
        .add_columns(model.id.label("owned"))
    )


async def _revisions(ctx: Context, rows: Sequence[Location]) -> list[Revision | None]:
    """The revision that each location is in."""
    missing = {row.space_id for row in rows if row.version.revision is None}
    active = await active_revisions(ctx, missing)
    return [row.version.revision or active.get(row.space_id) for row in rows]


async def location_pages(
    ctx: Context, rows: Sequence[Location], arguments: Any
) -> list[Page | None]:
    """The pages that locations are, with their paths."""
    revisions = await _revisions(ctx, rows)
    wanted: dict[str, tuple[Revision, set[str]]] = {}
    for row, revision in zip(rows, revisions, strict=True):
        if revision is not None:
            wanted.setdefault(revision.id, (revision, set()))[1].add(row.id)
    found = dict(zip(wanted, await find_pages(ctx, list(wanted.values())), strict=True))
    return [
        None if revision is None else found[revision.id].get(row.id)
        for row, revision in zip(rows, revisions, strict=True)
    ]


async def location_files(
    ctx: Context, rows: Sequence[Location], arguments: Any
) -> list[File | None]:
    """The files that locations are."""
    revisions = await _revisions(ctx, rows)
    entries = await _entries(ctx, rows, revisions, "files_root")
    return [
        None if entry is None or revision is None
        else file_of(revision.space_id, revision.id, row.id, entry)
        for row, revision, entry in zip(rows, revisions, entries, strict=True)
    ]  # fmt: skip


async def location_contents(
    ctx: Context, rows: Sequence[Location], arguments: Any
) -> list[ReusableContent | None]:
    """The reusable contents that locations are."""
    revisions = await _revisions(ctx, rows)
    entries = await _entries(ctx, rows, revisions, "contents_root")
    return [
        None if entry is None or revision is None
        else content_of(revision.space_id, revision.id, row.id, entry)
        for row, revision, entry in zip(rows, revisions, entries, strict=True)
    ]  # fmt: skip


async def _entries(
    ctx: Context, rows: Sequence[Location], revisions: Sequence[Revision | None], root: str
) -> list[Any]:
    wanted: dict[str, tuple[Revision, set[str]]] = {}
    for row, revision in zip(rows, revisions, strict=True):
        if revision is not None:
            wanted.setdefault(revision.id, (revision, set()))[1].add(row.id)
    walks = [
        (revision.space_id, lookup(getattr(revision, root), ids))
        for revision, ids in wanted.values()
    ]
    found = dict(zip(wanted, await walk_all(ctx, walks), strict=True))
    return [
        None if revision is None else found[revision.id].get(row.id)
        for row, revision in zip(rows, revisions, strict=True)
    ]


async def link_targets(ctx: Context, rows: Sequence[Link], arguments: Any) -> list[Location | None]:
    """What each link leads to; None where that is not there."""
    return [row.target for row in rows]
