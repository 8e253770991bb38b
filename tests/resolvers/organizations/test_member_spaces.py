"""The spaces of members: the same rule as for each of them alone."""

from random import Random

import pytest

from db.enums import DefaultLevel, Role, SortOrder
from db.models.organizations import Member, User
from db.models.spaces import Space
from db.session import Session
from resolvers.access.policy import ranks
from resolvers.organizations.member_spaces import MemberSpaceArguments, spaces_of_members
from tests import factories
from tests.conftest import Queries, World, context

LEVELS = [DefaultLevel.INHERIT, DefaultLevel.INHERIT, DefaultLevel.READ, DefaultLevel.EDIT, None]
ROLES = [None, Role.READ, Role.COMMENT, Role.EDIT, Role.CREATE]


async def random_spaces(session: Session, world: World, choose: Random) -> list[Space]:
    """Nested collections and spaces with levels, and grants for people and teams."""
    organization, collections, spaces = world.organization, [], []
    for _ in range(8):
        level = choose.choice(LEVELS)
        parent = choose.choice([None, *collections])
        collections.append(await factories.make_collection(session, organization, parent, level))
    for number in range(16):
        level = choose.choice(LEVELS)
        parent = choose.choice([None, *collections])
        space = await factories.make_space(session, organization, parent)
        space.default_level = level
        if number == 7:
            space.deleted_at = space.created_at
        spaces.append(space)
    people = [world.guest, world.reader, world.editor, world.creator]
    teams = [await factories.make_team(session, organization, *choose.sample(people, 2))
             for _ in range(3)]  # fmt: skip
    for subject in (*people, *teams):
        for target in choose.sample([*collections, *spaces], 5):
            await factories.make_grant(session, target, subject, choose.choice(ROLES))
    await session.flush()
    return spaces


@pytest.mark.parametrize("seed", range(4))
async def test_lists_agree_with_what_each_person_may(
    session: Session, world: World, queries: Queries, seed: int
) -> None:
    spaces = await random_spaces(session, world, Random(seed))
    elsewhere = await factories.make_organization(session)
    await factories.make_member(session, elsewhere, Role.ADMIN, world.guest)
    await factories.make_space(session, elsewhere)
    disabled = await factories.make_member(session, world.organization, Role.EDIT, disabled=True)
    people: list[User] = [person for person in world.people().values() if person != world.outsider]
    ids = [space.id for space in spaces]
    keys = [(world.organization.id, person.id) for person in (*people, disabled)]
    members = [await session.get_one(Member, key) for key in keys]
    alone = [await ranks(context(session, person), Space, ids) for person in (*people, disabled)]
    for viewer in (world.admin, world.reader, world.guest):
        ctx = context(session, viewer)
        seen = await ranks(ctx, Space, ids)
        with queries.at_most(2):
            parts = await spaces_of_members(ctx, members, MemberSpaceArguments())
        for part, theirs in zip(parts, alone, strict=True):
            assert {row.id: row.permission.rank for row in part.rows} == {
                id: rank for id, rank in theirs.items() if id in seen
            }
            assert [row.id for row in part.rows] == sorted(row.id for row in part.rows)
    assert parts[-1].rows == []
    (part,) = await spaces_of_members(ctx, members[:1], MemberSpaceArguments(first=2))
    (rest,) = await spaces_of_members(
        ctx, members[:1], MemberSpaceArguments(after=part.next_cursor)
    )
    (turned,) = await spaces_of_members(
        ctx, members[:1], MemberSpaceArguments(order=SortOrder.DESC)
    )
    assert [*part.rows, *rest.rows] == turned.rows[::-1]
