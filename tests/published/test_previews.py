"""Previews in a browser: what says that they are none of the site's own pages, and their links."""

import re
from dataclasses import replace

import httpx2
import pytest

from db.enums import SitePreviews
from db.models.sites import Site
from db.session import Session
from resolvers.revisions.states import Changes
from resolvers.revisions.tree import all_pages
from resolvers.revisions.write_targets import open_target
from resolvers.writing.commits import commit_revision
from tests import factories
from tests.conftest import Api, World, context, settle
from tests.published.test_sites import links, make_pages


@pytest.fixture
async def site(session: Session, world: World) -> Site:
    """A site whose change request 1 renames a page and adds one, and hides neither."""
    text = "Read [it](other).\n"
    space = await make_pages(session, world, "Guide", start={"text": text}, more={}, other={})
    second = await make_pages(session, world, "Second", one={})
    request = await factories.make_change_request(session, space, world.editor)
    ctx = context(session)
    target = await open_target(ctx, space.id, request.id)
    (tree,) = await all_pages(ctx, [target.revision])
    changes = Changes()
    for page in tree:
        if page.id == "more":
            changes.before["more"] = page
            changes.pages["more"] = replace(page, title="Renamed", slug="renamed")
            changes.pages["added"] = replace(page, id="added", title="Added", slug="added")
    await commit_revision(ctx, target, changes)
    made = await factories.make_site(
        session, world.organization, space, second, title="Handbook", published=True,
        previews=SitePreviews.ANYBODY,
    )  # fmt: skip
    await settle(session)
    return made


async def get(api: Api, address: str) -> httpx2.Response:
    # As browsers ask: what is for people is shown to them only.
    headers = {"Accept": "text/html,*/*"}
    return await api.client.get(address.removeprefix("http://docs.test"), headers=headers)


async def all_answer(api: Api, addresses: list[str]) -> None:
    for address in addresses:
        if address.startswith(("/", "http://docs.test")):
            found = await get(api, address)
            assert found.status_code in (200, 307), (address, found.text)


async def test_a_preview_says_what_it_is(api: Api, site: Site) -> None:
    root = f"/sites/{site.id}"
    page = await get(api, f"{root}/~/changes/1/renamed")
    assert page.status_code == 200, page.text
    assert page.headers["x-robots-tag"] == "noindex"
    assert page.headers["cache-control"].startswith("private")
    assert '<meta name="robots" content="noindex">' in page.text
    banner = re.search(r'<aside class="announcement warning" aria-label="Preview">.*?</aside>',
                       page.text)  # fmt: skip
    assert banner is not None
    assert "Preview of change request #1. This is not published." in banner[0]
    # The page has another path where it is published.
    published = f"http://docs.test{root}/more"
    assert f'href="{published}"' in banner[0]
    assert links(page, "canonical") == [published]
    await all_answer(api, links(page))
    # A page that is only in the draft has no canonical address; its banner leads to the site.
    added = await get(api, f"{root}/~/changes/1/added")
    assert added.status_code == 200
    assert links(added, "canonical") == []
    assert f'href="http://docs.test{root}"' in added.text
    plain = await get(api, f"{root}/more")
    assert "x-robots-tag" not in plain.headers
    assert "Preview" not in plain.text
    for path in ("/~/changes/1/renamed.md", "/~/changes/1?q=text"):
        found = await get(api, root + path)
        assert (found.status_code, found.headers["x-robots-tag"]) == (200, "noindex")


async def test_lists_in_a_preview_are_those_of_the_site(api: Api, site: Site) -> None:
    root = f"/sites/{site.id}"
    for name in ("llms.txt", "llms-full.txt", "sitemap.xml", "sitemap-pages.xml"):
        found = await get(api, f"{root}/~/changes/1/{name}")
        assert found.text == (await get(api, f"{root}/{name}")).text, name
        addresses = re.findall(r"http://docs\.test[^\s<>()\]]*", found.text)
        assert addresses or name == "llms-full.txt"
        await all_answer(api, addresses)
        assert not any("~" in one for one in addresses)
    assert "Sitemap" not in (await get(api, f"{root}/~/changes/1/robots.txt")).text


async def test_search_leads_out_of_a_preview(api: Api, site: Site) -> None:
    root = f"/sites/{site.id}"
    found = await get(api, f"{root}/~/changes/1?q=more")
    hits = [one for one in links(found) if one.endswith("/more")]
    assert hits == [f"{root}/more"]


async def test_members_look_with_a_signed_address(
    api: Api, session: Session, world: World, site: Site
) -> None:
    root = f"/sites/{site.id}"
    (await session.merge(site)).previews = SitePreviews.MEMBERS
    await session.commit()
    assert (await get(api, f"{root}/~/changes/1/renamed")).status_code == 404
    requests = await api.data(
        "query($id: ID!) { site(id: $id) { siteSpaces { nodes { space {"
        " changeRequests { nodes { id } } } } } } }",
        world.reader, id=site.id,
    )  # fmt: skip
    (request,) = [
        node["id"]
        for one in requests["site"]["siteSpaces"]["nodes"]
        for node in one["space"]["changeRequests"]["nodes"]
    ]
    path = f"/orgs/{world.organization.id}/sites/{site.id}/publishing/preview"
    given = await api.rest("GET", f"{path}?changeRequest={request}", world.reader)
    url = given.json()["url"]
    page = await get(api, f"{url}/renamed")
    assert (page.status_code, page.headers["x-robots-tag"]) == (200, "noindex")
    assert page.headers["referrer-policy"] == "no-referrer"
    # Neither the banner nor the canonical address hands the signature on.
    assert links(page, "canonical") == [f"http://docs.test{root}/more"]
    await all_answer(api, links(page))
    lists = await get(api, f"{url}/llms.txt")
    assert "~preview" not in lists.text
    # Links of the Markdown are complete, and stay in the preview.
    text = await get(api, f"{url}/start.md")
    (linked,) = re.findall(r"\((http[^)]*)\)", text.text)
    assert linked == f"{url}/other"
    await all_answer(api, [linked])
