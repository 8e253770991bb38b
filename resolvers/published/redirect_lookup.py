"""The question which redirect a path of a site has, as clients ask it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from content.errors import SlugError
from content.links.redirect_paths import path_key, path_segments, with_path
from db.models.site_settings import SiteRedirect
from db.models.sites import Site
from db.site_enums import SiteRedirectKind
from resolvers.addresses.bases import site_addresses
from resolvers.core import inputs
from resolvers.core.arguments import InOrganization, ShareKey, SiteId
from resolvers.core.context import Context
from resolvers.core.errors import NotFound, invalid_at
from resolvers.published.paths import read_site_map
from resolvers.published.redirect_search import FoundRedirect, find_site_redirect
from resolvers.sites.operations import get_site
from resolvers.sites.redirect_destinations import KIND, PAGE, SITE_SPACE

# The ids of what no one made for the site: pages that moved, and what the content of a space sets.
AUTOMATIC = "automatic"
OF_CONTENT = "content"

SourcePath = Annotated[str, inputs.argument("Path from the site's root, at most 2,048 characters.")]


@dataclass(frozen=True, slots=True)
class SiteRedirectMatch:
    """The redirect that a path of a site has, and where it leads in the end."""

    redirect: SiteRedirect
    target: str
    status: int


async def get_site_redirect_by_source(
    ctx: Context,
    site_id: SiteId,
    source: SourcePath,
    organization_id: InOrganization = None,
    share_key: ShareKey = None,
) -> SiteRedirectMatch:
    """Where a path of a site leads: the redirect, and the address at the end of the chain.

    NotFound where a page is there or nothing leads on. For pages that moved, and below sections
    and site spaces that were renamed, the redirect is made up and has the id `automatic`; where
    the content of a space sets it (`.gitbook.yaml`), the id `content`.
    """
    site = await get_site(ctx, site_id, organization_id, share_key)
    segments = _segments(source)
    match = await find_redirect_for_caller(ctx, site, segments)
    if match is None:
        raise NotFound(f"nothing leads on from {source[:200]!r} on this site")
    redirect = match.redirect or _made_up(ctx, site, segments, match)
    return SiteRedirectMatch(redirect, match.url, match.status)


def _segments(source: str) -> list[str]:
    with invalid_at("source", SlugError, without="path: "):
        return path_segments(source)


async def find_redirect_for_caller(
    ctx: Context, site: Site, segments: Sequence[str]
) -> FoundRedirect | None:
    """Where a path of a site leads for the viewer, whether the site is published or not."""
    address = (await site_addresses(ctx, {site.id}))[site.id]
    return await find_site_redirect(ctx, site, segments, await read_site_map(ctx, site), address)


def _made_up(
    ctx: Context, site: Site, segments: Sequence[str], match: FoundRedirect
) -> SiteRedirect:
    """A redirect of pages or of content in the form of those that somebody made."""
    assert match.site_space is not None
    assert match.page is not None
    return SiteRedirect(
        id=OF_CONTENT if match.of_content else AUTOMATIC,
        site_id=site.id,
        source=with_path("/", segments),
        source_key=path_key(segments),
        destination={
            KIND: SiteRedirectKind.SITE_PAGE.value,
            SITE_SPACE: match.site_space.id,
            PAGE: match.page.id,
        },
        wildcard=False,
        capture_wildcard=False,
        permanent=True,
        draft=False,
        created_at=ctx.now(),
        updated_at=ctx.now(),
    )
