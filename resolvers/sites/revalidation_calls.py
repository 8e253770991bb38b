"""Which addresses have to hear of what was changed, and with which tags.

Tags name what is out of date: `site:ID` for the structure, look and settings of a site,
`space:ID` for the primary content of a space and what is shown of it,
`space:ID:change-request:CR` for a preview, by id and by number, and `url:HOST` for what addresses
of a host lead to. Revisions never change, so that they have no tag.
"""

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import Boolean, and_, bindparam, inspect, or_, select, update

from db.commits import (
    BINNED_SPACE,
    CHANGE_REQUEST,
    DELETED_SITE,
    SITE,
    SITE_SPACE,
    SPACE,
    Change,
    note_change,
)
from db.enums import SitePreviews
from db.models.change_requests import ChangeRequest
from db.models.site_settings import (
    AdaptiveSchema,
    CustomHostname,
    PublishingAuth,
    ShareLink,
    SiteCustomization,
    SitePathRedirect,
    SiteRedirect,
    SiteRevalidation,
    SiteSpaceCustomization,
)
from db.models.sites import Site, SiteSection, SiteSectionGroup, SiteSpace
from db.models.spaces import Space
from db.prepared import among
from resolvers.access.drafts import previews_of
from resolvers.access.policy import must_be_operator
from resolvers.addresses.sites import ADDRESS_COLUMNS, site_urls
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.statements import Viewer, Written, rows_in, statement
from resolvers.core.urls import Urls

# Tags of one call; of more than these, change requests are left to their space.
MOST_TAGS = 1_000
ERROR_LENGTH = 300


def _of_site(row: Any) -> Change:
    return SITE, row.site_id


def _space(row: Space) -> Change:
    """Sites show another structure when a space comes into the bin or out of it."""
    binned = inspect(row).attrs.deleted_at.history.has_changes()
    return (BINNED_SPACE if binned else SPACE), row.id


def _change_request(row: Any) -> Change:
    return CHANGE_REQUEST, row.space_id, row.id, str(row.number)


# What of each row makes answers of sites out of date.
CHANGES = {
    Site: lambda row: (SITE, row.id),
    SiteSection: _of_site,
    SiteSectionGroup: _of_site,
    SiteSpace: _of_site,
    SiteCustomization: _of_site,
    SiteSpaceCustomization: lambda row: (SITE_SPACE, row.site_space_id),
    AdaptiveSchema: _of_site,
    PublishingAuth: _of_site,
    ShareLink: _of_site,
    SiteRedirect: _of_site,
    SitePathRedirect: _of_site,
    CustomHostname: _of_site,
    SiteRevalidation: _of_site,
    Space: _space,
    ChangeRequest: _change_request,
}


@dataclass(slots=True)
class Call:
    """The tags that one address is called with."""

    site_id: str
    organization_id: str
    url: str
    # As it is stored.
    secret: str
    tags: set[str] = field(default_factory=set)

    def add(self, other: "Call") -> None:
        """Take over the tags of an earlier call to the same site."""
        self.tags |= other.tags
        self.bound()

    def bound(self) -> None:
        """Leave out the finest tags of too many: those above them say the same."""
        if len(self.tags) > MOST_TAGS:
            spaces = {":".join(tag.split(":")[:2]) for tag in self.tags}
            tags_kept = sorted(spaces)[: MOST_TAGS - 1]
            self.tags = {*tags_kept, f"{SITE}:{self.site_id}"}


@statement
def _called(viewer: Viewer) -> Written:
    """The sites with an address that changes concern; all with one for `everything`."""
    placed = select(SiteSpace.site_id).where(
        or_(among(SiteSpace.id, "site_spaces"), among(SiteSpace.space_id, "spaces"))
    )
    everything = bindparam("everything", type_=Boolean())
    return (
        select(*ADDRESS_COLUMNS, Site.previews, SiteRevalidation.url, SiteRevalidation.secret)
        .join(SiteRevalidation, SiteRevalidation.site_id == Site.id)
        .where(or_(everything, among(Site.id, "sites"), Site.id.in_(placed)))
        .order_by(Site.id)
    )


_placed = rows_in(SiteSpace.site_id, "sites", SiteSpace.id, SiteSpace.site_id, SiteSpace.space_id)


async def revalidation_calls(
    ctx: Context, changes: Iterable[Change], *, everything: bool = False
) -> list[Call]:
    """The calls that changes make necessary, at most one for each site; for the operator.

    `everything` stands for changes that nobody has counted: all sites, with all their spaces.
    """
    must_be_operator(ctx)
    kinds = (SITE, SITE_SPACE, SPACE, BINNED_SPACE, CHANGE_REQUEST)
    ids: dict[str, set[str]] = {kind: set() for kind in kinds}
    # Tags of change requests by the space.
    requests: dict[str, set[str]] = {}
    calls = []
    for kind, id, *names in changes:
        if kind == DELETED_SITE:
            organization, url, secret, *hosts = names
            calls.append(Call(id, organization, url, secret, {f"{SITE}:{id}", *hosts}))
            continue
        ids[kind].add(id)
        if kind == CHANGE_REQUEST:
            tags = {f"{SPACE}:{id}:{CHANGE_REQUEST}:{name}" for name in names}
            requests.setdefault(id, set()).update(tags)
    sites = await _called.rows(
        ctx,
        everything=everything,
        sites=ids[SITE],
        site_spaces=ids[SITE_SPACE],
        spaces=ids[SPACE] | ids[BINNED_SPACE] | ids[CHANGE_REQUEST],
    )
    if not sites:
        return calls
    placed = await _placed.rows(ctx, sites={site.id for site in sites})
    by_site: dict[str, list[Any]] = {}
    for row in placed:
        by_site.setdefault(row.site_id, []).append(row)
    urls = await site_urls(ctx, sites, None)
    for site, addresses in zip(sites, urls, strict=True):
        call = Call(site.id, site.organization_id, site.url, site.secret)
        shown = by_site.get(site.id, [])
        spaces = {space.space_id for space in shown}
        placed_here = (
            any(site_space.id in ids[SITE_SPACE] for site_space in shown)
            or spaces & ids[BINNED_SPACE]
        )
        if everything or site.id in ids[SITE] or placed_here:
            call.tags |= {f"{SITE}:{site.id}", *_url_tags(addresses)}
        changed = spaces if everything else spaces & (ids[SPACE] | ids[BINNED_SPACE])
        call.tags |= {f"{SPACE}:{id}" for id in changed}
        if previews_of(site) is not SitePreviews.NOBODY:
            call.tags.update(*(requests.get(id, ()) for id in spaces))
        call.bound()
        if call.tags:
            calls.append(call)
    return calls


def _url_tags(urls: Urls) -> list[str]:
    """The tag of the host where the site is published."""
    return [] if urls.published is None else [f"url:{urlsplit(urls.published).hostname}"]


async def note_deletion(ctx: Context, site_id: str) -> None:
    """Note whom the deletion of a site concerns, while it is known; for the write that deletes."""
    sites = await _called.rows(ctx, everything=False, sites=[site_id], site_spaces=(), spaces=())
    for site, urls in zip(sites, await site_urls(ctx, sites, None), strict=True):
        named = (DELETED_SITE, site.id, site.organization_id, site.url, site.secret)
        note_change(ctx.session, (*named, *_url_tags(urls)))


@operation(audited=False)
async def record_call(
    ctx: Context, call: Call, moment: dt.datetime, status: int | None, error: str | None
) -> bool:
    """Note how a call ended, unless the address was changed meanwhile; for the operator."""
    must_be_operator(ctx)
    row = SiteRevalidation
    values: dict[str, Any] = {
        "last_attempt_at": moment,
        "last_status": status,
        "last_error": None if error is None else error[:ERROR_LENGTH],
        "failures": 0 if error is None else row.failures + 1,
    }
    if error is None:
        values["last_success_at"] = moment
    await ctx.session.change(
        update(row).where(and_(row.site_id == call.site_id, row.url == call.url)).values(**values)
    )
    return True


def body_of(call: Call, moment: dt.datetime) -> dict[str, Any]:
    """The body of a call: the site and the tags of what is out of date."""
    tags: Sequence[str] = sorted(call.tags)
    return {
        "object": "site-revalidation",
        "organization": call.organization_id,
        "site": call.site_id,
        "time": f"{moment:%Y-%m-%dT%H:%M:%SZ}",
        "tags": tags,
    }
