"""Links as they are shown: a target, its status, where it is linked, and what is there."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from sqlalchemy import Integer, bindparam, func, not_, select

from content.hashing import content_id
from content.links.references import Reference
from content.merkle.node import canonical
from db.content_enums import BrokenContext, LinkRelation, LinkStatus
from db.enums import TokenScope
from db.models.change_requests import ChangeRequest
from db.models.content import Revision
from db.models.content_index import ContentLinkUse
from db.models.organizations import Organization, User
from db.models.spaces import Collection, Space
from db.prepared import among
from resolvers.access.policy import visible
from resolvers.core import inputs
from resolvers.core.context import Context
from resolvers.core.pagination import PageArguments
from resolvers.core.statements import Viewer, Written, statement
from resolvers.links.index import Use, link_row
from resolvers.lists.batches import needs, visible_by_key
from resolvers.revisions.objects import CONTENTS, FILES, active_revisions, each_object, find_pages
from resolvers.revisions.rows import File, Page, ReusableContent

Json = dict[str, Any]
# Places of one link that are shown with it; backlinks of its target list all.
PLACES = 20


@dataclass(frozen=True, slots=True)
class Version:
    """Which content of a space is looked at.

    Without a revision it is the primary content.
    """

    space_id: str
    revision: Revision | None = None
    change_request_id: str | None = None


@dataclass(frozen=True, slots=True)
class Location:
    """Something in content, or of the organization: where a link stands, or what it leads to."""

    kind: str
    version: Version
    id: str
    anchor: str | None = None
    node: str | None = None

    @property
    def space_id(self) -> str:
        """The space that it is in, or is."""
        return self.id if self.kind == "space" else self.version.space_id

    @property
    def url(self) -> str:
        """The URL, of a location that is one."""
        return self.id

    @property
    def internal(self) -> "InternalLocation | None":
        """The place on the page."""
        if self.anchor is not None:
            return InternalLocation("anchor", anchor=self.anchor)
        return InternalLocation("node", node=self.node) if self.node else None

    @property
    def context(self) -> "VersionContext | None":
        """The change request, of a location in one."""
        id = self.version.change_request_id
        return None if id is None else VersionContext("changeRequest", id)


@dataclass(frozen=True, slots=True)
class InternalLocation:
    """An anchor or a node of a page."""

    type: str
    anchor: str | None = None
    node: str | None = None


@dataclass(frozen=True, slots=True)
class VersionContext:
    """The version that a location is in."""

    type: str
    change_request_id: str


@dataclass(slots=True, eq=False)
class Link:
    """One thing that content refers to, for one reason."""

    version: Version
    relation: LinkRelation
    status: LinkStatus
    kind: str
    reference: Json
    target_space_id: str | None
    target_id: str | None
    anchor: str | None
    # The row of the index, where there is one.
    link_id: str | None = None
    # Places that are known; others of the index besides, unless they are of `without`.
    uses: list[Use] = field(default_factory=list)
    without: frozenset[str] = frozenset()
    # Whether it was broken in the space already.
    broken_before: bool = False

    @property
    def id(self) -> str:
        """An id that is equal for the same target and relation."""
        return content_id(canonical([self.relation.value, dict(self.reference)]))

    @property
    def target(self) -> Location | None:
        """The target of the link; None when it is not there, and for specifications, which are no
        place in content."""
        if self.kind == "url":
            return Location("url", self.version, str(self.reference["url"]))
        nowhere = self.status is LinkStatus.BROKEN or self.kind == "openapi"
        if nowhere or self.target_id is None:
            return None
        version = self.version
        if self.target_space_id not in (None, version.space_id):
            version = Version(str(self.target_space_id))
        kind = "page" if self.kind == "anchor" else self.kind
        return Location(kind, version, self.target_id, anchor=self.anchor)


def location_of(use: Use, version: Version) -> Location:
    """Where a link stands."""
    kind = "reusable-content" if use.reusable else "page"
    return Location(kind, version, use.source_id, node=use.node or None)


# What a link has in common with its row in the index.
_OF_ROW = ("relation", "kind", "reference", "target_space_id", "target_id", "anchor")


def link_of_row(row: Any, version: Version, status: LinkStatus) -> Link:
    """The link of a row of the index."""
    values = {name: getattr(row, name) for name in _OF_ROW}
    return Link(version, status=status, link_id=row.id, **values)


def link_of_reference(reference: Reference, version: Version) -> Link:
    """The link of a reference that was just read; its status has yet to be judged."""
    row = link_row(version.space_id, reference)
    return Link(version, status=row["status"], **{name: row[name] for name in _OF_ROW})


@dataclass(frozen=True, slots=True)
class LinkStats:
    """How many links there are, and how many are broken."""

    total: int
    broken: "BrokenStats"


@dataclass(frozen=True, slots=True)
class BrokenStats:
    """How many links are broken; of a change request also how many it has broken itself."""

    total: int
    change_request: int | None = None


def stats_of(links: Iterable[Link], *, change_request: bool = False) -> LinkStats:
    """The numbers of some links."""
    listed = list(links)
    broken = [link for link in listed if link.status is LinkStatus.BROKEN]
    of_request = sum(not link.broken_before for link in broken) if change_request else None
    return LinkStats(len(listed), BrokenStats(len(broken), of_request))


@dataclass(frozen=True)
class LinkArguments(PageArguments):
    """Which links of a list are wanted."""

    status: Annotated[
        LinkStatus | None, inputs.argument("Only links with this status; all when absent.")
    ] = None


@dataclass(frozen=True)
class ChangeRequestLinkArguments(LinkArguments):
    """Which links of a change request are wanted."""

    broken_context: Annotated[
        BrokenContext | None,
        inputs.argument(
            "Only broken links: those that the change request broke, or those that "
            "were broken in the space before."
        ),
    ] = None


def chosen(links: Iterable[Link], arguments: LinkArguments) -> list[Link]:
    """The links that the arguments ask for."""
    return [link for link in links if arguments.status in (None, link.status)]


def unique_uses(uses: Sequence[Use]) -> list[Use]:
    """Each use once, in order."""
    return list(dict.fromkeys(uses))


@statement
def _uses(viewer: Viewer) -> Written:
    """Places of links, the first ones of each, and their number."""
    use = ContentLinkUse
    places = (
        visible(viewer, use)
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


location_spaces = visible_by_key(Space, "space_id")


location_collections = visible_by_key(Collection, "id")


location_users = visible_by_key(User, "id")


requests_of_contexts = visible_by_key(ChangeRequest, "change_request_id")


@needs(TokenScope.ORGANIZATION_READ)
async def location_organizations(
    ctx: Context, rows: Sequence[Location], arguments: Any
) -> list[Organization | None]:
    """The organizations that locations are in."""
    spaces = {row.space_id for row in rows if row.kind != "collection"}
    collections = {row.id for row in rows if row.kind == "collection"}
    organizations: dict[tuple[str, str], Organization] = {}
    for kind, model, ids in (("space", Space, spaces), ("collection", Collection, collections)):
        if ids:
            for row in await _organizations.rows(ctx, model, ids=ids):
                organizations[kind, row.owned] = row
    return [
        organizations.get(
            ("collection", row.id) if row.kind == "collection" else ("space", row.space_id)
        )
        for row in rows
    ]


@statement
def _organizations(viewer: Viewer, model: Any) -> Written:
    # Visible with what it owns, whose locations the caller was given.
    return (
        select(Organization)
        .join(model, model.organization_id == Organization.id)
        .where(among(model.id, "ids"))
        .add_columns(model.id.label("owned"))
    )


async def _each(ctx: Context, rows: Sequence[Location], find: Any) -> list[Any]:
    """The object that each location is, in the revision that it is in."""
    spaces = {row.space_id for row in rows if row.version.revision is None}
    active = await active_revisions(ctx, spaces)
    pairs = ((row.version.revision or active.get(row.space_id), row.id) for row in rows)
    return await each_object(ctx, find, pairs)


async def location_pages(
    ctx: Context, rows: Sequence[Location], arguments: Any
) -> list[Page | None]:
    """The pages that locations are, with their paths."""
    return await _each(ctx, rows, find_pages)


async def location_files(
    ctx: Context, rows: Sequence[Location], arguments: Any
) -> list[File | None]:
    """The files that locations are."""
    return await _each(ctx, rows, FILES.find)


async def location_contents(
    ctx: Context, rows: Sequence[Location], arguments: Any
) -> list[ReusableContent | None]:
    """The reusable contents that locations are."""
    return await _each(ctx, rows, CONTENTS.find)


async def link_targets(ctx: Context, rows: Sequence[Link], arguments: Any) -> list[Location | None]:
    """The target of each link; None where it is not there."""
    return [row.target for row in rows]
