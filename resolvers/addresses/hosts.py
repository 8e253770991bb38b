"""Which published site an address belongs to, and how much of its path is the site's own.

In this order: the site's own host name, its id on this server, its basename on the host of its
organization, the site without a basename there, the place where it is proxied. Nobody can take an
address away from another site by saying that theirs is proxied under it.
"""

import enum
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import ColumnElement, Select, String, and_, bindparam, func, or_, select, union_all
from sqlalchemy.orm import aliased

from content.links.published_urls import PublishedUrl
from db.models.organizations import Organization
from db.models.site_settings import AdaptiveSchema, PublishingAuth, ShareLink
from db.models.sites import Site
from db.prepared import KEY, among
from db.sharing import KEYS, SHARED_KEY, PointReads
from resolvers.addresses.sites import ADDRESS_COLUMNS
from resolvers.core.context import Context
from resolvers.core.statements import Viewer, Written, statement

# The first segment of a site's address on this server.
OWN_ROOT = "sites"
# Segments of the longest proxied address that is looked for.
PROXY_DEPTH = 20


class Way(enum.IntEnum):
    """The kinds of addresses that a site has, in the order in which they are tried."""

    HOSTNAME = 0
    OWN = 1
    BASENAME = 2
    HOST_ROOT = 3
    PROXY = 4


@dataclass(frozen=True, slots=True)
class FoundSite:
    """The site of an address."""

    # Columns of the site, of its organization and of its authentication.
    site: Any
    way: Way
    # How many segments of the path lead to the site.
    depth: int
    # Whether an address with more segments may lead to another site.
    open_ended: bool
    # The share key that follows, if it is one of an active link of the site.
    share_key: str | None


def _text(name: str) -> Any:
    return bindparam(name, type_=String())


def _candidates() -> Select[Any]:
    """Ids of the sites that the address may lead to."""
    on_host = select(Site.id).join(Organization, Organization.id == Site.organization_id)
    return select(
        union_all(
            select(Site.id).where(Site.hostname == _text("host")),
            select(Site.id).where(Site.id == bindparam("own_id", type_=KEY)),
            on_host.where(
                Organization.hostname == _text("label"),
                or_(among(Site.basename, "basenames"), Site.basename.is_(None)),
            ),
            select(Site.id).where(among(func.lower(Site.proxy_origin), "origins")),
        )
        .subquery()
        .c[0]
    )


def _link() -> ColumnElement[Any]:
    """The secret of an active link of the site that stands in the path."""
    return (
        select(func.min(ShareLink.secret))
        .where(
            among(ShareLink.secret, "secrets"),
            ShareLink.site_id == Site.id,
            ShareLink.active.is_(True),
        )
        .scalar_subquery()
    )


@statement
def _sites(viewer: Viewer) -> Written:
    other = aliased(Site)
    below = select(other.id).where(
        func.lower(other.proxy_origin).like(_text("below"), escape="\\"),
        other.published.is_(True),
    )
    return (
        select(
            *ADDRESS_COLUMNS,
            Site.previews,
            Site.adaptive_content,
            Site.default_section_id,
            Site.default_site_space_id,
            Organization.hostname.label("label"),
            PublishingAuth.private_key,
            PublishingAuth.backend,
            PublishingAuth.fallback_url,
            PublishingAuth.integration,
            AdaptiveSchema.json_schema,
            _link().label("share_key"),
            below.exists().label("others_below"),
        )
        .join(Organization, Organization.id == Site.organization_id)
        .outerjoin(PublishingAuth, PublishingAuth.site_id == Site.id)
        .outerjoin(AdaptiveSchema, AdaptiveSchema.site_id == Site.id)
        .where(and_(Site.id.in_(_candidates()), Site.published.is_(True)))
        .order_by(Site.id)
    )


@dataclass(frozen=True, slots=True)
class Base:
    """Where this server is reached."""

    host: str
    segments: tuple[str, ...]

    @classmethod
    def of(cls, ctx: Context) -> "Base":
        """That of the installation."""
        parts = urlsplit(ctx.settings.public_url)
        path = tuple(segment for segment in parts.path.split("/") if segment)
        return cls((parts.hostname or "").lower(), path)

    def own_path(self, url: PublishedUrl) -> tuple[str, ...] | None:
        """The path of an address on this server, None for another's."""
        count = len(self.segments)
        if url.host != self.host or url.segments[:count] != self.segments:
            return None
        return url.segments[count:]

    def label(self, host: str) -> str | None:
        """The label before the name of this server; None unless it is exactly one."""
        label, _, rest = host.partition(".")
        return label if rest == self.host else None


@statement
def _hostname(viewer: Viewer) -> Written:
    return select(Site.id, Site.hostname.label(SHARED_KEY)).where(among(Site.hostname, KEYS))


async def is_site_host(points: PointReads, host: str) -> bool:
    """Whether a host name is a site's own, published or not."""
    return await _hostname.read(points, host) is not None


async def find_site(ctx: Context, url: PublishedUrl) -> FoundSite | None:
    """The published site that an address leads to, in one statement; None without one."""
    base = Base.of(ctx)
    own, label = base.own_path(url), base.label(url.host)
    own_id = own[1] if own is not None and len(own) > 1 and own[0] == OWN_ROOT else None
    first = url.segments[:1]
    rows = await _sites.rows(
        ctx,
        host=url.host,
        own_id=own_id,
        label=label,
        basenames={name.lower() for name in first} | set(url.keys[:1]),
        origins=[] if label is not None or url.host == base.host else _origins(url),
        # It follows the site's own segments, of which nothing is known yet.
        secrets=url.segments[: PROXY_DEPTH + 2],
        below=_escaped("/".join((url.host, *url.segments)).lower()) + "/%",
    )
    ways = [_way(row, url, base, own_id, label) for row in rows]
    if not ways:
        return None
    way, shortness, place = min((way, -depth, at) for at, (way, depth) in enumerate(ways))
    row, depth = rows[place], -shortness
    rest = url.segments[depth:]
    return FoundSite(
        row,
        way,
        depth,
        (way is Way.HOST_ROOT and not rest) or (way is Way.PROXY and bool(row.others_below)),
        row.share_key if rest and row.share_key == rest[0] else None,
    )


def _origins(url: PublishedUrl) -> list[str]:
    """Every place under which a proxied site could have this address, folded."""
    ends = range(1, min(len(url.segments), PROXY_DEPTH) + 1)
    return ["/".join((url.host, *url.segments[:end])).lower() for end in ends]


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def _way(
    row: Any, url: PublishedUrl, base: Base, own_id: str | None, label: str | None
) -> tuple[Way, int]:
    """The kind of address that leads to the site, and the number of segments that it takes."""
    if row.hostname is not None and row.hostname == url.host:
        return Way.HOSTNAME, 0
    if own_id is not None and row.id == own_id:
        return Way.OWN, len(base.segments) + 2
    if label is not None and row.label == label:
        return (Way.HOST_ROOT, 0) if row.basename is None else (Way.BASENAME, 1)
    return Way.PROXY, row.proxy_origin.count("/")
