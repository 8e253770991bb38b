"""Redirects and adaptive schemas of sites through both interfaces."""

from typing import Any

import pytest

from db.models.sites import Site
from db.session import Session
from tests.conftest import Api, Queries, World, settle
from tests.factories import make_site, make_site_redirect, make_space

FIELDS = """id source captureWildcard permanent draft broken createdAt updatedAt
  destination { kind siteSectionId siteSpaceId pageId url }"""
AWAY = {"kind": "url", "url": "https://a.example/b"}


@pytest.fixture
async def site(session: Session, world: World) -> Site:
    space = await make_space(session, world.organization)
    made = await make_site(session, world.organization, space, published=True)
    await settle(session)
    return made


def base(world: World, site: Site) -> str:
    return f"/orgs/{world.organization.id}/sites/{site.id}"


def as_rest(node: dict[str, Any]) -> dict[str, Any]:
    to = {name: one for name, one in node["destination"].items() if one is not None}
    to["kind"] = to["kind"].lower().replace("_", "-")
    return {"object": "site-redirect", **node, "destination": to}


async def test_create_list_change_resolve_delete(api: Api, world: World, site: Site) -> None:
    path = f"{base(world, site)}/redirects"
    body = {"source": "/Old/*", "destination": AWAY, "captureWildcard": True}
    created = await api.rest("POST", path, world.creator, body)
    assert created.status_code == 201, created.text
    made = created.json()
    assert created.headers["location"] == f"http://docs.test/v1{path}/{made['id']}"
    assert made | body == made
    assert [made[name] for name in ("object", "permanent", "draft", "broken")] == [
        "site-redirect", False, False, False,
    ]  # fmt: skip
    again = await api.rest("POST", path, world.creator, {**body, "source": "/OLD/*"})
    assert again.status_code == 409

    listed = (await api.rest("GET", f"{path}?search=old", world.reader)).json()
    assert listed == {"items": [made], "count": 1}
    assert (await api.rest("GET", f"{path}?search=new", world.reader)).json()["count"] == 0
    query = f"""query($id: ID!) {{ site(id: $id) {{ redirects(search: "OLD") {{
      nodes {{ {FIELDS} }} }} }} }}"""
    (node,) = (await api.data(query, world.reader, id=site.id))["site"]["redirects"]["nodes"]
    assert as_rest(node) == made

    asked = f"{base(world, site)}/redirect?source=/old/a/b"
    found = (await api.rest("GET", asked, world.reader)).json()
    assert found == {"redirect": made, "target": "https://a.example/b/a/b", "status": 307}
    query = f"""query($id: ID!) {{ siteRedirectBySource(siteId: $id, source: "/old/a/b") {{
      target status redirect {{ {FIELDS} }} }} }}"""
    data = (await api.data(query, world.reader, id=site.id))["siteRedirectBySource"]
    assert {**data, "redirect": as_rest(data["redirect"])} == found

    one = f"{path}/{made['id']}"
    changed = await api.rest("PATCH", one, world.creator, {"permanent": True})
    assert changed.status_code == 200
    assert changed.json() | {"updatedAt": made["updatedAt"]} == made | {"permanent": True}
    assert (await api.rest("GET", asked, world.reader)).json()["status"] == 308
    assert (await api.rest("DELETE", one, world.creator)).status_code == 205
    assert (await api.rest("DELETE", one, world.creator)).status_code == 204
    assert (await api.rest("GET", asked, world.reader)).status_code == 404


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"source": "/a"}, "destination"),
        ({"source": "a", "destination": AWAY}, "source"),
        ({"source": "/a/" + "b" * 510, "destination": AWAY}, "source"),
        ({"source": "/a", "destination": {"kind": "elsewhere"}}, "destination.kind"),
        ({"source": "/a", "destination": {"kind": "url", "url": "javascript:x"}},
         "destination.url"),
        ({"source": "/a", "destination": {"kind": "url"}}, "destination.url"),
        ({"source": "/a", "destination": {**AWAY, "pageId": "x"}}, "destination.pageId"),
        ({"source": "/a", "destination": AWAY, "captureWildcard": True}, "captureWildcard"),
        ({"source": "/%00", "destination": AWAY}, "source"),
    ],
)  # fmt: skip
async def test_bad_bodies(
    api: Api, world: World, site: Site, body: dict[str, Any], field: str
) -> None:
    path = f"{base(world, site)}/redirects"
    refused = await api.rest("POST", path, world.creator, body)
    assert refused.status_code == 422, refused.text
    assert [one["path"] for one in refused.json()["error"]["details"]] == [field]
    assert (await api.rest("GET", path, world.creator)).json()["count"] == 0


async def test_many_at_once(api: Api, world: World, site: Site) -> None:
    path = f"{base(world, site)}/redirects"
    body = {"redirects": [
        {"source": "/a", "destination": AWAY, "permanent": True},
        {"source": "/b/*", "destination": AWAY, "intent": "draft", "captureWildcard": True},
        {"source": "a", "destination": AWAY},
        {"source": "/A", "destination": None},
    ]}  # fmt: skip
    answer = await api.rest("PUT", path, world.creator, body)
    assert answer.status_code == 200, answer.text
    first, second, third, fourth = answer.json()["results"]
    assert (first["source"], first["status"], first["redirect"]["permanent"]) == (
        "/a", "created", True,
    )  # fmt: skip
    assert (second["status"], second["redirect"]["draft"]) == ("created", True)
    assert (third["status"], "redirect" in third) == ("error", False)
    assert third["message"].startswith("source: ")
    assert fourth["status"] == "error"
    data = await api.data(
        """mutation($id: ID!) { writeSiteRedirects(siteId: $id, input: {redirects: [
          {source: "/b/*", intent: PUBLISH} {source: "/a", destination: null}
        ]}) { results { source status redirect { id draft } message } } }""",
        world.creator,
        id=site.id,
    )
    assert data["writeSiteRedirects"]["results"] == [
        {"source": "/b/*", "status": "PUBLISHED", "message": None,
         "redirect": {"id": second["redirect"]["id"], "draft": False}},
        {"source": "/a", "status": "DELETED", "message": None, "redirect": None},
    ]  # fmt: skip
    for wrong in ({"redirects": []}, {}, {"redirects": [{"source": "/a"}] * 501}):
        assert (await api.rest("PUT", path, world.creator, wrong)).status_code == 422


async def test_lookups_need_a_source(api: Api, world: World, site: Site) -> None:
    path = f"{base(world, site)}/redirect"
    for wrong in ("", "?source=%2500", "?source=" + "a" * 2049):
        refused = await api.rest("GET", f"{path}{wrong}", world.reader)
        assert refused.status_code == 422, refused.text
        assert [one["path"] for one in refused.json()["error"]["details"]] == ["source"]
    assert (await api.rest("GET", f"{path}?source=/x", world.reader)).status_code == 404
    unknown = f"{path}?source=/x&shareKey=unknown"
    assert (await api.rest("GET", unknown, world.reader)).status_code == 404


async def test_a_page_of_redirects_is_read_in_few_statements(
    api: Api, world: World, session: Session, site: Site, queries: Queries
) -> None:
    for number in range(60):
        await make_site_redirect(
            session, site, f"/r{number}", kind="site-page", siteSpaceId=f"gone{number}", pageId="x"
        )
    await settle(session)
    path = f"{base(world, site)}/redirects?limit=50"
    await api.rest("GET", path, world.reader)
    with queries(5):
        # The token, the site, the page, the site spaces they lead to, the count.
        answer = (await api.rest("GET", path, world.reader)).json()
    assert (len(answer["items"]), answer["count"], "next" in answer) == (50, 60, True)
    assert {one["broken"] for one in answer["items"]} == {True}


async def test_adaptive_schemas(api: Api, world: World, site: Site) -> None:
    path = f"{base(world, site)}/adaptive-schema"
    assert (await api.rest("GET", path, world.reader)).status_code == 404
    conditions = f"{path}/template-conditions"
    assert (await api.rest("GET", conditions, world.reader)).json() == {"items": []}
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {
            "beta": {"type": "boolean", "description": "Tries what is new"},
            "unsigned": {
                "type": "object", "description": "Unsigned claims of the site visitor.",
                "properties": {"lang": {"type": "string", "description": "L", "enum": ["de"]}},
                "additionalProperties": False,
            },
        },
        "additionalProperties": False,
    }  # fmt: skip
    put = await api.rest("PUT", path, world.creator, {"jsonSchema": schema})
    assert put.status_code == 200
    found = put.json()
    assert (found["object"], found["jsonSchema"]) == ("site-adaptive-schema", schema)
    assert (await api.rest("GET", path, world.reader)).json() == found
    assert (await api.rest("GET", conditions, world.reader)).json() == {"items": [
        {"description": "Tries what is new", "condition": "visitor.claims.beta"},
        {"description": "L: de", "condition": 'visitor.claims.unsigned.lang === "de"'},
    ]}  # fmt: skip
    data = await api.data(
        """query($id: ID!) { site(id: $id) { adaptiveSchema { jsonSchema updatedAt } }
          siteTemplateConditions(siteId: $id) { items { condition } } }""",
        world.reader,
        id=site.id,
    )
    assert {"object": found["object"], **data["site"]["adaptiveSchema"]} == found
    assert len(data["siteTemplateConditions"]["items"]) == 2

    schema["properties"]["beta"] = {"type": "boolean"}  # type: ignore[index]
    for body, where in (
        ({"jsonSchema": schema}, "jsonSchema.properties.beta.description"),
        ({"jsonSchema": []}, "jsonSchema"), ({}, "jsonSchema"),
    ):  # fmt: skip
        refused = await api.rest("PUT", path, world.creator, body)
        assert refused.status_code == 400, refused.text
        assert [one["path"] for one in refused.json()["error"]["details"]] == [where]
    answer = await api.graphql(
        """mutation($id: ID!, $schema: JSONObject!) {
          updateSiteAdaptiveSchema(siteId: $id, input: {jsonSchema: $schema}) { updatedAt } }""",
        world.creator,
        id=site.id,
        schema=schema,
    )
    (error,) = answer["errors"]
    assert error["extensions"]["code"] == "BAD_REQUEST"
    assert "jsonSchema.properties.beta.description" in error["message"]
    assert (await api.rest("GET", path, world.reader)).json() == found
