"""What readers can do with a page is what the settings say; scripts and their policy."""

import gzip
from typing import Any
from urllib.parse import unquote

import pytest
from sqlalchemy import select

from content.slugs import unique_slug
from db.enums import SiteVisibility
from db.models.site_settings import ShareLink, SiteCustomization
from db.models.sites import Site, SiteSpace
from db.session import Session
from published.assets import BELOW, FOLDER, digest
from tests import factories
from tests.conftest import Api, World, settle
from tests.content.html.html_reader import read_html
from tests.published.test_frame import ALLOWED
from tests.published.test_sites import get, make_pages

VIDEO = '{% embed url="https://youtu.be/dQw4w9WgXcQ" %}\n'
DIAGRAM = "```mermaid\ngraph TD\n  A --> B\n```\n"
GIT = {"git": {"path": "deep.md", "root": "", "url": "https://git.example/deep.md"}}


@pytest.fixture
async def site(session: Session, world: World) -> Site:
    space = await make_pages(
        session, world, "Guide", start={}, deep=dict(GIT), video={"text": VIDEO},
        diagram={"text": DIAGRAM}, bare={"layout": {"actions": False}},
    )  # fmt: skip
    made = await factories.make_site(session, world.organization, space, published=True)
    session.add(SiteCustomization(site_id=made.id, settings={}))
    await settle(session)
    return made


async def actions(api: Api, site: Site, path: str = "/deep") -> dict[str, str]:
    """The actions of a page by their words: where they lead, or what they copy."""
    page = await get(api, site, path)
    assert page.status_code == 200
    found = read_html(page.text, ALLOWED)
    assert found.faults == []
    if 'class="page-actions"' not in page.text:
        return {}
    menu = page.text.partition('class="page-actions"')[2].partition("</details>")[0]
    parts = [part for part in menu.split("<li>")[1:]]
    result = {}
    for part in parts:
        words = part.partition(">")[2].partition("<")[0]
        for name in ("href", "data-address"):
            if f'{name}="' in part:
                result[words] = part.partition(f'{name}="')[2].partition('"')[0]
    return result


COPY, VIEW, PDF = "Copy as Markdown", "View as Markdown", "Download as PDF"
EDIT = "Edit this page"
MCP = ("Copy the address of the MCP server", "Connect with MCP")
ASSISTANTS = ("Open in ChatGPT", "Open in Claude")


async def test_each_setting_is_what_there_is(api: Api, session: Session, site: Site) -> None:
    cases: list[tuple[dict[str, Any], list[str]]] = [
        ({}, [COPY, VIEW, *MCP, PDF]),
        ({"pdf": {"enabled": False}}, [COPY, VIEW, *MCP]),
        ({"pageActions": {"markdown": False}}, [*MCP, PDF]),
        ({"pageActions": {"mcp": False, "externalAI": True}}, [COPY, VIEW, PDF]),
        ({"git": {"showEditLink": True}}, [COPY, VIEW, *MCP, PDF, EDIT]),
        (
            {"pageActions": {"items": ["git", "pdf", "markdown"], "mcp": False},
             "git": {"showEditLink": True}},
            [EDIT, PDF, COPY, VIEW],
        ),
        (
            {"pageActions": {"markdown": False, "mcp": False}, "pdf": {"enabled": False}},
            [],
        ),
    ]  # fmt: skip
    for number, (given, expected) in enumerate(cases):
        stored = await session.get_one(SiteCustomization, site.id)
        stored.settings = given
        await settle(session)
        found = await actions(api, site)
        if number == 3:
            # Assistants elsewhere need the Markdown, and stand behind what is usual.
            expected = [*expected, *ASSISTANTS]
        assert list(found) == expected, given
    assert await actions(api, site, "/bare") == {}


async def test_they_lead_where_they_say(api: Api, session: Session, site: Site) -> None:
    stored = await session.get_one(SiteCustomization, site.id)
    stored.settings = {"pageActions": {"externalAI": True}, "git": {"showEditLink": True}}
    await settle(session)
    found = await actions(api, site)
    root = f"/sites/{site.id}"
    assert found[COPY] == found[VIEW] == f"{root}/deep.md"
    assert (await api.client.get(found[VIEW])).headers["content-type"].startswith("text/markdown")
    assert found[MCP[0]] == f"{root}/~gitbook/mcp"
    assert found[EDIT] == GIT["git"]["url"]
    assert f"http://docs.test{root}/deep.md" in unquote(found["Open in Claude"])
    printed = await api.client.get(found[PDF].replace("&amp;", "&"))
    assert printed.status_code == 307
    assert printed.headers["location"].startswith("http://docs.test/pdf/")
    assert "only=true" in printed.headers["location"]
    address = printed.headers["location"].removeprefix("http://docs.test")
    assert (await api.client.get(address)).content.startswith(b"%PDF")


async def test_a_pdf_that_is_off_is_not_made(api: Api, session: Session, site: Site) -> None:
    path = "/~gitbook/pdf"
    assert (await get(api, site, path)).status_code == 307
    assert (await get(api, site, f"{path}?page=nowhere&only=yes")).status_code == 404
    stored = await session.get_one(SiteCustomization, site.id)
    stored.settings = {"pdf": {"enabled": False}}
    await settle(session)
    assert (await get(api, site, path)).status_code == 404
    assert (await get(api, site, "/~gitbook/other")).status_code == 404


async def test_a_pdf_that_a_site_does_not_offer_is_there_for_who_reads_the_space(
    api: Api, session: Session, world: World, site: Site
) -> None:
    """The setting is about the pages of the site; a space has a PDF whichever sites it is on."""
    stored = await session.get_one(SiteCustomization, site.id)
    stored.settings = {"pdf": {"enabled": False}}
    placed = select(SiteSpace.space_id).where(SiteSpace.site_id == site.id)
    space = (await session.execute(placed)).scalars().first()
    await settle(session)
    answer = await api.rest("GET", f"/spaces/{space}/pdf", world.reader)
    assert answer.status_code == 200, answer.text
    assert answer.json()["url"].startswith("http://docs.test/pdf/")


async def test_keys_and_sign_in(api: Api, session: Session, site: Site) -> None:
    stored = await session.get_one(SiteCustomization, site.id)
    stored.settings = {"pageActions": {"externalAI": True}}
    (await session.get_one(Site, site.id)).visibility = SiteVisibility.SHARE_LINK
    session.add(ShareLink(site_id=site.id, name="Key", secret="k" * 20))
    await settle(session)
    found = await actions(api, site, f"/{'k' * 20}/deep")
    assert found[VIEW] == f"/sites/{site.id}/{'k' * 20}/deep.md"
    assert (await api.client.get(found[PDF].replace("&amp;", "&"))).status_code == 307


async def test_an_assistant_that_the_site_has_not_is_refused(
    api: Api, world: World, site: Site
) -> None:
    path = f"/orgs/{world.organization.id}/sites/{site.id}/customization"
    refused = await api.rest(
        "PUT", path, world.admin, {"pageActions": {"items": ["markdown", "assistant"]}}
    )
    assert refused.status_code == 422
    assert refused.json()["error"]["details"][0]["path"] == "pageActions.items[1]"


async def test_pages_have_the_scripts_that_they_need(api: Api, site: Site) -> None:
    policies = {}
    for path, expected in (
        ("/deep", {"page-actions.js"}),
        ("/bare", set()),
        ("/video", {"page-actions.js", "players.js"}),
        ("/diagram", {"page-actions.js", "diagrams.js"}),
    ):
        page = await get(api, site, path)
        policies[path] = page.headers["content-security-policy"]
        tags = [
            attributes
            for tag, attributes in read_html(page.text, ALLOWED).elements
            if tag == "script" and "src" in attributes
        ]
        (main,) = [attributes for attributes in tags if attributes.get("type") != "module"]
        modules = [attributes for attributes in tags if attributes is not main]
        sources = " ".join(f"'{attributes['integrity']}'" for attributes in (main, *modules))
        assert f"; script-src {sources};" in f"{policies[path]};"
        scripts = [attributes["src"] for attributes in modules]
        assert {script.rpartition("/")[2] for script in scripts} == expected
        for script in scripts:
            answer = await api.client.get(script)
            assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
            assert "immutable" in answer.headers["cache-control"]
    assert "frame-src" not in policies["/deep"]
    assert policies["/video"].endswith("frame-src https://www.youtube-nocookie.com")
    assert policies["/diagram"].endswith("frame-src 'self'")
    for policy in policies.values():
        assert "unsafe" not in policy
        assert "default-src 'none'" in policy


async def test_files_of_scripts(api: Api, session: Session, site: Site) -> None:
    below = f"/sites/{site.id}/{BELOW}/{digest()}"
    # They are nobody's secret, and the frame of diagrams has no cookies.
    (await session.get_one(Site, site.id)).visibility = SiteVisibility.VISITOR_AUTH
    await settle(session)
    module = await api.client.get(f"{below}/mermaid/mermaid.esm.min.mjs")
    assert module.status_code == 200
    assert module.headers["access-control-allow-origin"] == "*"
    frame = await api.client.get(f"{below}/diagram-frame.html")
    assert "sandbox allow-scripts" in frame.headers["content-security-policy"]
    again = await api.client.get(
        f"{below}/players.js",
        headers={"If-None-Match": (await api.client.get(f"{below}/players.js")).headers["etag"]},
    )
    assert again.status_code == 304
    for wrong in ("nothing.js", "%2e%2e/assets.py", "mermaid", "mermaid/", ""):
        assert (await api.client.get(f"{below}/{wrong}")).status_code == 404, wrong
    other = await api.client.get(f"/sites/{site.id}/{BELOW}/{'0' * 16}/players.js")
    assert other.status_code == 404


async def test_pages_beside_the_files_of_scripts(api: Api, session: Session, world: World) -> None:
    space = await make_pages(
        session, world, "Guide", start={}, above={},
        assets={"slug": BELOW, "parent_id": "above"}, inner={"parent_id": "assets"},
    )  # fmt: skip
    site = await factories.make_site(session, world.organization, space, published=True)
    await settle(session)
    page = await api.client.get(f"/sites/{site.id}/above/{BELOW}/inner")
    assert page.status_code == 200
    assert unique_slug(BELOW, set(), at_root=True) == f"{BELOW}-1"


def test_what_is_shipped_is_small_and_whole() -> None:
    own = sum(len(gzip.compress(path.read_bytes(), 9)) for path in FOLDER.glob("*.js"))
    assert own < 13_000
    everything = sum(path.stat().st_size for path in FOLDER.rglob("*") if path.is_file())
    assert everything < 4_500_000
    assert not list(FOLDER.rglob("elk-*"))
    assert (FOLDER / "mermaid" / "THIRD-PARTY-LICENCES.txt").stat().st_size > 100_000
