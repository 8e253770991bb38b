"""The calls of a renderer in their order, each with what the answer must have."""

from typing import Any

import pytest

from db.models.site_settings import AdaptiveSchema
from db.session import Session
from tests import factories
from tests.conftest import Api, World, settle
from tests.published import CLAIMS_SCHEMA, Published, make_sections
from tests.seeds import Seed, sow

BASE = "http://docs.test"
# Members that the published contract requires.
CONTENT = {"site", "siteSpace", "space", "pathname", "basePath", "siteBasePath", "apiToken",
           "organization", "complete", "canonicalUrl"}  # fmt: skip
SITE = {"object", "id", "title", "type", "visibility", "published", "createdAt", "urls",
        "siteSpaces", "adaptiveContent", "features", "agentsContext"}  # fmt: skip
LOOK = {"styling", "internationalization", "favicon", "header", "footer", "themes", "pdf",
        "feedback", "ai", "advancedCustomization", "trademark", "externalLinks", "pagination",
        "git", "pageActions", "privacyPolicy", "socialPreview", "insights"}  # fmt: skip
SECTION = {"object", "id", "title", "path", "siteSpaces", "urls"}
SITE_SPACE = {"object", "id", "path", "space", "title", "urls"}
SPACE = {"object", "id", "title", "createdAt", "updatedAt", "revision", "urls", "visibility"}
REVISION = {"object", "id", "parents", "pages", "files", "reusableContents", "variables",
            "createdAt", "urls", "type"}  # fmt: skip


@pytest.fixture
async def seed(session: Session, world: World) -> Seed:
    return await sow(session, world)


@pytest.fixture
async def made(session: Session, world: World, seed: Seed) -> Published:
    found = await make_sections(
        session, world.organization, {"guides": ["en", "fr"], "beta": ["one"], "empty": []},
        adaptive_content=True,
    )  # fmt: skip
    found.sections["beta"].condition = "visitor.claims.beta"
    found.site_spaces["guides/en"].space_id = seed.space.id
    await factories.make_section_group(session, found.site)
    await factories.make_site_space_customization(
        session, found.site_spaces["guides/fr"], {"title": "Manuel"}
    )
    session.add(AdaptiveSchema(site_id=found.site.id, json_schema=CLAIMS_SCHEMA))
    await settle(session)
    return found


def has(body: dict[str, Any], members: set[str]) -> None:
    assert members <= body.keys(), members - body.keys()


@pytest.mark.parametrize("claims", [{}, {"beta": True}])
async def test_a_page(api: Api, made: Published, seed: Seed, claims: dict[str, Any]) -> None:
    visitor = {"jwtToken": made.token(**claims)} if claims else {}
    url = f"{BASE}/sites/{made.site.id}/home/child"
    answer = await api.rest(
        "POST", "/urls/published", None, {"url": url, "visitor": visitor, "redirectOnError": True}
    )
    content = answer.json()
    has(content, CONTENT)
    assert (content["space"], content["pathname"]) == (seed.space.id, "home/child")
    headers = {"Authorization": f"Bearer {content['apiToken']}"}

    async def get(path: str) -> dict[str, Any]:
        found = await api.rest("GET", path, None, headers=headers)
        assert found.status_code == 200, (path, found.text)
        body: dict[str, Any] = found.json()
        return body

    site = await get(f"/orgs/{content['organization']}/sites/{content['site']}/published")
    has(site, {"object", "site", "structure", "customizations", "scripts"})
    has(site["site"], SITE)
    assert site["structure"]["type"] == "sections"
    names = ["guides", "beta"] if claims else ["guides"]
    assert [one["path"] for one in site["structure"]["structure"]] == names
    for section in site["structure"]["structure"]:
        has(section, SECTION)
        for site_space in section["siteSpaces"]:
            has(site_space, SITE_SPACE)
            has(site_space["space"], SPACE)
    has(site["customizations"]["site"], LOOK)
    own = site["customizations"]["siteSpaces"]
    assert list(own) == [made.site_spaces["guides/fr"].id]
    (look,) = own.values()
    has(look, LOOK)
    assert look["title"] == "Manuel"
    assert site["scripts"] == []

    space = await get(f"/spaces/{content['space']}")
    has(space, SPACE)
    revision = await get(f"/spaces/{space['id']}/revisions/{space['revision']}")
    has(revision, REVISION)
    page = await get(f"/spaces/{space['id']}/content/path/{content['pathname']}")
    has(page, {"id", "title", "path", "slug", "type", "urls"})
    assert (page["id"], page["path"]) == ("child", "home/child")
    document = await get(
        f"/spaces/{space['id']}/revisions/{space['revision']}/page/child/document"
        "?evaluated=deterministic-only"
    )
    has(document, {"object", "data", "nodes"})

    base = f"/orgs/{content['organization']}/sites/{content['site']}"
    scope = {"mode": "default", "currentSiteSpace": content["siteSpace"]}
    asked = {"query": "hello", "scope": scope}
    found = await api.rest("POST", f"{base}/search", None, asked, headers=headers)
    assert found.status_code == 200, found.text
    has(found.json(), {"items", "count"})
    led = await api.rest("GET", f"{base}/redirect?source=/nowhere", None, headers=headers)
    assert led.status_code == 404, led.text
    session_of = {
        "visitorId": "v", "sessionId": "s", "cookies": {}, "userAgent": "", "language": None,
        "referrer": None,
    }  # fmt: skip
    location = {
        "url": "https://docs.example/home", "siteSection": content.get("siteSection"),
        "siteSpace": content["siteSpace"], "siteShareKey": None, "space": content["space"],
        "revision": None, "page": "child",
    }  # fmt: skip
    event = {"type": "page_view", "session": session_of, "location": location}
    told = await api.rest(
        "POST", f"{base}/insights/events", None, {"events": [event]}, headers=headers
    )
    assert told.status_code == 204, told.text


async def test_members_see_the_same_form(
    api: Api, session: Session, world: World, made: Published
) -> None:
    path = f"/orgs/{world.organization.id}/sites/{made.site.id}/published"
    site = (await api.rest("GET", path, world.reader)).json()
    shown = [one["path"] for one in site["structure"]["structure"]]
    assert shown == ["guides", "beta"]
    guest = (await api.rest("GET", path, world.guest)).json()
    (section,) = guest["structure"]["structure"]
    assert [one["path"] for one in section["siteSpaces"]] == ["en"]
    assert guest["customizations"]["siteSpaces"] == {}
    assert (await api.rest("GET", path, world.outsider)).status_code == 404
    assert (await api.rest("GET", f"{path}?shareKey=none", world.reader)).status_code == 200
    row = await session.merge(made.site)
    row.published = False
    await session.commit()
    assert (await api.rest("GET", path, world.reader)).status_code == 404
