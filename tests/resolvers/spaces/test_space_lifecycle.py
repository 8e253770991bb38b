"""Deleting, restoring, duplicating and removing spaces for good."""

import asyncio
import datetime as dt
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from db.base import utc_now
from db.blobs import BlobMissingError, BlobStore
from db.enums import DefaultLevel, EditMode, Language, Role
from db.models.change_requests import ChangeRequest
from db.models.comments import Comment
from db.models.content import ContentNode, Document, Revision
from db.models.organizations import User
from db.models.sites import Site, SiteSpace
from db.models.spaces import AccessGrant, Space
from db.session import Database, Session
from jobs import purge as purging
from jobs.kinds import Work
from jobs.purge import purge
from resolvers.core.actors import OPERATOR, Actor
from resolvers.core.context import Context
from resolvers.core.errors import Forbidden, NotFound, Unavailable
from resolvers.core.installation import FileAccess
from resolvers.core.leases import Lease
from resolvers.core.runners import read, run
from resolvers.revisions.read_targets import get_revision
from resolvers.sites.removed_spaces import expired_spaces, purge_deleted_spaces
from resolvers.spaces import collections, operations as spaces
from resolvers.spaces.bin import RETENTION
from resolvers.spaces.operations import (
    CreateSpaceInput,
    delete_space,
    duplicate_space,
    get_space,
    restore_space,
)
from tests import factories
from tests.conftest import World, context
from tests.deleting import removes

SECOND = dt.timedelta(seconds=1)


def at(session: Session, person: User | None, now: dt.datetime) -> Context:
    """A context whose clock stands still."""
    ctx = context(session, person)
    ctx.clock = lambda: now
    return ctx


@pytest.fixture
def files(tmp_path: Path) -> FileAccess:
    return FileAccess(BlobStore.in_folder(tmp_path / "files"), b"key")


async def one_space(session: Session, world: World, **changes: Any) -> Space:
    space = await factories.make_space(session, world.organization, **changes)
    await session.commit()
    return space


async def test_delete_twice(session: Session, world: World) -> None:
    id = (await one_space(session, world)).id
    ctx = context(session, world.creator)
    assert await removes(ctx, delete_space, id) is True
    assert await removes(ctx, delete_space, id) is False
    assert await removes(ctx, delete_space, "unknown") is False


async def test_who_may_delete_and_restore(session: Session, world: World) -> None:
    id = (await one_space(session, world)).id
    assert await removes(context(session, world.outsider), delete_space, id) is False
    with pytest.raises(Forbidden):
        await run(context(session, world.reviewer), delete_space, id)
    with pytest.raises(Forbidden):
        await run(context(session, world.reviewer), restore_space, id)
    await run(context(session, world.creator), delete_space, id)
    with pytest.raises(NotFound):
        await run(context(session, world.reviewer), restore_space, id)
    restored = await run(context(session, world.creator), restore_space, id)
    assert restored.deleted_at is None


async def test_the_bin_is_seen_by_those_who_may_restore(session: Session, world: World) -> None:
    id = (await one_space(session, world)).id
    await run(context(session, world.creator), delete_space, id)
    for person in (world.creator, world.admin):
        found = await read(context(session, person), get_space, id)
        assert found.deleted_at is not None
    for person in (world.reviewer, world.reader, world.guest, world.outsider):
        with pytest.raises(NotFound):
            await read(context(session, person), get_space, id)
    with pytest.raises(NotFound):
        await read(context(session, world.admin), get_revision, id)
    with pytest.raises(NotFound):
        await run(context(session, world.admin), spaces.update_space, id, spaces.UpdateSpaceInput())


async def test_restore_within_seven_days(session: Session, world: World) -> None:
    id = (await one_space(session, world)).id
    now = utc_now()
    await run(at(session, world.creator, now), delete_space, id)
    with pytest.raises(NotFound):
        await run(at(session, world.creator, now + RETENTION + SECOND), restore_space, id)
    with pytest.raises(NotFound):
        await read(at(session, world.creator, now + RETENTION + SECOND), get_space, id)
    restored = await run(at(session, world.creator, now + RETENTION), restore_space, id)
    assert (restored.deleted_at, restored.updated_at) == (None, now + RETENTION)
    again = await run(at(session, world.creator, now + RETENTION + SECOND), restore_space, id)
    assert again.updated_at == now + RETENTION, "a space that is not deleted stays as it is"


async def test_restored_to_its_parent_or_to_the_top(session: Session, world: World) -> None:
    collection = await factories.make_collection(session, world.organization)
    inner = await factories.make_collection(session, world.organization, collection)
    kept = await factories.make_space(session, world.organization, collection)
    lost = await factories.make_space(session, world.organization, inner)
    await session.commit()
    ids = kept.id, lost.id
    parent_id, inner_id = collection.id, inner.id
    session.expunge_all()
    ctx = context(session, world.creator)
    for id in ids:
        await run(ctx, delete_space, id)
    await run(ctx, collections.delete_collection, inner_id)
    assert (await run(ctx, restore_space, ids[0])).parent_id == parent_id
    assert (await run(ctx, restore_space, ids[1])).parent_id is None


async def test_duplicate(session: Session, world: World, files: FileAccess) -> None:
    collection = await factories.make_collection(session, world.organization)
    ctx = Context(OPERATOR, session, files=files)
    made = await run(
        ctx,
        spaces.create_space,
        world.organization.id,
        CreateSpaceInput(),
    )
    await session.begin_write()
    made.title, made.emoji, made.language = "Guide", "1f389", Language.FR
    made.default_level, made.edit_mode, made.parent_id = None, EditMode.LIVE, collection.id
    made.merge_rules = {"type": "none"}
    made.icon_url = "https://example.com/a.png"
    team = await factories.make_team(session, world.organization, world.reader)
    await factories.make_grant(session, made, world.guest, Role.EDIT)
    await factories.make_grant(session, made, world.creator, Role.CREATE)
    await factories.make_grant(session, made, team, None)
    await factories.make_change_request(session, made, world.editor)
    await factories.make_comment(session, made, world.editor)
    behind = await factories.make_space(session, world.organization, collection)
    await session.commit()
    actor = context(session, world.creator).actor
    copy = await run(Context(actor, session, files=files), duplicate_space, made.id)
    assert copy.id != made.id
    assert (copy.title, copy.emoji, copy.language) == ("Guide (copy)", "1f389", Language.FR)
    assert copy.icon_url == made.icon_url
    assert (copy.default_level, copy.parent_id) == (None, collection.id)
    assert (copy.edit_mode, copy.merge_rules) == (EditMode.LOCKED, {"type": "inherit"})
    assert made.position < copy.position < behind.position
    assert copy.revision_id != made.revision_id
    assert copy.last_change_request == 0

    async def grants(space: Space) -> set[tuple[Any, ...]]:
        columns = AccessGrant.user_id, AccessGrant.team_id, AccessGrant.role
        statement = select(*columns).where(AccessGrant.space_id == space.id)
        return {tuple(row) for row in (await session.execute(statement)).all()}

    assert len(await grants(made)) == 3
    assert await grants(copy) == await grants(made)
    for model in (ChangeRequest, Comment):
        count = select(func.count()).select_from(model).where(model.space_id == copy.id)
        assert (await session.execute(count)).scalar() == 0
    revision = await read(Context(actor, session), get_revision, copy.id)
    assert (revision.space_id, revision.parents) == (copy.id, [])
    assert revision.pages_root is not None


async def test_title_of_a_copy_is_cut(session: Session, world: World, files: FileAccess) -> None:
    space = await one_space(session, world, title="x" * 47)
    ctx = Context(context(session, world.creator).actor, session, files=files)
    copy = await run(ctx, duplicate_space, space.id)
    assert copy.title == "x" * 47 + " (c"
    assert len(copy.title) == 50


async def test_purge(session: Session, world: World, files: FileAccess) -> None:
    now = utc_now()
    ids = {}
    for name, age in (("old", RETENTION + SECOND), ("young", RETENTION), ("alive", None)):
        space = await factories.make_space(session, world.organization)
        space.deleted_at = None if age is None else now - age
        request = await factories.make_change_request(session, space, world.editor)
        comment = await factories.make_comment(session, space, world.editor, request)
        await factories.make_comment(session, space, world.editor, request, comment)
        await factories.make_grant(session, space, world.guest, Role.READ)
        session.add(ContentNode(space_id=space.id, id="node", data=b""))
        session.add(Document(space_id=space.id, id="document", markdown="", data=b"{}"))
        ids[name] = space.id
    site = await factories.make_site(session, world.organization)
    placed = [
        SiteSpace(site_id=site.id, space_id=ids[name], path=name, position=position)
        for position, name in enumerate(("old", "alive"))
    ]
    session.add_all(placed)
    await session.flush()
    site.default_site_space_id = placed[0].id
    await session.commit()
    expected = placed[1].id
    digests = {name: await files.blobs.put(id, name.encode()) for name, id in ids.items()}
    session.expunge_all()
    ctx = Context(OPERATOR, session, files=files)
    assert await purge(ctx, now) == 1
    assert await purge(ctx, now) == 0
    for model in (ContentNode, Document, Revision, ChangeRequest, Comment, AccessGrant):
        found = set((await session.execute(select(model.space_id))).scalars())
        assert found == {ids["young"], ids["alive"]}, model
    assert set((await session.execute(select(Space.id))).scalars()) == {ids["young"], ids["alive"]}
    stored = await session.execute(select(Site.default_site_space_id))
    assert stored.scalar_one() == expected
    positions = await session.execute(select(SiteSpace.id, SiteSpace.position))
    assert [tuple(row) for row in positions] == [(expected, 0)]
    with pytest.raises(BlobMissingError):
        await anext(files.blobs.read(ids["old"], digests["old"]))
    assert await anext(files.blobs.read(ids["young"], digests["young"])) == b"young"


async def test_purge_takes_several_transactions(
    session: Session, world: World, files: FileAccess
) -> None:
    now = utc_now()
    for _ in range(23):
        await factories.make_space(session, world.organization, deleted_at=now - RETENTION - SECOND)
    await session.commit()
    ctx = Context(OPERATOR, session, files=files)
    assert len(await read(ctx, expired_spaces, now)) == 10
    assert await purge(ctx, now) == 23


async def test_only_the_operator_empties_the_bin(session: Session, world: World) -> None:
    with pytest.raises(Forbidden):
        await run(context(session, world.admin), purge_deleted_spaces, utc_now())


async def test_the_periodic_purge_goes_on_after_a_fault(
    session: Session,
    world: World,
    files: FileAccess,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    await factories.make_space(
        session, world.organization, deleted_at=utc_now() - RETENTION - SECOND
    )
    await session.commit()

    async def fails(ctx: Context, now: Any) -> int:
        raise OSError("the disk is full")

    monkeypatch.setattr(purging, "STEPS", {"uploads": fails, **purging.STEPS})
    lease = Lease("job", 1, SECOND)
    work = Work(Context(OPERATOR, session, files=files), {}, lease)
    with pytest.raises(Unavailable, match="not removed: uploads"):
        await purging.purge_all(work)
    assert "the disk is full" in caplog.text
    assert lease.progress["done"] == lease.progress["total"] - 1
    count = await session.execute(select(func.count()).select_from(Space))
    assert count.scalar() == 0


async def test_a_null_level_of_a_space_is_stored(session: Session, world: World) -> None:
    """Null is a level of its own, not the absence of one."""
    space = await one_space(session, world, default_level=None)
    stored = await session.execute(select(Space.default_level).where(Space.id == space.id))
    assert stored.scalar_one() is None
    with pytest.raises(NotFound):
        await read(context(session, world.creator), get_space, space.id)
    assert DefaultLevel.of_rank(0) is None


async def test_delete_and_restore_at_once(
    session: Session, world: World, database: Database
) -> None:
    id = (await one_space(session, world)).id
    actor = Actor(world.creator.id, context(session, world.creator).actor.scopes)

    async def attempt(operation: Any, runs: Any = run) -> Any:
        async with database.session() as own:
            return await runs(Context(actor, own), operation, id)

    removed = await asyncio.gather(*(attempt(delete_space, removes) for _ in range(4)))
    assert sorted(removed) == [False, False, False, True]
    await asyncio.gather(attempt(restore_space), attempt(restore_space))
