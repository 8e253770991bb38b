"""Random trees, grants and changes: derived columns and roles against the slow reference."""

import random
from typing import Any

import pytest
from sqlalchemy import select
from strawberry import Some

from db.enums import DefaultLevel, Role
from db.models.organizations import Member, Organization, TeamMember, User
from db.models.spaces import AccessGrant, Collection, CollectionAncestor, Space
from db.session import Database, Session
from resolvers.access.policy import ranked
from resolvers.access.ranks import collection_rank, space_rank
from resolvers.core.errors import ApiError
from resolvers.core.runners import run
from resolvers.spaces import collections, operations, transfers
from resolvers.spaces.collections import CreateCollectionInput, UpdateCollectionInput
from resolvers.spaces.operations import MoveInput
from resolvers.spaces.transfers import TransferInput
from tests import factories
from tests.conftest import context
from tests.role_reference import Derived, Facts, derived, effective_rank

LEVELS = [DefaultLevel.INHERIT] * 6 + [None, *DefaultLevel]
ROLES = [None, None, *Role]
SEEDS = range(6)


async def all_rows(session: Session, model: Any) -> list[Any]:
    return list((await session.execute(select(model))).scalars())


async def check_everything(database: Database) -> None:
    """Compare all derived columns, and everybody's role on everything, with the reference."""
    async with database.session() as session:
        nodes = {row.id: row for row in await all_rows(session, Collection)}
        closure: dict[str, set[str]] = {}
        for link in await all_rows(session, CollectionAncestor):
            closure.setdefault(link.collection_id, set()).add(link.ancestor_id)
        assert closure.keys() == nodes.keys()
        for row in nodes.values():
            stored = Derived(frozenset(closure[row.id]), row.depth, row.level_rank, row.level_depth)
            assert stored == derived(nodes, row), row.title
            if row.parent_id is not None:
                assert nodes[row.parent_id].organization_id == row.organization_id
        facts = Facts(
            await all_rows(session, Member),
            await all_rows(session, TeamMember),
            await all_rows(session, AccessGrant),
            nodes,
        )
        spaces = await all_rows(session, Space)
        keys = [(row.organization_id, row.parent_id, row.position) for row in spaces]
        keys += [(row.organization_id, row.parent_id, row.position) for row in nodes.values()]
        assert len(keys) == len(set(keys)), "two siblings have the same sort key"
        for person in await all_rows(session, User):
            ctx = context(session, person)
            for model, rule, rows in (
                (Space, space_rank, spaces),
                (Collection, collection_rank, nodes.values()),
            ):
                statement, rank = ranked(ctx, model, rule)
                found = await session.execute(statement.with_only_columns(model.id, rank))
                answers = dict(found.all())
                for row in rows:
                    expected = effective_rank(facts, person.id, row)
                    assert answers.get(row.id, 0) == expected, (person.display_name, row.title)


class Scene:
    """Two organizations with random people, teams, collections, spaces and grants."""

    def __init__(self, seed: int, session: Session) -> None:
        self.random = random.Random(seed)
        self.session = session
        self.organizations: list[Organization] = []
        self.collections: list[Collection] = []

    async def build(self) -> None:
        choose, session = self.random, self.session
        people = [await factories.make_user(session, f"P{n}") for n in range(8)]
        for number in range(2):
            organization = await factories.make_organization(session)
            self.organizations.append(organization)
            members = choose.sample(people, 6)
            for index, person in enumerate(members):
                role = Role.ADMIN if index == 0 else choose.choice(ROLES)
                disabled = choose.random() < 0.15
                await factories.make_member(session, organization, role, person, disabled=disabled)
            teams = [
                await factories.make_team(
                    session, organization, *choose.sample(members, choose.randint(0, 4))
                )
                for _ in range(3)
            ]
            own: list[Any] = []
            for index in range(9):
                parent = choose.choice([None, *own]) if own else None
                made = await factories.make_collection(
                    session, organization, parent, choose.choice(LEVELS), title=f"C{number}{index}"
                )
                own.append(made)
            self.collections += own
            spaces = [
                await factories.make_space(
                    session,
                    organization,
                    choose.choice([None, *own]),
                    default_level=choose.choice(LEVELS),
                    title=f"S{number}{index}",
                )
                for index in range(9)
            ]
            for target in own + spaces:
                subjects = choose.sample([*members, *teams], choose.choice([0, 0, 1, 1, 2, 3]))
                for subject in subjects:
                    await factories.make_grant(session, target, subject, choose.choice(ROLES))
        await session.commit()

    async def change(self, database: Database) -> str:
        """One random change by the operator, who may do everything; refusals are fine."""
        choose = self.random
        target = choose.choice(self.collections).id
        other = choose.choice([None, *(one.id for one in self.collections)])
        organization = choose.choice(self.organizations).id
        async with database.session() as session:
            ctx = context(session)
            try:
                match choose.choice(["create", "move", "move", "move", "delete", "level", "give"]):
                    case "create":
                        create = CreateCollectionInput(title=Some("New"), parent=Some(other))
                        self.collections.append(
                            await run(ctx, collections.create_collection, organization, create)
                        )
                    case "move":
                        await run(
                            ctx, operations.move_collection, target, MoveInput(parent=Some(other))
                        )
                    case "delete":
                        await run(ctx, collections.delete_collection, target)
                    case "level":
                        level = UpdateCollectionInput(default_level=Some(choose.choice(LEVELS)))
                        await run(ctx, collections.update_collection, target, level)
                    case "give":
                        give = TransferInput(organization=organization)
                        await run(ctx, transfers.transfer_collection, target, give)
            except ApiError:
                return "refused"
            return "done"


@pytest.mark.parametrize("seed", SEEDS)
async def test_roles_and_derived_columns(seed: int, database: Database, session: Session) -> None:
    scene = Scene(seed, session)
    await scene.build()
    await check_everything(database)
    outcomes = [await scene.change(database) for _ in range(25)]
    assert outcomes.count("done") > 5
    await check_everything(database)
