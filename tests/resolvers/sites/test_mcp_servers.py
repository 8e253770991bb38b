"""MCP servers of sites: who may, what is refused, and who sees the headers."""

from typing import Any

import pytest
from sqlalchemy import select
from strawberry import Some

from db.enums import Role
from db.models.site_settings import SiteMcpServer
from db.models.sites import Site
from db.session import Session
from resolvers.core.errors import Forbidden, Invalid, NotFound
from resolvers.core.pagination import PageArguments
from resolvers.core.runners import read, run
from resolvers.core.scalars import JsonObject, Url
from resolvers.sites.mcp_servers import (
    CreateSiteMcpServerInput,
    UpdateSiteMcpServerInput,
    create_site_mcp_server,
    delete_site_mcp_server,
    get_site_mcp_server,
    mcp_server_headers,
    mcp_server_urls,
    mcp_servers_of_sites,
    update_site_mcp_server,
)
from tests.conftest import Queries, World, context, settle
from tests.deleting import removes
from tests.factories import make_grant, make_site, make_site_mcp_server, make_space

SECRET = {"Authorization": "Bearer secret"}


async def prepared(session: Session, world: World) -> tuple[Site, SiteMcpServer]:
    space = await make_space(session, world.organization)
    site = await make_site(session, world.organization, space)
    server = await make_site_mcp_server(session, site)
    await make_grant(session, space, world.guest, Role.EDIT)
    await settle(session)
    return site, server


def new(**headers: Any) -> CreateSiteMcpServerInput:
    given = Some(JsonObject(headers)) if headers else None
    return CreateSiteMcpServerInput(name="New", url=Url("https://a.example/mcp"), headers=given)


async def test_create_change_delete(session: Session, world: World) -> None:
    site, _ = await prepared(session, world)
    ctx = context(session, world.creator)
    made = await run(ctx, create_site_mcp_server, site.id, new())
    assert (made.name, made.url, made.headers) == ("New", "https://a.example/mcp", {})
    changes = UpdateSiteMcpServerInput(name=Some("Other"), headers=Some(JsonObject({"X-A": "1"})))
    await run(ctx, update_site_mcp_server, made.id, changes, site.id, world.organization.id)
    found = await read(ctx, get_site_mcp_server, made.id)
    assert (found.name, found.url, found.headers) == ("Other", made.url, {"X-A": "1"})
    assert await removes(ctx, delete_site_mcp_server, made.id, site.id) is True
    assert await removes(ctx, delete_site_mcp_server, made.id, site.id) is False
    with pytest.raises(NotFound):
        await read(ctx, get_site_mcp_server, made.id)


async def test_a_server_is_found_on_its_own_site_only(session: Session, world: World) -> None:
    _, server = await prepared(session, world)
    await session.begin_write()
    other = await make_site(session, world.organization)
    await settle(session)
    ctx = context(session, world.creator)
    for operation, arguments in (
        (get_site_mcp_server, (other.id,)),
        (get_site_mcp_server, (None, "other")),
    ):
        with pytest.raises(NotFound):
            await read(ctx, operation, server.id, *arguments)
    changes = UpdateSiteMcpServerInput(name=Some("Other"))
    with pytest.raises(NotFound):
        await run(ctx, update_site_mcp_server, server.id, changes, other.id)
    assert await removes(ctx, delete_site_mcp_server, server.id, other.id) is False


@pytest.mark.parametrize(
    ("headers", "path"),
    [
        ({"": "a"}, "headers"),
        ({"A B": "a"}, "headers"),
        ({"Ä": "a"}, "headers"),
        ({"A:": "a"}, "headers"),
        ({"A\r\nB": "a"}, "headers"),
        ({"A" * 101: "a"}, "headers"),
        ({f"A{number}": "a" for number in range(21)}, "headers"),
        ({"A": "a", "a": "b"}, "headers.a"),
        ({"A": ""}, "headers.A"),
        ({"A": "a" * 513}, "headers.A"),
        ({"A": "a\r\nB: b"}, "headers.A"),
        ({"A": "ä"}, "headers.A"),
        ({"A": 1}, "headers.A"),
        ({"A": None}, "headers.A"),
        ({"A": ["secret"]}, "headers.A"),
    ],
)
async def test_wrong_headers_are_named_and_not_repeated(
    session: Session, world: World, headers: dict[str, Any], path: str
) -> None:
    site, server = await prepared(session, world)
    ctx = context(session, world.creator)
    for operation, id, wanted in (
        (create_site_mcp_server, site.id, new(**headers)),
        (update_site_mcp_server, server.id,
         UpdateSiteMcpServerInput(name=Some("B"), headers=Some(JsonObject(headers)))),
    ):  # fmt: skip
        with pytest.raises(Invalid) as raised:
            await run(ctx, operation, id, wanted)  # type: ignore[operator]
        assert [one.path for one in raised.value.fields] == [path]
        assert "secret" not in raised.value.message
    await session.rollback()
    (left,) = (await session.execute(select(SiteMcpServer))).scalars()
    assert (left.name, left.headers) == (server.name, SECRET)


async def test_the_most_that_headers_may_hold(session: Session, world: World) -> None:
    site, _ = await prepared(session, world)
    headers = {f"{number:02}" + "!#$%&'*+-.^_`|~aZ9"[:98]: " ~" * 256 for number in range(20)}
    ctx = context(session, world.creator)
    made = await run(ctx, create_site_mcp_server, site.id, new(**headers))
    assert made.headers == headers


async def test_headers_are_shown_to_those_who_may_set_them(session: Session, world: World) -> None:
    site, server = await prepared(session, world)
    for person, sees in (
        (world.admin, True), (world.creator, True), (world.reviewer, False),
        (world.editor, False), (world.commenter, False), (world.reader, False),
    ):  # fmt: skip
        ctx = context(session, person)
        found = await read(ctx, get_site_mcp_server, server.id)
        assert await mcp_server_headers(ctx, [found], None) == [SECRET if sees else {}]
        (part,) = await mcp_servers_of_sites(ctx, [site], PageArguments())
        assert await mcp_server_headers(ctx, part.rows, None) == [SECRET if sees else {}]


async def test_only_the_role_create_changes_servers(session: Session, world: World) -> None:
    site, server = await prepared(session, world)
    changes = UpdateSiteMcpServerInput(name=Some("Changed"))
    for person in (world.reviewer, world.editor, world.commenter, world.reader):
        ctx = context(session, person)
        with pytest.raises(Forbidden):
            await run(ctx, create_site_mcp_server, site.id, new())
        with pytest.raises(Forbidden):
            await run(ctx, update_site_mcp_server, server.id, changes)
        with pytest.raises(Forbidden):
            await run(ctx, delete_site_mcp_server, server.id)
    # A guest sees the site, but not what belongs to its making.
    for person in (world.guest, world.outsider):
        ctx = context(session, person)
        with pytest.raises(NotFound):
            await read(ctx, get_site_mcp_server, server.id)
        with pytest.raises(NotFound):
            await run(ctx, update_site_mcp_server, server.id, changes)
        assert await removes(ctx, delete_site_mcp_server, server.id) is False
        (part,) = await mcp_servers_of_sites(ctx, [site], PageArguments())
        assert part.rows == []
    await session.rollback()
    (left,) = (await session.execute(select(SiteMcpServer))).scalars()
    assert left.name == server.name


@pytest.mark.parametrize("number", [1, 9])
async def test_lists_with_all_fields_take_three_statements(
    session: Session, world: World, queries: Queries, number: int
) -> None:
    site = await make_site(session, world.organization)
    for _ in range(number):
        await make_site_mcp_server(session, site)
    await session.commit()
    ctx = context(session, world.creator)
    with queries(3):
        (part,) = await mcp_servers_of_sites(ctx, [site], PageArguments())
        headers = await mcp_server_headers(ctx, part.rows, None)
        urls = await mcp_server_urls(ctx, part.rows, None)
    assert headers == [SECRET] * number
    base = f"http://127.0.0.1:8000/v1/orgs/{world.organization.id}/sites/{site.id}/mcp-servers"
    assert [one.location for one in urls] == [f"{base}/{row.id}" for row in part.rows]
