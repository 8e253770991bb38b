"""Importing a source again: ids stay, unchanged pages make no change, people's edits count."""

import io
import random
import zipfile
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from db.session import Database, Session
from tests.conftest import Api, Queries, World
from tests.fetching.servers import serving
from tests.importing import documents, sources
from tests.importing.test_import_content import doors, pages_of, space_of

FIRST = {
    "README.md": "# Welcome\n\nSee [the guide](guide/start.md) and ![dot](assets/dot.png).\n",
    "SUMMARY.md": (
        "# Summary\n\n* [Welcome](README.md)\n* [Start](guide/start.md)\n"
        "  * [More](guide/more.md)\n\n## Reference\n\n* [Names](names.md)\n* [Out](https://example.com)\n"
    ),
    "guide/start.md": (
        "---\ndescription: First steps\n---\n# Start\n\nBack to [home](../README.md).\n"
    ),
    "guide/more.md": "# More\n\nOne line.\n\nTwo lines.\n\nThree lines.\n",
    "names.md": "# Names\n\nA list of names.\n",
    "assets/dot.png": documents.png(),
}
Files = dict[str, bytes | str]
# Without the page of names.
FEWER: Files = {
    name: text.replace("* [Names](names.md)\n", "") if isinstance(text, str) else text
    for name, text in FIRST.items()
    if name != "names.md"
}


@dataclass
class Importing:
    """A space, and a source on loopback that is changed between imports."""

    api: Api
    world: World
    space: str
    url: str
    served: dict[str, tuple[str, bytes]]
    below: str = ""
    request: str = ""

    def serve(self, files: Files, name: str = "docs.zip") -> None:
        self.served[f"/{name}"] = ("application/zip", documents.archive(files))

    @property
    def content(self) -> str:
        request = f"/change-requests/{self.request}" if self.request else ""
        return f"/spaces/{self.space}{request}"

    async def run(self, files: Files, mode: str | None = "update", name: str = "docs.zip") -> Any:
        """The answer of an import of these files."""
        self.serve(files, name)
        body = {"url": f"{self.url}{name}", "source": "markdown"}
        if mode is not None:
            body["mode"] = mode
        below = f"/page/{self.below}" if self.below else ""
        path = f"{self.content}/content{below}/import"
        answer = await self.api.rest("POST", path, self.world.editor, body)
        assert answer.status_code == 201, answer.text
        return answer.json()

    async def pages(self) -> dict[str, dict[str, Any]]:
        """Pages by their paths."""
        listed = await pages_of(self.api, self.world.editor, self.content)
        return {page.get("path") or page["title"]: page for page in listed}

    async def text(self, page_id: str) -> str:
        answer = await self.api.rest(
            "GET", f"{self.content}/content/page/{page_id}?format=markdown", self.world.editor
        )
        return str(answer.json()["markdown"])

    async def write(self, *changes: dict[str, Any]) -> Any:
        answer = await self.api.rest(
            "POST", f"{self.content}/content", self.world.editor, {"changes": list(changes)}
        )
        assert answer.status_code < 300, answer.text
        return answer.json()


@pytest.fixture
async def importing(
    database: Database, session: Session, world: World, tmp_path: Path
) -> AsyncIterator[Importing]:
    space = await space_of(session, world)
    served: dict[str, tuple[str, bytes]] = {}
    settings = {"import_pages": 100, "import_files": 100}
    async with serving(served) as server, doors(database, tmp_path, server, **settings) as api:
        yield Importing(api, world, space.id, server.url, served)


def ids(pages: dict[str, dict[str, Any]]) -> dict[str, str]:
    return {path: page["id"] for path, page in pages.items()}


async def test_the_same_again_changes_nothing(importing: Importing) -> None:
    first = await importing.run(FIRST)
    assert first["pages"] == {"created": 6, "updated": 0, "unchanged": 0, "removed": 0}
    before = await importing.pages()
    again = await importing.run(FIRST)
    assert again["revision"] == first["revision"]
    assert again["pages"] == {"created": 0, "updated": 0, "unchanged": 6, "removed": 0}
    assert await importing.pages() == before
    # Without a mode, pages are added as before.
    added = await importing.run(FIRST, mode=None)
    assert added["pages"]["created"] == 6


async def test_what_has_changed_is_updated(importing: Importing) -> None:
    await importing.run(FIRST)
    before = ids(await importing.pages())
    second = FIRST | {
        "SUMMARY.md": (
            "* [Welcome](README.md)\n* [New](new.md)\n* [Names](names.md)\n"
            "  * [More](guide/more.md)\n* [Start](guide/start.md)\n"
        ),
        "new.md": "# New\n\nSomething [else](names.md).\n",
        "names.md": "# Names of things\n\nAnother list.\n",
    }
    result = await importing.run(second)
    assert result["pages"] == {"created": 1, "updated": 1, "unchanged": 3, "removed": 2}
    after = await importing.pages()
    titles = {page["title"]: page["id"] for page in after.values()}
    old = {path.rpartition("/")[2]: id for path, id in before.items()}
    assert titles["Names of things"] == old["names"]
    assert titles["More"] == old["more"]
    assert titles["Start"] == old["start"]
    assert "Another list." in await importing.text(titles["Names of things"])


def including(number: int, text: str) -> Files:
    """A source with so many pages that show a reusable content and a picture each."""
    files: Files = {"SUMMARY.md": "* [Home](README.md)\n", "README.md": "# Home\n"}
    for n in range(number):
        files["SUMMARY.md"] += f"* [Page {n}](p{n}.md)\n"  # type: ignore[operator]
        include = f'{{% include ".gitbook/includes/i{n}.md" %}}'
        files[f"p{n}.md"] = f"# Page {n}\n\n{text}\n\n{include}\n\n![x](a{n}.png)\n"
        files[f".gitbook/includes/i{n}.md"] = f"---\ntitle: Part {n}\n---\n\n{text} part\n"
        files[f"a{n}.png"] = documents.png()
    return files


async def test_what_is_there_is_read_together(importing: Importing, queries: Queries) -> None:
    counts = []
    for number in (2, 12):
        name = f"docs{number}.zip"
        await importing.run(including(number, "One"), name=name)
        queries.statements.clear()
        result = await importing.run(including(number, "Two"), name=name)
        assert result["pages"] == {"created": 0, "updated": number, "unchanged": 1, "removed": 0}
        counts.append(len(queries.statements))
    # A larger map may have a level more.
    assert counts[1] <= counts[0] + 2


async def test_people_s_edits(importing: Importing) -> None:
    await importing.run(FIRST)
    pages = {page["title"]: page["id"] for page in (await importing.pages()).values()}
    await importing.write(
        {"type": "update_page", "page": pages["Start"], "title": "Start here"},
        {"type": "update_page", "page": pages["Names"], "title": "Our names"},
        {"type": "update_page", "page": pages["More"], "title": "Much more"},
    )
    # The source has changed one of the three, and has lost another.
    second = FIRST | {"names.md": "# Names\n\nOther names.\n", "SUMMARY.md": (
        "* [Welcome](README.md)\n* [Start](guide/start.md)\n\n## Reference\n\n* [Names](names.md)\n"
    )}  # fmt: skip
    del second["guide/more.md"]
    result = await importing.run(second)
    assert result["pages"] == {"created": 0, "updated": 1, "unchanged": 3, "removed": 1}
    assert [one for one in result["warnings"] if "edited here" in one] == [
        "edited here and changed in the source, whose text they have now: 'Names'",
        "no longer in the source, but edited here or above other pages, so they stay: 'Much more'",
    ]
    titles = {page["title"]: page["id"] for page in (await importing.pages()).values()}
    assert titles["Start here"] == pages["Start"]
    assert titles["Names"] == pages["Names"]
    assert titles["Much more"] == pages["More"]
    assert "Out" not in titles
    again = await importing.run(second)
    assert again["revision"] == result["revision"]


async def test_renamed_and_moved_pages_keep_their_ids(importing: Importing) -> None:
    await importing.run(FIRST)
    pages = {page["title"]: page["id"] for page in (await importing.pages()).values()}
    second = FIRST | {
        "manual/extra.md": "# Extra\n\nOne line.\n\nTwo lines, changed.\n\nThree lines.\n",
        "SUMMARY.md": (
            "* [Welcome](README.md)\n* [Extra](manual/extra.md)\n* [Start](guide/start.md)\n"
            "* [Unlike](unlike.md)\n"
        ),
        "unlike.md": "# Unlike\n\nNothing in common.\n",
    }
    del second["guide/more.md"], second["names.md"]
    result = await importing.run(second)
    assert result["pages"] == {"created": 1, "updated": 1, "unchanged": 2, "removed": 3}
    titles = {page["title"]: page["id"] for page in (await importing.pages()).values()}
    assert titles["Extra"] == pages["More"]
    assert titles["Unlike"] not in pages.values()


async def test_below_a_page_and_in_a_change_request(importing: Importing, session: Session) -> None:
    await importing.run(FIRST)
    home = next(iter((await importing.pages()).values()))["id"]
    answer = await importing.api.rest(
        "POST", f"/spaces/{importing.space}/change-requests", importing.world.editor,
        {"subject": "Import"},
    )  # fmt: skip
    importing.request, importing.below = answer.json()["id"], home
    first = await importing.run(FIRST)
    assert first["pages"]["created"] == 6
    again = await importing.run(FIRST)
    assert again["revision"] == first["revision"]
    # What was imported elsewhere is nobody's business.
    result = await importing.run(FEWER)
    assert result["pages"]["removed"] == 1
    assert len([one for one in (await importing.pages()).values() if one["title"] == "Names"]) == 1


async def test_a_change_request_follows_what_is_updated(importing: Importing) -> None:
    await importing.run(FIRST)
    pages = {page["title"]: page["id"] for page in (await importing.pages()).values()}
    answer = await importing.api.rest(
        "POST", f"/spaces/{importing.space}/change-requests", importing.world.editor,
        {"subject": "Better names"},
    )  # fmt: skip
    importing.request = answer.json()["id"]
    await importing.write({"type": "update_page", "page": pages["Start"], "title": "First start"})
    request, importing.request = importing.request, ""
    await importing.run(FIRST | {"names.md": "# Names\n\nOther names.\n"})
    merged = await importing.api.rest(
        "POST", f"/spaces/{importing.space}/change-requests/{request}/merge",
        importing.world.reviewer,
    )  # fmt: skip
    assert merged.status_code == 200, merged.text
    titles = {page["title"]: page["id"] for page in (await importing.pages()).values()}
    assert titles["First start"] == pages["Start"]
    assert "Other names." in await importing.text(pages["Names"])
    # Merging keeps the marks: nothing is new.
    result = await importing.run(FIRST | {"names.md": "# Names\n\nOther names.\n"})
    assert result["pages"] == {"created": 0, "updated": 0, "unchanged": 6, "removed": 0}


async def test_another_address_of_the_same_documentation(importing: Importing) -> None:
    await importing.run(FIRST, name="v1.zip")
    result = await importing.run(FEWER, name="v2.zip")
    assert (result["pages"]["created"], result["pages"]["removed"]) == (0, 1)
    # Another source beside it touches none of it.
    other = {"other/README.md": "# Other\n", "other/page.md": "# Page\n"}
    result = await importing.run(
        {f"x/{name}": text for name, text in other.items()}, name="other.zip"
    )
    before = len(await importing.pages())
    result = await importing.run({"x/other/page.md": "# Page\n"}, name="other.zip")
    assert len(await importing.pages()) <= before
    result = await importing.run(FEWER, name="v2.zip")
    assert (result["pages"]["created"], result["pages"]["removed"]) == (0, 0)


async def test_queries_that_sign_an_address_and_those_that_name_a_document(
    importing: Importing,
) -> None:
    await importing.run(FIRST, name="docs.zip?signature=1")
    result = await importing.run(FEWER, name="docs.zip?signature=2")
    assert (result["pages"]["created"], result["pages"]["removed"]) == (0, 1)
    before = ids(await importing.pages())
    # The address is that of a script, which gives other documentation.
    other: Files = {"api.md": "# API\n\nCalls.\n", "errors.md": "# Errors\n\nCodes.\n"}
    result = await importing.run(other, name="docs.zip?document=7")
    assert result["pages"] == {"created": 2, "updated": 0, "unchanged": 0, "removed": 0}
    after = ids(await importing.pages())
    assert before.items() <= after.items()


async def test_what_is_beyond_the_limits_is_named_and_stays(
    database: Database, session: Session, world: World, tmp_path: Path
) -> None:
    space = await space_of(session, world)
    served: dict[str, tuple[str, bytes]] = {}
    many: Files = {
        f"p{number:02}.md": f"# Page {number}\n\n![](a{number}.png)\n" for number in range(31)
    }
    many |= {f"a{number}.png": documents.png() for number in range(25)}
    async with serving(served) as server, doors(database, tmp_path, server) as api:
        importing = Importing(api, world, space.id, server.url, served)
        result = await importing.run(many)
        assert (result["importedResources"], result["totalResources"]) == (40, 56)
        assert result["warnings"][:2] == [
            "11 pages are left out: one import takes 20 (DOCSTEAD_IMPORT_PAGES)",
            "5 files are left out: one import takes 20 (DOCSTEAD_IMPORT_FILES)",
        ]
        left = result["leftOut"]
        assert (left["pages"], left["files"], len(left["items"])) == (11, 5, 16)
        assert left["items"][0] == {
            "kind": "page", "title": "Page 20", "path": "p20.md",
            "reason": "is beyond the 20 pages of one import",
        }  # fmt: skip
        assert left["items"][-1]["kind"] == "file"
        # Pages that are beyond the limit now have not vanished from the source.
        more = {"a00.md": "# New\n", **many}
        result = await importing.run(more)
        assert result["pages"] == {"created": 1, "updated": 0, "unchanged": 19, "removed": 0}
        titles = {page["title"] for page in (await importing.pages()).values()}
        assert "Page 19" in titles


async def test_both_doors_say_the_same(importing: Importing) -> None:
    importing.serve(FIRST)
    query = """mutation($space: ID!, $input: ImportContentInput!) {
      importContent(spaceId: $space, input: $input) {
        revision { id } warnings pages { created updated unchanged removed }
        leftOut { pages files items { kind title path reason } } } }"""
    values = {"url": f"{importing.url}docs.zip", "source": "MARKDOWN", "mode": "UPDATE"}
    for expected in ((6, 0), (0, 6)):
        data = await importing.api.data(
            query, importing.world.editor, space=importing.space, input=values
        )
        found = data["importContent"]
        assert (found["pages"]["created"], found["pages"]["unchanged"]) == expected
        assert found["leftOut"] == {"pages": 0, "files": 0, "items": []}
    answer = await importing.api.rest(
        "POST", f"/spaces/{importing.space}/content/import", importing.world.editor,
        {"url": f"{importing.url}docs.zip", "source": "markdown", "mode": "merge"},
    )  # fmt: skip
    assert answer.status_code == 422
    assert "mode" in answer.json()["error"]["message"]


async def shown(importing: Importing) -> list[tuple[Any, ...]]:
    """The content as readers see it: the tree, fields and texts, but no ids."""
    found: list[tuple[Any, ...]] = []
    answer = await importing.api.rest(
        "GET", f"{importing.content}/content/pages", importing.world.editor
    )
    waiting = [(0, page) for page in answer.json()["pages"]]
    while waiting:
        depth, page = waiting.pop(0)
        text = await importing.text(page["id"]) if page["type"] == "document" else ""
        fields = [page.get(name) for name in ("type", "title", "path", "description", "hidden")]
        found.append((depth, *fields, text))
        waiting = [(depth + 1, below) for below in page.get("pages", [])] + waiting
    return found


@pytest.mark.parametrize("seed", range(5))
async def test_an_update_gives_what_a_fresh_import_gives(
    importing: Importing, session: Session, seed: int
) -> None:
    chance = random.Random(seed)
    first = sources.random_source(chance)
    second = sources.changed(chance, first)
    await importing.run(first.files())
    before = {page["id"]: page for page in (await importing.pages()).values()}
    result = await importing.run(second.files())
    pages = result["pages"]
    assert pages["created"] + pages["updated"] + pages["unchanged"] == len(
        [one for one in await shown(importing) if one[2] != "Home"]
    )
    updated = await shown(importing)
    kept = [page["id"] for page in (await importing.pages()).values() if page["id"] in before]
    assert len(kept) == pages["unchanged"] + pages["updated"]
    again = await importing.run(second.files())
    assert again["revision"] == result["revision"]
    assert again["pages"]["unchanged"] == sum(again["pages"].values())
    importing.space = (await space_of(session, importing.world)).id
    await importing.run(second.files())
    assert updated == await shown(importing)


async def test_another_documentation_with_the_same_first_page(importing: Importing) -> None:
    await importing.run(FIRST)
    before = await importing.pages()
    first = before[next(iter(before))]["id"]
    text = await importing.text(first)
    result = await importing.run(
        {"README.md": "# Something else\n\nNothing of it.\n", "api.md": "# Calls\n"},
        name="other.zip",
    )
    assert result["pages"] == {"created": 2, "updated": 0, "unchanged": 0, "removed": 0}
    after = await importing.pages()
    assert {page["id"] for page in before.values()} < {page["id"] for page in after.values()}
    assert await importing.text(first) == text
    # Both are found again, each by its own address.
    for files, name in (({"README.md": "# Something else\n"}, "other.zip"), (FIRST, "docs.zip")):
        result = await importing.run(files, name=name)
        assert result["pages"]["created"] == 0, name
    assert await importing.text(first) == text


async def test_releases_at_addresses_of_their_own(importing: Importing) -> None:
    """What each of them has not changed belongs to the newest, too."""
    pages: Files = {f"p{number}.md": f"# Page {number}\n\nText.\n" for number in range(8)}
    await importing.run(pages, name="v1.zip")
    changed = {name: "# Other\n\nOther text of it.\n" for name in ("p0.md", "p1.md", "p2.md")}
    await importing.run(pages | changed, name="v2.zip")
    fewer = {name: text for name, text in pages.items() if name not in ("p0.md", "p1.md")}
    result = await importing.run(fewer | {"p2.md": changed["p2.md"]}, name="v3.zip")
    assert result["pages"] == {"created": 0, "updated": 0, "unchanged": 6, "removed": 2}


# ------------------------------------------------------------------ times


def dated(date: tuple[int, int, int, int, int, int], text: str) -> bytes:
    """An archive of one page, whose entry has a date."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr(zipfile.ZipInfo("page.md", date), f"# Page\n\n{text}\n")
    return data.getvalue()


async def test_pages_have_the_time_of_their_source(importing: Importing) -> None:
    async def updated(data: bytes, kind: str = "application/zip", name: str = "p.zip") -> str:
        importing.served[f"/{name}"] = (kind, data)
        body = {"url": f"{importing.url}{name}", "source": "markdown", "mode": "update"}
        path = f"{importing.content}/content/import"
        answer = await importing.api.rest("POST", path, importing.world.editor, body)
        assert answer.status_code == 201, answer.text
        page = next(page for path, page in (await importing.pages()).items() if path in name)
        assert page["createdAt"] <= page["updatedAt"]
        return str(page["updatedAt"])

    importing.served.clear()
    assert "2024-05-06T07:08:10" in (
        await updated(dated((2024, 5, 6, 7, 8, 10), "one"), name="page.zip")
    )
    later = await updated(dated((2025, 1, 2, 3, 4, 6), "two"), name="page.zip")
    assert later.startswith("2025-01-02T03:04:06")
    # What has changed here is never older than it was, and nothing is of a time to come.
    now = await updated(dated((2023, 1, 1, 0, 0, 0), "three"), name="page.zip")
    assert now > later
    assert await updated(dated((2107, 1, 1, 0, 0, 0), "four"), name="page.zip") >= now
    modified = "text/markdown\r\nLast-Modified: Wed, 21 Oct 2015 07:28:00 GMT"
    alone = await updated(b"# Alone\n\ntext\n", modified, "alone.md")
    assert alone.startswith("2015-10-21T07:28")
    wrong = "text/markdown\r\nLast-Modified: yesterday"
    assert await updated(b"# Other\n\ntext\n", wrong, "other.md") >= now


async def test_pages_of_sites_have_the_time_that_the_server_says(importing: Importing) -> None:
    """Each its own; pages without one have that of the import."""
    head = "text/html\r\nLast-Modified: Wed, 21 Oct 2015 07:28:00 GMT"
    nav = '<nav><ul><li><a href="/docs/">One</a></li><li><a href="two">Two</a></li></ul></nav>'
    for path, kind in (("/docs/", head), ("/docs/two", "text/html")):
        importing.served[path] = (kind, f"<body>{nav}<main><h1>T{path}</h1>x</main>".encode())
    body = {"url": f"{importing.url}docs/", "source": "website"}
    path = f"{importing.content}/content/import"
    answer = await importing.api.rest("POST", path, importing.world.editor, body)
    assert answer.status_code == 201, answer.text
    listed = (await importing.pages()).values()
    times = {page["title"]: page.get("updatedAt", "") for page in listed}
    assert times["T/docs/"].startswith("2015-10-21T07:28")
    assert times["T/docs/two"] > "2020"
