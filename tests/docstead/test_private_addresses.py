"""Addresses that only this server understands leave it through no output, however they came in."""

import re
from pathlib import Path
from typing import Any

import pytest

from content.documents.content_references import reference_url
from content.merge.conflict import ConflictKind, make_conflict as conflict_of
from db.enums import EditMode
from db.models.change_requests import ChangeRequest
from db.models.spaces import Space
from db.session import Database, Session
from resolvers.revisions.states import first_revision
from tests import factories
from tests.conftest import Api, World, context
from tests.docstead.test_site_walk import published
from tests.fetching.servers import serving
from tests.importing import documents
from tests.importing.test_import_content import doors, pages_of
from tests.markdown_links import PRIVATE, Links

# Every place of a text that holds an address: `P` that of a page, `F` that of a file.
PLACES = Path(__file__).with_name("places.md").read_text(encoding="utf-8")
NOTE = "---\ntitle: Note\n---\nA [b](P) of the note.\n"
QUERY = """
query ($space: ID!) {
  space(id: $space) {
    revision {
      pages(first: 50) { nodes { ... on DocumentPage { markdown document cover } } }
      reusableContents(first: 50) { nodes { markdown document } }
    }
  }
}
"""


def written(page: str, file: str) -> str:
    """The text with these addresses."""
    text = re.sub(r"(?<=[(<\"'>])P(?=[)#\"'< ])|(?<=\]: )P", lambda found: page, PLACES)
    return re.sub(r"(?<=[(\"'])F(?=[)\"'])", lambda found: file, text)


def archive() -> bytes:
    return documents.archive(
        {
            "repo/README.md": "---\ncover: .gitbook/assets/dot.png\n---\n# Top\n\n"
            + written("guide/b.md", ".gitbook/assets/dot.png")
            + '\n{% include ".gitbook/includes/note.md" %}\n',
            "repo/guide/b.md": "# B\n\nText, see [top](../README.md).\n\n## Deep\n\nEnd.\n",
            "repo/SUMMARY.md": "* [Top](README.md)\n* [B](guide/b.md)\n",
            "repo/.gitbook/includes/note.md": NOTE.replace("P", "../../guide/b.md"),
            "repo/.gitbook/assets/dot.png": documents.png(),
        }
    )


async def outputs(api: Api, world: World, space: Space, at: str = "content") -> dict[str, str]:
    """What both doors give of every page of a space, by what was asked for."""
    found: dict[str, str] = {}
    here = f"/spaces/{space.id}"
    for page in await pages_of(api, world.editor, here):
        for query in ("format=markdown", "format=document", "format=markdown&evaluated=true"):
            path = f"{here}/{at}/page/{page['id']}?{query}"
            found[path] = (await api.rest("GET", path, world.editor)).text
    found["graphql"] = str(await api.data(QUERY, world.editor, space=space.id))
    for path in (
        "/links?limit=100",
        "/search?query=note",
        f"/revisions/{space.revision_id}/changes",
    ):
        found[path] = (await api.rest("GET", here + path, world.editor)).text
    return found


async def site_outputs(api: Api, root: str, paths: list[str]) -> dict[str, str]:
    names = [f"{root}/{path}" for path in paths] + [f"{root}/{path}.md" for path in paths]
    names += [
        f"{root}/llms.txt",
        f"{root}/llms-full.txt",
        f"{root}/sitemap-pages.xml",
        f"{root}?q=note",
    ]
    found = {}
    for name in names:
        answer = await api.client.get(name, follow_redirects=True)
        assert answer.status_code == 200, name
        found[name] = answer.text
    return found


def assert_none_is_private(found: dict[str, str]) -> None:
    leaks = {name: match for name, text in found.items() if (match := PRIVATE.search(text))}
    assert not leaks, {
        name: found[name][max(0, one.start() - 60) : one.end() + 60] for name, one in leaks.items()
    }


async def empty_space(session: Session, world: World) -> Space:
    space = await factories.make_space(session, world.organization, edit_mode=EditMode.LIVE)
    space.revision_id = (await first_revision(context(session), space.id, "Home")).id
    await session.commit()
    return space


async def test_an_archive(
    database: Database, session: Session, world: World, tmp_path: Path
) -> None:
    space = await empty_space(session, world)
    async with (
        serving({"/repo.zip": ("application/zip", archive())}) as server,
        doors(database, tmp_path, server) as api,
    ):
        body = {"url": f"{server.url}repo.zip", "source": "markdown"}
        here = f"/spaces/{space.id}"
        answer = await api.rest("POST", f"{here}/content/import", world.editor, body)
        assert answer.status_code == 201, answer.text
        await session.refresh(space)
        found = await outputs(api, world, space)
        assert_none_is_private(found)
        pages = {page["title"]: page for page in await pages_of(api, world.editor, here)}
        # Relative as in the archive, each of them.
        top = pages["Top"]["id"]
        path = f"{here}/content/page/{top}"
        text = (await api.rest("GET", f"{path}?format=markdown", world.editor)).json()["markdown"]
        assert text == "# Top\n\n" + written("guide/b.md", ".gitbook/assets/dot.png") + (
            '\n{% include ".gitbook/includes/note.md" %}\n'
        )
        # What was read and is sent back changes nothing.
        edit = {"changes": [{"type": "update_page", "page": top, "document": {"markdown": text}}]}
        answer = await api.rest("POST", f"{here}/content", world.editor, edit)
        assert answer.status_code == 200, answer.text
        document = (await api.rest("GET", f"{path}?format=document", world.editor)).text
        assert document == found[f"{path}?format=document"]
        (root,) = await published(api, world, [space])
        shown = await site_outputs(api, root, [one["path"] for one in pages.values()])
        assert_none_is_private(shown)
        links = Links(api)
        for name, one in shown.items():
            if name.endswith((".md", "llms-full.txt", "llms.txt")):
                assert all(url.startswith("#") for url in await links.follow(name, one))
        assert not links.faults, links.faults
        assert "A [b](http://docs.test" in shown[f"{root}/{pages['Top']['path']}.md"]


REFERENCES: dict[str, dict[str, Any]] = {
    "page": {"kind": "page", "page": "PAGE"},
    "anchor": {"kind": "anchor", "anchor": "deep", "page": "PAGE"},
    "gone": {"kind": "page", "page": "gone"},
    "foreign": {"kind": "page", "page": "gone", "space": "nospace"},
    "space": {"kind": "space", "space": "SPACE"},
    "user": {"kind": "user", "user": "USER"},
    "collection": {"kind": "collection", "collection": "none"},
    "content": {"kind": "reusable-content", "reusableContent": "none"},
    "openapi": {"kind": "openapi", "spec": "petstore"},
    "tag": {"kind": "tag", "tag": "new"},
    "file": {"kind": "file", "file": "nofile"},
}


@pytest.mark.parametrize("kind", REFERENCES)
async def test_texts_with_private_addresses(
    api: Api, session: Session, world: World, kind: str
) -> None:
    space = await empty_space(session, world)
    here = f"/spaces/{space.id}"
    (home,) = await pages_of(api, world.editor, here)
    names = {"PAGE": home["id"], "SPACE": space.id, "USER": world.editor.id}
    reference = {name: names.get(value, value) for name, value in REFERENCES[kind].items()}
    url = reference_url(reference)
    text = written(url, url) + f'\n<{url}>\n\n{{% include "{url}" %}}\n'

    def link(ref: dict[str, Any], shown: str) -> dict[str, Any]:
        leaf = {"object": "leaf", "text": shown, "marks": []}
        text = {"object": "text", "leaves": [leaf]}
        return {"object": "inline", "type": "link", "data": {"ref": ref}, "nodes": [text]}

    nodes = [
        {"object": "block", "type": "paragraph", "nodes": [
            link(reference, "one"), link({"kind": "url", "url": url}, "two"),
            {"object": "inline", "type": "mention", "isVoid": True, "data": {"ref": reference}}]},
        {"object": "block", "type": "embed", "isVoid": True, "data": {"url": url}},
    ]  # fmt: skip
    document = {"object": "document", "data": {}, "nodes": nodes}
    changes = [
        {"type": "insert_page", "title": "Text", "document": {"markdown": text}},
        {"type": "insert_page", "title": "Document", "document": document},
    ]
    answer = await api.rest("POST", f"{here}/content", world.editor, {"changes": changes})
    assert answer.status_code == 200, answer.text
    copied = await api.rest("POST", f"{here}/duplicate", world.admin, {})
    assert copied.status_code in (200, 201), copied.text
    await session.refresh(space)
    found = await outputs(api, world, space)
    assert_none_is_private(found)
    for page in await pages_of(api, world.editor, here):
        path = f"{here}/content/page/{page['id']}"
        text = (await api.rest("GET", f"{path}?format=markdown", world.editor)).json()["markdown"]
        change = {"type": "update_page", "page": page["id"], "document": {"markdown": text}}
        path += "?format=document"
        before = (await api.rest("GET", path, world.editor)).json()["document"]
        answer = await api.rest("POST", f"{here}/content", world.editor, {"changes": [change]})
        assert answer.status_code == 200, answer.text
        after = (await api.rest("GET", path, world.editor)).json()["document"]
        assert after["nodes"] == before["nodes"]
    (root,) = await published(api, world, [space])
    paths = [one["path"] for one in await pages_of(api, world.editor, here)]
    assert_none_is_private(await site_outputs(api, root, paths))


DISCUSSION = """
query ($space: ID!, $request: ID!) {
  space(id: $space) { comments { nodes { body { markdown document } target { node { preview } }
    replies { nodes { body { markdown document } } } } } }
  changeRequest(spaceId: $space, id: $request) {
    description comments { nodes { body { markdown document } } }
    reviews { nodes { comment { body { markdown document } } } }
    conflicts { nodes { base ours theirs } }
    page(id: "home") { ... on DocumentPage { markdown(frontMatter: true) document } }
  }
}
"""


def paragraph(reference: dict[str, Any], url: str) -> dict[str, Any]:
    """A paragraph with a link, one to a URL, and a mention."""

    def text(shown: str) -> dict[str, Any]:
        return {"object": "text", "leaves": [{"object": "leaf", "text": shown, "marks": []}]}

    def link(ref: dict[str, Any]) -> dict[str, Any]:
        return {"object": "inline", "type": "link", "data": {"ref": ref}, "nodes": [text(url)]}

    mention = {"object": "inline", "type": "mention", "isVoid": True, "data": {"ref": reference}}
    nodes = [text("It "), link(reference), link({"kind": "url", "url": url}), mention, text(" is")]
    return {"object": "block", "type": "paragraph", "key": "p", "nodes": nodes}


@pytest.mark.parametrize("kind", REFERENCES)
async def test_discussions_with_private_addresses(
    api: Api, session: Session, world: World, kind: str
) -> None:
    space = await empty_space(session, world)
    here, author, reviewer = f"/spaces/{space.id}", world.editor, world.reviewer
    (home,) = await pages_of(api, author, here)
    names = {"PAGE": home["id"], "SPACE": space.id, "USER": author.id}
    reference = {name: names.get(value, value) for name, value in REFERENCES[kind].items()}
    node = paragraph(reference, reference_url(reference))
    document = {"object": "document", "data": {}, "nodes": [node]}
    edit = {"changes": [{"type": "update_page", "page": home["id"], "document": document}]}

    async def sent(path: str, body: Any, method: str = "POST", by: Any = author) -> dict[str, Any]:
        answer = await api.rest(method, path, by, body)
        assert answer.status_code in (200, 201), (path, answer.text)
        assert not PRIVATE.search(answer.text), (path, answer.text)
        made: dict[str, Any] = answer.json()
        return made

    await sent(f"{here}/content", edit)
    request = await sent(f"{here}/change-requests", {"subject": "It"})
    at = f"{here}/change-requests/{request['id']}"
    await sent(f"{at}/content", edit)
    await sent(at, {"description": document}, "PATCH")
    text = {"body": {"document": document}}
    key = await first_block(api, world, f"{here}/content/page/{home['id']}?format=document")
    about = {**text, "page": home["id"], "node": key}
    comment = await sent(f"{here}/comments", about)
    await sent(f"{here}/comments/{comment['id']}/replies", text)
    plain = {"body": {"markdown": written(reference_url(reference), "a.png")}}
    await sent(f"{at}/comments", plain)
    await sent(f"{at}/comments", text)
    review = {"status": "approved", "comment": text["body"]}
    await sent(f"{at}/reviews", review, by=reviewer)
    row = await session.get_one(ChangeRequest, request["id"])
    await factories.make_conflict(
        session,
        row,
        conflict_of(
            ConflictKind.BLOCK, page=home["id"], block="p", base=node, ours=node, theirs=node
        ),
    )
    await session.commit()
    found = {
        f"{path}{format}": (await api.rest("GET", path + format, author)).text
        for path in (
            f"{here}/comments", f"{here}/comments/{comment['id']}",
            f"{here}/comments/{comment['id']}/replies", f"{at}/comments", f"{at}/reviews",
            f"{at}/content/page/{home['id']}",
        )
        for format in ("?format=markdown", "?format=document")
    }  # fmt: skip
    for path in (at, f"{at}/conflicts", f"{at}/changes"):
        found[path] = (await api.rest("GET", path, author)).text
    query = DISCUSSION.replace('"home"', f'"{home["id"]}"')
    data = await api.data(query, author, space=space.id, request=request["id"])
    found["graphql"] = str(data)
    assert_none_is_private(found)
    assert len(data["changeRequest"]["comments"]["nodes"]) == 3
    assert len(data["changeRequest"]["conflicts"]["nodes"]) == 1
    # What was read and is sent back changes nothing.
    one = f"{here}/comments/{comment['id']}"
    for format in ("markdown", "document"):
        read = (await api.rest("GET", f"{one}?format={format}", author)).json()["body"]
        answer = await sent(one, {"body": read}, "PUT")
        assert answer.get("editedAt") is None
        assert (await api.rest("GET", f"{one}?format={format}", author)).json()["body"] == read


async def first_block(api: Api, world: World, path: str) -> str:
    page = (await api.rest("GET", path, world.editor)).json()
    return str(page["document"]["nodes"][0]["key"])
