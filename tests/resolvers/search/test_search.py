"""Search in spaces and organizations, on both databases and through both doors."""

from typing import Any

import pytest
from sqlalchemy import select

import resolvers.search.operations
from content.documents.content_references import read_reference
from content.markdown.parser import parse_document
from content.ordering import between
from db.content_enums import PageType
from db.enums import DefaultLevel
from db.models.content import Revision
from db.models.content_index import ContentLinkUse, IndexedPage
from db.models.spaces import Space
from db.session import Session
from resolvers.core.pagination import encode_cursor, fingerprint
from resolvers.core.statements import statement
from resolvers.revisions.rows import Page, ReusableContent
from resolvers.revisions.states import Changes, write_revision
from resolvers.search import (
    postgresql as search_postgresql,
    sqlite as search_sqlite,
    words as search_words,
)
from resolvers.search.index import index_revision
from tests import factories
from tests.conftest import Api, Queries, World, context


class Writer:
    """Writes pages into a space, a revision at a time, as the product does."""

    def __init__(self, session: Session, space: Space) -> None:
        self.session, self.space = session, space
        self.revision: Revision | None = None
        self.pages: dict[str, Page] = {}
        self.bodies: dict[str, str] = {}
        self._order = "V"

    def page(self, id: str, markdown: str | None = None, **more: Any) -> Page:
        """A page as it would be written; texts are Markdown."""
        known = self.pages.get(id)
        self._order = between(self._order, None)
        values: dict[str, Any] = {
            "type": PageType.DOCUMENT, "title": id.title(), "parent_id": None,
            "order": known.order if known else self._order, "slug": id,
        }  # fmt: skip
        if known is not None:
            values |= {name: getattr(known, name) for name in
                       ("title", "parent_id", "no_index", "document_id", "type")}  # fmt: skip
        page = Page(space_id=self.space.id, revision_id="", id=id, **{**values, **more})
        if markdown is not None:
            self.bodies[id] = markdown
        return page

    def add_document(self, changes: Changes, seed: str, text: str) -> str:
        """The id of a body; its addresses may be content references."""
        return changes.add_document(text, parse_document(text, seed=seed, resolve=read_reference))

    async def write(
        self,
        *pages: Page,
        removed: tuple[str, ...] = (),
        contents: dict[str, str | None] | None = None,
    ) -> Revision:
        """The next revision, active and indexed."""
        await self.session.begin_write()
        changes = Changes()
        for page in pages:
            if page.id in self.bodies:
                text = self.bodies.pop(page.id)
                page.document_id = self.add_document(changes, page.id, text)
            if page.id in self.pages:
                changes.before[page.id] = self.pages[page.id]
            changes.pages[page.id] = self.pages[page.id] = page
        for id in removed:
            changes.before[id] = self.pages.pop(id)
            changes.pages[id] = None
        for id, text_ in (contents or {}).items():
            changes.contents[id] = None if text_ is None else ReusableContent(
                space_id=self.space.id, revision_id="", id=id, title=id,
                document_id=changes.add_document(text_, parse_document(text_, seed=id)),
            )  # fmt: skip
        ctx = context(self.session)
        before, parent = self.revision, self.revision
        self.revision = await write_revision(ctx, self.space.id, parent, changes)
        self.space.revision_id = self.revision.id
        await index_revision(ctx, self.space.id, before, self.revision)
        await self.session.commit()
        return self.revision


@pytest.fixture
async def writer(session: Session, world: World) -> Writer:
    space = await factories.make_space(session, world.organization, title="Manual")
    await session.commit()
    return Writer(session, space)


async def search(api: Api, space: Space, query: str, person: Any, **more: Any) -> list[str]:
    """Ids of the pages that /v1 finds."""
    answer = await api.rest(
        "GET", f"/spaces/{space.id}/search", person, params={"query": query, **more}
    )
    assert answer.status_code == 200, answer.text
    return [item["id"] for item in answer.json()["items"]]


async def test_words_phrases_beginnings_accents_and_other_scripts(
    api: Api, world: World, writer: Writer
) -> None:
    await writer.write(
        writer.page("coffee", "How to brew a *café au lait* with max_lines.\n"),
        writer.page("tokyo", "# x\n\n東京都の天気 and ｶﾀｶﾅ.\n"),
        writer.page("thai", "ภาษาไทยสวัสดี\n"),
        writer.page("street", "Die Straße nach Øster.\n"),
        writer.page("hindi", "हिन्दी भाषा\n"),
        writer.page(
            "letters", "Donau\u00addampf, \u1112\u1161\u11ab\u1100\u116e\u11a8, ﬁn ＡＢＣ\n"
        ),
        writer.page("turkish", "İSTANBUL ve Iğdır\n"),
        writer.page("hebrew", "שָׁלוֹם עולם, العَرَبِيَّة\n"),
    )
    for query, expected in {
        "cafe": ["coffee"], "CAFÉ": ["coffee"], "cafe\u0301 ": ["coffee"],
        "bre": ["coffee"], "bre ": [], '"au lait"': ["coffee"], '"lait au"': [],
        "max_lines": ["coffee"], "lines_max": [],
        "京都": ["tokyo"], "京": ["tokyo"], "都": ["tokyo"], "天気": ["tokyo"], "京気": [],
        "カタカナ": ["tokyo"], "สวัสดี": ["thai"], "strasse": ["street"], "oster": ["street"],
        "भाषा": ["hindi"], "!!!": [], '"': [],
        "donaudampf": ["letters"], "한국": ["letters"], "fin": ["letters"], "abc": ["letters"],
        "ﬁn": ["letters"], "istanbul": ["turkish"], "iğdır": ["turkish"], "שלום": ["hebrew"],
        "العربية": ["hebrew"], "lait*": ["coffee"], "NEAR(au lait)": ["coffee"],
        "title:cafe": [], "-cafe": ["coffee"], "(cafe": ["coffee"], "cafe\\": ["coffee"],
        "cafe' OR 1=1 --": ["coffee"], "cafe:*": ["coffee"], "a & !b | c": ["coffee"],
    }.items():  # fmt: skip
        assert await search(api, writer.space, query, world.reader) == expected, query


async def test_a_page_below_a_page_that_is_not_there_leaves_the_index(
    api: Api, session: Session, world: World, writer: Writer
) -> None:
    """No operation writes that; what did would leave rows of a page that nobody finds."""
    await writer.write(
        writer.page("lost", "A needle.\n[Home](https://example.com)\n"),
        writer.page("there", "A needle, too.\n"),
    )
    assert await search(api, writer.space, "needle", world.reader) == ["lost", "there"]
    await writer.write(writer.page("lost", "A needle again.\n", parent_id="nowhere"))
    assert await search(api, writer.space, "needle", world.reader) == ["there"]
    rows = await session.scalars(select(IndexedPage.page_id))
    assert list(rows) == ["there"]
    uses = await session.scalars(select(ContentLinkUse.source_id))
    assert list(uses) == []


async def test_titles_come_before_headings_before_texts(
    api: Api, world: World, writer: Writer
) -> None:
    filler = "Something else entirely fills this page with words.\n"
    await writer.write(
        writer.page("text", f"The gauge is here.\n\n{filler}"),
        writer.page("heading", f"{filler}\n## The gauge\n\nMore.\n"),
        writer.page("title", filler, title="Gauge"),
        writer.page("described", filler, description="A gauge, described."),
    )
    found = await search(api, writer.space, "gauge", world.reader)
    assert [id for id in found if id != "described"] == ["title", "heading", "text"]
    assert found.index("described") in (1, 2)


async def test_where_a_word_is_on_most_pages(
    api: Api, world: World, writer: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not all of them are ranked: first those with it in the title, then in a heading."""
    for module in (search_words, search_postgresql):
        monkeypatch.setattr(module, "RANKED", 20)
    for module in (search_words, search_sqlite, search_postgresql):
        monkeypatch.setattr(module, "PAGE_LIMIT", 12)
    monkeypatch.setattr(search_postgresql, "WHOLE", 5)
    # The statements of other tests hold their own numbers.
    for name in ("_best_pages", "_count_of_one"):
        own = statement(getattr(resolvers.search.operations, name).build)
        monkeypatch.setattr(resolvers.search.operations, name, own)
    texts = {"text": "Some words, and a gauge.\n", "heading": "Some words.\n\n## A gauge\n",
             "title": "Some words and more.\n"}  # fmt: skip
    pages = [
        writer.page(
            f"{kind}{number}", texts[kind], title="Gauge" if kind == "title" else f"Page {number}"
        )
        for number in range(10)
        for kind, most in (("text", 10), ("heading", 6), ("title", 4))
        if number < most
    ]
    await writer.write(*pages, *(writer.page(f"text{n}", texts["text"]) for n in range(10, 30)))

    async def kinds(query: str, **more: Any) -> list[str]:
        found = await search(api, writer.space, query, world.reader, **more)
        assert len(set(found)) == len(found)
        return [id.rstrip("0123456789") for id in found]

    expected = ["title"] * 4 + ["heading"] * 6 + ["text"] * 2
    for query in ("gauge ", "gau", "gauge gauge ", '"gauge"'):
        assert await kinds(query, limit=12) == expected, query
    answer = await api.rest(
        "GET", f"/spaces/{writer.space.id}/search", world.reader,
        params={"query": "gauge ", "limit": 5},
    )  # fmt: skip
    again = {"page": answer.json()["next"]["page"], "limit": 7}
    assert await kinds("gauge ", **again) == expected[5:]


async def test_all_words_if_possible_else_any(api: Api, world: World, writer: Writer) -> None:
    await writer.write(
        writer.page("both", "Red and green.\n"), writer.page("red", "Red.\n"),
        writer.page("green", "Green.\n"),
    )  # fmt: skip
    assert await search(api, writer.space, "red green", world.reader) == ["both"]
    # The words may stand in the title and in the text.
    assert await search(api, writer.space, "green both", world.reader) == ["both"]
    found = await search(api, writer.space, "green missing", world.reader)
    assert sorted(found) == ["both", "green"]
    first = await search(api, writer.space, "missing green", world.reader, limit=1)
    answer = await api.rest(
        "GET", f"/spaces/{writer.space.id}/search", world.reader,
        params={"query": "missing green", "limit": 1},
    )  # fmt: skip
    assert answer.json()["count"] == 2
    rest = await search(
        api, writer.space, "missing green", world.reader, page=answer.json()["next"]["page"]
    )
    assert sorted(first + rest) == ["both", "green"]


async def test_the_answer_has_sections_with_excerpts(
    api: Api, world: World, writer: Writer
) -> None:
    text = (
        "Before <script>alert(1)</script> the needle.\n\n## Set-up\n\n" + "word " * 100
        + "a needle & more " + "word " * 100 + "\n\n## Set-up\n\nNothing.\n\n## Needles\n\nEnd.\n"
    )  # fmt: skip
    await writer.write(
        writer.page("guide", "Guide.\n", slug="Guide"),
        writer.page("hay", text, parent_id="guide", title="Haystack"),
    )
    answer = await api.rest(
        "GET", f"/spaces/{writer.space.id}/search", world.reader, params={"query": "needle"}
    )
    (item,) = answer.json()["items"]
    base = f"http://docs.test/s/{writer.space.id}/Guide/hay"
    assert {name: item[name] for name in ("id", "title", "path", "urls")} == {
        "id": "hay", "title": "Haystack", "path": "Guide/hay", "urls": {"app": base},
    }  # fmt: skip
    found = {one["id"]: one for one in item["sections"]}
    assert list(found) == ["needles", "hay", "set-up"]
    assert found["needles"]["title"] == "Needles"
    assert found["set-up"]["path"] == "Guide/hay#set-up"
    assert found["set-up"]["urls"] == {"app": f"{base}#set-up"}
    assert found["hay"]["body"] == "Before alert(1) the needle."
    body = found["set-up"]["body"]
    assert len(body) <= 200
    assert body.startswith("…")
    assert body.endswith("…")
    query = """query ($id: ID!) { space(id: $id) { search(query: "needle") { totalCount nodes {
        page { id } sections { id: sectionId html } } } } }"""
    data = await api.data(query, world.reader, id=writer.space.id)
    (node,) = data["space"]["search"]["nodes"]
    assert data["space"]["search"]["totalCount"] == 1
    assert node["page"] == {"id": "hay"}
    html = {one["id"]: one["html"] for one in node["sections"]}
    assert "a <mark>needle</mark> &amp; more" in html["set-up"]
    assert "<script>" not in "".join(html.values())


async def test_the_index_follows_every_write(api: Api, world: World, writer: Writer) -> None:
    async def found(query: str) -> list[str]:
        return sorted(await search(api, writer.space, query, world.reader))

    await writer.write(writer.page("a", "Alpha.\n"), writer.page("b", "Beta.\n"))
    assert await found("alpha") == ["a"]
    await writer.write(writer.page("a", "Gamma.\n"))
    assert await found("alpha") == []
    assert await found("gamma") == ["a"]
    await writer.write(writer.page("a", title="Delta"))
    assert await found("delta") == ["a"]
    assert await found("gamma") == ["a"]
    await writer.write(removed=("a",))
    assert await found("gamma") == []
    assert await found("beta") == ["b"]


async def test_pages_left_out_of_search_with_all_below_them(
    api: Api, world: World, writer: Writer
) -> None:
    async def found() -> list[str]:
        return sorted(await search(api, writer.space, "alpha", world.reader))

    await writer.write(
        writer.page("group", type=PageType.GROUP, no_index=True),
        writer.page("top", "Alpha.\n", hidden=True),
        writer.page("in", "Alpha.\n", parent_id="group"),
        writer.page("deep", "Alpha.\n", parent_id="in"),
    )
    assert await found() == ["top"]
    await writer.write(writer.page("group", no_index=False))
    assert await found() == ["deep", "in", "top"]
    await writer.write(writer.page("in", no_index=True))
    assert await found() == ["top"]
    await writer.write(writer.page("deep", parent_id="top"))
    assert await found() == ["deep", "top"]
    await writer.write(writer.page("top", no_index=True), writer.page("in", no_index=False))
    assert await found() == ["in"]


async def test_included_content_is_found_on_the_pages_that_show_it(
    api: Api, world: World, writer: Writer
) -> None:
    async def found(query: str) -> list[str]:
        return await search(api, writer.space, query, world.reader)

    await writer.write(
        writer.page("a", '{% include "/reusable-content/notice" %}\n'),
        writer.page("b", "Plain.\n"),
        contents={"notice": "Mind the voltage.\n"},
    )  # fmt: skip
    assert await found("voltage") == ["a"]
    await writer.write(contents={"notice": "Mind the gap.\n"})
    assert await found("voltage") == []
    assert await found("gap") == ["a"]
    await writer.write(contents={"notice": None})
    assert await found("gap") == []


async def test_only_spaces_that_may_be_read(
    api: Api, world: World, session: Session, writer: Writer
) -> None:
    await writer.write(writer.page("open", "Alpha beta.\n"))
    closed = await factories.make_space(
        session, world.organization, default_level=None, title="Closed"
    )
    other = Writer(session, closed)
    await other.write(other.page("secret", "Alpha.\n", title="Alpha"))

    async def spaces(person: Any) -> Any:
        path = f"/orgs/{world.organization.id}/search"
        answer = await api.rest("GET", path, person, params={"query": "alpha"})
        if answer.status_code != 200:
            return answer.status_code
        body = answer.json()
        assert body["count"] == len(body["items"])
        return [(one["title"], [page["id"] for page in one["pages"]]) for one in body["items"]]

    opened = ("Manual", ["open"])
    assert await spaces(world.admin) == [("Closed", ["secret"]), opened]
    assert await spaces(world.reader) == [opened]
    assert await spaces(world.guest) == []
    assert await spaces(world.outsider) == 404
    path = f"/spaces/{closed.id}/search"
    answer = await api.rest("GET", path, world.reader, params={"query": "alpha"})
    assert answer.status_code == 404
    # In the bin nothing is found, even by those who still see the space.
    closed.deleted_at = writer.space.created_at
    await session.commit()
    assert await spaces(world.admin) == [opened]


async def test_pages_of_a_list(api: Api, world: World, writer: Writer) -> None:
    pages = [writer.page(f"p{number}", f"Alpha {'beta ' * number}.\n") for number in range(7)]
    await writer.write(*pages)
    path, seen, cursor = f"/spaces/{writer.space.id}/search", [], None
    while True:
        params = {"query": "alpha", "limit": "3"} | ({"page": cursor} if cursor else {})
        body = (await api.rest("GET", path, world.reader, params=params)).json()
        assert body["count"] == 7
        seen.append([one["id"] for one in body["items"]])
        if "next" not in body:
            break
        cursor = body["next"]["page"]
    assert [len(some) for some in seen] == [3, 3, 1]
    assert len({id for some in seen for id in some}) == 7
    other = await api.rest("GET", path, world.reader, params={"query": "beta", "page": cursor})
    assert other.status_code == 400
    for query in (None, "", "x" * 513):
        params = {} if query is None else {"query": query}
        answer = await api.rest("GET", path, world.reader, params=params)
        assert answer.status_code == 422
        assert "query" in answer.json()["error"]["message"]


@pytest.mark.parametrize("place", [2**31 - 1, -(2**31) + 1, 10_000])
async def test_places_far_behind_the_end(
    api: Api, world: World, writer: Writer, place: int
) -> None:
    """Cursors that nobody was given are places, too: nothing is there, or the list begins."""
    await writer.write(writer.page("a", "Alpha.\n"))
    for path, name in (
        (f"/orgs/{world.organization.id}/search", "organization-search"),
        (f"/spaces/{writer.space.id}/search", "search"),
    ):
        page = encode_cursor(fingerprint(name, "alpha"), [place, 1])
        params = {"query": "alpha", "page": page}
        answer = await api.rest("GET", path, world.reader, params=params)
        assert answer.status_code == 200, answer.text
        assert answer.json()["count"] == 1
        assert len(answer.json()["items"]) == (place < 0)


async def test_statements_do_not_grow_with_the_hits(
    api: Api, world: World, writer: Writer, queries: Queries
) -> None:
    path = f"/spaces/{writer.space.id}/search?query=alpha"
    for count in (1, 30):
        await writer.write(*(writer.page(f"p{number}", "Alpha.\n") for number in range(count)))
        await api.rest("GET", path, world.reader)
        # The token, the space, the pages, the revision; what was found in these pages is known,
        # and so is their number where all of them are listed.
        with queries(4):
            answer = await api.rest("GET", f"{path}&limit={100 + count}", world.reader)
        assert answer.json()["count"] == count


async def test_spaces_without_an_index_find_nothing(
    api: Api, world: World, session: Session, writer: Writer
) -> None:
    bare = await factories.make_space(session, world.organization, default_level=DefaultLevel.READ)
    await session.commit()
    assert await search(api, bare, "alpha", world.reader) == []
