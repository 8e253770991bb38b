"""Addresses of sites and of the spaces on them (docs/sites.md)."""

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import select

from db.enums import SiteVisibility
from db.models.organizations import Organization
from db.models.sites import Site, SiteSection, SiteSpace
from db.models.spaces import Space
from db.prepared import among
from resolvers.access.share_keys import share_keys
from resolvers.addresses.defaults import defaults_of_levels, served_sections
from resolvers.core.context import Context
from resolvers.core.statements import Viewer, Written, rows_in, statement
from resolvers.core.urls import Urls
from resolvers.lists.batches import computed_from, reads

# What the address of a site is made of, beside the host of its organization and a share key.
ADDRESS_COLUMNS = (
    Site.id,
    Site.organization_id,
    Site.published,
    Site.visibility,
    Site.hostname,
    Site.proxy_origin,
    Site.basename,
)


def published_url(
    public_url: str, site: Any, label: str | None, share_key: str | None = None
) -> str | None:
    """Where readers find a site; None while it is not published. A share key is its last part."""
    if not site.published:
        return None
    base = base_url(public_url, site, label)
    return base if share_key is None else f"{base}/{share_key}"


def base_url(public_url: str, site: Any, label: str | None) -> str:
    """Where readers find a site once it is published, without a share key.

    In this order: its own hostname, the address it is proxied under, its basename on the host
    of the organization (`label` before the host of `public_url`; the root of that host for the
    site without a basename), and, where the organization has no label or the installation no
    name to put it before, the site's id on this server.
    """
    if site.hostname:
        return hostname_url(public_url, site.hostname)
    if site.proxy_origin:
        return f"https://{site.proxy_origin}"
    parts = urlsplit(public_url)
    if label is None or _is_address(parts.hostname or ""):
        return _own_address(public_url, site.id)
    root = f"{parts.scheme}://{label}.{parts.netloc}"
    return root if site.basename is None else f"{root}/{site.basename}"


def hostname_url(public_url: str, hostname: str) -> str:
    """The address of a site's own host name. It leads to this server, so where this is reached at
    a port, that is reached in the same way; else by https.
    """
    parts = urlsplit(public_url)
    if parts.port is None:
        return f"https://{hostname}"
    return f"{parts.scheme}://{hostname}:{parts.port}"


def _own_address(public_url: str, site_id: str) -> str:
    return f"{public_url}/sites/{site_id}"


def takes_labels(public_url: str) -> bool:
    """Whether organizations can have hosts of their own below the public one."""
    return not _is_address(urlsplit(public_url).hostname or "")


def _is_address(host: str) -> bool:
    """Whether the host is an IP address, which no label can be put before."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


_hostnames = rows_in(Organization.id, "ids", Organization.id, Organization.hostname)


async def _labels(ctx: Context, organization_ids: set[str]) -> dict[str, str | None]:
    if not organization_ids:
        return {}
    return dict(await _hostnames.rows(ctx, ids=organization_ids))


@reads("id", "organization_id", "published", "visibility", "hostname", "proxy_origin", "basename")
async def site_urls(ctx: Context, rows: Sequence[Site], arguments: Any) -> list[Urls]:
    """Where each site is found; `published` only while it is published."""
    base = ctx.settings.public_url
    labels = await _labels(ctx, {row.organization_id for row in rows if row.published})
    keys = await share_keys(ctx, rows)
    return [
        Urls(
            location=f"{base}/v1/orgs/{row.organization_id}/sites/{row.id}",
            app=f"{base}/o/{row.organization_id}/sites/{row.id}",
            published=published_url(base, row, labels.get(row.organization_id), keys.get(row.id)),
        )
        for row in rows
    ]


@statement
def _sites(viewer: Viewer) -> Written:
    served = served_sections("sites").subquery()
    return (
        select(
            *ADDRESS_COLUMNS,
            Organization.hostname.label("label"),
            served.c.id.label("section_id"),
        )
        .join(Organization, Organization.id == Site.organization_id)
        .outerjoin(served, served.c.site_id == Site.id)
        .where(among(Site.id, "sites"))
    )


_section_paths = rows_in(SiteSection.id, "sections", SiteSection.id, SiteSection.path)


@reads("id", "site_id", "path")
async def section_urls(ctx: Context, rows: Sequence[SiteSection], arguments: Any) -> list[Urls]:
    """Where readers find each section: the default at the site's root, others at their path."""
    sites_read = await _sites.once(ctx, list, sites=sorted({row.site_id for row in rows}))
    sites = {site.id: site for site in sites_read}
    keys = await share_keys(ctx, sites_read)
    return [
        Urls(
            published=_section_url(ctx, sites[row.site_id], row.id, row.path, keys.get(row.site_id))
        )
        for row in rows
    ]


@reads("id", "site_id", "section_id", "path")
async def site_space_urls(ctx: Context, rows: Sequence[SiteSpace], arguments: Any) -> list[Urls]:
    """Where readers find each space: at the root of its section, or below it at its path."""
    ids = {row.site_id for row in rows}
    sites = {site.id: site for site in await _sites.once(ctx, list, sites=sorted(ids))}
    if not any(site.published for site in sites.values()):
        return [Urls() for _ in rows]
    keys = await share_keys(ctx, list(sites.values()))
    sections = {row.section_id for row in rows if row.section_id is not None}
    paths = (
        dict(await _section_paths.once(ctx, list, sections=sorted(sections))) if sections else {}
    )
    defaults = {
        site_space.id for site_space in await defaults_of_levels.once(ctx, list, sites=sorted(ids))
    }
    urls = []
    for row in rows:
        site, section = sites[row.site_id], row.section_id
        root = _section_url(ctx, site, section, paths.get(section), keys.get(site.id))
        below = "" if row.id in defaults else f"/{row.path}"
        urls.append(Urls(published=None if root is None else root + below))
    return urls


def _section_url(
    ctx: Context, site: Any, section_id: str | None, path: str | None, share_key: str | None
) -> str | None:
    """Where a section is found, or the root of a site without sections."""
    root = published_url(ctx.settings.public_url, site, site.label, share_key)
    if root is None or section_id is None or section_id == site.section_id:
        return root
    return f"{root}/{path}"


@statement
def on_published_sites(viewer: Viewer) -> Written:
    """The published sites that spaces are on; sites do not show what is in the bin."""
    return (
        select(
            SiteSpace.id,
            SiteSpace.site_id,
            SiteSpace.section_id,
            SiteSpace.space_id,
            SiteSpace.path,
            Site.visibility,
        )
        .join(Site, Site.id == SiteSpace.site_id)
        .join(Space, Space.id == SiteSpace.space_id)
        .where(among(SiteSpace.space_id, "spaces"), Site.published.is_(True))
        .where(Space.deleted_at.is_(None))
        .order_by(Site.id)
    )


async def published_spaces(
    ctx: Context, space_ids: Sequence[str]
) -> dict[str, list[tuple[SiteVisibility, str]]]:
    """By space: the audience and the address of each published site it is on, oldest first."""
    rows = await on_published_sites.once(ctx, list, spaces=space_ids)
    if ctx.actor.visitor is not None:
        # Visitors are on one site, whatever others show the space.
        rows = [row for row in rows if row.site_id == ctx.actor.visitor.site_id]
    sites: dict[str, list[tuple[SiteVisibility, str]]] = {}
    if rows:
        for row, urls in zip(rows, await site_space_urls(ctx, rows, None), strict=True):
            if urls.published is not None:
                sites.setdefault(row.space_id, []).append((row.visibility, urls.published))
    return sites


@dataclass(frozen=True, slots=True)
class SiteProxy:
    """A site served below another host's path."""

    origin: str
    target: str


@computed_from("id", "proxy_origin")
async def site_proxies(
    ctx: Context, rows: Sequence[Site], arguments: Any
) -> list[SiteProxy | None]:
    """The address each site is proxied under, and where the proxy must forward to."""
    base = ctx.settings.public_url
    return [
        SiteProxy(row.proxy_origin, _own_address(base, row.id)) if row.proxy_origin else None
        for row in rows
    ]
