"""Exports of organizations as jobs, through both doors: who may, how far they are, what is fetched,
and that nothing of them stays."""

import datetime as dt
from pathlib import Path

from sqlalchemy import update

from db.job_enums import JobState
from db.models.organizations import Member
from db.session import Session
from jobs.organization_archive import check_folder, unpack
from jobs.organization_runs import clear_archives
from jobs.table import export_kinds
from resolvers.core.actors import OPERATOR
from resolvers.core.runners import read, run
from resolvers.git.organization_exports import forget_archives, old_archives
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
