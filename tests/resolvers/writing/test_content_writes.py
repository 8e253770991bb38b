"""Operations on content: pages, bodies, files, reusable contents, variables; rules and errors."""

from typing import Any

import pytest
from sqlalchemy import func, select
from strawberry import Some

from content.merkle.read import count, scan
from db.content_enums import NewPageType, PageType
from db.enums import EditMode
from db.models.content import Document, Revision
from db.models.spaces import Space
from db.session import Session
from resolvers.core.context import Context
from resolvers.core.errors import (
    ApiError,
    BadRequest,
    Conflict,
    Invalid,
    NotFound,
    PreconditionFailed,
)
from resolvers.core.runners import run
from resolvers.drafts.operation_inputs import (
    ApplyContentChangesInput,
    ContentOperationInput,
    ContentTargetInput,
    CreatePageInput,
    CreateReusableContentInput,
    DeletePageInput,
    DeleteReusableContentInput,
    MovePageInput,
    RenamePageInput,
    RevertPageInput,
    SetVariablesInput,
    UpdatePageInput,
    UpdateReusableContentInput,
)
from resolvers.drafts.page_inputs import (
    BlockEditInput,
    BlockPlaceInput,
    BlocksInput,
    DeleteBlocksInput,
    InsertBlocksInput,
    MoveBlocksInput,
    PageBodyInput,
    PageCoverInput,
    PageLayoutInput,
    PagePositionInput,
    ReplaceBlockInput,
)
from resolvers.revisions import limits as content_limits
from resolvers.revisions.rows import Page
from resolvers.revisions.states import bodies, write_revision
from resolvers.revisions.store import walk_one
from resolvers.revisions.tree import all_pages
from resolvers.writing.operations import ContentWrite, apply_content_changes
from tests import factories
from tests.conftest import World, context, settle
from tests.seeds import MARKDOWN, sample_changes

# The two blocks of the sample page.
HELLO, LIST = MARKDOWN.strip().split("\n\n")


class Content:
    """A space with content, edited by one person."""

    def __init__(self, session: Session, space: Space, ctx: Context) -> None:
        self.session, self.space, self.ctx = session, space, ctx

    async def apply(self, *operations: Any, **options: Any) -> ContentWrite:
        target = ContentTargetInput(
            space=self.space.id, change_request=options.pop("request", None)
        )
        named = [operation_of(one) for one in operations]
        return await run(
            self.ctx, apply_content_changes,
            ApplyContentChangesInput(target=target, operations=named, **options),
        )  # fmt: skip

    async def refused(self, kind: type[ApiError], *operations: Any, **options: Any) -> ApiError:
        """The error of a batch, which leaves everything as it was."""
        revisions, documents = await self.counts()
        with pytest.raises(kind) as caught:
            await self.apply(*operations, **options)
        assert await self.counts() == (revisions, documents)
        return caught.value

    async def counts(self) -> tuple[int, int]:
        return tuple([
            (await self.session.execute(select(func.count()).select_from(model))).scalar_one()
            for model in (Revision, Document)
        ])  # type: ignore[return-value]  # fmt: skip

    async def newest(self) -> Revision:
        statement = select(Revision).join(Space, Space.revision_id == Revision.id)
        found: Revision = (
            await self.session.execute(statement.where(Space.id == self.space.id))
        ).scalar_one()
        return found

    async def pages(self) -> dict[str, Page]:
        (found,) = await all_pages(self.ctx, [await self.newest()])
        return {page.id: page for page in found}

    async def outline(self) -> list[str]:
        """Paths (titles of pages without one) in display order."""
        (found,) = await all_pages(self.ctx, [await self.newest()])
        return [page.path if page.slug is not None else f"({page.title})" for page in found]

    async def document(self, page_id: str) -> dict[str, Any]:
        page = (await self.pages())[page_id]
        (body,) = await bodies(self.ctx, [(self.space.id, page.document_id)])
        assert body is not None
        return body.document

    async def markdown(self, page_id: str) -> str:
        page = (await self.pages())[page_id]
        (body,) = await bodies(self.ctx, [(self.space.id, page.document_id)])
        return "" if body is None else body.markdown


NAMES = {
    CreatePageInput: "create_page", UpdatePageInput: "update_page",
    RenamePageInput: "rename_page", MovePageInput: "move_page", DeletePageInput: "delete_page",
    RevertPageInput: "revert_page", SetVariablesInput: "set_variables",
    CreateReusableContentInput: "create_reusable_content",
    UpdateReusableContentInput: "update_reusable_content",
    DeleteReusableContentInput: "delete_reusable_content",
}  # fmt: skip


def operation_of(input: Any) -> ContentOperationInput:
    return ContentOperationInput(**{NAMES[type(input)]: input})


def markdown(text: str) -> PageBodyInput:
    return PageBodyInput(markdown=text)


def keys_of(document: dict[str, Any]) -> list[str]:
    return [node["key"] for node in document["nodes"]]


@pytest.fixture
async def content(session: Session, world: World) -> Content:
    space = await factories.make_space(session, world.organization, edit_mode=EditMode.LIVE)
    revision = await write_revision(context(session), space.id, None, sample_changes(space.id))
    space.revision_id = revision.id
    await settle(session)
    return Content(session, space, context(session, world.editor))


async def test_a_batch_makes_one_revision_and_names_what_it_made(content: Content) -> None:
    before = await content.newest()
    written = await content.apply(
        CreatePageInput(ref="guide", type=NewPageType.GROUP, title="Guide"),
        CreatePageInput(
            ref="start", title="Get started", parent="ref:guide", body=markdown("Hello\n")
        ),
        CreatePageInput(
            title="More", parent="ref:start",
            body=markdown("See [start](ref:start#a) and [later](ref:later).\n"),
        ),
        CreatePageInput(ref="later", title="Later"),
        UpdatePageInput(page="home", description=Some("Read [this]")),
    )  # fmt: skip
    after = await content.newest()
    assert (after.id, after.parents) == (written.revision.id, [before.id])
    assert written.changed
    assert not written.dry_run
    assert [(one.ref, one.kind) for one in written.created] == [
        ("guide", "page"), ("start", "page"), (None, "page"), ("later", "page"),
    ]  # fmt: skip
    assert [page.path for page in written.pages] == [
        "guide", "guide/get-started", "guide/get-started/more", "later", "home",
    ]  # fmt: skip
    ids = {one.ref: one.id for one in written.created}
    links = [
        node["data"]["ref"]
        for node in (await content.document(written.created[2].id))["nodes"][0]["nodes"]
        if node.get("type") == "link"
    ]
    assert links == [
        {"kind": "anchor", "page": ids["start"], "anchor": "a"},
        {"kind": "page", "page": ids["later"]},
    ]
    assert (await content.outline())[-4:] == [
        "guide", "guide/get-started", "guide/get-started/more", "later",
    ]  # fmt: skip


async def test_an_error_in_the_middle_leaves_nothing(content: Content) -> None:
    error = await content.refused(
        NotFound,
        CreatePageInput(title="One"),
        UpdatePageInput(page="none", title=Some("Two")),
    )
    assert error.fields[0].path == "operations[1].updatePage.page"
    assert "one" not in await content.outline()


async def test_a_batch_that_changes_nothing_in_the_end_makes_no_revision(content: Content) -> None:
    before = await content.newest()
    written = await content.apply(
        RenamePageInput(page="child", slug=Some("other")),
        CreatePageInput(ref="x", title="X"),
        DeletePageInput(page="ref:x"),
        RenamePageInput(page="child", slug=Some("child")),
    )
    # The slug was set by hand, and that is remembered.
    assert written.changed
    again = await content.apply(
        RenamePageInput(page="child", slug=Some("other")),
        CreatePageInput(ref="x", title="X"),
        DeletePageInput(page="ref:x"),
        RenamePageInput(page="child", slug=Some("child")),
    )
    assert not again.changed
    assert again.revision.id == written.revision.id != before.id


async def test_a_dry_run_writes_nothing(content: Content) -> None:
    before, counts = await content.newest(), await content.counts()
    written = await content.apply(CreatePageInput(title="New", body=markdown("Text")), dry_run=True)
    assert written.changed
    assert written.dry_run
    assert (written.revision.id, written.pages) == (before.id, [])
    assert written.compared is not None
    (change,) = written.compared.changes
    assert change.page is not None
    assert (change.type.value, change.page.path) == ("page_created", "new")
    assert (await content.newest()).id == before.id
    assert await content.counts() == counts
    same = await content.apply(UpdatePageInput(page="home", title=Some("Home")), dry_run=True)
    assert not same.changed


async def test_a_title_renames_the_slug_unless_it_was_set_by_hand(content: Content) -> None:
    await content.apply(UpdatePageInput(page="home", title=Some("Start here")))
    assert (await content.pages())["home"].slug == "start-here"
    await content.apply(RenamePageInput(page="home", slug=Some("entry")))
    await content.apply(UpdatePageInput(page="home", title=Some("Welcome")))
    assert (await content.pages())["home"].path == "entry"
    await content.apply(RenamePageInput(page="home", slug=Some(None)))
    assert (await content.pages())["home"].path == "welcome"
    await content.apply(UpdatePageInput(page="home", title=Some("Hi")))
    assert (await content.pages())["child"].path == "hi/child"


async def test_generated_slugs_get_a_number_and_chosen_ones_are_refused(content: Content) -> None:
    await content.apply(*[CreatePageInput(title="Home") for _ in range(3)])
    assert [path for path in await content.outline() if path.startswith("home-")] == [
        "home-1", "home-2", "home-3",
    ]  # fmt: skip
    error = await content.refused(Conflict, CreatePageInput(title="Other", slug=Some("HOME")))
    assert error.fields[0].path == "operations[0].createPage.slug"
    await content.refused(Conflict, RenamePageInput(page="group", slug=Some("home-1")))
    written = await content.apply(CreatePageInput(title="LLMs.txt"), CreatePageInput(title="~"))
    assert [page.slug for page in written.pages] == ["llms-txt", "page"]
    for slug in ("llms.txt", "~gitbook", "a/b", "", "..", "x" * 101):
        await content.refused(Invalid, CreatePageInput(title="Other", slug=Some(slug)))
    # Below the top they are free.
    await content.apply(CreatePageInput(title="Other", slug=Some("llms.txt"), parent="home"))


async def test_moves(content: Content) -> None:
    await content.apply(
        CreatePageInput(ref="a", title="A", parent="group"),
        CreatePageInput(title="B", parent="group", position=PagePositionInput(before="ref:a")),
        CreatePageInput(title="C", parent="group", position=PagePositionInput(index=0)),
    )
    assert await content.outline() == [
        "home", "home/child", "home/child/deep", "group", "group/c", "(Link)", "group/b",
        "group/a", "(Computed)",
    ]  # fmt: skip
    ids = {page.slug: page.id for page in (await content.pages()).values()}
    await content.apply(
        MovePageInput(page="child", parent=Some(None), position=PagePositionInput(after="group")),
        MovePageInput(page=ids["a"], position=PagePositionInput(after=ids["c"], before="link")),
    )
    assert await content.outline() == [
        "home", "group", "group/c", "group/a", "(Link)", "group/b", "child", "child/deep",
        "(Computed)",
    ]  # fmt: skip
    same = await content.apply(
        MovePageInput(page=ids["a"], position=PagePositionInput(before="link"))
    )
    assert not same.changed


async def test_places_that_are_none(content: Content) -> None:
    move = MovePageInput
    for operation, kind, path in (
        (move(page="home", parent=Some("deep")), BadRequest, "movePage.parent"),
        (move(page="home", parent=Some("home")), BadRequest, "movePage.parent"),
        (move(page="group", parent=Some("home")), Invalid, "movePage.parent"),
        (move(page="child", parent=Some("link")), Invalid, "movePage.parent"),
        (move(page="child", parent=Some("none")), NotFound, "movePage.parent"),
        (move(page="home", position=PagePositionInput(before="deep")), BadRequest,
         "movePage.position.before"),
        (move(page="home", position=PagePositionInput(index=9)), Invalid,
         "movePage.position.index"),
        (move(page="home", position=PagePositionInput(index=-1)), Invalid,
         "movePage.position.index"),
        (move(page="home", position=PagePositionInput(index=0, after="group")), Invalid,
         "movePage.position.index"),
        (move(page="home", position=PagePositionInput(after="computed", before="group")),
         BadRequest, "movePage.position"),
        (CreatePageInput(type=NewPageType.GROUP, title="G", parent="home"), Invalid,
         "createPage.parent"),
        (CreatePageInput(title="L", parent="ref:none"), NotFound, "createPage.parent"),
    ):  # fmt: skip
        error = await content.refused(kind, operation)
        assert [one.path for one in error.fields] == [f"operations[0].{path}"]


async def test_a_parent_that_comes_later_is_named_as_the_batch_does(content: Content) -> None:
    error = await content.refused(
        NotFound,
        CreatePageInput(title="Below", parent="ref:later"),
        CreatePageInput(title="Above", ref="later"),
    )
    assert "'ref:later' does not exist" in error.message


async def test_a_slug_set_by_hand_is_not_changed_by_a_move(content: Content) -> None:
    written = await content.apply(
        CreatePageInput(title="Child"), CreatePageInput(title="X", slug=Some("deep"))
    )
    generated, chosen = (page.id for page in written.pages)
    await content.apply(MovePageInput(page=generated, parent=Some("home")))
    assert (await content.pages())[generated].path == "home/child-1"
    error = await content.refused(Conflict, MovePageInput(page=chosen, parent=Some("child")))
    assert "deep" in error.message


async def test_pages_go_with_what_is_below_them_but_the_last_document_stays(
    content: Content,
) -> None:
    await content.apply(CreatePageInput(title="Other", parent="group"))
    await content.apply(DeletePageInput(page="home"))
    assert await content.outline() == ["group", "(Link)", "group/other", "(Computed)"]
    with pytest.raises(PreconditionFailed, match="last document"):
        await content.apply(DeletePageInput(page="group"))


async def test_fields(content: Content) -> None:
    await content.apply(
        UpdatePageInput(
            page="home", emoji=Some("1f600"), icon=Some("book"), description=Some("About"),
            hidden=Some(True), no_index=Some(True), no_robots_index=Some(True),
            condition=Some("true"), variables=Some({"a": 1, "b": "two", "c": False}),
            cover=Some(PageCoverInput(ref={"kind": "file", "file": "apng"}, y_pos=-10)),
            layout=Some(PageLayoutInput(outline=Some(False), title=Some(True))),
        )
    )  # fmt: skip
    page = (await content.pages())["home"]
    assert (page.emoji, page.icon, page.description) == ("1f600", "book", "About")
    assert page.hidden
    assert page.no_index
    assert page.no_robots_index
    assert page.variables == {"a": 1, "b": "two", "c": False}
    assert page.cover == {"ref": {"kind": "file", "file": "apng"}, "yPos": -10}
    # What is usual is not stored.
    assert page.layout == {"outline": False}
    await content.apply(
        UpdatePageInput(
            page="home", emoji=Some(None), icon=Some(None), description=Some(""),
            hidden=Some(False), no_index=Some(False), no_robots_index=Some(False),
            condition=Some(None), variables=Some({}), cover=Some(None), layout=Some(None),
        )
    )  # fmt: skip
    page = (await content.pages())["home"]
    assert (page.emoji, page.description, page.cover, page.layout) == (None, None, None, {})
    await content.apply(
        UpdatePageInput(page="link", target=Some({"kind": "page", "page": "home"})),
        UpdatePageInput(page="computed", title=Some("API")),
    )
    assert (await content.pages())["link"].target == {"kind": "page", "page": "home"}


async def test_fields_that_are_refused(content: Content) -> None:
    update = UpdatePageInput
    for operation, path in (
        (update(page="link", description=Some("x")), "description"),
        (update(page="group", body=markdown("x")), "body"),
        (update(page="home", target=Some({"kind": "url", "url": "https://a.example"})), "target"),
        (update(page="link", slug=Some("x")), "slug"),
        (update(page="link", target=Some({"kind": "url", "url": "javascript:x"})), "target.url"),
        (update(page="link", target=Some({"kind": "else"})), "target.kind"),
        (update(page="link", target=Some({"kind": "page", "page": "ref:x"})), "target.page"),
        (update(page="home", variables=Some({"1": 1})), "variables"),
        (update(page="home", variables=Some({"a": ["x"]})), "variables.a"),
        (update(page="home", title=Some("  ")), "title"),
        (update(page="home", cover=Some(PageCoverInput(ref={"kind": "page", "page": "home"}))),
         "cover.ref.kind"),
        (update(page="home", body=PageBodyInput()), "body"),
        (update(page="home", body=PageBodyInput(document={"object": "x"})), "body.document.object"),
        (update(page="home", body=markdown("---\na: [\n---\n")), "body.markdown"),
    ):  # fmt: skip
        error = await content.refused(Invalid, operation)
        assert [one.path for one in error.fields] == [f"operations[0].updatePage.{path}"]
    await content.refused(Invalid, CreatePageInput(type=NewPageType.LINK, title="L"))
    await content.refused(
        NotFound,
        UpdatePageInput(
            page="home", cover=Some(PageCoverInput(ref={"kind": "file", "file": "none"}))
        ),
    )


async def test_markdown_with_a_title_and_front_matter(content: Content) -> None:
    before = await content.document("home")
    await content.apply(
        UpdatePageInput(
            page="home",
            description=Some("field"),
            body=markdown(
                "---\ndescription: front\nhidden: true\nvars:\n  x: 1\nlayout:\n  outline:\n"
                f"    visible: false\n---\n\n# New title\n\n{HELLO}\n\nMore.\n"
            ),
        )
    )
    page = (await content.pages())["home"]
    assert (page.title, page.slug, page.description) == ("New title", "new-title", "front")
    assert (page.hidden, page.variables, page.layout) == (True, {"x": 1}, {"outline": False})
    assert (await content.markdown("home")).strip() == f"{HELLO}\n\nMore."
    after = await content.document("home")
    assert after["nodes"][0]["key"] == before["nodes"][0]["key"]
    # The same text again changes nothing.
    again = await content.apply(
        UpdatePageInput(page="home", body=markdown(f"# New title\n\n{HELLO}\n\nMore.\n"))
    )
    assert not again.changed
    assert (await content.pages())["home"].hidden


async def test_a_whole_document_keeps_the_keys_it_names(content: Content) -> None:
    document = await content.document("home")
    before = keys_of(document)
    document["nodes"].append(
        {"object": "block", "type": "paragraph", "nodes": [
            {"object": "text", "leaves": [{"text": "Added"}]}
        ]}
    )  # fmt: skip
    await content.apply(UpdatePageInput(page="home", body=PageBodyInput(document=document)))
    after = await content.document("home")
    assert keys_of(after)[:-1] == before
    assert (await content.markdown("home")).endswith("Added\n")


async def test_block_edits(content: Content) -> None:
    first, second = keys_of(await content.document("home"))
    await content.apply(
        UpdatePageInput(page="home", body=PageBodyInput(edits=[
            BlockEditInput(insert=InsertBlocksInput(
                content=BlocksInput(markdown="## Intro\n\nIn front."),
                place=BlockPlaceInput(before=first))),
            BlockEditInput(replace=ReplaceBlockInput(
                key=first, content=BlocksInput(markdown="Goodbye **world**."))),
            BlockEditInput(insert=InsertBlocksInput(content=BlocksInput(blocks=[
                {"object": "block", "type": "divider", "isVoid": True, "nodes": []}]))),
            BlockEditInput(move=MoveBlocksInput(
                keys=[second], place=BlockPlaceInput(index=0))),
        ]))
    )  # fmt: skip
    keys = keys_of(await content.document("home"))
    assert (keys[0], keys[3], len(keys)) == (second, first, 5)
    text = await content.markdown("home")
    assert text.startswith(f"{LIST}\n\n## Intro\n\nIn front.\n\nGoodbye **world**.")
    await content.apply(
        UpdatePageInput(page="home", body=PageBodyInput(edits=[
            BlockEditInput(delete=DeleteBlocksInput(keys=keys[1:3]))]))
    )  # fmt: skip
    assert keys_of(await content.document("home")) == [second, first, keys[4]]


async def test_block_edits_that_are_refused(content: Content) -> None:
    (first, _) = keys_of(await content.document("home"))
    text = BlocksInput(markdown="x")
    for edit, path in (
        (BlockEditInput(), ""),
        (BlockEditInput(delete=DeleteBlocksInput(keys=["none"])), ".delete.keys"),
        (BlockEditInput(replace=ReplaceBlockInput(key="none", content=text)), ".replace.key"),
        (BlockEditInput(insert=InsertBlocksInput(content=BlocksInput())), ".insert.content"),
        (BlockEditInput(insert=InsertBlocksInput(
            content=text, place=BlockPlaceInput(index=9))), ".insert.place.index"),
        (BlockEditInput(insert=InsertBlocksInput(
            content=text, place=BlockPlaceInput(before=first, after=first))), ".insert.place"),
        (BlockEditInput(insert=InsertBlocksInput(
            content=text, place=BlockPlaceInput(inside=first))), ".insert.blocks[0]"),
    ):  # fmt: skip
        error = await content.refused(
            Invalid, UpdatePageInput(page="home", body=PageBodyInput(edits=[edit]))
        )
        assert [one.path for one in error.fields] == [
            f"operations[0].updatePage.body.edits[0]{path}"
        ]


async def test_edits_of_blocks_leave_the_addresses_in_the_text(content: Content) -> None:
    await content.apply(
        UpdatePageInput(page="home", body=markdown("See [a](/group/) and [b](ref:x).\n\nEnd."))
    )
    (first, last) = keys_of(await content.document("home"))
    text = BlocksInput(markdown="See [deep](docstead:page?page=deep).")
    await content.apply(
        UpdatePageInput(page="home", body=PageBodyInput(edits=[
            BlockEditInput(replace=ReplaceBlockInput(key=last, content=text))]))
    )  # fmt: skip
    assert await content.markdown("home") == (
        "See [a](/group/) and [b](ref:x).\n\nSee [deep](docstead:page?page=deep).\n"
    )
    assert keys_of(await content.document("home")) == [first, last]


async def test_links_of_a_text_stay_what_they_were(content: Content) -> None:
    await content.apply(
        UpdatePageInput(page="child", body=markdown("See [a](../other.md) and [b](deep.md).\n"))
    )

    async def kinds() -> list[Any]:
        nodes = (await content.document("child"))["nodes"][0]["nodes"]
        return [node["data"]["ref"] for node in nodes if node.get("type") == "link"]

    assert await kinds() == [
        {"kind": "url", "url": "../other.md"},
        # As seen from a page that has pages below it.
        {"kind": "page", "page": "deep"},
    ]
    await content.apply(
        UpdatePageInput(
            page="child",
            body=markdown("See [a](/group/), [b](child/deep.md#x) and [c](https://a.example)."),
        )
    )
    assert await kinds() == [
        {"kind": "page", "page": "group"},
        {"kind": "anchor", "page": "deep", "anchor": "x"},
        {"kind": "url", "url": "https://a.example"},
    ]
    # The page moves; the text means the same pages all the same.
    await content.apply(MovePageInput(page="child", parent=Some("group")))
    await content.apply(
        UpdatePageInput(page="child", body=markdown("Now [b](child/deep.md#x) [a](/group/)."))
    )
    assert await kinds() == [
        {"kind": "anchor", "page": "deep", "anchor": "x"},
        {"kind": "page", "page": "group"},
    ]


async def test_reusable_contents_and_variables(content: Content) -> None:
    written = await content.apply(
        CreateReusableContentInput(ref="note", title="Note", body=markdown("Text")),
        CreatePageInput(title="P", body=markdown('{% include "ref:note" %}\n')),
        UpdateReusableContentInput(reusable_content="notice", title=Some("Renamed")),
        SetVariablesInput(set={"version": "2.0", "new": 1}, remove=["beta", "none"]),
    )
    note, notice = written.reusable_contents
    assert (note.title, notice.title) == ("Note", "Renamed")
    assert dict(written.revision.variables) == {"version": "2.0", "new": 1}
    await content.apply(DeleteReusableContentInput(reusable_content=note.id))
    await content.refused(NotFound, DeleteReusableContentInput(reusable_content=note.id))
    await content.refused(Invalid, SetVariablesInput(set={"-": 1}))


async def test_pages_go_back_to_an_earlier_revision(content: Content) -> None:
    first = await content.newest()
    keys = keys_of(await content.document("home"))
    await content.apply(
        UpdatePageInput(page="home", title=Some("Changed"), body=markdown("All new.")),
        DeletePageInput(page="child"),
    )
    await content.refused(Invalid, RevertPageInput(page="home"))
    await content.refused(NotFound, RevertPageInput(page="home", revision="none"))
    await content.apply(RevertPageInput(page="home", revision=first.id, blocks=[keys[1]]))
    assert (await content.markdown("home")) == (
        "* [home](docstead:page?page=home)\n* ![picture](docstead:file?file=apng)\n\nAll new."
    )
    await content.apply(
        RevertPageInput(page="home", revision=first.id),
        RevertPageInput(page="child", revision=first.id),
    )
    pages = await content.pages()
    assert (pages["home"].title, pages["home"].path) == ("Home", "home")
    assert keys_of(await content.document("home")) == keys
    assert (pages["child"].path, pages["child"].type) == ("home/child", PageType.DOCUMENT)
    assert "deep" not in pages


async def test_a_space_holds_only_so_many_pages(
    content: Content, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(content_limits, "PAGES", 7)
    await content.apply(CreatePageInput(title="One"))
    await content.refused(PreconditionFailed, CreatePageInput(title="Two"))
    await content.apply(DeletePageInput(page="deep"), CreatePageInput(title="Two"))


async def test_a_space_holds_only_so_many_reusable_contents(
    content: Content, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = await walk_one(
        content.ctx, content.space.id, count((await content.newest()).contents_root)
    )
    monkeypatch.setattr(content_limits, "REUSABLE_CONTENTS", held + 1)
    one = CreateReusableContentInput(ref="note", title="Note")
    await content.apply(one)
    added = await content.refused(PreconditionFailed, one)
    assert "reusable contents" in added.message
    (id,) = [
        id for id, entry in await walk_one(
            content.ctx, content.space.id, scan((await content.newest()).contents_root)
        ) if entry["title"] == "Note"
    ]  # fmt: skip
    # What is there may be changed, and one may take the place of another.
    await content.apply(UpdateReusableContentInput(reusable_content=id, title=Some("Hint")))
    await content.apply(DeleteReusableContentInput(reusable_content=id), one)


async def test_a_space_has_only_so_many_variables(
    content: Content, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"v{number}" for number in range(content_limits.VARIABLES)]
    held = list((await content.newest()).variables)
    await content.apply(SetVariablesInput(set=dict.fromkeys(names, 1), remove=held))
    error = await content.refused(Invalid, SetVariablesInput(set={"more": 1}))
    assert [one.path for one in error.fields] == ["operations[0].setVariables.set"]
    assert "at most 1000 variables" in error.message
    await content.apply(SetVariablesInput(set={"more": 1, "v1": 2}, remove=["v0"]))
    # Spaces that have more from before keep them, but get no others.
    monkeypatch.setattr(content_limits, "VARIABLES", 5)
    await content.apply(SetVariablesInput(set={"v1": 3}))
    await content.refused(Invalid, SetVariablesInput(set={"v0": 1}))


@pytest.mark.parametrize(
    ("variables", "path", "problem"),
    [
        ({"good": 1, "bad": "x" * 257}, "set.bad", "must be text of at most 256 characters"),
        ({"good": 1, "list": [1]}, "set.list", "a number, true or false"),
        ({"good": 1, "no name": 1}, "set", "'no name' is no name of a variable"),
        ({"x" * 99 + "-" * 99: 1}, "set", "'" + "x" * 99 + "-...' is no name"),
    ],
)
async def test_errors_name_the_variable(
    content: Content, variables: Any, path: str, problem: str
) -> None:
    error = await content.refused(Invalid, SetVariablesInput(set=variables))
    assert [one.path for one in error.fields] == [f"operations[0].setVariables.{path}"]
    assert problem in error.message
    error = await content.refused(Invalid, UpdatePageInput(page="home", variables=Some(variables)))
    place = path.replace("set", "variables", 1)
    assert [one.path for one in error.fields] == [f"operations[0].updatePage.{place}"]


async def test_pages_nest_only_so_deep(content: Content, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(content_limits, "DEPTH", 3)
    await content.refused(Invalid, CreatePageInput(title="Four", parent="deep"))
    await content.refused(Invalid, MovePageInput(page="home", parent=Some("group")))
    await content.apply(MovePageInput(page="child", parent=Some("group")))


async def test_what_comes_back_nests_only_so_deep(
    content: Content, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await content.newest()
    await content.apply(DeletePageInput(page="deep"))
    await content.apply(MovePageInput(page="home", parent=Some("group")))
    monkeypatch.setattr(content_limits, "DEPTH", 3)
    await content.refused(Invalid, RevertPageInput(page="deep", revision=first.id))
    monkeypatch.setattr(content_limits, "DEPTH", 4)
    await content.apply(RevertPageInput(page="deep", revision=first.id))


async def test_a_batch_has_operations_with_one_meaning(content: Content) -> None:
    with pytest.raises(Invalid, match="exactly one"):
        await run(
            content.ctx, apply_content_changes,
            ApplyContentChangesInput(
                target=ContentTargetInput(space=content.space.id),
                operations=[ContentOperationInput()],
            ),
        )  # fmt: skip
    error = await content.refused(
        Invalid, CreatePageInput(ref="a", title="A"), CreatePageInput(ref="a", title="B")
    )
    assert error.fields[0].path == "operations[1].createPage.ref"


async def test_updated_at_tells_edits_not_places(content: Content) -> None:
    written = await content.apply(CreatePageInput(title="New"))
    (page,) = written.pages
    assert page.created_at is not None
    assert page.updated_at == page.created_at
    await content.apply(MovePageInput(page="child", parent=Some("group")))
    assert (await content.pages())["child"].updated_at is None
    await content.apply(UpdatePageInput(page="child", icon=Some("x")))
    assert (await content.pages())["child"].updated_at is not None


async def test_many_pages_in_one_place_keep_their_order(content: Content) -> None:
    for start in range(0, 400, 100):
        await content.apply(*[
            CreatePageInput(
                title=f"P{start + number}", parent="group", position=PagePositionInput(index=1)
            )
            for number in range(100)
        ])  # fmt: skip
    pages = await content.pages()
    listed = [page.title for page in pages.values() if page.parent_id == "group"]
    assert listed == ["Link", *[f"P{number}" for number in reversed(range(400))]]
    assert max(len(page.order) for page in pages.values()) <= content_limits.KEY
