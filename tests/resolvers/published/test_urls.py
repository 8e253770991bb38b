"""Where addresses of published sites lead."""

import pytest

from db.enums import SitePreviews, SiteVisibility
from db.models.site_settings import ShareLink, SitePathRedirect
from db.session import Session
from resolvers.core.actors import NOBODY
from resolvers.core.context import Context
from resolvers.core.errors import BadRequest, NotFound
from resolvers.core.installation import Settings
from resolvers.core.runners import read
from resolvers.published.urls import PublishedContent, PublishedRedirect, resolve_published
from tests import factories
from tests.conftest import Queries, World
from tests.published.sites import make_flat, make_sections

KEY = b"k" * 32
BASE = "http://docs.test"


def asking(session: Session) -> Context:
    return Context(NOBODY, session, Settings(public_url=BASE), token_key=KEY)


async def content(session: Session, url: str) -> PublishedContent:
    found = await read(asking(session), resolve_published, url)
    assert isinstance(found, PublishedContent), found
    return found


async def redirect(session: Session, url: str) -> tuple[str, str]:
    found = await read(asking(session), resolve_published, url)
    assert isinstance(found, PublishedRedirect), found
    return found.target.value, found.redirect


async def missing(session: Session, url: str) -> str:
    with pytest.raises(NotFound) as caught:
        await read(asking(session), resolve_published, url)
    return caught.value.message


LAYOUT = {"guides": ["en", "fr"], "api": ["v1", "v2"]}


async def test_the_segments_of_a_path(session: Session, world: World) -> None:
    made = await make_sections(session, world.organization, LAYOUT)
    root = f"{BASE}/sites/{made.site.id}"
    own = f"/sites/{made.site.id}/"
    for path, place, base, pathname, canonical, complete in (
        ("", "guides/en", "", "", "", False),
        ("/", "guides/en", "", "", "", False),
        ("/fr", "guides/fr", "fr/", "", "/fr", False),
        ("/FR//Install/", "guides/fr", "FR/", "Install", "/fr/Install", True),
        ("/api", "api/v1", "api/", "", "/api", False),
        ("/api/v2", "api/v2", "api/v2/", "", "/api/v2", False),
        ("/api/v2/a/b", "api/v2", "api/v2/", "a/b", "/api/v2/a/b", True),
        ("/a%2520b/%C3%A9", "guides/en", "", "a b/é", "/a%20b/%C3%A9", True),
        ("/api/v", "api/v1", "api/", "v", "/api/v", False),
        ("/~", "guides/en", "", "~", "/~", False),
        ("/~/changes", "guides/en", "", "~/changes", "/~/changes", False),
    ):
        found = await content(session, root + path)
        wanted = made.site_spaces[place]
        assert (found.site_space, found.space) == (wanted.id, wanted.space_id), path
        assert found.site_section == made.sections[place.partition("/")[0]].id
        assert found.site_base_path == own
        assert (found.base_path, found.pathname) == (own + base, pathname), path
        assert found.canonical_url == root + canonical
        assert found.complete is complete, path
    for path, target in (
        ("/guides", ""),
        ("/guides/fr/x", "/fr/x"),
        ("/en", ""),
        ("/en/x?q=1&r=a b", "/x?q=1&r=a%20b"),
        ("/api/v1/x", "/api/x"),
        ("/v/fr/x", "/fr/x"),
        ("/api/v/v2", "/api/v2"),
        ("/api/V/v1/~/changes/1", "/api/~/changes/1"),
    ):
        assert await redirect(session, root + path) == ("content", root + target), path


async def test_pages_with_the_path_of_their_site_space(session: Session, world: World) -> None:
    """The short address is that of the site space, so the page keeps the long one."""
    made = await make_sections(session, world.organization, LAYOUT)
    root = f"{BASE}/sites/{made.site.id}"
    for path in ("/guides/en/en/a", "/guides/en/api/a", "/guides/en/fr"):
        found = await content(session, root + path)
        assert found.site_space == made.site_spaces["guides/en"].id, path
        assert found.base_path == f"/sites/{made.site.id}/guides/en/"
        assert found.canonical_url == root + path
        assert found.complete is True
    for path in ("/en/en/a", "/v/en/en/a", "/guides/v/en/en/a"):
        assert await redirect(session, root + path) == ("content", f"{root}/guides/en/en/a")


async def test_hosts(session: Session, world: World) -> None:
    world.organization = await session.merge(world.organization)
    world.organization.hostname = "acme"
    made = await make_flat(session, world.organization, "one", basename="Help".lower())
    rootless = await make_flat(session, world.organization, "one")
    own = await make_flat(session, world.organization, "one", hostname="docs.example.com")
    proxied = await make_flat(session, world.organization, "one", proxy_origin="Example.com/docs")
    below = await make_flat(session, world.organization, "one", proxy_origin="example.com/docs/in")
    await make_flat(session, world.organization, "one", proxy_origin="docs.example.com/taken")
    await make_flat(session, world.organization, "one", basename="hidden", published=False)
    for url, site, base, pathname, complete in (
        ("http://acme.docs.test/help", made, "/help/", "", False),
        ("https://ACME.docs.test:8443//HELP/a", made, "/HELP/", "a", True),
        ("http://acme.docs.test/", rootless, "/", "", False),
        ("http://acme.docs.test/hidden/a", rootless, "/", "hidden/a", True),
        ("http://docs.example.com./a", own, "/", "a", True),
        ("http://docs.example.com/taken/a", own, "/", "taken/a", True),
        ("https://example.com/docs/a", proxied, "/docs/", "a", True),
        ("https://example.com/DOCS", proxied, "/DOCS/", "", False),
        ("https://example.com/docs/in/a", below, "/docs/in/", "a", True),
    ):
        found = await content(session, url)
        assert found.site == site.site.id, url
        assert (found.site_base_path, found.pathname) == (base, pathname)
        assert found.complete is complete, url
    at_root = await content(session, f"{BASE}/sites/{rootless.site.id}/a")
    assert at_root.canonical_url == "http://acme.docs.test/a"
    direct = await content(session, f"{BASE}/sites/{proxied.site.id}/a")
    assert direct.canonical_url == "https://Example.com/docs/a"
    assert await redirect(session, f"{BASE}/sites/{proxied.site.id}/one/a?b=c") == (
        "content",
        "https://Example.com/docs/a?b=c",
    )
    for url in (f"{BASE}/sites/{own.site.id}/a?b=c",):
        assert await redirect(session, url) == ("content", "https://docs.example.com/a?b=c")
    for url in (
        "http://other.docs.test/help",
        "http://nowhere.test/help",
        "https://example.com/other",
        f"{BASE}/sites",
        f"{BASE}/sites/none",
    ):
        assert await missing(session, url) == "there is no published site at this address"
    assert await redirect(session, f"{BASE}/o/1?x=y") == ("application", f"{BASE}/o/1?x=y")


@pytest.mark.parametrize(
    "url",
    ["", "a", "ftp://docs.test/a", "http://", "http://[::1", "http://a:99999/", "http://a/%00",
     "http://docs.test/" + "a" * 2040],
)  # fmt: skip
async def test_what_is_no_address(session: Session, url: str) -> None:
    with pytest.raises(BadRequest, match=r"^url: "):
        await read(asking(session), resolve_published, url)


async def test_conditions_hide_structure(session: Session, world: World) -> None:
    made = await make_sections(session, world.organization, LAYOUT)
    root = f"{BASE}/sites/{made.site.id}"
    made.sections["guides"].condition = "visitor.claims.beta"
    made.site_spaces["api/v1"].condition = "visitor.claims.beta"
    await session.flush()
    found = await content(session, root)
    assert found.site_space == made.site_spaces["api/v2"].id
    assert found.canonical_url == f"{root}/api/v2"
    assert (await content(session, f"{root}/guides/fr")).pathname == "guides/fr"
    assert (await content(session, f"{root}/api/v1")).pathname == "v1"
    for row in made.site_spaces.values():
        row.condition = "false"
    await session.flush()
    assert await missing(session, root) == "there is no published site at this address"


async def test_share_links(session: Session, world: World) -> None:
    made = await make_flat(
        session, world.organization, "one", "two", visibility=SiteVisibility.SHARE_LINK
    )
    root = f"{BASE}/sites/{made.site.id}"
    link, off = (
        ShareLink(site_id=made.site.id, name="One"),
        ShareLink(site_id=made.site.id, name="Off", active=False),
    )
    session.add_all([link, off])
    await session.flush()
    found = await content(session, f"{root}/{link.secret}/two/a")
    assert (found.share_key, found.site_base_path) == (
        link.secret,
        f"/sites/{made.site.id}/{link.secret}/",
    )
    assert found.canonical_url == f"{root}/{link.secret}/two/a"
    assert found.visitor.share_key == link.secret
    assert (await content(session, f"{root}/{link.secret}/two")).complete is True
    for path in ("", "/two/a", f"/{off.secret}/two", f"/{link.secret.swapcase()}", "/~/changes/1"):
        assert await missing(session, root + path)
    assert (await missing(session, f"{root}/{link.secret}/~/changes/1")).startswith("previews")
    assert await redirect(session, f"{root}/{link.secret}/one/a") == (
        "content",
        f"{root}/{link.secret}/a",
    )
    made.site.visibility = SiteVisibility.UNLISTED
    await session.flush()
    assert await redirect(session, f"{root}/{link.secret}/two/a") == ("content", f"{root}/two/a")


async def test_old_paths_lead_to_new_ones(session: Session, world: World) -> None:
    made = await make_sections(session, world.organization, LAYOUT)
    root = f"{BASE}/sites/{made.site.id}"
    session.add_all(
        [
            SitePathRedirect(
                site_id=made.site.id, key="reference", section_id=made.sections["api"].id
            ),
            SitePathRedirect(
                site_id=made.site.id,
                key="api/old",
                site_space_id=made.site_spaces["api/v2"].id,
            ),
        ]
    )
    await session.flush()
    for path, target in (
        ("/Reference/a", "/api/a"),
        ("/api/old/a/b", "/api/v2/a/b"),
        ("/reference/~/changes/1", "/api/~/changes/1"),
    ):
        assert await redirect(session, root + path) == ("content", root + target)
    made.sections["api"].condition = "false"
    await session.flush()
    assert (await content(session, f"{root}/reference/a")).pathname == "reference/a"


async def test_previews_of_changes(session: Session, world: World) -> None:
    made = await make_flat(session, world.organization, "one", "two", previews=SitePreviews.ANYBODY)
    root = f"{BASE}/sites/{made.site.id}"
    space = await session.get_one(factories.Space, made.site_spaces["two"].space_id)
    change_request = await factories.make_change_request(session, space, world.editor)
    await session.flush()
    number = change_request.number
    for path in (f"/two/~/changes/{number}/a", f"/two/~/Changes/{change_request.id}/a"):
        found = await content(session, root + path)
        assert (found.change_request, found.revision) == (change_request.id, None)
        assert (found.pathname, found.complete) == ("a", True)
        assert found.canonical_url == f"{root}/two/a"
        assert found.visitor.revision_id == change_request.revision_id
        assert "/~/" in found.base_path
        assert "/~/" not in found.site_base_path
    revision = space.revision_id
    found = await content(session, f"{root}/two/~/revisions/{revision}")
    assert (found.change_request, found.revision) == (None, revision)
    for path in (f"/~/changes/{number}", "/two/~/changes/99", f"/~/revisions/{revision}"):
        assert (await missing(session, root + path)).startswith("there is no preview")


async def test_the_number_of_statements(session: Session, world: World, queries: Queries) -> None:
    small = await make_sections(session, world.organization, {"s0": ["a"], "s3": ["b"]})
    large = await make_sections(
        session, world.organization, {f"s{at}": ["a", "b", "c"] for at in range(12)}
    )
    for made in (small, large):
        root = f"{BASE}/sites/{made.site.id}"
        for path, count in (("", 3), ("/x/y", 4)):
            with queries(count):
                await content(session, root + path)
        with queries(4), pytest.raises(NotFound):
            await read(asking(session), resolve_published, f"{root}/s3/~/changes/1")
    with queries(1):
        await missing(session, f"{BASE}/sites/none")
