"""How the visitors of a site are authenticated (docs/sites.md, "Audiences")."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import strawberry
from sqlalchemy import bindparam, select
from strawberry import Maybe

from db.enums import Role, TokenScope
from db.ids import random_text
from db.integration_enums import IntegrationScope
from db.models.integrations import Integration, SiteInstallation
from db.models.site_settings import PRIVATE_KEY_LENGTH, PublishingAuth
from db.models.sites import Site
from db.prepared import ACTOR_RANK, KEY
from db.site_enums import PublishingAuthBackend
from resolvers.access.policy import ranks_of
from resolvers.addresses.sign_in import LOCATION
from resolvers.core import inputs
from resolvers.core.arguments import InOrganization, SiteId
from resolvers.core.batch_functions import only
from resolvers.core.context import Context
from resolvers.core.errors import NotFound, invalid
from resolvers.core.scalars import Url
from resolvers.core.statements import Viewer, Written, rows_in, statement
from resolvers.lists.batches import reads
from resolvers.sites.operations import must_site


@strawberry.input(
    description="Changes to how visitors are authenticated; absent fields stay as they are."
)
class UpdateSitePublishingAuthInput:
    backend: Maybe[PublishingAuthBackend] = inputs.field("Who signs the tokens of visitors.")
    fallback_url: Maybe[Url | None] = inputs.field(
        "Where visitors without a valid token are sent, with `location`, the path that they "
        "wanted to read, in the query; null removes it.",
        name="fallbackURL",
    )


@statement
def _auth(viewer: Viewer) -> Written:
    return select(PublishingAuth).where(PublishingAuth.site_id == bindparam("site_id", type_=KEY))


async def get_site_publishing_auth(
    ctx: Context, id: SiteId, organization_id: InOrganization = None
) -> PublishingAuth:
    """How the visitors of a site are authenticated, with the key that signs their tokens; needs
    the organization role `create`.
    """
    await must_site(ctx, id, organization_id, Role.CREATE, projection=only("id"))
    rows = await _auth.rows(ctx, site_id=id)
    if not rows:
        raise NotFound(f"site {id!r} has no settings of its visitors")
    auth: PublishingAuth = rows[0]
    return auth


_auths = rows_in(PublishingAuth.site_id, "sites")


@reads("id", ACTOR_RANK, scope=TokenScope.SITE_AUTH_READ)
async def publishing_auths_of_sites(
    ctx: Context, rows: Sequence[Site], arguments: Any
) -> list[PublishingAuth | None]:
    """How the visitors of each site are authenticated; None without the role `create`."""
    ranks = zip(rows, await ranks_of(ctx, Site, rows), strict=True)
    allowed = {row.id for row, rank in ranks if rank >= Role.CREATE.rank}
    if not allowed or ctx.actor.visitor is not None:
        return [None] * len(rows)
    auths = {auth.site_id: auth for auth in await _auths.rows(ctx, sites=allowed)}
    return [auths.get(row.id) for row in rows]


async def update_site_publishing_auth(
    ctx: Context,
    id: SiteId,
    input: UpdateSitePublishingAuthInput,
    organization_id: InOrganization = None,
) -> PublishingAuth:
    """Change how the visitors of a site are authenticated; needs the organization role `create`."""
    auth = await _locked(ctx, id, organization_id)
    if input.fallback_url is not None:
        url = input.fallback_url.value
        if url is not None and _has_location(url):
            raise invalid(
                "fallbackURL",
                f"{LOCATION!r} stands in its query already; it is where the visitor wanted to read",
            )
        auth.fallback_url = url
    inputs.assign(auth, input, "backend")
    if input.backend is not None:
        auth.integration = await _authenticating(ctx, auth)
    auth.updated_at = ctx.now()
    return auth


async def _authenticating(ctx: Context, auth: PublishingAuth) -> str | None:
    """The name of the first integration on the site that may sign visitors in, where one is to.

    None where there is none yet: then it is the first one that will be there.
    """
    if auth.backend is not PublishingAuthBackend.INTEGRATION:
        return None
    installed = await ctx.session.execute(
        select(Integration.name, Integration.scopes)
        .join(SiteInstallation, SiteInstallation.integration_id == Integration.id)
        .where(SiteInstallation.site_id == auth.site_id)
        .order_by(SiteInstallation.created_at, SiteInstallation.id)
    )
    names = [
        row.name for row in installed if IntegrationScope.SITE_VISITOR_AUTH.value in row.scopes
    ]
    return names[0] if names else None


async def regenerate_site_publishing_auth(
    ctx: Context, id: SiteId, organization_id: InOrganization = None
) -> PublishingAuth:
    """Give a site a new key for the tokens of its visitors: all that were signed with the old one
    stop being valid at once. Needs the organization role `create`.
    """
    auth = await _locked(ctx, id, organization_id)
    auth.private_key = random_text(PRIVATE_KEY_LENGTH)
    auth.updated_at = ctx.now()
    return auth


async def _locked(ctx: Context, id: str, organization_id: str | None) -> PublishingAuth:
    site = await must_site(ctx, id, organization_id, Role.CREATE, lock=True)
    auth = await ctx.session.get(PublishingAuth, site.id, populate_existing=True)
    if auth is None:
        # Sites that were made without one.
        auth = PublishingAuth(site_id=site.id)
        ctx.session.add(auth)
        await ctx.session.flush()
    return auth


def _has_location(url: str) -> bool:
    pairs = parse_qsl(urlsplit(url).query, keep_blank_values=True)
    return any(name == LOCATION for name, _ in pairs)
