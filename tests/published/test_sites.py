"""Published sites as plain HTML: what readers, search engines and assistants get."""

import base64
import hashlib
import re
import time
from typing import Any

import httpx2
import jwt
import pytest
from sqlalchemy import select

from content.markdown.parser import parse_document
from db.content_enums import PageType
from db.enums import AgentsContext, SiteVisibility
from db.models.site_settings import PublishingAuth, ShareLink
from db.models.sites import Site, SiteSpace
from db.models.spaces import Space
from db.session import Session
from resolvers.revisions.rows import Page
from resolvers.revisions.states import Changes
from resolvers.revisions.write_targets import open_target
from resolvers.search.index import index_revision
from resolvers.writing.commits import commit_revision
from tests import factories
from tests.conftest import Api, World, context, settle
from tests.content.html.html_reader import read_html
from tests.published.test_frame import ALLOWED

BODY = "Text about *{title}*.\n\n## Details\n\nMore [here](#details).\n"


async def make_pages(session: Session, world: World, title: str, **pages: Any) -> Space:
    """A space with these pages in order: id -> changes of a page at the top level."""
    space = await factories.make_space(session, world.organization, title=title)
    changes = Changes()
    for number, (id, more) in enumerate(pages.items()):
        name = more.get("title", id.title())
        text = more.pop("text", BODY.format(title=name))
        values = {"slug": id, "document_id": changes.add_document(text, parse_document(text))}
        changes.pages[id] = Page(
            space_id=space.id, revision_id="", id=id, type=PageType.DOCUMENT,
            **{"title": name, "parent_id": None, "order": f"V{number}"} | values | more,
        )  # fmt: skip
    ctx = context(session)
    revision = await commit_revision(ctx, await open_target(ctx, space.id), changes)
    await index_revision(ctx, space.id, None, revision)
    return space


@pytest.fixture
async def site(session: Session, world: World) -> Site:
    """A flat site of two spaces: a guide, and its first version."""
    guide = await make_pages(
        session, world, "Guide",
        start={"description": "Begin here"}, deep={"parent_id": "start"},
        secret={"hidden": True}, unlisted={"no_index": True},
        other={"text": "See [that](https://example.com/?a=1&b=2) <script>alert(1)</script>.\n"},
    )  # fmt: skip
    old = await make_pages(session, world, "Guide 1", start={}, more={})
    made = await factories.make_site(
        session, world.organization, guide, old, title="Handbook", published=True
    )
    await settle(session)
    return made


async def get(api: Api, site: Site, path: str = "", **options: Any) -> httpx2.Response:
    return await api.client.get(f"/sites/{site.id}{path}", **options)


def links(response: httpx2.Response, relation: str | None = None) -> list[str]:
    """Addresses of a page's links, or of those with a relation."""
    found = read_html(response.text, ALLOWED)
    assert found.faults == []
    return [
        attributes["href"]
        for tag, attributes in found.elements
        if tag in ("a", "link")
        and "href" in attributes
        and (relation is None or attributes.get("rel") == relation)
    ]


async def test_a_site_is_read_page_by_page(api: Api, site: Site) -> None:
    root = f"/sites/{site.id}"
    seen, address = [], root
    while address:
        page = await api.client.get(address)
        assert page.status_code == 200, page.text
        seen.append(address)
        following = links(page, "next")
        address = following[0] if following else ""
    # The landing page has the address of its space; hidden pages are not on the way.
    assert seen == [root, f"{root}/start/deep", f"{root}/unlisted", f"{root}/other"]
    first = await get(api, site)
    assert "<title>Start | Handbook</title>" in first.text
    assert "Begin here" in first.text
    assert 'href="#details"' in first.text
    assert links(first, "canonical") == [f"http://docs.test{root}"]
    # The other space is offered as a variant, at its path.
    assert f"{root}/path-1" in links(first)
    older = await get(api, site, "/path-1/more")
    assert "<title>More | Handbook</title>" in older.text
    assert (await get(api, site, "/secret")).status_code == 200
    other = await get(api, site, "/other")
    assert "<script>" not in other.text
    assert "https://example.com/?a=1&amp;b=2" in other.text


async def test_one_page_has_one_address(api: Api, site: Site) -> None:
    root = f"/sites/{site.id}"
    for path, target in (
        ("/start", root), ("/Start/DEEP", f"{root}/start/deep"),
        ("/start/deep/", f"{root}/start/deep"), ("/", root),
        ("/path-1/start", f"{root}/path-1"), ("/v/path-1/more", f"{root}/path-1/more"),
    ):  # fmt: skip
        found = await get(api, site, path)
        assert found.status_code == 307, path
        assert found.headers["location"].removeprefix("http://docs.test") == target, path


async def test_relative_addresses(api: Api, session: Session, world: World) -> None:
    text = (
        "[a](deep/leaf) [b](../start/deep#part%201) [c](/START) [d](/elsewhere)\n\n"
        "[e](gone.md) [f](../gone/) ![Picture](assets/gone.png) [g](?a=1) [h](/\t/[x)\n"
    )
    space = await make_pages(
        session, world, "Guide", first={}, start={},
        deep={"parent_id": "start", "text": text}, leaf={"parent_id": "deep"},
    )  # fmt: skip
    made = await factories.make_site(session, world.organization, space, published=True)
    await settle(session)
    page = await get(api, made, "/start/deep")
    root = f"/sites/{made.id}"
    document = page.text.partition('<div class="document">')[2].partition("</div>")[0]
    assert re.findall('<a href="(.*?)"', document) == [
        f"{root}/start/deep/leaf", f"{root}/start/deep#part%201", f"{root}/start", "/elsewhere",
    ]  # fmt: skip
    for name in "ef":
        assert f'<span class="broken-link">{name}</span>' in document
    assert "<img" not in document
    assert "Picture" in document


async def test_headers_and_what_is_not_there(api: Api, session: Session, site: Site) -> None:
    page = await get(api, site)
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    found = read_html(page.text, ALLOWED).elements
    scripts = [one for tag, one in found if tag == "script" and "src" in one]
    (script,) = [one for one in scripts if one.get("type") != "module"]
    modules = [f" '{one['integrity']}'" for one in scripts if one is not script]
    assert modules
    assert policy.endswith(f"; script-src '{script['integrity']}'{''.join(modules)}")
    assert "connect-src 'self';" in policy
    assert "unsafe" not in policy
    # All scripts are named by their digests; a page without modules may run the one script alone.
    results = await get(api, site, "?q=nothing")
    alone = results.headers["content-security-policy"]
    assert alone.endswith(f"; script-src '{script['integrity']}'")
    running = await api.client.get(script["src"])
    assert running.headers["content-type"].startswith("text/javascript")
    assert "immutable" in running.headers["cache-control"]
    digest = base64.b64encode(hashlib.sha256(running.content).digest()).decode()
    assert script["integrity"] == f"sha256-{digest}"
    assert "script" not in running.headers["content-security-policy"]
    assert page.headers["x-content-type-options"] == "nosniff"
    assert page.headers["vary"] == "Accept, Cookie, X-Forwarded-Host, Accept-Encoding"
    assert page.headers["content-encoding"] in ("gzip", "zstd")
    plain = await get(api, site, headers={"Accept-Encoding": "identity"})
    assert plain.text == page.text
    assert page.headers["etag"] == f"W/{plain.headers['etag']}"
    for tag in (page.headers["etag"], plain.headers["etag"]):
        for accepted in ("identity", "gzip"):
            sent = {"If-None-Match": tag, "Accept-Encoding": accepted}
            again = await get(api, site, headers=sent)
            assert (again.status_code, again.content) == (304, b"")
            assert again.headers["etag"] == tag
    lines = [("If-None-Match", '"other"'), ("If-None-Match", plain.headers["etag"])]
    for known in (lines, [("If-None-Match", "*")]):
        assert (await get(api, site, headers=known)).status_code == 304
    (sheet,) = links(page, "stylesheet")
    style = await api.client.get(sheet)
    assert style.headers["content-type"].startswith("text/css")
    assert "immutable" in style.headers["cache-control"]
    assert "--link" in style.text
    (icon,) = links(page, "icon")
    picture = await api.client.get(icon)
    assert picture.headers["content-type"] == "image/svg+xml"
    for path in (
        "/nowhere",
        "/start/nowhere",
        "/~docs/x/y/z",
        "/path-1/nowhere",
        "/%00",
        "/a" * 900,
    ):
        missing = await get(api, site, path)
        assert missing.status_code in (400, 404), path
        assert read_html(missing.text, ALLOWED | {"style"}).faults == []
    row = await session.merge(site)
    row.published = False
    await session.commit()
    for path in ("", "/start/deep", "/llms.txt", "/robots.txt"):
        assert (await get(api, site, path)).status_code == 404, path
    assert (await api.client.get("/sites/site_nothing")).status_code == 404


async def test_lists_for_machines(api: Api, session: Session, site: Site) -> None:
    root = f"http://docs.test/sites/{site.id}"
    listed = (await get(api, site, "/llms.txt")).text
    assert listed.startswith("# Handbook\n\n## Guide\n")
    assert f"- [Start]({root}): Begin here" in listed
    assert f"- [Deep]({root}/start/deep)" in listed
    assert f"- [More]({root}/path-1/more)" in listed
    assert "Secret" not in listed
    assert "Unlisted" not in listed
    whole = await get(api, site, "/llms-full.txt")
    assert whole.headers["content-type"] == "text/markdown; charset=utf-8"
    assert whole.text.startswith("# Start\n")
    assert "# Secret" in whole.text
    assert (await get(api, site, "/llms-full.txt/2")).status_code == 404
    robots = (await get(api, site, "/robots.txt")).text
    assert f"Sitemap: {root}/sitemap.xml" in robots
    index = (await get(api, site, "/sitemap.xml")).text
    maps = re.findall("<loc>(.*?)</loc>", index)
    assert maps == [f"{root}/sitemap-pages.xml", f"{root}/path-1/sitemap-pages.xml"]
    pages = (await api.client.get(maps[0])).text
    assert re.findall("<loc>(.*?)</loc>", pages) == [
        root, f"{root}/start/deep", f"{root}/other",
    ]  # fmt: skip
    row = await session.merge(site)
    row.visibility, row.agents_context = SiteVisibility.UNLISTED, AgentsContext.EXCLUDED
    await session.commit()
    assert (await get(api, site, "/robots.txt")).text == "User-agent: *\nDisallow: /\n"
    for path in ("/sitemap.xml", "/sitemap-pages.xml", "/llms.txt", "/llms-full.txt"):
        assert (await get(api, site, path)).status_code == 404, path


async def test_pages_as_markdown(api: Api, site: Site) -> None:
    by_name = await get(api, site, "/start/deep.md")
    by_type = await get(api, site, "/start/deep", headers={"Accept": "text/markdown"})
    assert by_name.text == by_type.text
    assert by_name.text.startswith("# Deep\n\nText about *Deep*.")
    assert by_name.headers["content-type"] == "text/markdown; charset=utf-8"
    assert (await get(api, site, "/nowhere.md")).status_code == 404


async def test_search(api: Api, site: Site) -> None:
    found = await get(api, site, "", params={"q": "about deep"})
    assert found.status_code == 200
    root = f"/sites/{site.id}"
    assert f"{root}/start/deep" in links(found)
    assert "<mark>" in found.text
    assert 'content="noindex"' in found.text
    assert "Unlisted" not in found.text
    nothing = await get(api, site, "", params={"q": 'zzz"<b>'})
    assert "Nothing was found for “zzz&quot;&lt;b&gt;”." in nothing.text
    assert links(await get(api, site, "", params={"q": ""}))
    # Nothing on it is secret.
    assert found.headers["content-encoding"]


async def test_hosts_of_organizations_and_of_sites(
    api: Api, session: Session, world: World, site: Site
) -> None:
    organization = await session.merge(world.organization)
    row = await session.merge(site)
    organization.hostname, row.basename = "acme", "handbook"
    await session.commit()
    named = await api.client.get("http://acme.docs.test/handbook/start/deep")
    assert named.status_code == 200, named.text
    assert links(named, "canonical") == ["http://acme.docs.test/handbook/start/deep"]
    assert "/handbook/other" in links(named)
    # Paths of the service are no paths of the site.
    for path in ("/v1/orgs", "/graphql", "/health", "/handbook/v1"):
        found = await api.client.get(f"http://acme.docs.test{path}")
        assert found.status_code == 404, path
    refused = await api.client.post("http://acme.docs.test/handbook")
    assert refused.status_code == 405
    row.hostname = "help.acme.example"
    await session.commit()
    own = await api.client.get("http://help.acme.example/start/deep")
    assert own.status_code == 200, own.text
    assert links(own, "canonical") == ["https://help.acme.example/start/deep"]
    moved = await api.client.get("http://acme.docs.test/handbook/start/deep?a=b")
    assert moved.headers["location"] == "https://help.acme.example/start/deep?a=b"
    # Any other name leads to the service.
    assert (await api.client.get("http://elsewhere.example/health")).status_code == 200


async def test_a_proxied_site_links_to_where_readers_are(
    api: Api, session: Session, site: Site
) -> None:
    row = await session.merge(site)
    row.proxy_origin = "example.com/docs/help"
    await session.commit()
    page = await get(api, site, "/start/deep", headers={"X-Forwarded-Host": "example.com"})
    assert "/docs/help/other" in links(page)
    assert links(page, "canonical") == ["https://example.com/docs/help/start/deep"]
    assert not any(address.startswith("/sites/") for address in links(page))


async def test_a_share_link_opens_a_site(api: Api, session: Session, site: Site) -> None:
    row = await session.merge(site)
    row.visibility = SiteVisibility.SHARE_LINK
    link = await factories.make_share_link(session, row)
    await session.commit()
    assert (await get(api, site)).status_code == 404
    page = await get(api, site, f"/{link.secret}/start/deep")
    assert page.status_code == 200
    assert f"/sites/{site.id}/{link.secret}/other" in links(page)
    assert page.headers["cache-control"] == "private, no-cache"
    searched = await get(api, site, f"/{link.secret}/?q=about")
    assert "content-encoding" not in searched.headers
    # The address opens the site: it is told to nobody.
    assert page.headers["referrer-policy"] == "no-referrer"
    assert (await get(api, site, f"/{link.secret}/robots.txt")).text.endswith("Disallow: /\n")
    found = await session.get_one(ShareLink, link.id)
    found.active = False
    await session.commit()
    assert (await get(api, site, f"/{link.secret}/start/deep")).status_code == 404


async def test_redirects_that_somebody_made(api: Api, session: Session, site: Site) -> None:
    row = await session.merge(site)
    away = "https://elsewhere.example/?x=1"
    await factories.make_site_redirect(session, row, "/old/*", away)
    space = (await session.execute(
        select(SiteSpace).where(SiteSpace.site_id == site.id).order_by(SiteSpace.position)
    )).scalars().first()  # fmt: skip
    assert space is not None
    made = await factories.make_site_redirect(
        session, row, "/new", kind="site-page", siteSpaceId=space.id, pageId="deep"
    )
    made.permanent = True
    await session.commit()
    root = f"http://docs.test/sites/{site.id}"
    for path, target, status in (
        ("/old/a%20b?y=2", "https://elsewhere.example/?x=1&y=2", 307),
        ("/new", f"{root}/start/deep", 308),
        ("/New/?y=2", f"{root}/start/deep?y=2", 308),
    ):
        found = await get(api, site, path)
        assert (found.status_code, found.headers["location"]) == (status, target), path
    assert (await get(api, site, "/newer")).status_code == 404
    # Readers stay where they are: below a proxy's path, and behind a key.
    row.proxy_origin = "example.com/docs"
    await session.commit()
    found = await get(api, site, "/new", headers={"X-Forwarded-Host": "example.com"})
    assert found.headers["location"] == "https://example.com/docs/start/deep"
    row.proxy_origin, row.visibility = None, SiteVisibility.SHARE_LINK
    link = await factories.make_share_link(session, row)
    await session.commit()
    found = await get(api, site, f"/{link.secret}/new")
    assert (found.status_code, found.headers["location"]) == (
        307, f"{root}/{link.secret}/start/deep",
    )  # fmt: skip


async def test_a_visitor_signs_in_and_out(api: Api, session: Session, site: Site) -> None:
    row = await session.merge(site)
    row.visibility = SiteVisibility.VISITOR_AUTH
    auth = await session.get_one(PublishingAuth, site.id)
    await session.commit()
    token = jwt.encode({"exp": int(time.time()) + 600}, auth.private_key, "HS256")
    wrong = jwt.encode({"exp": int(time.time()) + 600}, "x" * 43, "HS256")
    refused = await get(api, site)
    assert refused.status_code == 403
    assert (await get(api, site, "/robots.txt")).text == "User-agent: *\nDisallow: /\n"
    bad = await get(api, site, f"?jwt_token={wrong}")
    assert bad.status_code == 403
    assert "bad signature" in bad.text
    entered = await get(api, site, f"/start/deep?jwt_token={token}&a=b")
    assert entered.status_code == 303
    assert entered.headers["location"] == f"/sites/{site.id}/start/deep?a=b"
    cookie = entered.headers["set-cookie"]
    assert cookie.startswith("gitbook-visitor-token~")
    assert "HttpOnly" in cookie
    assert f"Path=/sites/{site.id}/" in cookie
    lifetime = int(re.search(r"Max-Age=(\d+)", cookie)[1])  # type: ignore[index]
    assert 500 < lifetime <= 600
    api.client.cookies.clear()
    held = {"Cookie": cookie.partition(";")[0]}
    page = await get(api, site, "/start/deep", headers=held)
    assert page.status_code == 200, page.text
    assert page.headers["cache-control"] == "private, no-cache"
    assert page.headers["content-encoding"]
    # Words that anybody can make the reader send stand beside what others may not read.
    claimed = {"Cookie": f"{held['Cookie']}; gitbook-visitor-public=%7B%22a%22%3A%22b%22%7D"}
    for address, sent in (
        ("?q=about", held), ("/start/deep?a=b", held), ("/start/deep?visitor.a=b", held),
        ("/start/deep", claimed),
    ):  # fmt: skip
        repeating = await get(api, site, address, headers=sent)
        assert (repeating.status_code, len(repeating.content) > 1024) == (200, True)
        assert repeating.headers["cache-control"] == "private, no-cache, no-transform"
        assert "content-encoding" not in repeating.headers
        api.client.cookies.clear()
    # What the owner's own domain has set counts as well; a wrong one is passed over.
    owners = {"Cookie": f"gitbook-visitor-token={token}"}
    assert (await get(api, site, headers=owners)).status_code == 200
    stale = {"Cookie": f"{held['Cookie'].partition('=')[0]}={wrong}; gitbook-visitor-token={token}"}
    assert (await get(api, site, headers=stale)).status_code == 200
    api.client.cookies.clear()
    left = await get(api, site, "/~gitbook/auth/logout", headers=held)
    assert left.status_code == 303
    assert "Max-Age=0" in left.headers["set-cookie"]
    api.client.cookies.clear()
    auth.fallback_url = "https://login.example/?x=1"
    await session.commit()
    for path in ("/start/deep", "/~gitbook/auth/login?location=/start/deep"):
        away = await get(api, site, path)
        assert away.status_code == 307, path
        assert away.headers["location"] == "https://login.example/?x=1&location=/start/deep", path


async def test_sections_and_what_conditions_hide(api: Api, session: Session, world: World) -> None:
    guide = await make_pages(session, world, "Guide", start={}, beta={
        "condition": "visitor.claims.unsigned.beta", "title": "Beta things"})  # fmt: skip
    api_space = await make_pages(session, world, "API", start={}, calls={})
    made = await factories.make_site(
        session, world.organization, published=True, adaptive_content=True
    )
    await factories.make_adaptive_schema(
        session, made,
        unsigned={
            "type": "object", "description": "Unsigned claims of the site visitor.",
            "properties": {"beta": {"type": "boolean", "description": "Beta"}},
            "additionalProperties": False,
        },
    )  # fmt: skip
    first = await factories.make_section(session, made, guide, title="Guides", path="guides")
    await factories.make_section(
        session, made, api_space, title="Reference", path="reference",
        condition="visitor.claims.unsigned.beta",
    )  # fmt: skip
    assert made.default_section_id == first.id
    await settle(session)
    root = f"/sites/{made.id}"
    plain = await get(api, made)
    assert "Beta things" not in plain.text
    assert "Reference" not in plain.text
    assert (await get(api, made, "/reference")).status_code == 404
    assert (await get(api, made, "/beta")).status_code == 404
    assert "Beta" not in (await get(api, made, "/llms.txt")).text
    shown = await get(api, made, "?visitor.beta=true")
    assert f"{root}/reference" in links(shown)
    assert "Beta things" in shown.text
    # The claim is kept for the next page.
    kept = await get(api, made, "/beta")
    assert kept.status_code == 200
    calls = await get(api, made, "/reference/calls")
    assert "<title>Calls |" in calls.text
    api.client.cookies.clear()
    assert (await get(api, made, "/beta")).status_code == 404


async def test_a_page_costs_the_same_whatever_the_size(
    api: Api, session: Session, world: World, queries: Any
) -> None:
    counts = []
    for size in (3, 60):
        pages: dict[str, Any] = {f"page{number}": {} for number in range(size)}
        space = await make_pages(session, world, "Guide", **pages)
        made = await factories.make_site(session, world.organization, space, published=True)
        await settle(session)
        await get(api, made, "/page2")
        queries.statements.clear()
        assert (await get(api, made, "/page2")).status_code == 200
        counts.append(len(queries.statements))
        await session.begin_write()
    assert counts[0] == counts[1] <= 16


async def test_every_host_has_an_icon(api: Api, session: Session, world: World) -> None:
    """Browsers ask for it beside what names none, such as the Markdown of a page."""
    for host in ("docs.test", "acme.docs.test"):
        found = await api.client.get(f"http://{host}/favicon.ico")
        assert (found.status_code, found.headers["content-type"]) == (200, "image/svg+xml")


async def test_parts_of_a_page_that_are_switched_off_are_not_shown(
    api: Api, session: Session, world: World
) -> None:
    text = "# One\n\nText\n\n# Two\n\nText\n"
    looks: dict[str, Any] = {
        "text": text,
        "description": "In short",
        "updated_at": context(session).now(),
    }
    off = {
        name: {"visible": False}
        for name in ("title", "description", "tableOfContents", "outline", "pagination", "metadata")
    }
    space = await make_pages(
        session, world, "Guide", on={**looks}, off={**looks, "layout": off}, last={}
    )
    site = await factories.make_site(session, world.organization, space, published=True)
    await settle(session)
    marks = {
        "<h1>": 1, 'class="description"': 1, 'class="contents"': 1, 'class="outline"': 1,
        'class="beside"': 1, "Last updated": 1,
    }  # fmt: skip
    on, hidden = (await get(api, site, "")).text, (await get(api, site, "/off")).text
    assert {mark: on.count(mark) for mark in marks} == marks
    assert {mark: hidden.count(mark) for mark in marks} == dict.fromkeys(marks, 0)
    assert "Two" in hidden
