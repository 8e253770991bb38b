"""Who is notified of what, case by case; what is made once, whoever does it and however often."""

import asyncio
from typing import Any

from sqlalchemy import select, update
from strawberry import ID, Some

from content.documents.nodes import inline, paragraph, text
from db.base import utc_now
from db.content_enums import ReviewStatus
from db.enums import Role
from db.event_enums import EventAudience, EventType
from db.models.events import EventCounter
from db.models.notifications import Notification, NotificationCursor
from db.models.spaces import Space
from db.notification_enums import NotificationKind, NotificationLevel
from db.session import Database, Session
from jobs.purge import clear_notifications
from resolvers.change_requests.bodies import CommentBodyInput
from resolvers.change_requests.operations import UpdateChangeRequestInput, update_change_request
from resolvers.change_requests.reviews import SubmitReviewInput, submit_review
from resolvers.comments.operations import PostCommentInput, delete_comment, post_comment
from resolvers.core.runners import run
from resolvers.merging.operations import merge_change_request, pull_change_request
from resolvers.notifications.derivation import PORTION, notify_of_events
from resolvers.notifications.operations import (
    MarkNotificationsReadInput,
    UpdateNotificationSettingsInput,
    mark_notifications_read,
    update_notification_settings,
)
from resolvers.notifications.retention import READ_FOR
from tests import factories
from tests.conftest import Queries, World, context, settle
from tests.merging import edit, filled_space, with_request
from tests.notifications import kinds_of, notifications_of, notify, saying


async def follow(session: Session, person: Any) -> None:
    chosen = UpdateNotificationSettingsInput(level=Some(NotificationLevel.ALL))
    await run(context(session, person), update_notification_settings, chosen)


async def comment(session: Session, person: Any, space_id: str, *mentioned: Any) -> Any:
    said = PostCommentInput(body=saying(*mentioned))
    return await run(context(session, person), post_comment, space_id, said)


async def test_merges_and_changes_of_content(
    database: Database, session: Session, world: World
) -> None:
    space, row = await with_request(session, world)
    await edit(session, world.editor, space, row, p0={"title": "Other"})
    await follow(session, world.reader)
    await run(context(session, world.reviewer), merge_change_request, space.id, row.id)
    await edit(session, world.admin, space, p1={"title": "Live"})
    await notify(database)
    # The merge is one thing, not two.
    assert await kinds_of(database, world.reader) == ["content_updated", "merged"]
    assert await kinds_of(database, world.editor) == ["merged"]
    assert await kinds_of(database, world.reviewer) == []
    (merged,) = await notifications_of(database, world.editor)
    assert (merged.actor_id, merged.change_request_id) == (world.reviewer.id, row.id)


async def test_conflicts_are_for_the_author(
    database: Database, session: Session, world: World
) -> None:
    space, row = await with_request(session, world)
    await edit(session, world.editor, space, row, p0={"title": "Mine"})
    await edit(session, world.admin, space, p0={"title": "Theirs"})
    await follow(session, world.reader)
    await run(context(session, world.creator), pull_change_request, space.id, row.id)
    await notify(database)
    assert await kinds_of(database, world.editor) == ["conflicted"]
    assert await kinds_of(database, world.reader) == ["content_updated"]


async def test_a_review_with_a_comment_is_one_thing(
    database: Database, session: Session, world: World
) -> None:
    space, row = await with_request(session, world)
    review = SubmitReviewInput(status=ReviewStatus.APPROVED, comment=saying(world.reader))
    await run(context(session, world.reviewer), submit_review, space.id, ID(row.id), review)
    await notify(database)
    assert await kinds_of(database, world.editor) == ["reviewed"]
    assert await kinds_of(database, world.reader) == ["mentioned"]


async def test_descriptions_mention_people_once(
    database: Database, session: Session, world: World
) -> None:
    space, row = await with_request(session, world)
    mention = inline("mention", data={"ref": {"kind": "user", "user": world.reader.id}})
    for words in ("Look", "Look again"):
        document: Any = {"object": "document", "data": {},
                         "nodes": [paragraph([text(words), mention])]}  # fmt: skip
        change = UpdateChangeRequestInput(description=Some(document))
        editor = context(session, world.editor)
        await run(editor, update_change_request, space.id, ID(row.id), change)
    await notify(database)
    assert await kinds_of(database, world.reader) == ["mentioned"]
    (notified,) = await notifications_of(database, world.reader)
    assert (notified.subject_id, notified.comment_id) == (row.id, None)


async def test_nobody_hears_of_what_they_may_not_read(
    database: Database, session: Session, world: World
) -> None:
    hidden = await factories.make_space(session, world.organization, default_level=None)
    service = await factories.make_service(session, world.organization)
    gone = await factories.make_member(session, world.organization, Role.ADMIN, disabled=True)
    program: Any = await session.get(type(gone), service.id)
    await settle(session)
    everybody = [*world.people().values(), gone, program]
    await comment(session, world.admin, hidden.id, *everybody)
    await notify(database)
    for person in everybody:
        assert await kinds_of(database, person) == []
    # The role comes later than what has happened: nobody learns of it then.
    await session.begin_write()
    await factories.make_grant(session, hidden, world.reader, Role.READ)
    await settle(session)
    assert await notify(database) == 0
    await comment(session, world.admin, hidden.id, *everybody)
    await notify(database)
    assert await kinds_of(database, world.reader) == ["mentioned"]


async def test_what_is_gone_is_gone(database: Database, session: Session, world: World) -> None:
    space = await factories.make_space(session, world.organization)
    await settle(session)
    early = await comment(session, world.admin, space.id, world.reader)
    await run(context(session, world.admin), delete_comment, space.id, ID(early.id))
    assert await notify(database) == 1
    assert await notifications_of(database, world.reader) == []
    late = await comment(session, world.admin, space.id, world.reader)
    await notify(database)
    assert await kinds_of(database, world.reader) == ["mentioned"]
    await run(context(session, world.admin), delete_comment, space.id, ID(late.id))
    assert await notifications_of(database, world.reader) == []
    # As of a space in the bin, which may come back.
    await comment(session, world.admin, space.id, world.reader)
    await session.begin_write()
    await session.execute(update(Space).where(Space.id == space.id).values(deleted_at=utc_now()))
    await settle(session)
    assert await notify(database) == 1
    assert await notifications_of(database, world.reader) == []


async def test_more_of_the_same_counts_up_until_it_is_read(
    database: Database, session: Session, world: World
) -> None:
    space, row = await with_request(session, world)
    said = PostCommentInput(body=CommentBodyInput(markdown="Hm"))
    for person in (world.admin, world.creator):
        await run(context(session, person), post_comment, space.id, said, ID(row.id))
        await notify(database)
    (one,) = await notifications_of(database, world.editor)
    assert (one.count, one.actor_id) == (2, world.creator.id)
    everything = MarkNotificationsReadInput(all=True)
    await run(context(session, world.editor), mark_notifications_read, everything)
    await run(context(session, world.admin), post_comment, space.id, said, ID(row.id))
    await notify(database)
    assert [row.count for row in await notifications_of(database, world.editor)] == [2, 1]


async def test_each_event_is_dealt_with_once(
    database: Database, session: Session, world: World
) -> None:
    space = await factories.make_space(session, world.organization)
    await settle(session)
    for _ in range(3):
        await comment(session, world.admin, space.id, world.reader)
    # As of two workers, one of which has lost its job to the other without knowing.
    counts = await asyncio.gather(*(notify(database) for _ in range(4)), return_exceptions=True)
    assert sum(count for count in counts if isinstance(count, int)) in (0, 3)
    await notify(database)
    assert await kinds_of(database, world.reader) == ["mentioned"] * 3
    # A run that is taken back leaves nothing: neither notifications nor the position.
    await comment(session, world.admin, space.id, world.reader)
    async with database.session() as other:
        await other.begin_write()
        ctx = context(other)
        ctx.writing = True
        assert await notify_of_events(ctx, world.organization.id) == 1
        await other.rollback()
    assert await kinds_of(database, world.reader) == ["mentioned"] * 3
    assert await notify(database) == 1
    assert await kinds_of(database, world.reader) == ["mentioned"] * 4


async def test_portions_and_statements(
    database: Database, session: Session, world: World, queries: Queries
) -> None:
    """Twice as many events need no more statements, up to a portion; nothing is left behind."""
    space = await filled_space(session, world)

    async def statements(number: int) -> int:
        await session.begin_write()
        rows = [
            await factories.make_comment(
                session, space, world.admin,
                document={"object": "document", "nodes": [inline(
                    "mention", data={"ref": {"kind": "user", "user": world.reader.id}})]},
            )
            for _ in range(number)
        ]  # fmt: skip
        for row in rows:
            await factories.make_event(
                session, world.organization, EventAudience.SPACE, type=EventType.COMMENT_CREATED,
                space_id=space.id, comment_id=row.id, actor_id=world.admin.id,
            )  # fmt: skip
        await settle(session)
        queries.statements.clear()
        assert await notify(database) == number
        return len(queries.statements)

    few, many = await statements(5), await statements(50)
    assert few == many
    assert await statements(PORTION + 10) <= 2 * many
    assert len(await notifications_of(database, world.reader)) == 55 + PORTION + 10
    async with database.session() as reading:
        position = (await reading.execute(select(NotificationCursor.position))).scalar_one()
        last = select(EventCounter.last).where(EventCounter.stream_id == world.organization.id)
        assert position == (await reading.execute(last)).scalar_one()


async def test_old_ones_are_forgotten(database: Database, session: Session, world: World) -> None:
    space = await factories.make_space(session, world.organization)
    now = utc_now()
    for read_at in (None, now, now - 2 * READ_FOR):
        row = Notification(
            user_id=world.reader.id, kind=NotificationKind.MENTIONED, subject_id=str(read_at)[:20],
            space_id=space.id, read_at=read_at,
        )  # fmt: skip
        session.add(row)
    await settle(session)
    assert await clear_notifications(context(session), now) == 1
    assert len(await notifications_of(database, world.reader)) == 2
