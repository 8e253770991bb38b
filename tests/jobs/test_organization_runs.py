"""Exports of organizations as jobs, through both doors: who may, how far they are, what is fetched,
and that nothing of them stays."""

import datetime as dt
import io
import os
import tarfile
from pathlib import Path

import pytest
from sqlalchemy import update

from db.enums import TokenScope
from db.job_enums import JobKind, JobState
from db.models.organizations import Member
from db.session import Database, Session
from jobs.backups import write_backup
from jobs.organization_archive import check_folder, unpack
from jobs.organization_runs import clear_archives
from jobs.table import export_kinds
from resolvers.access.tokens import create_token
from resolvers.core.actors import OPERATOR
from resolvers.core.context import Context
from resolvers.core.runners import read, run
from resolvers.git.organization_exports import forget_archives, old_archives
from resolvers.jobs import queue as job_queue
from tests import factories
from tests.conftest import Api, World, settle
from tests.jobs.queue import Queue

START = "mutation ($id: ID!) { startOrganizationExport(organizationId: $id) { id kind state } }"
JOB = "query ($id: ID!) { job(id: $id) { state stage error archive { url size expiresAt } } }"


async def test_an_administrator_fetches_everything(
    api: Api, world: World, session: Session, tmp_path: Path
) -> None:
    await settle(session)
    organization = world.organization.id
    path = f"/orgs/{organization}/export"
    for person, status in (
        (world.creator, 403), (world.reader, 403), (world.outsider, 404), (None, 401),
    ):  # fmt: skip
        assert (await api.rest("POST", path, person)).status_code == status
    answer = await api.rest("POST", path, world.admin)
    assert (answer.status_code, answer.json()["state"]) == (201, "queued")
    id = answer.json()["id"]
    # The same again is the same job.
    again = await api.data(START, world.admin, id=organization)
    assert again["startOrganizationExport"] == {
        "id": id, "kind": "ORGANIZATION_EXPORT", "state": "QUEUED",
    }  # fmt: skip
    queue = Queue(api.server)
    await queue.work(export_kinds(api.server.exporter))
    shown = (await api.rest("GET", f"/orgs/{organization}/jobs/{id}", world.admin)).json()
    assert shown["state"] == "succeeded", shown
    job = (await api.data(JOB, world.admin, id=id))["job"]
    assert job["archive"]["url"] == shown["archive"]["url"]
    response = await api.client.get(job["archive"]["url"])
    assert (response.status_code, len(response.content)) == (200, job["archive"]["size"])
    assert response.headers["cache-control"] == "private, no-store"
    part = await api.client.get(job["archive"]["url"], headers={"Range": "bytes=0-9"})
    assert (part.status_code, part.content) == (206, response.content[:10])
    archive = tmp_path / "fetched.tar.gz"
    archive.write_bytes(response.content)
    folder = tmp_path / "fetched"
    folder.mkdir()
    unpack(archive, folder)
    assert check_folder(folder)["organization"]["id"] == organization
    # Nothing is left beside the store, and other addresses open nothing.
    assert list((api.server.settings.data_dir / "exports").iterdir()) == []
    for url in (job["archive"]["url"] + "0", job["archive"]["url"].replace(id, "0" * 20)):
        assert (await api.client.get(url)).status_code == 404


async def test_whoever_does_not_administer_it_gets_no_address(
    api: Api, world: World, session: Session
) -> None:
    await settle(session)
    queue, kinds = Queue(api.server), export_kinds(api.server.exporter)
    first = (await api.data(START, world.admin, id=world.organization.id))[
        "startOrganizationExport"
    ]
    await queue.work(kinds)
    assert (await api.data(JOB, world.admin, id=first["id"]))["job"]["archive"] is not None
    second = (await api.data(START, world.admin, id=world.organization.id))[
        "startOrganizationExport"
    ]
    assert second["id"] != first["id"]
    mine = Member.user_id == world.admin.id
    await session.execute(update(Member).where(mine).values(role=None))
    await session.commit()
    # They have started both, so they see them still.
    await queue.work(kinds)
    assert (await queue.job(second["id"])).state is JobState.FAILED
    for id in (first["id"], second["id"]):
        job = (await api.data(JOB, world.admin, id=id))["job"]
        assert job["archive"] is None


async def test_archives_are_removed_after_a_day(api: Api, world: World, session: Session) -> None:
    await settle(session)
    queue = Queue(api.server)
    job = (await api.data(START, world.admin, id=world.organization.id))["startOrganizationExport"]
    await queue.work(export_kinds(api.server.exporter))
    url = (await api.data(JOB, world.admin, id=job["id"]))["job"]["archive"]["url"]
    async with api.server.context_of(OPERATOR) as ctx:
        assert await clear_archives(ctx, ctx.now()) == 0
        assert await clear_archives(ctx, ctx.now() + dt.timedelta(hours=25)) == 1
        assert await clear_archives(ctx, ctx.now() + dt.timedelta(hours=25)) == 0
        assert [path async for path in ctx.blobs.paths(f"{job['id']}/")] == []
    assert (await api.client.get(url)).status_code == 404
    assert (await api.data(JOB, world.admin, id=job["id"]))["job"]["archive"] is None


async def test_no_archive_stays_of_an_export_that_is_tried_again(
    api: Api, world: World, session: Session
) -> None:
    await settle(session)
    id = (await api.data(START, world.admin, id=world.organization.id))["startOrganizationExport"][
        "id"
    ]
    path = f"/orgs/{world.organization.id}/jobs/{id}"
    assert (await api.rest("POST", f"{path}/cancel", world.admin)).status_code == 200
    queue, tomorrow = Queue(api.server), dt.timedelta(hours=25)
    async with api.server.context_of(OPERATOR) as ctx:
        ids = await read(ctx, old_archives, ctx.now() + tomorrow)
        assert ids == [id]
        # Tried again while archives are removed, it is noted as one to remove still.
        assert (await api.rest("POST", f"{path}/retry", world.admin)).status_code == 200
        await run(ctx, forget_archives, ids)
    await queue.work(export_kinds(api.server.exporter))
    assert (await api.data(JOB, world.admin, id=id))["job"]["archive"] is not None
    async with api.server.context_of(OPERATOR) as ctx:
        assert await clear_archives(ctx, ctx.now() + tomorrow) == 1
        assert [name async for name in ctx.blobs.paths(f"{id}/")] == []
    # Nothing would look for an archive of one that is forgotten.
    other = (await api.data(START, world.admin, id=world.organization.id))[
        "startOrganizationExport"
    ]
    path = f"/orgs/{world.organization.id}/jobs/{other['id']}"
    assert (await api.rest("POST", f"{path}/cancel", world.admin)).status_code == 200
    async with api.server.context_of(OPERATOR) as ctx:
        assert await clear_archives(ctx, ctx.now() + tomorrow) == 1
    answer = await api.rest("POST", f"{path}/retry", world.admin)
    assert (answer.status_code, "another one" in answer.text) == (412, True)


async def test_what_a_killed_export_has_left_is_removed_by_the_purge(
    api: Api, world: World, session: Session
) -> None:
    await settle(session)
    queue, kinds = Queue(api.server), export_kinds(api.server.exporter)
    gone, made = [
        await queue.add(JobKind.ORGANIZATION_EXPORT, organization_id=world.organization.id)
        for _ in range(2)
    ]
    await queue.change(made, state=JobState.RUNNING)
    folder = api.server.exporter.folder
    for name in (gone, made, "fresh"):
        (folder / name / "export").mkdir(parents=True)
        if name != "fresh":
            os.utime(folder / name, (0, 0))
    await queue.change(gone, state=JobState.FAILED, due_at=None)
    await queue.add(JobKind.PURGE)
    worker = await queue.work({JobKind.PURGE: kinds[JobKind.PURGE]})
    assert not worker.busy
    # What is made now stays, and what may be about to be.
    assert {path.name for path in folder.iterdir()} == {made, "fresh"}


async def test_tokens_try_again_what_they_may_start(
    api: Api, world: World, session: Session
) -> None:
    _, writes = await create_token(
        session, world.admin.id, "t", scopes=frozenset({TokenScope.SPACE_WRITE})
    )
    await settle(session)
    queue = Queue(api.server)
    jobs = {
        kind: await queue.add(kind, organization_id=world.organization.id)
        for kind in (JobKind.ORGANIZATION_EXPORT, JobKind.IMPORT, JobKind.SPECIFICATION)
    }
    scopes = {
        JobKind.ORGANIZATION_EXPORT: "write", JobKind.IMPORT: None,
        JobKind.SPECIFICATION: "openapi:write",
    }  # fmt: skip
    headers = {"Authorization": f"Bearer {writes}"}
    for kind, id in jobs.items():
        for action in ("cancel", "retry"):
            path = f"/v1/orgs/{world.organization.id}/jobs/{id}/{action}"
            answer = await api.client.post(path, headers=headers)
            if (scope := scopes[kind]) is None:
                assert answer.status_code == 200, answer.text
            else:
                assert answer.status_code == 403
                assert f"no '{scope}' scope" in answer.text
            body = f'mutation {{ {action}Job(id: "{id}") {{ state }} }}'
            data = (await api.client.post("/graphql", headers=headers, json={"query": body})).json()
            assert ("errors" in data) == (scope is not None or action == "retry"), data
        state = (await queue.job(id)).state
        assert state is JobState.QUEUED, "nothing was done to those that the token may not start"


async def test_an_export_that_ends_while_another_is_asked_for(
    api: Api, world: World, session: Session, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between two looks of the second request the first job ends: on PostgreSQL it can."""
    await settle(session)
    job = (await api.data(START, world.admin, id=world.organization.id))["startOrganizationExport"]
    looked, ended = job_queue.open_job_of, []

    async def end_and_look(ctx: Context, key: str) -> str | None:
        if not ended and not database.is_sqlite:
            ended.append(job["id"])
            await Queue(api.server).change(job["id"], state=JobState.SUCCEEDED, due_at=None)
        return await looked(ctx, key)

    monkeypatch.setattr(job_queue, "open_job_of", end_and_look)
    again = (await api.data(START, world.admin, id=world.organization.id))[
        "startOrganizationExport"
    ]
    assert again["state"] == "QUEUED"
    # SQLite has one writer: there it is still the same.
    assert (again["id"] == job["id"]) is database.is_sqlite


async def test_backups_hold_no_archives(api: Api, world: World, session: Session) -> None:
    """Neither those that are there, nor one that is stored while the backup is made."""
    space = await factories.make_space(session, world.organization)
    blobs = (await api.server.file_access()).blobs
    kept = await blobs.put(space.id, b"of a space")
    await settle(session)
    await api.data(START, world.admin, id=world.organization.id)
    await Queue(api.server).work(export_kinds(api.server.exporter))
    later = await factories.make_job(
        session, space, kind=JobKind.ORGANIZATION_EXPORT, due_at=None, state=JobState.SUCCEEDED
    )
    await blobs.put(later.id, b"another archive")
    await session.commit()
    target = io.BytesIO()
    backup = await write_backup(api.server.database, blobs, target, lambda *_: None)
    with tarfile.open(fileobj=io.BytesIO(target.getvalue())) as archive:
        files = [name for name in archive.getnames() if name.startswith("files/")]
    assert files == [f"files/{space.id}/{kept[:2]}/{kept}"]
    assert (backup.files, backup.missing) == (1, ())
