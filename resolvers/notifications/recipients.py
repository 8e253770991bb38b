"""Whoever follows spaces, what people want to hear of them, and which of them they may read."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import and_, select, union_all

from db.models.events import Event
from db.models.notifications import Notification, NotificationSettings, SpaceNotificationLevel
from db.models.organizations import Member
from db.models.spaces import Space
from db.notification_enums import DigestFrequency, NotificationKind, NotificationLevel as Level
from db.prepared import among
from resolvers.core.context import Context
from resolvers.core.statements import Viewer, Written, statement
from resolvers.notifications.wishes import Wish
from resolvers.permissions.people import Reader, readers_of_spaces


@statement
def _followers(viewer: Viewer) -> Written:
    """Who wants to hear everything of spaces: of these, or of all that have no setting."""
    own = SpaceNotificationLevel
    chosen = select(own.space_id, own.user_id).where(
        among(own.space_id, "spaces"), own.level == Level.ALL
    )
    has_own = select(own.id).where(own.user_id == Member.user_id, own.space_id == Space.id)
    by_default = (
        select(Space.id, Member.user_id)
        .join(Member, Member.organization_id == Space.organization_id)
        .join(NotificationSettings, NotificationSettings.user_id == Member.user_id)
        .where(
            among(Space.id, "spaces"),
            NotificationSettings.level == Level.ALL,
            ~has_own.exists(),
        )
    )
    both = union_all(chosen, by_default).subquery()
    return select(both.c.space_id, both.c.user_id)


@statement
def _settings(viewer: Viewer) -> Written:
    return select(
        NotificationSettings.user_id, NotificationSettings.level, NotificationSettings.digest
    ).where(among(NotificationSettings.user_id, "people"))


@statement
def _levels(viewer: Viewer) -> Written:
    own = SpaceNotificationLevel
    return select(own.space_id, own.user_id, own.level).where(
        among(own.user_id, "people"), among(own.space_id, "spaces")
    )


@statement
def _mentioned(viewer: Viewer) -> Written:
    return select(Notification.user_id, Notification.subject_id).where(
        and_(
            among(Notification.subject_id, "subjects"),
            Notification.kind == NotificationKind.MENTIONED,
        )
    )


@dataclass(frozen=True, slots=True)
class Recipients:
    """Everybody who may be notified of some events."""

    readers: Mapping[tuple[str, str], Reader]
    followers: Mapping[str, frozenset[str]]
    levels: Mapping[tuple[str, str], Level]
    defaults: Mapping[str, Level]
    digests: Mapping[str, DigestFrequency]
    # Who was notified of being mentioned, with the id of the text.
    mentioned: set[tuple[str, str]] = field(default_factory=set)

    def level(self, space_id: str, user_id: str) -> Level:
        """What a person wants to hear of a space."""
        default = self.defaults.get(user_id, Level.PARTICIPATING)
        return self.levels.get((space_id, user_id), default)

    def of(self, space_id: str, actor_id: str | None, wishes: Sequence[Wish]) -> dict[str, Wish]:
        """Whom to notify of an event in a space, each for the first reason that holds."""
        chosen: dict[str, Wish] = {}
        actor = self.readers.get((space_id, actor_id or ""))
        followers = self.followers.get(space_id, frozenset())
        for wish in wishes:
            for user_id in wish.people | (followers if wish.followers else frozenset()):
                reader = self.readers.get((space_id, user_id))
                if reader is None or user_id == actor_id or user_id in chosen:
                    continue
                level = self.level(space_id, user_id)
                if level is Level.NONE or (user_id not in wish.people and level is not Level.ALL):
                    continue
                if wish.mention:
                    guests = reader.guest and actor is not None and actor.guest
                    if guests or (wish.once and (user_id, wish.subject_id) in self.mentioned):
                        continue
                    self.mentioned.add((user_id, wish.subject_id))
                chosen[user_id] = wish
        return chosen


async def recipients_of(
    ctx: Context, events: Sequence[Event], wishes: Sequence[Sequence[Wish]]
) -> Recipients:
    """Everybody whom events concern: `wishes` are those of each event."""
    spaces: set[str] = set()
    followed: set[str] = set()
    people: set[str] = set()
    edited: set[str] = set()
    for event, reasons in zip(events, wishes, strict=True):
        if not reasons or event.space_id is None:
            continue
        spaces.add(event.space_id)
        if event.actor_id is not None:
            people.add(event.actor_id)
        for wish in reasons:
            people |= wish.people
            if wish.followers:
                followed.add(event.space_id)
            if wish.once:
                edited.add(wish.subject_id)
    followers = await _followers_of(ctx, followed)
    people = people.union(*followers.values())
    if not people:
        return Recipients({}, {}, {}, {}, {})
    ids, space_ids = sorted(people), sorted(spaces)
    readers = await readers_of_spaces(ctx, space_ids, ids)
    settings = await _settings.rows(ctx, people=ids)
    levels = await _levels.rows(ctx, people=ids, spaces=space_ids)
    mentions = await _mentioned.rows(ctx, subjects=sorted(edited)) if edited else []
    return Recipients(
        {(reader.space_id, reader.user_id): reader for reader in readers},
        followers,
        {(row.space_id, row.user_id): row.level for row in levels},
        {row.user_id: row.level for row in settings},
        {row.user_id: row.digest for row in settings},
        {(row.user_id, row.subject_id) for row in mentions},
    )


async def _followers_of(ctx: Context, space_ids: Collection[str]) -> dict[str, frozenset[str]]:
    by_space: dict[str, set[str]] = {}
    if space_ids:
        for row in await _followers.rows(ctx, spaces=sorted(space_ids)):
            by_space.setdefault(row.space_id, set()).add(row.user_id)
    return {space_id: frozenset(people) for space_id, people in by_space.items()}
