"""Who reads change requests and revisions at the address of a site, by its setting `previews`."""

import time
from typing import Any

import jwt
import pytest

from db.enums import SitePreviews, SiteVisibility
from db.models.organizations import User
from db.models.sites import Site
from db.session import Session
from resolvers.revisions.states import Changes
from resolvers.revisions.tree import all_pages
from resolvers.revisions.write_targets import open_target
from resolvers.writing.commits import commit_revision
from tests import factories
from tests.conftest import Api, World, context, settle
from tests.published.conditional_sites import SECRET, Published, publish

BASE = "http://docs.test"
CHANGE = """mutation($id: ID!, $to: SitePreviews!) {
  updateSite(id: $id, input: {previews: $to}) { previews } }"""
PREVIEW = """query($id: ID!, $request: ID) {
  sitePreview(id: $id, changeRequest: $request) { url } }"""


@pytest.fixture
async def published(session: Session, world: World) -> Published:
    return await publish(session, world, adaptive_content=False, previews=SitePreviews.MEMBERS)


async def allow(api: Api, world: World, site: Site, to: str) -> None:
    path = f"/orgs/{world.organization.id}/sites/{site.id}"
    changed = await api.rest("PATCH", path, world.creator, {"previews": to})
    assert (changed.status_code, changed.json()["previews"]) == (200, to), changed.text


async def resolved(api: Api, url: str) -> dict[str, Any]:
    """What an address leads to; its status where that is nothing."""
    answer = await api.rest("POST", "/urls/published", None, {"url": url})
    body: dict[str, Any] = answer.json() if answer.status_code == 200 else {}
    return body | {"status": answer.status_code}


async def reading(api: Api, url: str, path: str) -> int:
    """The status of a read with the token that an address gives."""
    headers = {"Authorization": f"Bearer {(await resolved(api, url))['apiToken']}"}
    return (await api.rest("GET", path, None, headers=headers)).status_code


async def preview(api: Api, world: World, site: Site, person: User, query: str) -> Any:
    path = f"/orgs/{world.organization.id}/sites/{site.id}/publishing/preview?{query}"
    return await api.rest("GET", path, person)


def drafts(published: Published) -> list[str]:
    """Reads of the change request, of its content and of another revision."""
    space, request = f"/spaces/{published.space.id}", published.request
    bases = [f"{space}/change-requests/{one}" for one in (request.id, request.number)]
    revision = f"{space}/revisions/{published.preview.id}"
    return [
        *(f"{base}{end}" for base in bases for end in ("", "/content", "/content/page/home")),
        *(f"{revision}{end}" for end in ("", "/pages", "/page/home", "/page/home/document")),
    ]


async def test_the_setting_decides(api: Api, world: World, published: Published) -> None:
    root = f"{BASE}/sites/{published.site.id}"
    named = (f"{root}/~/changes/1/home", f"{root}/~/revisions/{published.preview.id}")
    for setting, status in (("nobody", 404), ("members", 404), ("anybody", 200)):
        await allow(api, world, published.site, setting)
        for path in drafts(published):
            assert await reading(api, root, path) == status, (setting, path)
        for address in named:
            assert (await resolved(api, address))["status"] == status, (setting, address)
    # A list is no address: what was not asked for by its name is not there.
    headers = {"Authorization": f"Bearer {(await resolved(api, root))['apiToken']}"}
    space = f"/spaces/{published.space.id}"
    listed = await api.rest("GET", f"{space}/change-requests", None, headers=headers)
    assert listed.json().get("items", []) == []
    for end in ("comments", "reviews", "requested-reviewers", "contributors"):
        path = f"{space}/change-requests/1/{end}"
        found = await api.rest("GET", path, None, headers=headers)
        assert found.status_code >= 400 or found.json()["items"] == [], path
    # People of the organization read as before, through either door.
    await allow(api, world, published.site, "nobody")
    for path in drafts(published):
        assert (await api.rest("GET", path, world.reader)).status_code == 200, path
    changed = await api.data(CHANGE, world.creator, id=published.site.id, to="ANYBODY")
    assert changed == {"updateSite": {"previews": "ANYBODY"}}
    refused = await api.graphql(CHANGE, world.editor, id=published.site.id, to="NOBODY")
    assert refused["errors"][0]["extensions"]["code"] == "FORBIDDEN"


async def test_a_change_of_the_setting_ends_what_was_given(
    api: Api, session: Session, world: World, published: Published
) -> None:
    await allow(api, world, published.site, "anybody")
    root = f"{BASE}/sites/{published.site.id}"
    tokens = [
        (await resolved(api, address))["apiToken"] for address in (root, f"{root}/~/changes/1")
    ]
    path = f"/spaces/{published.space.id}/change-requests/1"

    async def statuses() -> set[int]:
        return {
            (
                await api.rest("GET", path, None, headers={"Authorization": f"Bearer {one}"})
            ).status_code
            for one in tokens
        }

    assert await statuses() == {200}
    await allow(api, world, published.site, "members")
    assert await statuses() == {404}
    await allow(api, world, published.site, "anybody")
    row = await session.merge(published.site)
    row.visibility = SiteVisibility.VISITOR_AUTH
    await session.commit()
    assert await statuses() == {401}


async def test_members_open_one_draft(
    api: Api, session: Session, world: World, published: Published
) -> None:
    site, request = published.site, published.request
    space = await session.merge(published.space)
    other = await factories.make_change_request(session, space, world.editor)
    await settle(session)
    given = await preview(api, world, site, world.reader, f"changeRequest={request.id}")
    assert given.status_code == 200, given.text
    url = given.json()["url"]
    before, _, name = url.partition("/~/changes/")
    assert name == str(request.number)
    assert (await resolved(api, f"{url}/home"))["changeRequest"] == request.id
    # A renderer resolves what stands before the change request, and reads that by its number.
    for path in drafts(published):
        assert await reading(api, before, path) == 200, path
    for path in (f"change-requests/{other.number}", f"change-requests/{other.id}/content"):
        assert await reading(api, before, f"/spaces/{space.id}/{path}") == 404
    assert (await resolved(api, f"{before}/~/changes/{other.number}"))["status"] == 404
    content = await resolved(api, before)
    claims = jwt.decode(content["apiToken"], options={"verify_signature": False})
    assert claims["exp"] <= time.time() + 3900
    # It stands for nobody: whoever was let in nowhere is not let in by it.
    row = await session.merge(site)
    row.visibility = SiteVisibility.VISITOR_AUTH
    await session.commit()
    assert (await resolved(api, url))["status"] == 403
    row.visibility = SiteVisibility.PUBLIC
    await session.commit()
    await allow(api, world, site, "nobody")
    assert (await resolved(api, url))["status"] == 404
    assert (await preview(api, world, site, world.reader, f"changeRequest={request.id}")
            ).status_code == 412  # fmt: skip


async def test_who_may_ask_for_a_preview(api: Api, world: World, published: Published) -> None:
    site, request, hidden = published.site, published.request, published.preview
    found = {}
    for query in (
        f"changeRequest={request.id}", f"revision={hidden.id}", "changeRequest=1",
        f"changeRequest={request.id}&revision={hidden.id}", "changeRequest=none",
        f"changeRequest={request.id}&claims=(beta:!t)",
    ):  # fmt: skip
        people = (world.reader, world.editor, world.outsider)
        found[query.replace(request.id, "CR").replace(hidden.id, "R")] = [
            (await preview(api, world, site, person, query)).status_code for person in people
        ]
    assert found == {
        "changeRequest=CR": [200, 200, 404],
        "revision=R": [200, 200, 404],
        "changeRequest=1": [400, 400, 404],
        "changeRequest=CR&revision=R": [400, 400, 404],
        "changeRequest=none": [404, 404, 404],
        "changeRequest=CR&claims=(beta:!t)": [403, 200, 404],
    }
    asked = await api.data(PREVIEW, world.reader, id=site.id, request=request.id)
    assert f"/~/changes/{request.number}" in asked["sitePreview"]["url"]
    refused = await api.graphql(PREVIEW, world.reader, id=site.id)
    assert refused["errors"][0]["extensions"]["code"] == "FORBIDDEN"


async def test_a_draft_does_not_show_what_is_hidden(
    api: Api, session: Session, world: World, published: Published
) -> None:
    """A page that a condition hides from visitors stays hidden where a draft has dropped it."""
    ctx = context(session)
    (tree,) = await all_pages(ctx, [await session.merge(published.preview)])
    changes = Changes()
    for page in tree:
        if page.condition is not None:
            changes.pages[page.id] = page
            changes.before[page.id] = page
            page.condition = None
    target = await open_target(ctx, published.space.id, published.request.id)
    draft = await commit_revision(ctx, target, changes)
    assert draft.id != published.preview.id
    await settle(session)
    await allow(api, world, published.site, "anybody")
    root = f"{BASE}/sites/{published.site.id}"
    headers = {"Authorization": f"Bearer {(await resolved(api, root))['apiToken']}"}
    space = f"/spaces/{published.space.id}"
    for path in (
        f"{space}/revisions/{draft.id}", f"{space}/revisions/{draft.id}/pages",
        f"{space}/change-requests/1/content", f"{space}/change-requests/1/content/pages",
        f"{space}/change-requests/1/changes", f"{space}/change-requests/1/pdf",
    ):  # fmt: skip
        found = await api.rest("GET", path, None, headers=headers)
        assert found.status_code in (200, 404), (path, found.text)
        assert SECRET not in found.text, path
    for id in ("sfirst", "sinside"):
        path = f"{space}/revisions/{draft.id}/page/{id}"
        assert (await api.rest("GET", path, None, headers=headers)).status_code == 404
