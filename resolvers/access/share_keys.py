"""Keys of share links in published addresses (docs/sites.md, "Share links").

The address of a published site with the audience `share-link` holds a key behind its base. Which
one depends on who asks: the key that the request gives, that of the visitor's own token, or, for
those with the role `create`, that of the oldest active link.
"""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import bindparam, func, select
from sqlalchemy.orm import aliased

from db.enums import Role, SiteVisibility
from db.models.site_settings import ShareLink
from db.models.sites import Site, SiteSpace
from db.models.spaces import Space
from db.prepared import KEY, among
from resolvers.access.policy import ranked
from resolvers.core.context import Context
from resolvers.core.errors import NotFound
from resolvers.core.statements import Viewer, Written, statement

_GIVEN = ShareLink.secret == bindparam("share_key", type_=KEY)
# Conditions of the statement that finds the row: the parameter `share_key` is an active key of the
# site, or of a site that the space stands on.
OPENS_SITE = (
    select(ShareLink.id)
    .where(ShareLink.site_id == Site.id, ShareLink.active.is_(True), _GIVEN)
    .exists()
)
OPENS_SPACE = (
    select(ShareLink.id)
    .join(SiteSpace, SiteSpace.site_id == ShareLink.site_id)
    .where(SiteSpace.space_id == Space.id, ShareLink.active.is_(True), _GIVEN)
    .exists()
)


def needed_key(ctx: Context, share_key: str | None) -> str | None:
    """The key that has to open what is asked for: of visitors who came with one.

    Whoever may read anyway may give any key: a wrong one is in no address of the answer.
    """
    visitor = ctx.actor.visitor
    needs = visitor is not None and visitor.share_key is not None
    return share_key if needs and share_key else None


def use_share_key(ctx: Context, share_key: str | None) -> None:
    """Put a key into the addresses of its site in this answer, if it is an active one."""
    if share_key:
        ctx.share_keys.add(share_key)


def wrong_key(error: NotFound, share_key: str | None) -> NotFound:
    """The error for a row that was looked for with a key: either may be what is wrong."""
    if share_key is None:
        return error
    return NotFound(f"{error.message}; or shareKey is not the key of an active share link of it")


@statement
def _given(viewer: Viewer) -> Written:
    return select(ShareLink.site_id, ShareLink.secret).where(
        among(ShareLink.site_id, "sites"),
        among(ShareLink.secret, "keys"),
        ShareLink.active.is_(True),
    )


@statement
def _oldest(viewer: Viewer) -> Written:
    """The oldest active key of each site on which the caller has the role `create`."""
    other = aliased(ShareLink)
    oldest = (
        select(func.min(other.id))
        .where(other.site_id == ShareLink.site_id, other.active.is_(True))
        .scalar_subquery()
    )
    links, rank = ranked(viewer, ShareLink)
    return links.with_only_columns(ShareLink.site_id, ShareLink.secret).where(
        among(ShareLink.site_id, "sites"), ShareLink.id == oldest, rank >= Role.CREATE.rank
    )


async def share_keys(ctx: Context, sites: Iterable[Any]) -> dict[str, str]:
    """By site: the key in its address for the caller; sites without one are left out.

    `sites` have `id`, `published` and `visibility`.
    """
    ids = {site.id for site in sites if shares_by_key(site)}
    if not ids:
        return {}
    visitor = ctx.actor.visitor
    keys: dict[str, str] = {}
    if visitor is not None and visitor.share_key is not None and visitor.site_id in ids:
        keys[visitor.site_id] = visitor.share_key
    if ctx.share_keys:
        keys.update(dict(await _given.rows(ctx, sites=ids, keys=ctx.share_keys)))
    rest = ids - keys.keys()
    if rest and visitor is None:
        keys.update(dict(await _oldest.rows(ctx, sites=rest)))
    return keys


def shares_by_key(site: Any) -> bool:
    """Whether readers need the key of a share link."""
    return bool(site.published) and site.visibility is SiteVisibility.SHARE_LINK
