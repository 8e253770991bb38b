"""Transferring spaces and collections to another organization."""

from typing import Any

import pytest
from sqlalchemy import select

from db.enums import DefaultLevel, Role
from db.models.organizations import Organization, Team
from db.models.spaces import AccessGrant, Collection, CollectionAncestor, Space
from db.session import Session
from resolvers.core.errors import Conflict, NotFound, PreconditionFailed
from resolvers.core.runners import run
from resolvers.spaces.operations import delete_space, restore_space
from resolvers.spaces.transfers import TransferInput, transfer_collection, transfer_space
from tests import factories
from tests.conftest import World, context, settle


class Other:
    """Another organization: the creator may create there, the reviewer review."""

    organization: Organization
    space: Space

    async def build(self, session: Session, world: World) -> None:
        self.organization = await factories.make_organization(session, title="Target")
        for person, role in (
            (world.creator, Role.CREATE),
            (world.admin, Role.REVIEW),
            (world.editor, Role.READ),
        ):
            await factories.make_member(session, self.organization, role, person)
        self.space = await factories.make_space(session, self.organization)
        self.input = TransferInput(organization=self.organization.id)


@pytest.fixture
async def other(session: Session, world: World) -> Other:
    made = Other()
    await made.build(session, world)
    return made


@pytest.mark.parametrize("kind", ["collection", "space"])
async def test_the_checks_in_their_order(
    session: Session, world: World, other: Other, kind: str
) -> None:
    """Each caller fails the check under test and, where possible, all that follow."""
    row: Any
    if kind == "space":
        row = await factories.make_space(session, world.organization)
        operation: Any = transfer_space
    else:
        row = await factories.make_collection(session, world.organization)
        operation = transfer_collection
    await settle(session)
    unknown = TransferInput(organization="unknown")
    here = TransferInput(organization=world.organization.id)
    cases = [
        (world.creator, "unknown", other.input, NotFound),
        (world.outsider, row.id, unknown, NotFound),
        (world.reviewer, row.id, unknown, NotFound),
        (world.reviewer, row.id, here, NotFound),
        (world.creator, row.id, unknown, NotFound),
        (world.creator, row.id, here, Conflict),
        (world.admin, row.id, other.input, PreconditionFailed),
    ]
    for person, id, input, error in cases:
        with pytest.raises(error):
            await run(context(session, person), operation, id, input)
    moved = await run(context(session, world.creator), operation, row.id, other.input)
    assert moved.organization_id == other.organization.id


async def test_deleted_and_published_spaces_stay(
    session: Session, world: World, other: Other
) -> None:
    deleted = await factories.make_space(session, world.organization)
    placed = await factories.make_space(session, world.organization)
    await factories.make_site(session, world.organization, placed)
    await settle(session)
    ctx = context(session, world.creator)
    await run(ctx, delete_space, deleted.id)
    with pytest.raises(NotFound):
        await run(ctx, transfer_space, deleted.id, other.input)
    here = TransferInput(organization=world.organization.id)
    with pytest.raises(Conflict):
        await run(ctx, transfer_space, deleted.id, here)
    with pytest.raises(PreconditionFailed, match="site"):
        await run(ctx, transfer_space, placed.id, other.input)


async def test_a_transferred_space(session: Session, world: World, other: Other) -> None:
    parent = await factories.make_collection(session, world.organization, None, DefaultLevel.EDIT)
    space = await factories.make_space(session, world.organization, parent, default_level=None)
    request = await factories.make_change_request(session, space, world.editor)
    team = await factories.make_team(session, world.organization, world.editor)
    await factories.make_grant(session, space, world.creator, Role.CREATE)
    await factories.make_grant(session, space, world.reader, Role.EDIT)
    await factories.make_grant(session, space, world.editor, Role.EDIT)
    await factories.make_grant(session, space, team, Role.EDIT)
    await settle(session)
    ctx = context(session, world.creator)
    moved = await run(ctx, transfer_space, space.id, other.input)
    assert (moved.organization_id, moved.parent_id) == (other.organization.id, None)
    assert moved.default_level is DefaultLevel.INHERIT
    assert moved.position > other.space.position
    assert moved.revision_id == space.revision_id
    assert moved.last_change_request == request.number
    grants = await session.execute(select(AccessGrant.user_id, AccessGrant.team_id))
    assert {tuple(row) for row in grants} == {
        (world.creator.id, None),
        (world.editor.id, None),
    }


async def tree(session: Session, world: World) -> dict[str, Any]:
    organization = world.organization
    outer = await factories.make_collection(session, organization, None, DefaultLevel.READ)
    rows: dict[str, Any] = {"outer": outer}
    rows["moved"] = await factories.make_collection(
        session, organization, outer, DefaultLevel.COMMENT
    )
    rows["inner"] = await factories.make_collection(session, organization, rows["moved"])
    for name in ("one", "two", "binned"):
        rows[name] = await factories.make_space(session, organization, rows["inner"], title=name)
    for name in ("outer", "moved"):
        await factories.make_grant(session, rows[name], world.creator, Role.CREATE)
    await factories.make_grant(session, rows["inner"], world.reader, Role.EDIT)
    await factories.make_grant(session, rows["one"], world.reader, Role.EDIT)
    await factories.make_grant(session, rows["one"], world.editor, Role.EDIT)
    return rows


async def test_a_transferred_collection(session: Session, world: World, other: Other) -> None:
    rows = await tree(session, world)
    await settle(session)
    ctx = context(session, world.creator)
    await run(ctx, delete_space, rows["binned"].id)
    moved = await run(ctx, transfer_collection, rows["moved"].id, other.input)
    assert (moved.organization_id, moved.parent_id) == (other.organization.id, None)
    assert moved.default_level is DefaultLevel.INHERIT
    assert moved.position > other.space.position
    found = await session.execute(select(Space.title, Space.organization_id, Space.parent_id))
    places = {title: (organization, parent) for title, organization, parent in found}
    inner = rows["inner"].id
    assert places["one"] == places["two"] == (other.organization.id, inner)
    assert places["binned"] == (world.organization.id, None)
    columns = Collection.id, Collection.organization_id, Collection.depth, Collection.level_rank
    stored = {row[0]: tuple(row[1:]) for row in await session.execute(select(*columns))}
    assert stored[moved.id] == (other.organization.id, 0, None)
    assert stored[inner] == (other.organization.id, 1, None)
    assert stored[rows["outer"].id] == (world.organization.id, 0, Role.READ.rank)
    links = await session.execute(
        select(CollectionAncestor.ancestor_id).where(CollectionAncestor.collection_id == inner)
    )
    assert set(links.scalars()) == {inner, moved.id}
    grants = await session.execute(select(AccessGrant.user_id, AccessGrant.space_id))
    left = {tuple(row) for row in grants}
    assert left == {(world.creator.id, None), (world.editor.id, rows["one"].id)}
    restored = await run(context(session, world.admin), restore_space, rows["binned"].id)
    assert (restored.organization_id, restored.parent_id) == (world.organization.id, None)


@pytest.mark.parametrize("fault", ["site", "role", "hidden"])
async def test_one_space_keeps_a_collection(
    session: Session, world: World, other: Other, fault: str
) -> None:
    rows = await tree(session, world)
    if fault == "site":
        await factories.make_site(session, world.organization, rows["two"])
    else:
        role = Role.REVIEW if fault == "role" else None
        await factories.make_grant(session, rows["two"], world.creator, role)
    await settle(session)
    named = "not visible" if fault == "hidden" else "'two'"
    with pytest.raises(PreconditionFailed, match=named) as caught:
        await run(
            context(session, world.creator), transfer_collection, rows["moved"].id, other.input
        )
    assert ("two" in caught.value.message) is (fault != "hidden")
    owners = set((await session.execute(select(Collection.organization_id))).scalars())
    assert owners == {world.organization.id}
    assert (await session.execute(select(Team.id))).all() == []
