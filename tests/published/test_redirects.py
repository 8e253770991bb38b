"""Old paths of published sites lead readers on."""

import re
import time

import jwt
import pytest

from db.enums import SiteVisibility
from db.models.site_settings import PublishingAuth
from db.models.sites import Site
from db.session import Session
from tests import factories
from tests.conftest import Api, World
from tests.published.redirecting_sites import LEADS, LIVE, NOWHERE, Redirected, make_redirected
from tests.published.test_sites import get, make_pages


@pytest.fixture
async def made(session: Session, world: World) -> Redirected:
    return await make_redirected(session, world)


async def change(session: Session, site: Site, **changes: object) -> Site:
    row = await session.get_one(Site, site.id)
    for name, value in changes.items():
        setattr(row, name, value)
    await session.commit()
    return row


@pytest.mark.parametrize("audience", [SiteVisibility.PUBLIC, SiteVisibility.UNLISTED])
async def test_readers_are_led_on(
    api: Api, session: Session, made: Redirected, audience: SiteVisibility
) -> None:
    await change(session, made.site, visibility=audience)
    for path, (target, status) in LEADS.items():
        found = await get(api, made.site, path)
        expected = status if audience is SiteVisibility.PUBLIC else 307
        assert found.status_code == expected, path
        wanted = made.root + target if target.startswith("/") else target
        assert found.headers["location"] == wanted, path
        assert found.headers["cache-control"] == "no-cache"
    for path in LIVE:
        assert (await get(api, made.site, path)).status_code == 200, path
    for path in NOWHERE:
        assert (await get(api, made.site, path)).status_code == 404, path


async def test_the_query_is_kept(api: Api, made: Redirected) -> None:
    for path, target in {
        "/other?a=b&c=d%20e": f"{made.root}/new?a=b&c=d+e",
        "/page?a=b": f"{made.root}/path-1/more?a=b",
        "/away?a=b": "https://a.example/b?c=d&a=b",
        "/anchor?a=b": f"{made.root}/start/deep?a=b#details",
    }.items():
        assert (await get(api, made.site, path)).headers["location"] == target, path


async def test_hidden_pages_are_absent(api: Api, session: Session, made: Redirected) -> None:
    site = await change(session, made.site, adaptive_content=True)
    await factories.make_adaptive_schema(
        session, site,
        unsigned={
            "type": "object", "description": "Unsigned claims of the site visitor.",
            "properties": {"beta": {"type": "boolean", "description": "Beta"}},
            "additionalProperties": False,
        },
    )  # fmt: skip
    await session.commit()
    found = await get(api, site, "/beta")
    assert (found.status_code, found.headers["location"]) == (307, "https://a.example/join")
    assert (await get(api, site, "/beta?visitor.beta=true")).status_code == 200


async def test_redirects_of_content_lead_only_to_what_is_there_for_the_visitor(
    api: Api, session: Session, made: Redirected
) -> None:
    site = await change(session, made.site, adaptive_content=True)
    schema = {"beta": {"type": "boolean", "description": "Beta"}}
    await factories.make_adaptive_schema(
        session, site,
        unsigned={
            "type": "object", "description": "Unsigned claims of the site visitor.",
            "properties": schema, "additionalProperties": False,
        },
    )  # fmt: skip
    await session.commit()
    assert (await get(api, site, "/set/hidden")).status_code == 404
    for path, target in {
        "/set/hidden": "/beta", "/set/beta": "/beta", "/set/hidden.md": "/beta.md",
    }.items():  # fmt: skip
        api.client.cookies.clear()
        found = await get(api, site, f"{path}?visitor.beta=true")
        assert found.headers["location"] == f"{made.root}{target}?visitor.beta=true", path
    api.client.cookies.clear()
    assert (await get(api, site, "/set/hidden")).status_code == 404


async def test_queries_and_anchors(api: Api, made: Redirected) -> None:
    for path, target in {
        "/set?a=b": "/new?a=b",
        "/set/anchored?a=b": "/start/deep?a=b#details",
        "/set.md?a=b": "/new.md?a=b",
        # The landing page is at the root.
        "/set/landing": "",
        "/set/landing?a=b": "?a=b",
    }.items():
        found = await get(api, made.site, path)
        assert (found.status_code, found.headers["location"]) == (308, made.root + target), path
    # Whoever asks for Markdown at the old path of a page gets it at the new one.
    found = await api.client.get(
        f"/sites/{made.site.id}/other", headers={"Accept": "text/markdown"}, follow_redirects=True
    )
    assert found.headers["content-type"].startswith("text/markdown")
    found = await api.client.get(f"/sites/{made.site.id}/other.md", follow_redirects=True)
    assert found.text.startswith("# Other")


async def test_a_token_is_kept_on_the_way(api: Api, session: Session, made: Redirected) -> None:
    await change(session, made.site, visibility=SiteVisibility.VISITOR_AUTH)
    auth = await session.get_one(PublishingAuth, made.site.id)
    token = jwt.encode({"exp": int(time.time()) + 600}, auth.private_key, "HS256")
    assert (await get(api, made.site, "/other")).status_code == 403
    found = await get(api, made.site, f"/other?jwt_token={token}&a=b")
    assert (found.status_code, found.headers["location"]) == (307, f"{made.root}/new?a=b")
    assert f"Path=/sites/{made.site.id}/" in found.headers["set-cookie"]
    assert (await get(api, made.site, "/new")).status_code == 200
    away = await get(api, made.site, f"/away?jwt_token={token}")
    assert away.headers["location"] == "https://a.example/b?c=d"


async def test_share_links_stay_in_the_address(
    api: Api, session: Session, made: Redirected
) -> None:
    site = await change(session, made.site, visibility=SiteVisibility.SHARE_LINK)
    link = await factories.make_share_link(session, site)
    await factories.make_site_redirect(
        session, site, "/keyed", f"{made.root}/{link.secret}/path-1/more"
    )
    await session.commit()
    for path, target in {
        "/other": "/new", "/page": "/path-1/more", "/keyed": "/path-1/more",
        "/set/anchored": "/start/deep#details", "/set.md": "/new.md",
    }.items():  # fmt: skip
        found = await get(api, site, f"/{link.secret}{path}")
        expected = (307, f"{made.root}/{link.secret}{target}")
        assert (found.status_code, found.headers["location"]) == expected, path
    assert (await get(api, site, "/page")).status_code == 404


async def test_pages_that_are_covered_by_a_site_space_have_their_full_address(
    api: Api, session: Session, world: World
) -> None:
    guide = await make_pages(
        session, world, "Guide", start={"text": "[a](../path-1) [b](path-1/deep) [c](/other)\n"},
        **{"path-1": {}}, deep={"parent_id": "path-1"}, other={},
    )  # fmt: skip
    first = await make_pages(session, world, "First", start={"title": "Of the first"})
    site = await factories.make_site(session, world.organization, guide, first, published=True)
    placed = site.default_site_space_id
    await factories.make_site_redirect(
        session, site, "/old", kind="site-page", siteSpaceId=str(placed), pageId="path-1"
    )
    await session.commit()
    root = f"/sites/{site.id}"
    start = await get(api, site)
    document = start.text.partition('<div class="document">')[2].partition("</div>")[0]
    assert re.findall('<a href="(.*?)"', document) == [
        f"{root}/path-0/path-1", f"{root}/path-0/path-1/deep", f"{root}/other",
    ]  # fmt: skip
    found = await get(api, site, "/old")
    assert found.headers["location"] == f"http://docs.test{root}/path-0/path-1"
    assert "Of the first" in (await get(api, site, "/path-1")).text
    page = await get(api, site, "/path-0/path-1")
    assert "Text about <em>Path-1</em>" in page.text
    assert f'<link rel="canonical" href="http://docs.test{root}/path-0/path-1">' in page.text
    below = await get(api, site, "/path-0/path-1/deep")
    assert below.status_code == 200
    assert f'href="{root}/path-0/path-1"' in below.text
    sitemap = (await get(api, site, "/sitemap-pages.xml")).text
    assert f"http://docs.test{root}/path-0/path-1/deep<" in sitemap
    assert f"http://docs.test{root}/other<" in sitemap
