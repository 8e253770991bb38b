"""What people do with their notifications: marking them, and saying what they want to hear of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import strawberry
from sqlalchemy import ColumnElement, and_, or_, select, update
from strawberry import Maybe

from db.audit_enums import AuditObjectType
from db.event_enums import EventType
from db.ids import new_id
from db.inserts import insert_of
from db.models.notifications import Notification, NotificationSettings, SpaceNotificationLevel
from db.models.organizations import User
from db.models.spaces import Space
from db.notification_enums import DigestFrequency, NotificationLevel
from resolvers.access.policy import must, must_not_be_service, visible
from resolvers.core import inputs
from resolvers.core.arguments import SpaceId
from resolvers.core.audit_notes import note_fact
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.errors import NotFound, invalid
from resolvers.core.event_drafts import Draft
from resolvers.core.pagination import PageArguments, Slice
from resolvers.notifications.digest_times import due_at
from resolvers.notifications.fields import PersonalSettings, levels_of_users, settings_of
from resolvers.notifications.names import titles_of_spaces

MOST_IDS = 100


@strawberry.input(
    description="Which notifications are read from now on: give one of `ids`, `upTo` and `all`."
)
class MarkNotificationsReadInput:
    ids: list[strawberry.ID] | None = inputs.items(
        "Ids of notifications, at most 100.", min=1, max=MOST_IDS
    )
    up_to: strawberry.ID | None = inputs.text(
        "Id of a notification: it and all that are older.", min=1, max=64
    )
    all: bool | None = inputs.field("True for all.")
    space: strawberry.ID | None = inputs.text(
        "With `upTo` or `all`: only those about the space with this id.", min=1, max=64
    )


@strawberry.input(description="Which notifications are unread again.")
class MarkNotificationsUnreadInput:
    ids: list[strawberry.ID] = inputs.items(
        "Ids of notifications, at most 100. Where another unread one is about the same, that one "
        "stands for both.",
        min=1, max=MOST_IDS, required=True,
    )  # fmt: skip


@strawberry.input(description="What you want to be notified of; absent fields stay as they are.")
class UpdateNotificationSettingsInput:
    level: Maybe[NotificationLevel] = inputs.field("In spaces without a setting of their own.")
    digest: Maybe[DigestFrequency] = inputs.field(
        "How soon unread notifications are sent by mail, where the server sends mail."
    )


@strawberry.input(description="What you want to be notified of in one space.")
class SetSpaceNotificationLevelInput:
    level: Maybe[NotificationLevel | None] = inputs.field(
        "Null = as your settings say for all spaces.", present=True
    )


@operation(audited=False)
async def mark_notifications_read(ctx: Context, input: MarkNotificationsReadInput) -> User:
    """Mark notifications of yours as read; answers with you."""
    must_not_be_service(ctx)
    chosen = [input.ids is not None, input.up_to is not None, input.all is True]
    if chosen.count(True) != 1:
        raise invalid("input", "give exactly one of `ids`, `upTo` and `all: true`")
    user = await must(ctx, User, ctx.user_id)
    conditions: list[ColumnElement[bool]] = []
    if input.ids is not None:
        if input.space is not None:
            raise invalid("input.space", "goes with `upTo` or `all`, not with `ids`")
        rows = await _own(ctx, input.ids)
        conditions.append(Notification.id.in_([row.id for row in rows]))
    if input.up_to is not None:
        (last,) = await _own(ctx, [input.up_to])
        older = Notification.updated_at < last.updated_at
        same = and_(Notification.updated_at == last.updated_at, Notification.id <= last.id)
        conditions.append(or_(older, same))
    if input.space is not None:
        conditions.append(Notification.space_id == input.space)
    marked = update(Notification).where(
        Notification.user_id == user.id, Notification.read_at.is_(None), *conditions
    )
    if await ctx.session.change(marked.values(read_at=ctx.now())):
        note_fact(ctx.session, _marked(user.id))
    return user


@operation(audited=False)
async def mark_notifications_unread(ctx: Context, input: MarkNotificationsUnreadInput) -> User:
    """Mark notifications of yours as unread again; answers with you."""
    must_not_be_service(ctx)
    user = await must(ctx, User, ctx.user_id)
    rows = [row for row in await _own(ctx, input.ids) if row.read_at is not None]
    unread = select(Notification.kind, Notification.subject_id).where(
        Notification.user_id == user.id,
        Notification.read_at.is_(None),
        Notification.subject_id.in_([row.subject_id for row in rows]),
    )
    taken = {tuple(row) for row in (await ctx.session.execute(unread)).all()}
    ids = []
    for row in sorted(rows, key=lambda row: (row.updated_at, row.id), reverse=True):
        if (row.kind, row.subject_id) not in taken:
            taken.add((row.kind, row.subject_id))
            ids.append(row.id)
    if ids:
        again = update(Notification).where(Notification.id.in_(ids)).values(read_at=None)
        await ctx.session.change(again)
        note_fact(ctx.session, _marked(user.id))
    return user


async def _own(ctx: Context, ids: Sequence[str]) -> list[Notification]:
    """Notifications of the caller, locked; NotFound for the first one that is none."""
    chosen = visible(ctx, Notification).where(Notification.id.in_(ids)).order_by(Notification.id)
    locked = chosen.with_for_update(of=Notification)
    rows: Any = (await ctx.session.execute(locked)).scalars().all()
    own_ids = {row.id for row in rows}
    for id in ids:
        if id not in own_ids:
            raise NotFound(f"notification {id[:64]!r} does not exist or is not visible to you")
    return list(rows)


def _marked(user_id: str) -> Draft:
    return Draft(
        type=EventType.NOTIFICATIONS_MARKED,
        object_type=AuditObjectType.USER,
        object_id=user_id,
        account_id=user_id,
        user_id=user_id,
    )


@dataclass(frozen=True, slots=True)
class OwnSettings:
    """What the caller wants to be notified of; of a page of spaces, with their titles by id."""

    settings: PersonalSettings
    spaces: Slice[SpaceNotificationLevel]
    titles: Mapping[str, str]


async def read_own_settings(ctx: Context, arguments: PageArguments) -> OwnSettings:
    """What you want to be notified of, with a page of the spaces that have a setting."""
    user = await must(ctx, User, ctx.user_id)
    (spaces,) = await levels_of_users(ctx, [user], arguments)
    titles = dict(await titles_of_spaces.rows(ctx, ids=[row.space_id for row in spaces.rows]))
    return OwnSettings(await settings_of(ctx, user.id), spaces, titles)


async def update_notification_settings(
    ctx: Context, input: UpdateNotificationSettingsInput
) -> User:
    """Say what you want to be notified of where a space has no setting, and how by mail; answers
    with you.
    """
    must_not_be_service(ctx)
    user = await must(ctx, User, ctx.user_id)
    settings = await _settings_of(ctx, user.id)
    if input.level is not None:
        settings.level = input.level.value
    if input.digest is not None and input.digest.value is not settings.digest:
        await change_digest(ctx, settings, input.digest.value)
    return user


async def _settings_of(ctx: Context, user_id: str) -> NotificationSettings:
    """The settings of somebody, locked, made where they have none."""
    missing = insert_of(ctx.session, NotificationSettings).values(
        user_id=user_id, level=NotificationLevel.PARTICIPATING, digest=DigestFrequency.DAILY
    )
    await ctx.session.execute(missing.on_conflict_do_nothing())
    locked = (
        select(NotificationSettings)
        .where(NotificationSettings.user_id == user_id)
        .with_for_update()
        .execution_options(populate_existing=True)
    )
    settings: NotificationSettings = (await ctx.session.execute(locked)).scalar_one()
    return settings


async def change_digest(
    ctx: Context, settings: NotificationSettings, digest: DigestFrequency
) -> None:
    """Send unread notifications by mail at other times, or not at all."""
    if settings.digest is DigestFrequency.OFF:
        # What came while nothing was sent is not sent afterwards.
        waiting = update(Notification).where(
            Notification.user_id == settings.user_id, Notification.mailed_at.is_(None)
        )
        await ctx.session.change(waiting.values(mailed_at=ctx.now()))
    settings.digest = digest
    due = due_at(ctx.now(), digest)
    if due is None:
        settings.digest_due_at = None
    elif settings.digest_due_at is not None:
        settings.digest_due_at = min(settings.digest_due_at, due)


@operation(audited=False)
async def set_space_notification_level(
    ctx: Context, space_id: SpaceId, input: SetSpaceNotificationLevelInput
) -> Space:
    """Say what you want to be notified of in one space; answers with the space."""
    must_not_be_service(ctx)
    space = await must(ctx, Space, space_id)
    level = inputs.given(input.level, None)
    statement = (
        select(SpaceNotificationLevel)
        .where(
            SpaceNotificationLevel.user_id == ctx.user_id,
            SpaceNotificationLevel.space_id == space.id,
        )
        .with_for_update()
    )
    row = (await ctx.session.execute(statement)).scalar_one_or_none()
    if level is None:
        if row is not None:
            await ctx.session.delete(row)
    elif row is None:
        ctx.session.add(
            SpaceNotificationLevel(id=new_id(), user_id=ctx.user_id, space_id=space.id, level=level)
        )
    else:
        row.level = level
    await ctx.session.flush()
    return space
