"""Reviews, requests for them and contributors: who, when, and what they change."""

import asyncio
from typing import Any

import pytest
import strawberry
from sqlalchemy import select, update
from strawberry import Some

from db.content_enums import ChangeRequestStatus, ContributionAction, ReviewStatus
from db.enums import Role
from db.ids import new_id
from db.models.change_requests import ChangeRequest
from db.models.comments import Comment
from db.models.organizations import User
from db.models.reviews import Review
from db.models.spaces import Space
from db.session import Session
from resolvers.change_requests import (
    contributors,
    operations as change_requests,
    reviews,
)
from resolvers.change_requests.bodies import CommentBodyInput
from resolvers.change_requests.reviews import (
    RequestReviewersInput,
    ReviewArguments,
    SubmitReviewInput,
    request_reviewers,
    submit_review,
    withdraw_review_request,
)
from resolvers.comments.operations import (
    PostCommentInput,
    UpdateCommentInput,
    post_comment,
    update_comment,
)
from resolvers.core.context import Context
from resolvers.core.errors import Forbidden, Invalid, NotFound, PreconditionFailed
from resolvers.core.pagination import PageArguments
from resolvers.core.runners import read, run
from tests.conftest import World, context
from tests.deleting import removes
from tests.factories import (
    make_change_request,
    make_grant,
    make_requested_reviewer,
    make_review,
    make_space,
)

# Times of rows are cut to milliseconds.
MOMENT = 0.002

APPROVED, CHANGES = ReviewStatus.APPROVED, ReviewStatus.CHANGES_REQUESTED
CLOSED = (ChangeRequestStatus.ARCHIVED, ChangeRequestStatus.MERGED)


async def prepared(session: Session, world: World, **changes: Any) -> tuple[Space, ChangeRequest]:
    space = await make_space(session, world.organization)
    row = await make_change_request(session, space, world.editor, **changes)
    await session.commit()
    return space, row


async def submit(
    session: Session, row: ChangeRequest, person: User, status: ReviewStatus = APPROVED,
    text: str | None = None,
) -> Review:  # fmt: skip
    comment = None if text is None else CommentBodyInput(markdown=text)
    wanted = SubmitReviewInput(status=status, comment=comment)
    return await run(context(session, person), submit_review, row.space_id, row.id, wanted)


async def ask(session: Session, row: ChangeRequest, by: User, *people: User, **more: Any) -> Any:
    wanted = RequestReviewersInput(users=[strawberry.ID(one.id) for one in people], **more)
    return await run(context(session, by), request_reviewers, row.space_id, row.id, wanted)


async def request_of(session: Session, row: ChangeRequest, person: User) -> ChangeRequest:
    ctx = context(session, person)
    return await read(ctx, change_requests.get_change_request, row.space_id, row.id)


async def listed(
    session: Session, row: ChangeRequest, person: User, outdated: bool | None = None
) -> list[tuple[str, bool]]:
    ctx = context(session, person)
    found = await request_of(session, row, person)
    (part,) = await reviews.reviews_of_change_requests(
        ctx, [found], ReviewArguments(outdated=outdated)
    )
    flags = await reviews.reviews_outdated(ctx, part.rows, None)
    await session.commit()
    return [(one.id, flag) for one, flag in zip(part.rows, flags, strict=True)]


async def asked(session: Session, row: ChangeRequest, person: User) -> list[str]:
    ctx = context(session, person)
    found = await request_of(session, row, person)
    (part,) = await reviews.requested_reviewers_of_change_requests(ctx, [found], PageArguments())
    await session.commit()
    return [one.user_id for one in part.rows]


async def contributed(session: Session, row: ChangeRequest, person: User) -> list[Any]:
    ctx = context(session, person)
    found = await request_of(session, row, person)
    (part,) = await contributors.contributors_of_change_requests(ctx, [found], PageArguments())
    await session.commit()
    return [(one.user_id, one.action, one.count) for one in part.rows]


@pytest.mark.parametrize(
    ("person", "was_asked", "allowed"),
    [
        ("reader", False, False),
        ("reader", True, False),
        ("commenter", False, False),
        ("commenter", True, True),
        ("reviewer", False, True),
        ("reviewer", True, True),
        ("creator", False, True),
        ("admin", False, True),
        ("editor", True, False),
    ],
)
async def test_who_may_submit_a_review(
    session: Session, world: World, person: str, was_asked: bool, allowed: bool
) -> None:
    """The editor is the author, who reviews nothing of their own even when asked."""
    _, row = await prepared(session, world)
    caller = world.people()[person]
    if was_asked:
        await session.begin_write()
        await make_requested_reviewer(session, row, caller, world.creator)
        await session.commit()
    if not allowed:
        with pytest.raises(Forbidden):
            await submit(session, row, caller)
        return
    review = await submit(session, row, caller, CHANGES)
    assert (review.status, review.revision_id) == (CHANGES, row.revision_id)
    assert review.requested_by_id == (world.creator.id if was_asked else None)
    assert await asked(session, row, caller) == []


@pytest.mark.parametrize("person", ["guest", "outsider"])
async def test_others_do_not_learn_of_it(session: Session, world: World, person: str) -> None:
    _, row = await prepared(session, world)
    caller = world.people()[person]
    with pytest.raises(NotFound):
        await submit(session, row, caller)
    with pytest.raises(NotFound):
        await ask(session, row, caller, world.reviewer)


@pytest.mark.parametrize("status", CLOSED)
async def test_closed_ones_are_not_reviewed(
    session: Session, world: World, status: ChangeRequestStatus
) -> None:
    _, row = await prepared(session, world, status=status)
    with pytest.raises(PreconditionFailed, match=status.value):
        await submit(session, row, world.reviewer)
    with pytest.raises(PreconditionFailed, match=status.value):
        await ask(session, row, world.editor, world.reviewer)


async def test_what_a_review_says_is_a_comment(session: Session, world: World) -> None:
    space, row = await prepared(session, world)
    review = await submit(session, row, world.reviewer, CHANGES, "Please **explain**.")
    (comment,) = (await session.execute(select(Comment))).scalars().all()
    assert (comment.review_id, review.comment_id) == (review.id, comment.id)
    assert (comment.change_request_id, comment.posted_by_id) == (row.id, world.reviewer.id)
    assert comment.markdown == "Please **explain**."
    await session.commit()
    assert await contributed(session, row, world.reader) == [
        (world.reviewer.id, ContributionAction.COMMENT, 1)
    ]
    # Resolving works as for every comment.
    resolved = await run(
        context(session, world.editor), update_comment, space.id, comment.id,
        UpdateCommentInput(resolved=Some(True)), row.id,
    )  # fmt: skip
    assert resolved.resolved_by_id == world.editor.id
    with pytest.raises(Invalid, match="body"):
        await submit(session, row, world.reviewer, APPROVED, "  ")


async def test_reviews_become_outdated(session: Session, world: World) -> None:
    """By another revision, by the reviewer's next one, and when the reviewer is asked again."""
    _, row = await prepared(session, world)
    first = await submit(session, row, world.reviewer, CHANGES)
    other = await submit(session, row, world.creator)
    assert await listed(session, row, world.reader) == [(other.id, False), (first.id, False)]
    second = await submit(session, row, world.reviewer)
    assert await listed(session, row, world.reader) == [
        (second.id, False), (other.id, False), (first.id, True),
    ]  # fmt: skip
    assert await listed(session, row, world.reader, True) == [(first.id, True)]
    assert await listed(session, row, world.reader, False) == [
        (second.id, False), (other.id, False),
    ]  # fmt: skip
    await ask(session, row, world.editor, world.reviewer)
    assert await listed(session, row, world.reader, False) == [(other.id, False)]
    await session.begin_write()
    await session.execute(
        update(ChangeRequest).where(ChangeRequest.id == row.id).values(revision_id=new_id())
    )
    await session.commit()
    assert await listed(session, row, world.reader, False) == []
    assert {flag for _, flag in await listed(session, row, world.reader)} == {True}


async def test_asking_opens_a_draft_and_may_describe_it(session: Session, world: World) -> None:
    _, row = await prepared(session, world, status=ChangeRequestStatus.DRAFT)
    document: Any = {"object": "document", "nodes": []}
    answer = await ask(
        session, row, world.editor, world.creator, world.commenter, world.creator,
        subject=Some("Ready"), description=Some(document),
    )  # fmt: skip
    assert [one.user_id for one in answer.users] == [world.creator.id, world.commenter.id]
    assert all(one.revision_id == row.revision_id for one in answer.users)
    found = await request_of(session, row, world.reader)
    assert (found.status, found.subject) == (ChangeRequestStatus.OPEN, "Ready")
    assert found.description is not None
    await session.commit()
    # Asking again changes nothing but adds who is new.
    again = await ask(session, row, world.reviewer, world.reviewer, world.creator)
    assert [one.requested_by_id for one in again.users] == [world.reviewer.id, world.editor.id]
    assert await asked(session, row, world.reader) == [
        world.creator.id, world.commenter.id, world.reviewer.id,
    ]  # fmt: skip


async def test_going_back_to_draft_keeps_reviews_and_requests(
    session: Session, world: World
) -> None:
    space, row = await prepared(session, world)
    await ask(session, row, world.editor, world.creator)
    review = await submit(session, row, world.reviewer)
    draft = change_requests.UpdateChangeRequestInput(
        status=Some(change_requests.ChangeRequestStatus.DRAFT)
    )
    ctx = context(session, world.editor)
    await run(ctx, change_requests.update_change_request, space.id, row.id, draft)
    assert await asked(session, row, world.reader) == [world.creator.id]
    assert await listed(session, row, world.reader) == [(review.id, False)]


@pytest.mark.parametrize("name", ["reader", "guest", "outsider"])
async def test_only_who_may_comment_can_be_asked(session: Session, world: World, name: str) -> None:
    _, row = await prepared(session, world)
    person = world.people()[name]
    with pytest.raises(NotFound, match="users"):
        await ask(session, row, world.editor, world.reviewer, person)
    assert await asked(session, row, world.admin) == []


async def test_the_role_on_the_space_decides_who_can_be_asked(
    session: Session, world: World
) -> None:
    space, row = await prepared(session, world)
    await session.begin_write()
    await make_grant(session, space, world.guest, Role.COMMENT)
    await make_grant(session, space, world.reviewer, Role.READ)
    await session.commit()
    await ask(session, row, world.editor, world.guest)
    with pytest.raises(NotFound):
        await ask(session, row, world.editor, world.reviewer)


async def test_the_author_is_not_asked(session: Session, world: World) -> None:
    _, row = await prepared(session, world)
    with pytest.raises(Invalid, match=r"users\[1\]"):
        await ask(session, row, world.reviewer, world.creator, world.editor)


@pytest.mark.parametrize("person", ["reader", "commenter"])
async def test_asking_needs_edit(session: Session, world: World, person: str) -> None:
    space, row = await prepared(session, world)
    caller = world.people()[person]
    with pytest.raises(Forbidden):
        await ask(session, row, caller, world.reviewer)
    await ask(session, row, world.editor, world.reviewer)
    with pytest.raises(Forbidden):
        await run(
            context(session, caller), withdraw_review_request, space.id, row.id,
            world.reviewer.id,
        )  # fmt: skip


async def test_requests_are_withdrawn_once(session: Session, world: World) -> None:
    space, row = await prepared(session, world)
    await ask(session, row, world.editor, world.reviewer)
    for expected in (True, False):
        ctx = context(session, world.editor)
        gone = await removes(ctx, withdraw_review_request, space.id, row.id, world.reviewer.id)
        assert gone is expected
    assert await asked(session, row, world.reader) == []
    ctx = context(session, world.outsider)
    assert await removes(ctx, withdraw_review_request, space.id, row.id, world.editor.id) is False


async def test_reviews_and_requests_move_updated_at(session: Session, world: World) -> None:
    space, row = await prepared(session, world)

    async def moved(before: Any) -> Any:
        found = await request_of(session, row, world.reader)
        await session.commit()
        assert found.updated_at > before
        await asyncio.sleep(MOMENT)
        return found.updated_at

    at = row.updated_at
    await asyncio.sleep(MOMENT)
    ctx: Context = context(session, world.editor)
    await ask(session, row, world.editor, world.reviewer)
    at = await moved(at)
    await submit(session, row, world.reviewer)
    at = await moved(at)
    await ask(session, row, world.editor, world.reviewer)
    at = await moved(at)
    await run(ctx, withdraw_review_request, space.id, row.id, world.reviewer.id)
    await moved(at)


async def test_contributors_are_counted_by_what_they_did(session: Session, world: World) -> None:
    space, row = await prepared(session, world)
    for _ in range(2):
        await run(
            context(session, world.commenter), post_comment, space.id,
            PostCommentInput(body=CommentBodyInput(markdown="Hm")), row.id,
        )  # fmt: skip
    await asyncio.sleep(MOMENT)
    ctx = context(session, world.commenter)
    await ctx.begin_write()
    locked = await session.get_one(ChangeRequest, row.id)
    await contributors.record_contribution(ctx, locked)
    await session.commit()
    assert await contributed(session, row, world.reader) == [
        (world.commenter.id, ContributionAction.EDIT, 1),
        (world.commenter.id, ContributionAction.COMMENT, 2),
    ]


async def test_the_flag_of_many_reviews_is_one_statement(
    session: Session, world: World, queries: Any
) -> None:
    space, row = await prepared(session, world)
    await session.begin_write()
    other = await make_change_request(session, space, world.editor)
    rows = [await make_review(session, one, world.reviewer) for one in (row, other) * 3]
    await session.commit()
    ctx = context(session, world.reader)
    with queries(1):
        assert await reviews.reviews_outdated(ctx, rows, None) == [False] * 6
