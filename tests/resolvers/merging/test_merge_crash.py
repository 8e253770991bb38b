"""A process that is killed while it merges, pulls or imports: all of it is there, or nothing."""

import asyncio
import random
from pathlib import Path

from sqlalchemy import func, select

from content.merkle.read import scan
from db.blobs import BlobStore
from db.content_enums import ChangeRequestStatus, RevisionType
from db.models.change_requests import ChangeRequest
from db.models.content import Document, Revision
from db.models.merging import MergeConflict
from db.models.spaces import Space
from db.session import Database, Session
from resolvers.revisions.store import NODES, walk_one
from resolvers.revisions.tree import all_pages, find_page
from tests.conftest import World, context
from tests.content.merkle_store import reachable
from tests.factories import make_change_request
from tests.fetching.servers import serving
from tests.forked import start
from tests.importing import documents
from tests.merge_process import main as merging
from tests.merging import BODY, edit, filled_space, text_of

REQUESTS, PAGES = 16, 32
IMPORTS = 6


async def merge_until_killed(
    database: Database, space: Space, person_id: str, seconds: float, *kind: str
) -> bool:
    """Start a process that merges, and kill it after a time; whether it was still at work."""
    url = database.url.render_as_string(hide_password=False)
    process = await start(merging, url, space.id, person_id, *kind)
    assert await process.stdout.readline() == b"merging\n"
    try:
        await asyncio.wait_for(process.wait(), seconds)
    except TimeoutError:
        process.kill()
        await process.wait()
        return True
    assert process.returncode == 0
    return False


async def check(session: Session, space: Space, rows: list[ChangeRequest]) -> int:
    """Nothing is half done; the number of requests that are merged."""
    session.expunge_all()
    ctx = context(session)
    place = await session.get_one(Space, space.id)
    requests = [await session.get_one(ChangeRequest, row.id) for row in rows]
    merged = {one.id: one for one in requests if one.status is ChangeRequestStatus.MERGED}
    assert all((one.id in merged) == (one.revision_merged_id is not None) for one in requests)
    statement = select(Revision).where(
        Revision.space_id == space.id, Revision.type == RevisionType.MERGE
    )
    made = {one.merged_from_id: one for one in (await session.execute(statement)).scalars()}
    assert made.keys() == merged.keys()
    assert {one.id for one in made.values()} == {one.revision_merged_id for one in requests} - {
        None
    }
    # From the newest revision back, each merge stands on the one before.
    by_id = {one.id: one for one in made.values()}
    at = place.revision_id
    for _ in merged:
        assert by_id[at].parents[1] == merged[by_id[at].merged_from_id or ""].revision_id
        at = by_id.pop(at).parents[0]
    assert not by_id
    current = await session.get_one(Revision, place.revision_id)
    NODES.clear()
    for root in (current.pages_root, current.slugs_root):
        await walk_one(ctx, space.id, reachable(root))
    entries = dict(await walk_one(ctx, space.id, scan(current.pages_root)))
    for number, row in enumerate(rows):
        for id in (f"p{number}", f"p{number + REQUESTS}"):
            title = entries[id]["title"]
            assert (title == f"Ours {number}") == (row.id in merged), (id, title)
    documents = {entry["document_id"] for entry in entries.values()}
    found = await session.execute(
        select(Document.id).where(Document.space_id == space.id, Document.id.in_(documents))
    )
    assert set(found.scalars()) == documents
    await session.commit()
    return len(merged)


async def requests_with_edits(session: Session, world: World) -> tuple[Space, list[ChangeRequest]]:
    """Change requests that have changed two pages each."""
    space = await filled_space(session, world, PAGES)
    await session.begin_write()
    rows = [await make_change_request(session, space, world.editor) for _ in range(REQUESTS)]
    await session.commit()
    for number, row in enumerate(rows):
        body = BODY.replace("First", f"Our {number}")
        changed = {"title": f"Ours {number}", "body": body}
        await edit(session, world.editor, space, row,
                   **{f"p{number}": changed, f"p{number + REQUESTS}": changed})  # fmt: skip
    return space, rows


async def test_a_killed_merge_is_whole_or_nothing(
    database: Database, session: Session, world: World
) -> None:
    space, rows = await requests_with_edits(session, world)
    chance = random.Random(20)
    kills = 0
    while await check(session, space, rows) < REQUESTS:
        # In the end it may finish: what was killed has left nothing in its way.
        seconds = chance.uniform(0.01, 0.25) if kills < 5 else 30
        kills += await merge_until_killed(database, space, world.reviewer.id, seconds)
    assert kills >= 1


async def check_pulls(session: Session, rows: list[ChangeRequest], live: Revision) -> int:
    """Each change request is as it was, or has everything that a pull brings; the number."""
    session.expunge_all()
    ctx = context(session)
    conflicts = select(MergeConflict.change_request_id, MergeConflict.kind)
    found = [row.change_request_id for row in (await session.execute(conflicts)).all()]
    pulled = 0
    for number, row in enumerate(rows):
        request = await session.get_one(ChangeRequest, row.id)
        now = await session.get_one(Revision, request.revision_id)
        done = now.type is RevisionType.UPDATE
        assert (request.revision_merged_ancestor_id == live.id) == done
        # Both have given another title to one page.
        assert found.count(row.id) == int(done)
        page, other = [
            await find_page(ctx, now, id) for id in (f"p{number}", f"p{number + REQUESTS}")
        ]
        assert (page.title, other.title) == ("Live" if done else f"Ours {number}", f"Ours {number}")
        text = await text_of(ctx, now, page.id)
        assert (f"Our {number} " in text, "Live paragraph" in text) == (True, done)
        pulled += done
    await session.commit()
    return pulled


async def test_a_killed_pull_is_whole_or_nothing(
    database: Database, session: Session, world: World
) -> None:
    space, rows = await requests_with_edits(session, world)
    changed = {"title": "Live", "body": BODY.replace("Third", "Live")}
    live = await edit(session, world.creator, space,
                      **{f"p{number}": changed for number in range(REQUESTS)})  # fmt: skip
    chance = random.Random(21)
    kills = 0
    while await check_pulls(session, rows, live) < REQUESTS:
        seconds = chance.uniform(0.01, 0.25) if kills < 5 else 30
        kills += await merge_until_killed(database, space, world.editor.id, seconds, "pull")
    assert kills >= 1


IMPORTED = b"<h1>New</h1><p>Imported paragraph <img src=dot.png></p>"


async def check_imports(
    session: Session, rows: list[ChangeRequest], blobs: BlobStore, before: int
) -> int:
    """Each change request is as it began, or has a whole import with its file; the number."""
    session.expunge_all()
    ctx = context(session)
    imported = 0
    for row in rows:
        request = await session.get_one(ChangeRequest, row.id)
        now = await session.get_one(Revision, request.revision_id)
        (pages,) = await all_pages(ctx, [now])
        files = await walk_one(ctx, row.space_id, scan(now.files_root))
        done = request.revision_id != request.revision_initial_id
        assert [page.title for page in pages][PAGES:] == (["New"] if done else [])
        assert len(files) == int(done)
        if done:
            assert now.parents == [request.revision_initial_id]
            assert "Imported paragraph" in await text_of(ctx, now, pages[-1].id)
            ((_, file),) = files
            found = [part async for part in blobs.read(row.space_id, file["sha256"])]
            assert b"".join(found) == documents.png()
        imported += done
    statement = select(func.count()).select_from(Revision).where(Revision.space_id == row.space_id)
    # Those of the space, and one for each import.
    assert (await session.execute(statement)).scalar_one() == before + imported
    await session.commit()
    return imported


async def test_a_killed_import_is_whole_or_nothing(
    database: Database, session: Session, world: World, tmp_path: Path
) -> None:
    space = await filled_space(session, world, PAGES)
    await session.begin_write()
    rows = [await make_change_request(session, space, world.editor) for _ in range(IMPORTS)]
    statement = select(func.count()).select_from(Revision).where(Revision.space_id == space.id)
    before = (await session.execute(statement)).scalar_one()
    await session.commit()
    blobs = BlobStore.in_folder(tmp_path)
    chance = random.Random(22)
    kills = 0
    files = {"/page": ("text/html", IMPORTED), "/dot.png": ("image/png", documents.png())}
    async with serving(files) as server:
        arguments = ("import", str(tmp_path), f"{server.url}page")
        while await check_imports(session, rows, blobs, before) < IMPORTS:
            # It begins with a process of its own, which takes a while: there it is killed first.
            seconds = chance.uniform(0.02, 0.3) * (kills + 1) if kills < 6 else 60
            kills += await merge_until_killed(database, space, world.editor.id, seconds, *arguments)
    assert kills >= 1
