"""What readers of the newest published contract need, through both doors."""

from typing import Any

import pytest

from db.session import Session
from tests.conftest import Api, World, settle
from tests.factories import make_site, make_space
from tests.seeds import sow

Json = dict[str, Any]


async def look(api: Api, world: World, session: Session) -> str:
    """The path of a new site's customization."""
    space = await make_space(session, world.organization)
    site = await make_site(session, world.organization, space)
    await settle(session)
    return f"/orgs/{world.organization.id}/sites/{site.id}/customization"


async def put(api: Api, world: World, path: str, body: Json) -> Json:
    answer = await api.rest("PUT", path, world.admin, body)
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    assert (await api.rest("GET", path, world.admin)).json() == found
    return found


async def test_accounts_and_colours_of_code_are_settings(
    api: Api, world: World, session: Session
) -> None:
    path = await look(api, world, session)
    first = (await api.rest("GET", path, world.admin)).json()
    usual = {"light": "default-light", "dark": "default-dark"}
    assert first["socialAccounts"] == []
    assert first["styling"]["codeTheme"] == {"default": usual, "openapi": usual}
    account = {
        "platform": "github", "handle": "kelpline", "display": {"footer": True, "header": False},
    }  # fmt: skip
    nord = {"light": "one-light", "dark": "nord"}
    body = {"socialAccounts": [account], "styling": {"codeTheme": {"default": nord}}}
    found = await put(api, world, path, body)
    assert found["socialAccounts"] == [account]
    assert found["styling"]["codeTheme"] == {"default": nord, "openapi": usual}
    for wrong, where in (
        ({"socialAccounts": [account] * 11}, "socialAccounts"),
        ({"socialAccounts": [{**account, "platform": "x"}]}, "socialAccounts[0].platform"),
        ({"socialAccounts": [{**account, "handle": ""}]}, "socialAccounts[0].handle"),
        ({"styling": {"codeTheme": {"default": {"light": "nord"}}}},
         "styling.codeTheme.default.dark"),
    ):  # fmt: skip
        refused = await api.rest("PUT", path, world.admin, wrong)
        assert refused.status_code == 422
        assert refused.json()["error"]["details"][0]["path"] == where


@pytest.mark.parametrize(
    ("body", "items", "switches"),
    [
        ({}, ["markdown", "mcp", "pdf"], (False, True, True)),
        # Clients that know the switches alone.
        ({"pageActions": {"externalAI": True, "mcp": False}},
         ["markdown", "pdf", "external-ai"], (True, True, False)),
        ({"pdf": {"enabled": False}}, ["markdown", "mcp"], (False, True, True)),
        # And those that know the list alone.
        ({"pageActions": {"items": ["mcp", "external-ai"]}},
         ["mcp", "external-ai"], (True, False, True)),
        ({"pageActions": {"items": []}, "ai": {"mode": "assistant"}}, [], (False, False, False)),
        ({"pageActions": {"items": ["git", "markdown", "git"]}, "ai": {"mode": "assistant"}},
         ["assistant", "git", "markdown"], (False, True, False)),
    ],
)  # fmt: skip
async def test_page_actions_are_switches_and_a_list(
    api: Api, world: World, session: Session, body: Json, items: list[str],
    switches: tuple[bool, ...],
) -> None:  # fmt: skip
    path = await look(api, world, session)
    found = await put(api, world, path, body)
    actions = found["pageActions"]
    assert actions["items"] == items
    assert tuple(actions[name] for name in ("externalAI", "markdown", "mcp")) == switches
    assert found["pdf"]["enabled"] == ("pdf" in items)
    assert found["git"]["showEditLink"] == ("git" in items)
    assert await put(api, world, path, found) == found


async def test_who_changes_one_of_both_sends_the_other_along(
    api: Api, world: World, session: Session
) -> None:
    path = await look(api, world, session)
    found = await put(api, world, path, {"pageActions": {"items": ["mcp", "markdown"]}})
    found["pageActions"]["externalAI"] = True
    found = await put(api, world, path, found)
    assert found["pageActions"]["items"] == ["mcp", "markdown", "external-ai"]
    found["pageActions"]["items"] = ["external-ai"]
    found = await put(api, world, path, found)
    assert found["pageActions"] == {
        "externalAI": True, "markdown": False, "mcp": False, "items": ["external-ai"],
    }  # fmt: skip


async def test_pages_have_the_parts_of_the_newest_layout(
    api: Api, world: World, session: Session
) -> None:
    seed = await sow(session, world)
    content = f"/spaces/{seed.space.id}/content"
    page = (await api.rest("GET", f"{content}/page/home", world.admin)).json()
    new = {"coverMask": "none", "tags": True, "actions": True, "anchors": True}
    assert new.items() <= page["layout"].items()
    assert page["tags"] == []
    layout = {"coverMask": "radial", "actions": False, "anchors": False}
    changes = [{"operation": "update_page", "page": "home", "layout": layout}]
    written = await api.rest("POST", content, world.admin, {"changes": changes})
    assert written.status_code == 200, written.text
    page = (await api.rest("GET", f"{content}/page/home", world.admin)).json()
    assert {**layout, "tags": True}.items() <= page["layout"].items()
    query = """query ($id: ID!) { page(spaceId: $id, id: "home") {
      ... on DocumentPage { layout { coverMask tags actions anchors } } } }"""
    data = await api.data(query, world.admin, id=seed.space.id)
    shown = data["page"]["layout"]
    assert shown == {"coverMask": "radial", "tags": True, "actions": False, "anchors": False}
    assert (await api.rest("GET", content, world.admin)).json()["tags"] == []


async def test_hits_have_the_pages_above_them(api: Api, world: World, session: Session) -> None:
    seed = await sow(session, world)
    answer = await api.rest("GET", f"/spaces/{seed.space.id}/search?query=deep", world.admin)
    (hit,) = [one for one in answer.json()["items"] if one["id"] == "deep"]
    assert hit["ancestors"] == [{"title": "Home"}, {"title": "Child"}]
    assert hit["description"] == ""
    answer = await api.rest("GET", f"/spaces/{seed.space.id}/search?query=start", world.admin)
    (hit,) = [one for one in answer.json()["items"] if one["id"] == "home"]
    assert (hit["ancestors"], hit["description"]) == ([], "Start")
    answer = await api.rest("GET", f"/orgs/{world.organization.id}/search?query=deep", world.admin)
    assert {one["type"] for one in answer.json()["items"]} == {"space"}


async def test_what_is_on_a_site_is_no_draft(api: Api, world: World, session: Session) -> None:
    seed = await sow(session, world)
    base = f"/orgs/{world.organization.id}/sites/{seed.site.id}"
    for name in ("site-spaces", "sections"):
        items = (await api.rest("GET", f"{base}/{name}", world.admin)).json()["items"]
        assert items
        assert {one["draft"] for one in items} == {False}


async def test_addresses_are_resolved_past_caches(api: Api, world: World, session: Session) -> None:
    await sow(session, world)
    body = {"url": "http://docs.test/o/x", "cacheBust": "17"}
    answer = await api.rest("POST", "/urls/published", world.admin, body)
    assert "docstead-ignored" not in answer.headers
    without = await api.rest("POST", "/urls/published", world.admin, {"url": body["url"]})
    assert answer.status_code == without.status_code
