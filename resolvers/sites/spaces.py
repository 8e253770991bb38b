"""Site spaces: the spaces placed on a site (docs/sites.md, "Structure")."""

import strawberry
from strawberry import Maybe

from db.models.sites import SiteSection, SiteSpace
from resolvers.access.policy import must
from resolvers.core import inputs
from resolvers.core.arguments import InOrganization, InSite, SiteId, SiteSpaceId
from resolvers.core.context import Context, one_statement
from resolvers.core.deletions import Deletion, finding_what_to_delete
from resolvers.core.errors import Conflict
from resolvers.core.statements import Columns
from resolvers.drafts.page_fields import check_condition
from resolvers.sites.locks import locked_site, locked_with, space_for, within
from resolvers.sites.paths import check_path
from resolvers.sites.writes import lock_spaces_shown_to_all, save


@strawberry.input(description="A space to place on a site.")
class AddSiteSpaceInput:
    space_id: strawberry.ID = inputs.text("Id of the space.", required=True)
    section_id: Maybe[strawberry.ID] = inputs.text(
        "Id of the section to place it in; when absent, the default section, or the root of a "
        "site without sections."
    )


@strawberry.input(description="Changes to a site space; absent fields stay as they are.")
class UpdateSiteSpaceInput:
    path: Maybe[str] = inputs.text(
        "Path on the site: one slug, unlike those of the other site spaces of its section.",
        min=1,
        max=100,
    )
    condition: Maybe[str | None] = inputs.text(
        "Expression that decides whether a visitor sees it; null removes it.", max=1024
    )
    space_id: Maybe[strawberry.ID] = inputs.text(
        "Id of the space to show instead; path and condition stay."
    )
    section: Maybe[strawberry.ID] = inputs.text(
        "Id of the section to move it to the end of; path, condition and settings stay."
    )


@one_statement
async def get_site_space(
    ctx: Context,
    id: SiteSpaceId,
    site_id: InSite = None,
    organization_id: InOrganization = None,
    *,
    columns: Columns = None,
) -> SiteSpace:
    """A space placed on a site; it is there for those who may read the space."""
    return await must(
        ctx,
        SiteSpace,
        id,
        where=within(SiteSpace, site_id is not None, organization_id is not None),
        columns=columns,
        site_id=site_id,
        organization_id=organization_id,
    )


async def add_site_space(
    ctx: Context,
    site_id: SiteId,
    input: AddSiteSpaceInput,
    organization_id: InOrganization = None,
) -> SiteSpace:
    """Place a space at the end of a section, or of a site without sections.

    Needs `create` in the organization and on the space.
    """
    structure = await locked_site(ctx, site_id, organization_id)
    section = structure.default_section
    if input.section_id is not None:
        section = structure.find(SiteSection, input.section_id.value, "sectionId")
    space = await space_for(ctx, structure, input.space_id)
    added = structure.add_space(space, section)
    await save(ctx, structure)
    await lock_spaces_shown_to_all(ctx, structure.site)
    return added


async def update_site_space(
    ctx: Context,
    id: SiteSpaceId,
    input: UpdateSiteSpaceInput,
    site_id: InSite = None,
    organization_id: InOrganization = None,
) -> SiteSpace:
    """Change path, condition, space or section; needs the organization role `create`.

    The path that it had leads to the new one.
    """
    structure, row = await locked_with(ctx, SiteSpace, id, site_id, organization_id)
    if input.condition is not None and input.condition.value:
        check_condition(input.condition.value, "condition")
    section = row.section_id
    if input.section is not None:
        section = structure.find(SiteSection, input.section.value, "section").id
    path = row.path if input.path is None else input.path.value
    if (section, path) != (row.section_id, row.path):
        others = [
            site_space for site_space in structure.spaces_of(section) if site_space is not row
        ]
        check_path(path, others, "site space there")
        structure.put_space(row, section, path)
    if input.space_id is not None and input.space_id.value != row.space_id:
        space = await space_for(ctx, structure, input.space_id.value)
        if any(site_space.space_id == space.id for site_space in structure.spaces):
            raise Conflict(f"spaceId: {space.id!r} is already on this site")
        row.space_id = space.id
    if input.condition is not None:
        # An empty condition is none.
        row.condition = input.condition.value or None
    await save(ctx, structure)
    await lock_spaces_shown_to_all(ctx, structure.site)
    return row


async def delete_site_space(
    ctx: Context,
    id: SiteSpaceId,
    site_id: InSite = None,
    organization_id: InOrganization = None,
) -> Deletion:
    """Take a space off a site; the space stays.

    When it was the default, the next one takes over, else the one before it.
    """
    with finding_what_to_delete():
        structure, row = await locked_with(ctx, SiteSpace, id, site_id, organization_id)
    structure.remove([row])
    await save(ctx, structure)
    return Deletion(deleted_id=row.id, site_id=row.site_id, space_id=row.space_id)
