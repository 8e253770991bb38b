"""Addresses of servers: those that a browser may connect to, and nothing that widens a policy."""

from typing import Any

import pytest
from hypothesis import given, strategies as st

from content.openapi.servers import (
    MOST_ADDRESSES,
    origin_of,
    server_addresses,
    with_whole_servers,
)


def test_variables_have_their_values() -> None:
    servers = [
        {"url": "https://{region}.api.example:{port}/v1/",
         "variables": {"region": {"default": "eu", "enum": ["us", "eu"]},
                       "port": {"default": "8443"}}},
        {"url": "http://localhost:3000"},
    ]  # fmt: skip
    assert server_addresses(servers) == [
        "https://eu.api.example:8443/v1", "http://localhost:3000",
        "https://us.api.example:8443/v1",
    ]  # fmt: skip


@pytest.mark.parametrize("url", [
    "/v1", "", "ftp://api.example", "javascript:alert(1)", "https://", "https://{host}/v1",
    "https://user:password@api.example", "https://api.example; script-src */", "https://*/v1",
    "https://api.example'/", "https://api.example:x/", "https://api.example/?a=b",
    "https://api.example,https://evil.example", "data:text/html,x", "//api.example",
])  # fmt: skip
def test_other_addresses_are_left_out(url: str) -> None:
    assert server_addresses([{"url": url}]) == []


def test_origins() -> None:
    assert origin_of("https://api.example/v1/x") == "https://api.example"
    assert origin_of("http://[::1]:80/v1") == "http://[::1]:80"
    assert origin_of("https://api.example.") == "https://api.example."


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=12)
    | st.sampled_from(["https://{a}.b", "https://a/{a}{b}", "/x", "http://[", "http://a:99999"]),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.sampled_from(["url", "variables", "a", "b", "default", "enum"]), inner),
    max_leaves=20,
)  # fmt: skip


@given(ODD)
def test_whatever_stands_there_is_an_address_or_left_out(value: Any) -> None:
    for servers in (value, [value], [{"url": "https://x/{a}", "variables": value}]):
        addresses = server_addresses(servers)
        assert len(addresses) <= MOST_ADDRESSES
        for address in addresses:
            origin = origin_of(address)
            assert address.startswith(origin)
            assert not set(origin) & set(" ;,'\"*{}")
    with_whole_servers({"servers": value, "paths": value}, "https://a.example/b/c.yaml")


def test_many_values_take_few_steps() -> None:
    values = [str(number) for number in range(1_000)]
    names = "abcdefgh"
    server = {"url": "https://x/" + "".join(f"{{{name}}}" for name in names),
              "variables": {name: {"enum": values} for name in names}}  # fmt: skip
    assert len(server_addresses([server] * 1_000)) == MOST_ADDRESSES


def test_relative_addresses_are_those_of_the_specification() -> None:
    root: dict[str, Any] = {
        "servers": [{"url": "/v1"}, {"url": "{scheme}://x"}, {"url": "https://y"}],
        "paths": {"/a": {"servers": [{"url": "v2"}], "get": {"servers": [{"url": "../v3"}]}}},
    }
    with_whole_servers(root, "https://a.example/specs/api.yaml")
    assert [server["url"] for server in root["servers"]] == [
        "https://a.example/v1", "{scheme}://x", "https://y",
    ]  # fmt: skip
    assert root["paths"]["/a"]["servers"][0]["url"] == "https://a.example/specs/v2"
    assert root["paths"]["/a"]["get"]["servers"][0]["url"] == "https://a.example/v3"
