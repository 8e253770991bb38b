"""Integrations through /v1: publishing, installing, configuring, tokens (docs/integrations.md)."""

import base64
from typing import Any

import httpx2

from db.session import Session
from tests import factories
from tests.conftest import Api, World

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
SCHEMA = {
    "properties": {
        "channel": {"type": "string", "title": "Channel"},
        "api_key": {"type": "string"},
        "loud": {"type": "boolean", "default": False},
        "mode": {"type": "string", "enum": ["a", "b"], "default": "a"},
    },
    "required": ["channel", "mode"],
}


def manifest(world: World, **changes: Any) -> dict[str, Any]:
    return {
        "organization": world.organization.id,
        "title": "Notes",
        "description": "Takes notes.",
        "script": "export default {}",
        "scopes": ["space:content:read", "site:script:inject", "site:metadata:read"],
        "icon": base64.b64encode(PNG).decode(),
        "previewImages": [base64.b64encode(PNG).decode()],
        "visibility": "public",
        "categories": ["collaboration"],
        "blocks": [
            {"id": "note", "title": "Note", "urlUnfurl": ["https://notes.example.com/n/"],
             "markdown": {"codeblock": "note", "body": "text"}}
        ],
        "configurations": {"account": SCHEMA, "space": {"componentId": "config"}},
        "secrets": {"CLIENT_SECRET": "tell-nobody-1"},
        "contentSecurityPolicy": {"default-src": "'self'"},
    } | changes  # fmt: skip


def ok(answer: httpx2.Response, status: int = 200) -> Any:
    assert answer.status_code == status, answer.text
    return answer.json() if answer.content else None


async def call(api: Api, token: str, method: str, path: str, json: Any = None) -> httpx2.Response:
    headers = {"Authorization": f"Bearer {token}"}
    return await api.rest(method, path, None, json, headers=headers)


async def test_the_life_of_an_integration(session: Session, world: World, api: Api) -> None:
    place = await factories.make_space(session, world.organization)
    await factories.make_space(session, world.organization)
    await session.commit()
    admin, one = world.admin, "/integrations/notes"
    shown = ok(await api.rest("POST", one, admin, manifest(world)))
    assert shown["object"] == "integration"
    assert shown["version"] == 1
    assert shown["blocks"][0]["markdown"] == {"codeblock": "note", "body": "text"}
    assert shown["owner"]["id"] == world.organization.id
    assert shown["permissions"]["admin"]
    assert "tell-nobody" not in str(shown)
    again = ok(await api.rest("POST", one, admin, manifest(world, title="Notes 2")))
    assert again["version"] == 2
    assert again["title"] == "Notes 2"
    picture = await api.client.get(again["urls"]["icon"].removeprefix("http://docs.test"))
    assert picture.content == PNG
    assert picture.headers["content-type"] == "image/png"
    assert ok(await api.rest("GET", one, world.outsider))["title"] == "Notes 2"
    for query, count in (
        ("", 1), ("search=NOTE", 1), ("search=x", 0), ("category=collaboration", 1),
        ("category=analytics", 0), ("blockDomain=notes.example.com", 1), ("blockDomain=b.com", 0),
        ("blocks=true", 1), ("blocks=false", 0), ("contentSources=true", 0),
        ("contentSources=false", 1), (f"owner={world.organization.id}", 1), ("owner=no", 0),
        ("scope=site:script:inject", 1), ("scope=space:git:sync", 0), ("target=all", 1),
        ("target=site", 0),
    ):  # fmt: skip
        listed = ok(await api.rest("GET", f"/integrations?{query}", world.outsider))
        assert len(listed["items"]) == count, query

    # Installed, it waits for what it requires.
    organization = {"organization": world.organization.id}
    assert (
        await api.rest("POST", f"{one}/installations", world.creator, organization)
    ).status_code == 403
    answer = await api.rest("POST", f"{one}/installations", admin, organization)
    installed = ok(answer, 201)
    path = f"{one}/installations/{installed['id']}"
    assert answer.headers["location"] == f"http://docs.test/v1{path}"
    assert (installed["status"], installed["spaces"]) == ("pending", 0)
    assert installed["target"] == organization
    assert (await api.rest("POST", f"{one}/installations", admin, organization)).status_code == 409
    refused = await api.rest("PATCH", path, admin, {"configuration": {"mode": "c"}})
    assert refused.status_code == 422
    assert "configuration.mode" in refused.text
    configuration = {
        "channel": "#docs",
        "api_key": "tell-nobody-2",
        "oauth": {"access_token": "tell-nobody-3"},
    }
    changed = ok(
        await api.rest(
            "PATCH", path, admin, {"configuration": configuration, "externalIds": ["T1"]}
        )
    )
    assert changed["status"] == "active"
    assert changed["externalIds"] == ["T1"]
    assert changed["configuration"] == {
        "channel": "#docs", "api_key": "********", "oauth": {"access_token": "********"}
    }  # fmt: skip

    # Entries: one by one, and for all.
    space, site_path = place.id, f"{path}/sites"
    answer = await api.rest("POST", f"{path}/spaces", world.creator, {"space": space})
    entry = ok(answer, 201)
    assert entry["status"] == "pending"
    assert entry["space"] == space
    assert answer.headers["location"].endswith(f"/spaces/{space}")
    extended = ok(await api.rest("GET", f"{path}/spaces/{space}?extended=true", admin))
    assert extended["space"]["object"] == "space"
    configured = ok(
        await api.rest(
            "PATCH", f"{path}/spaces/{space}", world.creator, {"configuration": {"a": 1}}
        )
    )
    assert configured["status"] == "active"
    blocks = ok(await api.rest("GET", f"/spaces/{space}/integration-blocks", world.reader))
    assert [block["name"] for block in blocks] == ["notes"]
    assert (
        len(ok(await api.rest("GET", f"/spaces/{space}/integrations", world.reader))["items"]) == 1
    )
    everywhere = ok(
        await api.rest("PATCH", path, admin, {"space_selection": "all", "site_selection": "all"})
    )
    assert everywhere["spaces"] > 1
    created = ok(await api.rest("POST", f"/orgs/{world.organization.id}/spaces", admin, {}), 201)
    assert ok(await api.rest("GET", f"{path}/spaces/{created['id']}", admin))["status"] == "pending"
    assert (await api.rest("DELETE", f"{path}/spaces/{space}", admin)).status_code == 412
    ok(await api.rest("DELETE", f"/spaces/{created['id']}", admin), 205)
    assert (await api.rest("GET", f"{path}/spaces/{created['id']}", admin)).status_code == 404
    site = ok(await api.rest("POST", f"/orgs/{world.organization.id}/sites", admin, {}), 201)
    scripts = f"/orgs/{world.organization.id}/sites/{site['id']}/integration-scripts"
    (script,) = ok(await api.rest("GET", scripts, admin))
    assert script["contentSecurityPolicy"] == "default-src 'self'"
    assert not script["cookies"]
    assert ok(await api.rest("GET", f"{site_path}/{site['id']}", admin))["status"] == "active"

    # Tokens.
    own = ok(await api.rest("POST", f"{one}/token", admin))["token"]
    assert (await api.rest("GET", f"{one}/installations", admin)).status_code == 403
    (found,) = ok(await call(api, own, "GET", f"{one}/installations?externalId=T1"))["items"]
    assert found["id"] == installed["id"]
    assert ok(await call(api, own, "GET", f"{one}/installations?externalId=T2"))["items"] == []
    assert len(ok(await call(api, own, "GET", f"{one}/spaces"))["items"]) > 1
    assert (await call(api, own, "GET", f"/spaces/{space}")).status_code == 404
    token = ok(await call(api, own, "POST", f"{path}/tokens"))["token"]
    assert ok(await call(api, token, "GET", f"/spaces/{space}"))["id"] == space
    assert (await call(api, token, "PATCH", f"/spaces/{space}", {"title": "x"})).status_code == 403
    assert (
        await call(api, token, "GET", f"/orgs/{world.organization.id}/members")
    ).status_code == 403
    ok(await call(api, own, "POST", f"{one}/tasks", {"task": {"a": 1}, "schedule": 5}), 204)
    assert (await api.rest("POST", f"{one}/tasks", admin, {"task": {}})).status_code == 403

    # Selected: none is left; paused: its tokens see nothing.
    ok(await api.rest("PATCH", path, admin, {"space_selection": "selected"}))
    assert (await call(api, token, "GET", f"/spaces/{space}")).status_code == 404
    assert ok(await api.rest("PATCH", path, admin, {"status": "paused"}))["status"] == "paused"
    events = ok(await api.rest("GET", f"/orgs/{world.organization.id}/events", admin))
    assert [event["type"] for event in events["items"]].count("installation_paused") == 1
    status = f"/orgs/{world.organization.id}/integrations/notes/installation_status"
    assert ok(await api.rest("GET", status, world.reader)) == {"status": "paused"}
    listed = ok(await api.rest("GET", f"/orgs/{world.organization.id}/installations", admin))
    assert listed["items"][0]["integration"]["name"] == "notes"
    ok(await api.rest("DELETE", path, admin), 205)
    assert (await call(api, token, "GET", one)).status_code == 401
    ok(await api.rest("DELETE", one, admin), 205)
    ok(await api.rest("DELETE", one, admin), 204)
    assert (await call(api, own, "GET", "/integrations")).status_code == 401
