"""The MCP server of a published site: real clients, audiences, and whatever else is sent."""

import base64
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import httpx2
import jwt
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

from db.enums import AgentsContext, SiteVisibility
from db.models.site_settings import AdaptiveSchema, ShareLink, SiteCustomization
from db.models.sites import Site
from db.session import Session
from docstead.asgi import create_app
from docstead.server import Server
from published.mcp.messages import (
    CAPABILITIES_KEY,
    HANDSHAKE,
    MODERN,
    MOST_MESSAGES,
    VERSION_KEY,
)
from published.mcp.tools import CHARACTERS, PAGES, TOOLS
from resolvers.core.rate_limits import RateLimit, RateLimits
from tests import factories
from tests.conftest import Api, World, settle
from tests.published.sites import CLAIMS_SCHEMA, private_key
from tests.published.test_sites import make_pages

MCP = "~gitbook/mcp"


@pytest.fixture
async def site(session: Session, world: World) -> Site:
    """Two spaces of which the second has a condition that nobody meets, one long page."""
    guide = await make_pages(
        session, world, "Guide",
        start={"description": "Begin here"},
        battery={"text": "Charge the *battery* before the first walk.\n\n## Details\n\nMore.\n"},
        secret={"hidden": True},
        long={"text": "One word. " * (CHARACTERS // 8)},
        member={"condition": "visitor.claims.beta"},
    )  # fmt: skip
    old = await make_pages(session, world, "Guide 1", start={}, more={})
    made = await factories.make_site(
        session, world.organization, guide, old, title="Handbook", published=True,
        adaptive_content=True,
    )  # fmt: skip
    await settle(session)
    return made


@asynccontextmanager
async def client_of(
    api: Api, path: str, mode: str = "auto", **headers: str
) -> AsyncIterator[Client]:
    """The official client of Python, connected to the server at a path."""
    transport = api.client._transport
    async with httpx2.AsyncClient(transport=transport, headers=headers) as http:
        connection = streamable_http_client(f"http://docs.test{path}", http_client=http)
        async with Client(connection, mode=mode) as client:  # type: ignore[arg-type]
            yield client


def texts(result: Any) -> str:
    return "\n".join(part.text for part in result.content)


@pytest.mark.parametrize("mode", ["legacy", "auto", MODERN[-1]])
async def test_the_official_client_searches_and_reads(api: Api, site: Site, mode: str) -> None:
    root = f"http://docs.test/sites/{site.id}"
    async with client_of(api, f"/sites/{site.id}/{MCP}", mode) as client:
        expected = HANDSHAKE[-1] if mode == "legacy" else MODERN[-1]
        assert client.protocol_version == expected
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == list(TOOLS)
        found = await client.call_tool("searchDocumentation", {"query": "battery"})
        assert not found.is_error
        (result,) = found.structured_content["results"]
        assert result["title"] == "Battery"
        assert result["url"] == f"{root}/battery"
        assert "Charge the battery" in result["excerpt"]
        page = await client.call_tool("getPage", {"url": result["url"]})
        assert texts(page).startswith("# Battery\n")
        assert "*battery*" in texts(page)
        listed = await client.call_tool("listPages", {})
        # Hidden ones are read, not listed; what a condition hides is not there.
        addresses = [page["url"] for page in listed.structured_content["pages"]]
        assert addresses == [root, f"{root}/battery", f"{root}/long",
                             f"{root}/path-1", f"{root}/path-1/more"]  # fmt: skip
        assert not (await client.call_tool("getPage", {"url": "/secret"})).is_error
        assert (await client.call_tool("getPage", {"url": "/member"})).is_error
        resources = (await client.list_resources()).resources
        assert [str(resource.uri) for resource in resources] == addresses
        read = await client.read_resource(resources[1].uri)
        assert read.contents[0].text.startswith("# Battery")  # type: ignore[union-attr]


async def test_long_pages_come_in_parts(api: Api, site: Site) -> None:
    async with client_of(api, f"/sites/{site.id}/{MCP}") as client:
        first = await client.call_tool("getPage", {"url": "/long"})
        assert len(first.content[0].text) == CHARACTERS  # type: ignore[union-attr]
        assert f"offset {CHARACTERS}" in texts(first)
        rest = await client.call_tool("getPage", {"url": "/long", "offset": CHARACTERS})
        whole = (await api.client.get(f"/sites/{site.id}/long.md")).text
        assert first.content[0].text + texts(rest) == whole  # type: ignore[union-attr]
        beyond = await client.call_tool("getPage", {"url": "/long", "offset": 10**7})
        assert beyond.is_error


async def test_lists_come_in_parts(api: Api, session: Session, world: World) -> None:
    pages = {f"page-{number}": {} for number in range(PAGES + 30)}
    spaces = [await make_pages(session, world, name, **dict(pages)) for name in ("A", "B")]
    site = await factories.make_site(session, world.organization, *spaces, published=True)
    await settle(session)
    seen: list[str] = []
    async with client_of(api, f"/sites/{site.id}/{MCP}") as client:
        cursor, asked = None, 0
        while asked == 0 or cursor:
            result = await client.list_resources(cursor=cursor)
            assert len(result.resources) <= PAGES
            seen += [str(resource.uri) for resource in result.resources]
            cursor, asked = result.next_cursor, asked + 1
        assert asked == 3
        structured = (await client.call_tool("listPages", {"cursor": "200"})).structured_content
        assert [page["url"] for page in structured["pages"]] == seen[200:]
        for wrong in ("x", "-1", "1" * 15):
            assert (await client.call_tool("listPages", {"cursor": wrong})).is_error
    assert len(seen) == len(set(seen)) == 2 * len(pages)


async def test_arguments_that_are_wrong_are_told_to_the_model(api: Api, site: Site) -> None:
    async with client_of(api, f"/sites/{site.id}/{MCP}") as client:
        for name, arguments, problem in (
            ("searchDocumentation", {}, "query: is required"),
            ("searchDocumentation", {"query": ""}, "query: must be a text of 1 to 512"),
            ("searchDocumentation", {"query": "  "}, "query: must have a word"),
            ("searchDocumentation", {"query": "a", "limit": 0}, "limit: must be an integer"),
            ("searchDocumentation", {"query": "a", "limit": True}, "limit: must be an integer"),
            ("searchDocumentation", {"query": "a", "other": 1}, "other: is unknown"),
            ("getPage", {"url": "https://example.com/x"}, "no published site"),
            ("getPage", {"url": "http://["}, "url: is no address"),
            ("getPage", {"url": "/nowhere"}, ""),
        ):
            result = await client.call_tool(name, arguments)
            assert result.is_error, (name, arguments)
            assert problem in texts(result)
        other = await client.call_tool("searchDocumentation", {"query": "battery", "limit": 1})
        assert len(other.structured_content["results"]) == 1


async def test_a_page_of_another_site_is_not_read(
    api: Api, session: Session, world: World, site: Site
) -> None:
    space = await make_pages(session, world, "Other", start={})
    other = await factories.make_site(session, world.organization, space, published=True)
    await settle(session)
    async with client_of(api, f"/sites/{site.id}/{MCP}") as client:
        address = f"http://docs.test/sites/{other.id}"
        result = await client.call_tool("getPage", {"url": address})
        assert result.is_error
        assert "another site" in texts(result)


# ------------------------------------------------------------------ who is answered


async def post(api: Api, path: str, method: str = "tools/list", **options: Any) -> httpx2.Response:
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": options.pop("params", {})}
    return await api.client.post(path, json=message, **options)


async def test_keys_of_share_links_open_it(api: Api, session: Session, site: Site) -> None:
    site = await session.merge(site)
    site.visibility = SiteVisibility.SHARE_LINK
    session.add(ShareLink(site_id=site.id, name="Key", secret="k" * 20))
    await settle(session)
    root = f"/sites/{site.id}"
    for path in (f"{root}/{MCP}", f"{root}/{'x' * 20}/{MCP}"):
        assert (await post(api, path)).status_code == 404
    async with client_of(api, f"{root}/{'k' * 20}/{MCP}") as client:
        found = await client.call_tool("searchDocumentation", {"query": "battery"})
        (result,) = found.structured_content["results"]
        # With the key, without which nobody reads it.
        assert result["url"] == f"http://docs.test{root}/{'k' * 20}/battery"
        page = await client.call_tool("getPage", {"url": result["url"]})
        assert texts(page).startswith("# Battery")
        assert (
            await client.call_tool("getPage", {"url": f"http://docs.test{root}/battery"})
        ).is_error


async def test_tokens_of_visitors_open_it_and_say_what_they_see(
    api: Api, session: Session, site: Site
) -> None:
    site = await session.merge(site)
    site.visibility = SiteVisibility.VISITOR_AUTH
    session.add(AdaptiveSchema(site_id=site.id, json_schema=CLAIMS_SCHEMA))
    key = await private_key(session, site)
    await settle(session)
    path = f"/sites/{site.id}/{MCP}"
    for headers in ({}, {"Authorization": "Bearer nonsense"}, {"Authorization": "Basic eA=="}):
        refused = await post(api, path, headers=headers)
        assert refused.status_code == 401
        assert refused.headers["www-authenticate"] == "Bearer"
        assert refused.json()["error"]["message"]
    for claims, is_there in (({"beta": True}, True), ({"beta": False}, False)):
        token = jwt.encode(claims, key, "HS256")
        async with client_of(api, path, Authorization=f"Bearer {token}") as client:
            page = await client.call_tool("getPage", {"url": "/member"})
            assert page.is_error is not is_there
        ways = (
            {"params": {}, "headers": {"Cookie": f"gitbook-visitor-token={token}"}},
            {"params": {}, "headers": {"Authorization": f"Bearer {token}"}},
        )
        for options in ways:
            assert (await post(api, path, **options)).status_code == 200
        assert (await post(api, f"{path}?jwt_token={token}")).status_code == 200


async def test_settings_say_whether_it_is_there(api: Api, session: Session, site: Site) -> None:
    path = f"/sites/{site.id}/{MCP}"
    assert (await post(api, path)).status_code == 200
    site = await session.merge(site)
    session.add(SiteCustomization(site_id=site.id, settings={"pageActions": {"mcp": False}}))
    await settle(session)
    assert (await post(api, path)).status_code == 404
    assert MCP not in (await api.client.get(f"/sites/{site.id}")).text
    await session.delete(await session.get_one(SiteCustomization, site.id))
    (await session.get_one(Site, site.id)).agents_context = AgentsContext.EXCLUDED
    await settle(session)
    assert (await post(api, path)).status_code == 404
    site = await session.get_one(Site, site.id)
    site.agents_context, site.published = AgentsContext.INCLUDED, False
    await settle(session)
    assert (await post(api, path)).status_code == 404


async def test_browsers_on_other_sites_are_refused(api: Api, site: Site) -> None:
    path = f"/sites/{site.id}/{MCP}"
    for headers, status in (
        ({"Origin": "https://evil.test"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://["}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Origin": "http://docs.test"}, 200),
        ({"Origin": "http://docs.test", "Sec-Fetch-Site": "same-origin"}, 200),
        ({}, 200),
    ):
        assert (await post(api, path, headers=headers)).status_code == status, headers


async def test_other_methods_say_what_is_allowed(api: Api, site: Site) -> None:
    path = f"/sites/{site.id}/{MCP}"
    listening = await api.client.get(path, headers={"Accept": "text/event-stream"})
    assert (listening.status_code, listening.headers["allow"]) == (405, "POST")
    read = await api.client.get(path, headers={"Accept": "text/html"})
    assert f"http://docs.test{path}" in read.text
    assert (await api.client.delete(path)).status_code == 405
    for method in ("POST", "PUT", "DELETE"):
        refused = await api.client.request(method, f"/sites/{site.id}/battery")
        assert (refused.status_code, refused.headers["allow"]) == (405, "GET, HEAD")
    assert (await post(api, f"/sites/{site.id}/path-1/{MCP}")).status_code == 200
    assert (await post(api, f"/sites/{site.id}/battery/{MCP}")).status_code == 404


async def test_requests_are_limited(api: Api, site: Site) -> None:
    server = Server(replace(api.server.settings, limit_loopback=True), api.server.database)
    server.limits = RateLimits(mcp=RateLimit(5, lambda: 0.0))
    transport = httpx2.ASGITransport(app=create_app(server.settings, server))
    async with httpx2.AsyncClient(transport=transport, base_url="http://docs.test") as client:
        statuses = []
        for _ in range(7):
            body = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
            answer = await client.post(f"/sites/{site.id}/{MCP}", json=body)
            statuses.append(answer.status_code)
        assert statuses == [200] * 5 + [429] * 2
        assert int(answer.headers["retry-after"]) >= 1
        assert answer.json()["error"]["code"] == -32000


# ------------------------------------------------------------------ whatever is sent


def modern(method: str, params: dict[str, Any], version: str = MODERN[-1]) -> dict[str, Any]:
    meta = {VERSION_KEY: version, CAPABILITIES_KEY: {}}
    return {"jsonrpc": "2.0", "id": 7, "method": method, "params": {**params, "_meta": meta}}


WRONG: list[tuple[bytes, dict[str, str], int, int]] = [
    (b"", {}, 400, -32700),
    (b"{", {}, 400, -32700),
    (b"\xff\xfe", {}, 400, -32700),
    (b'{"a":' * 200 + b"1" + b"}" * 200, {}, 400, -32700),
    (b"[" + b"1," * 20_000 + b"1]", {}, 400, -32700),
    (b"x" * 200_000, {}, 413, -32600),
    (b"{}", {"Content-Type": "text/plain"}, 415, -32600),
    (b"{}", {"Accept": "text/html"}, 406, -32600),
    (b"[]", {}, 400, -32600),
    (b"1", {}, 400, -32600),
    (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', {}, 400, -32600),
    (b'{"jsonrpc":"2.0","id":1}', {}, 400, -32600),
    (b'{"jsonrpc":"2.0","id":[],"method":"ping"}', {}, 400, -32600),
    (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', {}, 400, -32600),
    (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}', {}, 200, -32602),
    (b'{"jsonrpc":"2.0","id":1,"method":"tools/delete"}', {}, 200, -32601),
    (b'{"jsonrpc":"2.0","id":1,"method":"server/discover"}', {}, 200, -32601),
    (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}', {}, 200, -32602),
    (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":{}}}', {}, 200, -32602),
    (b'{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{}}', {}, 200, -32602),
    (b'{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"/no"}}', {},
     200, -32002),
    (json.dumps([{"jsonrpc": "2.0", "id": 1, "method": "ping"}] * (MOST_MESSAGES + 1)).encode(),
     {}, 400, -32600),
    (json.dumps([{"jsonrpc": "2.0", "id": 1, "method": "ping"}]).encode(),
     {"MCP-Protocol-Version": "2025-06-18"}, 400, -32600),
    (b'{"jsonrpc":"2.0","id":1,"method":"ping"}', {"MCP-Protocol-Version": "1999-01-01"},
     400, -32022),
    (b'{"jsonrpc":"2.0","id":1,"method":"ping"}', {"MCP-Protocol-Version": MODERN[-1]},
     400, -32602),
    (json.dumps(modern("ping", {})).encode(), {"MCP-Protocol-Version": MODERN[-1]},
     400, -32020),
    (json.dumps(modern("initialize", {})).encode(),
     {"MCP-Protocol-Version": MODERN[-1], "Mcp-Method": "initialize"}, 404, -32601),
    (json.dumps(modern("tools/call", {"name": "getPage"})).encode(),
     {"MCP-Protocol-Version": MODERN[-1], "Mcp-Method": "tools/call", "Mcp-Name": "other"},
     400, -32020),
    (json.dumps(modern("ping", {}, "2030-01-01")).encode(),
     {"MCP-Protocol-Version": "2030-01-01", "Mcp-Method": "ping"}, 400, -32022),
]  # fmt: skip


async def test_what_is_wrong_gets_an_error_that_says_so(api: Api, site: Site) -> None:
    for body, headers, status, code in WRONG:
        given = {"Content-Type": "application/json", **headers}
        answer = await api.client.post(f"/sites/{site.id}/{MCP}", content=body, headers=given)
        found = (answer.status_code, answer.json()["error"]["code"])
        assert found == (status, code), (body[:200], answer.text)
        assert answer.json()["error"]["message"]


async def test_several_messages_and_notifications(api: Api, site: Site) -> None:
    path = f"/sites/{site.id}/{MCP}"
    told = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    answer = await api.client.post(path, json=told)
    assert (answer.status_code, answer.content) == (202, b"")
    ping = {"jsonrpc": "2.0", "id": "a", "method": "ping"}
    wrong = {"jsonrpc": "2.0", "id": 2, "method": "nothing"}
    answer = await api.client.post(path, json=[ping, told, wrong, 1])
    assert answer.status_code == 200
    assert [item["id"] for item in answer.json()] == ["a", 2, None]
    assert (await api.client.post(path, json=[told, told])).status_code == 202


async def test_versions_are_agreed_on(api: Api, site: Site) -> None:
    path = f"/sites/{site.id}/{MCP}"
    for version in (*HANDSHAKE, "3000-01-01"):
        params = {"protocolVersion": version, "capabilities": {}, "clientInfo": {}}
        answer = (await post(api, path, "initialize", params=params)).json()["result"]
        expected = version if version in HANDSHAKE else HANDSHAKE[-1]
        assert answer["protocolVersion"] == expected
        assert "Handbook" in answer["instructions"]
        listed = await post(api, path, headers={"MCP-Protocol-Version": expected})
        assert listed.status_code == 200


async def test_names_in_headers_may_be_coded(api: Api, site: Site) -> None:
    name = "=?base64?" + base64.b64encode(b"getPage").decode() + "?="
    headers = {"MCP-Protocol-Version": MODERN[-1], "Mcp-Method": "tools/call", "Mcp-Name": name}
    call = modern("tools/call", {"name": "getPage", "arguments": {"url": "/battery"}})
    answer = await api.client.post(f"/sites/{site.id}/{MCP}", json=call, headers=headers)
    assert answer.json()["result"]["resultType"] == "complete"


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False)
    | st.text(max_size=20) | st.sampled_from(["2.0", "tools/call", "getPage", "ping", "/x"]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(["jsonrpc", "id", "method", "params", "name", "arguments", "url", "query",
                         "offset", "cursor", "limit", "uri", "_meta", VERSION_KEY]),
        inner, max_size=5,
    ),
    max_leaves=15,
)  # fmt: skip
METHODS = st.sampled_from(
    ["initialize", "ping", "tools/list", "tools/call", "resources/list", "resources/read",
     "resources/templates/list", "server/discover", "notifications/x", ""]
)  # fmt: skip
CALLS = st.builds(
    lambda method, name, arguments, extra: {
        "jsonrpc": "2.0", "id": 1, "method": method,
        "params": {"name": name, "arguments": arguments, **extra},
    },
    METHODS, st.sampled_from([*TOOLS, "x"]), VALUES,
    st.dictionaries(st.sampled_from(["uri", "cursor", "_meta", "protocolVersion"]), VALUES),
)  # fmt: skip


@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    value=st.one_of(VALUES, CALLS, st.lists(CALLS, max_size=4)),
    version=st.sampled_from([None, *HANDSHAKE, *MODERN, "x"]),
)
async def test_whatever_is_sent_is_answered(
    api: Api, site: Site, value: Any, version: str | None
) -> None:
    headers = {"Content-Type": "application/json"}
    if version is not None:
        headers["MCP-Protocol-Version"] = version
    body = json.dumps(value).encode()
    answer = await api.client.post(f"/sites/{site.id}/{MCP}", content=body, headers=headers)
    assert answer.status_code in (200, 202, 400, 404), answer.text
    if answer.status_code != 202:
        answers = answer.json()
        for item in answers if isinstance(answers, list) else [answers]:
            assert item["jsonrpc"] == "2.0"
            assert ("result" in item) != ("error" in item)
