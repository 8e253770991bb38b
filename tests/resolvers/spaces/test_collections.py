"""Collections: creating, changing, deleting; the roles that follow."""

from typing import Any

import pytest
from sqlalchemy import select
from strawberry import Some

from content.ordering import between
from db.enums import DefaultLevel, Role
from db.models.spaces import AccessGrant, Collection, Space
from db.session import Session
from resolvers.core.context import Context
from resolvers.core.errors import Forbidden, NotFound
from resolvers.core.runners import read, run
from resolvers.spaces import siblings
from resolvers.spaces.collections import (
    CreateCollectionInput,
    UpdateCollectionInput,
    create_collection,
    delete_collection,
    get_collection,
    update_collection,
)
from resolvers.spaces.operations import (
    CreateSpaceInput,
    UpdateSpaceInput,
    create_space,
    delete_space,
    update_space,
)
from tests import factories
from tests.conftest import World, context, settle
from tests.deleting import removes


async def test_create(session: Session, world: World) -> None:
    ctx = context(session, world.creator)
    first = await run(ctx, create_collection, world.organization.id, CreateCollectionInput())
    assert (first.title, first.parent_id) == ("Untitled", None)
    assert first.default_level is DefaultLevel.INHERIT
    inside = CreateCollectionInput(title=Some("Inside"), parent=Some(first.id))
    second = await run(ctx, create_collection, world.organization.id, inside)
    assert (second.title, second.parent_id) == ("Inside", first.id)
    third = await run(ctx, create_collection, world.organization.id, CreateCollectionInput())
    assert third.position > first.position


async def test_who_may_create(session: Session, world: World) -> None:
    """The organization role at the top, the role on the collection inside one."""
    collection = await factories.make_collection(session, world.organization)
    team = await factories.make_team(session, world.organization, world.reader)
    closed = await factories.make_collection(
        session, world.organization, default_level=DefaultLevel.REVIEW
    )
    granted = (world.guest, Role.CREATE), (team, Role.CREATE)
    for subject, role in granted:
        await factories.make_grant(session, collection, subject, role)
    elsewhere = await factories.make_organization(session)
    foreign = await factories.make_collection(session, elsewhere)
    await settle(session)
    organization = world.organization.id
    top, inside = CreateCollectionInput(), CreateCollectionInput(parent=Some(collection.id))
    for person in (world.guest, world.reader, world.reviewer):
        with pytest.raises(Forbidden):
            await run(context(session, person), create_collection, organization, top)
        with pytest.raises(Forbidden):
            await run(context(session, person), create_space, organization, CreateSpaceInput())
    for person in (world.guest, world.reader, world.creator, world.admin):
        ctx = context(session, person)
        made = await run(ctx, create_collection, organization, inside)
        kept = await run(ctx, update_collection, made.id, UpdateCollectionInput(title=Some("Own")))
        assert kept.title == "Own", "who makes an object keeps the role `create` on it"
        space = CreateSpaceInput(parent=Some(collection.id))
        own = await run(ctx, create_space, organization, space)
        await run(ctx, update_space, own.id, UpdateSpaceInput(title=Some("Own")))
    creator = context(session, world.creator)
    with pytest.raises(Forbidden):
        await run(creator, create_collection, organization,
                  CreateCollectionInput(parent=Some(closed.id)))  # fmt: skip
    for unknown in (foreign.id, "unknown", ""):
        with pytest.raises(NotFound):
            await run(creator, create_collection, organization,
                      CreateCollectionInput(parent=Some(unknown)))  # fmt: skip
    with pytest.raises(NotFound):
        await run(context(session, world.outsider), create_collection, organization, top)


async def test_update(session: Session, world: World) -> None:
    collection = await factories.make_collection(session, world.organization, description="Old")
    await settle(session)
    ctx = context(session, world.creator)
    input = UpdateCollectionInput(title=Some("New"), description=Some(None))
    found = await run(ctx, update_collection, collection.id, input)
    assert (found.title, found.description) == ("New", None)
    same = await run(ctx, update_collection, collection.id, UpdateCollectionInput())
    assert (same.title, same.default_level) == ("New", DefaultLevel.INHERIT)
    with pytest.raises(Forbidden):
        await run(context(session, world.reviewer), update_collection, collection.id, input)
    with pytest.raises(NotFound):
        await run(context(session, world.outsider), update_collection, collection.id, input)


@pytest.mark.parametrize("kind", ["collection", "space"])
async def test_nobody_locks_themselves_out(session: Session, world: World, kind: str) -> None:
    """Lowering the default level leaves `create` to who did it, and only to them."""
    ctx = context(session, world.creator)
    row: Any
    if kind == "space":
        row = await factories.make_space(session, world.organization)
        operation: Any = update_space
        closed: Any = UpdateSpaceInput(default_level=Some(None))
    else:
        row = await factories.make_collection(session, world.organization)
        operation = update_collection
        closed = UpdateCollectionInput(default_level=Some(None))
    other = await factories.make_member(session, world.organization, Role.CREATE)
    await settle(session)
    found = await run(ctx, operation, row.id, closed)
    assert found.default_level is None
    await run(ctx, operation, row.id, closed)
    grants = await session.execute(select(AccessGrant.user_id, AccessGrant.role))
    assert [tuple(grant) for grant in grants] == [(world.creator.id, Role.CREATE)]
    with pytest.raises(NotFound):
        await run(context(session, other), operation, row.id, closed)
    await run(context(session, world.admin), operation, row.id, closed)
    count = (await session.execute(select(AccessGrant.id))).all()
    assert len(count) == 1, "an admin needs no grant"


@pytest.mark.parametrize("kind", ["collection", "space"])
async def test_nobody_gives_more_than_they_have(session: Session, world: World, kind: str) -> None:
    row: Any
    if kind == "space":
        row = await factories.make_space(session, world.organization)
        operation: Any = update_space
        level: Any = UpdateSpaceInput(default_level=Some(DefaultLevel.ADMIN))
    else:
        row = await factories.make_collection(session, world.organization)
        operation = update_collection
        level = UpdateCollectionInput(default_level=Some(DefaultLevel.ADMIN))
    await settle(session)
    with pytest.raises(Forbidden):
        await run(context(session, world.creator), operation, row.id, level)
    found = await run(context(session, world.admin), operation, row.id, level)
    assert found.default_level is DefaultLevel.ADMIN


async def titles(session: Session, parent_id: str | None) -> list[str]:
    rows: list[Any] = []
    for model in (Space, Collection):
        where = model.parent_id.is_(None) if parent_id is None else model.parent_id == parent_id
        rows += (await session.execute(select(model.position, model.title).where(where))).all()
    return [title for _, title in sorted(rows)]


class Nest:
    """top: [before, middle: [one, two (collection: [deep]), three, binned], after]."""

    async def build(self, session: Session, world: World) -> None:
        organization = world.organization
        self.top = await factories.make_collection(session, organization, title="top")
        key: str | None = None
        rows: dict[str, Any] = {}
        for title in ("before", "middle", "after"):
            # Neighbours without room between them are the hard case for the lifted keys.
            key = between(None, None) + "V" if key is None else between(key, key + "1")
            make: Any = factories.make_collection if title == "middle" else factories.make_space
            rows[title] = await make(session, organization, self.top, title=title, position=key)
        for number, title in enumerate(("one", "two", "three", "binned")):
            make = factories.make_collection if title == "two" else factories.make_space
            rows[title] = await make(
                session, organization, rows["middle"], title=title, position=f"{number}V"
            )
        rows["deep"] = await factories.make_space(session, organization, rows["two"], title="deep")
        self.rows = rows
        await settle(session)


@pytest.fixture
async def nest(session: Session, world: World) -> Nest:
    made = Nest()
    await made.build(session, world)
    return made


async def test_children_take_the_place_of_a_deleted_collection(
    session: Session, world: World, nest: Nest
) -> None:
    ctx = context(session, world.creator)
    await run(ctx, delete_space, nest.rows["binned"].id)
    middle = nest.rows["middle"].id
    assert await removes(ctx, delete_collection, middle) is True
    assert await titles(session, nest.top.id) == ["before", "one", "two", "three", "after"]
    assert await titles(session, None) == ["top", "binned"]
    assert await titles(session, nest.rows["two"].id) == ["deep"]
    with pytest.raises(NotFound):
        await read(ctx, get_collection, middle)
    assert await removes(ctx, delete_collection, middle) is False


async def test_deleting_from_the_top_level(session: Session, world: World, nest: Nest) -> None:
    ctx = context(session, world.creator)
    assert await removes(ctx, delete_collection, nest.top.id)
    assert await titles(session, None) == ["before", "middle", "after"]


async def test_long_keys_of_lifted_children_are_renewed(
    session: Session, world: World, nest: Nest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(siblings, "KEY_LIMIT", 2)
    await run(context(session, world.creator), delete_collection, nest.rows["middle"].id)
    expected = ["before", "one", "two", "three", "binned", "after"]
    assert await titles(session, nest.top.id) == expected
    for model in (Space, Collection):
        keys = select(model.position).where(model.parent_id == nest.top.id)
        for key in (await session.execute(keys)).scalars():
            assert len(key) <= 2


async def test_lifted_children_inherit_from_their_new_parent(
    session: Session, world: World
) -> None:
    closed = await factories.make_collection(session, world.organization, default_level=None)
    inner = await factories.make_collection(session, world.organization, closed)
    space = await factories.make_space(session, world.organization, inner)
    await settle(session)
    reader: Context = context(session, world.reader)
    with pytest.raises(NotFound):
        await read(reader, get_collection, inner.id)
    await run(context(session, world.admin), delete_collection, closed.id)
    assert (await read(reader, get_collection, inner.id)).parent_id is None
    assert space.id


async def test_who_may_delete(session: Session, world: World, nest: Nest) -> None:
    middle = nest.rows["middle"].id
    with pytest.raises(Forbidden):
        await run(context(session, world.reviewer), delete_collection, middle)
    assert await removes(context(session, world.outsider), delete_collection, middle) is False
    assert await titles(session, nest.top.id) == ["before", "middle", "after"]
