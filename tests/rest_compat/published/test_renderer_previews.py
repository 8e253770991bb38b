"""Previews as a renderer of published sites reads them, with the published client.

On the demo, and with DOCSTEAD_TEST_SOURCE on other documentation as well. What comes through is
compared with what a member reads of the same draft at the other end: the change request itself.
"""

import base64
import json
import logging
import os
import shutil
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from db.session import Database
from rest_compat.deviations import DEVIATIONS
from tests.conftest import Api
from tests.docstead.command_line import docstead_async
from tests.docstead.test_demo import fresh_demo
from tests.fetching.servers import serving
from tests.importing import documents
from tests.node_packages import run_node
from tests.published_contract import FOLLOWED, NEWEST, published_contract
from tests.rest_compat.test_published_answers import KEPT
from tests.rest_compat.test_published_client import FILES, listening

Json = dict[str, Any]
PNG = base64.b64encode(documents.png()).decode()
NEW = """Words that only the draft has.

![A drawing](docstead:file?file=FILE)

{% include "docstead:reusable-content?reusableContent=CONTENT" %}

{% embed url="EMBED" %}
"""


@dataclass
class Draft:
    """A space on the site, and what a change request does to it."""

    space: str
    number: int
    # What was published when it began, and what it is now.
    revision: str
    head: str
    added: str
    file: str
    content: str
    moved: str
    old_path: str
    new_path: str
    deleted: str
    deleted_path: str
    edited: str


@dataclass
class Studio:
    """A server whose admin proposes changes and publishes them."""

    api: Api
    token: str
    organization: str
    embed: str
    site: str = ""
    # The addresses of the spaces on the site.
    roots: dict[str, str] = field(default_factory=dict)

    async def ask(self, method: str, path: str, body: Any = None, **options: Any) -> Json:
        headers = {"Authorization": f"Bearer {self.token}"}
        answer = await self.api.rest(method, path, None, body, headers=headers, **options)
        assert answer.status_code < 300, (path, answer.text)
        found: Json = answer.json() if answer.content else {}
        return found

    async def publish(self, spaces: list[str]) -> None:
        """A site with a section for each space."""
        sites = f"/orgs/{self.organization}/sites"
        made = await self.ask("POST", sites, {"title": "Previews", "spaces": spaces[:1]})
        self.site = made["id"]
        at = f"{sites}/{self.site}"
        for space in spaces[1:]:
            await self.ask("POST", f"{at}/sections", {"spaceId": space})
        await self.ask("POST", f"{at}/publish")
        for one in (await self.ask("GET", f"{at}/site-spaces?limit=1000"))["items"]:
            self.roots[one["space"]["id"]] = one["urls"]["published"].rstrip("/")

    async def allow(self, previews: str) -> None:
        path = f"/orgs/{self.organization}/sites/{self.site}"
        await self.ask("PATCH", path, {"previews": previews})

    async def signed(self, **draft: str) -> str:
        path = f"/orgs/{self.organization}/sites/{self.site}/publishing/preview"
        return str((await self.ask("GET", path, params=draft))["url"])

    async def propose(self, space: str) -> Draft:
        """A change request that adds, edits, moves and deletes pages, with a file of its own."""
        here = f"/spaces/{space}"
        pages = [
            page for page in tree(await self.ask("GET", f"{here}/content/pages"))
            if page["type"] == "document"
        ]  # fmt: skip
        # Not the landing page, and none below which others stand.
        ends = [page for page in pages[1:] if not page["pages"]]
        edited, moved, deleted = ends[0], ends[1], ends[2]
        revision = (await self.ask("GET", here))["revision"]
        request = await self.ask("POST", f"{here}/change-requests", {"subject": "Preview"})
        at = f"{here}/change-requests/{request['number']}/content?compat=false"

        async def write(*changes: Json) -> Json:
            return await self.ask("POST", at, {"changes": list(changes)})

        image = {"name": "only-here.png", "base64": PNG, "contentType": "image/png"}
        made = await write({"type": "insert_files", "files": [image]})
        file = made["insertedFiles"][0]["id"]
        shared = {"markdown": "Words that are shared in the draft.\n"}
        await write({"type": "insert_reusable_content", "title": "Shared", "document": shared})
        after = await self.ask("GET", at.partition("?")[0])
        content = next(one["id"] for one in after["reusableContents"] if one["title"] == "Shared")
        text = NEW.replace("FILE", file).replace("CONTENT", content).replace("EMBED", self.embed)
        markdown = (
            await self.ask("GET", f"{here}/content/page/{edited['id']}?format=markdown")
        )["markdown"]  # fmt: skip
        await write(
            {"type": "insert_page", "title": "Only in the draft", "document": {"markdown": text}},
            {"type": "update_page", "page": edited["id"],
             "document": {"markdown": f"{markdown}\nA sentence of the draft.\n"}},
            {"type": "rename_page", "page": moved["id"], "slug": "moved-in-the-draft"},
            {"type": "delete_page", "page": deleted["id"]},
        )  # fmt: skip
        after = await self.ask("GET", at.partition("?")[0])
        new = {page["id"]: page.get("path") for page in tree(after)}
        (added,) = (page for page in tree(after) if page["title"] == "Only in the draft")
        return Draft(
            space=space, number=request["number"], revision=revision, head=after["id"],
            added=added["id"], file=file, content=content, moved=moved["id"],
            old_path=moved["path"], new_path=str(new[moved["id"]]), deleted=deleted["id"],
            deleted_path=deleted["path"], edited=edited["id"],
        )  # fmt: skip


def tree(body: Json) -> Iterator[Json]:
    for page in body.get("pages", ()):
        yield page
        yield from tree(page)


def blocks(node: Any) -> Iterator[tuple[str, str]]:
    """Kinds and texts of the blocks of a document that hold text or a picture, in order."""
    if isinstance(node, list):
        for one in node:
            yield from blocks(one)
    elif isinstance(node, dict):
        inner = node.get("nodes") or []
        if node.get("type") in ("image", "images", "embed", "file", "drawing"):
            yield node["type"], json.dumps(node.get("data", {}).get("ref"), sort_keys=True)
        if any(isinstance(one, dict) and one.get("object") in ("text", "inline") for one in inner):
            yield str(node.get("type")), "".join(texts(inner))
        yield from blocks(inner)
        yield from blocks(list(node.get("fragments") or []))


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, list):
        for one in value:
            yield from texts(one)
    elif isinstance(value, dict):
        if value.get("object") == "leaf":
            yield value["text"]
        for name in ("nodes", "leaves"):
            yield from texts(value.get(name) or [])


def pictures(value: Any) -> set[str]:
    """Ids of the files that a document names."""
    if isinstance(value, list):
        return {one for part in value for one in pictures(part)}
    if isinstance(value, dict):
        own = {value["file"]} if value.get("kind") == "file" and "file" in value else set()
        return own | pictures(list(value.values()))
    return set()


@pytest.fixture
async def studio(sqlite_template: Path, tmp_path: Path) -> AsyncIterator[Studio]:
    """The demo and other documentation on one site.

    What comes through does not depend on the kind of database, so one is enough.
    """
    path = tmp_path / "docstead.sqlite3"
    shutil.copy(sqlite_template, path)
    database = Database(f"sqlite:///{path}", durable=False)
    folder = tmp_path / "data"
    made = await fresh_demo(database, folder)
    organization = made["organization"]["id"]
    url = f"sqlite:///{path}"
    given = os.environ.get("DOCSTEAD_TEST_SOURCE", "")
    wanted = [source for source in given.split(os.pathsep) if source]
    for source in wanted:
        done = await docstead_async(
            "import-docs", source, "--organization", organization, "--title", "Imported",
            "--data-dir", str(folder), "--database-url", url,
        )  # fmt: skip
        assert done.status == 0, done
    async with serving(FILES) as files:
        allowed = f"127.0.0.1:{files.port}"
        async with listening(database, folder, fetch_allow=allowed) as api:
            embed = f"{files.url.rstrip('/')}/page.html"
            studio = Studio(api, made["token"], organization, embed)
            spaces = (await studio.ask("GET", f"/orgs/{organization}/spaces?limit=100"))["items"]
            await studio.publish([one["id"] for one in spaces])
            yield studio
    await database.close()


async def render(
    addresses: list[str], paths: dict[str, list[str]], studio: Studio, package: str
) -> Json:
    base = str(studio.api.client.base_url).rstrip("/")
    stdin = json.dumps({"base": base, "addresses": addresses, "paths": paths})
    found: Json = json.loads(await run_node("preview_renderer.js", f"@gitbook/{package}",
                                            stdin=stdin))  # fmt: skip
    return found


async def compare(studio: Studio, shown: Json, at: str) -> tuple[int, int]:
    """Every block of a member's read came through; how many blocks, and pictures."""
    member = await studio.ask("GET", at)
    assert [[page["id"], page.get("path")] for page in tree(member)] == shown["tree"]
    counted = 0
    named: set[str] = set()
    for page in tree(member):
        if page["type"] != "document":
            continue
        end = f"page/{page['id']}?format=document&evaluated=deterministic-only"
        read = (await studio.ask("GET", f"{at}/{end}"))["document"]
        mine, theirs = list(blocks(read)), list(blocks(shown["pages"][page["id"]]))
        assert theirs == mine, page["path"]
        counted += len(mine)
        named |= pictures(read)
        assert shown["markdown"][page["id"]] == "string"
    stored = {one["id"]: one["size"] for one in member["files"]}
    for id in named & stored.keys():
        assert shown["files"][id] == {"status": 200, "length": stored[id]}, id
    assert named & stored.keys() <= shown["files"].keys()
    for id, body in shown["reusable"].items():
        if id in {one["id"] for one in member["reusableContents"]}:
            assert body is not None
            counted += len(list(blocks(body)))
    return counted, len(named & stored.keys())


async def test_drafts_come_through(studio: Studio) -> None:
    drafts = [await studio.propose(space) for space in studio.roots]
    for package in (FOLLOWED, NEWEST):
        await come_through(studio, drafts, package)


async def come_through(studio: Studio, drafts: list[Draft], package: str) -> None:
    """All that a renderer with this release reads of the drafts is there and valid."""
    contract = await published_contract(package)
    await studio.allow("anybody")
    old, new = {}, {}
    for draft in drafts:
        root = studio.roots[draft.space]
        new[f"{root}/~/changes/{draft.number}"] = draft
        old[f"{root}/~/revisions/{draft.revision}"] = draft
    await studio.allow("members")
    signed = {await studio.signed(revision=one.head): one for one in drafts[:1]}
    addresses = [*new, *old]
    paths = {
        address: [draft.old_path, draft.deleted_path, "nowhere/at-all"]
        for address, draft in (new | old).items()
    }
    root = studio.roots[drafts[0].space]
    unsigned = [addresses[0], f"{root}/~/revisions/{drafts[0].head}"]
    closed = await render(unsigned, paths, studio, package)
    for address in unsigned:
        # The address is that of the site; the draft is not there.
        assert closed["shown"][address]["context"] is None
    invited = await render(list(signed), {}, studio, package)
    await studio.allow("anybody")
    found = await render(addresses, paths, studio, package)
    counted = pages = images = 0
    for address, draft in new.items():
        shown = found["shown"][address]
        assert (shown["space"], shown["request"]) == (draft.space, draft.number)
        here = f"/spaces/{draft.space}/change-requests/{draft.number}/content"
        some, files = await compare(studio, shown, here)
        counted, images, pages = counted + some, images + files, pages + len(shown["pages"])
        assert ("paragraph", "Words that only the draft has.") in blocks(
            shown["pages"][draft.added]
        )
        shared = shown["reusable"][draft.content]
        assert [*blocks(shared)] == [("paragraph", "Words that are shared in the draft.")]
        assert shown["files"][draft.file] == {"status": 200, "length": len(documents.png())}
        assert ("paragraph", "A sentence of the draft.") in blocks(shown["pages"][draft.edited])
        assert draft.deleted not in shown["pages"]
        assert [draft.moved, draft.new_path] in shown["tree"]
        # Where a page was before the draft it is found; what the draft deletes is not.
        assert shown["paths"][draft.old_path] == {"page": draft.moved}
        assert shown["paths"][draft.deleted_path] is None
        assert shown["paths"]["nowhere/at-all"] is None
    for address, draft in old.items():
        shown = found["shown"][address]
        assert (shown["request"], shown["revision"]) == (None, draft.revision)
        some, files = await compare(
            studio, shown, f"/spaces/{draft.space}/revisions/{draft.revision}"
        )
        counted, images, pages = counted + some, images + files, pages + len(shown["pages"])
        assert draft.added not in shown["pages"]
        assert draft.deleted in shown["pages"]
        assert [draft.moved, draft.old_path] in shown["tree"]
    for address, draft in signed.items():
        shown = invited["shown"][address]
        here = f"/spaces/{draft.space}/change-requests/{draft.number}/content"
        await compare(studio, shown, here)
    exchanges = [*found["exchanges"], *closed["exchanges"], *invited["exchanges"]]
    absent = {member for one in DEVIATIONS for member in one.members if package == NEWEST}
    accepted = [f"'{member.rpartition('.')[2]}' is a required property" for member in absent]
    problems = {
        problem
        for one in exchanges
        for problem in contract.problems(one["operation"], one["status"], one["body"])
        if not KEPT.search(problem) and not any(text in problem for text in accepted)
    }
    assert problems == set()
    statuses: dict[str, set[int]] = {}
    for one in exchanges:
        statuses.setdefault(one["operation"], set()).add(one["status"])
    assert {name: found for name, found in statuses.items() if found - {200}} == {
        "getChangeRequestById": {200, 404},
        "getRevisionById": {200, 404},
        "getPageInRevisionByPath": {200, 404},
        "getSiteRedirectBySource": {404},
    }
    assert statuses["getEmbedByUrlInSpace"] == {200}
    # Migrations end the loggers that were there before.
    logging.getLogger(f"{__name__}.{package}").info(
        "%s: %d addresses, %d pages, %d blocks of text, %d files, %d answers", package,
        len(addresses), pages, counted, images, len(exchanges),
    )  # fmt: skip
