"""The calls of a renderer in their order, each with what the answer must have."""

from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx2
import pytest

from db.enums import SiteVisibility
from db.models.site_settings import AdaptiveSchema
from db.session import Database, Session
from docstead.asgi import create_app
from docstead.server import Server
from docstead.settings import Settings
from tests import factories
from tests.conftest import Api, World, settle
from tests.published.sites import CLAIMS_SCHEMA, Published, make_flat, make_sections
from tests.seeds import Seed, sow

BASE = "http://docs.test"
UNLISTED = SiteVisibility.UNLISTED
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
    shown_spaces = [name for name in made.site_spaces if name.split("/")[0] in names]
    assert own.keys() == {made.site_spaces[name].id for name in shown_spaces}
    for look in own.values():
        has(look, LOOK)
    assert own[made.site_spaces["guides/fr"].id]["title"] == "Manuel"
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
    tracked = await api.rest(
        "POST", f"{base}/insights/events", None, {"events": [event]}, headers=headers
    )
    assert tracked.status_code == 204, tracked.text


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
    assert list(guest["customizations"]["siteSpaces"]) == [made.site_spaces["guides/en"].id]
    assert (await api.rest("GET", path, world.outsider)).status_code == 404
    assert (await api.rest("GET", f"{path}?shareKey=none", world.reader)).status_code == 200
    row = await session.merge(made.site)
    row.published = False
    await session.commit()
    assert (await api.rest("GET", path, world.reader)).status_code == 404


async def test_a_space_is_where_the_token_reads_it(
    api: Api, session: Session, world: World, seed: Seed
) -> None:
    """A space on several sites has the address of the site whose token is used."""
    roots = []
    for number in range(3):
        made = await make_flat(
            session, world.organization, "guide", visibility=UNLISTED, basename=f"site{number}"
        )
        made.site_spaces["guide"].space_id = seed.space.id
        roots.append(f"{BASE}/sites/{made.site.id}")
    await settle(session)
    for root in roots:
        content = (await api.rest("POST", "/urls/published", None, {"url": root})).json()
        headers = {"Authorization": f"Bearer {content['apiToken']}"}
        space = await api.rest("GET", f"/spaces/{content['space']}", None, headers=headers)
        published = space.json()["urls"]["published"]
        found = (await api.rest("POST", "/urls/published", None, {"url": published})).json()
        assert found.get("site") == content["site"], (published, found)


@pytest.mark.parametrize("root", ["http://docs.test:8080", "https://docs.test:8443/base"])
async def test_addresses_with_a_port(
    database: Database, session: Session, world: World, tmp_path: Path, root: str
) -> None:
    """Addresses of sites lead back to them where the server's own address has a port."""
    plain = await make_flat(session, world.organization, "one")
    named = await make_flat(session, world.organization, "one", hostname="docs.acme.example")
    (await session.merge(world.organization)).hostname = "acme"
    plain.site.basename = "handbook"
    await settle(session)
    settings = Settings(public_url=root, data_dir=tmp_path / "data")
    transport = httpx2.ASGITransport(app=create_app(settings, Server(settings, database)))
    port = root.rpartition(":")[2].partition("/")[0]
    async with httpx2.AsyncClient(transport=transport, base_url="http://docs.test") as client:
        api = Api(Server(settings, database), client)
        for made in (plain, named):
            path = f"/orgs/{world.organization.id}/sites/{made.site.id}"
            site = (await api.rest("GET", path, world.reader)).json()
            published = site["urls"]["published"]
            assert f":{port}" in published
            for address in (published, published.replace(f":{port}", "")):
                for found in (
                    await api.rest("POST", "/urls/published", None, {"url": address}),
                    await api.rest("GET", f"/urls/published?url={quote(address)}", None),
                ):
                    assert found.status_code == 200, found.text
                    assert found.json()["site"] == made.site.id
                    assert found.json()["canonicalUrl"] == published
        own = f"{root}/sites/{named.site.id}"
        moved = await api.rest("POST", "/urls/published", None, {"url": own})
        assert moved.json()["redirect"] == f"{root.partition(':')[0]}://docs.acme.example:{port}"
