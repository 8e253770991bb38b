"""Groups of a site's sections (docs/sites.md, "Structure")."""

import strawberry
from strawberry import Maybe

from db.models.sites import SiteSection, SiteSectionGroup
from resolvers.core import inputs
from resolvers.core.arguments import (
    InOrganization,
    InSite,
    SiteId,
    SiteSectionGroupId,
    SiteSectionId,
)
from resolvers.core.batch_functions import ALL, Projection
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.deletions import Deletion, finding_what_to_delete
from resolvers.core.errors import Conflict, NothingToDelete
from resolvers.sites.locks import find_part, locked_site, locked_with
from resolvers.sites.writes import save


@strawberry.input(description="A group of sections to add to a site.")
class AddSiteSectionGroupInput:
    title: str = inputs.text("Title.", min=1, max=100, required=True)
    icon: Maybe[str | None] = inputs.text("Name of an icon.", max=50)
    sections: Maybe[list[strawberry.ID]] = inputs.items(
        "Ids of sections to move into it, in their order.", max=500
    )
    parent: Maybe[strawberry.ID] = inputs.text(
        "Id of the group to add it to, which must not be in a group itself."
    )


@strawberry.input(description="Changes to a group of sections; absent fields stay as they are.")
class UpdateSiteSectionGroupInput:
    title: Maybe[str] = inputs.text("Title.", min=1, max=100)
    icon: Maybe[str | None] = inputs.text("Name of an icon; null removes it.", max=50)


@strawberry.input(description="A section to move into a group.")
class AddSectionToGroupInput:
    section_id: strawberry.ID = inputs.text("Id of the section.", required=True)


@operation(one_statement=True)
async def get_site_section_group(
    ctx: Context,
    id: SiteSectionGroupId,
    site_id: InSite = None,
    organization_id: InOrganization = None,
    *,
    projection: Projection = ALL,
) -> SiteSectionGroup:
    """A group of sections; guests see those above a section that they see."""
    return await find_part(
        ctx, SiteSectionGroup, id, site_id, organization_id, projection=projection
    )


async def add_site_section_group(
    ctx: Context,
    site_id: SiteId,
    input: AddSiteSectionGroupInput,
    organization_id: InOrganization = None,
) -> SiteSectionGroup:
    """Add a group at the end of a site that has sections, or of another group.

    Needs the organization role `create`.
    """
    structure = await locked_site(ctx, site_id, organization_id)
    ids = [] if input.sections is None else input.sections.value
    sections = [structure.find(SiteSection, id, "sections") for id in dict.fromkeys(ids)]
    icon = inputs.given(input.icon, None)
    parent = None if input.parent is None else str(input.parent.value)
    group = structure.add_group(input.title, icon, parent)
    # Sections refer to its row.
    await save(ctx, structure)
    for section in sections:
        structure.into_group(section, group)
    await save(ctx, structure)
    return group


async def update_site_section_group(
    ctx: Context,
    id: SiteSectionGroupId,
    input: UpdateSiteSectionGroupInput,
    site_id: InSite = None,
    organization_id: InOrganization = None,
) -> SiteSectionGroup:
    """Change a group's title or icon; needs the organization role `create`."""
    _, row = await locked_with(ctx, SiteSectionGroup, id, site_id, organization_id)
    inputs.assign(row, input, "title", "icon")
    return row


async def delete_site_section_group(
    ctx: Context,
    id: SiteSectionGroupId,
    site_id: InSite = None,
    organization_id: InOrganization = None,
) -> Deletion:
    """Delete a group; what it holds takes its place."""
    with finding_what_to_delete():
        structure, row = await locked_with(ctx, SiteSectionGroup, id, site_id, organization_id)
    structure.remove([row])
    await save(ctx, structure)
    return Deletion(deleted_id=row.id, site_id=row.site_id, audited=row)


async def add_section_to_group(
    ctx: Context,
    id: SiteSectionGroupId,
    input: AddSectionToGroupInput,
    site_id: InSite = None,
    organization_id: InOrganization = None,
) -> SiteSectionGroup:
    """Move a section to the end of a group; needs the organization role `create`."""
    structure, row = await locked_with(ctx, SiteSectionGroup, id, site_id, organization_id)
    section = structure.find(SiteSection, input.section_id, "sectionId")
    if section.group_id == row.id:
        raise Conflict(f"sectionId: {section.id!r} is already in this group")
    structure.into_group(section, row)
    await save(ctx, structure)
    return row


async def remove_section_from_group(
    ctx: Context,
    id: SiteSectionGroupId,
    section_id: SiteSectionId,
    site_id: InSite = None,
    organization_id: InOrganization = None,
) -> Deletion:
    """Move a section out of a group, directly behind it."""
    with finding_what_to_delete():
        structure, row = await locked_with(ctx, SiteSectionGroup, id, site_id, organization_id)
    section = next(
        (candidate for candidate in structure.sections if candidate.id == section_id), None
    )
    if section is None or section.group_id != row.id:
        raise NothingToDelete(f"site section {section_id!r} is not in this group")
    structure.out_of_group(section, row)
    await save(ctx, structure)
    return Deletion(deleted_id=section.id, group_id=row.id)
