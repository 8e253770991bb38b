"""Custom host names: claiming, checking, giving up; labels of organizations."""

import asyncio
import datetime as dt
import socket
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import pytest
from sqlalchemy import select
from strawberry import Some

from db.enums import Role
from db.models.site_settings import CustomHostname
from db.models.sites import Site
from db.session import Session
from db.site_enums import CustomHostnameStatus
from fetching.errors import FetchError
from fetching.host_names import HostRecord, look_up
from resolvers.core.context import Context
from resolvers.core.errors import BadRequest, Conflict, Forbidden, Invalid, NotFound
from resolvers.core.hostname_checks import DnsProvider
from resolvers.core.runners import read, run
from resolvers.sites import custom_hostnames, operations as sites
from resolvers.sites.custom_hostnames import HostnameTargetInput, SetCustomHostnameInput
from resolvers.sites.operations import UpdateSiteInput
from tests.conftest import Api, World, context, settle
from tests.deleting import removes
from tests.factories import make_member, make_organization, make_site

NAME = "docs.acme.example"
LIVE, GONE = CustomHostnameStatus.LIVE, CustomHostnameStatus.DNS_NO_CNAME
ELSEWHERE = CustomHostnameStatus.DNS_WRONG_CNAME
TROUBLE = CustomHostnameStatus.INTERNAL_ERROR


class Fixed:
    """A provider that knows one state; it does something while it is asked."""

    def __init__(
        self, status: CustomHostnameStatus, meanwhile: Callable[[], Awaitable[Any]] | None = None
    ) -> None:
        self.answer = status
        self.meanwhile = meanwhile
        self.asked: list[str] = []

    async def status(self, hostname: str) -> CustomHostnameStatus:
        self.asked.append(hostname)
        if self.meanwhile is not None:
            await self.meanwhile()
        return self.answer


def knowing(ctx: Context, provider: Any) -> Context:
    ctx.hostnames = provider if hasattr(provider, "status") else Fixed(provider)
    return ctx


def leading_to(site: Site | str) -> SetCustomHostnameInput:
    id = site if isinstance(site, str) else site.id
    return SetCustomHostnameInput(target=HostnameTargetInput(type="site", site=id))


async def claim(
    session: Session, world: World, site: Site, provider: Any = LIVE, name: str = NAME
) -> CustomHostname:
    ctx = knowing(context(session, world.admin), provider)
    return await run(ctx, custom_hostnames.set_custom_hostname, name, leading_to(site))


async def hostname_of(session: Session, site: Site) -> str | None:
    found = await session.execute(select(Site.hostname).where(Site.id == site.id))
    return found.scalar_one()


@pytest.mark.parametrize("status", [LIVE, GONE, ELSEWHERE, TROUBLE])
async def test_a_site_is_served_under_a_name_that_is_live(
    session: Session, world: World, status: CustomHostnameStatus
) -> None:
    site = await make_site(session, world.organization, published=True)
    await settle(session)
    row = await claim(session, world, site, status)
    assert (row.status, row.checking_since, row.site_id) == (status, None, site.id)
    assert row.checked_at is not None
    assert await hostname_of(session, site) == (NAME if status is LIVE else None)


async def test_rechecks_follow_the_name(session: Session, world: World) -> None:
    site = await make_site(session, world.organization)
    await settle(session)
    await claim(session, world, site, GONE)
    for status, served in ((LIVE, NAME), (TROUBLE, NAME), (ELSEWHERE, None), (TROUBLE, None),
                           (LIVE, NAME), (GONE, None)):  # fmt: skip
        ctx = knowing(context(session, world.admin), status)
        row = await run(ctx, custom_hostnames.recheck_custom_hostname, NAME.upper())
        assert row.status is status
        assert await hostname_of(session, site) == served
        assert await custom_hostnames.are_active(ctx, [row], None) == [served is not None]


async def test_one_name_for_one_site(session: Session, world: World) -> None:
    first, second = [await make_site(session, world.organization) for _ in range(2)]
    foreign = await make_organization(session)
    await make_member(session, foreign, Role.ADMIN, world.admin)
    third = await make_site(session, foreign)
    await settle(session)
    await claim(session, world, first)
    for site in (second, third):
        with pytest.raises(Conflict, match="is taken"):
            await claim(session, world, site)
    with pytest.raises(Conflict, match=f"has '{NAME}' already"):
        await claim(session, world, first, name="help.acme.example")
    # Again is no conflict: it is checked again.
    assert (await claim(session, world, first, GONE)).status is GONE
    ctx = knowing(context(session, world.admin), LIVE)
    assert await removes(ctx, custom_hostnames.delete_custom_hostname, NAME) is True
    assert await removes(ctx, custom_hostnames.delete_custom_hostname, NAME) is False
    assert await hostname_of(session, first) is None
    await claim(session, world, second)
    assert await hostname_of(session, second) == NAME
    # The name goes with its site.
    await run(ctx, sites.delete_site, second.id)
    await claim(session, world, third)


@pytest.mark.parametrize(
    "name",
    ["acme.example", "docs", "Docs.acme.example", "-docs.acme.example", "docs_.acme.example",
     "docs..example.com", "docs.acme.example.", "1.2.3.4", "docs.acme.e", "ö.acme.example",
     "a" * 64 + ".acme.example", "a." * 130 + "acme.example", "docs.acme.example:80", ""],
)  # fmt: skip
async def test_names_that_are_none(session: Session, world: World, name: str) -> None:
    site = await make_site(session, world.organization)
    await settle(session)
    with pytest.raises(Invalid, match="hostname: "):
        await claim(session, world, site, name=name)
    assert (await session.execute(select(CustomHostname))).first() is None


async def test_a_proxy_and_a_name_exclude_each_other(session: Session, world: World) -> None:
    proxied = await make_site(session, world.organization, proxy_origin="acme.example/docs")
    site = await make_site(session, world.organization)
    await settle(session)
    with pytest.raises(Conflict, match="proxied"):
        await claim(session, world, proxied)
    await claim(session, world, site, GONE)
    ctx = context(session, world.admin)
    wanted = UpdateSiteInput(proxy=Some("acme.example/docs"))
    with pytest.raises(Conflict, match="proxy: the site has the custom host name"):
        await run(ctx, sites.update_site, site.id, wanted)
    await run(ctx, sites.update_site, site.id, UpdateSiteInput(proxy=Some(None)))
    # Rows from before there were checks may have both.
    await session.begin_write()
    row = await session.get_one(Site, site.id)
    row.proxy_origin = "acme.example/docs"
    await settle(session)
    with pytest.raises(BadRequest, match="target is not usable"):
        await run(knowing(ctx, LIVE), custom_hostnames.recheck_custom_hostname, NAME)
    assert await hostname_of(session, site) is None


async def test_one_check_at_a_time(session: Session, world: World) -> None:
    site = await make_site(session, world.organization)
    await settle(session)
    inner = context(session, world.admin)

    async def second_check() -> None:
        with pytest.raises(Conflict, match="a check of this host name is running"):
            await run(inner, custom_hostnames.recheck_custom_hostname, NAME)

    await claim(session, world, site, Fixed(LIVE, second_check))
    assert await hostname_of(session, site) == NAME
    # What was broken off does not count for ever.
    await session.rollback()
    await session.begin_write()
    (row,) = (await session.execute(select(CustomHostname))).scalars()
    row.checking_since = inner.now() - dt.timedelta(seconds=31)
    await settle(session)
    await run(knowing(inner, GONE), custom_hostnames.recheck_custom_hostname, NAME)
    assert await hostname_of(session, site) is None


async def test_a_name_that_was_given_up_during_its_check_stays_away(
    session: Session, world: World
) -> None:
    site = await make_site(session, world.organization)
    await settle(session)
    inner = context(session, world.admin)

    async def give_up() -> None:
        await run(inner, custom_hostnames.delete_custom_hostname, NAME)

    with pytest.raises(NotFound):
        await claim(session, world, site, Fixed(LIVE, give_up))
    assert await hostname_of(session, site) is None


async def test_a_check_that_fails_leaves_no_mark(session: Session, world: World) -> None:
    site = await make_site(session, world.organization)
    await settle(session)

    async def fail() -> None:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await claim(session, world, site, Fixed(LIVE, fail))
    (row,) = (await session.execute(select(CustomHostname))).scalars()
    assert (row.status, row.checking_since) == (TROUBLE, None)


async def test_administrators_only(session: Session, world: World) -> None:
    site = await make_site(session, world.organization)
    await settle(session)
    await claim(session, world, site, GONE)
    for person, error in ((world.creator, Forbidden), (world.reader, Forbidden),
                          (world.guest, NotFound), (world.outsider, NotFound)):  # fmt: skip
        provider = Fixed(LIVE)
        ctx = knowing(context(session, person), provider)
        with pytest.raises(error):
            await read(ctx, custom_hostnames.get_custom_hostname, NAME)
        with pytest.raises(error):
            await run(ctx, custom_hostnames.set_custom_hostname, NAME, leading_to(site))
        with pytest.raises(error):
            await run(ctx, custom_hostnames.recheck_custom_hostname, NAME)
        if error is Forbidden:
            with pytest.raises(Forbidden):
                await run(ctx, custom_hostnames.delete_custom_hostname, NAME)
        else:
            assert await removes(ctx, custom_hostnames.delete_custom_hostname, NAME) is False
        # Nobody makes the server ask about names of others.
        assert provider.asked == []
    (row,) = (await session.execute(select(CustomHostname))).scalars()
    assert row.status is GONE


# ------------------------------------------------------------------ the default provider

TARGET = "sites.example.net"
OWN = HostRecord("edge.example.net", frozenset({"192.0.2.1", "192.0.2.2"}))


def resolving(**records: HostRecord | Exception | None) -> DnsProvider:
    known: Mapping[str, Any] = {TARGET: OWN, NAME: records["name"]} | records

    async def look_up(name: str) -> HostRecord | None:
        found = known[name]
        if isinstance(found, Exception):
            raise found
        assert found is None or isinstance(found, HostRecord)
        return found

    return DnsProvider("Sites.Example.net.", look_up)


OTHER = frozenset({"198.51.100.7"})


@pytest.mark.parametrize(
    ("record", "status"),
    [
        (None, GONE),
        (HostRecord(TARGET, OTHER), LIVE),
        (HostRecord("edge.example.net", OTHER), LIVE),
        (HostRecord(NAME, frozenset({"192.0.2.1"})), LIVE),
        (HostRecord(NAME, OTHER), GONE),
        (HostRecord(NAME, OTHER | {"192.0.2.1"}), GONE),
        (HostRecord("other.example.org", OTHER), ELSEWHERE),
        (FetchError("slow"), TROUBLE),
    ],
)
async def test_what_dns_says(
    record: HostRecord | Exception | None, status: CustomHostnameStatus
) -> None:
    assert await resolving(name=record).status(NAME) is status


async def test_a_server_that_is_not_known_itself(session: Session) -> None:
    provider = resolving(name=HostRecord(NAME, OTHER), **{TARGET: None})
    assert await provider.status(NAME) is GONE
    provider = resolving(name=HostRecord(TARGET, frozenset()), **{TARGET: None})
    assert await provider.status(NAME) is LIVE


async def test_the_resolver_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    found = await look_up("localhost")
    assert found is not None
    assert found.addresses <= {"127.0.0.1", "::1"}
    loop = asyncio.get_running_loop()

    async def fail(error: Exception | None) -> None:
        if error is None:
            await asyncio.sleep(60)
        else:
            raise error

    for error, message in (
        (None, "was not resolved within 0.05 seconds"),
        (socket.gaierror(socket.EAI_AGAIN, "later"), "cannot be resolved now"),
    ):
        monkeypatch.setattr(loop, "getaddrinfo", lambda *_, e=error, **__: fail(e))
        with pytest.raises(FetchError, match=message):
            await look_up("docs.acme.example", 0.05)
    unknown = socket.gaierror(socket.EAI_NONAME, "unknown")
    monkeypatch.setattr(loop, "getaddrinfo", lambda *_, **__: fail(unknown))
    assert await look_up("docs.acme.example") is None


# ------------------------------------------------------------------ both doors


async def test_both_doors(api: Api, session: Session, world: World) -> None:
    site = await make_site(session, world.organization, title="Docs", published=True)
    await session.commit()
    api.server.hostnames = Fixed(LIVE)
    path = f"/custom-hostnames/{NAME}"
    body = {"target": {"type": "site", "site": site.id}}
    made = await api.rest("PUT", path, world.admin, body)
    assert made.status_code == 200, made.text
    expected = {
        "object": "custom-hostname",
        "hostname": NAME,
        "target": {"type": "site", "site": site.id},
        "isActive": True,
        "status": "live",
        "dnsRecords": [{"type": "CNAME", "name": NAME, "value": "docs.test"}],
        "urls": {"location": f"http://docs.test/v1{path}"},
    }
    assert made.json() == expected
    assert (await api.rest("GET", path, world.admin)).json() == expected
    shown = await api.rest("GET", f"/orgs/{world.organization.id}/sites/{site.id}", world.reader)
    assert shown.json()["hostname"] == NAME
    assert shown.json()["urls"]["published"] == f"https://{NAME}"
    again = await api.rest("PATCH", path, world.admin)
    assert (again.status_code, again.content) == (204, b"")
    query = """query($name: String!, $site: ID!) {
      customHostname(hostname: $name) { hostname isActive status target { site { title } }
        dnsRecords { type name value } urls { location } }
      site(id: $site) { customHostname { hostname } } }"""
    data = await api.data(query, world.admin, name=NAME, site=site.id)
    assert data["customHostname"] == {
        "hostname": NAME, "isActive": True, "status": "LIVE",
        "target": {"site": {"title": "Docs"}}, "dnsRecords": expected["dnsRecords"],
        "urls": {"location": f"http://docs.test/v1{path}"},
    }  # fmt: skip
    assert data["site"] == {"customHostname": {"hostname": NAME}}
    less = await api.graphql(query, world.reader, name=NAME, site=site.id)
    assert less["data"] == {"customHostname": None, "site": {"customHostname": None}}
    api.server.hostnames = Fixed(GONE)
    mutation = """mutation($name: String!) {
      recheckCustomHostname(hostname: $name) { isActive status }
      deleteCustomHostname(hostname: $name) { hostname site { id hostname } } }"""
    data = await api.data(mutation, world.admin, name=NAME)
    assert data == {
        "recheckCustomHostname": {"isActive": False, "status": "DNS_NO_CNAME"},
        "deleteCustomHostname": {"hostname": NAME, "site": {"id": site.id, "hostname": None}},
    }
    assert (await api.rest("DELETE", path, world.admin)).status_code == 204
    assert (await api.rest("GET", path, world.admin)).status_code == 404


async def test_labels_of_organizations(api: Api, session: Session, world: World) -> None:
    world.organization.hostname = "acme"
    await session.commit()
    expected = {
        "object": "subdomain",
        "subdomain": "acme",
        "target": {"type": "organization", "organization": world.organization.id},
        "isActive": True,
    }
    for person in (world.admin, world.reader, world.guest):
        assert (await api.rest("GET", "/subdomains/acme", person)).json() == expected
    assert (await api.rest("GET", "/subdomains/ACME", world.reader)).json() == expected
    assert (await api.rest("GET", "/subdomains/acme", world.outsider)).status_code == 404
    assert (await api.rest("GET", "/subdomains/acme", None)).status_code == 401
    for name in ("nobody", "a" * 300, "%00", "a%20b"):
        assert (await api.rest("GET", f"/subdomains/{name}", world.reader)).status_code in (
            404,
            422,
        )
    query = """{ subdomain(subdomain: "acme") { subdomain isActive
      target { organization { title } } } }"""
    data = await api.data(query, world.reader)
    assert data == {
        "subdomain": {
            "subdomain": "acme", "isActive": True,
            "target": {"organization": {"title": "Acme"}},
        }
    }  # fmt: skip
