"""Import runs through both interfaces: who may, how far they are, what they leave."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import func, select, update

from db.base import utc_now
from db.enums import EditMode, Role
from db.job_enums import JobState
from db.models.audit import AuditEntry
from db.models.content import Revision
from db.models.organizations import Member, Token
from db.models.spaces import Space
from db.session import Session
from fetching.addresses import Allowance
from fetching.client import Fetcher
from jobs.kinds import Work
from jobs.table import KINDS
from resolvers.core.installation import IMPORT_RUN_BUDGET, ImportAccess
from tests import factories
from tests.conftest import Api, Queries, World
from tests.fetching.servers import serving
from tests.importing import documents
from tests.jobs.queue import Queue

START = """mutation ($organization: ID!, $input: StartImportRunInput!) {
  startImportRun(organizationId: $organization, input: $input) { runId status job { state } } }"""
RUN = """query ($id: ID!) { importRun(id: $id) {
  runId status startedAt completedAt revisionId warnings space { id } pages { pageId path }
  job { state stage done total error attempts startedBy { id } organization { id } } } }"""


@pytest.fixture
async def page(api: Api) -> AsyncIterator[str]:
    """The address of a page that may be imported."""
    async with serving({"/page.md": ("text/markdown", b"# Imported")}) as server:
        api.server.imports = ImportAccess(
            Fetcher(Allowance(frozenset({("127.0.0.1", server.port)})))
        )
        yield f"{server.url}page.md"


@pytest.fixture
async def space(session: Session, world: World) -> Space:
    space = await factories.make_space(session, world.organization, edit_mode=EditMode.LIVE)
    await session.commit()
    return space


def body(space: Space, url: str, format: str = "markdown", **target: Any) -> dict[str, Any]:
    source = {"type": "website", "url": url, "format": format}
    return {"source": source, "target": {"space": space.id, **target}}


def runs(world: World) -> str:
    return f"/org/{world.organization.id}/imports"


async def start(api: Api, world: World, space: Space, url: str, **source: str) -> str:
    answer = await api.rest("POST", runs(world), world.editor, body(space, url, **source))
    assert answer.status_code == 201, answer.text
    run: dict[str, Any] = answer.json()
    assert answer.headers["location"].endswith(f"{runs(world)}/{run['id']}")
    assert (run["status"], run["pages"], run["job"]["state"]) == ("pending", [], "queued")
    id: str = run["id"]
    return id


async def test_a_run_imports_once_and_says_what(
    api: Api, world: World, space: Space, page: str, session: Session
) -> None:
    id = await start(api, world, space, page)
    queue = Queue(api.server)
    await queue.work(KINDS)
    run = (await api.rest("GET", f"{runs(world)}/{id}", world.editor)).json()
    assert run["status"] == "completed"
    assert (run["job"]["stage"], run["job"]["attempts"]) == ("writing", 1)
    shown = (await api.data(RUN, world.editor, id=id))["importRun"]
    assert shown["revisionId"] == run["revision"]
    assert [one["pageId"] for one in shown["pages"]] == [one["id"] for one in run["pages"]]
    assert shown["job"]["startedBy"] == {"id": world.editor.id}
    assert shown["space"] == {"id": space.id}
    listed = await api.rest("GET", f"/spaces/{space.id}/content/pages", world.editor)
    assert [one["id"] for one in listed.json()["pages"]] == [one["id"] for one in run["pages"]]
    # Whatever else a worker believes: the job is done.
    await queue.change(id, state=JobState.QUEUED, due_at=None)
    await queue.work(KINDS)
    await session.begin_write()
    count = select(func.count()).select_from(Revision).where(Revision.space_id == space.id)
    assert (await session.execute(count)).scalar_one() == 2
    acts = (await session.execute(select(AuditEntry.action, AuditEntry.actor_id))).all()
    assert ("startImportRun", world.editor.id) in acts
    assert ("importContent", world.editor.id) in acts


@pytest.fixture
async def archive(api: Api) -> AsyncIterator[str]:
    """The address of an archive with more than an import takes that somebody waits for."""
    pages = {f"p{number:02}.md": f"# Page {number}\n\n![](a{number}.png)\n" for number in range(31)}
    pictures = {f"a{number}.png": documents.png(number + 1) for number in range(25)}
    packed = documents.archive({**pages, **pictures})
    async with serving({"/docs.zip": ("application/zip", packed)}) as server:
        allowance = Allowance(frozenset({("127.0.0.1", server.port)}))
        api.server.imports = ImportAccess(Fetcher(allowance))
        yield f"{server.url}docs.zip"


COUNTS = """query ($id: ID!) { importRun(id: $id) {
  importedResources totalResources changeRequestId warnings pages { path } } }"""


async def test_a_run_takes_more_than_an_import_that_is_waited_for(
    api: Api, world: World, space: Space, archive: str
) -> None:
    path = f"/spaces/{space.id}/change-requests"
    request = (await api.rest("POST", path, world.editor, {"subject": "All"})).json()
    source = {"type": "website", "url": archive, "format": "zip"}
    target = {"space": space.id, "changeRequest": str(request["number"])}
    started = await api.rest(
        "POST", runs(world), world.editor, {"source": source, "target": target}
    )
    assert started.status_code == 201, started.text
    before = await api.data(COUNTS, world.editor, id=started.json()["id"])
    assert before["importRun"]["importedResources"] is before["importRun"]["totalResources"] is None
    await Queue(api.server).work(KINDS)
    run = (await api.rest("GET", f"{runs(world)}/{started.json()['id']}", world.editor)).json()
    assert (run["importedResources"], run["totalResources"], run["warnings"]) == (56, 56, [])
    # Its id, by whatever it was named.
    assert run["changeRequest"] == request["id"]
    counts = (await api.data(COUNTS, world.editor, id=run["id"]))["importRun"]
    assert counts["changeRequestId"] == request["id"]
    assert (counts["importedResources"], len(counts["pages"])) == (56, 31)


async def test_limits_of_runs_are_settings_of_their_own(
    api: Api, world: World, space: Space, archive: str
) -> None:
    few = replace(IMPORT_RUN_BUDGET, pages=30, files=24)
    api.server.imports = replace(api.server.imports, run_budget=few)
    id = await start(api, world, space, archive, format="zip")
    await Queue(api.server).work(KINDS)
    run = (await api.rest("GET", f"{runs(world)}/{id}", world.editor)).json()
    assert (run["importedResources"], run["totalResources"]) == (54, 56)
    assert run["warnings"][:2] == [
        "1 pages are left out: one import takes 30 (DOCSTEAD_IMPORT_RUN_PAGES)",
        "1 files are left out: one import takes 24 (DOCSTEAD_IMPORT_RUN_FILES)",
    ]


async def test_both_interfaces_refuse_what_cannot_be_imported(
    api: Api, world: World, space: Space, page: str
) -> None:
    website = {"type": "website", "url": page}
    target = {"space": space.id}
    for source, at in (
        ({"type": "website"}, "source.url"),
        ({**website, "files": ["key"]}, "source.files"),
        ({"type": "nothing"}, "source.type"),
        ({}, "source.type"),
        ({"type": "website", "url": 7}, "source.url"),
    ):
        answer = await api.rest(
            "POST", runs(world), world.editor, {"source": source, "target": target}
        )
        assert answer.status_code == 400, (source, answer.text)
        assert at in answer.json()["error"]["message"]
    for target, person, status in (
        ({"space": "unknown"}, world.editor, 404),
        ({"space": space.id, "page": "unknown"}, world.editor, 404),
        ({"space": space.id, "changeRequest": "7"}, world.editor, 404),
        ({"space": space.id}, world.reader, 403),
        ({"space": space.id}, world.outsider, 404),
    ):
        answer = await api.rest("POST", runs(world), person, {"source": website, "target": target})
        assert answer.status_code == status, (target, answer.text)
    input = {"source": {"type": "FILE"}, "target": {"space": space.id}}
    answer = await api.graphql(START, world.editor, organization=world.organization.id, input=input)
    (error,) = answer["errors"]
    assert error["extensions"]["code"] == "BAD_REQUEST"
    assert await Queue(api.server).jobs() == []


async def test_a_run_that_fails_says_why_and_can_be_tried_again(
    api: Api, world: World, space: Space, page: str
) -> None:
    id = await start(api, world, space, f"{page}x?key=SECRET")
    queue = Queue(api.server)
    await queue.work(KINDS)
    run = (await api.rest("GET", f"{runs(world)}/{id}", world.editor)).json()
    assert (run["status"], run["job"]["state"]) == ("failed", "failed")
    assert "404" in run["job"]["error"]
    assert "SECRET" not in run["job"]["error"]
    job = f"/orgs/{world.organization.id}/jobs/{id}"
    assert (await api.rest("POST", f"{job}/retry", world.reader)).status_code == 404
    again = await api.rest("POST", f"{job}/retry", world.admin)
    assert (again.status_code, again.json()["state"]) == (200, "queued")
    assert again.json()["startedBy"] == world.admin.id
    assert (await api.rest("POST", f"{job}/retry", world.admin)).status_code == 412


async def test_a_cancelled_run_writes_nothing(
    api: Api, world: World, space: Space, page: str, session: Session
) -> None:
    waiting = await start(api, world, space, page)
    cancelled = await api.rest("POST", f"{runs(world)}/{waiting}/cancel", world.editor)
    assert (cancelled.status_code, cancelled.json()["status"]) == (201, "cancelled")
    # Once more changes nothing.
    again = await api.rest("POST", f"{runs(world)}/{waiting}/cancel", world.editor)
    assert again.json()["completedAt"] == cancelled.json()["completedAt"]
    id = await start(api, world, space, page)
    queue = Queue(api.server)

    async def cancelled_meanwhile(work: Work) -> Any:
        answer = await api.data(
            "mutation ($id: ID!) { cancelJob(id: $id) { state cancelRequested } }",
            world.editor, id=id,
        )  # fmt: skip
        assert answer["cancelJob"] == {"state": "RUNNING", "cancelRequested": True}
        return await KINDS[kind].handler(work)

    (kind,) = [name for name in KINDS if name.value == "import"]
    await queue.work(cancelled_meanwhile, watch_seconds=60)
    run = (await api.rest("GET", f"{runs(world)}/{id}", world.editor)).json()
    assert run["status"] == "cancelled"
    count = select(func.count()).select_from(Revision).where(Revision.space_id == space.id)
    assert (await session.execute(count)).scalar_one() == 1


async def test_a_job_has_the_rights_of_the_moment(
    api: Api, world: World, space: Space, page: str, session: Session
) -> None:
    queue = Queue(api.server)
    lost = await start(api, world, space, page)
    statement = update(Token).where(Token.user_id == world.editor.id)
    await session.begin_write()
    await session.execute(statement.values(revoked_at=utc_now()))
    await session.commit()
    await queue.work(KINDS)
    job = await queue.job(lost)
    assert (job.state, job.attempts) == (JobState.FAILED, 1)
    assert "revoked" in (job.error or "")
    await session.begin_write()
    await session.execute(statement.values(revoked_at=None))
    await session.commit()
    demoted = await start(api, world, space, page)
    await session.begin_write()
    member = update(Member).where(Member.user_id == world.editor.id)
    await session.execute(member.values(role=Role.READ))
    await session.commit()
    await queue.work(KINDS)
    job = await queue.job(demoted)
    assert (job.state, job.error) == (JobState.FAILED, "this needs the role 'edit' on the space")


async def test_jobs_are_for_who_started_them_and_for_administrators(
    api: Api, world: World, space: Space, page: str, session: Session
) -> None:
    id = await start(api, world, space, page)
    jobs = f"/orgs/{world.organization.id}/jobs"
    for person in (world.editor, world.admin):
        listed = (await api.rest("GET", jobs, person)).json()
        assert [one["id"] for one in listed["items"]] == [id]
        assert (await api.rest("GET", f"{jobs}/{id}", person)).json()["kind"] == "import"
        for query, number in (("state=queued", 1), ("state=failed", 0), ("kind=purge", 0)):
            found = (await api.rest("GET", f"{jobs}?{query}&space={space.id}", person)).json()
            assert found["count"] == number
    for person in (world.creator, world.reader, world.guest):
        assert (await api.rest("GET", jobs, person)).json()["count"] == 0
        assert (await api.rest("GET", f"{jobs}/{id}", person)).status_code == 404
        assert (await api.rest("POST", f"{jobs}/{id}/cancel", person)).status_code == 404
    assert (await api.rest("GET", jobs, world.outsider)).status_code == 404
    # Who has lost the space does not see what they have begun there.
    await session.begin_write()
    await session.execute(update(Space).where(Space.id == space.id).values(default_level=None))
    await session.commit()
    assert (await api.rest("GET", f"{jobs}/{id}", world.editor)).status_code == 404
    assert (await api.rest("GET", f"{jobs}/{id}", world.admin)).status_code == 200


async def test_many_jobs_are_listed_with_as_many_statements_as_one(
    api: Api, world: World, space: Space, session: Session, queries: Queries
) -> None:
    query = """query ($id: ID!) { organization(id: $id) {
      jobs(first: 100) { totalCount nodes { id state space { title } startedBy { displayName } } }
    } }"""
    counts = []
    for number in (1, 50):
        await session.begin_write()
        for _ in range(number):
            await factories.make_job(session, space, started_by_id=world.editor.id)
        await session.commit()
        await api.data(query, world.admin, id=world.organization.id)
        with queries.at_most(20):
            await api.data(query, world.admin, id=world.organization.id)
        counts.append(len(queries.statements))
    assert counts[0] == counts[1]


async def test_a_key_starts_one_run(api: Api, world: World, space: Space, page: str) -> None:
    await api.token_of(world.editor)
    headers = {"Idempotency-Key": "once"}
    answers = await asyncio.gather(*(
        api.rest("POST", runs(world), world.editor, body(space, page), headers=headers)
        for _ in range(2)
    ))  # fmt: skip
    assert len({answer.json()["id"] for answer in answers}) == 1
    assert len(await Queue(api.server).jobs()) == 1
