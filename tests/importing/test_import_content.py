"""Imports through both doors, from real servers on loopback that the operator has allowed."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from sqlalchemy import func, select

from db.content_enums import ChangeRequestStatus
from db.enums import EditMode
from db.models.content import Document, Revision
from db.models.organizations import User
from db.models.spaces import Space
from db.session import Database, Session
from docstead.asgi import create_app
from docstead.server import Server
from docstead.settings import Settings
from resolvers.revisions.references import references_in
from resolvers.revisions.states import first_revision
from tests import factories
from tests.conftest import Api, World, context
from tests.fetching.servers import Loopback, answering, response, serving
from tests.importing import documents
from tests.importing.redirecting_content import FILES as FILES_OF_GIT

IMPORT = """mutation($space: ID!, $request: ID, $page: ID, $input: ImportContentInput!) {
  importContent(spaceId: $space, changeRequestId: $request, pageId: $page, input: $input) {
    revision { id pages: allPages { nodes { id pageId title path
                 ... on DocumentPage { markdown } } }
               files { nodes { id name size } } }
    redirects { total more changes { nodes { type path before { anchor }
                after { anchor page { path } } } } }
    importedResources totalResources warnings } }"""


@asynccontextmanager
async def doors(
    database: Database, folder: Path, *allowed: Loopback, **settings: Any
) -> AsyncIterator[Api]:
    """Both doors of a server that may fetch from these."""
    pairs = ",".join(f"127.0.0.1:{one.port}" for one in allowed)
    made = Settings(
        public_url="http://docs.test", data_dir=folder / "data", fetch_allow=pairs, **settings
    )
    server = Server(made, database)
    transport = httpx2.ASGITransport(app=create_app(made, server))
    async with httpx2.AsyncClient(transport=transport, base_url="http://docs.test") as client:
        yield Api(server, client)


async def space_of(session: Session, world: World, mode: EditMode = EditMode.LIVE) -> Space:
    space = await factories.make_space(session, world.organization, edit_mode=mode)
    space.revision_id = (await first_revision(context(session), space.id, "Home")).id
    await session.commit()
    return space


async def pages_of(api: Api, person: User, path: str) -> list[dict[str, Any]]:
    """The page tree below a path of /v1, flat."""
    answer = await api.rest("GET", f"{path}/content/pages", person)
    found: list[dict[str, Any]] = []
    waiting = answer.json()["pages"]
    while waiting:
        page = waiting.pop(0)
        found.append(page)
        waiting = page.get("pages", []) + waiting
    return found


FILES = {
    "/book.epub": ("application/epub+zip", documents.epub()),
    "/handbook.docx": ("application/octet-stream", documents.docx()),
    "/wiki.zip": ("application/zip", documents.confluence()),
    "/notes.zip": ("application/zip", documents.notion_html()),
    "/page.html": (
        "text/html; charset=iso-8859-1",
        '<h1>Café</h1><p><img src="/dot.png" alt="dot"> <img src="missing.png"></p>'
        '<p><a href="other.html">other</a></p>'.encode("latin-1"),
    ),
    "/page.md": ("text/plain", b"# One\n\n![dot](dot.png) and [other](other.md)\n"),
    "/dot.png": ("image/png", documents.png()),
}  # fmt: skip


@pytest.mark.parametrize(
    ("path", "source", "titles", "files"),
    [
        ("/book.epub", "zip", ["Chapter one", "Chapter two", "Chapter three", "Four"], 1),
        ("/handbook.docx", "docx", ["The Handbook"], 1),
        ("/wiki.zip", "confluence", ["Home", "Setup", "Usage", "Lost"], 1),
        ("/notes.zip", "notion", ["Team", "Zebra", "Apple"], 1),
        ("/page.html", "html", ["Café"], 1),
        ("/page.md", "markdown", ["One"], 1),
    ],
)
async def test_import_into_a_space(
    database: Database, session: Session, world: World, tmp_path: Path,
    path: str, source: str, titles: list[str], files: int,
) -> None:  # fmt: skip
    space = await space_of(session, world)
    before = space.revision_id
    async with serving(FILES) as server, doors(database, tmp_path, server) as api:
        body = {"url": server.url.rstrip("/") + path, "source": source}
        answer = await api.rest("POST", f"/spaces/{space.id}/content/import", world.editor, body)
        assert answer.status_code == 201, answer.text
        result = answer.json()
        assert sorted(result) == [
            "importedResources", "leftOut", "pages", "revision", "totalResources", "warnings",
        ]  # fmt: skip
        assert result["pages"] == {
            "created": len(titles), "updated": 0, "unchanged": 0, "removed": 0,
        }  # fmt: skip
        assert result["importedResources"] == len(titles) + files
        place = f"http://docs.test/v1/spaces/{space.id}/revisions/{result['revision']}"
        assert answer.headers["location"] == place
        pages = await pages_of(api, world.reader, f"/spaces/{space.id}")
        assert [page["title"] for page in pages] == titles
        current = (await api.rest("GET", f"/spaces/{space.id}/content", world.reader)).json()
        assert (current["id"], current["type"]) == (result["revision"], "edits")
        listed = await api.rest("GET", f"/spaces/{space.id}/content/files", world.reader)
        names = [file["name"] for file in listed.json()["items"]]
        assert len(names) == files
        url = listed.json()["items"][0]["downloadURL"]
        assert (await api.client.get(url)).content == documents.png()
        # Links are references to what was imported, in the document and in the Markdown.
        first = pages[0]["id"]
        found = (
            await api.rest(
                "GET", f"/spaces/{space.id}/content/page/{first}?format=document", world.reader
            )
        ).json()
        if source in ("html", "markdown", "docx"):
            file = listed.json()["items"][0]["id"]
            assert f'"file":"{file}"' in str(found["document"]).replace("'", '"').replace(" ", "")
        if source == "html":
            text = (
                await api.rest(
                    "GET", f"/spaces/{space.id}/content/page/{first}?format=markdown", world.reader
                )
            ).json()["markdown"]
            assert "/dot.png?type=image%2Fpng&amp;" in text
            assert f"&amp;file={file}" in text
            assert f"{server.url}missing.png" in text
            assert f"[other]({server.url}other.html)" in text
    await session.refresh(space)
    assert space.revision_id == result["revision"] != before
    revision = await session.get(Revision, space.revision_id)
    assert revision is not None
    assert (revision.parents, revision.author_id) == ([before], world.editor.id)


async def test_import_through_graphql_into_a_change_request_below_a_page(
    database: Database, session: Session, world: World, tmp_path: Path
) -> None:
    space = await space_of(session, world, EditMode.LOCKED)
    request = await factories.make_change_request(session, space, world.editor)
    await session.commit()
    before = space.revision_id
    async with serving(FILES) as server, doors(database, tmp_path, server) as api:
        (home,) = await pages_of(api, world.editor, f"/spaces/{space.id}")
        input = {"url": f"{server.url}book.epub", "source": "ZIP"}
        arguments = {"space": space.id, "request": str(request.number), "page": home["id"]}
        data = await api.data(IMPORT, world.editor, input=input, **arguments)
        result = data["importContent"]
        assert (result["importedResources"], result["totalResources"]) == (5, 5)
        assert result["warnings"] == []
        nodes = result["revision"]["pages"]["nodes"]
        root = home["path"]
        assert [node["path"] for node in nodes] == [
            root, f"{root}/chapter-one", f"{root}/chapter-one/chapter-two",
            f"{root}/chapter-three", f"{root}/four",
        ]  # fmt: skip
        two = nodes[2]["pageId"]
        assert "[two](two.xhtml#deep)" in nodes[1]["markdown"]
        answer = await api.rest(
            "GET",
            f"/spaces/{space.id}/change-requests/{request.id}/content/page/{nodes[1]['id']}"
            "?format=document",
            world.editor,
        )
        assert {"kind": "anchor", "anchor": "deep", "page": two} in list(
            references_in(answer.json()["document"])
        )
        # Once more, by the id that the page has there: slugs step aside, the rest stays as it was.
        arguments["page"] = f"page~{request.id}~{home['id']}"
        data = await api.data(IMPORT, world.editor, input=input, **arguments)
        paths = [node["path"] for node in data["importContent"]["revision"]["pages"]["nodes"]]
        assert f"{root}/chapter-one-1/chapter-two" in paths
        assert f"{root}/chapter-one/chapter-two" in paths
    await session.refresh(space)
    assert space.revision_id == before


REDIRECTS = """query($space: ID!, $request: ID, $first: Int, $after: String) {
  revision(spaceId: $space, changeRequestId: $request) {
    redirects(first: $first, after: $after) {
      nodes { path anchor page { path } } pageInfo { hasNextPage endCursor } } } }"""


async def test_redirects_of_the_git_layout_fire_when_they_are_merged(
    database: Database, session: Session, world: World, tmp_path: Path
) -> None:
    space = await space_of(session, world)
    request = await factories.make_change_request(session, space, world.editor)
    site = await factories.make_site(session, world.organization, space, published=True)
    await session.commit()
    archive = documents.archive({f"docs-main/{path}": text for path, text in FILES_OF_GIT.items()})
    root = f"/sites/{site.id}"
    by_path = f"/spaces/{space.id}/content/path/help%2Fold"
    async with (
        serving({"/docs.zip": ("application/zip", archive)}) as server,
        doors(database, tmp_path, server) as api,
    ):
        input = {"url": f"{server.url}docs.zip", "source": "ZIP"}
        arguments = {"space": space.id, "request": request.id}
        data = await api.data(IMPORT, world.editor, input=input, **arguments)
        warnings = data["importContent"]["warnings"]
        assert [one for one in warnings if "'nowhere'" in one and "gone.md" in one]

        async def redirects(person: User, **more: Any) -> list[dict[str, Any]]:
            found = await api.data(REDIRECTS, person, space=space.id, **more)
            nodes: list[dict[str, Any]] = found["revision"]["redirects"]["nodes"]
            return nodes

        shown = [
            {"path": path, "anchor": anchor, "page": {"path": page}}
            for path, page, anchor in (
                ("deep/below/it", "guide/more/deep", None), ("guide", "guide/setup", None),
                ("help/anchored", "guide/setup", "first-steps"),
                ("help/old", "guide/setup", None), ("home", "readme", None),
                ("secret", "beta", None),
            )
        ]  # fmt: skip
        # The answer and the change request name them.
        told = [
            {"type": "REDIRECT_CREATED", "path": one["path"], "before": None,
             "after": {"anchor": one["anchor"], "page": one["page"]}}
            for one in shown
        ]  # fmt: skip
        made = data["importContent"]["redirects"]
        assert made == {"total": 6, "more": None, "changes": {"nodes": told}}
        base = f"/spaces/{space.id}/change-requests/{request.id}"
        changes = (await api.rest("GET", f"{base}/changes", world.reader)).json()
        assert [one["path"] for one in changes["redirects"]["changes"]] == [
            one["path"] for one in shown
        ]
        # Once more the same paths lead to other pages.
        body = {"url": f"{server.url}docs.zip", "source": "zip"}
        answer = await api.rest("POST", f"{base}/content/import", world.editor, body)
        again = answer.json()["redirects"]
        assert again["total"] == 6
        assert {one["type"] for one in again["changes"]} == {"redirect_edited"}
        assert again["changes"][0]["before"]["page"]["path"] == "guide/more/deep"
        assert again["changes"][0]["after"]["page"]["path"] == "guide-1/more/deep"
        await api.rest("POST", f"{base}/content", world.editor, {"changes": [
            {"type": "set_redirect", "path": one["path"], "page": one["before"]["page"]["id"],
             "anchor": one["before"].get("anchor")}
            for one in again["changes"] if one["path"] != "guide"
        ]})  # fmt: skip
        shown[1]["page"]["path"] = "guide-1/setup"
        # In the change request alone, until it is merged.
        assert await redirects(world.reader, request=request.id) == shown
        assert await redirects(world.reader) == []
        resolve = {"url": f"http://docs.test{root}/help/old"}
        assert (await api.rest("GET", by_path, world.reader)).status_code == 404
        assert (await api.client.get(f"{root}/help/old")).status_code == 404
        answer = await api.rest("POST", "/urls/published", None, resolve)
        assert answer.json()["pathname"] == "help/old"
        lookup = f"/orgs/{world.organization.id}/sites/{site.id}/redirect?source=/help/anchored"
        assert (await api.rest("GET", lookup, world.reader)).status_code == 404

        merge = f"/spaces/{space.id}/change-requests/{request.id}/merge"
        answer = await api.rest("POST", merge, world.reviewer, {})
        assert answer.json()["result"] == "merge", answer.text
        assert await redirects(world.reader) == shown
        assert (await api.rest("GET", by_path, world.reader)).json()["path"] == "guide/setup"
        answer = await api.rest("GET", lookup, world.reader)
        target = f"http://docs.test{root}/guide/setup#first-steps"
        assert (answer.json()["redirect"]["id"], answer.json()["target"]) == ("content", target)
        answer = await api.rest("POST", "/urls/published", None, resolve)
        target = f"http://docs.test{root}/guide/setup"
        assert answer.json() == {"target": "content", "redirect": target}
        for path, (status, location) in {
            "/help/old": (308, f"{root}/guide/setup"),
            "/help/old.md": (308, f"{root}/guide/setup.md"),
            "/Help/Anchored": (308, f"{root}/guide/setup#first-steps"),
            "/home": (308, root),
            # A page with a condition is hidden.
            "/guide": (200, None), "/secret": (404, None), "/beta": (404, None),
        }.items():  # fmt: skip
            found = await api.client.get(root + path)
            assert found.status_code == status, path
            assert found.headers.get("location") == (location and f"http://docs.test{location}")
        # A page at a time, by both doors' cursors.
        found = await api.data(REDIRECTS, world.reader, space=space.id, first=4)
        page = found["revision"]["redirects"]
        assert (len(page["nodes"]), page["pageInfo"]["hasNextPage"]) == (4, True)
        after = page["pageInfo"]["endCursor"]
        assert await redirects(world.reader, first=4, after=after) == shown[4:]
        # A visitor is told of no redirect to a page that is hidden from him.
        token = await published_token(api, f"http://docs.test{root}")
        answer = await api.client.post(
            "/graphql", headers={"Authorization": f"Bearer {token}"},
            json={"query": REDIRECTS, "variables": {"space": space.id}},
        )  # fmt: skip
        assert answer.json()["data"]["revision"]["redirects"]["nodes"] == shown[:-1]


async def published_token(api: Api, url: str) -> str:
    """The content token of a visitor of whom nothing is known."""
    answer = await api.rest("POST", "/urls/published", None, {"url": url})
    token: str = answer.json()["apiToken"]
    return token


async def test_redirects_of_what_comes_below_a_page_are_below_it(
    database: Database, session: Session, world: World, tmp_path: Path
) -> None:
    space = await space_of(session, world)
    archive = documents.archive({**FILES_OF_GIT})
    async with (
        serving({"/docs.zip": ("application/zip", archive)}) as server,
        doors(database, tmp_path, server) as api,
    ):
        (home,) = await pages_of(api, world.editor, f"/spaces/{space.id}")
        body = {"url": f"{server.url}docs.zip", "source": "zip"}
        place = f"/spaces/{space.id}/content/page/{home['id']}/import"
        first = await api.rest("POST", place, world.editor, body)
        assert first.status_code == 201, first.text
        # Once more: of the same path the newest counts.
        second = await api.rest("POST", place, world.editor, body)
        assert second.status_code == 201, second.text
        for path, status in {"help/old": 404, f"{home['path']}/help/old": 200}.items():
            quoted = path.replace("/", "%2F")
            url = f"/spaces/{space.id}/content/path/{quoted}"
            found = await api.rest("GET", url, world.reader)
            assert found.status_code == status, path
        assert found.json()["path"] == f"{home['path']}/guide-1/setup"


async def test_the_four_paths_of_rest(
    database: Database, session: Session, world: World, tmp_path: Path
) -> None:
    space = await space_of(session, world)
    request = await factories.make_change_request(session, space, world.editor)
    await session.commit()
    async with serving(FILES) as server, doors(database, tmp_path, server) as api:
        (home,) = await pages_of(api, world.editor, f"/spaces/{space.id}")
        body = {"url": f"{server.url}page.md", "source": "markdown"}
        live = f"/spaces/{space.id}"
        cr = f"{live}/change-requests/{request.id}"
        for path in (
            f"{cr}/content/import",
            f"{cr}/content/page/{home['id']}/import",
            f"{live}/content/import",
            f"{live}/content/page/{home['id']}/import",
        ):
            answer = await api.rest("POST", path, world.editor, body)
            assert answer.status_code == 201, answer.text
            assert answer.json()["importedResources"] == 2
        paths = [page["path"] for page in await pages_of(api, world.editor, live)]
        assert paths == ["one", "one/one"]
        await session.refresh(request)
        assert request.revision_id != space.revision_id


async def test_the_first_page_of_a_space_becomes_that_of_the_import(
    database: Database, session: Session, world: World, tmp_path: Path
) -> None:
    text = b"# Start\n\nSee [more](more.md#x) and [itself](start.md).\n"
    pages = {"start.md": text, "more.md": b"# More\n\n## X\n\n[back](start.md)\n"}
    files = {"/a.zip": ("application/zip", documents.archive(pages))}
    untouched, edited, grown = [await space_of(session, world) for _ in range(3)]
    async with serving(files) as server, doors(database, tmp_path, server) as api:
        body = {"url": f"{server.url}a.zip", "source": "markdown"}

        async def put(space: Space) -> list[dict[str, Any]]:
            path = f"/spaces/{space.id}/content/import"
            answer = await api.rest("POST", path, world.editor, body)
            assert answer.status_code == 201, answer.text
            assert answer.json()["pages"]["created"] == 2
            return await pages_of(api, world.editor, f"/spaces/{space.id}")

        (home,) = await pages_of(api, world.editor, f"/spaces/{untouched.id}")
        there = await put(untouched)
        assert sorted(page["title"] for page in there) == ["More", "Start"]
        start, more = sorted(there, key=lambda page: page["title"], reverse=True)
        # Whoever has read its id, and all links, find the page that is there now.
        assert there[0]["id"] == home["id"]
        for page, other in ((start, more), (more, start)):
            path = f"/spaces/{untouched.id}/content/page/{page['id']}?format=markdown"
            shown = (await api.rest("GET", path, world.editor)).json()["markdown"]
            assert f"{other['path']}.md" in shown
        broken = "query ($id: ID!) { space(id: $id) { linkStats { broken { total } } } }"
        counts = await api.data(broken, world.editor, id=untouched.id)
        assert counts["space"]["linkStats"]["broken"]["total"] == 0
        # A second import stands behind the first one.
        assert [page["id"] for page in await put(untouched)][: len(there)] == [
            page["id"] for page in there
        ]
        (home,) = await pages_of(api, world.editor, f"/spaces/{edited.id}")
        update = """mutation ($space: ID!, $input: UpdatePageInput!) {
          updatePage(spaceId: $space, input: $input) { __typename } }"""
        mine = {"page": home["id"], "title": "Mine"}
        await api.data(update, world.editor, space=edited.id, input=mine)
        assert (await put(edited))[0]["id"] == home["id"]
        assert len(await pages_of(api, world.editor, f"/spaces/{edited.id}")) == 3
        create = """mutation ($space: ID!, $input: CreatePageInput!) {
          createPage(spaceId: $space, input: $input) { __typename } }"""
        await api.data(create, world.editor, space=grown.id, input={"title": "New"})
        assert len(await put(grown)) == 4


async def test_an_expected_revision(
    database: Database, session: Session, world: World, tmp_path: Path
) -> None:
    space = await space_of(session, world)
    request = await factories.make_change_request(session, space, world.editor)
    await session.commit()
    async with serving(FILES) as server, doors(database, tmp_path, server) as api:
        (home,) = await pages_of(api, world.editor, f"/spaces/{space.id}")
        body = {"url": f"{server.url}page.md", "source": "markdown"}
        live = f"/spaces/{space.id}"
        stale = str(space.revision_id)
        for base in (live, f"{live}/change-requests/{request.id}"):
            expected = stale
            for path in (f"{base}/content/import", f"{base}/content/page/{home['id']}/import"):
                asked = len(server.requests)
                refused = [
                    await api.rest("POST", path, world.editor, {**body, "expectedRevision": "x"}),
                    await api.rest("POST", path, world.editor, body, headers={"If-Match": '"x"'}),
                ]
                for answer in refused:
                    assert answer.status_code == 409, answer.text
                    assert answer.json()["error"]["currentRevision"] == expected
                two = {**body, "expectedRevision": expected}
                answer = await api.rest(
                    "POST", path, world.editor, two, headers={"If-Match": '"other"'}
                )
                assert answer.status_code == 422, answer.text
                assert answer.json()["error"]["details"][0]["path"] == "expectedRevision"
                # Nothing is fetched for what is not wanted any more.
                assert len(server.requests) == asked
                answer = await api.rest("POST", path, world.editor, two)
                assert answer.status_code == 201, answer.text
                expected = answer.json()["revision"]
        input = {"url": f"{server.url}page.md", "source": "MARKDOWN", "expectedRevision": stale}
        answer = await api.graphql(IMPORT, world.editor, space=space.id, input=input)
        assert answer["errors"][0]["extensions"]["status"] == 409


async def state(session: Session) -> tuple[int, int]:
    """How many revisions and bodies there are."""
    counts = [
        (await session.execute(select(func.count()).select_from(model))).scalar_one()
        for model in (Revision, Document)
    ]
    return counts[0], counts[1]


@pytest.mark.parametrize(
    ("path", "source", "problem"),
    [
        ("/absent", "html", "answered with status 404"),
        ("/dot.png", "html", "is not what is expected"),
        ("/dot.png", "website", "is image/png, not a page"),
        ("/page.md", "docx", "a Word document"),
        ("/broken.zip", "zip", "cannot be read as a zip archive"),
        ("/bomb.zip", "zip", "200 times its size"),
        ("/deep.html", "html", "characters; a page holds 1,000,000"),
        ("/empty.zip", "markdown", "there is nothing to import"),
        ("/bad.md", "markdown", "bad.md"),
    ],
)
async def test_what_cannot_be_imported_writes_nothing(
    database: Database, session: Session, world: World, tmp_path: Path,
    path: str, source: str, problem: str,
) -> None:  # fmt: skip
    files = {
        **FILES,
        "/broken.zip": ("application/zip", b"PK\x03\x04" + b"x" * 100),
        "/bomb.zip": ("application/zip", documents.archive({"a.md": b"x" * 19_000_000})),
        "/deep.html": ("text/html", b"<h1>Deep</h1>" + b"<div><ul><li>x" * 15_000),
        "/empty.zip": ("application/zip", documents.archive({"SUMMARY.md": "# Nothing\n"})),
        "/bad.md": ("text/markdown", b"---\ntitle: [\n---\n\n# Bad\n"),
    }
    space = await space_of(session, world)
    before = await state(session)
    # However slow the machine is, it is not the time that refuses.
    async with (
        serving(files) as server,
        doors(database, tmp_path, server, request_seconds=600) as api,
    ):
        body = {"url": server.url.rstrip("/") + path, "source": source}
        target = f"/spaces/{space.id}/content/import"
        answer = await api.rest("POST", target, world.editor, body)
        assert answer.status_code == 400, answer.text
        assert answer.json()["error"]["message"].startswith("url: ")
        assert problem in answer.json()["error"]["message"]
        await session.commit()
        assert await state(session) == before
        body = {"url": f"{server.url}page.md", "source": "markdown"}
        assert (await api.rest("POST", target, world.editor, body)).status_code == 201


async def test_addresses_that_are_not_public_are_never_connected_to(
    database: Database, session: Session, world: World, tmp_path: Path
) -> None:
    space = await space_of(session, world)
    async with answering(response(b"# Secret")) as canary, doors(database, tmp_path) as api:
        target = f"/spaces/{space.id}/content/import"
        for url in (
            canary.url,
            f"http://localhost:{canary.port}/",
            f"http://[::ffff:127.0.0.1]:{canary.port}/",
            f"http://2130706433:{canary.port}/",
        ):
            answer = await api.rest(
                "POST", target, world.editor, {"url": url, "source": "markdown"}
            )
            assert answer.status_code == 400, answer.text
            assert "Secret" not in answer.text
        assert canary.connections == 0
        moved = response(b"", f"Location: {canary.url}", status="302 Found")
        pictures = (
            f'<!doctype html><h1>P</h1><img src="{canary.url}a.png" alt="a">'
            f'<img src="http://169.254.169.254/latest">'
        )
        async with (
            answering(moved) as first,
            serving({"/p.html": ("text/html", pictures.encode())}) as second,
            doors(database, tmp_path, first, second) as api,
        ):
            body = {"url": first.url, "source": "markdown"}
            assert (await api.rest("POST", target, world.editor, body)).status_code == 400
            body = {"url": f"{second.url}p.html", "source": "html"}
            answer = await api.rest("POST", target, world.editor, body)
            # The page is there; its pictures stay where they are.
            assert answer.status_code == 201
            assert answer.json()["importedResources"] == 1
            assert answer.json()["totalResources"] == 3
        assert canary.connections == 0


async def test_nothing_is_fetched_for_those_who_may_not_write(
    database: Database, session: Session, world: World, tmp_path: Path
) -> None:
    space = await space_of(session, world)
    closed = await factories.make_change_request(
        session, space, world.editor, status=ChangeRequestStatus.ARCHIVED
    )
    await session.commit()
    async with serving(FILES) as server, doors(database, tmp_path, server) as api:
        body = {"url": f"{server.url}page.md", "source": "markdown"}
        live = f"/spaces/{space.id}"
        for person, path, status in (
            (None, f"{live}/content/import", 401),
            (world.outsider, f"{live}/content/import", 404),
            (world.reader, f"{live}/content/import", 403),
            (world.commenter, f"{live}/content/import", 403),
            (world.editor, "/spaces/unknown/content/import", 404),
            (world.editor, f"{live}/content/page/unknown/import", 404),
            (world.editor, f"{live}/change-requests/99/content/import", 404),
            (world.editor, f"{live}/change-requests/{closed.id}/content/import", 412),
        ):
            answer = await api.rest("POST", path, person, body)
            assert answer.status_code == status, answer.text
        for bad, path in (
            ({"source": "markdown"}, "url"),
            ({"url": "ftp://x/", "source": "html"}, "url"),
            ({"url": f"{server.url}page.md", "source": "word"}, "source"),
            ({"url": f"{server.url}page.md"}, "source"),
        ):
            answer = await api.rest("POST", f"{live}/content/import", world.editor, bad)
            assert answer.status_code == 422, answer.text
            assert path in answer.text
        assert server.connections == 0


async def test_limits_of_one_import(
    database: Database, session: Session, world: World, tmp_path: Path
) -> None:
    space = await space_of(session, world)
    pages = {f"page-{n:02}.md": f"# Page {n}\n\n![](d{n}.png)\n" for n in range(7)}
    pictures = {f"d{n}.png": documents.png(n + 1) for n in range(7)}
    files = {"/a.zip": ("application/zip", documents.archive({**pages, **pictures}))}
    limits = {"import_pages": 5, "import_files": 3}
    async with serving(files) as server, doors(database, tmp_path, server, **limits) as api:
        data = await api.data(
            IMPORT, world.editor, space=space.id,
            input={"url": f"{server.url}a.zip", "source": "MARKDOWN"},
        )  # fmt: skip
        result = data["importContent"]
        assert (result["importedResources"], result["totalResources"]) == (8, 14)
        assert len(result["revision"]["pages"]["nodes"]) == 5
        assert len(result["revision"]["files"]["nodes"]) == 3


async def test_slow_servers_end_the_import_before_the_request(
    database: Database, session: Session, world: World, tmp_path: Path
) -> None:
    async def silent(writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(10)

    space = await space_of(session, world)
    async with (
        answering(silent) as server,
        doors(database, tmp_path, server, request_seconds=5) as api,
    ):
        body = {"url": server.url, "source": "html"}
        answer = await api.rest("POST", f"/spaces/{space.id}/content/import", world.editor, body)
        assert answer.status_code == 400
        assert "in time" in answer.text or "longer than 4 seconds" in answer.text


def html(title: str, body: str, nav: str = "") -> tuple[str, bytes]:
    page = f"<!doctype html><html><body>{nav}<main><h1>{title}</h1>{body}</main></body></html>"
    return "text/html", page.encode()


NAV = """<nav><ul><li><a href="/docs/">Start</a></li><li><a href="/docs/guide/">Guide</a>
<ul><li><a href="/docs/guide/one.html">One</a></li></ul></li><li><a href="/docs/gone">Gone</a></li>
<li><a href="/blog/">Blog</a></li><li><a href="https://elsewhere.example/">Else</a></li></ul></nav>"""


async def imported_site(
    database: Database, session: Session, world: World, tmp_path: Path,
    files: dict[str, tuple[str, bytes]], path: str = "docs/", **settings: Any,
) -> tuple[dict[str, Any], Loopback]:  # fmt: skip
    space = await space_of(session, world)
    async with serving(files) as server, doors(database, tmp_path, server, **settings) as api:
        data = await api.data(
            IMPORT, world.editor, space=space.id,
            input={"url": f"{server.url}{path}", "source": "WEBSITE"},
        )  # fmt: skip
    result: dict[str, Any] = data["importContent"]
    return result, server


def paths_of(result: dict[str, Any]) -> list[str]:
    return [node["path"] for node in result["revision"]["pages"]["nodes"]]


async def test_site_by_its_navigation(
    database: Database, session: Session, world: World, tmp_path: Path
) -> None:
    files = {
        "/docs/": html("Start", '<p><a href="guide/one.html#Top">one</a> <a href="/blog/">b</a></p>'
                       '<img src="/dot.png" alt="d">', NAV),
        "/docs/guide/": html("Guide", "<p>g</p>", NAV),
        "/docs/guide/one.html": html("One", '<h2 id="Top">Top</h2>', NAV),
        "/blog/": html("Blog", "x"),
        "/dot.png": ("image/png", documents.png()),
    }  # fmt: skip
    result, server = await imported_site(database, session, world, tmp_path, files)
    nodes = result["revision"]["pages"]["nodes"]
    assert [node["title"] for node in nodes] == ["Start", "Guide", "One"]
    assert paths_of(result) == ["docs", "guide", "guide/one"]
    assert "[one](docs/guide/one.html#top)" in nodes[0]["markdown"]
    assert f"({server.url}blog/)" in nodes[0]["markdown"]
    assert '<img src="http://docs.test/files/' in nodes[0]["markdown"]
    # Three pages and a picture; one page that is gone.
    assert (result["importedResources"], result["totalResources"]) == (4, 5)
    assert len(result["warnings"]) == 1
    assert "/docs/gone: answered with status 404" in result["warnings"][0]
    assert not any("/blog/" in request for request in server.requests)


async def test_site_by_its_sitemap_within_its_path(
    database: Database, session: Session, world: World, tmp_path: Path
) -> None:
    def sitemap(server: str) -> bytes:
        urls = ["/docs/", "/docs/a", "/docs/b", "/other/c", "//evil.example/docs/d"]
        listed = "".join(f"<url><loc>{url}</loc></url>" for url in urls)
        return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{listed}</urlset>'.encode()

    files = {
        "/docs/": html("Start", "<p>s</p>"),
        "/docs/a": html("A", "<p>a</p>"),
        "/docs/b": html("B", "<p>b</p>"),
        "/sitemap.xml": ("application/xml", sitemap("")),
    }
    result, server = await imported_site(database, session, world, tmp_path, files)
    assert paths_of(result) == ["docs", "a", "b"]
    assert not any(" /other" in request for request in server.requests)


async def test_site_by_its_llms_txt(
    database: Database, session: Session, world: World, tmp_path: Path
) -> None:
    files = {
        "/docs": html("Start", "<p>s</p>"),
        "/llms.txt": ("text/plain", b"# Docs\n\n- [A](/docs/a.md): first\n- [B](/docs/b.md)\n"),
        "/docs/a.md": ("text/markdown", b"# A\n\nsee [b](b.md)\n"),
        "/docs/b.md": ("text/markdown", b"# B\n\ntext\n"),
    }
    result, _ = await imported_site(database, session, world, tmp_path, files, "docs")
    assert paths_of(result) == ["docs", "a", "b"]


async def test_site_by_its_links_and_no_further_than_the_limit(
    database: Database, session: Session, world: World, tmp_path: Path
) -> None:
    files = {
        f"/docs/{n}": html(f"Page {n}", f'<p><a href="{n + 1}">next</a> <a href="?q={n}">q</a></p>')
        for n in range(30)
    } | {"/docs/": html("Start", '<p><a href="0">first</a></p>')}
    result, server = await imported_site(database, session, world, tmp_path, files, import_pages=4)
    assert paths_of(result) == ["docs", "0", "1", "2"]
    assert result["importedResources"] == 4
    assert result["totalResources"] >= 4
    assert len([one for one in server.requests if " /docs/" in one and "xml" not in one]) <= 6


async def test_two_imports_at_once_lose_nothing(
    database: Database, session: Session, world: World, tmp_path: Path
) -> None:
    space = await space_of(session, world)
    async with serving(FILES) as server, doors(database, tmp_path, server) as api:
        body = {"url": f"{server.url}page.md", "source": "markdown"}
        target = f"/spaces/{space.id}/content/import"
        await api.token_of(world.editor)
        answers = await asyncio.gather(
            *(api.rest("POST", target, world.editor, body) for _ in range(3))
        )
        assert [answer.status_code for answer in answers] == [201, 201, 201]
        pages = await pages_of(api, world.editor, f"/spaces/{space.id}")
        assert [page["path"] for page in pages] == ["one", "one-1", "one-2"]


async def test_what_an_archive_does_not_hold_is_not_looked_for(
    database: Database, session: Session, world: World, tmp_path: Path
) -> None:
    """Beside an archive is nothing that its documents mean: such links stay, and are broken."""
    await session.commit()
    text = "# Top\n\n![dot](dot.png) ![no](gone.png) [no](gone.md) [b](b.md)\n"
    packed = documents.archive(
        {"repo/README.md": text, "repo/b.md": "# B\n", "repo/dot.png": documents.png()}
    )
    files = {"/repo.zip": ("application/zip", packed)}
    async with serving(files) as server, doors(database, tmp_path, server) as api:
        of_organization = f"/orgs/{world.organization.id}/spaces"
        made = await api.rest("POST", of_organization, world.admin, {"editMode": "live"})
        space = made.json()["id"]
        data = await api.data(
            IMPORT, world.admin, space=space,
            input={"url": f"{server.url}repo.zip", "source": "MARKDOWN"},
        )  # fmt: skip
        result = data["importContent"]
        assert (result["importedResources"], result["totalResources"]) == (3, 3)
        assert result["warnings"] == []
        (top,) = [one for one in result["revision"]["pages"]["nodes"] if one["title"] == "Top"]
        assert "![no](gone.png) [no](gone.md)" in top["markdown"]
        answer = await api.rest("GET", f"/spaces/{space}/links?status=broken", world.admin)
        assert sorted(one["targetReference"]["url"] for one in answer.json()["items"]) == [
            "gone.md", "gone.png",
        ]  # fmt: skip


async def test_includes_of_an_archive_are_reusable_contents(
    database: Database, session: Session, world: World, tmp_path: Path
) -> None:
    await session.commit()
    text = """# Top

{% include ".gitbook/includes/note.md" %}

{% include '.gitbook/includes/note.md' %}

{% include "gone.md" %}

`{% include ".gitbook/includes/note.md" %}`
"""
    packed = documents.archive(
        {"repo/README.md": text, "repo/.gitbook/includes/note.md": "# Note\n\nKept once.\n"}
    )
    files = {"/repo.zip": ("application/zip", packed)}
    async with serving(files) as server, doors(database, tmp_path, server) as api:
        of_organization = f"/orgs/{world.organization.id}/spaces"
        made = await api.rest("POST", of_organization, world.admin, {"editMode": "live"})
        here = f"/spaces/{made.json()['id']}"
        body = {"url": f"{server.url}repo.zip", "source": "markdown"}
        answer = await api.rest("POST", f"{here}/content/import", world.admin, body)
        assert answer.status_code == 201, answer.text
        (top,) = [one for one in await pages_of(api, world.admin, here) if one["title"] == "Top"]
        page = f"{here}/content/page/{top['id']}"
        answer = await api.rest("GET", f"{page}?format=document", world.admin)
        refs = [
            node["data"]["ref"]
            for node in answer.json()["document"]["nodes"]
            if node["type"] == "reusable-content"
        ]
        included = refs[0]["reusableContent"]
        kept = {"kind": "reusable-content", "reusableContent": included}
        assert refs == [kept, kept, {"kind": "url", "url": "gone.md"}]
        answer = await api.rest("GET", f"{page}?format=markdown", world.admin)
        found = answer.json()["markdown"]
        # As it stands in the archive, in code and out of it.
        assert found.count(".gitbook/includes/note.md") == 3
        assert '`{% include ".gitbook/includes/note.md" %}`' in found
        answer = await api.rest("GET", f"{here}/links?status=ok", world.admin)
        assert [one["targetReference"]["kind"] for one in answer.json()["items"]] == [kept["kind"]]
        answer = await api.rest("GET", f"{here}/search?query=kept+once", world.admin)
        assert [one["title"] for one in answer.json()["items"]] == ["Top"]


async def test_the_cover_of_one_document_becomes_a_file(
    database: Database, session: Session, world: World, tmp_path: Path
) -> None:
    space = await space_of(session, world)
    text = b"---\ncover: dot.png\ncoverY: 5\nicon: bolt\n---\n# Top\n\n![dot](dot.png)\n"
    files = {
        "/docs/a.md": ("text/markdown", text),
        "/docs/dot.png": ("image/png", documents.png()),
    }
    async with serving(files) as server, doors(database, tmp_path, server) as api:
        body = {"url": f"{server.url}docs/a.md", "source": "markdown"}
        answer = await api.rest("POST", f"/spaces/{space.id}/content/import", world.editor, body)
        assert answer.status_code == 201, answer.text
        assert answer.json()["importedResources"] == 2
        page = (await pages_of(api, world.reader, f"/spaces/{space.id}"))[0]
        listed = await api.rest("GET", f"/spaces/{space.id}/content/files", world.reader)
        (file,) = listed.json()["items"]
        assert page["cover"]["ref"] == {"kind": "file", "file": file["id"]}
        assert (page["cover"]["yPos"], page["icon"]) == (5, "bolt")
