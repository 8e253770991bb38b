"""Files that sites show to everybody have addresses that last, and no other file has one."""

import hashlib
import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from sqlalchemy import select, update

from content.markdown.parser import parse_document
from db.content_enums import PageType
from db.enums import EditMode, SiteVisibility
from db.models.sites import Site, SiteSpace
from db.models.spaces import Space
from db.session import Session
from resolvers.revisions.rows import File, Page, ReusableContent
from resolvers.revisions.states import Changes
from resolvers.revisions.write_targets import open_target
from resolvers.search.index import index_revision
from resolvers.writing.commits import commit_revision
from tests import factories
from tests.conftest import Api, World, context, settle

# Pages: what of them is special, and the page above.
PAGES: dict[str, dict[str, Any]] = {
    "open": {},
    "below": {"parent_id": "open"},
    "hidden": {"hidden": True},
    "beneath": {"parent_id": "hidden"},
    "conditional": {"condition": "true"},
    "within": {"parent_id": "conditional"},
    "parts": {"text": "{% if true %}\n![x](inif)\n{% endif %}\n\n![x](parts)\n"},
    "including": {"text": '{% include "note" %}\n'},
    "covered": {"text": "Text.\n", "cover": {"ref": {"kind": "file", "file": "covered"}}},
}
SHOWN = {"open", "below", "parts", "note", "covered"}
CLOSED = {"hidden", "beneath", "conditional", "within", "inif", "noteif", "unused"}
NOTE = "![x](note)\n\n{% if true %}\n![x](noteif)\n{% endif %}\n"


def bytes_of(id: str) -> bytes:
    return f"<svg xmlns='http://www.w3.org/2000/svg' id='{id}'/>".encode()


def resolve(url: str) -> dict[str, Any] | None:
    return {"kind": "file", "file": url} if url in SHOWN | CLOSED else None


def address(space: Space, id: str) -> str:
    return f"/files/{space.id}/{hashlib.sha256(bytes_of(id)).hexdigest()}/{id}.svg"


async def make_content(api: Api, session: Session, space: Space) -> None:
    """Every page shows a file that is called as it is."""
    changes = Changes()
    access = await api.server.file_access()
    for id in sorted(SHOWN | CLOSED):
        sha256 = await access.blobs.put(space.id, bytes_of(id))
        changes.files[id] = File(
            space_id=space.id, revision_id="", id=id, name=f"{id}.svg",
            content_type="image/svg+xml", size=len(bytes_of(id)), sha256=sha256,
        )  # fmt: skip
    content = {"kind": "reusable-content", "reusableContent": "note"}
    for number, (id, given) in enumerate(PAGES.items()):
        more = dict(given)
        text = more.pop("text", f"![x]({id})\n")
        including = id == "including"
        document = parse_document(
            text, seed=id, resolve=(lambda url: content) if including else resolve
        )
        values = {"slug": id, "document_id": changes.add_document(text, document)}
        changes.pages[id] = Page(
            space_id=space.id, revision_id="", id=id, type=PageType.DOCUMENT, title=id.title(),
            **{"parent_id": None, "order": f"V{number}"} | values | more,
        )  # fmt: skip
    document_id = changes.add_document(NOTE, parse_document(NOTE, seed="note", resolve=resolve))
    changes.contents["note"] = ReusableContent(
        space_id=space.id, revision_id="", id="note", title="Note", document_id=document_id
    )
    ctx = context(session)
    revision = await commit_revision(ctx, await open_target(ctx, space.id), changes)
    await index_revision(ctx, space.id, None, revision)
    await settle(session)


@pytest.fixture
async def space(api: Api, session: Session, world: World) -> Space:
    made = await factories.make_space(session, world.organization, edit_mode=EditMode.LIVE)
    await make_content(api, session, made)
    return made


@pytest.fixture
async def site(session: Session, world: World, space: Space) -> Site:
    made = await factories.make_site(session, world.organization, space, published=True)
    await settle(session)
    return made


async def reachable(api: Api, space: Space) -> set[str]:
    """The files that anybody gets who guesses their addresses."""
    found = set()
    for id in SHOWN | CLOSED:
        answer = await api.client.get(address(space, id))
        assert answer.status_code in (200, 404)
        if answer.status_code == 200:
            assert answer.content == bytes_of(id)
            found.add(id)
    return found


async def change(session: Session, row: Any, **values: Any) -> None:
    model = type(row)
    await session.execute(update(model).where(model.id == row.id).values(**values))
    await settle(session)


async def edit(api: Api, world: World, space: Space, **update: Any) -> None:
    body = {"changes": [{"type": "update_page", **update}]}
    answer = await api.rest("POST", f"/spaces/{space.id}/content", world.editor, body)
    assert answer.status_code == 200, answer.text


async def test_what_every_reader_sees(api: Api, space: Space, site: Site) -> None:
    assert await reachable(api, space) == SHOWN
    answer = await api.client.get(address(space, "open"))
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["content-type"] == "image/svg+xml"
    assert "sandbox" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    tag = answer.headers["etag"]
    again = await api.client.get(address(space, "open"), headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")
    head = await api.client.head(address(space, "open"))
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-length"] == str(len(bytes_of("open")))
    part = await api.client.get(
        address(space, "open"), headers={"Range": "bytes=0-3", "If-Range": tag}
    )
    assert (part.status_code, part.content) == (206, bytes_of("open")[:4])
    for wrong in (
        address(space, "open").replace("open.svg", "other.svg"),
        address(space, "open").replace(space.id, "other"),
        address(space, "open") + "?type=text/html&expires=1&signature=",
    ):
        assert (await api.client.get(wrong)).status_code == 404
    # An address says by its path alone what it is.
    answer = await api.client.get(address(space, "open") + "?type=text/html")
    assert answer.headers["content-type"] == "image/svg+xml"


async def test_what_readers_are_given(
    api: Api, session: Session, world: World, space: Space, site: Site
) -> None:
    root = f"/sites/{site.id}"
    asked = {"url": f"http://docs.test{root}"}
    token = (await api.rest("POST", "/urls/published", None, asked)).json()["apiToken"]
    bearer = {"Authorization": f"Bearer {token}"}
    files = await api.rest("GET", f"/spaces/{space.id}/content/files", None, headers=bearer)
    given = {one["id"]: urlsplit(one["downloadURL"]) for one in files.json()["items"]}
    assert given.keys() == SHOWN | CLOSED
    for id, url in given.items():
        assert url.path == address(space, id)
        assert ("signature=" in url.query) == (id in CLOSED), id
        assert (await api.client.get(url.geturl())).content == bytes_of(id)
    query = """query ($url: String!) { publishedSite(url: $url) { ... on PublishedSiteContent {
        space { revision { files(first: 50) { nodes { id downloadURL } } } } } } }"""
    answer = await api.graphql(query, None, url=asked["url"])
    nodes = re.findall(r"http://docs\.test/files/[^'\"]+", str(answer))
    assert sum("signature" not in one for one in nodes) == len(SHOWN), answer
    for path in ("/", "/open/below", "/open.md", "/llms-full.txt", "/including", "/including.md"):
        text = (await api.client.get(root + path, follow_redirects=True)).text
        found = re.findall(r"/files/[^)\"'\s]+", text)
        assert found, path
        for one in found:
            closed = urlsplit(one).path.rpartition("/")[2].removesuffix(".svg") in CLOSED
            assert ("signature=" in one) == closed, (path, one)
    # People of the organization get addresses that end.
    own = await api.rest("GET", f"/spaces/{space.id}/content/files", world.reader)
    assert all("signature=" in one["downloadURL"] for one in own.json()["items"])


async def test_sites_open_and_close_addresses(
    api: Api, session: Session, world: World, space: Space, site: Site
) -> None:
    for visibility in SiteVisibility:
        await change(session, site, visibility=visibility)
        wanted = SHOWN if visibility.value in ("public", "unlisted") else set()
        assert await reachable(api, space) == wanted, visibility
    await change(session, site, visibility=SiteVisibility.PUBLIC, published=False)
    assert await reachable(api, space) == set()
    await change(session, site, published=True)
    placed = (await session.execute(select(SiteSpace))).scalars().one()
    await change(session, placed, condition="visitor.claims.beta")
    assert await reachable(api, space) == set()
    await change(session, placed, condition=None)
    assert await reachable(api, space) == SHOWN
    assert (await api.rest("DELETE", f"/spaces/{space.id}", world.admin)).status_code == 205
    assert await reachable(api, space) == set()


async def test_edits_open_and_close_addresses(
    api: Api, session: Session, world: World, space: Space, site: Site
) -> None:
    await edit(api, world, space, page="open", hidden=True)
    assert await reachable(api, space) == SHOWN - {"open", "below"}
    await edit(api, world, space, page="open", hidden=False)
    await edit(api, world, space, page="hidden", hidden=False)
    assert await reachable(api, space) == SHOWN | {"hidden", "beneath"}
    await edit(api, world, space, page="parts", document={"markdown": "Nothing.\n"})
    assert await reachable(api, space) == SHOWN - {"parts"} | {"hidden", "beneath"}
    # A second page that shows the same file keeps it.
    text = "![x](docstead:file?file=open)\n"
    await edit(api, world, space, page="parts", document={"markdown": text})
    await edit(api, world, space, page="open", document={"markdown": "Nothing.\n"})
    assert "open" in await reachable(api, space)
    body = {"changes": [{"type": "delete_page", "page": "parts"}]}
    answer = await api.rest("POST", f"/spaces/{space.id}/content", world.editor, body)
    assert answer.status_code == 200, answer.text
    assert "open" not in await reachable(api, space)
    change = {"type": "update_reusable_content", "reusableContent": "note",
              "document": {"markdown": "Nothing.\n"}}  # fmt: skip
    answer = await api.rest(
        "POST", f"/spaces/{space.id}/content", world.editor, {"changes": [change]}
    )
    assert answer.status_code == 200, answer.text
    assert "note" not in await reachable(api, space)
    change = {"type": "delete_file", "file": "below"}
    answer = await api.rest(
        "POST", f"/spaces/{space.id}/content", world.editor, {"changes": [change]}
    )
    assert answer.status_code == 200, answer.text
    assert "below" not in await reachable(api, space)
