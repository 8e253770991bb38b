"""A published site as a renderer wants it: structure, look and scripts at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from sqlalchemy import bindparam

from db.models.sites import Site, SiteSpace
from db.prepared import KEY, among
from resolvers.access.policy import visible
from resolvers.access.share_keys import needed_key
from resolvers.core import inputs
from resolvers.core.actors import Visitor
from resolvers.core.arguments import InOrganization, SiteId
from resolvers.core.batch_functions import ALL, Projection
from resolvers.core.context import Context
from resolvers.core.errors import NotFound
from resolvers.core.statements import Viewer, Written, statement
from resolvers.customization import operations as customizations
from resolvers.integrations import fields as site_integrations
from resolvers.lists.batches import reads
from resolvers.published.visitors import as_visitor, is_active
from resolvers.sites.operations import must_site
from resolvers.sites.sections import SiteStructure, structures_of_sites

PublishedShareKey = Annotated[
    str | None, inputs.argument("Key of an active share link of the site.")
]


@dataclass(frozen=True, slots=True)
class PublishedSite:
    """A published site, and who sees as much of it as the caller."""

    site: Site
    visitor: Visitor


@statement
def _readable(viewer: Viewer) -> Written:
    return (
        visible(viewer, SiteSpace)
        .with_only_columns(SiteSpace.id, SiteSpace.section_id, SiteSpace.space_id)
        .where(SiteSpace.site_id == bindparam("site_id", type_=KEY))
    )


async def get_published_content_site(
    ctx: Context,
    id: SiteId,
    organization_id: InOrganization = None,
    share_key: PublishedShareKey = None,
) -> PublishedSite:
    """A published site with its structure, its look and its scripts, as far as you may see it.

    Sections and groups in which there is nothing for you are left out. NotFound while the site is
    not published, and for visitors who need a share key with one that opens nothing.
    """
    site = await must_site(ctx, id, organization_id)
    if not site.published:
        raise NotFound(f"site {id!r} is not published")
    key = needed_key(ctx, share_key)
    if key is not None and not await is_active(ctx, site.id, key):
        raise NotFound(f"shareKey: {key[:64]!r} is no key of an active share link")
    visitor = ctx.actor.visitor
    if visitor is None:
        rows = await _readable.rows(ctx, site_id=site.id)
        visitor = Visitor(
            site.id,
            site.organization_id,
            frozenset(row.section_id for row in rows if row.section_id is not None),
            frozenset(row.id for row in rows),
            frozenset(row.space_id for row in rows),
        )
    return PublishedSite(site, visitor)


def seeing_it(ctx: Context, row: PublishedSite) -> Any:
    """The request as somebody makes it to whom there is nothing of a site but what is shown."""
    return as_visitor(ctx, row.visitor)


async def published_structures(
    ctx: Context, rows: Sequence[PublishedSite], arguments: Any
) -> list[SiteStructure]:
    """The structure of each site."""
    return await structures_of_sites(ctx, [row.site for row in rows], None)


async def published_customizations(
    ctx: Context, rows: Sequence[PublishedSite], arguments: Any
) -> list[Any]:
    """How each site looks."""
    return list(await customizations.site_customizations(ctx, [row.site for row in rows], None))


@statement
def _placed(viewer: Viewer) -> Written:
    return (
        visible(viewer, SiteSpace)
        .where(among(SiteSpace.site_id, "sites"))
        .order_by(SiteSpace.place, SiteSpace.id)
    )


@reads("site")
async def published_site_spaces(
    ctx: Context, rows: Sequence[PublishedSite], arguments: Any, projection: Projection = ALL
) -> list[list[SiteSpace]]:
    """The site spaces of each site: a site has a bounded number."""
    selected = projection.columns_with("id", "site_id")
    ids = {row.site.id for row in rows}
    spaces_by_site: dict[str, list[SiteSpace]] = {}
    for row in await _placed.rows(ctx, columns=selected, sites=ids):
        spaces_by_site.setdefault(row.site_id, []).append(row)
    return [spaces_by_site.get(row.site.id, []) for row in rows]


async def published_scripts(
    ctx: Context, rows: Sequence[PublishedSite], arguments: Any
) -> list[list[site_integrations.SiteIntegrationScript]]:
    """The scripts that integrations add to the pages of each site."""
    sites = [row.site for row in rows]
    return await site_integrations.integration_scripts_of_sites(ctx, sites, None)
