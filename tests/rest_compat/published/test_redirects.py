"""Where clients that resolve addresses of published sites are sent."""

from typing import Any

from db.models.site_settings import SitePathRedirect
from db.models.sites import Site, SiteSpace
from db.session import Session
from tests import factories
from tests.conftest import Api, Queries, World, settle
from tests.published.redirecting_sites import LEADS, LIVE, NOWHERE, make_redirected
from tests.published.sites import make_flat, make_sections

BASE = "http://docs.test"


async def resolve(api: Api, url: str) -> Any:
    answer = await api.rest("POST", "/urls/published", None, {"url": url})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_redirects_of_paths(api: Api, session: Session, world: World) -> None:
    made = await make_redirected(session, world)
    for path, (target, _) in LEADS.items():
        own = target.startswith("/")
        assert await resolve(api, made.root + path) == {
            "target": "content" if own else "external",
            "redirect": made.root + target if own else target,
        }, path
    for path in (*LIVE, *NOWHERE):
        found = await resolve(api, made.root + path)
        assert "redirect" not in found, path
        assert found["pathname"] == path.removeprefix("/path-1").strip("/")
    query = """query($url: String!) { publishedSite(url: $url) {
      ... on PublishedSiteRedirect { target redirect } } }"""
    answer = await api.graphql(query, world.outsider, url=f"{made.root}/away?x=y")
    assert "errors" not in answer, answer
    assert answer["data"]["publishedSite"] == {
        "target": "EXTERNAL", "redirect": "https://a.example/b?c=d&x=y",
    }  # fmt: skip


async def test_redirects_where_a_site_is_reached_otherwise(
    api: Api, session: Session, world: World
) -> None:
    made = await make_redirected(session, world)
    row = await session.get_one(Site, made.site.id)
    row.proxy_origin = "example.com/docs"
    await factories.make_site_redirect(session, row, "/own", "https://example.com/docs/path-1/more")
    await session.commit()
    for start in ("https://example.com/docs", made.root):
        for path, target in (("/other", "/new"), ("/own", "/path-1/more")):
            assert await resolve(api, start + path) == {
                "target": "content", "redirect": f"https://example.com/docs{target}",
            }  # fmt: skip
    row.proxy_origin, row.hostname = None, "docs.example.com"
    await session.commit()
    assert await resolve(api, "http://docs.example.com/other?q=1") == {
        "target": "content", "redirect": "http://docs.example.com/new?q=1",
    }  # fmt: skip


async def test_a_page_that_a_site_space_hides_is_led_to_at_its_full_address(
    api: Api, session: Session, world: World
) -> None:
    made = await make_redirected(session, world)
    row = await session.get_one(Site, made.site.id)
    guide = made.site_spaces["path-0"]
    first = await session.get_one(SiteSpace, made.site_spaces["path-1"].id)
    # The path of the second site space is that of a page of the first, whose pages it hides.
    first.path = "start"
    await factories.make_site_redirect(
        session, row, "/start/deep", kind="site-page", siteSpaceId=guide.id, pageId="deep"
    )
    await session.commit()
    found = await resolve(api, f"{made.root}/start/deep")
    target = f"{made.root}/path-0/start/deep"
    assert found == {"target": "content", "redirect": target}
    found = await resolve(api, target)
    assert (found["siteSpace"], found["pathname"]) == (guide.id, "start/deep")
    assert found["canonicalUrl"] == target
    # Where a page of the other space is, nothing leads on.
    found = await resolve(api, f"{made.root}/start/more")
    assert (found["siteSpace"], found["pathname"]) == (first.id, "more")


async def test_conditions_of_structure_count(api: Api, session: Session, world: World) -> None:
    made = await make_sections(session, world.organization, {"guides": ["en"], "api": ["v1"]})
    made.sections["api"].condition = "visitor.claims.beta"
    section = made.sections["api"].id
    session.add(SitePathRedirect(site_id=made.site.id, key="reference", section_id=section))
    await factories.make_site_redirect(
        session, made.site, "/old", kind="site-section", siteSectionId=section
    )
    await settle(session)
    root = f"{BASE}/sites/{made.site.id}"
    for path in ("/reference/a", "/old", "/api"):
        assert (await resolve(api, root + path))["pathname"] == path[1:]


async def test_redirects_cost_a_constant_number_of_statements(
    api: Api, session: Session, world: World, queries: Queries
) -> None:
    made = await make_redirected(session, world)
    for number in range(50):
        await factories.make_site_redirect(session, made.site, f"/r{number}", "https://a.example")
    other = await make_flat(session, world.organization, "one")
    await settle(session)
    await resolve(api, f"{made.root}/start/deep")
    # The site and its structure (3), the redirects of the path.
    for url in (f"{made.root}/new", f"{made.root}/nothing", f"{BASE}/sites/{other.site.id}/x/y"):
        with queries(5):
            await resolve(api, url)
    # Where there is one, whether a page is there: its revision, and the conditions in it.
    with queries.at_most(6):
        await resolve(api, f"{made.root}/start/deep")
