"""Links as they are shown: a target, its status, and the places where it is linked."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

import strawberry

from content.documents.references import Reference
from content.hashing import content_id
from content.merkle.node import canonical
from db.content_enums import BrokenContext, LinkRelation, LinkStatus
from db.models.content import Revision
from resolvers.core.pagination import PageArguments
from resolvers.links.index import link_row

Json = dict[str, Any]
# Places of one link that are shown with it; backlinks of its target list all.
PLACES = 20


@dataclass(frozen=True, slots=True)
class Use:
    """A block that holds a link, of a page or of a reusable content; no node = the page itself."""

    source_id: str
    node: str
    reusable: bool = False


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
        """The same for the same target and relation."""
        return content_id(canonical([self.relation.value, dict(self.reference)]))

    @property
    def target(self) -> Location | None:
        """What it leads to, unless that is not there."""
        if self.kind == "url":
            return Location("url", self.version, str(self.reference["url"]))
        if self.status is LinkStatus.BROKEN or self.target_id is None:
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


def link_of_row(row: Any, version: Version, status: LinkStatus) -> Link:
    """The link of a row of the index."""
    return Link(
        version=version,
        relation=row.relation,
        status=status,
        kind=row.kind,
        reference=row.reference,
        target_space_id=row.target_space_id,
        target_id=row.target_id,
        anchor=row.anchor,
        link_id=row.id,
    )


def link_of_reference(reference: Reference, version: Version) -> Link:
    """The link of a reference that was just read; its status has yet to be judged."""
    row = link_row(version.space_id, reference)
    names = ("relation", "status", "kind", "reference", "target_space_id", "target_id", "anchor")
    return Link(version, **{name: row[name] for name in names})


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
    broken = [one for one in listed if one.status is LinkStatus.BROKEN]
    of_request = sum(not one.broken_before for one in broken) if change_request else None
    return LinkStats(len(listed), BrokenStats(len(broken), of_request))


@dataclass(frozen=True)
class LinkArguments(PageArguments):
    """Which links of a list are wanted."""

    status: Annotated[
        LinkStatus | None,
        strawberry.argument(description="Only links with this status; all when absent."),
    ] = None


@dataclass(frozen=True)
class ChangeRequestLinkArguments(LinkArguments):
    """Which links of a change request are wanted."""

    broken_context: Annotated[
        BrokenContext | None,
        strawberry.argument(
            description="Only broken links: those that the change request broke, or those that "
            "were broken in the space before."
        ),
    ] = None


def chosen(links: Iterable[Link], arguments: LinkArguments) -> list[Link]:
    """The links that the arguments ask for."""
    return [one for one in links if arguments.status in (None, one.status)]


def unique_uses(uses: Sequence[Use]) -> list[Use]:
    """Each use once, in order."""
    return list(dict.fromkeys(uses))
