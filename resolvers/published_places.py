"""Which space an address of a published site belongs to (sites.md section 3).

Segments behind the host and the basename are, in this order: key of a share link, section, site
space, page. What matches nothing begins the path of a page. Sites and spaces are found by the
policy, so nobody finds what they may not see.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import and_, bindparam, func, or_, select

from content.slugs import slug_key
from db.models.people import Organization
from db.models.site_settings import ShareLink
from db.models.sites import Site, SiteSection, SiteSpace
from db.prepared import KEY, among
from resolvers.context import Context
from resolvers.policy import visible
from resolvers.site_urls import takes_labels
from resolvers.statements import Asks, Written, statement

# Segments that the path of a proxied site may have.
ORIGIN_SEGMENTS = 10
# The old form of the path of a site space: `/v/PATH`.
VARIANT = "v"


@dataclass(frozen=True, slots=True)
class Place:
    """A site space, and the segments that stand behind it in the address."""

    site_id: str
    site_space_id: str
    space_id: str
    rest: Sequence[str]


@statement
def _sites(asks: Asks) -> Written:
    own = and_(
        Organization.hostname == bindparam("label", type_=KEY),
        func.lower(Site.basename) == bindparam("basename", type_=KEY),
    )
    return (
        visible(asks, Site)
        .join(Organization, Organization.id == Site.organization_id)
        .with_only_columns(
            Site.id,
            Site.hostname,
            Site.proxy_origin,
            Site.basename,
            Site.default_section_id,
            Site.default_site_space_id,
        )
        .where(
            Site.published.is_(True),
            or_(
                Site.hostname == bindparam("host", type_=KEY),
                among(func.lower(Site.proxy_origin), "origins"),
                own,
                Site.id == bindparam("id", type_=KEY),
            ),
        )
        .order_by(Site.id)
    )


@statement
def _keys(asks: Asks) -> Written:
    return select(ShareLink.id).where(
        ShareLink.site_id == bindparam("site", type_=KEY),
        ShareLink.secret == bindparam("secret", type_=KEY),
        ShareLink.active.is_(True),
    )


@statement
def _spaces(asks: Asks) -> Written:
    """Site spaces that the segments may name, and those that are served where none is named."""
    return (
        visible(asks, SiteSpace)
        .outerjoin(SiteSection, SiteSection.id == SiteSpace.section_id)
        .with_only_columns(
            SiteSpace.id,
            SiteSpace.space_id,
            SiteSpace.path,
            SiteSpace.section_id,
            SiteSection.path.label("section_path"),
            SiteSection.default_site_space_id.label("section_default"),
        )
        .where(
            SiteSpace.site_id == bindparam("site", type_=KEY),
            or_(
                among(func.lower(SiteSpace.path), "paths"),
                SiteSpace.id == SiteSection.default_site_space_id,
                SiteSpace.id == bindparam("default", type_=KEY),
            ),
        )
        .order_by(SiteSpace.position, SiteSpace.id)
    )


async def find_place(ctx: Context, host: str, segments: Sequence[str]) -> Place | None:
    """The site space that an address leads to, for who asks; None when there is none."""
    found = await _site(ctx, host, segments)
    if found is None:
        return None
    site, rest = found
    if rest and await _keys.rows(ctx, site=site.id, secret=rest[0][:64]):
        rest = rest[1:]
    paths = [slug_key(one)[:100] for one in rest[:3]]
    # The database folds some letters otherwise.
    named = {*paths, *(one.lower()[:100] for one in rest[:3])}
    rows = await _spaces.rows(
        ctx, site=site.id, paths=named, default=site.default_site_space_id or ""
    )
    section = site.default_section_id
    sections = {slug_key(row.section_path): row.section_id for row in rows if row.section_id}
    if paths and paths[0] in sections:
        section, rest, paths = sections[paths[0]], rest[1:], paths[1:]
    if len(paths) >= 2 and paths[0] == VARIANT:
        rest, paths = rest[1:], paths[1:]
    within = [row for row in rows if row.section_id == section]
    for row in within:
        if paths and slug_key(row.path) == paths[0]:
            return Place(site.id, row.id, row.space_id, rest[1:])
    for row in within:
        if row.id == (row.section_default if row.section_id else site.default_site_space_id):
            return Place(site.id, row.id, row.space_id, rest)
    return None


async def _site(ctx: Context, host: str, segments: Sequence[str]) -> tuple[Any, list[str]] | None:
    """The site of an address, and the segments behind what names it."""
    own = (urlsplit(ctx.settings.public_url).hostname or "").lower()
    label = host.removesuffix(f".{own}") if host.endswith(f".{own}") else ""
    folded = [slug_key(one) for one in segments[:ORIGIN_SEGMENTS]]
    by_id = segments[1] if host == own and len(segments) > 1 and segments[0] == "sites" else ""
    rows = await _sites.rows(
        ctx,
        host=host[:512],
        origins=["/".join((host, *folded[:end]))[:512] for end in range(1, len(folded) + 1)],
        label=label[:64] if takes_labels(ctx.settings.public_url) else "",
        basename=folded[0][:100] if folded else "",
        id=by_id[:64],
    )
    rest = list(segments)
    best: tuple[int, Any, list[str]] | None = None
    for row in rows:
        taken = _taken(row, host, label, folded, by_id)
        if taken is not None and (best is None or taken > best[0]):
            best = taken, row, rest[taken:]
    return None if best is None else best[1:]


def _taken(site: Any, host: str, label: str, folded: Sequence[str], by_id: str) -> int | None:
    """How many segments name the site; None where it is not found by this address."""
    if site.hostname == host:
        return 0
    if site.proxy_origin is not None:
        origin = site.proxy_origin.lower().split("/")
        if origin == [host, *folded[: len(origin) - 1]]:
            return len(origin) - 1
    if by_id and site.id == by_id:
        return 2
    if label and site.basename is not None and folded[:1] == [slug_key(site.basename)]:
        return 1
    return None
