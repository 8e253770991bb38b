"""Who can work on a site: members by their organization role, guests by a space that they may read.

A guest holds grants on spaces and collections, directly or through teams. What they come to is
worked out for all guests at once from the grants on the site's spaces and the collections above
them, by the same precedence as everywhere (resolvers/access/ranks.py), so the number of statements
does not depend on how many people there are.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Select, or_, select, tuple_
from sqlalchemy.orm import aliased

from db.enums import Role, TokenScope
from db.models.organizations import Member
from db.models.sites import Site, SiteSection, SiteSectionGroup, SiteSpace
from db.models.spaces import AccessGrant, Collection, CollectionAncestor, Space
from db.prepared import among
from db.site_enums import PermissionOrigin
from resolvers.access.people import grants_of_people, with_inherited
from resolvers.access.policy import visible
from resolvers.access.ranks import READ, number, rank_on_space
from resolvers.core.batch_functions import only
from resolvers.core.context import Context
from resolvers.core.pagination import Order, PageArguments, Slice, SortColumn
from resolvers.core.statements import Viewer, Written, statement
from resolvers.lists.batches import reads
from resolvers.lists.listing_statements import PARENTS
from resolvers.lists.listings import Listing


@dataclass(frozen=True, slots=True)
class Origin:
    """The source of a person's role on a site: the organization, or a space on the site."""

    type: PermissionOrigin
    organization: str | None = None
    space: str | None = None


@dataclass(frozen=True, slots=True)
class SitePerson:
    """The effective role of a person on a site, and where it comes from."""

    user_id: str
    permission: Role | None
    origin: Origin


def _reached(viewer: Viewer, sites: str) -> Select[Any]:
    """Each guest with each space of the sites that they and the viewer may read."""
    on_site = select(SiteSpace.space_id).where(among(SiteSpace.site_id, sites))
    parents = select(Space.parent_id).where(Space.id.in_(on_site), Space.parent_id.is_not(None))
    above = select(CollectionAncestor.ancestor_id).where(
        CollectionAncestor.collection_id.in_(parents)
    )
    grants = with_inherited(
        grants_of_people(AccessGrant.space_id, objects=on_site),
        grants_of_people(AccessGrant.collection_id, objects=above),
        Space.id.in_(on_site),
    )
    guest, parent = aliased(Member), aliased(Collection)
    rank = rank_on_space(Space, guest, grants.c.own, parent, grants)
    readable = visible(viewer, Space).with_only_columns(Space.id)
    return (
        select(
            SiteSpace.site_id,
            SiteSpace.id.label("site_space_id"),
            Space.id.label("space_id"),
            grants.c.holder.label("person"),
            rank.label("rank"),
        )
        .select_from(grants)
        .join(Space, Space.id == grants.c.space_id)
        .join(SiteSpace, SiteSpace.space_id == Space.id)
        .join(
            guest,
            (guest.user_id == grants.c.holder)
            & (guest.organization_id == Space.organization_id)
            & guest.disabled.is_(False)
            & (number(guest.role) == 0),
        )
        .outerjoin(parent, parent.id == Space.parent_id)
        .where(
            among(SiteSpace.site_id, sites),
            Space.deleted_at.is_(None),
            Space.id.in_(readable),
            rank >= READ,
        )
    )


# ------------------------------------------------------------------ pages of people


def _people(viewer: Viewer) -> Select[Any]:
    """The memberships of everybody who reaches a site, as far as the viewer may see them."""
    reached = _reached(viewer, PARENTS).subquery()
    # Not a correlated EXISTS: PostgreSQL would work the whole out again for each member.
    guests = tuple_(Site.id, Member.user_id).in_(select(reached.c.site_id, reached.c.person))
    return (
        visible(viewer, Member)
        .join(Site, Site.organization_id == Member.organization_id)
        .where(Member.disabled.is_(False), or_(number(Member.role) >= READ, guests))
    )


_members = Listing(
    "people_of_sites",
    Member,
    Site.id,
    Order((SortColumn(Member.user_id, lambda row: row.user_id),)),
    about="Memberships of those who reach sites, in the order of the people's ids.",
    rows=_people,
    by_itself=True,
    scope=TokenScope.SITE_PERMISSIONS_READ,
)
_MEMBER = only("organization_id", "user_id", "role")


@statement
def _spaces_of_guests(viewer: Viewer) -> Written:
    reached = _reached(viewer, "sites")
    return reached.where(among(reached.selected_columns.person, "people"))


@statement
def _order(viewer: Viewer) -> Written:
    """The positions that make up the place of each site space, outermost first."""
    group, outer = aliased(SiteSectionGroup), aliased(SiteSectionGroup)
    return (
        select(
            SiteSpace.id,
            outer.position.label("outer_group"),
            group.position.label("inner_group"),
            SiteSection.position.label("section"),
            SiteSpace.position.label("position"),
        )
        .outerjoin(SiteSection, SiteSection.id == SiteSpace.section_id)
        .outerjoin(group, group.id == SiteSection.group_id)
        .outerjoin(outer, outer.id == group.parent_id)
        .where(among(SiteSpace.site_id, "sites"))
    )


@reads("id", scope=TokenScope.SITE_PERMISSIONS_READ)
async def people_of_sites(
    ctx: Context, rows: Sequence[Site], arguments: PageArguments
) -> list[Slice[SitePerson]]:
    """People who reach sites, by the ids of the people; guests see themselves only.

    Members have the role that they have in the organization. A guest has the role on the first
    space of the site that the guest may read; spaces that you may not read do not count.
    """
    slices = await _members(ctx, rows, arguments, _MEMBER)
    guests = {person.user_id for part in slices for person in part.rows if person.role is None}
    reached = await _first_spaces(ctx, [row.id for row in rows], guests) if guests else {}
    return [
        replace(part, rows=[_person(person, reached.get((part.parent, person.user_id)))
                            for person in part.rows])
        for part in slices
    ]  # fmt: skip


def _person(member: Any, reached: Any) -> SitePerson:
    if reached is None:
        origin = Origin(PermissionOrigin.ORGANIZATION, organization=member.organization_id)
        return SitePerson(member.user_id, member.role, origin)
    origin = Origin(PermissionOrigin.SPACE, space=reached.space_id)
    return SitePerson(member.user_id, Role.of_rank(reached.rank), origin)


async def _first_spaces(
    ctx: Context, sites: Sequence[str], guests: Iterable[str]
) -> dict[tuple[str, str], Any]:
    """By site and guest: the first space in the site's order that the guest may read."""
    places = {
        row.id: [
            place
            for place in (row.outer_group, row.inner_group, row.section, row.position)
            if place is not None
        ]
        for row in await _order.rows(ctx, sites=sites)
    }
    firsts: dict[tuple[str, str], Any] = {}
    for row in await _spaces_of_guests.rows(ctx, sites=sites, people=guests):
        key = row.site_id, row.person
        first = firsts.get(key)
        if first is None or places[row.site_space_id] < places[first.site_space_id]:
            firsts[key] = row
    return firsts
