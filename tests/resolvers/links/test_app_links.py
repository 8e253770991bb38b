"""Addresses of this application in texts: references to what the writer may read there."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from strawberry import ID, Some

from content.git.layout import read_space
from content.sources.opening import open_source
from db.enums import EditMode
from db.models.organizations import User
from db.models.spaces import Space
from db.session import Database, Session
from jobs.import_docs import import_space, prepare
from resolvers.addresses.app import AppAddresses
from resolvers.addresses.hosts import Base
from resolvers.content.documents import get_page_document, get_reusable_content_document
from resolvers.core.installation import Settings
from resolvers.core.runners import read, run
from resolvers.links import other_spaces
from resolvers.spaces.operations import CreateSpaceInput
from tests import factories
from tests.conftest import Api, Queries, World, context
from tests.content.conftest import commit_files
from tests.content.sources.test_sources import FILE, bundle_of
from tests.docstead.http.test_pdfs import fetch, links as pdf_links
from tests.fetching.servers import serving
from tests.importing.test_import_content import doors
from tests.published.test_sites import links as html_links
from tests.resolvers.links.test_links import links, places
from tests.resolvers.search.test_search import Writer

Json = dict[str, Any]
BASE = "http://docs.test"
APPLY = """mutation($input: ApplyContentChangesInput!) { applyContentChanges(input: $input) {
  changed created { id: contentId ref } } }"""


@dataclass
class Spaces:
    """The space that is written in, one that may be read, one that may not."""

    home: Space
    other: Space
    closed: Space

    def urls(self) -> dict[str, Json | None]:
        """Addresses, each with the reference to what it leads to; None for what stays as it is."""
        home, other, closed = self.home.id, self.other.id, self.closed.id

        def page(id: str, **more: str) -> Json:
            return {"kind": "anchor" if more else "page", "page": id, "space": other, **more}

        own = {"kind": "page", "page": "b"}
        return {
            f"{BASE}/s/{other}/guide/setup": page("setup"),
            f"{BASE}/s/{other}/guide/setup#gr%C3%B6%C3%9Fe": page("setup", anchor="größe"),
            f"https://DOCS.test:8443/o/any/s/{other}/GUIDE//Setup/?a=b": page("setup"),
            f"/s/{other}/guide": page("guide"),
            f"{BASE}/s/{other}/now/below": page("below"),
            f"{BASE}/s/{other}/was": page("now"),
            f"{BASE}/s/{other}/was/below#x": page("below", anchor="x"),
            f"{BASE}/s/{other}/help/old": page("guide", anchor="part"),
            f"{BASE}/s/{other}/help/old#other": page("guide", anchor="other"),
            f"{BASE}/s/{other}": {"kind": "space", "space": other},
            f"{BASE}/s/{other}/?a=b": {"kind": "space", "space": other},
            f"{BASE}/s/{other}#part": None,
            f"{BASE}/s/{other}/nothing": None,
            f"{BASE}/s/{other}/guide/../guide": None,
            f"{BASE}/s/{other}/~/changes/1/guide": None,
            f"{BASE}/s/{other}/~/revisions/{self.other.revision_id}/guide": None,
            f"{BASE}/s/{other}/%00": None,
            f"{BASE}/o/any/s": None,
            f"{BASE}/v1/spaces/{other}/content/page/guide": None,
            f"http://else.test/s/{other}/guide": None,
            f"{BASE}.else.test/s/{other}/guide": None,
            f"{BASE}/s/{closed}/secret": None,
            f"{BASE}/s/{closed}": None,
            f"{BASE}/s/nothing": None,
            f"{BASE}/s/nothing/guide": None,
            f"{BASE}/s/{home}/b": own,
            f"/s/{home}/B/#x": {"kind": "anchor", "page": "b", "anchor": "x"},
            f"{BASE}/s/{home}/former": own,
            f"{BASE}/s/{home}": {"kind": "space", "space": home},
            f"{BASE}/s/{home}/none": None,
        }


@pytest.fixture
async def spaces(session: Session, world: World, api: Api) -> Spaces:
    made = [
        await factories.make_space(
            session, world.organization, title=title, edit_mode=EditMode.LIVE, **more
        )
        for title, more in (("Home", {}), ("Other", {}), ("Closed", {"default_level": None}))
    ]
    await session.commit()
    home, other, closed = (Writer(session, one) for one in made)
    await home.write(
        *(home.page(id, f"Text of {id}.\n") for id in "abc"), contents={"note": "A note.\n"}
    )
    await other.write(
        other.page("guide", "## Part\n"), other.page("setup", "", parent_id="guide"),
        other.page("now", "", slug="was"), other.page("below", "", parent_id="now"),
    )  # fmt: skip
    await closed.write(closed.page("secret", "Secret.\n"))
    for space, operations in (
        (other, [{"renamePage": {"page": "now", "slug": "now"}},
                 {"setRedirect": {"path": "help/old", "page": "guide", "anchor": "part"}}]),
        (home, [{"setRedirect": {"path": "former", "page": "b"}}]),
    ):  # fmt: skip
        await apply(api, world.admin, space.space, operations)
    for one in made:
        await session.refresh(one)
    await session.commit()
    return Spaces(*made)


async def apply(api: Api, person: User, space: Space, operations: Sequence[Json]) -> Any:
    given = {"target": {"space": space.id}, "operations": operations}
    return (await api.data(APPLY, person, input=given))["applyContentChanges"]


def text_of(urls: Any) -> str:
    return "".join(f"[l]({url})\n\n" for url in urls)


def refs(document: Json) -> list[Json]:
    """What the links of a document lead to, in order."""
    return [
        node["data"]["ref"]
        for block in document["nodes"]
        for node in block.get("nodes", ())
        if node.get("type") == "link"
    ]


def expected(urls: dict[str, Json | None]) -> list[Json]:
    return [{"kind": "url", "url": url} if one is None else one for url, one in urls.items()]


async def body(session: Session, space: Space, page: str, request: str | None = None) -> Any:
    """A body as it is stored; the operator reads it."""
    id = None if request is None else ID(request)
    # What the server has written since is read.
    await session.commit()
    return await read(context(session), get_page_document, ID(space.id), ID(page), id)


async def test_addresses_lead_to_what_the_writer_may_read(
    api: Api, world: World, session: Session, spaces: Spaces
) -> None:
    urls = spaces.urls()
    text = text_of(urls)
    insert = {"insert": {"content": {"markdown": text}, "place": {"index": 0}}}
    await apply(api, world.editor, spaces.home, [
        {"updatePage": {"page": "a", "body": {"markdown": text}}},
        {"updatePage": {"page": "b", "body": {"edits": [insert]}}},
        {"createPage": {"ref": "new", "title": "New", "body": {"markdown": text}}},
        {"updateReusableContent": {"reusableContent": "note", "body": {"markdown": text}}},
    ])  # fmt: skip
    for page in "ab":
        found = await body(session, spaces.home, page)
        assert dict(zip(urls, refs(found.document), strict=True)) == dict(
            zip(urls, expected(urls), strict=True)
        )
        # The text has them as they were written, if with another address of the same page.
        assert "docstead:" not in found.markdown
        assert page == "b" or found.markdown == text
    note = await read(
        context(session), get_reusable_content_document, ID(spaces.home.id), ID("note")
    )
    assert refs(note.document) == expected(urls)
    # Through the other door, into a change request.
    await session.begin_write()
    request = await factories.make_change_request(session, spaces.home, world.editor)
    await session.commit()
    answer = await api.rest(
        "POST", f"/spaces/{spaces.home.id}/change-requests/{request.id}/content", world.editor,
        json={"changes": [
            {"type": "insert_page", "title": "Twin", "document": {"markdown": text}},
            {"type": "update_page", "page": "c", "document": {"markdown": text}},
        ]},
    )  # fmt: skip
    assert answer.status_code == 200, answer.text
    assert refs((await body(session, spaces.home, "c", request.id)).document) == expected(urls)
    # Who may read the closed space leads there; others who write the text again keep that.
    secret = f"{BASE}/s/{spaces.closed.id}/secret"
    led = {"kind": "page", "page": "secret", "space": spaces.closed.id}
    for person, more in ((world.admin, ""), (world.editor, "More.\n")):
        await apply(api, person, spaces.home, [
            {"updatePage": {"page": "c", "body": {"markdown": f"[l]({secret})\n\n{more}"}}},
        ])  # fmt: skip
        assert refs((await body(session, spaces.home, "c")).document) == [led]


async def test_texts_stay_as_they_are_written(
    api: Api, world: World, session: Session, spaces: Spaces
) -> None:
    setup, guide = f"{BASE}/s/{spaces.other.id}/guide/setup", f"/s/{spaces.other.id}/guide"
    text = f"One  [l]({setup})\n\nTwo   [l]({guide}#part 1)\n".replace(" 1", "")

    async def edit(edit: Json) -> Any:
        edits = {"page": "a", "body": {"edits": [edit]}}
        await apply(api, world.editor, spaces.home, [{"updatePage": edits}])
        return await body(session, spaces.home, "a")

    await apply(api, world.editor, spaces.home, [
        {"updatePage": {"page": "a", "body": {"markdown": text}}},
    ])  # fmt: skip
    found = await body(session, spaces.home, "a")
    before = refs(found.document)
    # A block that is put in, moved and deleted leaves the others; its own link is as written.
    put = f"Three [l]({BASE}/s/{spaces.other.id}/now?x=1) [m](b) end.\n"
    found = await edit({"insert": {"content": {"markdown": put}, "place": {"index": 1}}})
    first, last = text.split("\n\n")
    assert found.markdown == f"{first}\n\n{put}\n{last}"
    assert refs(found.document)[1:3] == [
        {"kind": "page", "page": "now", "space": spaces.other.id}, {"kind": "page", "page": "b"},
    ]  # fmt: skip
    keys = [block["key"] for block in found.document["nodes"]]
    found = await edit({"move": {"keys": [keys[1]], "place": {"index": 0}}})
    assert found.markdown == f"{put}\n{first}\n\n{last}"
    found = await edit({"delete": {"keys": [keys[1]]}})
    assert (found.markdown, refs(found.document)) == (text, before)
    # Without the text the reference stands for itself, and is read back from that.
    document = {"object": "document", "data": {}, "nodes": found.document["nodes"]}
    await apply(api, world.editor, spaces.home, [
        {"updatePage": {"page": "b", "body": {"document": document}}},
    ])  # fmt: skip
    other = await body(session, spaces.home, "b")
    assert f"docstead:page?page=setup&space={spaces.other.id}" in other.markdown
    await apply(api, world.editor, spaces.home, [
        {"updatePage": {"page": "c", "body": {"markdown": other.markdown + "\nMore.\n"}}},
    ])  # fmt: skip
    assert refs((await body(session, spaces.home, "c")).document) == before


async def test_pages_of_other_spaces_move_and_go(
    api: Api, world: World, session: Session, spaces: Spaces
) -> None:
    url = f"{BASE}/s/{spaces.other.id}/guide/setup"

    async def write(more: str) -> list[Json]:
        text = {"markdown": f"[l]({url})\n\n{more}\n"}
        await apply(api, world.editor, spaces.home, [{"updatePage": {"page": "a", "body": text}}])
        return refs((await body(session, spaces.home, "a")).document)

    led = [{"kind": "page", "page": "setup", "space": spaces.other.id}]
    assert await write("One.") == led
    # The reference follows the page, also when the text is written again.
    await apply(api, world.admin, spaces.other, [
        {"movePage": {"page": "setup", "parent": "now"}},
        {"createPage": {"title": "Setup", "parent": "guide"}},
    ])  # fmt: skip
    assert await write("Two.") == led
    # One that is gone is what the text meant, unless another one is there now.
    await apply(api, world.admin, spaces.other, [{"deletePage": {"page": "setup"}}])
    (found,) = await write("Three.")
    assert found["page"] not in ("setup", "guide")
    assert found == led[0] | {"page": found["page"]}
    await apply(api, world.admin, spaces.other, [{"deletePage": {"page": found["page"]}}])
    assert await write("Four.") == [found]


async def test_the_index_counts_them(
    api: Api, world: World, session: Session, spaces: Spaces
) -> None:
    setup = f"{BASE}/s/{spaces.other.id}/guide/setup"
    closed = f"{BASE}/s/{spaces.closed.id}/secret"
    await apply(api, world.editor, spaces.home, [
        {"updatePage": {"page": "a", "body": {"markdown": text_of([setup, closed])}}},
    ])  # fmt: skip
    found, _ = await links(api, f"/spaces/{spaces.home.id}/links", world.editor)
    assert found == [f"in-app url {closed}", "ok page setup"]
    backlinks = f"/spaces/{spaces.other.id}/content/page/setup/backlinks"
    assert await places(api, backlinks, world.editor) == ["Home/a"]
    await apply(api, world.admin, spaces.other, [{"deletePage": {"page": "setup"}}])
    found, _ = await links(api, f"/spaces/{spaces.home.id}/links", world.editor)
    assert found == ["broken nothing", f"in-app url {closed}"]


@pytest.mark.parametrize("url", ["/s/x/y", " /s/x/y", "\u00a0/s/x/y ", f" {BASE}/s/x/y"])
def test_absolute_addresses(url: str) -> None:
    """Blanks around an address do not make it one of another place."""
    assert AppAddresses(Base("docs.test", ()), BASE).absolute(url) == f"{BASE}/s/x/y"


async def test_anchors_that_cannot_be_stored(
    api: Api, world: World, session: Session, spaces: Spaces
) -> None:
    """NUL in an anchor is read as bytes that are no text are, and the document can be put back."""
    urls = [
        "#%00", "b#x%00", "/b#%00", f"/s/{spaces.home.id}/b#%00", "ref:b#%00",
        f"{BASE}/s/{spaces.other.id}/guide#%00", "docstead:anchor?anchor=%00&page=b&%00=%00",
    ]  # fmt: skip
    body_ = {"markdown": text_of(urls)}
    await apply(api, world.editor, spaces.home, [
        {"createPage": {"ref": "b", "title": "New"}},
        {"updatePage": {"page": "a", "body": body_}},
    ])  # fmt: skip
    found = await body(session, spaces.home, "a")
    first, *led = refs(found.document)
    # A link on the same page stays as it is written.
    assert first == {"kind": "url", "url": "#%00"}
    assert [one["anchor"] for one in led] == ["x\ufffd", *["\ufffd"] * 5]
    listed, _ = await links(api, f"/spaces/{spaces.home.id}/links", world.editor)
    assert all(one.startswith("broken") for one in listed)
    document = {"object": "document", "data": {}, "nodes": found.document["nodes"]}
    await apply(api, world.editor, spaces.home, [
        {"updatePage": {"page": "c", "body": {"document": document}}},
    ])  # fmt: skip
    assert refs((await body(session, spaces.home, "c")).document) == refs(found.document)


async def test_all_addresses_of_a_text_are_looked_up_together(
    api: Api, world: World, session: Session, spaces: Spaces, queries: Queries
) -> None:
    async def write(urls: Sequence[str]) -> list[Json]:
        await apply(api, world.editor, spaces.home, [
            {"updatePage": {"page": "a", "body": {"markdown": text_of(urls)}}},
        ])  # fmt: skip
        return refs((await body(session, spaces.home, "a")).document)

    await session.begin_write()
    more = []
    for number in range(8):
        space = await factories.make_space(session, world.organization, title=f"More {number}")
        await session.commit()
        writer = Writer(session, space)
        await writer.write(writer.page("top", ""), writer.page("deep", "", parent_id="top"))
        more.append(space.id)
    await write([f"{BASE}/s/{spaces.other.id}/guide/setup"])
    queries.statements.clear()
    await write([f"{BASE}/s/{spaces.other.id}/gone", f"{BASE}/s/{spaces.other.id}/was"])
    few = len(queries.statements)
    urls = [
        f"{BASE}/s/{space}/{path}"
        for space in (spaces.other.id, spaces.closed.id, *more)
        for path in ("top", "top/deep#a", "gone", "gone/a/b/c", "top/gone", "was", "was/below")
    ]
    queries.statements.clear()
    found = await write(urls)
    # The text is short enough to be worked on at once. Some more for the nodes of spaces that
    # nobody has read yet, and for what is old.
    assert len(queries.statements) <= few + 6, "\n\n".join(queries.statements)
    assert sum(one["kind"] != "url" for one in found) == 8 * 2 + 2


async def test_imports_of_both_kinds(
    database: Database, session: Session, world: World, spaces: Spaces, tmp_path: Path
) -> None:
    urls = spaces.urls()
    absolute = {url: one for url, one in urls.items() if url.startswith("http")}
    files = {"/page.md": ("text/plain", f"# One\n\n{text_of(absolute)}".encode())}
    async with serving(files) as server, doors(database, tmp_path, server) as api:
        given = {"url": f"{server.url}page.md", "source": "markdown"}
        answer = await api.rest(
            "POST", f"/spaces/{spaces.home.id}/content/import", world.editor, given
        )
        assert answer.status_code == 201, answer.text
        listed = await api.rest("GET", f"/spaces/{spaces.home.id}/content/pages", world.editor)
        (made,) = [page["id"] for page in listed.json()["pages"] if page["title"] == "One"]
        found = await body(session, spaces.home, made)
        assert refs(found.document) == expected(absolute)
        assert found.markdown.strip("\n") == text_of(absolute).strip("\n")
    text = {
        "README.md": f"# Home\n\n{text_of(urls)}", "SUMMARY.md": "* [Home](README.md)\n",
        ".gitbook/includes/note.md": text_of(urls),
    }  # fmt: skip
    bundle = await asyncio.to_thread(_bundle, tmp_path, text)
    ctx = context(session, world.creator)
    ctx.settings = Settings(public_url=BASE)
    ctx.files = await api.server.file_access()
    with open_source(str(bundle)) as tree:
        prepared = await asyncio.to_thread(lambda: prepare(read_space(tree), tree.commit))
        wanted = CreateSpaceInput(title=Some("Imported"))
        done = await run(ctx, import_space, world.organization.id, wanted, prepared)
    (page_id,) = prepared.changes.pages
    (content_id,) = prepared.changes.contents
    # The space that is imported is another one than that of the links.
    for url, one in urls.items():
        if one is not None and one.get("page") == "b":
            urls[url] = {**one, "space": spaces.home.id}
    found = await body(session, done.space, page_id)
    assert dict(zip(urls, refs(found.document), strict=True)) == dict(
        zip(urls, expected(urls), strict=True)
    )
    note = await read(
        context(session), get_reusable_content_document, ID(done.space.id), ID(content_id)
    )
    assert refs(note.document) == expected(urls)


def _bundle(folder: Path, files: dict[str, str]) -> Path:
    commit_files(folder / "d.git", {p.encode(): (FILE, t.encode()) for p, t in files.items()})
    return bundle_of(folder / "d.git", folder / "d.bundle")


async def test_readers_follow_them(
    api: Api, world: World, session: Session, spaces: Spaces
) -> None:
    other, closed = spaces.other.id, spaces.closed.id
    urls = [f"{BASE}/s/{other}/guide/setup#a", f"{BASE}/s/{other}", f"/s/{closed}/secret",
            f"{BASE}/s/{closed}"]  # fmt: skip
    await apply(api, world.admin, spaces.home, [
        {"updatePage": {"page": "c", "body": {"markdown": text_of(urls)}}},
    ])  # fmt: skip
    assert all(
        one["kind"] != "url" for one in refs((await body(session, spaces.home, "c")).document)
    )
    await session.begin_write()
    for one in (spaces.home, spaces.other, spaces.closed):
        await session.refresh(one)
    both = await factories.make_site(
        session, world.organization, spaces.home, spaces.other, published=True
    )
    alone = await factories.make_site(session, world.organization, spaces.home, published=True)
    await session.commit()

    async def shown(site: str) -> list[str]:
        answer = await api.client.get(f"/sites/{site}/c")
        assert answer.status_code == 200, answer.text
        found = html_links(answer)
        return [one for one in found if "/s/" in one or "guide/setup" in one]

    at = f"/sites/{both.id}/path-1"
    outside = [f"{BASE}/s/{closed}/secret", f"{BASE}/s/{closed}"]
    assert await shown(both.id) == [f"{at}/guide/setup#a", *outside]
    # Of what is on no site of the reader the text still says where it is.
    assert await shown(alone.id) == [urls[0], urls[1], *outside]
    # The page moves: readers of the site are led on.
    await apply(api, world.admin, spaces.other, [{"movePage": {"page": "setup", "parent": None}}])
    found = await api.client.get(f"/sites/{both.id}/c")
    assert f"{at}/setup#a" in html_links(found)
    # One that is gone leads nowhere on the site.
    await apply(api, world.admin, spaces.other, [{"deletePage": {"page": "setup"}}])
    found = await api.client.get(f"/sites/{both.id}/c")
    assert not [one for one in html_links(found) if "setup" in one]
    # On paper.
    answer = await api.rest("GET", f"/spaces/{spaces.home.id}/pdf?page=c&only=true", world.reader)
    pdf = await fetch(api, answer.json()["url"])
    assert [url for _, url in pdf_links(pdf)] == [urls[0], urls[1], *outside]


async def test_a_text_has_a_bounded_number_of_them(
    api: Api, world: World, session: Session, spaces: Spaces, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(other_spaces, "PLACES", 2)
    monkeypatch.setattr(other_spaces, "AT_ONCE", 1)
    urls = [f"{BASE}/s/{spaces.other.id}/{path}" for path in ("guide", "now", "guide/setup")]
    text = {"markdown": text_of(urls)}
    await apply(api, world.editor, spaces.home, [{"updatePage": {"page": "a", "body": text}}])
    found = refs((await body(session, spaces.home, "a")).document)
    assert [one.get("page") for one in found] == ["guide", "now", None]
