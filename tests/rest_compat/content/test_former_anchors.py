"""Links to anchors that headings had before they were renamed, through both doors."""

from dataclasses import dataclass
from typing import Any

import pytest
from sqlalchemy import select

from db.enums import EditMode
from db.models.content_index import IndexedSection
from db.models.sites import Site
from db.models.spaces import Space
from db.session import Session
from tests import factories
from tests.conftest import Api, World, settle
from tests.content.html.html_reader import read_html
from tests.published.test_frame import ALLOWED
from tests.published.test_sites import get, make_pages

GUIDE = "Words.\n\n## Install\n\nHow it is done.\n\n## Use\n\nHow it is used.\n"
LINK = "[link](docstead:anchor?anchor={}&page=guide)"
LINKS = f"{LINK.format('install')} {LINK.format('use')}\n"
APPLY = """mutation ($input: ApplyContentChangesInput!) {
  applyContentChanges(input: $input) { changed revision { id } } }"""


@dataclass
class Written:
    """A space whose page `guide` is renamed, with a page of its own that links there."""

    api: Api
    world: World
    space: Space
    other: Space
    site: Site

    async def apply(self, change: dict[str, Any], request: str | None = None) -> Any:
        """One change of the guide through /v1."""
        base = f"/spaces/{self.space.id}/" + (
            "content" if request is None else f"change-requests/{request}/content"
        )
        body = {"changes": [{"type": "update_page", "page": "guide", **change}]}
        answer = await self.api.rest("POST", f"{base}?compat=false", self.world.admin, body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def markdown(self, text: str, request: str | None = None) -> None:
        """The whole body as Markdown."""
        assert (await self.apply({"document": {"markdown": text}}, request))["changed"]

    async def operation(self, operation: dict[str, Any]) -> None:
        """One operation through GraphQL."""
        data = await self.api.data(
            APPLY, self.world.admin,
            input={"target": {"space": self.space.id}, "operations": [operation]},
        )  # fmt: skip
        assert data["applyContentChanges"]["changed"]

    async def document(self) -> dict[str, Any]:
        path = f"/spaces/{self.space.id}/content/page/guide?format=document"
        answer = await self.api.rest("GET", path, self.world.reader)
        document: dict[str, Any] = answer.json()["document"]
        return document

    async def headings(self) -> list[tuple[str, list[str]]]:
        """The anchor and the aliases of each heading at the top."""
        return [
            (node["meta"]["id"], node.get("aliases", []))
            for node in (await self.document())["nodes"]
            if node["type"].startswith("heading-")
        ]

    async def broken(self) -> list[int]:
        """How many links are broken here, and in the other space."""
        found = []
        for space in (self.space, self.other):
            answer = await self.api.rest("GET", f"/spaces/{space.id}/links", self.world.reader)
            found.append(answer.json()["stats"]["broken"]["total"])
        return found

    async def ids(self) -> list[str]:
        """All ids of the published page."""
        response = await get(self.api, self.site, "/guide")
        found = read_html(response.text, ALLOWED)
        assert found.faults == []
        ids = [attributes["id"] for _, attributes in found.elements if "id" in attributes]
        assert len(set(ids)) == len(ids)
        return ids


@pytest.fixture
async def written(api: Api, session: Session, world: World) -> Written:
    space = await make_pages(session, world, "Manual", start={}, guide={"text": GUIDE})
    other = await make_pages(session, world, "Other", start={})
    space.edit_mode = other.edit_mode = EditMode.LIVE
    site = await factories.make_site(session, world.organization, space, published=True)
    await settle(session)
    foreign = LINKS.replace("page=guide", f"page=guide&space={space.id}")
    for written, text in ((space, LINKS), (other, foreign)):
        change = {"type": "update_page", "page": "start", "document": {"markdown": text}}
        path = f"/spaces/{written.id}/content"
        answer = await api.rest("POST", path, world.admin, {"changes": [change]})
        assert answer.status_code == 200, answer.text
    return Written(api, world, space, other, site)


async def test_links_to_a_renamed_heading_stay(written: Written) -> None:
    assert await written.broken() == [0, 0]
    await written.markdown(GUIDE.replace("## Install", "## Set-up"))
    assert await written.headings() == [("set-up", ["install"]), ("use", [])]
    assert await written.broken() == [0, 0]
    ids = await written.ids()
    assert ids.index("install") == ids.index("set-up") + 1
    html = (await get(written.api, written.site, "/guide")).text
    # The outline, and no place for the keyboard.
    assert html.count("#set-up") == 1
    assert "#install" not in html
    # A link that is written afterwards leads there, too.
    await written.apply({"page": "start", "document": {"markdown": f"New {LINKS}"}})
    assert await written.broken() == [0, 0]
    start = (await get(written.api, written.site)).text
    assert "/guide#install" in start
    # Gone is gone.
    await written.markdown("Words.\n\n## Use\n\nHow it is used.\n")
    assert await written.headings() == [("use", [])]
    assert await written.broken() == [1, 1]


async def test_every_way_to_edit_keeps_them(written: Written) -> None:
    document = await written.document()
    document["nodes"][1]["nodes"][0]["leaves"][0]["text"] = "Two"
    await written.apply({"document": {"object": "document", "nodes": document["nodes"]}})
    assert (await written.headings())[0] == ("two", ["install"])
    # A client that leaves out what it does not know loses nothing.
    document = await written.document()
    document["nodes"][1].pop("aliases")
    document["nodes"][1]["nodes"][0]["leaves"][0]["text"] = "Three"
    await written.operation({"updatePage": {"page": "guide", "body": {
        "document": {"object": "document", "nodes": document["nodes"]}}}})  # fmt: skip
    assert (await written.headings())[0] == ("three", ["two", "install"])
    key = (await written.document())["nodes"][1]["key"]
    edits = [{"replace": {"key": key, "content": {"markdown": "### Four"}}}]
    await written.operation({"updatePage": {"page": "guide", "body": {"edits": edits}}})
    assert (await written.headings())[0] == ("four", ["three", "two", "install"])
    assert (await written.document())["nodes"][1]["key"] == key
    move = [{"move": {"keys": [key], "place": {}}}]
    await written.apply({"edits": move})
    assert (await written.headings())[1] == ("four", ["three", "two", "install"])
    # Markdown does not show them, and keeps them.
    path = f"/spaces/{written.space.id}/content/page/guide?format=markdown"
    text = (await written.api.rest("GET", path, written.world.reader)).json()["markdown"]
    assert "three" not in text
    await written.markdown(text.replace("Words", "Other words"))
    assert (await written.headings())[1] == ("four", ["three", "two", "install"])
    await written.markdown(text.replace("### Four", "### Two"))
    assert (await written.headings())[1] == ("two", ["four", "three", "install"])
    assert await written.broken() == [0, 0]


async def test_a_page_that_is_taken_back_keeps_the_newer_anchors(written: Written) -> None:
    base = f"/spaces/{written.space.id}/content"
    first = (await written.api.rest("GET", base, written.world.reader)).json()["id"]
    await written.markdown(GUIDE.replace("## Install", "## Set-up"))
    await written.operation({"revertPage": {"page": "guide", "revision": first}})
    assert await written.headings() == [("install", ["set-up"]), ("use", [])]
    await written.markdown(GUIDE.replace("## Use", "## Apply"))
    key = (await written.document())["nodes"][3]["key"]
    await written.operation({"revertPage": {"page": "guide", "revision": first, "blocks": [key]}})
    assert await written.headings() == [("install", ["set-up"]), ("use", ["apply"])]


async def test_change_requests_bring_theirs(written: Written) -> None:
    api, world, space = written.api, written.world, written.space
    made = await api.rest("POST", f"/spaces/{space.id}/change-requests", world.admin,
                          {"subject": "Names"})  # fmt: skip
    number = str(made.json()["number"])
    request = f"/spaces/{space.id}/change-requests/{number}"
    await written.markdown(GUIDE.replace("## Install", "## Set-up"), number)
    stats = (await api.rest("GET", f"{request}/links", world.admin)).json()["stats"]
    assert stats["broken"]["total"] == 0
    # On the other side another heading gets another name, and a third one.
    await written.markdown(GUIDE.replace("## Use", "## Apply"))
    await written.markdown(GUIDE.replace("## Use", "## Employ"))
    pulled = await api.rest("POST", f"{request}/update", world.admin)
    assert pulled.status_code == 200, pulled.text
    merged = await api.rest("POST", f"{request}/merge", world.admin)
    assert merged.json()["result"] == "merge", merged.text
    assert await written.headings() == [("set-up", ["install"]), ("employ", ["apply", "use"])]
    assert await written.broken() == [0, 0]


async def test_of_a_conflict_both_names_lead_to_what_was_chosen(written: Written) -> None:
    api, world, space = written.api, written.world, written.space
    made = await api.rest("POST", f"/spaces/{space.id}/change-requests", world.admin,
                          {"subject": "Names"})  # fmt: skip
    request = f"/spaces/{space.id}/change-requests/{made.json()['number']}"
    await written.markdown(GUIDE.replace("## Install", "## Ours"), str(made.json()["number"]))
    await written.markdown(GUIDE.replace("## Install", "## Theirs"))
    held = await api.rest("POST", f"{request}/merge", world.admin)
    assert held.json()["result"] == "conflicts"
    (conflict,) = (await api.rest("GET", f"{request}/conflicts", world.reader)).json()["items"]
    done = await api.rest("PUT", f"{request}/conflicts/{conflict['id']}", world.admin,
                          {"resolution": "ours"})  # fmt: skip
    assert done.status_code == 200, done.text
    merged = await api.rest("POST", f"{request}/merge", world.admin)
    assert merged.json()["result"] == "merge", merged.text
    (anchor, known), _ = await written.headings()
    assert (anchor, sorted(known)) == ("ours", ["install", "theirs"])


async def test_search_finds_none_of_them(written: Written, session: Session) -> None:
    await written.markdown(GUIDE.replace("## Install", "## Set-up"))
    await settle(session)
    rows = (await session.execute(select(IndexedSection.position, IndexedSection.anchor))).all()
    assert (-1, "install") in [tuple(row) for row in rows]
    path = f"/spaces/{written.space.id}/search?query="
    for word, found in (("install", 0), ("done", 1)):
        answer = (await written.api.rest("GET", path + word, written.world.reader)).json()
        assert len(answer["items"]) == found
        if found:
            (hit,) = answer["items"]
            assert [one["path"] for one in hit["sections"]] == ["guide#set-up"]


async def test_copies_have_them(written: Written) -> None:
    await written.markdown(GUIDE.replace("## Install", "## Set-up"))
    copied = await written.api.rest(
        "POST", f"/spaces/{written.space.id}/duplicate", written.world.admin, {}
    )
    assert copied.status_code in (200, 201), copied.text
    space = copied.json()["id"]
    revision = await written.api.rest("GET", f"/spaces/{space}/content", written.world.admin)
    pages = {page["title"]: page["id"] for page in revision.json()["pages"]}
    path = f"/spaces/{space}/content/page/{pages['Guide']}?format=document"
    document = (await written.api.rest("GET", path, written.world.admin)).json()["document"]
    assert document["nodes"][1]["aliases"] == ["install"]
    stats = (await written.api.rest("GET", f"/spaces/{space}/links", written.world.admin)).json()
    assert stats["stats"]["broken"]["total"] == 0


async def test_wrong_aliases_are_named(written: Written) -> None:
    document = await written.document()
    document["nodes"][1]["aliases"] = ["fine", "Not fine"]
    sent = {"object": "document", "nodes": document["nodes"]}
    base = f"/spaces/{written.space.id}/content"
    change = {"type": "update_page", "page": "guide", "document": sent}
    answer = await written.api.rest("POST", base, written.world.admin, {"changes": [change]})
    assert answer.status_code == 422
    assert "document.nodes[1].aliases[1]: must be an anchor" in answer.text
    failed = await written.api.graphql(
        APPLY, written.world.admin,
        input={"target": {"space": written.space.id}, "operations": [
            {"updatePage": {"page": "guide", "body": {"document": sent}}}]},
    )  # fmt: skip
    (error,) = failed["errors"]
    assert error["extensions"]["status"] == 422
    assert "nodes[1].aliases[1]" in error["message"]
    # Set by hand, for links from elsewhere; what a heading is called now is no alias.
    document["nodes"][1]["aliases"] = ["fine", "use", "install"]
    await written.apply({"document": sent})
    assert await written.headings() == [("install", ["fine"]), ("use", [])]


async def test_spellings_of_other_programs_lead_to_the_heading(written: Written) -> None:
    await written.markdown(GUIDE + "\n## What's new in 2.19.4?\n\nMuch.\n")
    for anchor, broken in (("whats-new-in-2194", 0), ("whats-new-in-2.19.4", 0), ("whats-old", 1)):
        text = LINK.format(anchor)
        await written.apply({"page": "start", "document": {"markdown": text}})
        assert (await written.broken())[0] == broken
    ids = await written.ids()
    assert {"what-s-new-in-2-19-4", "whats-new-in-2194", "whats-new-in-2.19.4"} <= set(ids)
    # No document says them.
    assert (await written.headings())[-1] == ("what-s-new-in-2-19-4", [])


async def test_links_in_any_spelling_lead_to_their_place(written: Written) -> None:
    await written.markdown(
        f'{GUIDE}\n## Conv2D\n\nMuch.\n\n<a id="by-hand"></a>\n\nText[^1].\n\n[^1]: X\n'
    )
    spellings = ["conv-2-d", "Conv2D", "By-Hand", "by-hand", "fn1", "fnref:1"]
    text = "\n".join(LINK.format(anchor) for anchor in [*spellings, "conv-3-d"])
    await written.apply({"page": "start", "document": {"markdown": text}})
    assert (await written.broken())[0] == 1
    ids = await written.ids()
    assert set(spellings) <= set(ids)
    assert len(set(ids)) == len(ids)
    assert "conv-3-d" not in ids


async def test_the_title_of_a_page_is_a_place_of_it(written: Written) -> None:
    await written.apply({"title": "What's 2.19.4?", "slug": "guide"})
    for anchor, broken in (
        ("what-s-2-19-4", 0), ("whats-2.19.4", 0), ("WHATS_2194", 0), ("guide", 1),
    ):  # fmt: skip
        text = LINK.format(anchor)
        await written.apply({"page": "start", "document": {"markdown": text}})
        assert (await written.broken())[0] == broken, anchor
        assert (anchor in await written.ids()) == (not broken)
    response = await get(written.api, written.site, "/guide")
    title = response.text.partition("<article>")[2].partition("</h1>")[0]
    assert 'id="what-s-2-19-4"' in title
    # A page that is renamed is another place, and a heading that gets these words takes them.
    text = LINK.format("what-s-2-19-4")
    await written.apply({"page": "start", "document": {"markdown": text}})
    await written.apply({"title": "Guide", "slug": "guide"})
    assert (await written.broken())[0] == 1
    await written.apply({"title": "What's 2.19.4?", "slug": "guide"})
    assert (await written.broken())[0] == 0
    await written.markdown(f"{GUIDE}\n## What's 2.19.4?\n\nMuch.\n")
    assert (await written.broken())[0] == 0
    assert (await written.ids()).count("what-s-2-19-4") == 1
