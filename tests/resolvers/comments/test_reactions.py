"""Reactions and commenters."""

import datetime as dt
from typing import Any

import pytest
from sqlalchemy import delete, select

from content.emoji import code_points
from db.models.change_requests import ChangeRequest
from db.models.comments import Comment, Reaction
from db.models.organizations import Member, User
from db.session import Session
from resolvers.change_requests import operations as change_requests
from resolvers.comments import fields, operations as comments
from resolvers.comments.operations import UpdateCommentInput
from resolvers.comments.reactions import comment_reactions
from resolvers.core.context import Context
from resolvers.core.errors import Invalid
from resolvers.core.pagination import PageArguments, total_counts
from resolvers.core.runners import read, run
from resolvers.spaces import operations as spaces
from tests.conftest import Api, Queries, World, context, settle
from tests.factories import make_change_request, make_comment, make_member, make_space

START = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)


async def shown(ctx: Context, comment: Comment) -> list[tuple[str, int, list[str]]]:
    (found,) = await comment_reactions(ctx, [comment], None)
    await ctx.session.commit()
    return [(one.emoji, one.count, [user.user_id for user in one.users]) for one in found]


async def test_reactions_count_once_per_person_and_emoji(session: Session, world: World) -> None:
    space = await make_space(session, world.organization)
    comment = await make_comment(session, space, world.editor)
    await settle(session)
    clock = iter(range(100))

    async def react(person: User, **changes: Any) -> None:
        ctx = context(session, person)
        moment = START + dt.timedelta(minutes=next(clock))
        ctx.clock = lambda: moment
        change = UpdateCommentInput(**changes)
        await run(ctx, comments.update_comment, space.id, comment.id, change)

    ctx = context(session, world.reader)
    editor, admin = world.editor.id, world.admin.id
    await react(world.editor, added_reactions=["1f44d"])
    await react(world.admin, added_reactions=["❤️", "👍"])
    assert await shown(ctx, comment) == [("1f44d", 2, [editor, admin]), ("❤️", 1, [admin])]
    await react(world.editor, added_reactions=["👍", "1F44D", "❤"])
    assert await shown(ctx, comment) == [("1f44d", 2, [editor, admin]), ("❤️", 2, [admin, editor])]
    await react(world.editor, removed_reactions=["👍", "😀"])
    assert await shown(ctx, comment) == [("👍", 1, [admin]), ("❤️", 2, [admin, editor])]
    await react(world.admin, added_reactions=["👍", "😀"], removed_reactions=["1f44d", "😀"])
    assert await shown(ctx, comment) == [("❤️", 2, [admin, editor])]


@pytest.mark.parametrize(
    "emoji", ["", "hello", "a", "abc", "41", "12", "👍 ", "é", "d800", "110000", "👍" * 51]
)
async def test_what_is_no_emoji_is_refused(session: Session, world: World, emoji: str) -> None:
    space = await make_space(session, world.organization)
    comment = await make_comment(session, space, world.editor)
    await settle(session)
    change = UpdateCommentInput(added_reactions=["👍", emoji])
    with pytest.raises(Invalid) as caught:
        await run(
            context(session, world.editor), comments.update_comment, space.id, comment.id, change
        )
    assert [problem.path for problem in caught.value.fields] == ["addedReactions[1]"]
    assert await shown(context(session, world.editor), comment) == []


def test_one_emoji_has_one_name() -> None:
    assert code_points("👩‍🚀") == code_points("1F469-200D-1f680") == "1f469-200d-1f680"
    assert code_points("1️⃣") == "31-20e3"
    assert code_points("❤") == code_points("❤️") == code_points("2764-fe0f")


async def test_different_emoji_are_bounded(session: Session, world: World) -> None:
    space = await make_space(session, world.organization)
    comment = await make_comment(session, space, world.editor)
    for index in range(99):
        session.add(
            Reaction(
                comment_id=comment.id,
                code_points=f"{0x1F400 + index:x}",
                user_id=world.admin.id,
                emoji=chr(0x1F400 + index),
            )
        )
    await settle(session)
    ctx = context(session, world.editor)
    both = UpdateCommentInput(added_reactions=["1f600", "1f601"])
    with pytest.raises(Invalid, match="at most 100"):
        await run(ctx, comments.update_comment, space.id, comment.id, both)
    known = UpdateCommentInput(added_reactions=["1f600", "1f400"])
    await run(ctx, comments.update_comment, space.id, comment.id, known)


async def test_users_are_bounded(session: Session, world: World) -> None:
    space = await make_space(session, world.organization)
    comment = await make_comment(session, space, world.editor)
    people = [await make_member(session, world.organization) for _ in range(60)]
    for index, person in enumerate(people):
        session.add(
            Reaction(
                comment_id=comment.id,
                code_points="1f44d",
                user_id=person.id,
                emoji="👍",
                reacted_at=START + dt.timedelta(seconds=index),
            )
        )
    await settle(session)
    ((emoji, count, users),) = await shown(context(session, world.reader), comment)
    assert (emoji, count, users) == ("👍", 60, [person.id for person in people[:50]])


@pytest.mark.parametrize("count", [1, 30])
async def test_reactions_of_many_comments_are_one_statement(
    session: Session, world: World, queries: Queries, count: int
) -> None:
    space = await make_space(session, world.organization)
    rows = [await make_comment(session, space, world.editor) for _ in range(count)]
    for row in rows:
        session.add(
            Reaction(comment_id=row.id, code_points="1f44d", user_id=world.admin.id, emoji="👍")
        )
    await settle(session)
    ctx = context(session, world.reader)
    with queries(1):
        found = await comment_reactions(ctx, rows, None)
    assert [len(one) for one in found] == [1] * count


@pytest.mark.parametrize("in_request", [False, True])
async def test_commenters_by_their_latest_activity(
    session: Session, world: World, queries: Queries, in_request: bool
) -> None:
    space = await make_space(session, world.organization)
    request = await make_change_request(session, space, world.editor)
    on = request if in_request else None
    former = await make_member(session, world.organization)

    async def write(person: User, mark: str, parent: Comment | None = None) -> Comment:
        return await make_comment(session, space, person, on, parent, id=mark * 20)

    first = await write(world.editor, "1")
    await write(world.commenter, "2")
    await write(former, "3")
    await write(world.reviewer, "4")
    await write(world.editor, "5", first)
    elsewhere = None if in_request else request
    await make_comment(session, space, world.admin, elsewhere)
    await session.execute(delete(Member).where(Member.user_id == former.id))
    await settle(session)

    async def found(person: User, page: PageArguments) -> Any:
        ctx = context(session, person)
        if in_request:
            row: Any = await read(ctx, change_requests.get_change_request, space.id, request.id)
            batch: Any = fields.commenters_of_change_requests
        else:
            row, batch = (
                await read(ctx, spaces.get_space, space.id),
                fields.commenters_of_spaces,
            )
        with queries(2):
            (part,) = await batch(ctx, [row], page)
        assert await total_counts(ctx, [part], None) == [3]
        return part

    expected = [world.editor.id, world.reviewer.id, world.commenter.id]
    whole = await found(world.reader, PageArguments())
    assert [row.user_id for row in whole.rows] == expected
    start = await found(world.reader, PageArguments(first=2))
    assert [row.user_id for row in start.rows] == expected[:2]
    rest = await found(world.reader, PageArguments(first=2, after=start.next_cursor))
    assert [row.user_id for row in rest.rows] == expected[2:]


async def test_mutations_react_with_one_emoji(session: Session, world: World, api: Api) -> None:
    space = await make_space(session, world.organization)
    request = await make_change_request(session, space, world.editor, updated_at=START)
    comment = await make_comment(session, space, world.editor)
    other = await make_comment(session, space, world.editor, request)
    reply = await make_comment(session, space, world.editor, request, other)
    await settle(session)
    add = """mutation($id: ID!, $emoji: String!) {
      changed: addReaction(subjectId: $id, input: {emoji: $emoji}) {
        subject { __typename id permissions { react }
          reactions { emoji count users { user { id } } } } } }"""
    remove = add.replace("addReaction", "removeReaction")
    for subject, kind in ((comment, "Comment"), (reply, "CommentReply")):
        for emoji in ("👍", "1f44d", "❤"):
            answer = await api.data(add, world.commenter, id=subject.id, emoji=emoji)
        mine = [{"user": {"id": world.commenter.id}}]
        thumb, heart = ({"emoji": one, "count": 1, "users": mine} for one in ("👍", "❤"))
        shown = {"__typename": kind, "id": subject.id, "permissions": {"react": True}}
        assert answer["changed"]["subject"] == {**shown, "reactions": [thumb, heart]}
        answer = await api.data(remove, world.commenter, id=subject.id, emoji="1F44D")
        assert answer["changed"]["subject"] == {**shown, "reactions": [heart]}
        for mutation, person, emoji, code in (
            (remove, world.commenter, "👍", "NOT_FOUND"),
            (remove, world.admin, "❤", "NOT_FOUND"),
            (add, world.commenter, "x", "INVALID"),
            (remove, world.commenter, "x", "INVALID"),
            (add, world.reader, "👍", "FORBIDDEN"),
            (add, world.outsider, "👍", "NOT_FOUND"),
        ):
            refused = await api.graphql(mutation, person, id=subject.id, emoji=emoji)
            (error,) = refused["errors"]
            assert error["extensions"]["code"] == code, (person.display_name, emoji)
            if code == "INVALID":
                assert [one["path"] for one in error["extensions"]["fields"]] == ["emoji"]
    changed = select(ChangeRequest.updated_at).where(ChangeRequest.id == request.id)
    assert (await session.execute(changed)).scalar_one() > START
