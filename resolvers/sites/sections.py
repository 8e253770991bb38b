"""Sections of sites: parts of a site with a path of their own."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import strawberry
from strawberry import Maybe

from db.models.sites import Site, SiteSection, SiteSectionGroup, SiteSpace
from db.rows import model_of
from resolvers.core import inputs
from resolvers.core.arguments import InOrganization, InSite, ShareKey, SiteId, SiteSectionId
from resolvers.core.batch_functions import ALL, Projection
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.deletions import Deletion, finding_what_to_delete
from resolvers.core.errors import BadRequest
from resolvers.core.statements import rows_in
from resolvers.drafts.page_fields import check_condition
from resolvers.lists.batches import reads, visible_in
from resolvers.lists.listings import Listing
from resolvers.sites.locks import find_part, locked_site, locked_with, space_for
from resolvers.sites.operations import get_site
from resolvers.sites.paths import check_path
from resolvers.sites.spaces import in_order
from resolvers.sites.structure import Headed
from resolvers.sites.writes import lock_spaces_shown_to_all, save, seen_spaces


@strawberry.input(description="A section to add to a site, with its first space.")
class AddSiteSectionInput:
    space_id: strawberry.ID = inputs.text("Id of the space.", required=True)
    title: Maybe[str | None] = inputs.text(
        "Title; that of the space when absent or null.", min=2, max=128
    )
    icon: Maybe[str | None] = inputs.text("Name of an icon.", max=50)


@strawberry.input(description="Changes to a section; absent fields stay as they are.")
class UpdateSiteSectionInput:
    title: Maybe[str] = inputs.text("Title.", min=2, max=128)
    path: Maybe[str] = inputs.text(
        "Path on the site: one slug, unlike those of the site's other sections.", min=1, max=100
    )
    default_site_space: Maybe[strawberry.ID] = inputs.text(
        "Id of the site space of this section that is served at its path."
    )
    condition: Maybe[str | None] = inputs.text(
        "Expression that decides whether a visitor sees it; null removes it.", min=1, max=1024
    )
    icon: Maybe[str | None] = inputs.text("Name of an icon; null removes it.", max=50)
    description: Maybe[str | None] = inputs.text("What it is about; null removes it.", max=256)


@operation(one_statement=True)
async def get_site_section(
    ctx: Context,
    id: SiteSectionId,
    site_id: InSite = None,
    organization_id: InOrganization = None,
    *,
    projection: Projection = ALL,
) -> SiteSection:
    """A section of a site; guests see those with a space that they may read."""
    return await find_part(ctx, SiteSection, id, site_id, organization_id, projection=projection)


async def add_site_section(
    ctx: Context,
    site_id: SiteId,
    input: AddSiteSectionInput,
    organization_id: InOrganization = None,
) -> SiteSection:
    """Add a section with one space at the end of a site.

    The spaces of a site that had no sections go into a section of their own first, which becomes
    the default. Needs `create` in the organization and on the space.
    """
    structure = await locked_site(ctx, site_id, organization_id)
    space = await space_for(ctx, structure, input.space_id)
    title, icon = inputs.given(input.title, None), inputs.given(input.icon, None)
    section = structure.add_section(space, title, icon)
    await save(ctx, structure)
    await lock_spaces_shown_to_all(ctx, structure.site)
    return section


async def update_site_section(
    ctx: Context,
    id: SiteSectionId,
    input: UpdateSiteSectionInput,
    site_id: InSite = None,
    organization_id: InOrganization = None,
) -> SiteSection:
    """Change a section; needs the organization role `create`.

    The path that it had leads to the new one.
    """
    structure, row = await locked_with(ctx, SiteSection, id, site_id, organization_id)
    if input.condition is not None and input.condition.value is not None:
        check_condition(input.condition.value, "condition")
    if input.path is not None and input.path.value != row.path:
        others = [section for section in structure.sections if section is not row]
        check_path(input.path.value, others, "section of the site")
    if input.default_site_space is not None:
        chosen = input.default_site_space.value
        if chosen not in await seen_spaces(ctx, structure.site):
            raise BadRequest(f"defaultSiteSpace: {chosen!r} is not a site space of this site")
        structure.choose_default_space(chosen, row, "defaultSiteSpace")
    inputs.assign(row, input, "title", "path", "condition", "icon", "description")
    await save(ctx, structure)
    return row


async def delete_site_section(
    ctx: Context,
    id: SiteSectionId,
    site_id: InSite = None,
    organization_id: InOrganization = None,
) -> Deletion:
    """Delete a section with its site spaces; the spaces stay.

    When it was the default, the next section takes over, else the one before it. Without a
    section left, the site is flat and empty, without groups.
    """
    with finding_what_to_delete():
        structure, row = await locked_with(ctx, SiteSection, id, site_id, organization_id)
    structure.remove([row])
    await save(ctx, structure)
    return Deletion(deleted_id=row.id, site_id=row.site_id, audited=row)


sections_of_sites = Listing(
    "sections_of_sites",
    SiteSection,
    SiteSection.site_id,
    in_order(SiteSection),
    about="Sections of sites, in the order in which they are shown.",
)
section_groups_of_sites = Listing(
    "section_groups_of_sites",
    SiteSectionGroup,
    SiteSectionGroup.site_id,
    in_order(SiteSectionGroup),
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


_sections = visible_in(SiteSection.site_id, "sites")
_groups = visible_in(SiteSectionGroup.site_id, "sites")


_root_spaces = visible_in(SiteSpace.site_id, "sites", SiteSpace.section_id.is_(None))
_default_sections = rows_in(Site.id, "sites", Site.default_section_id)


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
