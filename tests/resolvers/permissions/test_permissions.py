"""Roles that people and teams are given on spaces and collections, called as functions."""

import asyncio
from contextlib import suppress
from typing import Any, NamedTuple

import pytest
from sqlalchemy import func, select
from strawberry import ID, Some

from db.enums import Role
from db.models.organizations import Team, User
from db.models.spaces import AccessGrant, Collection, Space
from db.session import Database, Session
from resolvers.access.policy import ranks
from resolvers.core.errors import (
    ApiError,
    BadRequest,
    Forbidden,
    Invalid,
    NotFound,
    NothingToDelete,
)
from resolvers.core.runners import run
from resolvers.organizations import member_writes
from resolvers.permissions import grants, operations
from resolvers.permissions.grants import GrantArguments
from resolvers.permissions.operations import InviteInput, UpdatePermissionInput
from tests import factories
from tests.conftest import Queries, World, context, settle


class Doors(NamedTuple):
    """The operations on one kind of object."""

    model: Any
    invite: Any
    set_user: Any
    remove_user: Any
    set_team: Any
    remove_team: Any
    users: Any
    teams: Any


SPACES = Doors(
    Space,
    operations.invite_to_space,
    operations.update_user_permission_in_space,
    operations.remove_user_from_space,
    operations.update_team_permission_in_space,
    operations.remove_team_from_space,
    grants.user_grants_of_spaces,
    grants.team_grants_of_spaces,
)
COLLECTIONS = Doors(
    Collection,
    operations.invite_to_collection,
    operations.update_user_permission_in_collection,
    operations.remove_user_from_collection,
    operations.update_team_permission_in_collection,
    operations.remove_team_from_collection,
    grants.user_grants_of_collections,
    grants.team_grants_of_collections,
)
BOTH = pytest.mark.parametrize("doors", [SPACES, COLLECTIONS], ids=["space", "collection"])
Grant = tuple[str | None, str | None, Role | None]


class Scene(NamedTuple):
    """A space or a collection below another collection, and a team of the organization."""

    doors: Doors
    parent: Collection
    row: Any
    team: Team

    @property
    def id(self) -> ID:
        return ID(self.row.id)


async def scene_of(session: Session, world: World, doors: Doors, *people: User) -> Scene:
    parent = await factories.make_collection(session, world.organization)
    make: Any = factories.make_space if doors is SPACES else factories.make_collection
    row = await make(session, world.organization, parent)
    team = await factories.make_team(session, world.organization, *people)
    return Scene(doors, parent, row, team)


async def stored(session: Session) -> list[Grant]:
    """Who was given what, in the order of ids."""
    columns = AccessGrant.user_id, AccessGrant.team_id, AccessGrant.role
    return [tuple(row) for row in (await session.execute(select(*columns))).all()]


def invite(role: Role | None, **named: Any) -> InviteInput:
    return InviteInput(role=Some(role), **{name: Some(value) for name, value in named.items()})


def update(role: Role | None) -> UpdatePermissionInput:
    return UpdatePermissionInput(role=Some(role))


async def attempts(scene: Scene, ctx: Any, person: User, role: Role | None = Role.READ) -> Any:
    """Each write once, about a person and the team of the scene; the errors by their names."""
    doors, somebody, team = scene.doors, ID(person.id), ID(scene.team.id)
    wishes = {
        "invite": (doors.invite, scene.id, invite(role, users=[somebody], teams=[team])),
        "set_user": (doors.set_user, scene.id, somebody, update(role)),
        "set_team": (doors.set_team, scene.id, team, update(role)),
        "remove_user": (doors.remove_user, scene.id, somebody),
        "remove_team": (doors.remove_team, scene.id, team),
    }
    errors: dict[str, type[ApiError] | None] = {}
    for name, (operation, *arguments) in wishes.items():
        try:
            await run(ctx, operation, *arguments)
            errors[name] = None
        except ApiError as error:
            errors[name] = type(error)
    return errors


@BOTH
async def test_people_and_teams_come_change_and_go(
    session: Session, world: World, doors: Doors
) -> None:
    scene = await scene_of(session, world, doors, world.reader)
    await settle(session)
    ctx = context(session, world.creator)
    guest, team = world.guest.id, scene.team.id
    named = [world.guest.email.upper(), guest, world.editor.id]
    row = await run(ctx, doors.invite, scene.id, invite(Role.COMMENT, users=named, teams=[team]))
    assert (row.content.id, row.sent) == (scene.row.id, [])
    given: list[Grant] = [
        (guest, None, Role.COMMENT), (world.editor.id, None, Role.COMMENT),
        (None, team, Role.COMMENT),
    ]  # fmt: skip
    assert sorted(await stored(session), key=str) == sorted(given, key=str)
    # What they had is replaced, and null keeps out whoever has a role elsewhere.
    grant = await run(ctx, doors.set_user, scene.id, ID(world.editor.email), update(None))
    assert (grant.user_id, grant.role) == (world.editor.id, None)
    grant = await run(ctx, doors.set_team, scene.id, ID(team), update(Role.EDIT))
    assert (grant.team_id, grant.role) == (team, Role.EDIT)
    roles = {
        person.id: await ranks(context(session, person), doors.model, [scene.id])
        for person in (world.guest, world.editor, world.reader)
    }
    assert [roles[person.id].get(scene.id, 0) for person in (world.guest, world.editor)] == [2, 0]
    assert roles[world.reader.id] == {scene.id: Role.EDIT.rank}
    gone = await run(ctx, doors.remove_user, scene.id, ID(world.guest.email))
    assert (gone.deleted_id, gone.space_id or gone.collection_id) == (guest, scene.id)
    assert (await run(ctx, doors.remove_team, scene.id, ID(team))).deleted_id == team
    assert await stored(session) == [(world.editor.id, None, None)]
    for operation, id in ((doors.remove_user, guest), (doors.remove_team, team)):
        with pytest.raises(NothingToDelete):
            await run(ctx, operation, scene.id, ID(id))


@BOTH
async def test_who_may_not_manage_changes_nothing(
    session: Session, world: World, doors: Doors
) -> None:
    """Not who reviews there, not a creator who has less just there, nor who sees nothing of it."""
    scene = await scene_of(session, world, doors, world.reviewer)
    await factories.make_grant(session, scene.row, scene.team, Role.REVIEW)
    await factories.make_grant(session, scene.row, world.editor, Role.CREATE)
    shut_out = await factories.make_member(session, world.organization, Role.CREATE)
    await factories.make_grant(session, scene.row, shut_out, None)
    less = await factories.make_member(session, world.organization, Role.CREATE)
    await factories.make_grant(session, scene.parent, less, Role.REVIEW)
    disabled = await factories.make_member(session, world.organization, Role.ADMIN, disabled=True)
    await settle(session)
    before = await stored(session)
    for person in (world.reviewer, world.reader, world.commenter, less):
        assert set((await attempts(scene, context(session, person), person)).values()) == {
            Forbidden
        }
    for person in (world.guest, world.outsider, shut_out, disabled):
        errors = await attempts(scene, context(session, person), person)
        assert set(errors.values()) == {NotFound, NothingToDelete}
    # Whoever manages it without being an administrator there makes nobody one.
    for person in (world.creator, world.editor):
        errors = await attempts(scene, context(session, person), world.guest, Role.ADMIN)
        assert errors.pop("remove_user") is NothingToDelete
        assert errors.pop("remove_team") is None
        assert set(errors.values()) == {Forbidden}
        await session.begin_write()
        await factories.make_grant(session, scene.row, scene.team, Role.REVIEW)
        await session.commit()
    assert sorted(await stored(session), key=str) == sorted(before, key=str)
    ctx = context(session, world.admin)
    await run(ctx, doors.set_user, scene.id, ID(world.guest.id), update(Role.ADMIN))
    assert (world.guest.id, None, Role.ADMIN) in await stored(session)


@BOTH
async def test_nobody_gets_above_the_own_role_by_losing_a_grant(
    session: Session, world: World, doors: Doors
) -> None:
    """A grant of less may hide a higher role of a team, or of a collection above."""
    scene = await scene_of(session, world, doors, world.creator)
    await factories.make_grant(session, scene.row, scene.team, Role.ADMIN)
    await factories.make_grant(session, scene.row, world.creator, Role.CREATE)
    upper = await factories.make_grant(session, scene.parent, world.editor, Role.ADMIN)
    await factories.make_grant(session, scene.row, world.editor, Role.CREATE)
    await settle(session)
    before = await stored(session)
    for person in (world.creator, world.editor):
        with pytest.raises(Forbidden, match="higher role"):
            await run(context(session, person), doors.remove_user, scene.id, ID(person.id))
    assert await stored(session) == before
    admin = context(session, world.admin)
    await run(admin, doors.remove_user, scene.id, ID(world.editor.id))
    assert upper.role is Role.ADMIN
    # To have less than before is everybody's own affair.
    editor = context(session, world.editor)
    await run(editor, doors.set_user, scene.id, ID(world.editor.id), update(Role.READ))
    assert await ranks(editor, doors.model, [scene.id]) == {scene.id: Role.READ.rank}


@BOTH
async def test_nobody_takes_away_what_they_could_not_give(
    session: Session, world: World, doors: Doors
) -> None:
    """A grant of `admin`, also one from above, is changed by those alone who have that role."""
    scene = await scene_of(session, world, doors, world.reader)
    await factories.make_grant(session, scene.row, world.guest, Role.ADMIN)
    await factories.make_grant(session, scene.parent, scene.team, Role.ADMIN)
    await factories.make_grant(session, scene.parent, world.editor, Role.ADMIN)
    await settle(session)
    before = await stored(session)
    ctx = context(session, world.creator)
    for person in (world.guest, world.editor):
        named = invite(Role.READ, users=[world.commenter.id, person.id])
        with pytest.raises(Forbidden, match="'admin'"):
            await run(ctx, doors.invite, scene.id, named)
        with pytest.raises(Forbidden, match="'admin'"):
            await run(ctx, doors.set_user, scene.id, ID(person.id), update(None))
    with pytest.raises(Forbidden, match="'admin'"):
        await run(ctx, doors.remove_user, scene.id, ID(world.guest.id))
    with pytest.raises(Forbidden, match="'admin'"):
        await run(ctx, doors.set_team, scene.id, ID(scene.team.id), update(Role.READ))
    assert await stored(session) == before
    # Administrators of the object may; where a nearer grant hides the one above, everybody.
    guest = context(session, world.guest)
    await run(guest, doors.set_user, scene.id, ID(world.editor.id), update(Role.READ))
    await run(ctx, doors.set_user, scene.id, ID(world.editor.id), update(Role.EDIT))
    await run(guest, doors.set_team, scene.id, ID(scene.team.id), update(Role.READ))
    await run(ctx, doors.remove_team, scene.id, ID(scene.team.id))
    await run(guest, doors.set_user, scene.id, ID(world.guest.id), update(Role.READ))
    await run(ctx, doors.remove_user, scene.id, ID(world.guest.id))


@BOTH
async def test_wrong_names_and_bodies_change_nothing(
    session: Session, world: World, doors: Doors
) -> None:
    scene = await scene_of(session, world, doors)
    elsewhere = await factories.make_organization(session)
    foreign = await factories.make_team(session, elsewhere)
    await settle(session)
    ctx, reader = context(session, world.admin), world.reader.id
    wrong: list[tuple[InviteInput, type[ApiError], str]] = [
        (invite(Role.READ), Invalid, "users"),
        (invite(Role.READ, users=[reader, world.outsider.id]), NotFound, "users: "),
        (invite(Role.READ, users=[reader], teams=[foreign.id]), NotFound, "teams: "),
        (invite(Role.READ, teams=[scene.team.id, "nothing"]), NotFound, "teams: 'nothing'"),
        (invite(Role.READ, users=["%", reader]), NotFound, "users: '%'"),
    ]
    for body, error, message in wrong:
        with pytest.raises(error, match=message):
            await run(ctx, doors.invite, scene.id, body)
    with pytest.raises(NotFound, match="userId"):
        await run(ctx, doors.set_user, scene.id, ID(world.outsider.id), update(Role.READ))
    with pytest.raises(NotFound, match="teamId"):
        await run(ctx, doors.set_team, scene.id, ID(foreign.id), update(Role.READ))
    with pytest.raises(NotFound):
        await run(ctx, doors.set_user, ID("nothing"), ID(reader), update(Role.READ))
    assert await stored(session) == []


@BOTH
async def test_a_role_of_a_team_from_above_is_not_taken_back_here(
    session: Session, world: World, doors: Doors
) -> None:
    scene = await scene_of(session, world, doors, world.guest)
    await factories.make_grant(session, scene.parent, scene.team, Role.READ)
    await settle(session)
    ctx, team = context(session, world.admin), ID(scene.team.id)
    with pytest.raises(BadRequest, match="collection above"):
        await run(ctx, doors.remove_team, scene.id, team)
    await run(ctx, doors.set_team, scene.id, team, update(None))
    assert await ranks(context(session, world.guest), doors.model, [scene.id]) == {}
    await run(ctx, doors.remove_team, scene.id, team)
    assert await stored(session) == [(None, scene.team.id, Role.READ)]


def people_in(part: Any) -> Any:
    """The people in a list, or the kind of error in its place."""
    return type(part) if isinstance(part, ApiError) else [row.user_id for row in part.rows]


@BOTH
async def test_lists_are_for_those_who_manage(
    session: Session, world: World, doors: Doors, queries: Queries
) -> None:
    scene = await scene_of(session, world, doors, world.reader)
    others = [(await scene_of(session, world, doors)).row for _ in range(3)]
    rows = [scene.row, *others]
    await factories.make_grant(session, scene.row, world.guest, Role.CREATE)
    await factories.make_grant(session, scene.row, world.editor, None)
    await factories.make_grant(session, scene.row, scene.team, Role.EDIT)
    await factories.make_grant(session, others[0], world.reader, Role.EDIT)
    await settle(session)
    people = [world.guest.id, world.editor.id]
    for person, expected in (
        (world.admin, [people, [world.reader.id], [], []]),
        (world.creator, [people, [world.reader.id], [], []]),
        (world.guest, [people, NotFound, NotFound, NotFound]),
        (world.reviewer, [Forbidden] * 4),
        (world.outsider, [NotFound] * 4),
    ):
        ctx = context(session, person)
        with queries.at_most(2):
            parts = await doors.users(ctx, rows, GrantArguments())
        assert [people_in(part) for part in parts] == expected
        (part, *_) = await doors.teams(ctx, rows, GrantArguments())
        if isinstance(expected[0], list):
            assert [row.team_id for row in part.rows] == [scene.team.id]
        else:
            assert type(part) is expected[0]
    ctx = context(session, world.admin)
    (part,) = await doors.users(ctx, [scene.row], GrantArguments(denials=False))
    assert [(row.user_id, row.role) for row in part.rows] == [(world.guest.id, Role.CREATE)]
    (part,) = await doors.users(ctx, [scene.row], GrantArguments(first=1))
    (rest,) = await doors.users(ctx, [scene.row], GrantArguments(after=part.next_cursor))
    assert [row.user_id for row in (*part.rows, *rest.rows)] == people


async def test_writers_of_the_same_grant_wait_for_each_other(
    session: Session, world: World, database: Database
) -> None:
    """However many invite the same people, each has one role; who left gets none."""
    scene = await scene_of(session, world, SPACES)
    leaver = await factories.make_member(session, world.organization, Role.EDIT)
    await settle(session)
    roles = [Role.READ, Role.COMMENT, Role.EDIT, Role.REVIEW] * 2
    both = [world.guest.id, world.reader.id, leaver.id]

    async def give(place: int, role: Role) -> None:
        named = invite(role, users=both if place % 2 else both[::-1], teams=[scene.team.id])
        async with database.session() as own:
            with suppress(NotFound):
                await run(context(own, world.admin), SPACES.invite, scene.id, named)

    async def leave() -> None:
        async with database.session() as own:
            ctx = context(own, world.admin)
            organization = ID(world.organization.id)
            await run(ctx, member_writes.remove_member, organization, ID(leaver.id))

    await asyncio.gather(*(give(place, role) for place, role in enumerate(roles)), leave())
    subjects = [user or team for user, team, _ in await stored(session)]
    assert len(subjects) == len(set(subjects))
    assert set(subjects) <= {world.guest.id, world.reader.id, scene.team.id}


async def test_a_space_in_the_bin_is_managed_by_nobody(session: Session, world: World) -> None:
    scene = await scene_of(session, world, SPACES)
    scene.row.deleted_at = scene.row.created_at
    await settle(session)
    errors = await attempts(scene, context(session, world.admin), world.reader)
    assert set(errors.values()) == {NotFound, NothingToDelete}
    number = await session.execute(select(func.count()).select_from(AccessGrant))
    assert number.scalar_one() == 0
