"""Addresses of sites and of the spaces on them (sites.md section 3)."""

import ipaddress
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import select

from db.enums import SiteVisibility
from db.models.people import Organization
from db.models.sites import Site, SiteSpace
from db.models.spaces import Space
from db.prepared import among
from resolvers.batches import reads
from resolvers.context import Context
from resolvers.site_structure import served_defaults
from resolvers.statements import Asks, Written, statement
from resolvers.urls import Urls


def published_url(public_url: str, site: Any, label: str | None) -> str | None:
    """Where readers find a site; None while it is not published.

    In this order: its own hostname, the address it is proxied under, its basename on the host
    of the organization (`label` before the host of `public_url`), and, where the organization
    has no label or the installation no name to put it before, the site's id on this server.
    """
    if not site.published:
        return None
    if site.hostname:
        return f"https://{site.hostname}"
    if site.proxy_origin:
        return f"https://{site.proxy_origin}"
    parts = urlsplit(public_url)
    if label is None or site.basename is None or _is_address(parts.hostname or ""):
        return _own_address(public_url, site.id)
    return f"{parts.scheme}://{label}.{parts.netloc}/{site.basename}"


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


@statement
def _hostnames(asks: Asks) -> Written:
    return select(Organization.id, Organization.hostname).where(among(Organization.id, "ids"))


async def _labels(ctx: Context, organization_ids: set[str]) -> dict[str, str | None]:
    if not organization_ids:
        return {}
    return dict(await _hostnames.rows(ctx, ids=organization_ids))


@reads("id", "organization_id", "published", "hostname", "proxy_origin", "basename")
async def site_urls(ctx: Context, rows: Sequence[Site], arguments: Any) -> list[Urls]:
    """Where each site is found; `published` only while it is published."""
    base = ctx.settings.public_url
    labels = await _labels(ctx, {row.organization_id for row in rows if row.published})
    return [
        Urls(
            location=f"{base}/v1/orgs/{row.organization_id}/sites/{row.id}",
            app=f"{base}/o/{row.organization_id}/sites/{row.id}",
            published=published_url(base, row, labels.get(row.organization_id)),
        )
        for row in rows
    ]


@statement
def _sites(asks: Asks) -> Written:
    served = served_defaults("sites").subquery()
    return (
        select(
            Site.id,
            Site.published,
            Site.hostname,
            Site.proxy_origin,
            Site.basename,
            Organization.hostname.label("label"),
            served.c.id.label("default_id"),
        )
        .join(Organization, Organization.id == Site.organization_id)
        .outerjoin(served, served.c.site_id == Site.id)
        .where(among(Site.id, "sites"))
    )


@reads("id", "site_id", "path")
async def site_space_urls(ctx: Context, rows: Sequence[SiteSpace], arguments: Any) -> list[Urls]:
    """Where readers find each space: the default at the site's root, others at their path."""
    found = await _sites.rows(ctx, sites={row.site_id for row in rows})
    sites = {site.id: site for site in found}
    return [Urls(published=_space_url(ctx, sites[row.site_id], row)) for row in rows]


def _space_url(ctx: Context, site: Any, row: SiteSpace) -> str | None:
    root = published_url(ctx.settings.public_url, site, site.label)
    return root if root is None or row.id == site.default_id else f"{root}/{row.path}"


@statement
def on_published_sites(asks: Asks) -> Written:
    """The published sites that spaces are on; sites do not show what is in the bin."""
    return (
        select(SiteSpace.id, SiteSpace.site_id, SiteSpace.space_id, SiteSpace.path, Site.visibility)
        .join(Site, Site.id == SiteSpace.site_id)
        .join(Space, Space.id == SiteSpace.space_id)
        .where(among(SiteSpace.space_id, "spaces"), Site.published.is_(True))
        .where(Space.deleted_at.is_(None))
        .order_by(Site.id)
    )


async def published_spaces(
    ctx: Context, space_ids: Collection[str]
) -> dict[str, list[tuple[SiteVisibility, str]]]:
    """By space: the audience and the address of each published site it is on, oldest first."""
    rows = await on_published_sites.once(ctx, spaces=space_ids)
    found: dict[str, list[tuple[SiteVisibility, str]]] = {}
    if rows:
        for row, urls in zip(rows, await site_space_urls(ctx, rows, None), strict=True):
            if urls.published is not None:
                found.setdefault(row.space_id, []).append((row.visibility, urls.published))
    return found


@dataclass(frozen=True, slots=True)
class SiteProxy:
    """A site served below another host's path."""

    origin: str
    target: str


@reads("id", "proxy_origin")
async def site_proxies(
    ctx: Context, rows: Sequence[Site], arguments: Any
) -> list[SiteProxy | None]:
    """The address each site is proxied under, and where the proxy must forward to."""
    base = ctx.settings.public_url
    return [
        SiteProxy(row.proxy_origin, _own_address(base, row.id)) if row.proxy_origin else None
        for row in rows
    ]
