"""Links to a site from its time with other programs lead to its pages."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from content.links.old_spellings import other_spellings
from content.slugs import slug_key
from db.models.sites import Site
from db.session import Session
from tests import factories
from tests.conftest import Api, World, context, settle
from tests.published.redirecting_sites import set_redirects
from tests.published.test_sites import get, make_pages

HOST = "http://docs.test"
# The site has the pages readme (its landing page), guide, guide/setup, API, API/getting-started
# and master, and in the variant `old` readme and guide; `help/old` leads to guide/setup#first.
LEADS = {
    # Endings and main files.
    "/guide/setup.html": "/guide/setup",
    "/guide/setup.htm": "/guide/setup",
    "/Guide/SETUP.HTML": "/guide/setup",
    "/guide/setup.html/": "/guide/setup",
    "/guide/setup.mdx": "/guide/setup",
    "/guide/README": "/guide",
    "/guide/readme.html": "/guide",
    "/guide/index.html": "/guide",
    "/guide/index": "/guide",
    "/index.html": "",
    "/README.html": "",
    "/index": "",
    # Markdown of pages leads to Markdown.
    "/guide/README.md": "/guide.md",
    "/index.md": "/readme.md",
    "/master/guide/setup.md": "/guide/setup.md",
    # Names that are no slugs.
    "/API/Getting%20Started": "/API/getting-started",
    "/API/Getting%2520Started": "/API/getting-started",
    "/API/Getting%20Started.html": "/API/getting-started",
    "/api/Getting+Started": "/API/getting-started",
    # Branches, versions and variants that are gone.
    "/main/guide/setup": "/guide/setup",
    "/latest": "",
    "/en/latest/guide/setup.html": "/guide/setup",
    "/pt-br/stable/guide/": "/guide",
    "/v/1.0/guide/setup": "/guide/setup",
    "/v/1.0": "",
    "/v/master/guide/README": "/guide",
    # Within a variant.
    "/old/guide.html": "/old/guide",
    "/old/index.html": "/old",
    "/old/main/guide": "/old/guide",
    # What the content sets for an old path counts for its spellings.
    "/help/old.html": "/guide/setup#first",
    "/main/help/old": "/guide/setup#first",
    "/Help/Old/index.html": "/guide/setup#first",
}
LIVE = ("/guide", "/guide/", "/GUIDE/setup", "/guide//setup", "/guide%2Fsetup", "/guide.md", "/master",
        "/API/getting-started.md", "/old/guide", "/readme.md")  # fmt: skip
NOWHERE = ("/guide/none.html", "/none/index.html", "/v/1.0/none", "/none", "/main/none", "/setup.html",
           "/%2e%2e.html", "/.html", "/guide/setup.html.html.pdf", "/v")  # fmt: skip


@pytest.fixture
async def site(session: Session, world: World) -> Site:
    new = await make_pages(
        session, world, "Guide", readme={}, guide={}, setup={"parent_id": "guide"}, API={},
        started={"parent_id": "API", "slug": "getting-started"}, master={},
    )  # fmt: skip
    old = await make_pages(session, world, "Old", readme={}, guide={})
    made = await factories.make_site(session, world.organization, new, old, published=True)
    await set_redirects(context(session), new.id, {"help/old": ("setup", "first")})
    await settle(session)
    return made


async def test_old_spellings_lead_to_their_pages(api: Api, site: Site) -> None:
    root = f"{HOST}/sites/{site.id}"
    failed = {}
    for path, target in LEADS.items():
        path, target = (text.replace("/old/", "/path-1/", 1) if text.startswith("/old") else text
                        for text in (path, target))  # fmt: skip
        target = "/path-1" if target == "/old" else target
        answer = await get(api, site, path)
        led = (answer.status_code, answer.headers.get("location"))
        if led != (308, root + target):
            failed[path] = led
    assert failed == {}
    for path in LIVE:
        path = path.replace("/old/", "/path-1/")
        answer = await get(api, site, path, follow_redirects=True)
        assert answer.status_code == 200, path
        # At most to the same path as its page has it.
        assert (
            str(answer.url.path)
            .lower()
            .endswith(path.lower().replace("%2f", "/").replace("//", "/").rstrip("/"))
        )
    for path in NOWHERE:
        assert (await get(api, site, path)).status_code in (400, 404), path


async def test_the_query_stays(api: Api, site: Site) -> None:
    answer = await get(api, site, "/help/old.html?a=b")
    assert answer.headers["location"] == f"{HOST}/sites/{site.id}/guide/setup?a=b#first"


SEGMENTS = st.text(st.characters(codec="utf-8", exclude_characters="/"), min_size=1, max_size=12)
PATHS = st.lists(
    SEGMENTS | st.sampled_from(["v", "main", "en", "latest", "index.html", "README.md", ".html"]),
    max_size=6,
)


@given(PATHS)
def test_spellings_of_any_path_are_few_and_other_ones(segments: list[str]) -> None:
    spellings = other_spellings(segments)
    assert len(spellings) <= 8
    own = [slug_key(segment) for segment in segments]
    assert all([slug_key(segment) for segment in path] != own for path in spellings)
    assert all(len(path) <= len(segments) and all(path) for path in spellings)


@given(st.lists(st.from_regex(r"[a-z0-9]{1,8}(-[a-z0-9]{1,5})?", fullmatch=True), max_size=5))
def test_paths_of_pages_have_no_other_spelling(segments: list[str]) -> None:
    if {"v", "main", "master", "latest", "stable", "index", "readme"}.isdisjoint(segments):
        assert other_spellings(segments) == []
