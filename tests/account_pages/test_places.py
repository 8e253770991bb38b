"""Addresses of the application lead to a page that says what is there, for who may read it."""

import re
from html import unescape
from typing import Any
from urllib.parse import quote

import pytest

from tests import factories
from tests.account_pages.browsing import BASE, Browser
from tests.conftest import Api, World
from tests.merging import filled_space

ADDRESSES = """query ($organization: ID!, $site: ID!, $collection: ID!, $space: ID!) {
  specification(organizationId: $organization, slug: "planets") { urls { app } }
  organization(id: $organization) { urls { app } }
  site(id: $site) { urls { app } }
  collection(id: $collection) { urls { app } }
  space(id: $space) { urls { app published }
    changeRequests { nodes { urls { app } } } }
  revision(spaceId: $space) { urls { app } pages { nodes {
    ... on DocumentPage { urls { app } } } } } }"""


@pytest.fixture
async def scene(api: Api, world: World, session: Any) -> dict[str, Any]:
    """The ids of one object of each kind; the space is on a published site, and has two pages."""
    site = await factories.make_site(session, world.organization, title="Handbook", published=True)
    collection = await factories.make_collection(session, world.organization, title="Products")
    await factories.make_specification(session, world.organization.id)
    space = await filled_space(session, world, title="A <b> guide", parent=collection)
    added = await api.rest(
        "POST", f"/orgs/{world.organization.id}/sites/{site.id}/site-spaces", world.admin,
        {"spaceId": space.id},
    )  # fmt: skip
    assert added.status_code < 300, added.text
    made = await api.rest(
        "POST", f"/spaces/{space.id}/change-requests", world.admin, {"subject": "Better <i> words"}
    )
    assert made.status_code < 300, made.text
    ids = {"site": site.id, "collection": collection.id, "space": space.id}
    return {"organization": world.organization.id, **ids}


async def addresses(api: Api, person: Any, scene: dict[str, Any]) -> dict[str, str]:
    data = await api.data(ADDRESSES, person, **scene)
    found = {
        "specification": data["specification"],
        "organization": data["organization"], "site": data["site"],
        "collection": data["collection"], "space": data["space"], "revision": data["revision"],
        "change request": data["space"]["changeRequests"]["nodes"][0],
    }  # fmt: skip
    for number, page in enumerate(data["revision"]["pages"]["nodes"]):
        found[f"page {number}"] = page
    return {name: value["urls"]["app"].removeprefix(BASE) for name, value in found.items()}


async def test_each_address_leads_to_a_page(api: Api, world: World, scene: dict[str, Any]) -> None:
    browser = Browser(api)
    await browser.sign_in(world.admin)
    paths = await addresses(api, world.admin, scene)
    titles = {
        "organization": world.organization.title, "specification": "planets",
        "site": "Handbook", "collection": "Products",
        "space": "A <b> guide", "change request": "Better <i> words",
    }  # fmt: skip
    for name, path in paths.items():
        answer = await browser.get(path)
        assert answer.status_code == 200, (name, answer.text)
        assert "<b>" not in answer.text
        assert "<i>" not in answer.text
        text = unescape(answer.text)
        if name in titles:
            assert f"<h1>{titles[name]}</h1>" in text, name
        # Whatever it leads to on this server is there.
        for link in set(re.findall(r"<main.*?</main>", answer.text, re.DOTALL)):
            for href in re.findall(r'href="([^"]+)"', link):
                local = unescape(href).removeprefix(BASE)
                assert local.startswith("/"), href
                there = await browser.client.get(
                    local, headers={"Accept": "text/html"}, follow_redirects=True
                )
                assert there.status_code == 200, (name, href, there.text[:300])
    assert len([name for name in paths if name.startswith("page")]) == 3
    space = await browser.get(paths["space"])
    assert "Read it on its site" in space.text
    assert (await browser.get(paths["space"] + "/")).status_code == 200


async def test_who_may_not_read_finds_nothing(
    api: Api, world: World, scene: dict[str, Any]
) -> None:
    paths = await addresses(api, world.admin, scene)
    nobody, outsider = Browser(api), Browser(api)
    await outsider.sign_in(world.outsider)
    for path in paths.values():
        answer = await nobody.get(path)
        assert answer.headers["location"] == f"/sign-in?next={quote(path, safe='/')}"
        answer = await outsider.get(path)
        assert answer.status_code in (403, 404)
        for words in ("Handbook", "Products", "guide", "Better", world.organization.title):
            assert words not in answer.text


@pytest.mark.parametrize(
    "path",
    [
        "/o/x", "/o/x/sites/y", "/c/x", "/s/x", "/s/x/a", "/s/{space}/no/such", 
        "/s/{space}/~/changes/9",
        "/s/{space}/~/changes/99999999999999999999", "/s/{space}/~/changes/a%00b", "/s/{space}/%00",
        "/s/{space}/~/revisions/x", "/s/{space}/~/references/page", "/s/{space}?after=x",
        "/s/%F0%9F%98%80", "/s/{space}/" + "a/" * 300, "/c/" + "x" * 3000, "/s/{space}/..%2f..",
    ],
)  # fmt: skip
async def test_what_is_not_there(api: Api, world: World, scene: dict[str, Any], path: str) -> None:
    browser = Browser(api)
    await browser.sign_in(world.admin)
    answer = await browser.get(path.format(**scene))
    assert 400 <= answer.status_code < 500, answer.text
