"""Site spaces: the spaces placed on a site (sites.md section 2, operations.md A3)."""

from collections.abc import Sequence
from functools import cache

import strawberry
from sqlalchemy import ColumnElement, and_, bindparam
from strawberry import Maybe

from db.enums import Role
from db.models.sites import Site, SiteSpace
from db.models.spaces import Space
from db.prepared import KEY
from resolvers import inputs
from resolvers.arguments import InOrganization, InSite, SiteId, SiteSpaceId
from resolvers.context import Context, one_statement
from resolvers.errors import Conflict, NotFound
from resolvers.page_fields import check_condition
from resolvers.policy import must
from resolvers.site_structure import (
    check_path,
    lock_spaces_shown_to_all,
    place,
    siblings_of,
    take_out,
)
from resolvers.sites import IN_ORGANIZATION, in_organization
from resolvers.statements import Columns


@strawberry.input(description="A space to place on a site.")
class AddSiteSpaceInput:
    space_id: strawberry.ID = inputs.text("Id of the space.", required=True)
    section_id: Maybe[strawberry.ID] = inputs.text(
        "Id of the section to place it in; refused while a site has no sections."
    )


@strawberry.input(description="Changes to a site space; absent fields stay as they are.")
class UpdateSiteSpaceInput:
    path: Maybe[str] = inputs.text(
        "Path on the site: one slug, unlike those of the site's other spaces.", min=1, max=100
    )
    condition: Maybe[str | None] = inputs.text(
        "Expression that decides whether a visitor sees it; null removes it.", max=1024
    )
    space_id: Maybe[strawberry.ID] = inputs.text(
        "Id of the space to show instead; path and condition stay."
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
        where=_within(site_id is not None, organization_id is not None),
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
    """Place a space at the end of a site; needs `create` in the organization and on the space."""
    where = in_organization(organization_id)
    site = await must(ctx, Site, site_id, Role.CREATE, where=where, lock=True)
    if input.section_id is not None:
        raise NotFound(
            f"sectionId: {input.section_id.value!r} does not exist; the site has no sections"
        )
    space = await _space_for(ctx, site, input.space_id)
    siblings = await siblings_of(ctx, site)
    _check_absent(space, siblings)
    (added,) = await place(ctx, site, siblings, [space])
    await lock_spaces_shown_to_all(ctx, site)
    return added


async def update_site_space(
    ctx: Context,
    id: SiteSpaceId,
    input: UpdateSiteSpaceInput,
    site_id: InSite = None,
    organization_id: InOrganization = None,
) -> SiteSpace:
    """Change the path, the condition or the space; needs the organization role `create`."""
    site, siblings, row = await locked(ctx, id, site_id, organization_id)
    if input.path is not None and input.path.value != row.path:
        check_path(input.path.value, siblings, row)
    if input.space_id is not None and input.space_id.value != row.space_id:
        space = await _space_for(ctx, site, input.space_id.value)
        _check_absent(space, siblings)
        row.space_id = space.id
    if input.condition is not None:
        # An empty condition is none.
        row.condition = input.condition.value or None
        if row.condition is not None:
            check_condition(row.condition, "condition")
    inputs.assign(row, input, "path")
    await lock_spaces_shown_to_all(ctx, site)
    return row


async def delete_site_space(
    ctx: Context,
    id: SiteSpaceId,
    site_id: InSite = None,
    organization_id: InOrganization = None,
) -> bool:
    """Take a space off a site; the space stays. False when it is not there.

    When it was the default, the next one takes over, else the one before it.
    """
    try:
        site, siblings, row = await locked(ctx, id, site_id, organization_id)
    except NotFound:
        return False
    take_out(site, siblings, {row.id})
    await ctx.session.delete(row)
    return True


@cache
def _within(in_site: bool, in_organization: bool) -> ColumnElement[bool] | None:
    """The condition for what the path names; the rule for site spaces has joined the site."""
    conditions = []
    if in_site:
        conditions.append(SiteSpace.site_id == bindparam("site_id", type_=KEY))
    if in_organization:
        conditions.append(IN_ORGANIZATION)
    return and_(*conditions) if conditions else None


async def locked(
    ctx: Context, id: str, site_id: str | None, organization_id: str | None
) -> tuple[Site, list[SiteSpace], SiteSpace]:
    """The locked site of a site space, all its site spaces in order, and the one with this id."""
    row = await must(
        ctx,
        SiteSpace,
        id,
        Role.CREATE,
        where=_within(site_id is not None, organization_id is not None),
        site_id=site_id,
        organization_id=organization_id,
    )
    site = await must(ctx, Site, row.site_id, Role.CREATE, lock=True)
    siblings = await siblings_of(ctx, site)
    if row not in siblings:
        raise NotFound(f"site space {id!r} was removed at this moment")
    return site, siblings, row


async def _space_for(ctx: Context, site: Site, id: str) -> Space:
    """A space of the site's organization; showing it to readers needs `create` on it."""
    own = Space.organization_id == site.organization_id
    # Locked, so that it is not transferred to another organization meanwhile.
    return await must(ctx, Space, id, Role.CREATE, where=own, lock=True)


def _check_absent(space: Space, siblings: Sequence[SiteSpace]) -> None:
    if any(sibling.space_id == space.id for sibling in siblings):
        raise Conflict(f"spaceId: {space.id!r} is already on this site")
