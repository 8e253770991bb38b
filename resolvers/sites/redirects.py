"""Redirects of sites that somebody makes (docs/sites.md, "Redirects")."""

from typing import Any

import strawberry
from sqlalchemy import select
from strawberry import Maybe

from content.errors import SlugError
from content.links.redirect_paths import (
    MAX_SOURCE,
    SOURCE_ALLOWED,
    SOURCE_PATTERN,
    Source,
    read_source,
)
from db.base import Data
from db.enums import Role
from db.models.site_settings import SiteRedirect
from db.models.sites import Site
from resolvers.access.policy import must
from resolvers.core import inputs
from resolvers.core.arguments import InOrganization, OfSite, SiteId, SiteRedirectId
from resolvers.core.context import Context
from resolvers.core.deletions import Deletion, finding_what_to_delete
from resolvers.core.errors import Conflict, invalid
from resolvers.sites.locks import find_part
from resolvers.sites.operations import in_organization
from resolvers.sites.redirect_destinations import (
    SiteRedirectDestinationInput,
    missing_members,
    read_destination,
    with_stable_pages,
)

NO_WILDCARD = "needs a source that ends with /*"
CAPTURES = "Whether what a request has in place of `*` is put behind the destination."
PERMANENT = (
    "Whether it is answered with 308 and not with 307, while the site is published for everybody."
)


def _source_field(required: bool) -> Any:
    return inputs.text(
        "Path from the site's root that leads on, with `/*` at its end for everything below. It "
        "differs from other sources of the site whatever the capitals and the percent-encoding.",
        max=MAX_SOURCE,
        pattern=SOURCE_PATTERN,
        allowed=SOURCE_ALLOWED,
        required=required,
    )


@strawberry.input(description="A new redirect.")
class CreateSiteRedirectInput:
    source: str = _source_field(required=True)
    destination: SiteRedirectDestinationInput = inputs.field("Where it leads.", required=True)
    capture_wildcard: Maybe[bool] = inputs.field(f"{CAPTURES} False when absent.")
    permanent: Maybe[bool] = inputs.field(f"{PERMANENT} False when absent.")
    draft: Maybe[bool] = inputs.field("Whether it does not fire yet; false when absent.")


@strawberry.input(description="Changes to a redirect; absent fields stay as they are.")
class UpdateSiteRedirectInput:
    source: Maybe[str] = _source_field(required=False)
    destination: Maybe[SiteRedirectDestinationInput] = inputs.field("Where it leads.")
    capture_wildcard: Maybe[bool] = inputs.field(CAPTURES)
    permanent: Maybe[bool] = inputs.field(PERMANENT)
    draft: Maybe[bool] = inputs.field("Whether it does not fire yet.")


async def create_site_redirect(
    ctx: Context,
    site_id: SiteId,
    input: CreateSiteRedirectInput,
    organization_id: InOrganization = None,
) -> SiteRedirect:
    """Make a redirect; needs the organization role `create`. Conflict when the source has one."""
    where = in_organization(organization_id)
    site = await must(ctx, Site, site_id, Role.CREATE, where=where, lock=True)
    source = _read(input.source)
    row = SiteRedirect(
        site_id=site.id,
        destination=await _destination(ctx, site.id, input.destination),
        permanent=inputs.given(input.permanent, False),
        draft=inputs.given(input.draft, False),
        capture_wildcard=inputs.given(input.capture_wildcard, False),
        created_at=ctx.now(),
        updated_at=ctx.now(),
    )
    set_source(row, input.source, source)
    _check_capture(row)
    await _check_free(ctx, row)
    ctx.session.add(row)
    await ctx.session.flush()
    return row


async def update_site_redirect(
    ctx: Context,
    id: SiteRedirectId,
    input: UpdateSiteRedirectInput,
    site_id: OfSite = None,
    organization_id: InOrganization = None,
) -> SiteRedirect:
    """Change a redirect; needs the organization role `create`. Conflict when the source has one."""
    row = await _locked(ctx, id, site_id, organization_id)
    before = _written(row)
    if input.source is not None:
        set_source(row, input.source.value, _read(input.source.value))
        await _check_free(ctx, row)
    if input.destination is not None:
        row.destination = await _destination(
            ctx, row.site_id, input.destination.value, stored=row.destination
        )
    inputs.assign(row, input, "capture_wildcard", "permanent", "draft")
    _check_capture(row)
    if _written(row) != before:
        row.updated_at = ctx.now()
    return row


def _written(row: SiteRedirect) -> tuple[object, ...]:
    """What callers may change of a redirect."""
    return row.source, row.destination, row.capture_wildcard, row.permanent, row.draft


async def delete_site_redirect(
    ctx: Context,
    id: SiteRedirectId,
    site_id: OfSite = None,
    organization_id: InOrganization = None,
) -> Deletion:
    """Delete a redirect; needs the organization role `create`."""
    with finding_what_to_delete():
        row = await _locked(ctx, id, site_id, organization_id)
    await ctx.session.delete(row)
    return Deletion(deleted_id=row.id, site_id=row.site_id)


def set_source(row: SiteRedirect, text: str, source: Source) -> None:
    """Give a redirect its source: as it was written, and as it is compared."""
    row.source, row.source_key, row.wildcard = text, source.key, source.wildcard


def _read(text: str) -> Source:
    try:
        return read_source(text)
    except SlugError as error:
        raise invalid("source", str(error)) from error


async def _destination(
    ctx: Context,
    site_id: str,
    input: SiteRedirectDestinationInput,
    stored: Data | None = None,
) -> Data:
    """The destination as it is stored; Invalid unless everything in it is there for the caller."""
    read, problem = read_destination(input)
    if problem is not None:
        name, _, message = problem.partition(": ")
        raise invalid(f"destination.{name}", message)
    (destination,) = await with_stable_pages(ctx, [read])
    # One that is broken already may be sent back as it is.
    if destination != stored:
        (missing,) = await missing_members(ctx, [(site_id, destination)], for_caller=True)
        if missing is not None:
            raise invalid(f"destination.{missing}", gone(destination[missing]))
    return destination


def gone(id: str) -> str:
    """The problem of a member of a destination that names nothing."""
    return f"{id!r} does not exist on this site"


def _check_capture(row: SiteRedirect) -> None:
    if row.capture_wildcard and not row.wildcard:
        raise invalid("captureWildcard", NO_WILDCARD)


async def _check_free(ctx: Context, row: SiteRedirect) -> None:
    """Conflict when another redirect of the site has the source; the caller holds the site."""
    statement = select(SiteRedirect.id).where(
        SiteRedirect.site_id == row.site_id,
        SiteRedirect.source_key == row.source_key,
        SiteRedirect.wildcard.is_(row.wildcard),
    )
    with ctx.session.no_autoflush:
        holder = (await ctx.session.execute(statement)).scalars().first()
    if holder is not None and holder != row.id:
        raise Conflict(f"source: {row.source!r} has a redirect already")


async def _locked(
    ctx: Context, id: str, site_id: str | None, organization_id: str | None
) -> SiteRedirect:
    """The redirect, with its site locked: writers of one site's redirects take turns."""
    row = await find_part(ctx, SiteRedirect, id, site_id, organization_id)
    await must(ctx, Site, row.site_id, Role.CREATE, lock=True)
    return await must(ctx, SiteRedirect, row.id, Role.CREATE, lock=True)
