"""Notifications as they are read: a person's own, about what they may read now."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

import strawberry
from sqlalchemy import Integer, bindparam, case, func, select

from db.enums import TokenScope
from db.models.notifications import (
    FeedToken,
    Notification,
    NotificationSettings,
    SpaceNotificationLevel,
)
from db.models.organizations import User
from db.models.spaces import Space
from db.notification_enums import DigestFrequency, NotificationLevel
from db.prepared import KEY, among
from resolvers.access.policy import visible
from resolvers.core import inputs
from resolvers.core.context import Context
from resolvers.core.filters import Filter
from resolvers.core.orders import by
from resolvers.core.pagination import Order, PageArguments, by_id
from resolvers.core.statements import Viewer, Written, statement
from resolvers.core.urls import app_path
from resolvers.lists.batches import computed_from, reads
from resolvers.lists.listings import Listing
from resolvers.notifications.names import (
    names_of_people,
    subjects_of_requests,
    titles_of_spaces,
)
from resolvers.notifications.texts import sentence

# A list of very many is not counted to its end.
MOST_COUNTED = 1_000


@dataclass(frozen=True)
class NotificationArguments(PageArguments):
    """Which notifications are wanted; all that is given has to hold."""

    unread: Annotated[
        bool | None, inputs.argument("Only those that are unread, or only those that are read.")
    ] = None
    space: Annotated[
        strawberry.ID | None, inputs.argument("Only about the space with this id.")
    ] = None


_NEWEST = Order(
    tuple(
        replace(by(column), descending=True)
        for column in (Notification.updated_at, Notification.id)
    )
)
_is_unread = Notification.read_at.is_(None)


def _unread(arguments: NotificationArguments) -> int | None:
    return None if arguments.unread is None else int(arguments.unread)


notifications_of_users = Listing(
    "notifications_of_users",
    Notification,
    Notification.user_id,
    _NEWEST,
    about="Notifications of the caller, the newest first; empty for other people.",
    filters=(
        Filter(
            "unread",
            _unread,
            case((_is_unread, 1), else_=0) == bindparam("unread", type_=Integer()),
        ),
        Filter(
            "space",
            lambda arguments: arguments.space,
            Notification.space_id == bindparam("space", type_=KEY),
        ),
    ),
)


@statement
def _unread_ones(viewer: Viewer) -> Written:
    some = (
        visible(viewer, Notification)
        .with_only_columns(Notification.id)
        .where(_is_unread)
        .limit(bindparam("most", type_=Integer()))
        .subquery()
    )
    return select(func.count().label("number")).select_from(some)


@reads("id", scope=TokenScope.USER_READ)
async def unread_counts(ctx: Context, rows: Sequence[User], arguments: Any) -> list[int]:
    """How many notifications of the caller are unread, at most 1,000; 0 for other people."""
    if not any(row.id == ctx.actor.user_id for row in rows):
        return [0 for _ in rows]
    ((number,),) = await _unread_ones.rows(ctx, most=MOST_COUNTED)
    return [number if row.id == ctx.actor.user_id else 0 for row in rows]


# ------------------------------------------------------------------ one notification


def _by_id(rows: list[Any]) -> dict[str, Any]:
    return {row.id: row for row in rows}


@dataclass(frozen=True, slots=True)
class Described:
    """A notification in words, and where it leads."""

    title: str
    url: str


@reads("kind", "count", "actor_id", "space_id", "change_request_id")
async def descriptions(
    ctx: Context, rows: Sequence[Notification], arguments: Any
) -> list[Described]:
    """Each notification in one sentence, and the address of what it is about."""

    def ids(name: str) -> list[str]:
        values = (getattr(row, name) for row in rows)
        return list(dict.fromkeys(id for id in values if id is not None))

    requests = await subjects_of_requests.once(ctx, _by_id, ids=ids("change_request_id"))
    people = await names_of_people.once(ctx, _by_id, ids=ids("actor_id"))
    spaces = await titles_of_spaces.once(ctx, _by_id, ids=ids("space_id"))
    base = ctx.settings.public_url
    described = []
    for row in rows:
        request, person = requests.get(row.change_request_id or ""), people.get(row.actor_id or "")
        title = sentence(
            row.kind,
            row.count,
            None if person is None else person.display_name,
            spaces[row.space_id].title if row.space_id in spaces else "",
            None if request is None else (request.number, request.subject),
        )
        number = None if request is None else request.number
        described.append(Described(title, base + app_path(row.space_id, number)))
    return described


@computed_from("read_at")
async def are_unread(ctx: Context, rows: Sequence[Notification], arguments: Any) -> list[bool]:
    """Whether each is unread."""
    return [row.read_at is None for row in rows]


# ------------------------------------------------------------------ settings


@dataclass(frozen=True, slots=True)
class PersonalSettings:
    """What somebody wants to be notified of where a space has no setting, and how by mail."""

    user_id: str
    level: NotificationLevel
    digest: DigestFrequency

    @property
    def id(self) -> str:
        """That of the person, by which the settings of spaces are found."""
        return self.user_id


@statement
def _settings(viewer: Viewer) -> Written:
    columns = NotificationSettings.level, NotificationSettings.digest
    return select(*columns).where(NotificationSettings.user_id == bindparam("user", type_=KEY))


async def settings_of(ctx: Context, user_id: str) -> PersonalSettings:
    """The settings of a person, the defaults where they have chosen none."""
    rows = await _settings.rows(ctx, user=user_id)
    if not rows:
        return PersonalSettings(user_id, NotificationLevel.PARTICIPATING, DigestFrequency.DAILY)
    return PersonalSettings(user_id, rows[0].level, rows[0].digest)


@reads("id", scope=TokenScope.USER_READ)
async def settings_of_users(
    ctx: Context, rows: Sequence[User], arguments: Any
) -> list[PersonalSettings | None]:
    """What the caller wants to be notified of; None for other people."""
    mine = None
    if any(row.id == ctx.actor.user_id for row in rows):
        mine = await settings_of(ctx, ctx.user_id)
    return [mine if row.id == ctx.actor.user_id else None for row in rows]


levels_of_users = Listing(
    "levels_of_users",
    SpaceNotificationLevel,
    SpaceNotificationLevel.user_id,
    by_id(SpaceNotificationLevel),
    about="What the caller wants to be notified of in single spaces; empty for other people.",
)


@statement
def _own_levels(viewer: Viewer) -> Written:
    return (
        visible(viewer, SpaceNotificationLevel)
        .with_only_columns(SpaceNotificationLevel.space_id, SpaceNotificationLevel.level)
        .where(among(SpaceNotificationLevel.space_id, "ids"))
    )


@reads("id")
async def levels_of_spaces(
    ctx: Context, rows: Sequence[Space], arguments: Any
) -> list[NotificationLevel | None]:
    """What the caller wants to be notified of in each space; None where their default holds."""
    if ctx.actor.user_id is None:
        return [None for _ in rows]
    chosen = dict(await _own_levels.rows(ctx, ids=[row.id for row in rows]))
    return [chosen.get(row.id) for row in rows]


# ------------------------------------------------------------------ tokens of feeds


def _active(viewer: Viewer) -> Written:
    return visible(viewer, FeedToken).where(FeedToken.revoked_at.is_(None))


feed_tokens_of_users = Listing(
    "feed_tokens_of_users",
    FeedToken,
    FeedToken.user_id,
    by_id(FeedToken),
    about="Tokens of feeds of the caller that are not revoked; empty for other people.",
    rows=_active,
)
