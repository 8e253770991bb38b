"""Addresses that show a published site as a visitor with chosen claims sees it."""

from dataclasses import dataclass
from typing import Annotated

import strawberry

from content.errors import RisonError
from content.published_urls import MAX_URL_LENGTH, address
from content.rison import read_rison_object
from db.enums import Role
from db.models.sites import Site
from resolvers import preview_tokens
from resolvers.arguments import InOrganization, SiteId
from resolvers.context import Context
from resolvers.errors import BadRequest, NotFound, PreconditionFailed
from resolvers.policy import must
from resolvers.published_paths import SiteMap
from resolvers.scalars import read_object
from resolvers.site_urls import site_urls
from resolvers.sites import IN_ORGANIZATION
from resolvers.visitors import everything_in, structure_of

PreviewedSiteSpace = Annotated[
    strawberry.ID | None,
    strawberry.argument(description="Id of the site space to begin at; the root when absent."),
]
PreviewClaims = Annotated[
    str | None,
    strawberry.argument(
        description="Claims of the visitor to look like, as an object in Rison: "
        "`(beta:!t,unsigned:(language:fr))`."
    ),
]
_READ = frozenset(
    {
        "id", "organization_id", "published", "hostname", "proxy_origin", "basename", "visibility",
        "default_section_id", "default_site_space_id",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class SitePreview:
    """Where a preview is found."""

    url: str


async def get_site_preview(
    ctx: Context,
    id: SiteId,
    site_space: PreviewedSiteSpace = None,
    claims: PreviewClaims = None,
    organization_id: InOrganization = None,
) -> SitePreview:
    """An address that shows a published site for an hour as a visitor with these claims sees it,
    whatever its audience; needs the organization role `edit`.

    BadRequest for claims that are no Rison, or too many for an address; PreconditionFailed while
    the site is not published.
    """
    where = None if organization_id is None else IN_ORGANIZATION
    site = await must(
        ctx, Site, id, Role.EDIT, where=where, columns=_READ, organization_id=organization_id
    )
    if not site.published:
        raise PreconditionFailed("only published sites have previews; publish the site first")
    shown_claims = _claims(claims)
    path: tuple[str, ...] = ()
    if site_space is not None:
        path = await _path(ctx, site, site_space)
    if ctx.token_key is None:
        raise RuntimeError("this context was opened without the key of content tokens")
    token = preview_tokens.issue(ctx.token_key, site.id, shown_claims, ctx.now())
    (urls,) = await site_urls(ctx, [site], None)
    assert urls.published is not None
    url = address(urls.published, (*preview_tokens.MARKER, token, *path))
    if len(url) > MAX_URL_LENGTH:
        raise BadRequest(
            f"claims: the address would have {len(url)} characters, at most {MAX_URL_LENGTH} are "
            "allowed; give fewer claims"
        )
    return SitePreview(url)


def _claims(text: str | None) -> dict[str, object]:
    try:
        return read_object(read_rison_object(text)) if text else {}
    except RisonError as error:
        raise BadRequest(f"claims: is not valid Rison: {error}") from error
    except ValueError as error:
        raise BadRequest(f"claims: {error}") from error


async def _path(ctx: Context, site: Site, site_space_id: str) -> tuple[str, ...]:
    structure = await structure_of(ctx, site.id)
    path = SiteMap(site, structure, everything_in(structure)).path_of(None, site_space_id)
    if path is None:
        raise NotFound(f"site space {site_space_id!r} does not exist on this site")
    return path
