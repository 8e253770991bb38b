"""Comments and replies as operations: both families, rights, resolving, lists, concurrency."""

import asyncio
import datetime as dt
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from sqlalchemy import select, update
from strawberry import Some

from db.content_enums import ChangeRequestStatus, CommentStatus, CommentStatusFilter
from db.enums import SortOrder
from db.models.change_requests import ChangeRequest, Contributor
from db.models.comments import Comment, Reaction
from db.models.organizations import User
from db.models.spaces import Space
from db.session import Database, Session
from resolvers.change_requests import operations as change_requests
from resolvers.change_requests.bodies import CommentBodyInput
from resolvers.comments import fields as comment_lists, operations as comments
from resolvers.comments.fields import CommentArguments, CommentRights, comment_rights
from resolvers.comments.operations import (
    PostCommentInput,
    PostCommentReplyInput,
    UpdateCommentInput,
    UpdateCommentReplyInput,
)
from resolvers.core.context import Context
from resolvers.core.errors import Forbidden, Invalid, NotFound
from resolvers.core.pagination import PageArguments
from resolvers.core.runners import read, run
from resolvers.spaces import operations as spaces
from tests.conftest import Queries, World, context, settle
from tests.deleting import removes
from tests.factories import make_change_request, make_comment, make_space

LONG_AGO = dt.datetime(2020, 1, 1, tzinfo=dt.UTC)
FAMILIES = pytest.mark.parametrize("in_request", [False, True], ids=["space", "request"])


def says(text: str) -> CommentBodyInput:
    return CommentBodyInput(markdown=text)


def new(text: str = "Hello", **target: Any) -> PostCommentInput:
    return PostCommentInput(body=says(text), **target)


def reply(text: str = "Yes") -> PostCommentReplyInput:
    return PostCommentReplyInput(body=says(text))


class Place:
    """A space with a change request, and one of the two families of comments."""

    def __init__(self, space: Space, request: ChangeRequest, in_request: bool) -> None:
        self.space_id = space.id
        self.request_id = request.id
        self.request = request if in_request else None
        self.space = space

    @property
    def path(self) -> dict[str, str]:
        return {} if self.request is None else {"change_request_id": self.request_id}


async def place(session: Session, world: World, in_request: bool = False) -> Place:
    space = await make_space(session, world.organization)
    request = await make_change_request(session, space, world.editor, updated_at=LONG_AGO)
    return Place(space, request, in_request)


async def listed(ctx: Context, where: Place, **filters: Any) -> list[str]:
    arguments = CommentArguments(**filters)
    if where.request is None:
        space = await read(ctx, spaces.get_space, where.space_id)
        (part,) = await comment_lists.comments_of_spaces(ctx, [space], arguments)
    else:
        request = await read(
            ctx, change_requests.get_change_request, where.space_id, where.request_id
        )
        (part,) = await comment_lists.comments_of_change_requests(ctx, [request], arguments)
    return [row.markdown for row in part.rows]


async def request_updated(session: Session, where: Place) -> bool:
    statement = select(ChangeRequest.updated_at).where(ChangeRequest.id == where.request_id)
    moved = (await session.execute(statement)).scalar_one() != LONG_AGO
    await settle(session)
    return bool(moved)


@FAMILIES
async def test_the_life_of_a_comment(session: Session, world: World, in_request: bool) -> None:
    where = await place(session, world, in_request)
    await settle(session)
    ctx = context(session, world.commenter)
    comment = await run(ctx, comments.post_comment, where.space_id, new("First"), **where.path)
    assert (comment.markdown, comment.status) == ("First", CommentStatus.OPEN)
    assert comment.document["nodes"][0]["type"] == "paragraph"
    assert comment.posted_by_id == world.commenter.id
    assert comment.revision_id == where.space.revision_id
    assert await listed(ctx, where) == ["First"]
    key = (where.space_id, comment.id)
    answer = await run(ctx, comments.reply_to_comment, *key, reply("Second"), **where.path)
    assert (answer.parent_id, answer.markdown) == (comment.id, "Second")
    assert await listed(ctx, where) == ["First"], "replies are not listed as comments"
    edited = await run(
        ctx,
        comments.update_comment,
        *key,
        UpdateCommentInput(body=Some(says("Better"))),
        **where.path,
    )
    assert edited.markdown == "Better"
    assert edited.edited_at is not None
    assert await removes(ctx, comments.delete_comment, *key, **where.path) is True
    assert await removes(ctx, comments.delete_comment, *key, **where.path) is False
    left = (await session.execute(select(Comment.id))).all()
    assert left == [], "replies go with their comment"


@FAMILIES
async def test_a_comment_belongs_to_its_place(
    session: Session, world: World, in_request: bool
) -> None:
    """A comment is found under its own space, change request and comment only."""
    where = await place(session, world, in_request)
    elsewhere = await place(session, world, in_request)
    sibling = await make_change_request(session, where.space, world.editor)
    request = where.request
    comment = await make_comment(session, where.space, world.admin, request)
    other = await make_comment(session, where.space, world.admin, request)
    answer = await make_comment(session, where.space, world.admin, request, comment)
    await settle(session)
    ctx = context(session, world.admin)
    wrong: list[tuple[str, dict[str, str]]] = [
        (elsewhere.space_id, elsewhere.path),
        (elsewhere.space_id, where.path),
        (where.space_id, {"change_request_id": sibling.id}),
        (where.space_id, {"change_request_id": "99"}),
        (where.space_id, {} if in_request else {"change_request_id": where.request_id}),
    ]
    for space_id, path in wrong:
        with pytest.raises(NotFound):
            await read(ctx, comments.get_comment, space_id, comment.id, **path)
        with pytest.raises(NotFound):
            await read(ctx, comments.get_comment_reply, space_id, comment.id, answer.id, **path)
        for operation, arguments in (
            (comments.update_comment, (comment.id, UpdateCommentInput())),
            (comments.reply_to_comment, (comment.id, reply())),
            (
                comments.update_comment_reply,
                (comment.id, answer.id, UpdateCommentReplyInput()),
            ),
        ):
            with pytest.raises(NotFound):
                await run(ctx, operation, space_id, *arguments, **path)
    here = (where.space_id,)
    with pytest.raises(NotFound):
        await read(ctx, comments.get_comment, *here, answer.id, **where.path)
    for parent, child in ((other.id, answer.id), (answer.id, answer.id), (comment.id, other.id)):
        with pytest.raises(NotFound):
            await read(ctx, comments.get_comment_reply, *here, parent, child, **where.path)
        assert not await removes(
            ctx, comments.delete_comment_reply, *here, parent, child, **where.path
        )
    assert not await removes(ctx, comments.delete_comment, *here, answer.id, **where.path)
    found = await read(ctx, comments.get_comment_reply, *here, comment.id, answer.id, **where.path)
    assert found.id == answer.id
    if in_request:
        by_number = {"change_request_id": "1"}
        assert (await read(ctx, comments.get_comment, *here, comment.id, **by_number)).id


NOBODYS = CommentRights(
    view=True, reply=False, react=False, edit=False, resolve=False, delete=False
)
WRITERS = CommentRights(view=True, reply=True, react=True, edit=False, resolve=False, delete=False)
EDITORS = CommentRights(view=True, reply=True, react=True, edit=False, resolve=True, delete=False)
EVERYTHING = CommentRights(view=True, reply=True, react=True, edit=True, resolve=True, delete=True)
RIGHTS = {
    "reader": NOBODYS,
    "commenter": WRITERS,
    "editor": EDITORS,
    "reviewer": EDITORS,
    "creator": EVERYTHING,
    "admin": EVERYTHING,
}


@pytest.mark.parametrize(("name", "expected"), RIGHTS.items())
async def test_rights_on_the_comments_of_others(
    session: Session, world: World, name: str, expected: CommentRights
) -> None:
    """What is shown as a right is exactly what the operations allow."""
    where = await place(session, world)
    await make_comment(session, where.space, world.outsider)
    await settle(session)
    ctx = context(session, world.people()[name])
    statement = select(Comment)
    comment = (await session.execute(statement)).scalar_one()
    await settle(session)
    assert await allowed(ctx, where, comment.id) == expected


@pytest.mark.parametrize(
    ("name", "expected"), [("reader", NOBODYS), ("commenter", EVERYTHING), ("editor", EVERYTHING)]
)
async def test_rights_on_the_own_comments(
    session: Session, world: World, name: str, expected: CommentRights
) -> None:
    where = await place(session, world)
    author = world.people()[name]
    comment = await make_comment(session, where.space, author)
    await settle(session)
    assert await allowed(context(session, author), where, comment.id) == expected


async def allowed(ctx: Context, where: Place, comment_id: str) -> CommentRights:
    """The rights that the operations grant; they must equal those that are shown."""
    comment = await read(ctx, comments.get_comment, where.space_id, comment_id)
    (shown,) = await comment_rights(ctx, [comment], None)
    await ctx.session.commit()

    async def may(operation: Callable[..., Awaitable[Any]], *arguments: Any) -> bool:
        try:
            await run(ctx, operation, where.space_id, comment_id, *arguments)
        except Forbidden:
            return False
        return True

    update = comments.update_comment
    tried = CommentRights(
        view=True,
        reply=await may(comments.reply_to_comment, reply()),
        react=await may(update, UpdateCommentInput(added_reactions=["👍"])),
        resolve=await may(update, UpdateCommentInput(resolved=Some(True))),
        edit=await may(update, UpdateCommentInput(body=Some(says("Changed")))),
        delete=await may(comments.delete_comment),
    )
    assert tried == shown
    return shown


@pytest.mark.parametrize("name", ["guest", "outsider"])
@FAMILIES
async def test_others_do_not_learn_of_comments(
    session: Session, world: World, name: str, in_request: bool
) -> None:
    where = await place(session, world, in_request)
    comment = await make_comment(session, where.space, world.editor, where.request)
    await settle(session)
    ctx = context(session, world.people()[name])
    key = (where.space_id, comment.id)
    with pytest.raises(NotFound):
        await read(ctx, comments.get_comment, *key, **where.path)
    with pytest.raises(NotFound):
        await run(ctx, comments.post_comment, where.space_id, new(), **where.path)
    with pytest.raises(NotFound):
        await run(ctx, comments.update_comment, *key, UpdateCommentInput(), **where.path)


@FAMILIES
async def test_resolving_and_reopening(session: Session, world: World, in_request: bool) -> None:
    where = await place(session, world, in_request)
    comment = await make_comment(session, where.space, world.commenter, where.request)
    await settle(session)
    key = (where.space_id, comment.id)

    async def resolve(person: User, value: bool) -> Comment:
        change = UpdateCommentInput(resolved=Some(value))
        return await run(
            context(session, person), comments.update_comment, *key, change, **where.path
        )

    closed = await resolve(world.editor, True)
    when = closed.resolved_at
    assert (closed.status, closed.resolved_by_id) == (CommentStatus.RESOLVED, world.editor.id)
    assert when is not None
    assert closed.edited_at is None, "only another text counts as an edit"
    again = await resolve(world.creator, True)
    assert (again.resolved_by_id, again.resolved_at) == (world.editor.id, when)
    ctx = context(session, world.commenter)
    await run(ctx, comments.reply_to_comment, *key, reply(), **where.path)
    still = await read(ctx, comments.get_comment, *key, **where.path)
    assert still.status is CommentStatus.RESOLVED
    opened = await resolve(world.commenter, False)
    assert (opened.status, opened.resolved_at, opened.resolved_by_id) == (
        CommentStatus.OPEN,
        None,
        None,
    )


async def test_bodies(session: Session, world: World) -> None:
    where = await place(session, world)
    await settle(session)
    ctx = context(session, world.commenter)
    paragraph = {
        "object": "block",
        "type": "paragraph",
        "key": "own-key",
        "nodes": [
            {"object": "text", "leaves": [{"text": "So ", "marks": []}]},
            {
                "object": "inline",
                "type": "mention",
                "data": {"ref": {"kind": "user", "user": "u1"}},
            },
        ],
    }
    document: Any = {"object": "document", "data": {}, "nodes": [paragraph]}
    post = PostCommentInput(body=CommentBodyInput(document=document))
    comment = await run(ctx, comments.post_comment, where.space_id, post)
    assert comment.markdown == 'So [@u1](docstead:user?user=u1 "mention")'
    stored = comment.document["nodes"][0]
    assert stored["key"] == "own-key"
    assert all(len(node["key"]) == 20 for node in stored["nodes"])
    wrong: list[tuple[CommentBodyInput, str]] = [
        (CommentBodyInput(), "body"),
        (says(""), "body"),
        (says(" \n\t "), "body"),
        (CommentBodyInput(markdown="x", document=document), "body"),
        (CommentBodyInput(document={"object": "page", "nodes": []}), "body.document.object"),  # type: ignore[arg-type]
        (CommentBodyInput(document={"object": "document", "nodes": []}), "body"),  # type: ignore[arg-type]
    ]
    for body, path in wrong:
        with pytest.raises(Invalid) as caught:
            await run(ctx, comments.post_comment, where.space_id, PostCommentInput(body=body))
        assert [problem.path for problem in caught.value.fields] == [path]


@FAMILIES
async def test_equal_text_is_no_edit(session: Session, world: World, in_request: bool) -> None:
    where = await place(session, world, in_request)
    await settle(session)
    ctx = context(session, world.commenter)
    comment = await run(ctx, comments.post_comment, where.space_id, new("Same"), **where.path)
    same = UpdateCommentInput(body=Some(says("Same")))
    found = await run(ctx, comments.update_comment, where.space_id, comment.id, same, **where.path)
    assert found.edited_at is None


async def test_what_moves_the_change_request(session: Session, world: World) -> None:
    where = await place(session, world, in_request=True)
    await settle(session)
    ctx = context(session, world.creator)

    async def reset() -> None:
        await session.begin_write()
        await session.execute(update(ChangeRequest).values(updated_at=LONG_AGO))
        await session.commit()

    path = where.path
    comment = await run(ctx, comments.post_comment, where.space_id, new(), **path)
    assert await request_updated(session, where)
    key = (where.space_id, comment.id)
    for change, moves in (
        (UpdateCommentInput(), False),
        (UpdateCommentInput(resolved=Some(True)), True),
        (UpdateCommentInput(resolved=Some(True)), False),
        (UpdateCommentInput(added_reactions=["👍"]), True),
        (UpdateCommentInput(added_reactions=["1f44d"]), False),
        (UpdateCommentInput(body=Some(says("Other"))), True),
    ):
        await reset()
        await run(ctx, comments.update_comment, *key, change, **path)
        assert await request_updated(session, where) is moves
    await reset()
    answer = await run(ctx, comments.reply_to_comment, *key, reply(), **path)
    assert await request_updated(session, where)
    await reset()
    await run(ctx, comments.delete_comment_reply, *key, answer.id, **path)
    assert await request_updated(session, where)
    await reset()
    await run(ctx, comments.delete_comment, *key, **path)
    assert await request_updated(session, where)
    contributors = (await session.execute(select(Contributor))).scalars().all()
    assert [(row.user_id, row.count) for row in contributors] == [(world.creator.id, 2)]


@pytest.mark.parametrize("status", [ChangeRequestStatus.MERGED, ChangeRequestStatus.ARCHIVED])
async def test_closed_requests_take_comments(
    session: Session, world: World, status: ChangeRequestStatus
) -> None:
    where = await place(session, world, in_request=True)
    where.request and setattr(where.request, "status", status)
    await settle(session)
    ctx = context(session, world.commenter)
    comment = await run(ctx, comments.post_comment, where.space_id, new(), **where.path)
    assert comment.change_request_id == where.request_id


@FAMILIES
async def test_in_the_bin_creators_read_and_nobody_writes(
    session: Session, world: World, in_request: bool
) -> None:
    where = await place(session, world, in_request)
    comment = await make_comment(session, where.space, world.creator, where.request)
    where.space.deleted_at = dt.datetime.now(dt.UTC)
    await settle(session)
    key = (where.space_id, comment.id)
    creator = context(session, world.creator)
    found = await read(creator, comments.get_comment, *key, **where.path)
    (rights,) = await comment_rights(creator, [found], None)
    assert rights == NOBODYS
    assert await listed(creator, where) == [found.markdown]
    for operation, arguments in (
        (comments.post_comment, (where.space_id, new())),
        (comments.update_comment, (*key, UpdateCommentInput())),
        (comments.delete_comment, key),
        (comments.reply_to_comment, (*key, reply())),
    ):
        with pytest.raises(NotFound):
            await run(creator, operation, *arguments, **where.path)
    with pytest.raises(NotFound):
        await read(context(session, world.editor), comments.get_comment, *key, **where.path)


@FAMILIES
async def test_lists(session: Session, world: World, in_request: bool) -> None:
    where = await place(session, world, in_request)
    people = [world.editor, world.commenter, world.editor, world.creator]
    for index, person in enumerate(people):
        status = CommentStatus.RESOLVED if index == 2 else CommentStatus.OPEN
        page = "page-a" if index < 2 else None
        await make_comment(
            session, where.space, person, where.request,
            id=str(index) * 20, markdown=str(index), status=status, page_id=page,
        )  # fmt: skip
    other = (
        None
        if where.request is not None
        else await make_change_request(session, where.space, world.editor)
    )
    await make_comment(session, where.space, world.editor, other, markdown="other family")
    await settle(session)
    ctx = context(session, world.reader)
    assert await listed(ctx, where) == ["3", "2", "1", "0"]
    assert await listed(ctx, where, order=SortOrder.ASC) == ["0", "1", "2", "3"]
    assert await listed(ctx, where, status=CommentStatusFilter.OPEN) == ["3", "1", "0"]
    assert await listed(ctx, where, status=CommentStatusFilter.RESOLVED) == ["2"]
    assert await listed(ctx, where, status=CommentStatusFilter.ALL, first=1) == ["3"]
    assert await listed(ctx, where, target_page="page-a") == ["1", "0"]
    authors = (world.editor.id, world.creator.id)
    assert await listed(ctx, where, authors=authors) == ["3", "2", "0"]
    assert await listed(ctx, where, authors=authors, status=CommentStatusFilter.OPEN) == ["3", "0"]


async def test_replies_are_listed_oldest_first(session: Session, world: World) -> None:
    where = await place(session, world)
    comment = await make_comment(session, where.space, world.editor)
    for text in "abc":
        await make_comment(
            session, where.space, world.editor, None, comment, id=text * 20, markdown=text
        )
    await settle(session)
    ctx = context(session, world.reader)
    found = await read(ctx, comments.get_comment, where.space_id, comment.id)
    (part,) = await comment_lists.replies_of_comments(ctx, [found], PageArguments(first=2))
    assert ([row.markdown for row in part.rows], part.has_next) == (["a", "b"], True)
    after = PageArguments(after=part.next_cursor)
    (rest,) = await comment_lists.replies_of_comments(ctx, [found], after)
    assert [row.markdown for row in rest.rows] == ["c"]
    assert await comment_lists.reply_counts(ctx, [found], None) == [3]


async def test_counters_count_open_comments_only(session: Session, world: World) -> None:
    where = await place(session, world, in_request=True)
    request = where.request
    comment = await make_comment(session, where.space, world.editor, request)
    await make_comment(session, where.space, world.editor, request, comment)
    await make_comment(session, where.space, world.editor, request, status=CommentStatus.RESOLVED)
    await make_comment(session, where.space, world.editor)
    await settle(session)
    ctx = context(session, world.reader)
    found = await read(ctx, change_requests.get_change_request, where.space_id, where.request_id)
    assert await comment_lists.open_comments_on_change_requests(ctx, [found], None) == [1]


@pytest.mark.parametrize("count", [1, 30])
async def test_computed_fields_cost_one_statement_each(
    session: Session, world: World, queries: Queries, count: int
) -> None:
    where = await place(session, world)
    for _ in range(count):
        comment = await make_comment(session, where.space, world.editor)
        await make_comment(session, where.space, world.editor, None, comment)
    await settle(session)
    ctx = context(session, world.reader)
    space = await read(ctx, spaces.get_space, where.space_id)
    with queries(1):
        (part,) = await comment_lists.comments_of_spaces(ctx, [space], CommentArguments())
    assert len(part.rows) == count
    with queries(1):
        await comment_rights(ctx, part.rows, None)
    with queries(1):
        assert await comment_lists.reply_counts(ctx, part.rows, None) == [1] * count
    with queries(1):
        await comment_lists.replies_of_comments(ctx, part.rows, PageArguments(first=5))


# ------------------------------------------------------------------ at the same time


@FAMILIES
async def test_posts_at_once(
    database: Database, session: Session, world: World, in_request: bool
) -> None:
    where = await place(session, world, in_request)
    await settle(session)

    async def post(person: User, text: str) -> None:
        async with database.session() as own:
            ctx = context(own, person)
            await run(ctx, comments.post_comment, where.space_id, new(text), **where.path)

    people = [world.editor, world.commenter]
    await asyncio.gather(*(post(people[index % 2], str(index)) for index in range(10)))
    found = await listed(context(session, world.reader), where)
    assert sorted(found) == [str(index) for index in range(10)]
    counts = dict((await session.execute(select(Contributor.user_id, Contributor.count))).all())
    assert counts == ({person.id: 5 for person in people} if in_request else {})


@FAMILIES
async def test_resolving_twice_at_once(
    database: Database, session: Session, world: World, in_request: bool
) -> None:
    where = await place(session, world, in_request)
    comment = await make_comment(session, where.space, world.editor, where.request)
    await settle(session)

    async def resolve(person: User) -> str | None:
        async with database.session() as own:
            change = UpdateCommentInput(resolved=Some(True))
            found = await run(
                context(own, person),
                comments.update_comment, where.space_id, comment.id, change, **where.path,
            )  # fmt: skip
            return found.resolved_by_id

    first, second = await asyncio.gather(resolve(world.editor), resolve(world.creator))
    assert first == second, "whoever came second finds it resolved"


async def test_reactions_at_once(database: Database, session: Session, world: World) -> None:
    where = await place(session, world)
    comment = await make_comment(session, where.space, world.editor)
    await settle(session)

    async def react(person: User, emoji: str) -> None:
        async with database.session() as own:
            change = UpdateCommentInput(added_reactions=[emoji])
            ctx = context(own, person)
            await run(ctx, comments.update_comment, where.space_id, comment.id, change)

    # The same person in two ways at once, and another one.
    await asyncio.gather(
        react(world.editor, "👍"), react(world.editor, "1f44d"), react(world.creator, "👍")
    )
    rows = (await session.execute(select(Reaction.user_id, Reaction.code_points))).all()
    assert sorted(tuple(row) for row in rows) == sorted(
        (person.id, "1f44d") for person in (world.editor, world.creator)
    )


@FAMILIES
async def test_deleting_while_somebody_replies(
    database: Database, session: Session, world: World, in_request: bool
) -> None:
    where = await place(session, world, in_request)
    made = [
        await make_comment(session, where.space, world.creator, where.request) for _ in range(4)
    ]
    await settle(session)

    async def attempt(operation: Any, comment: Comment, *arguments: Any) -> str:
        async with database.session() as own:
            ctx = context(own, world.creator)
            key = (where.space_id, comment.id)
            try:
                await run(ctx, operation, *key, *arguments, **where.path)
            except NotFound:
                return "not found"
            return "done"

    outcomes = await asyncio.gather(
        *(attempt(comments.reply_to_comment, comment, reply()) for comment in made),
        *(attempt(comments.delete_comment, comment) for comment in made),
    )
    assert outcomes[4:] == ["done"] * 4
    left = (await session.execute(select(Comment.id))).all()
    assert left == [], "no reply outlives its comment"
