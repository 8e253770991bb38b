"""Share links through both interfaces, and the query parameter with a key."""

from typing import Any

import pytest

from db.enums import SiteVisibility
from db.models.site_settings import ShareLink
from db.models.sites import Site
from db.session import Session
from tests.conftest import STRICT, Api, World, settle
from tests.factories import make_share_link, make_site, make_space

FIELDS = "id name active createdAt urls { published }"


def without_nulls(value: dict[str, Any]) -> dict[str, Any]:
    return {**value, "urls": {name: one for name, one in value["urls"].items() if one is not None}}


@pytest.fixture
async def site(session: Session, world: World) -> Site:
    spaces = [await make_space(session, world.organization) for _ in range(2)]
    made = await make_site(
        session, world.organization, *spaces, published=True, visibility=SiteVisibility.SHARE_LINK
    )
    await settle(session)
    return made


async def test_create_list_change_delete(api: Api, world: World, site: Site) -> None:
    base = f"/orgs/{world.organization.id}/sites/{site.id}"
    created = await api.rest("POST", f"{base}/share-links", world.creator, {"name": "Partners"})
    assert created.status_code == 201
    link = created.json()
    assert created.headers["location"] == f"http://docs.test/v1{base}/share-links/{link['id']}"
    assert (link["object"], link["name"], link["active"]) == ("share-link", "Partners", True)
    prefix, _, key = link["urls"]["published"].rpartition("/")
    assert prefix == f"http://docs.test/sites/{site.id}"
    assert len(key) == 20

    query = f"""query($id: ID!) {{ site(id: $id) {{
      urls {{ published }} shareLinks {{ totalCount nodes {{ {FIELDS} }} }} }} }}"""
    listed = (await api.rest("GET", f"{base}/share-links", world.creator)).json()
    data = await api.data(query, world.creator, id=site.id)
    assert listed == {"items": [link], "count": 1}
    (node,) = data["site"]["shareLinks"]["nodes"]
    assert {"object": "share-link", **without_nulls(node)} == link
    assert data["site"]["urls"]["published"] == link["urls"]["published"]
    (seen,) = (await api.rest("GET", f"{base}/share-links", world.reader)).json()["items"]
    assert seen == {**link, "urls": {}}

    path = f"{base}/share-links/{link['id']}"
    changed = await api.rest("PATCH", path, world.creator, {"active": False, "name": "Press"})
    assert changed.status_code == 200
    assert changed.json() == {**link, "active": False, "name": "Press", "urls": {}}
    made = await api.data(
        f"""mutation($id: ID!) {{ updateShareLink(id: $id, input: {{active: true}}) {{ {FIELDS} }}
        }}""",
        world.creator,
        id=link["id"],
    )
    assert without_nulls(made["updateShareLink"])["urls"] == link["urls"]
    assert (await api.rest("DELETE", path, world.creator)).status_code == 205
    assert (await api.rest("DELETE", path, world.creator)).status_code == 204


@pytest.mark.parametrize(
    ("body", "field"),
    [({}, "name"), ({"name": ""}, "name"), ({"name": "x" * 51}, "name"), ({"name": None}, "name"),
     ({"name": "x", "active": True}, "active")],
)  # fmt: skip
async def test_bad_bodies(
    api: Api, world: World, site: Site, body: dict[str, Any], field: str
) -> None:
    path = f"/orgs/{world.organization.id}/sites/{site.id}/share-links"
    refused = await api.rest("POST", path, world.creator, body, headers=STRICT)
    assert refused.status_code == 422
    assert field in [one["path"] for one in refused.json()["error"]["details"]]


async def test_the_key_in_the_query(api: Api, world: World, session: Session, site: Site) -> None:
    links = [await make_share_link(session, site) for _ in range(2)]
    off = await make_share_link(session, site, active=False)
    await settle(session)
    base = f"/orgs/{world.organization.id}/sites/{site.id}/site-spaces"
    root = f"http://docs.test/sites/{site.id}"
    plain = (await api.rest("GET", base, world.reader)).json()["items"]
    assert [one["urls"]["published"] for one in plain] == [root, f"{root}/path-1"]
    key = links[1].secret
    keyed = (await api.rest("GET", f"{base}?shareKey={key}", world.reader)).json()["items"]
    expected = [f"{root}/{key}", f"{root}/{key}/path-1"]
    assert [one["urls"]["published"] for one in keyed] == expected
    assert [one["space"]["urls"]["published"] for one in keyed] == expected
    query = """query($id: ID!, $key: String) { site(id: $id, shareKey: $key) {
      urls { published } siteSpaces { nodes { urls { published } } } } }"""
    data = await api.data(query, world.reader, id=site.id, key=key)
    assert data["site"]["urls"]["published"] == f"{root}/{key}"
    nodes = data["site"]["siteSpaces"]["nodes"]
    assert [one["urls"]["published"] for one in nodes] == expected
    space = f"/spaces/{plain[1]['space']['id']}"
    found = (await api.rest("GET", f"{space}?shareKey={key}", world.reader)).json()
    assert found["urls"]["published"] == f"{root}/{key}/path-1"
    assert "public" not in found["urls"]
    for wrong in (off.secret, "unknown", ""):
        for path in (base, space):
            usual = await api.rest("GET", path, world.creator)
            found_anyway = await api.rest("GET", f"{path}?shareKey={wrong}", world.creator)
            assert found_anyway.status_code == 200, found_anyway.text
            assert found_anyway.json() == usual.json()


async def test_switching_off_takes_effect_at_once(
    api: Api, world: World, session: Session, site: Site
) -> None:
    link = await make_share_link(session, site)
    await settle(session)
    path = f"/orgs/{world.organization.id}/sites/{site.id}"
    asked = f"{path}/site-spaces?shareKey={link.secret}"
    (item, *_) = (await api.rest("GET", asked, world.reader)).json()["items"]
    assert link.secret in item["urls"]["published"]
    await api.rest("PATCH", f"{path}/share-links/{link.id}", world.creator, {"active": False})
    (item, *_) = (await api.rest("GET", asked, world.reader)).json()["items"]
    assert link.secret not in item["urls"]["published"]
    assert (await session.get_one(ShareLink, link.id)).secret == link.secret
