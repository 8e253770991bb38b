"""Sections of a site (docs/sites.md, "Structure")."""

import strawberry
from strawberry import Maybe

from db.models.sites import SiteSection
from resolvers.access.policy import must
from resolvers.core import inputs
from resolvers.core.arguments import InOrganization, InSite, SiteId, SiteSectionId
from resolvers.core.context import Context, one_statement
from resolvers.core.deletions import Deletion, finding_what_to_delete
from resolvers.core.errors import BadRequest
from resolvers.core.statements import Columns
from resolvers.drafts.page_fields import check_condition
from resolvers.sites.locks import locked_site, locked_with, space_for, within
from resolvers.sites.paths import check_path
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


@one_statement
async def get_site_section(
    ctx: Context,
    id: SiteSectionId,
    site_id: InSite = None,
    organization_id: InOrganization = None,
    *,
    columns: Columns = None,
) -> SiteSection:
    """A section of a site; guests see those with a space that they may read."""
    return await must(
        ctx,
        SiteSection,
        id,
        where=within(SiteSection, site_id is not None, organization_id is not None),
        columns=columns,
        site_id=site_id,
        organization_id=organization_id,
    )


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
    return Deletion(deleted_id=row.id, site_id=row.site_id)
