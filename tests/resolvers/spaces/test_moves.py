"""Moving spaces and collections: places, refusals, and moves at the same time."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update
from strawberry import Some

from content.ordering import between
from db.blobs import BlobStore
from db.content_enums import ContentKind
from db.enums import DefaultLevel, Role, TokenScope
from db.models.organizations import User
from db.models.spaces import Collection, Space
from db.session import Database, Session
from resolvers.core.actors import Actor
from resolvers.core.context import Context
from resolvers.core.errors import ApiError, BadRequest, Conflict, Forbidden, NotFound
from resolvers.core.installation import FileAccess
from resolvers.core.runners import run
from resolvers.spaces import collections, operations as space_operations, siblings
from resolvers.spaces.operations import MoveInput
from resolvers.spaces.siblings import ContentPointer, ContentPosition
from tests import factories
from tests.conftest import World, context


def pointer(row: Space | Collection) -> ContentPointer:
    if isinstance(row, Space):
        return ContentPointer(type=ContentKind.SPACE, space=row.id)
    return ContentPointer(type=ContentKind.COLLECTION, collection=row.id)


def to(
    parent: Any = "stay",
    before: Space | Collection | None = None,
    after: Space | Collection | None = None,
) -> MoveInput:
    position = None
    if before is not None or after is not None:
        position = Some(
            ContentPosition(
                before=None if before is None else pointer(before),
                after=None if after is None else pointer(after),
            )
        )
    target = None if parent == "stay" else Some(None if parent is None else parent.id)
    return MoveInput(parent=target, position=position)


async def order(session: Session, parent: Collection | None) -> list[str]:
    """Titles of the children of a collection in display order."""
    parent_id = parent.id if parent else None
    rows: list[Any] = []
    for model in (Space, Collection):
        statement = select(model.position, model.title).where(
            model.parent_id.is_(None) if parent_id is None else model.parent_id == parent_id
        )
        rows += (await session.execute(statement)).all()
    return [title for _, title in sorted(rows)]


class Shelf:
    """A collection that holds, in this order: space a, collection b, space c, space d."""

    def __init__(self, world: World, session: Session) -> None:
        self.world, self.session = world, session

    async def fill(self) -> None:
        session, organization = self.session, self.world.organization
        self.top = await factories.make_collection(session, organization, title="top")
        key = None
        self.rows: dict[str, Any] = {}
        for title in "abcd":
            key = between(key, None)
            make: Any = factories.make_collection if title == "b" else factories.make_space
            self.rows[title] = await make(
                session, organization, self.top, title=title, position=key
            )
        await session.commit()
        # What a refused operation rolls back leaves these rows as they are.
        session.expunge_all()

    async def move(self, title: str, input: MoveInput, person: User | None = None) -> Any:
        row = self.rows[title]
        operation: Any = (
            space_operations.move_space
            if isinstance(row, Space)
            else space_operations.move_collection
        )
        ctx = context(self.session, person or self.world.creator)
        return await run(ctx, operation, row.id, input)

    async def shown(self, parent: Collection | None = None) -> str:
        return "".join(await order(self.session, parent or self.top))


@pytest.fixture
async def shelf(world: World, session: Session) -> Shelf:
    made = Shelf(world, session)
    await made.fill()
    return made


@pytest.mark.parametrize(
    ("moved", "before", "after", "expected"),
    [
        ("a", None, None, "bcda"),
        ("d", "a", None, "dabc"),
        ("d", "b", None, "adbc"),
        ("a", None, "b", "bacd"),
        ("a", None, "d", "bcda"),
        ("b", "a", None, "bacd"),
        ("b", "d", "c", "acbd"),
        ("d", "b", "a", "adbc"),
    ],
)
async def test_places(
    shelf: Shelf, moved: str, before: str | None, after: str | None, expected: str
) -> None:
    input = to(before=shelf.rows.get(before or ""), after=shelf.rows.get(after or ""))
    await shelf.move(moved, input)
    assert await shelf.shown() == expected


@pytest.mark.parametrize(
    ("moved", "before", "after"),
    [("d", None, None), ("a", "b", None), ("b", None, "a"), ("b", "c", "a"), ("c", "d", "b")],
)
async def test_the_same_place_is_a_conflict(
    shelf: Shelf, moved: str, before: str | None, after: str | None
) -> None:
    input = to(before=shelf.rows.get(before or ""), after=shelf.rows.get(after or ""))
    with pytest.raises(Conflict):
        await shelf.move(moved, input)
    with pytest.raises(Conflict):
        await shelf.move(moved, to(shelf.top, input.position and shelf.rows.get(before or ""),
                                   input.position and shelf.rows.get(after or "")))  # fmt: skip
    assert await shelf.shown() == "abcd"


@pytest.mark.parametrize(
    ("moved", "before", "after"),
    [("a", "a", None), ("a", None, "a"), ("a", "d", "b"), ("a", "b", "c"), ("a", "c", "c")],
)
async def test_wrong_positions(
    shelf: Shelf, moved: str, before: str | None, after: str | None
) -> None:
    input = to(before=shelf.rows.get(before or ""), after=shelf.rows.get(after or ""))
    with pytest.raises(BadRequest, match="position"):
        await shelf.move(moved, input)
    assert await shelf.shown() == "abcd"


async def test_references_must_stand_in_the_target(shelf: Shelf, session: Session) -> None:
    other = await factories.make_space(session, shelf.world.organization, title="other")
    gone = shelf.rows["c"]
    await run(context(session), space_operations.delete_space, gone.id)
    for row in (other, gone, shelf.top):
        with pytest.raises(BadRequest, match=r"position\.after"):
            await shelf.move("a", to(after=row))
    without_id = ContentPosition(after=ContentPointer(type=ContentKind.SPACE))
    with pytest.raises(BadRequest, match=r"position\.after\.space: is required"):
        await shelf.move("a", MoveInput(position=Some(without_id)))


async def test_hidden_and_deleted_siblings_stay_unnoticed(shelf: Shelf, session: Session) -> None:
    """Who cannot see what stands between two siblings may name both as neighbours."""
    hide = update(Space).where(Space.id == shelf.rows["c"].id).values(default_level=None)
    await session.begin_write()
    await session.execute(hide)
    await session.commit()
    await shelf.move("a", to(before=shelf.rows["d"], after=shelf.rows["b"]))
    assert await shelf.shown() == "bacd"
    with pytest.raises(Conflict):
        await shelf.move("a", to(before=shelf.rows["d"]))
    await run(context(session), space_operations.delete_space, shelf.rows["d"].id)
    with pytest.raises(Conflict):
        await shelf.move("a", to())


async def test_to_the_top_level_and_back(shelf: Shelf, session: Session) -> None:
    moved = await shelf.move("a", to(None))
    assert moved.parent_id is None
    assert await order(session, None) == ["top", "a"]
    with pytest.raises(Conflict):
        await shelf.move("a", to(None))
    await shelf.move("a", to(None, before=shelf.top))
    assert await order(session, None) == ["a", "top"]
    back = await shelf.move("a", to(shelf.top, after=shelf.rows["b"]))
    assert back.parent_id == shelf.top.id
    assert await shelf.shown() == "bacd"


async def test_unknown_targets(shelf: Shelf, session: Session) -> None:
    elsewhere = await factories.make_organization(session)
    foreign = await factories.make_collection(session, elsewhere)
    await factories.make_member(session, elsewhere, Role.ADMIN, shelf.world.creator)
    hidden = await factories.make_collection(session, shelf.world.organization, None, None)
    await session.commit()
    for target in (foreign, hidden, Collection(id="unknown")):
        with pytest.raises(BadRequest, match="parent"):
            await shelf.move("a", to(target))
    with pytest.raises(NotFound):
        await run(context(session), space_operations.move_space, "unknown", to(None))
    with pytest.raises(NotFound):
        await shelf.move("a", to(None), shelf.world.outsider)


async def test_rights(shelf: Shelf, session: Session) -> None:
    """`create` is needed on the object and where it goes."""
    world = shelf.world
    readable = await factories.make_collection(
        session, world.organization, None, DefaultLevel.READ, title="readable"
    )
    await factories.make_grant(session, shelf.rows["a"], world.reader, Role.CREATE)
    await session.commit()
    with pytest.raises(Forbidden):
        await shelf.move("c", to(None), world.reviewer)
    for target in ("stay", None, readable):
        with pytest.raises(Forbidden):
            await shelf.move("a", to(target), world.reader)
    with pytest.raises(Forbidden):
        await shelf.move("a", to(readable))
    await session.begin_write()
    await factories.make_grant(session, readable, world.reader, Role.CREATE)
    await session.commit()
    moved = await shelf.move("a", to(readable), world.reader)
    assert moved.parent_id == readable.id


async def test_an_invisible_parent_is_not_named(shelf: Shelf, session: Session) -> None:
    """A guest with a grant on the space alone cannot move it within its collection."""
    await factories.make_grant(session, shelf.rows["a"], shelf.world.guest, Role.CREATE)
    await session.commit()
    with pytest.raises(Forbidden):
        await shelf.move("a", to(before=shelf.rows["d"]), shelf.world.guest)


async def test_cycles(shelf: Shelf, session: Session) -> None:
    b = shelf.rows["b"]
    below = await factories.make_collection(session, shelf.world.organization, b)
    await session.commit()
    for target in (b, below):
        with pytest.raises(BadRequest, match="parent"):
            await shelf.move("b", to(target))


async def test_twenty_levels(world: World, session: Session) -> None:
    chain: list[Collection] = []
    for _ in range(20):
        chain.append(
            await factories.make_collection(
                session, world.organization, chain[-1] if chain else None
            )
        )
    pair = await factories.make_collection(session, world.organization)
    await factories.make_collection(session, world.organization, pair)
    await session.commit()
    ctx = context(session, world.creator)
    create = collections.CreateCollectionInput(parent=Some(chain[-1].id))
    with pytest.raises(BadRequest, match="20 levels"):
        await run(ctx, collections.create_collection, world.organization.id, create)
    with pytest.raises(BadRequest, match="20 levels"):
        await run(ctx, space_operations.move_collection, pair.id, to(chain[18]))
    moved = await run(ctx, space_operations.move_collection, pair.id, to(chain[17]))
    assert moved.parent_id == chain[17].id


async def test_long_keys_are_renewed(
    shelf: Shelf, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(siblings, "KEY_LIMIT", 6)
    monkeypatch.setattr(space_operations, "KEY_LIMIT", 6)
    first, second = "c", "d"
    for _ in range(60):
        await shelf.move(second, to(after=shelf.rows["b"]))
        first, second = second, first
        assert (await shelf.shown()) == f"ab{first}{second}"
    for row in (await session.execute(select(Space.position))).scalars():
        assert len(row) <= 7


class Crowd:
    """The creator, doing several things at once, each in a session of their own."""

    def __init__(self, database: Database, world: World, folder: Path) -> None:
        self.database = database
        self.actor = Actor(world.creator.id, frozenset(TokenScope))
        self.files = FileAccess(BlobStore.in_folder(folder), b"key")

    async def attempt(self, operation: Any, *args: Any) -> str:
        """`done`, or the code of the refusal."""
        async with self.database.session() as session:
            try:
                await run(Context(self.actor, session, files=self.files), operation, *args)
            except ApiError as error:
                return error.code
            return "done"


@pytest.fixture
def crowd(database: Database, world: World, tmp_path: Path) -> Crowd:
    return Crowd(database, world, tmp_path / "files")


async def test_two_moves_at_once_make_no_cycle(
    world: World, session: Session, database: Database, crowd: Crowd
) -> None:
    left = await factories.make_collection(session, world.organization)
    right = await factories.make_collection(session, world.organization)
    await session.commit()
    for _ in range(5):
        outcomes = await asyncio.gather(
            crowd.attempt(space_operations.move_collection, left.id, to(right)),
            crowd.attempt(space_operations.move_collection, right.id, to(left)),
        )
        assert sorted(outcomes) == ["BAD_REQUEST", "done"]
        async with database.session() as fresh:
            parents = dict((await fresh.execute(select(Collection.id, Collection.parent_id))).all())
        assert sorted(parent is None for parent in parents.values()) == [False, True]
        inner = next(id for id, parent in parents.items() if parent is not None)
        assert await crowd.attempt(space_operations.move_collection, inner, to(None)
        ) == "done"  # fmt: skip


async def test_creates_moves_and_deletes_at_once(
    shelf: Shelf, database: Database, crowd: Crowd
) -> None:
    """No two siblings get one key, nothing is lost, and children of a deleted parent remain."""
    world = shelf.world
    create = collections.CreateCollectionInput(parent=Some(shelf.top.id))
    await asyncio.gather(
        *(
            crowd.attempt(collections.create_collection, world.organization.id, create)
            for _ in range(4)
        ),
        crowd.attempt(space_operations.move_space, shelf.rows["a"].id, to(shelf.top)),
        crowd.attempt(space_operations.move_space, shelf.rows["c"].id, to(shelf.top)),
        crowd.attempt(space_operations.duplicate_space, shelf.rows["d"].id),
        crowd.attempt(collections.delete_collection, shelf.top.id),
        crowd.attempt(space_operations.delete_space, shelf.rows["d"].id),
    )  # fmt: skip
    async with database.session() as fresh:
        spaces = (await fresh.execute(select(Space.parent_id, Space.position, Space.title))).all()
        nested = (await fresh.execute(select(Collection.parent_id, Collection.position))).all()
    places = [(row[0], row[1]) for row in [*spaces, *nested]]
    assert len(places) == len(set(places))
    assert {row[2] for row in spaces} >= {"a", "c", "d"}
    assert all(parent is None for parent, _ in places)
