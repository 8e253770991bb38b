"""Custom host names of sites (docs/sites.md, "Custom host names").

A name is claimed for a site, and serves it once DNS leads to this server. The check takes seconds,
so it stands between two transactions: the first notes that it runs, the second its result.
"""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import strawberry
from sqlalchemy import bindparam, select

from db.enums import Role
from db.models.site_settings import CustomHostname
from db.models.sites import Site
from db.prepared import KEY
from db.site_enums import CustomHostnameStatus
from resolvers.access.policy import must, ranks_of
from resolvers.core import inputs
from resolvers.core.context import Context
from resolvers.core.declarations import Transactions, operation
from resolvers.core.deletions import Deletion, finding_what_to_delete
from resolvers.core.errors import BadRequest, Conflict, invalid
from resolvers.core.hostname_checks import WRONG
from resolvers.core.runners import run
from resolvers.core.scalars import Url
from resolvers.core.statements import rows_in
from resolvers.lists.batches import computed_from, reads

PATTERN = r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?[.]){2,}[a-z0-9][a-z0-9-]{0,61}[a-z0-9]"
ALLOWED = "three or more labels of lower-case letters, digits and hyphens, at most 253 characters"
HOSTNAME_LENGTH = 253
# A check that has not ended after this time never will: its process is gone.
CHECK_TIME = dt.timedelta(seconds=30)
_NAMED = CustomHostname.hostname == bindparam("hostname", type_=KEY)

Hostname = Annotated[str, inputs.argument("The custom host name, such as docs.example.com.")]


@strawberry.input(description="What a custom host name leads to: a site.")
class HostnameTargetInput:
    type: str = inputs.text("Always `site`.", pattern="site", allowed="'site'", required=True)
    site: strawberry.ID = inputs.text("Id of the site.", required=True)


@strawberry.input(description="A custom host name for a site.")
class SetCustomHostnameInput:
    target: HostnameTargetInput = inputs.field("What it leads to.", required=True)


def _with_name(hostname: str) -> dict[str, Any]:
    """The arguments by which `must` finds a host name, which has no other id."""
    return {"where": _NAMED, "hostname": hostname.lower()[: HOSTNAME_LENGTH + 1]}


async def get_custom_hostname(ctx: Context, hostname: Hostname) -> CustomHostname:
    """A custom host name; needs the role `admin` of the organization that owns its site."""
    return await must(ctx, CustomHostname, None, Role.ADMIN, **_with_name(hostname))


@operation(transactions=Transactions.IN_STEPS)
async def set_custom_hostname(
    ctx: Context, hostname: Hostname, input: SetCustomHostnameInput
) -> CustomHostname:
    """Claim a host name for a site and check whether it leads to this server.

    Needs the role `admin` of the organization. The site is served under it once its status is
    `live`. One name serves one site, which has no other: else it is a conflict, and so is a site
    that is proxied. Claiming the same name again checks it again.
    """
    await run(ctx, _claim, hostname, input.target.site)
    return await _check(ctx, hostname)


@operation(transactions=Transactions.IN_STEPS)
async def recheck_custom_hostname(ctx: Context, hostname: Hostname) -> CustomHostname:
    """Check again whether a custom host name leads to this server.

    Needs the role `admin` of the organization. A conflict while another check runs; a bad request
    when its site cannot be served under it, because it is proxied.
    """
    await run(ctx, _begin_check, hostname)
    return await _check(ctx, hostname)


async def delete_custom_hostname(ctx: Context, hostname: Hostname) -> Deletion:
    """Give up a custom host name: its site is served at its own address again.

    Needs the role `admin` of the organization.
    """
    with finding_what_to_delete():
        row = await must(ctx, CustomHostname, None, Role.ADMIN, lock=True, **_with_name(hostname))
    site = await _site_of(ctx, row)
    if site.hostname == row.hostname:
        site.hostname = None
    await ctx.session.delete(row)
    return Deletion(deleted_id=row.hostname, site_id=site.id)


async def refuse_proxy_beside_hostname(ctx: Context, site: Site) -> None:
    """Conflict when a site has a custom host name: it cannot be proxied as well."""
    statement = select(CustomHostname.hostname).where(CustomHostname.site_id == site.id)
    name = (await ctx.session.execute(statement)).scalar()
    if name is not None or site.hostname is not None:
        raise Conflict(
            f"proxy: the site has the custom host name {name or site.hostname!r}, which excludes "
            "a proxy; delete it first"
        )


@operation(transactions=Transactions.BEFORE_SLOW_WORK)
async def _claim(ctx: Context, hostname: str, site_id: str) -> CustomHostname:
    site = await must(ctx, Site, site_id, Role.ADMIN, lock=True)
    for problem in inputs.Bounds(None, HOSTNAME_LENGTH, PATTERN, ALLOWED).problems(hostname):
        raise invalid("hostname", problem)
    if site.proxy_origin is not None:
        raise Conflict("hostname: the site is proxied, which excludes a custom host name")
    same_name = select(CustomHostname).where(
        (CustomHostname.hostname == hostname) | (CustomHostname.site_id == site.id)
    )
    row: CustomHostname
    for row in (await ctx.session.execute(same_name.with_for_update())).scalars():
        if row.site_id != site.id:
            raise Conflict(f"hostname: {hostname!r} is taken")
        if row.hostname != hostname:
            raise Conflict(f"hostname: the site has {row.hostname!r} already; delete it first")
        _note_check(ctx, row)
        return row
    claimed = CustomHostname(hostname=hostname, site_id=site.id, checking_since=ctx.now())
    ctx.session.add(claimed)
    return claimed


@operation(transactions=Transactions.BEFORE_SLOW_WORK)
async def _begin_check(ctx: Context, hostname: str) -> CustomHostname:
    row = await must(ctx, CustomHostname, None, Role.ADMIN, lock=True, **_with_name(hostname))
    site = await _site_of(ctx, row)
    if site.proxy_origin is not None:
        raise BadRequest("the target is not usable: the site is proxied")
    _note_check(ctx, row)
    return row


def _note_check(ctx: Context, row: CustomHostname) -> None:
    if row.checking_since is not None and ctx.now() - row.checking_since < CHECK_TIME:
        raise Conflict("a check of this host name is running; its result will be there soon")
    row.checking_since = ctx.now()


async def _check(ctx: Context, hostname: str) -> CustomHostname:
    if ctx.hostnames is None:
        raise RuntimeError("this context was opened without a provider of host names")
    status = CustomHostnameStatus.INTERNAL_ERROR
    try:
        status = await ctx.hostnames.status(hostname.lower())
    finally:
        row = await run(ctx, _store, hostname, status)
    return row


@operation(audited=False)
async def _store(ctx: Context, hostname: str, status: CustomHostnameStatus) -> CustomHostname:
    """Note the result of a check; the site follows it, unless it may be a passing trouble."""
    row = await must(ctx, CustomHostname, None, Role.ADMIN, lock=True, **_with_name(hostname))
    site = await _site_of(ctx, row)
    row.status, row.checked_at, row.checking_since = status, ctx.now(), None
    if status is CustomHostnameStatus.LIVE and site.proxy_origin is None:
        site.hostname = row.hostname
    elif status in WRONG and site.hostname == row.hostname:
        site.hostname = None
    await ctx.session.flush()
    return row


async def _site_of(ctx: Context, row: CustomHostname) -> Site:
    statement = select(Site).where(Site.id == row.site_id)
    statement = statement.with_for_update(key_share=True).execution_options(populate_existing=True)
    site: Site = (await ctx.session.execute(statement)).scalar_one()
    return site


# ------------------------------------------------------------------ fields


@dataclass(frozen=True, slots=True)
class CustomHostnameUrls:
    """Where a custom host name is found in /v1."""

    location: Url


@dataclass(frozen=True, slots=True)
class DnsRecord:
    """A record that the owner of a domain sets."""

    type: str
    name: str
    value: str


@computed_from("hostname")
async def dns_records(
    ctx: Context, rows: Sequence[CustomHostname], arguments: Any
) -> list[list[DnsRecord]]:
    """What DNS has to say of each host name, so that it leads here."""
    target = ctx.settings.hostname_target
    return [[DnsRecord("CNAME", row.hostname, target)] for row in rows]


@computed_from("hostname")
async def custom_hostname_urls(
    ctx: Context, rows: Sequence[CustomHostname], arguments: Any
) -> list[CustomHostnameUrls]:
    """Where each host name is found."""
    base = ctx.settings.public_url
    return [CustomHostnameUrls(Url(f"{base}/v1/custom-hostnames/{row.hostname}")) for row in rows]


_serving = rows_in(Site.id, "sites", Site.id, Site.hostname)


@reads("hostname", "site_id")
async def are_active(ctx: Context, rows: Sequence[CustomHostname], arguments: Any) -> list[bool]:
    """Whether each host name serves its site now."""
    hostnames = dict(await _serving.rows(ctx, sites={row.site_id for row in rows}))
    return [hostnames.get(row.site_id) == row.hostname for row in rows]


_of_sites = rows_in(CustomHostname.site_id, "sites")


@reads("id")
async def custom_hostnames_of_sites(
    ctx: Context, rows: Sequence[Site], arguments: Any
) -> list[CustomHostname | None]:
    """The host name that is claimed for each site; for administrators of the organization."""
    ranks = await ranks_of(ctx, Site, rows)
    allowed = {row.id for row, rank in zip(rows, ranks, strict=True) if rank >= Role.ADMIN.rank}
    if not allowed:
        return [None] * len(rows)
    hostnames = {row.site_id: row for row in await _of_sites.rows(ctx, sites=allowed)}
    return [hostnames.get(row.id) for row in rows]
