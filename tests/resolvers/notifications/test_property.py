"""Random sequences of what people do: who is notified of what, against a slow reference."""

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import pytest
from sqlalchemy import select
from strawberry import ID, Some

from db.content_enums import ChangeRequestStatus, ReviewStatus
from db.enums import Role
from db.models.change_requests import ChangeRequest
from db.models.organizations import Member, User
from db.models.reviews import RequestedReviewer
from db.models.spaces import AccessGrant, Space
from db.notification_enums import NotificationLevel as Level
from db.session import Database, Session
from resolvers.access.policy import ranks
from resolvers.change_requests.operations import UpdateChangeRequestInput, update_change_request
from resolvers.change_requests.reviews import (
    RequestReviewersInput,
    SubmitReviewInput,
    request_reviewers,
    submit_review,
    withdraw_review_request,
)
from resolvers.comments.operations import (
    PostCommentInput,
    PostCommentReplyInput,
    UpdateCommentInput,
    post_comment,
    reply_to_comment,
    update_comment,
)
from resolvers.core.errors import ApiError
from resolvers.core.runners import run
from resolvers.notifications.operations import (
    MarkNotificationsReadInput,
    SetSpaceNotificationLevelInput,
    UpdateNotificationSettingsInput,
    mark_notifications_read,
    set_space_notification_level,
    update_notification_settings,
)
from tests import factories
from tests.conftest import World, context, settle
from tests.notifications import notifications_of, notify, saying

STEPS, SEEDS = 70, range(4)
Unread = Counter[tuple[str, str, str]]


@dataclass
class Done:
    """One thing that somebody has done, as the reference sees it."""

    what: str
    actor: str
    space: str
    request: str | None = None
    thread: str | None = None
    own: str | None = None
    mentioned: frozenset[str] = frozenset()
    whom: str | None = None


@dataclass
class Reference:
    """Keeps what everybody ought to have unread."""

    authors: dict[str, str] = field(default_factory=dict)
    # Who has written in each thread, in order, with the ids of what they wrote.
    threads: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    mentions: dict[str, frozenset[str]] = field(default_factory=dict)
    defaults: dict[str, Level] = field(default_factory=dict)
    levels: dict[tuple[str, str], Level] = field(default_factory=dict)
    waiting: list[Done] = field(default_factory=list)
    unread: Unread = field(default_factory=Counter)
    # Mentions that somebody was notified of, read or not.
    notified: set[tuple[str, str]] = field(default_factory=set)

    def notify(
        self, people: list[str], rank: dict[tuple[str, str], int], guests: set[str],
        asked: dict[str, set[str]],
    ) -> None:  # fmt: skip
        for done in self.waiting:
            if done.what in ("reviewed", "withdrawn"):
                self.unread.pop((done.whom or "", "review_requested", done.request or ""), None)
            for person in people:
                reason = self._reason(done, person, people, rank, guests, asked)
                if reason is not None:
                    self.unread[(person, *reason)] += 1
        self.waiting.clear()

    def _reason(
        self, done: Done, person: str, people: list[str], rank: dict[tuple[str, str], int],
        guests: set[str], asked: dict[str, set[str]],
    ) -> tuple[str, str] | None:  # fmt: skip
        default = self.defaults.get(person, Level.PARTICIPATING)
        level = self.levels.get((person, done.space), default)
        if person == done.actor or not rank.get((person, done.space)) or level is Level.NONE:
            return None
        follows = level is Level.ALL
        mine = done.request is not None and self.authors[done.request] == person
        if done.what in ("comment", "reply", "edit"):
            own = done.own or ""
            among_guests = {person, done.actor} <= guests and (done.actor, done.space) in rank
            news = done.what != "edit" or (person, own) not in self.notified
            if person in self.mentions[own] and not among_guests and news:
                self.notified.add((person, own))
                return "mentioned", own
            if done.what == "edit":
                return None
            thread = done.thread or ""
            if done.what == "reply" and any(
                writer == person for writer, id in self.threads[thread] if id < own
            ):
                return "replied", thread
            return ("commented", done.request or thread) if mine or follows else None
        request = done.request or ""
        if done.what == "asked":
            return ("review_requested", request) if person == done.whom else None
        if done.what == "opened":
            chosen = set()
            if not asked[request]:
                others = [p for p in people if p != self.authors[request]]
                for role in (Role.REVIEW, Role.CREATE, Role.ADMIN):
                    chosen = {p for p in others if rank.get((p, done.space)) == role.rank}
                    if chosen:
                        break
            return ("opened", request) if person in chosen or follows else None
        if done.what in ("reviewed", "archived"):
            return (done.what, request) if mine or follows else None
        assert done.what == "withdrawn"
        return None


@dataclass
class Play:
    """A world in which people do things at random."""

    database: Database
    session: Session
    dice: random.Random
    world: World
    spaces: list[Space]
    requests: list[ChangeRequest]
    guests: list[User]
    reference: Reference = field(default_factory=Reference)
    comments: list[tuple[str, str, str | None]] = field(default_factory=list)

    @property
    def people(self) -> list[User]:
        world = self.world.people().items()
        members = [person for name, person in world if name not in ("guest", "outsider")]
        return [*members, *self.guests]

    async def act(self, person: User, operation: Any, *arguments: Any) -> Any:
        """What the operation answers; None where the person may not."""
        try:
            return await run(context(self.session, person), operation, *arguments)
        except ApiError:
            return None
        finally:
            await self.session.commit()

    async def step(self) -> None:
        person, dice = dice_person(self), self.dice
        request, space = dice.choice(self.requests), dice.choice(self.spaces)
        mentioned = dice.sample([*self.people, self.world.outsider], dice.choice((0, 0, 1, 2)))
        names = frozenset(one.id for one in mentioned)
        match dice.choice(_STEPS):
            case "comment":
                where = dice.choice((None, request.id))
                at = space.id if where is None else request.space_id
                row = await self.act(
                    person, post_comment, at, PostCommentInput(body=saying(*mentioned)), where
                )
                if row is not None:
                    self.comments.append((row.id, at, where))
                    self.reference.threads[row.id] = [(person.id, row.id)]
                    self._wrote("comment", person, at, where, row.id, row.id, names)
            case "reply" if self.comments:
                id, at, where = dice.choice(self.comments)
                row = await self.act(
                    person, reply_to_comment, at, ID(id),
                    PostCommentReplyInput(body=saying(*mentioned)), where,
                )  # fmt: skip
                if row is not None:
                    self.reference.threads[id].append((person.id, row.id))
                    self._wrote("reply", person, at, where, id, row.id, names)
            case "edit" if self.comments:
                id, at, where = dice.choice(self.comments)
                change = UpdateCommentInput(body=Some(saying(*mentioned)))
                before = self.reference.mentions[id]
                row = await self.act(person, update_comment, at, ID(id), change, where)
                if row is not None and before != names:
                    self._wrote("edit", person, at, where, id, id, names)
            case "ask":
                whom = dice_person(self)
                asked = RequestReviewersInput(users=[ID(whom.id)])
                was_draft, was_asked = await self._state(request, whom)
                arguments = request.space_id, ID(request.id), asked
                if await self.act(person, request_reviewers, *arguments) is not None:
                    self._did("opened", person, request, None if was_draft else "")
                    self._did("asked", person, request, whom.id if not was_asked else "")
            case "withdraw":
                whom = dice_person(self)
                arguments = request.space_id, ID(request.id), ID(whom.id)
                if await self.act(person, withdraw_review_request, *arguments) is not None:
                    self._did("withdrawn", person, request, whom.id)
            case "review":
                review = SubmitReviewInput(status=dice.choice(list(ReviewStatus)))
                arguments = request.space_id, ID(request.id), review
                if await self.act(person, submit_review, *arguments) is not None:
                    self._did("reviewed", person, request, person.id)
            case "status":
                status = dice.choice(
                    (ChangeRequestStatus.OPEN, ChangeRequestStatus.DRAFT,
                     ChangeRequestStatus.ARCHIVED)
                )  # fmt: skip
                before_status, _ = await self._status(request)
                change_status = UpdateChangeRequestInput(status=Some(status))
                arguments = request.space_id, ID(request.id), change_status
                row = await self.act(person, update_change_request, *arguments)
                if row is not None and before_status is not status:
                    if status is ChangeRequestStatus.OPEN:
                        self._did("opened", person, request)
                    elif status is ChangeRequestStatus.ARCHIVED:
                        self._did("archived", person, request)
            case "level":
                level = dice.choice([None, *Level])
                chosen = SetSpaceNotificationLevelInput(level=Some(level))
                if await self.act(person, set_space_notification_level, space.id, chosen):
                    key = person.id, space.id
                    if level is None:
                        self.reference.levels.pop(key, None)
                    else:
                        self.reference.levels[key] = level
            case "default":
                level = dice.choice(list(Level))
                await self.act(
                    person, update_notification_settings,
                    UpdateNotificationSettingsInput(level=Some(level)),
                )  # fmt: skip
                self.reference.defaults[person.id] = level
            case "role":
                await self._give(person, space)
            case "read":
                everything = MarkNotificationsReadInput(all=True)
                await self.act(person, mark_notifications_read, everything)
                for key in [key for key in self.reference.unread if key[0] == person.id]:
                    del self.reference.unread[key]
            case "notify":
                await self.notify()

    def _wrote(
        self, what: str, person: User, at: str, where: str | None, thread: str, own: str,
        names: frozenset[str],
    ) -> None:  # fmt: skip
        self.reference.mentions[own] = names
        self.reference.waiting.append(Done(what, person.id, at, where, thread, own))

    def _did(
        self, what: str, person: User, request: ChangeRequest, whom: str | None = None
    ) -> None:
        if whom != "":
            self.reference.waiting.append(
                Done(what, person.id, request.space_id, request.id, whom=whom)
            )

    async def _status(self, request: ChangeRequest) -> tuple[ChangeRequestStatus, set[str]]:
        statement = select(ChangeRequest.status).where(ChangeRequest.id == request.id)
        status = (await self.session.execute(statement)).scalar_one()
        asked = select(RequestedReviewer.user_id).where(
            RequestedReviewer.change_request_id == request.id
        )
        people = set((await self.session.execute(asked)).scalars())
        await self.session.commit()
        return status, people

    async def _state(self, request: ChangeRequest, whom: User) -> tuple[bool, bool]:
        status, asked = await self._status(request)
        return status is ChangeRequestStatus.DRAFT, whom.id in asked

    async def _give(self, person: User, space: Space) -> None:
        """Another role on a space, or a membership that is disabled or not."""
        await self.session.begin_write()
        if self.dice.random() < 0.3:
            member = await self.session.get(Member, (self.world.organization.id, person.id))
            assert member is not None
            member.disabled = not member.disabled
        else:
            statement = select(AccessGrant).where(
                AccessGrant.user_id == person.id, AccessGrant.space_id == space.id
            )
            grant = (await self.session.execute(statement)).scalar_one_or_none()
            role = self.dice.choice([None, *Role])
            if grant is None:
                await factories.make_grant(self.session, space, person, role)
            else:
                grant.role = role
        await settle(self.session)

    async def notify(self) -> None:
        await notify(self.database)
        rank: dict[tuple[str, str], int] = {}
        for person in self.people:
            ctx = context(self.session, person)
            for space_id, value in (await ranks(ctx, Space, [s.id for s in self.spaces])).items():
                rank[person.id, space_id] = value
        asked = {request.id: (await self._status(request))[1] for request in self.requests}
        people = [person.id for person in self.people]
        self.reference.notify(people, rank, {one.id for one in self.guests}, asked)
        await self.session.commit()

    async def check(self) -> None:
        actual: Unread = Counter()
        for person in [*self.people, self.world.outsider]:
            for row in await notifications_of(self.database, person):
                if row.read_at is None:
                    actual[person.id, row.kind.value, row.subject_id] += row.count
        assert actual == +self.reference.unread


_STEPS = (
    ["comment"] * 4 + ["reply"] * 5 + ["edit"] * 2 + ["ask"] * 3 + ["withdraw", "review", "review"]
    + ["status"] * 2 + ["level"] * 2 + ["default"] + ["role"] * 2 + ["read", "notify", "notify"]
)  # fmt: skip


def dice_person(play: Play) -> User:
    return play.dice.choice(play.people)


@pytest.mark.parametrize("seed", SEEDS)
async def test_everybody_is_notified_as_the_reference_says(
    database: Database, session: Session, world: World, seed: int
) -> None:
    spaces = [await factories.make_space(session, world.organization) for _ in range(2)]
    guests = [world.guest, await factories.make_member(session, world.organization, None)]
    for guest in guests:
        await factories.make_grant(session, spaces[0], guest, Role.REVIEW)
    requests = [
        await factories.make_change_request(
            session, space, author, status=ChangeRequestStatus.DRAFT
        )
        for space, author in zip(spaces, (world.editor, world.creator), strict=True)
    ]
    await settle(session)
    play = Play(database, session, random.Random(seed), world, spaces, requests, guests)
    play.reference.authors = {request.id: request.created_by_id for request in requests}
    for _ in range(STEPS):
        await play.step()
    await play.notify()
    await play.check()
    # Nothing is left over, and nothing comes twice.
    assert await notify(database) == 0
    await play.check()
    assert play.reference.notified, "nobody was mentioned"
