"""Front matter of pages that are read as Markdown, through both doors, and written back."""

from pathlib import Path
from typing import Any

import pytest

from db.models.spaces import Space
from db.session import Database, Session
from tests.conftest import Api, World
from tests.fetching.servers import serving
from tests.importing import documents
from tests.importing.test_import_content import doors, pages_of, space_of

QUERY = """
query ($space: ID!, $page: ID!) {
  space(id: $space) { revision { page(id: $page) {
    ... on DocumentPage { markdown(frontMatter: true) plain: markdown }
  } } }
}
"""
TOP = "A bold title"
FULL = """---
# Why this page is here
icon: "bolt"
description: >-
  A sentence
  over two lines
cover: ./.gitbook/assets/dot.png
coverY: 12
layout: {outline: {visible: false}, banner: {a: 1}}
if: visitor.claims.beta
vars:
  port: 80
owner: [team-a, {since: 2025-01-31}]
hidden: true
---

# A *bold* title

Body, see [b](b.md).
"""
FILES = {
    "repo/README.md": FULL,
    "repo/b.md": "---\ntitle: B\nreviewed: by me\n---\n\nNo heading.\n",
    "repo/c.md": "# C\n\nNo front matter.\n",
    "repo/d.md": "---\ndescription: Only this\n---\n",
    "repo/SUMMARY.md": "* [A](README.md)\n* [B](b.md)\n* [C](c.md)\n* [D](d.md)\n",
}


def archive(files: dict[str, str]) -> bytes:
    return documents.archive({**files, "repo/.gitbook/assets/dot.png": documents.png()})


async def imported(api: Api, world: World, space: Space, url: str) -> dict[str, str]:
    """The pages of an archive, by title."""
    here = f"/spaces/{space.id}"
    body = {"url": url, "source": "markdown"}
    answer = await api.rest("POST", f"{here}/content/import", world.editor, body)
    assert answer.status_code == 201, answer.text
    return {page["title"]: page["id"] for page in await pages_of(api, world.editor, here)}


async def read(api: Api, world: World, space: Space, page: str) -> str:
    """The Markdown with front matter, which is the same through both doors and by all ways."""
    base = f"/spaces/{space.id}"
    (path,) = [one["path"] for one in await pages_of(api, world.editor, base) if one["id"] == page]
    found = set()
    for at in ("content", f"revisions/{await revision_of(api, world, space)}"):
        for way in (f"page/{page}", f"path/{path}"):
            query = "?format=markdown&frontMatter=true"
            answer = await api.rest("GET", f"{base}/{at}/{way}{query}", world.editor)
            assert answer.status_code == 200, answer.text
            found.add(answer.json()["markdown"])
    data = await api.data(QUERY, world.editor, space=space.id, page=page)
    shown = data["space"]["revision"]["page"]
    assert not shown["plain"].startswith("---")
    found.add(shown["markdown"])
    (text,) = found
    return str(text)


async def revision_of(api: Api, world: World, space: Space) -> str:
    answer = await api.rest("GET", f"/spaces/{space.id}/content", world.editor)
    return str(answer.json()["id"])


async def edit(api: Api, world: World, space: Space, page: str, **fields: Any) -> None:
    change = {"type": "update_page", "page": page, **fields}
    body = {"changes": [change]}
    answer = await api.rest("POST", f"/spaces/{space.id}/content", world.editor, body)
    assert answer.status_code == 200, answer.text


async def document_of(api: Api, world: World, space: Space, page: str) -> dict[str, Any]:
    path = f"/spaces/{space.id}/content/page/{page}?format=document"
    found: dict[str, Any] = (await api.rest("GET", path, world.editor)).json()
    for name in ("updatedAt", "git", "urls", "documentId", "id", "createdAt"):
        found.pop(name, None)
    return found


async def test_imported_pages_come_back_as_they_were(
    database: Database, session: Session, world: World, tmp_path: Path
) -> None:
    space = await space_of(session, world)
    other = await space_of(session, world)
    async with (
        serving({"/repo.zip": ("application/zip", archive(FILES))}) as server,
        doors(database, tmp_path, server) as api,
    ):
        pages = await imported(api, world, space, f"{server.url}repo.zip")
        texts = {name: await read(api, world, space, pages[name]) for name in pages}
        by_name = {name: text for name, text in FILES.items() if name != "repo/SUMMARY.md"}
        assert [texts[name] for name in (TOP, "B", "C", "D")] == list(by_name.values())
        # Read back, as writes and as an import elsewhere, it is the same page.
        for title, text in texts.items():
            before = await document_of(api, world, space, pages[title])
            await edit(api, world, space, pages[title], document={"markdown": text})
            assert await document_of(api, world, space, pages[title]) == before
            assert await read(api, world, space, pages[title]) == text
        # Another field: the canonical spelling, with all that the file said.
        await edit(api, world, space, pages[TOP], description="Another")
        canonical = await read(api, world, space, pages[TOP])
        assert canonical == (
            "---\ndescription: Another\nicon: bolt\nhidden: true\n"
            "cover: .gitbook/assets/dot.png\ncoverY: 12\n"
            "layout:\n  outline:\n    visible: false\n  banner:\n    a: 1\n"
            "vars:\n  port: 80\nif: visitor.claims.beta\n"
            "owner:\n- team-a\n- since: '2025-01-31'\n---\n\n"
            "# A bold title\n\nBody, see [b](b.md).\n"
        )
        before = await document_of(api, world, space, pages[TOP])
        await edit(api, world, space, pages[TOP], document={"markdown": canonical})
        assert await document_of(api, world, space, pages[TOP]) == before
        assert await read(api, world, space, pages[TOP]) == canonical
        again = {**FILES, "repo/README.md": canonical}
        async with (
            serving({"/again.zip": ("application/zip", archive(again))}) as second,
            doors(database, tmp_path / "again", second) as elsewhere,
        ):
            copies = await imported(elsewhere, world, other, f"{second.url}again.zip")
            assert await read(elsewhere, world, other, copies[TOP]) == canonical


async def test_a_page_of_a_change_request(api: Api, session: Session, world: World) -> None:
    space = await space_of(session, world)
    made = await api.rest("POST", f"/spaces/{space.id}/change-requests", world.editor, {})
    base = f"/spaces/{space.id}/change-requests/{made.json()['id']}/content"
    text = "---\nicon: bolt\nowner: us\n---\n\n# New\n\nBody\n"
    change = {"type": "insert_page", "title": "New", "document": {"markdown": text}}
    answer = await api.rest("POST", base, world.editor, {"changes": [change]})
    assert answer.status_code == 200, answer.text
    query = "?format=markdown&frontMatter=true"
    read = (await api.rest("GET", f"{base}/path/new{query}", world.editor)).json()
    assert read["markdown"] == text
    (page,) = (read["id"],)
    read = (await api.rest("GET", f"{base}/page/{page}{query}", world.editor)).json()
    assert read["markdown"] == text
    # Only where it is asked for, and for Markdown.
    plain = await api.rest("GET", f"{base}/page/{page}?format=markdown&frontMatter=", world.editor)
    assert plain.json()["markdown"] == "# New\n\nBody\n"
    other = await api.rest("GET", f"{base}/page/{page}?frontMatter=true", world.editor)
    assert "markdown" not in other.json()
    wrong = await api.rest("GET", f"{base}/page/{page}?frontMatter=perhaps", world.editor)
    assert wrong.status_code == 422
    assert "frontMatter" in wrong.text


@pytest.mark.parametrize("title", ["A *b*", "C #", "[x](y)", "a\\*b", "`code`", "Plain"])
async def test_titles_that_no_heading_says(
    api: Api, session: Session, world: World, title: str
) -> None:
    space = await space_of(session, world)
    (home,) = await pages_of(api, world.editor, f"/spaces/{space.id}")
    await edit(api, world, space, home["id"], title=title, icon="bolt")
    text = await read(api, world, space, home["id"])
    assert ("title:" in text) is (title != "Plain")
    await edit(api, world, space, home["id"], document={"markdown": text})
    (again,) = await pages_of(api, world.editor, f"/spaces/{space.id}")
    assert again["title"] == title
