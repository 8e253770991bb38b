"""Lists of sections and their groups, and the whole structure of a site."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from db.models.sites import Site, SiteSection, SiteSectionGroup, SiteSpace
from db.prepared import among
from db.rows import model_of
from resolvers.access.policy import visible
from resolvers.core.arguments import InOrganization, ShareKey, SiteId
from resolvers.core.context import Context
from resolvers.core.pagination import Order, SortColumn
from resolvers.core.statements import Viewer, Written, statement
from resolvers.lists.batches import reads
from resolvers.lists.listings import Listing
from resolvers.sites.operations import get_site
from resolvers.sites.structure import Headed


def _in_order(model: Any) -> Order:
    return Order(
        (
            SortColumn(model.place, lambda row: row.place),
            SortColumn(model.id, lambda row: row.id),
        )
    )


sections_of_sites = Listing(
    "sections_of_sites",
    SiteSection,
    SiteSection.site_id,
    _in_order(SiteSection),
    about="Sections of sites, in the order in which they are shown.",
)
section_groups_of_sites = Listing(
    "section_groups_of_sites",
    SiteSectionGroup,
    SiteSectionGroup.site_id,
    _in_order(SiteSectionGroup),
    about="Groups of sections of sites, in the order in which they are shown.",
)


@dataclass(frozen=True, slots=True)
class SectionStructure:
    """A site with sections: those at its top level, and groups."""

    items: list[Headed]
    type: str = "sections"


@dataclass(frozen=True, slots=True)
class SpaceStructure:
    """A flat site: its site spaces."""

    items: list[SiteSpace]
    type: str = "siteSpaces"


SiteStructure = SectionStructure | SpaceStructure


@statement
def _sections(viewer: Viewer) -> Written:
    return visible(viewer, SiteSection).where(among(SiteSection.site_id, "sites"))


@statement
def _groups(viewer: Viewer) -> Written:
    return visible(viewer, SiteSectionGroup).where(among(SiteSectionGroup.site_id, "sites"))


@statement
def _root_spaces(viewer: Viewer) -> Written:
    return visible(viewer, SiteSpace).where(
        among(SiteSpace.site_id, "sites"), SiteSpace.section_id.is_(None)
    )


@statement
def _default_sections(viewer: Viewer) -> Written:
    return select(Site.default_section_id).where(among(Site.id, "sites"))


async def _levels(ctx: Context, site_ids: Iterable[str]) -> dict[tuple[str, Any], list[Headed]]:
    """The sections and groups of sites in their order, by site and group."""
    ids = set(site_ids)
    rows: list[Headed] = [
        *await _sections.once(ctx, list, sites=sorted(ids)),
        *await _groups.once(ctx, list, sites=sorted(ids)),
    ]
    levels: dict[tuple[str, Any], list[Headed]] = {}
    for row in sorted(rows, key=lambda item: (item.position, item.id)):
        levels.setdefault((row.site_id, _above(row)), []).append(row)
    return levels


def _is_group(row: Any) -> bool:
    return model_of(row) is SiteSectionGroup


def _above(row: Any) -> str | None:
    """The id of the group around a section or group; None at the top level."""
    parent: str | None = row.parent_id if _is_group(row) else row.group_id
    return parent


@reads("id")
async def structures_of_sites(
    ctx: Context, rows: Sequence[Site], arguments: Any
) -> list[SiteStructure]:
    """The structure of each site, as far as you may see it: sections and groups, or site spaces.

    A site is flat when nobody sees a section on it.
    """
    ids = {row.id for row in rows}
    levels = await _levels(ctx, ids)
    flat: dict[str, list[SiteSpace]] = {}
    spaces = await _root_spaces.once(ctx, list, sites=sorted(ids))
    for space in sorted(spaces, key=lambda space: (space.position, space.id)):
        flat.setdefault(space.site_id, []).append(space)
    return [
        SectionStructure(levels[row.id, None])
        if (row.id, None) in levels
        else SpaceStructure(flat.get(row.id, []))
        for row in rows
    ]


async def get_site_structure(
    ctx: Context,
    id: SiteId,
    organization_id: InOrganization = None,
    share_key: ShareKey = None,
) -> Any:
    """What stands on a site: sections and groups, or site spaces, in their order."""
    site = await get_site(ctx, id, organization_id, share_key)
    (structure,) = await structures_of_sites(ctx, [site], None)
    return structure


@reads("id", "site_id")
async def children_of_groups(
    ctx: Context, rows: Sequence[SiteSectionGroup], arguments: Any
) -> list[list[Headed]]:
    """The sections and groups in each group, in their order."""
    levels = await _levels(ctx, {row.site_id for row in rows})
    return [levels.get((row.site_id, row.id), []) for row in rows]


@reads("id", "site_id")
async def sections_of_groups(
    ctx: Context, rows: Sequence[SiteSectionGroup], arguments: Any
) -> list[list[Headed]]:
    """The sections directly in each group, in their order."""
    children = await children_of_groups(ctx, rows, None)
    return [[child for child in held if not _is_group(child)] for held in children]


@reads("id", "site_id")
async def are_default_sections(
    ctx: Context, rows: Sequence[SiteSection], arguments: Any
) -> list[bool]:
    """Whether each section is the one that its site serves at the root."""
    defaults = await _default_sections.once(ctx, list, sites=sorted({row.site_id for row in rows}))
    ids = {site.default_section_id for site in defaults}
    return [row.id in ids for row in rows]
