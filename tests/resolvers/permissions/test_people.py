"""Who may read spaces and collections, with which role and why: against the slow, obvious rule."""

from typing import Any

import pytest
from sqlalchemy import insert, select
from strawberry import ID

from db.enums import Role, RoleReasonKind
from db.models.organizations import Member, TeamMember, User
from db.models.spaces import AccessGrant, Collection, Space
from db.session import Database, Session
from resolvers.access.policy import ranks
from resolvers.core.errors import ApiError, Forbidden
from resolvers.core.pagination import total_counts
from resolvers.permissions.people import (
    ContentPeopleArguments,
    people_of_collections,
    people_of_spaces,
)
from resolvers.permissions.reasons import (
    EffectiveRole,
    EffectiveRoleArguments,
    effective_roles_on_collections,
    effective_roles_on_spaces,
)
from tests import factories
from tests.conftest import Queries, World, context, settle
from tests.resolvers.access.test_roles_property import Scene
from tests.role_reference import Facts, effective_rank, rank as rank_of

KINDS: tuple[tuple[Any, Any, Any], ...] = (
    (Space, people_of_spaces, effective_roles_on_spaces),
    (Collection, people_of_collections, effective_roles_on_collections),
)


async def all_rows(session: Session, model: Any) -> list[Any]:
    return list((await session.execute(select(model))).scalars())


async def facts_of(session: Session) -> Facts:
    return Facts(
        await all_rows(session, Member),
        await all_rows(session, TeamMember),
        await all_rows(session, AccessGrant),
        {row.id: row for row in await all_rows(session, Collection)},
    )


@pytest.mark.parametrize("seed", range(3))
async def test_lists_and_reasons_agree_with_the_rule(
    session: Session, queries: Queries, seed: int
) -> None:
    await Scene(seed, session).build()
    facts = await facts_of(session)
    people = await all_rows(session, User)
    operator = context(session)
    for model, people_of, roles_on in KINDS:
        rows = await all_rows(session, model)
        expected = [
            {
                person.id: rank
                for person in people
                if (rank := effective_rank(facts, person.id, row))
            }
            for row in rows
        ]
        with queries(2):
            parts = await people_of(operator, rows, ContentPeopleArguments())
        assert [{one.user_id: one.role.rank for one in part.rows} for part in parts] == expected
        assert [await total_counts(operator, parts, None)] == [[len(one) for one in expected]]
        names = {person.id: person.display_name for person in people}
        for part in parts:
            shown = [names[one.user_id] for one in part.rows]
            assert shown == sorted(shown)
        for role in Role:
            parts = await people_of(operator, rows, ContentPeopleArguments(role=role))
            assert [{one.user_id for one in part.rows} for part in parts] == [
                {id for id, rank in one.items() if rank == role.rank} for one in expected
            ]
        for words in {name[1:3].upper() for name in names.values()} | {"%", "_", "nobody"}:
            parts = await people_of(operator, rows, ContentPeopleArguments(search=words))
            assert [{one.user_id for one in part.rows} for part in parts] == [
                {id for id in one if words.lower() in names[id].lower()} for one in expected
            ]
        for person in people:
            with queries.at_most(4):
                roles = await roles_on(operator, rows, EffectiveRoleArguments(ID(person.id)))
            for row, role, theirs in zip(rows, roles, expected, strict=True):
                assert isinstance(role, EffectiveRole)
                assert rank_of(role.role) == theirs.get(person.id, 0), row.title
                assert role.role is role.reasons[0].role
                assert [one.decides for one in role.reasons] == [True] + [False] * (
                    len(role.reasons) - 1
                )


async def test_pages_of_one_object_and_of_many(session: Session, world: World) -> None:
    organization = world.organization
    collection = await factories.make_collection(session, organization)
    spaces = [await factories.make_space(session, organization, collection) for _ in range(2)]
    await factories.make_grant(session, collection, world.guest, Role.COMMENT)
    await factories.make_grant(session, spaces[1], world.guest, None)
    await factories.make_member(session, organization, Role.ADMIN, disabled=True)
    await settle(session)
    ctx = context(session, world.reader)
    names = ["admin", "commenter", "creator", "editor", "guest", "reader", "reviewer"]
    everybody = [world.people()[name].id for name in names]
    for rows, expected in (
        ([spaces[0]], [everybody]),
        (spaces, [everybody, [id for id in everybody if id != world.guest.id]]),
    ):
        pages: list[list[str]] = [[] for _ in rows]
        for place, row in enumerate(rows):
            after = None
            while True:
                arguments = ContentPeopleArguments(first=2, after=after)
                (part,) = await people_of_spaces(ctx, [row], arguments)
                pages[place] += [one.user_id for one in part.rows]
                after = part.next_cursor
                if after is None:
                    break
        assert pages == expected
        parts = await people_of_spaces(ctx, rows, ContentPeopleArguments(first=3))
        assert [[one.user_id for one in part.rows] for part in parts] == [
            page[:3] for page in expected
        ]
    # Guests see themselves only, and who is no member sees nobody.
    guest = context(session, world.guest)
    (part,) = await people_of_collections(guest, [collection], ContentPeopleArguments())
    assert [(one.user_id, one.role) for one in part.rows] == [(world.guest.id, Role.COMMENT)]
    outsider = context(session, world.outsider)
    (part,) = await people_of_collections(outsider, [collection], ContentPeopleArguments())
    assert part.rows == []


def shown(role: EffectiveRole | ApiError | None) -> Any:
    """The reasons, or the kind of error in their place."""
    if role is None or isinstance(role, ApiError):
        return role and type(role)
    return [(one.kind, one.role) for one in role.reasons]


async def test_reasons_are_told_in_order(session: Session, world: World) -> None:
    organization = world.organization
    outer = await factories.make_collection(session, organization, default_level=None)
    space = await factories.make_space(session, organization, outer)
    teams = [
        await factories.make_team(session, organization, world.editor, world.guest)
        for _ in range(2)
    ]
    await factories.make_grant(session, space, world.editor, Role.READ)
    await factories.make_grant(session, space, teams[0], Role.COMMENT)
    await factories.make_grant(session, outer, teams[1], Role.CREATE)
    disabled = await factories.make_member(session, organization, Role.EDIT, disabled=True)
    await settle(session)
    kinds = RoleReasonKind

    async def reasons_for(viewer: User | None, person: User | None = None) -> Any:
        whose = EffectiveRoleArguments(None if person is None else ID(person.id))
        (role,) = await effective_roles_on_spaces(context(session, viewer), [space], whose)
        return shown(role)

    editor = [
        (kinds.GRANT, Role.READ), (kinds.TEAM_GRANT, Role.COMMENT),
        (kinds.TEAM_GRANT, Role.CREATE), (kinds.DEFAULT_LEVEL, None),
        (kinds.ORGANIZATION_ROLE, Role.EDIT),
    ]  # fmt: skip
    assert await reasons_for(world.editor) == editor
    assert await reasons_for(world.editor, world.editor) == editor
    assert await reasons_for(world.admin, world.editor) == editor
    assert (await reasons_for(world.admin))[0] == (kinds.ORGANIZATION_ADMIN, Role.ADMIN)
    assert await reasons_for(None) == [(kinds.OPERATOR, Role.ADMIN)]
    assert (await reasons_for(world.admin, world.guest))[-1] == (kinds.GUEST, None)
    assert await reasons_for(world.admin, disabled) == [(kinds.DISABLED, None)]
    assert await reasons_for(world.admin, world.outsider) == [(kinds.NOT_A_MEMBER, None)]
    # Nobody asks about others without the role `create`.
    assert await reasons_for(world.editor, world.admin) is Forbidden
    assert await reasons_for(world.guest, world.editor) is Forbidden
    assert await ranks(context(session, world.guest), Space, [space.id]) == {space.id: 2}


async def steps_of_first_pages(session: Session, viewer: User, spaces: list[Space]) -> int:
    """Hundreds of steps that SQLite takes for the first pages of people of all the spaces."""
    steps = 0

    def counted() -> int:
        nonlocal steps
        steps += 1
        return 0

    raw = await (await session.connection()).get_raw_connection()
    await raw.driver_connection.set_progress_handler(counted, 100)
    parts = await people_of_spaces(
        context(session, viewer), spaces, ContentPeopleArguments(first=5)
    )
    await raw.driver_connection.set_progress_handler(None, 0)
    assert [len(part.rows) for part in parts] == [5] * len(spaces)
    return steps


async def test_first_pages_do_not_look_at_everybody(session: Session, database: Database) -> None:
    """Ten times as many people cost at most twice as much, for many spaces at once."""
    if not database.is_sqlite:
        # It reads pages from an index by lateral joins.
        return
    steps = []
    for size in (40, 400):
        organization = await factories.make_organization(session)
        admin = await factories.make_user(session, "Admin")
        await factories.make_member(session, organization, Role.ADMIN, admin)
        people = [f"{size}-{number:04}" for number in range(size)]
        await session.execute(
            insert(User),
            [{"id": id, "display_name": id, "email": f"{id}@a.example"} for id in people],
        )
        for number, id in enumerate(people):
            session.add(
                Member(
                    organization_id=organization.id, user_id=id, name_key=f"{number * 7 % size:04}",
                    role=Role.READ if number % 2 else None,
                )
            )  # fmt: skip
        await session.flush()
        spaces = [await factories.make_space(session, organization) for _ in range(8)]
        await session.commit()
        steps.append(await steps_of_first_pages(session, admin, spaces))
    assert steps[1] <= 2 * steps[0]
