"""Comments on pages and on parts of pages."""

from typing import Any

import pytest
from sqlalchemy import select, update

from content.markdown.parser import parse_document
from content.ordering import spread
from db.content_enums import PageType
from db.models.change_requests import ChangeRequest
from db.models.comments import Comment
from db.models.content import Revision
from db.models.spaces import Space
from db.session import Session
from resolvers.change_requests.bodies import CommentBodyInput
from resolvers.comments import operations as comments
from resolvers.comments.operations import PostCommentInput, TableCellInput
from resolvers.comments.targets import TargetPage, target_cells, target_nodes, target_pages
from resolvers.core.errors import Invalid, NotFound
from resolvers.core.runners import run
from resolvers.revisions.rows import Page
from resolvers.revisions.states import Changes, write_revision
from tests.conftest import Queries, World, context, settle
from tests.factories import make_change_request, make_comment, make_space

TEXT = "A long text. " * 12
BODY: Any = parse_document(TEXT, seed="start")
KEY: str = BODY["nodes"][0]["key"]


async def with_pages(session: Session, world: World) -> Space:
    """A space with the page `guide` and `start` below it, which has a text."""
    space = await make_space(session, world.organization)
    ctx = context(session, world.admin)
    changes = Changes()
    for id, parent in (("guide", None), ("start", "guide")):
        document = changes.add_document(TEXT, parse_document(TEXT, seed=id))
        changes.pages[id] = Page(
            space_id=space.id,
            revision_id="",
            id=id,
            type=PageType.DOCUMENT,
            title=id.capitalize(),
            parent_id=parent,
            order=spread(1)[0],
            slug=id,
            emoji="1f4d8",
            document_id=document,
        )
    space.revision_id = (await write_revision(ctx, space.id, None, changes)).id
    await session.flush()
    return space


async def remove_page(session: Session, model: Any, row: Any, id: str) -> None:
    """Give a space or change request a revision without the page `start`."""
    await session.begin_write()
    parent = (
        await session.execute(select(Revision).where(Revision.id == row.revision_id))
    ).scalar_one()
    changes = Changes()
    changes.pages[id] = None
    space_id = getattr(row, "space_id", row.id)
    revision = await write_revision(context(session), space_id, parent, changes)
    await session.execute(update(model).where(model.id == row.id).values(revision_id=revision.id))
    await settle(session)


def about(page: str | None = None, node: str | None = None, cell: Any = None) -> PostCommentInput:
    body = CommentBodyInput(markdown="About this")
    return PostCommentInput(body=body, page=page, node=node, table_cell=cell)


@pytest.mark.parametrize("in_request", [False, True])
async def test_targets(session: Session, world: World, in_request: bool) -> None:
    space = await with_pages(session, world)
    request = await make_change_request(session, space, world.editor)
    await settle(session)
    path = {"change_request_id": "1"} if in_request else {}
    ctx = context(session, world.commenter)

    async def post(target: PostCommentInput) -> Comment:
        return await run(ctx, comments.post_comment, space.id, target, **path)

    whole = await post(about())
    page = await post(about("start"))
    node = await post(about("start", KEY))
    cell = await post(about("start", KEY, TableCellInput(record="r", definition="d")))
    rows = [whole, page, node, cell]
    shown = TargetPage("start", "Start", "1f4d8", None, None, None, "guide/start", False)
    assert await target_pages(ctx, rows, None) == [None, shown, shown, shown]
    previews = [one and one.preview for one in await target_nodes(ctx, rows, None)]
    assert previews[:2] == [None, None]
    assert previews[2] is not None
    assert len(previews[2]) == 100
    cells = [one and (one.record, one.definition) for one in await target_cells(ctx, rows, None)]
    assert cells == [None, None, None, ("r", "d")]
    await settle(session)
    model, row = (ChangeRequest, request) if in_request else (Space, space)
    await remove_page(session, model, row, "start")
    gone = TargetPage("start", "Start", "1f4d8", None, None, None, "guide/start", True)
    assert await target_pages(ctx, rows, None) == [None, gone, gone, gone]
    await settle(session)
    with pytest.raises(NotFound, match="page"):
        await post(about("start"))


@pytest.mark.parametrize(
    ("target", "error", "path"),
    [
        (about("nowhere"), NotFound, "page: "),
        (about("start", "nothing"), NotFound, "node: "),
        (about(None, "node"), Invalid, "node: "),
        (about(None, None, TableCellInput(record="r", definition="d")), Invalid, "tableCell: "),
        (about("start", None, TableCellInput(record="r", definition="d")), Invalid, "tableCell: "),
    ],
)
async def test_wrong_targets(
    session: Session, world: World, target: PostCommentInput, error: Any, path: str
) -> None:
    space = await with_pages(session, world)
    await settle(session)
    with pytest.raises(error, match=path):
        await run(context(session, world.commenter), comments.post_comment, space.id, target)


@pytest.mark.parametrize("count", [1, 30])
async def test_pages_of_many_comments_cost_the_same(
    session: Session, world: World, queries: Queries, count: int
) -> None:
    space = await with_pages(session, world)
    rows = [await make_comment(session, space, world.editor, page_id="start") for _ in range(count)]
    await settle(session)
    ctx = context(session, world.reader)
    await target_pages(ctx, rows, None)
    # The present revision of the space, the revisions; their nodes are in the cache by now.
    with queries(2):
        found = await target_pages(ctx, rows, None)
    assert [page and page.path for page in found] == ["guide/start"] * count
