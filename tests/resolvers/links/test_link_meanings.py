"""The same URL leads to the same thing, whichever way its text has come into a space."""

import asyncio
import random
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from strawberry import Some

from content.markdown.parser import parse_document
from content.merkle.read import scan
from db.enums import EditMode
from db.models.change_requests import ChangeRequest
from db.models.spaces import Space
from db.session import Session
from resolvers.core.context import Context
from resolvers.core.runners import run
from resolvers.drafts.draft import Draft
from resolvers.drafts.operation_inputs import (
    ApplyContentChangesInput,
    ContentOperationInput,
    ContentTargetInput,
    CreatePageInput,
    DeletePageInput,
    MovePageInput,
    RenamePageInput,
    UpdatePageInput,
    UpdateReusableContentInput,
)
from resolvers.drafts.page_inputs import (
    BlockEditInput,
    BlockPlaceInput,
    BlocksInput,
    InsertBlocksInput,
    PageBodyInput,
)
from resolvers.links.operations import links_of_spaces
from resolvers.links.rows import LinkArguments
from resolvers.revisions.rows import Page
from resolvers.revisions.states import bodies
from resolvers.revisions.store import walk_one
from resolvers.revisions.tree import all_pages
from resolvers.revisions.write_targets import open_target
from resolvers.writing.commits import commit_revision
from resolvers.writing.operations import apply_content_changes
from tests import factories
from tests.conftest import Api, Queries, World, context
from tests.content.conftest import commit_files
from tests.content.sources.test_sources import FILE, bundle_of
from tests.sources import imported

CONFIG = "root: ./docs\nredirects:\n  help/old: guide/more.md\n  help/part: guide/more.md#part\n"
SUMMARY = """# Summary

* [Home](README.md)
* [Guide](guide/README.md)
  * [Setup](guide/setup.md)
    * [Linux](guide/setup/linux.md)
  * [More](guide/more.md)
* [Größe](größe.md)
* [About](about%20us.md)

## Chapter

* [Listed](elsewhere/listed.md)
"""
PLACE, NOTE = "docs/guide/setup.md", "docs/.gitbook/includes/note.md"
FILES = {
    ".gitbook.yaml": CONFIG,
    "docs/SUMMARY.md": SUMMARY,
    "docs/README.md": "# Home\n\n[t](table.csv)\n",
    "docs/guide/README.md": "# Guide\n",
    "docs/guide/setup.md": "# Setup\n",
    "docs/guide/setup/linux.md": "# Linux\n",
    "docs/guide/more.md": "# More\n\n## Part\n",
    "docs/größe.md": "# Größe\n",
    "docs/about us.md": "# About\n",
    "docs/elsewhere/listed.md": "# Listed\n",
    "docs/table.csv": "a,b\n",
    "docs/.gitbook/assets/x.png": "no picture",
    "docs/.gitbook/assets/with space.png": "no picture",
    "docs/.gitbook/includes/note.md": "A note.\n",
}
# What is written in guide/setup.md, and what it leads to: a page by its path, a file or a reusable
# content by its name; None = it stays as it is.
LINKS: dict[str, str | None] = {
    "more": "guide/more",
    "./more": "guide/more",
    "more.md": "guide/more",
    "./more.md#part": "guide/more#part",
    "more.md#gr%C3%B6%C3%9Fe": "guide/more#größe",
    "../guide/more.md?version=1#part": "guide/more#part",
    "more?version=1": "guide/more",
    "linux": "guide/setup/linux",
    "linux.md": "guide/setup/linux",
    "setup/linux/": "guide/setup/linux",
    "..": "readme",
    "../": "readme",
    "../README.md": "readme",
    "../readme": "readme",
    "/": "readme",
    "../guide": "guide",
    "../guide/": "guide",
    ".": "guide",
    "README.md": "guide",
    "../guide/README": "guide",
    "/guide/more": "guide/more",
    "/guide/more.md": "guide/more",
    "/GUIDE/More": "guide/more",
    "../größe.md": "größe",
    "../gr%C3%B6%C3%9Fe": "größe",
    "../gro\u0308ße.md": "größe",
    "../about%20us.md": "about-us",
    "<../about us.md>": "about-us",
    "../about-us": "about-us",
    "../elsewhere/listed.md": "chapter/listed",
    "../chapter/listed": "chapter/listed",
    "/chapter": "chapter",
    "../table.csv": "file:table.csv",
    "../.gitbook/assets/x.png": "file:x.png",
    "../.gitbook/assets/with%20space.png": "file:with space.png",
    "<../.gitbook/assets/with space.png>": "file:with space.png",
    "/.gitbook/assets/x.png#part": "file:x.png",
    "../.gitbook/includes/note.md": "content:Note",
    "/help/old": "guide/more",
    "../HELP/part/": "guide/more#part",
    "../help/part#other": "guide/more#other",
    "docstead:page?page=gone": "id:gone",
    "../gone.md": None,
    "../.gitbook/assets/gone.png": None,
    "../../docs/guide/more.md": None,
    "/docs/guide/more.md": None,
    "?version=1": None,
    "#part": None,
    "mailto:somebody@a.example": None,
    "https://a.example/guide/more": None,
    "//a.example/guide/more": None,
    "ref:none": None,
}
# Seen from a reusable content, which stands on no page.
IN_NOTE = {
    "../../guide/more.md": "guide/more",
    "../../guide/": "guide",
    "../assets/x.png": "file:x.png",
    "/guide/more#part": "guide/more#part",
    "guide/more": "guide/more",
    "/help/old": "guide/more",
    "more": None,
    "../../../guide/more.md": None,
}


def text_of(links: Mapping[str, Any]) -> str:
    return "".join(f"[l]({url})\n\n" for url in links)


class Known:
    """One space, and what its things are called."""

    def __init__(self, session: Session, ctx: Context, space: Space) -> None:
        self.session, self.ctx, self.space = session, ctx, space
        self.pages: dict[str, Page] = {}
        self.names: dict[str, str] = {}
        self.contents: dict[str, Any] = {}

    async def load(self, request: ChangeRequest | None = None) -> "Known":
        await self.session.refresh(self.space)
        if request is not None:
            await self.session.refresh(request)

        async def read(ctx: Context) -> None:
            target = await open_target(ctx, self.space.id, None if request is None else request.id)
            revision = target.revision
            (tree,) = await all_pages(ctx, [revision])
            self.pages = {page.path: page for page in tree if page.slug is not None}
            self.names = {page.id: path for path, page in self.pages.items()}
            for root, what, name in (
                ("files_root", "file", "name"),
                ("contents_root", "content", "title"),
            ):
                entries = await walk_one(ctx, self.space.id, scan(getattr(revision, root)))
                self.names |= {id: f"{what}:{entry[name]}" for id, entry in entries}
                if what == "content":
                    self.contents = {entry["title"]: (id, entry) for id, entry in entries}

        await run(self.ctx, read)
        return self

    def called(self, reference: Mapping[str, Any]) -> str | None:
        if reference["kind"] == "url":
            return None
        id = reference.get("page") or reference.get("file") or reference.get("reusableContent")
        name = self.names.get(str(id), f"id:{id}")
        return f"{name}#{reference['anchor']}" if "anchor" in reference else name

    async def led(self, document_id: str | None) -> list[str | None]:
        """What the links of a body lead to."""
        (body,) = await bodies(self.ctx, [(self.space.id, document_id)])
        assert body is not None
        links = [
            node["data"]["ref"]
            for block in body.document["nodes"]
            for node in block.get("nodes", ())
            if node.get("type") == "link"
        ]
        return [self.called(one) for one in links]

    async def index(self) -> set[tuple[str, str | None, str]]:
        """Links of the index: kind, what they lead to or their URL, status."""
        found: set[tuple[str, str | None, str]] = set()

        async def read(ctx: Context) -> None:
            (part,) = await links_of_spaces(ctx, [self.space], LinkArguments(first=100))
            for one in part.rows:
                called = self.called(one.reference) or one.reference.get("url")
                found.add((one.reference["kind"], called, one.status.value))

        await run(self.ctx, read)
        return found


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


async def known(
    session: Session, world: World, api: Api, folder: Path, files: Mapping[str, str]
) -> Known:
    folder = await asyncio.to_thread(_made, folder)
    commit_files(folder / "d.git", {p.encode(): (FILE, t.encode()) for p, t in files.items()})
    bundle = bundle_of(folder / "d.git", folder / "d.bundle")
    await session.commit()
    space = await imported(session, world, api, str(bundle))
    space.edit_mode = EditMode.LIVE
    await session.commit()
    return await Known(session, context(session, world.editor), space).load()


async def apply(at: Known, *operations: ContentOperationInput, request: str | None = None) -> None:
    batch = ApplyContentChangesInput(
        target=ContentTargetInput(space=at.space.id, change_request=request),  # type: ignore[arg-type]
        operations=list(operations),
    )
    await run(at.ctx, apply_content_changes, batch)


def update(page: Page, **fields: Any) -> ContentOperationInput:
    return ContentOperationInput(update_page=UpdatePageInput(page=page.id, **fields))  # type: ignore[arg-type]


def text(markdown: str) -> PageBodyInput:
    return PageBodyInput(markdown=markdown)


def inserted(markdown: str) -> PageBodyInput:
    insert = InsertBlocksInput(
        content=BlocksInput(markdown=markdown), place=BlockPlaceInput(index=0)
    )
    return PageBodyInput(edits=[BlockEditInput(insert=insert)])


async def test_all_ways_lead_to_the_same(
    session: Session, world: World, api: Api, tmp_path: Path
) -> None:
    page_text, note_text = text_of(LINKS), text_of(IN_NOTE)
    filled = {**FILES, PLACE: FILES[PLACE] + "\n" + page_text, NOTE: note_text}
    expected, in_note = list(LINKS.values()), list(IN_NOTE.values())
    # By an import.
    first = await known(session, world, api, tmp_path / "a", filled)
    assert (
        dict(zip(LINKS, await first.led(first.pages["guide/setup"].document_id), strict=True))
        == LINKS
    )
    assert await first.led(first.contents["Note"][1]["document_id"]) == in_note
    # By edits of what was imported without these links: whole bodies, and blocks put in.
    for body in (text, inserted):
        other = await known(session, world, api, tmp_path / body.__name__, FILES)
        note_id, _ = other.contents["Note"]
        await apply(
            other,
            update(other.pages["guide/setup"], body=body(page_text)),
            ContentOperationInput(
                update_reusable_content=UpdateReusableContentInput(
                    reusable_content=note_id, body=body(note_text)
                )
            ),
        )
        await other.load()
        assert await other.led(other.pages["guide/setup"].document_id) == expected
        left = await other.led(other.contents["Note"][1]["document_id"])
        assert left[: len(in_note)] == in_note
        # The index of both has the same.
        assert {one for one in await other.index() if one[0] != "user"} == await first.index()
    # By a batch of /v1 into a change request.
    await session.begin_write()
    request = await factories.make_change_request(session, other.space, world.editor)
    await session.commit()
    listed = other.pages["chapter/listed"].id
    # As seen from the same folder: the page was moved there.
    answer = await api.rest(
        "POST", f"/spaces/{other.space.id}/change-requests/{request.id}/content", world.editor,
        json={"changes": [
            {"type": "insert_page", "title": "setup", "slug": "twin", "ref": "new",
             "into": other.pages["guide"].id, "document": {"markdown": page_text}},
            {"type": "update_page", "page": listed,
             "document": {"markdown": "[a](../guide/more.md)"}},
        ]},
    )  # fmt: skip
    assert answer.status_code == 200, answer.text
    await other.load(request)
    assert await other.led(other.pages["chapter/listed"].document_id) == ["guide/more"]
    twin = await other.led(other.pages["guide/twin"].document_id)
    # It came from no file: what is no address leads nowhere, and nothing leads elsewhere.
    for (url, target), found in zip(LINKS.items(), twin, strict=True):
        assert found in (target, None), url
        by_address = target is not None and ":" not in target and "linux" not in url
        if by_address and "about us" not in url and "about%20us" not in url:
            assert found is not None or "elsewhere" in url, url


PIECES = ["guide", "more", "setup", "linux", "README", "readme", "chapter", "listed", "größe",
          "gr%C3%B6%C3%9Fe", "..", ".", "help", "old", "elsewhere", ".gitbook", "assets", "gone",
          "x.png", "Guide", "MORE", "docs", "table.csv", "about%20us", ""]  # fmt: skip

WHOLE = ["guide", "guide/more", "more", "linux", "guide/setup/linux", "help/old", "größe",
         ".gitbook/assets/x.png", "table.csv", "chapter/listed", "guide/README"]  # fmt: skip


@pytest.mark.divided("seed", range(3))
async def test_any_link_leads_to_the_same(
    session: Session, world: World, api: Api, tmp_path: Path, seed: int
) -> None:
    chance = random.Random(seed)
    urls: dict[str, None] = {}
    while len(urls) < 300:
        path = "/".join(chance.choice(PIECES) for _ in range(chance.randint(1, 4)))
        if chance.random() < 0.5:
            path = chance.choice(["", "./", "../", "/"]) + chance.choice(WHOLE)
        ending = chance.choice(["", "", ".md", ".MD", "/", "?a=b"])
        url = path + ending + chance.choice(["", "", "#part"])
        if url.strip("#?"):
            urls[url] = None
    markdown = text_of(urls)
    places = {"docs/guide/setup.md": "guide/setup", "docs/README.md": "readme",
              "docs/elsewhere/listed.md": "chapter/listed"}  # fmt: skip
    filled = {**FILES, **{place: f"# T\n\n{markdown}" for place in places}}
    first = await known(session, world, api, tmp_path / "a", filled)
    other = await known(session, world, api, tmp_path / "b", FILES)
    await apply(
        *(other, *(update(other.pages[one], body=text(markdown)) for one in places.values()))
    )
    await other.load()
    for path in places.values():
        ours = await first.led(first.pages[path].document_id)
        theirs = await other.led(other.pages[path].document_id)
        assert dict(zip(urls, theirs, strict=True)) == dict(zip(urls, ours, strict=True))
        assert len(set(ours)) > 8


async def test_readers_are_led_to_the_same_pages(
    session: Session, world: World, api: Api, tmp_path: Path
) -> None:
    """Links that nothing was known of when they were written: none of them was looked up."""
    at = await known(session, world, api, tmp_path / "a", FILES)
    markdown = text_of(LINKS)
    page = at.pages["guide/setup"]

    async def write(ctx: Context) -> None:
        target = await open_target(ctx, at.space.id)
        draft = Draft(ctx, target.revision)
        (row,) = (await draft.find_pages([page.id])).values()
        row.document_id = draft.written.add_document(markdown, parse_document(markdown, seed="s"))
        draft.put(row)
        changes = await draft.changes()
        changes.pages[row.id] = row
        await commit_revision(ctx, target, changes)

    await run(at.ctx, write)
    await session.refresh(at.space)
    site = await factories.make_site(session, world.organization, at.space, published=True)
    await session.commit()
    found = await api.client.get(f"/sites/{site.id}/guide/setup")
    document = found.text.partition('<div class="document">')[2]
    blocks = re.findall(r"<p[^>]*>(.*?)</p>", document, re.DOTALL)
    assert len(blocks) >= len(LINKS)
    for (url, target), block in zip(LINKS.items(), blocks, strict=False):
        href = re.search(r'href="(.*?)"', block)
        shown = None if href is None else href[1].removeprefix(f"/sites/{site.id}").lstrip("/")
        if target is None or ":" in target:
            assert not (shown or "").startswith("guide/more"), url
        elif shown is not None and not url.startswith(("/", "../HELP", "../help")):
            expected = "" if target == "readme" else target
            assert shown in (expected, expected.replace("ö", "%C3%B6").replace("ß", "%C3%9F")), url


def created(title: str, ref: str | None = None, **fields: Any) -> ContentOperationInput:
    return ContentOperationInput(create_page=CreatePageInput(title=title, ref=ref, **fields))


async def linked(at: Known, path: str) -> list[str | None]:
    await at.load()
    return await at.led(at.pages[path].document_id)


async def test_pages_that_come_and_go_within_a_batch(
    session: Session, world: World, api: Api, tmp_path: Path
) -> None:
    at = await known(session, world, api, tmp_path / "a", FILES)
    more = at.pages["guide/more"].id
    delete = ContentOperationInput(delete_page=DeletePageInput(page=more))  # type: ignore[arg-type]
    listed = at.pages["chapter/listed"]
    links = text_of(["later", "./later.md#part", "never", "/later", "../guide/more", "/help/old"])
    insert = inserted("[l](later)\n")
    await apply(
        at,
        update(listed, body=text(links)),
        update(at.pages["guide/setup"], body=inserted("[l](/chapter/later)")),
        update(at.pages["guide/setup"], body=insert),
        created("Later", parent=at.pages["chapter"].id),
        delete,
    )
    found = await linked(at, "chapter/listed")
    # What was deleted afterwards was there when the text came; redirects lead to what is there.
    assert found == ["chapter/later", "chapter/later#part", None, None, f"id:{more}", None]
    assert (await linked(at, "guide/setup")) == [None, "chapter/later"]
    statuses = {(kind, status) for kind, _, status in await at.index()}
    assert {("page", "ok"), ("page", "broken"), ("url", "broken")} <= statuses
    # The text says the same as its document: written once more it stays as it is.
    markdown, before = links, at.pages["chapter/listed"].document_id
    await apply(at, update(listed, body=text(markdown)))
    await at.load()
    assert at.pages["chapter/listed"].document_id == before
    # Another page comes to the path of one that is gone: the text means that one now.
    await apply(at, created("more", parent=at.pages["guide"].id, slug=Some("more")))
    await apply(at, update(listed, body=text(links + "And more.\n")))
    assert (await linked(at, "chapter/listed"))[4] == "guide/more"
    assert at.pages["guide/more"].id != more


async def test_old_paths_of_pages_that_moved(
    session: Session, world: World, api: Api, tmp_path: Path, queries: Queries
) -> None:
    at = await known(session, world, api, tmp_path / "a", FILES)
    setup, linux = at.pages["guide/setup"].id, at.pages["guide/setup/linux"].id
    renamed = RenamePageInput(page=setup, slug=Some("install"))  # type: ignore[arg-type]
    moved = MovePageInput(page=setup, parent=Some(None))  # type: ignore[arg-type]
    for operation in (
        ContentOperationInput(rename_page=renamed),
        ContentOperationInput(move_page=moved),
        ContentOperationInput(
            rename_page=RenamePageInput(page=linux, slug=Some("unix"))  # type: ignore[arg-type]
        ),
    ):
        await apply(at, operation)
    await at.load()
    links = ["/guide/setup", "/guide/setup/linux#a", "/guide/install", "/guide/setup/gone",
             "/help/part", "/install/linux"]  # fmt: skip
    body = text(text_of(links))
    expected = ["install", "install/unix#a", "install", None, "guide/more#part", "install/unix"]
    await apply(at, update(at.pages["chapter/listed"], body=body))
    assert await linked(at, "chapter/listed") == expected
    # In a change request it is the same, and a page that comes to such a path comes first.
    await session.begin_write()
    request = await factories.make_change_request(session, at.space, world.editor)
    await session.commit()
    await apply(
        at,
        created("New", ref="new", slug=Some("new"), body=text(text_of(links))),
        created("Setup", parent=at.pages["guide"].id),
        request=request.id,
    )
    await at.load(request)
    assert await at.led(at.pages["new"].document_id) == ["guide/setup", *expected[1:]]
