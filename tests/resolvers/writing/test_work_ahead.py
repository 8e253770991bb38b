"""Work on bodies is done before a write takes its lock: others need not wait for it."""

from typing import Any

import pytest
from strawberry import ID, Some

from content.documents import limits as document_limits
from content.documents.nodes import Node
from db.models.content import Revision
from db.models.spaces import Space
from db.session import Database, Session
from resolvers.core.errors import Invalid
from resolvers.core.runners import run
from resolvers.drafts import bodies as draft_bodies, page_reverts
from resolvers.drafts.operation_inputs import (
    ApplyContentChangesInput,
    ContentOperationInput,
    CreatePageInput,
    RevertPageInput,
    UpdatePageInput,
)
from resolvers.drafts.page_inputs import (
    BlockEditInput,
    BlocksInput,
    InsertBlocksInput,
    PageBodyInput,
)
from resolvers.revisions import limits as content_limits
from resolvers.revisions.bodies_work import LIGHT, BodiesWork, MuchWork
from resolvers.revisions.states import bodies
from resolvers.revisions.tree import find_page
from resolvers.writing.operations import ContentWrite, apply_content_changes
from tests.conftest import World, context
from tests.held_work import Held, held, make_little_much
from tests.resolvers.writing.test_concurrent_writes import ContentTargetInput, apply, space

__all__ = ["space"]
# More than a write works on under its lock here.
BLOCKS = 200
# What the nodes of a write are bounded to here, instead of 100,000.
NODES = 1_000
LARGE = "".join(f"{number}\n\n" for number in range(BLOCKS))


async def document(session: Session, space_id: str, id: str) -> Node:
    """The body of a page as the space has it now."""
    session.expunge_all()
    ctx = context(session)
    place = await session.get_one(Space, space_id)
    revision = await session.get_one(Revision, place.revision_id)
    page = await find_page(ctx, revision, id)
    assert page is not None
    (body,) = await bodies(ctx, [(space_id, page.document_id)])
    assert body is not None
    await session.commit()
    return body.document


class Writers:
    """A large write, and others that write while it is at work."""

    def __init__(
        self, database: Database, world: World, space: Space, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.database, self.world, self.monkeypatch = database, world, monkeypatch
        self.target = ContentTargetInput(space=ID(space.id))

    async def write(self, *operations: Any) -> ContentWrite:
        return await apply(self.database, self.world, self.target, *operations)

    async def begun(self, *operations: Any, work: str = "parse_with_style") -> Held:
        """A write that is at work on a body."""
        return await held(self.monkeypatch, self.write(*operations), work)


@pytest.fixture
def writers(
    database: Database, world: World, space: Space, monkeypatch: pytest.MonkeyPatch
) -> Writers:
    make_little_much(monkeypatch)
    return Writers(database, world, space, monkeypatch)


@pytest.fixture
def few_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(content_limits, "NODES", NODES)


def body(markdown: str, id: str = "home") -> UpdatePageInput:
    return UpdatePageInput(page=ID(id), body=PageBodyInput(markdown=markdown))


async def test_others_write_while_a_large_body_is_read(writers: Writers, session: Session) -> None:
    large = await writers.begun(body(LARGE))
    made = [await writers.write(CreatePageInput(title=f"Page {number}")) for number in range(3)]
    written = await large.result()
    assert written.revision.parents == [made[-1].revision.id]
    found = await document(session, written.revision.space_id, "home")
    assert len(found["nodes"]) == BLOCKS  # type: ignore[arg-type]


async def test_a_body_that_changed_meanwhile_is_worked_on_again(
    writers: Writers, session: Session
) -> None:
    large = await writers.begun(body(LARGE))
    other = await writers.write(body("A block of another writer\n\n7"))
    space_id = other.revision.space_id
    before = await document(session, space_id, "home")
    await large.result()
    after = await document(session, space_id, "home")
    assert len(after["nodes"]) == BLOCKS  # type: ignore[arg-type]
    # The keys of what the other writer left, not of what was there before.
    assert before["nodes"][1]["key"] == after["nodes"][7]["key"]  # type: ignore[index, call-overload]


async def test_links_lead_to_what_came_meanwhile(writers: Writers, session: Session) -> None:
    large = await writers.begun(body(LARGE + "[later](/new-page)\n\n[named](/guide)"))
    other = await writers.write(CreatePageInput(title="New page"))
    await large.result()
    found = await document(session, other.revision.space_id, "home")
    link = found["nodes"][-2]["nodes"][0]  # type: ignore[index, call-overload]
    assert link["data"]["ref"] == {"kind": "page", "page": other.pages[0].id}


async def test_an_edit_of_a_large_body_does_not_hold_others_up(
    writers: Writers, session: Session
) -> None:
    await writers.write(body(LARGE))
    insert = InsertBlocksInput(content=BlocksInput(markdown="A new block"))
    edits = PageBodyInput(edits=[BlockEditInput(insert=insert)])
    edit = UpdatePageInput(page=ID("home"), body=edits)
    large = await writers.begun(edit, work="rewrite_markdown")
    made = await writers.write(UpdatePageInput(page=ID("home"), title=Some("Another")))
    written = await large.result()
    assert written.revision.parents == [made.revision.id]
    found = await document(session, written.revision.space_id, "home")
    assert len(found["nodes"]) == BLOCKS + 1  # type: ignore[arg-type]


@pytest.mark.parametrize("blocks", [True, False])
async def test_a_page_is_taken_back_once(
    writers: Writers, session: Session, monkeypatch: pytest.MonkeyPatch, blocks: bool
) -> None:
    first = await writers.write(body("## One\n\n" + LARGE))
    space_id = first.revision.space_id
    found: Any = await document(session, space_id, "home")
    heading = found["nodes"][0]
    await writers.write(body("## Two\n\n" + LARGE))
    module, name = (draft_bodies, "rewrite_markdown") if blocks else (page_reverts, "carry_aliases")
    work, locked = getattr(module, name), list[bool]()

    def counted(*given: Any, **named: Any) -> Any:
        locked.append(ctx.writing)
        return work(*given, **named)

    monkeypatch.setattr(module, name, counted)
    revert = RevertPageInput(
        page=ID("home"),
        revision=ID(first.revision.id),
        blocks=[heading["key"]] if blocks else None,
    )
    async with writers.database.session() as own:
        batch = ApplyContentChangesInput(
            target=writers.target, operations=[ContentOperationInput(revert_page=revert)]
        )
        ctx = context(own, writers.world.editor)
        await run(ctx, apply_content_changes, batch)
    assert locked == [False]
    after: Any = await document(session, space_id, "home")
    assert after["nodes"][0]["nodes"] == heading["nodes"]


@pytest.mark.parametrize(
    "markdown", ["a\n\n" * 50_001, "- a\n" * 237_000, "a\r\r" * 300_000],
    ids=["paragraphs", "items", "old ends"],
)  # fmt: skip
async def test_too_many_lines_are_refused_before_they_are_parsed(
    writers: Writers, monkeypatch: pytest.MonkeyPatch, markdown: str
) -> None:
    parse, parsed = draft_bodies.parse_with_style, list[int]()

    def counted(text: str, **options: Any) -> Any:
        parsed.append(len(text))
        return parse(text, **options)

    monkeypatch.setattr(draft_bodies, "parse_with_style", counted)
    with pytest.raises(Invalid) as caught:
        await writers.write(body("Text"), body(markdown))
    (error,) = caught.value.fields
    assert error.path == "operations[1].updatePage.body.markdown"
    lines = sum(bool(line.strip()) for line in markdown.splitlines())
    assert f"has {lines:,} lines" in error.message
    assert f"at most {document_limits.LINES:,} are allowed" in error.message
    assert len(markdown) not in parsed


async def test_blank_and_wrapped_lines_within_the_bound_are_written(writers: Writers) -> None:
    await writers.write(body("a\n" * document_limits.LINES + "\n" * 100_000))


@pytest.mark.usefixtures("few_nodes")
@pytest.mark.parametrize("markdown", ["- a\n" * 400, "[a](b) " * 340], ids=["items", "links"])
async def test_too_many_nodes_are_refused(writers: Writers, markdown: str) -> None:
    with pytest.raises(Invalid) as caught:
        await writers.write(body("Text"), body(markdown))
    (error,) = caught.value.fields
    assert error.path == "operations[1].updatePage.body.markdown"
    assert f"at most {NODES} nodes" in error.message


@pytest.mark.usefixtures("few_nodes")
async def test_the_nodes_of_all_texts_of_a_write_count(writers: Writers) -> None:
    half = "a\n\n" * 260
    await writers.write(CreatePageInput(title="A", body=PageBodyInput(markdown=half)))
    with pytest.raises(Invalid) as caught:
        await writers.write(
            body(half), CreatePageInput(title="B", body=PageBodyInput(markdown=half))
        )
    (error,) = caught.value.fields
    assert error.path == "operations[1].createPage.body.markdown"


async def test_work_beyond_the_bound_is_for_another_time() -> None:
    work = BodiesWork()
    assert await work.do(LIGHT * 9, lambda: "made", "key") == "made"
    work.bound(LIGHT)
    assert await work.do(LIGHT * 9, lambda: "anew", "key") == "made"
    await work.do(LIGHT, lambda: None)
    with pytest.raises(MuchWork):
        await work.do(1, lambda: None)
