"""Look, MCP servers, people and integrations of sites through both interfaces."""

from typing import Any

import pytest
from sqlalchemy import select

from db.enums import Role
from db.models.sites import Site, SiteSpace
from db.session import Session
from resolvers.customization.defaults import DEFAULTS, effective
from tests.conftest import STRICT, Api, Queries, World, settle
from tests.factories import (
    make_entry,
    make_grant,
    make_installation,
    make_integration,
    make_member,
    make_site,
    make_space,
)
from tests.seeds import LOOK, OVERRIDES

# What the reads of GraphQL show; parity of all fields is tested for every row of /v1.
LOOKS = """
  title styling { theme corners primaryColor { light dark } font { name definition { id: fontId } }
    sidebar { list } }
  favicon { emoji icon { light } } header { links { title to links { title to } condition } }
  themes { default toggeable } pageActions { externalAI mcp }
"""


async def prepared(session: Session, world: World) -> tuple[str, str, Site, SiteSpace]:
    """The paths of a site's and a site space's customization, and both rows."""
    space = await make_space(session, world.organization)
    site = await make_site(session, world.organization, space)
    (placed,) = (await session.execute(select(SiteSpace))).scalars()
    await settle(session)
    path = f"/orgs/{world.organization.id}/sites/{site.id}"
    return f"{path}/customization", f"{path}/site-spaces/{placed.id}/customization", site, placed


def shown(settings: dict[str, Any]) -> dict[str, Any]:
    """Settings as /v1 shows them: links of the header always have `to`."""
    links = [{"to": None, **one} for one in settings["header"]["links"]]
    return {**settings, "header": {**settings["header"], "links": links}}


async def test_settings_are_read_and_replaced(session: Session, world: World, api: Api) -> None:
    of_site, of_space, _, _ = await prepared(session, world)
    first = await api.rest("GET", f"{of_site}?unmasked=true", world.reader)
    assert (first.status_code, first.json()) == (200, DEFAULTS)
    put = await api.rest("PUT", of_site, world.creator, LOOK)
    assert (put.status_code, put.json()) == (200, shown(effective(LOOK)))
    got = (await api.rest("GET", of_site, world.reader)).json()
    assert got == put.json()
    # What a read gives may be sent back, and changes nothing.
    again = await api.rest("PUT", of_site, world.creator, got)
    assert (again.status_code, again.json()) == (200, got)
    followed = (await api.rest("GET", f"{of_space}?unmasked=false", world.reader)).json()
    assert followed == {**got, "hasOverrides": False}
    reset = await api.rest("PUT", of_site, world.creator, {})
    assert reset.json() == DEFAULTS


async def test_overrides_are_set_and_removed(session: Session, world: World, api: Api) -> None:
    of_site, of_space, site, placed = await prepared(session, world)
    await api.rest("PUT", of_site, world.creator, LOOK)
    patched = await api.rest("PATCH", of_space, world.creator, OVERRIDES)
    expected = shown(effective(LOOK, OVERRIDES))
    assert (patched.status_code, patched.json()) == (200, {**expected, "hasOverrides": True})
    assert (await api.rest("GET", of_space, world.reader)).json() == patched.json()
    spaces = (
        await api.rest(
            "GET", f"/orgs/{site.organization_id}/sites/{site.id}/site-spaces", world.reader
        )
    ).json()
    assert spaces["items"][0]["hasAdvancedCustomizationFeature"] is True
    cleared = await api.rest(
        "PATCH", of_space, world.creator, {"styling": {"primaryColor": None}, "header": None}
    )
    left = {"styling": {"sidebar": {"list": "pill"}}, "favicon": {"emoji": "1f4d8"}}
    assert cleared.json() == {**shown(effective(LOOK, left)), "hasOverrides": True}
    assert (await api.rest("DELETE", of_space, world.creator)).status_code == 205
    assert (await api.rest("DELETE", of_space, world.creator)).status_code == 204
    assert (await api.rest("GET", of_space, world.reader)).json()["hasOverrides"] is False
    assert placed.site_id == site.id


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"styling": {"primaryColor": {"light": "red", "dark": "#000"}}},
         "styling.primaryColor.light"),
        ({"styling": {"primaryColor": {"light": "#fff"}}}, "styling.primaryColor.dark"),
        ({"styling": {"theme": "loud"}}, "styling.theme"),
        ({"styling": {"themes": "bold"}}, "styling.themes"),
        ({"styling": []}, "styling"),
        ({"themes": {"toggleable": True}}, "themes.toggleable"),
        ({"announcement": {"enabled": True, "message": "a", "style": "info"}},
         "announcement.message"),
        ({"announcement": {"enabled": True, "message": "ab"}}, "announcement.style"),
        ({"footer": {"groups": [], "copyright": "a" * 301}}, "footer.copyright"),
        ({"footer": {"groups": [{"title": "A", "links": [
            {"title": "a" * 65, "to": {"kind": "url", "url": "https://a.example"}}]}]}},
         "footer.groups[0].links[0].title"),
        ({"header": {"links": [{"title": "A", "to": None, "condition": "a b"}]}},
         "header.links[0].condition"),
        ({"header": {"links": [{"title": "A", "to": "https://a.example"}]}},
         "header.links[0].to"),
        ({"header": {"logo": {"light": "file:///etc/passwd", "dark": "https://a.example"}}},
         "header.logo.light"),
        ({"favicon": {"emoji": "smile"}}, "favicon.emoji"),
        ({"favicon": {"image": "a"}}, "favicon.image"),
        ({"privacyPolicy": {"url": "https://a.example/" + "a" * 2048}}, "privacyPolicy.url"),
        ({"title": "a"}, "title"),
        ({"pdf": {"enabled": "yes"}}, "pdf.enabled"),
        ({"internationalization": {"locale": "xx"}}, "internationalization.locale"),
        ({"unknown": 1}, "unknown"),
    ],
)  # fmt: skip
async def test_wrong_settings_are_422_with_their_path(
    session: Session, world: World, api: Api, body: dict[str, Any], path: str
) -> None:
    of_site, of_space, _, _ = await prepared(session, world)
    for method, address in (("PUT", of_site), ("PATCH", of_space)):
        answer = await api.rest(method, address, world.creator, body, headers=STRICT)
        assert answer.status_code == 422, answer.text
        assert [one["path"] for one in answer.json()["error"]["details"]] == [path]
    assert (await api.rest("GET", of_site, world.reader)).json() == DEFAULTS


@pytest.mark.parametrize(
    ("font", "path"),
    [
        ("Comic", "styling.font"),
        (1, "styling.font"),
        ([], "styling.font"),
        ({"id": "a"}, "styling.font.custom"),
        ({"id": "a", "custom": True, "fontFamily": "A", "fontFaces": []}, "styling.font.fontFaces"),
        ({"id": "a", "custom": True, "fontFamily": "A", "fontFaces": [{"weight": 0, "sources": [
            {"url": "https://a.example"}]}]}, "styling.font.fontFaces[0].weight"),
    ],
)  # fmt: skip
async def test_fonts_are_a_name_or_a_definition(
    session: Session, world: World, api: Api, font: Any, path: str
) -> None:
    of_site, of_space, _, _ = await prepared(session, world)
    answer = await api.rest("PUT", of_site, world.creator, {"styling": {"font": font}})
    assert answer.status_code == 422
    assert path in [one["path"] for one in answer.json()["error"]["details"]]
    # Fonts are chosen for the whole site.
    body = {"styling": {"font": "Lato"}}
    answer = await api.rest("PATCH", of_space, world.creator, body, headers=STRICT)
    assert [one["path"] for one in answer.json()["error"]["details"]] == ["styling.font"]


async def test_graphql_has_the_same_settings_typed(
    session: Session, world: World, api: Api
) -> None:
    of_site, of_space, site, placed = await prepared(session, world)
    mutation = f"""mutation($site: ID!, $space: ID!) {{
      replaceSiteCustomization(siteId: $site, input: {{
        title: "Manual", styling: {{theme: BOLD, font: {{name: LATO}}}},
        pageActions: {{externalAI: true}},
        header: {{links: [{{title: "A", to: {{kind: "url", url: "https://a.example"}},
                            condition: "true"}}]}}
      }}) {{ {LOOKS} }}
      overrideSiteSpaceCustomization(siteSpaceId: $space, input: {{
        styling: {{primaryColor: {{light: "#abc", dark: "#aabbcc80"}}}}, favicon: {{emoji: "1f4d8"}}
      }}) {{ hasOverrides {LOOKS} }}
    }}"""
    data = await api.data(mutation, world.creator, site=site.id, space=placed.id)
    query = f"""query($site: ID!, $space: ID!) {{
      siteCustomization(siteId: $site) {{ {LOOKS} }}
      siteSpaceCustomization(siteSpaceId: $space) {{ hasOverrides {LOOKS} }}
      site(id: $site) {{ customization {{ {LOOKS} }}
        siteSpaces {{ nodes {{ customization {{ hasOverrides {LOOKS} }} }} }} }}
    }}"""
    read = await api.data(query, world.reader, site=site.id, space=placed.id)
    assert data["replaceSiteCustomization"] == read["siteCustomization"]
    assert read["site"]["customization"] == read["siteCustomization"]
    assert data["overrideSiteSpaceCustomization"] == read["siteSpaceCustomization"]
    (node,) = read["site"]["siteSpaces"]["nodes"]
    assert node["customization"] == read["siteSpaceCustomization"]
    assert read["siteSpaceCustomization"]["styling"]["theme"] == "BOLD"
    assert read["siteSpaceCustomization"]["styling"]["font"] == {"name": "LATO", "definition": None}
    rest = (await api.rest("GET", of_space, world.reader)).json()
    assert rest["styling"]["font"] == "Lato"
    assert rest["styling"]["primaryColor"] == {"light": "#abc", "dark": "#aabbcc80"}
    assert rest["header"] == (await api.rest("GET", of_site, world.reader)).json()["header"]
    remove = """mutation($space: ID!) { deleteSiteSpaceCustomization(siteSpaceId: $space) {
        siteSpace { id hasAdvancedCustomizationFeature } } }"""
    assert await api.data(remove, world.creator, space=placed.id) == {
        "deleteSiteSpaceCustomization": {
            "siteSpace": {"id": placed.id, "hasAdvancedCustomizationFeature": False}
        }
    }


async def test_graphql_refuses_what_v1_refuses(session: Session, world: World, api: Api) -> None:
    _, _, site, _ = await prepared(session, world)
    mutation = """mutation($site: ID!, $input: SiteCustomizationSettingsInput!) {
      replaceSiteCustomization(siteId: $site, input: $input) { title } }"""
    wrong: list[tuple[Any, str]] = [
        ({"styling": {"tint": {"color": {"light": "#12", "dark": "#000"}}}},
         "styling.tint.color.light"),
        ({"header": {"links": [{"title": "A", "to": {"kind": "page"}}]}},
         "header.links[0].to.page"),
    ]  # fmt: skip
    for body, path in wrong:
        answer = await api.graphql(mutation, world.creator, site=site.id, input=body)
        (error,) = answer["errors"]
        assert error["extensions"]["code"] == "INVALID"
        assert [one["path"] for one in error["extensions"]["fields"]] == [path]
    both = {"styling": {"font": {"name": "LATO", "definition": None}}}
    answer = await api.graphql(mutation, world.creator, site=site.id, input=both)
    assert "errors" in answer


async def test_mcp_servers_through_v1(session: Session, world: World, api: Api) -> None:
    of_site, _, site, _ = await prepared(session, world)
    servers = of_site.replace("customization", "mcp-servers")
    body = {"name": "Tickets", "url": "https://a.example/mcp", "headers": {"X-Key": "secret"}}
    made = await api.rest("POST", servers, world.creator, body)
    assert made.status_code == 201
    one = made.json()
    location = f"http://docs.test/v1{servers}/{one['id']}"
    assert one == {"object": "site-mcp-server", "id": one["id"], **body,
                   "urls": {"location": location}}  # fmt: skip
    assert made.headers["location"] == location
    assert (await api.rest("GET", f"{servers}/{one['id']}", world.creator)).json() == one
    hidden = {**one, "headers": {}}
    assert (await api.rest("GET", f"{servers}/{one['id']}", world.reader)).json() == hidden
    listed = await api.rest("GET", servers, world.reader)
    assert listed.json() == {"items": [hidden], "count": 1}
    data = await api.data(
        "query($id: ID!, $site: ID!) { siteMcpServer(id: $id) { name headers site { id } }"
        " site(id: $site) { mcpServers { nodes { id headers } } } node(id: $id) { id } }",
        world.creator, id=one["id"], site=site.id,
    )  # fmt: skip
    assert data["siteMcpServer"]["headers"] == body["headers"]
    assert data["site"]["mcpServers"]["nodes"] == [{"id": one["id"], "headers": body["headers"]}]
    assert data["node"] == {"id": one["id"]}
    changed = await api.rest("PATCH", f"{servers}/{one['id']}", world.creator, {"name": "B"})
    assert changed.json() == {**one, "name": "B"}
    wrongs: list[tuple[dict[str, Any], str]] = [
        ({"name": ""}, "name"),
        ({"name": "a" * 101}, "name"),
        ({"url": "ftp://a.example"}, "url"),
        ({"headers": []}, "headers"),
    ]
    for wrong, path in wrongs:
        refused = await api.rest("PATCH", f"{servers}/{one['id']}", world.creator, wrong)
        assert refused.status_code == 422
        assert [one["path"] for one in refused.json()["error"]["details"]] == [path]
    assert (await api.rest("DELETE", f"{servers}/{one['id']}", world.creator)).status_code == 205
    assert (await api.rest("DELETE", f"{servers}/{one['id']}", world.creator)).status_code == 204


@pytest.mark.parametrize("number", [1, 30])
async def test_people_of_a_site_through_v1(
    session: Session, world: World, api: Api, queries: Queries, number: int
) -> None:
    space = await make_space(session, world.organization)
    site = await make_site(session, world.organization, space)
    for _ in range(number):
        guest = await make_member(session, world.organization, None)
        await make_grant(session, space, guest, Role.COMMENT)
    await settle(session)
    path = f"/orgs/{world.organization.id}/sites/{site.id}/permissions/aggregate?limit=1000"
    await api.rest("GET", path, world.admin)
    # The token, the site, the people, order and spaces of guests, users, addresses, the count.
    with queries.at_most(8):
        answer = await api.rest("GET", path, world.admin)
    body = answer.json()
    assert body["count"] == len(body["items"]) == 6 + number
    by_user = {one["user"]["id"]: one for one in body["items"]}
    assert list(by_user) == sorted(by_user)
    assert by_user[guest.id]["permission"] == "comment"
    assert by_user[guest.id]["origin"] == {"type": "space", "space": space.id}
    own = by_user[world.reader.id]
    assert own["permission"] == "read"
    assert own["origin"] == {"type": "organization", "organization": world.organization.id}
    data = await api.data(
        "query($id: ID!) { site(id: $id) { people(first: 100) { totalCount nodes {"
        " role user { id } origin { type organization space } } } } }",
        world.admin,
        id=site.id,
    )
    assert data["site"]["people"]["totalCount"] == body["count"]
    assert [one["user"]["id"] for one in data["site"]["people"]["nodes"]] == list(by_user)


async def test_integrations_of_a_site(session: Session, world: World, api: Api) -> None:
    of_site, _, site, _ = await prepared(session, world)
    integration = await make_integration(session, world.organization.id)
    installation = await make_installation(session, integration, world.organization.id)
    await make_entry(session, installation, site)
    await settle(session)
    path = of_site.replace("/customization", "")
    for search, names in (("not", ["notes"]), ("else", [])):
        listed = await api.rest("GET", f"{path}/integrations?search={search}", world.reader)
        assert [one["name"] for one in listed.json()["items"]] == names
        assert listed.json()["count"] == len(names)
    scripts = await api.rest("GET", f"{path}/integration-scripts", world.reader)
    (script,) = scripts.json()
    assert script["contentSecurityPolicy"] == "default-src 'self'"
    assert (await api.rest("GET", f"{path}/integrations", world.outsider)).status_code == 404
    assert (await api.rest("GET", f"{path}/integration-scripts", world.outsider)).status_code == 404
    data = await api.data(
        "query($id: ID!) { site(id: $id) { integrations(search: \"else\") { totalCount }"
        " integrationScripts { script } } }",
        world.reader, id=site.id,
    )  # fmt: skip
    assert data["site"]["integrations"] == {"totalCount": 0}
    assert data["site"]["integrationScripts"] == [{"script": script["script"]}]
