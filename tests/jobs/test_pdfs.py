"""PDFs as jobs, through both doors: who may, how far they are, where they are fetched."""

import asyncio
import io
from typing import Any

import pytest
from pypdf import PdfReader
from sqlalchemy import update

from db.job_enums import JobKind, JobState
from db.models.organizations import Member
from db.session import Session
from jobs.print_process import _follow
from jobs.table import pdf_kinds
from resolvers.core.leases import Lease
from tests import factories
from tests.conftest import Api, Queries, World
from tests.jobs.queue import Queue
from tests.printed_space import Printed, make_printed_space

START = """
mutation ($space: ID!, $page: ID, $only: Boolean, $request: ID) {
  startPdf(spaceId: $space, page: $page, only: $only, changeRequestId: $request) {
    id kind state pdf { url } }
}
"""
JOB = "query ($id: ID!) { job(id: $id) { state stage done total error pdf { url } } }"
STAGES = "reading pages", "rendering pages", "drawing", "storing"


@pytest.fixture
async def printed(api: Api, world: World, session: Session) -> Printed:
    access = await api.server.file_access()
    return await make_printed_space(session, world, access.blobs)


async def start(api: Api, person: Any, printed: Printed, **variables: Any) -> str:
    job = (await api.data(START, person, space=printed.space.id, **variables))["startPdf"]
    assert (job["kind"], job["state"], job["pdf"]) == ("PDF", "QUEUED", None)
    return str(job["id"])


async def test_a_job_makes_a_pdf_that_is_fetched_at_once(
    api: Api, world: World, printed: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"/spaces/{printed.space.id}/pdf"
    answer = await api.rest("POST", path, world.reader)
    assert answer.status_code == 201, answer.text
    job = answer.json()
    assert "pdf" not in job
    # The same again is the same job; of somebody else it is another one.
    assert (await api.rest("POST", path, world.reader)).json()["id"] == job["id"]
    other = await start(api, world.admin, printed)
    assert other != job["id"]
    queue = Queue(api.server)
    stages: list[tuple[str | None, int, int | None]] = []
    report = Lease.report

    def noted(lease: Lease, *arguments: Any, **options: Any) -> None:
        report(lease, *arguments, **options)
        progress = lease.progress
        state = progress.get("stage"), progress.get("done", 0), progress.get("total")
        if state[0] and state not in stages:
            stages.append(state)

    monkeypatch.setattr(Lease, "report", noted)
    await queue.work(pdf_kinds(api.server.printer), watch_seconds=0.001)
    seen = [stage for stage in STAGES if any(stage == one for one, _, _ in stages)]
    assert list(dict.fromkeys(stage for stage, _, _ in stages)) == seen
    assert "drawing" in seen
    assert all(total is None or done <= total for _, done, total in stages)
    # One drawing for both, and none for whoever fetches it.
    assert api.server.printer.drawn == 1
    shown = await api.rest("GET", f"/orgs/{world.organization.id}/jobs/{job['id']}", world.reader)
    url = shown.json()["pdf"]["url"]
    assert (await api.data(JOB, world.reader, id=job["id"]))["job"]["pdf"] == {"url": url}
    response = await api.client.get(url)
    assert response.status_code == 200
    assert len(PdfReader(io.BytesIO(response.content)).pages) == 6
    assert api.server.printer.drawn == 1
    direct = await api.rest("GET", path, world.reader)
    assert direct.json() == {"url": url}


async def test_pages_and_change_requests(
    api: Api, world: World, printed: Printed, session: Session
) -> None:
    request = await factories.make_change_request(session, printed.space, world.editor)
    await session.commit()
    path = f"/spaces/{printed.space.id}/change-requests/{request.number}/pdf"
    answer = await api.rest("POST", path, world.reader)
    assert answer.status_code == 201, answer.text
    await Queue(api.server).work(pdf_kinds(api.server.printer))
    url = (await api.data(JOB, world.reader, id=answer.json()["id"]))["job"]["pdf"]["url"]
    assert f"changeRequest={request.id}" in url
    assert (await api.client.get(url)).status_code == 200
    for query, at in (("?only=true", "only"), ("?page=unknown", None)):
        answer = await api.rest("POST", f"/spaces/{printed.space.id}/pdf{query}", world.reader)
        assert answer.status_code == (422 if at else 404), answer.text


async def test_who_may_and_for_how_long(
    api: Api, world: World, printed: Printed, session: Session
) -> None:
    path = f"/spaces/{printed.space.id}/pdf"
    assert (await api.rest("POST", path, None)).status_code == 401
    assert (await api.rest("POST", path, world.outsider)).status_code == 404
    id = await start(api, world.reader, printed)
    # The right ends before the job begins: nothing is drawn.
    await session.execute(update(Member).where(Member.user_id == world.reader.id).values(role=None))
    await session.commit()
    queue = Queue(api.server)
    await queue.work(pdf_kinds(api.server.printer))
    assert (await queue.job(id)).state is JobState.FAILED
    assert api.server.printer.drawn == 0
    answer = await api.rest("GET", f"/orgs/{world.organization.id}/jobs/{id}", world.reader)
    assert answer.status_code == 404


async def test_bounds(api: Api, world: World, printed: Printed, session: Session) -> None:
    """Of those that one person has asked for; those of others are no matter."""
    for _ in range(10):
        await factories.make_job(
            session, printed.space, kind=JobKind.PDF, started_by_id=world.reader.id
        )
    await session.commit()
    answer = await api.rest("POST", f"/spaces/{printed.space.id}/pdf", world.reader)
    assert (answer.status_code, answer.json()["error"]["code"]) == (412, 412)
    assert "10 PDFs" in answer.text
    await start(api, world.editor, printed)


async def test_requests_at_the_same_time_pass_no_bound(
    api: Api, world: World, printed: Printed, session: Session
) -> None:
    for _ in range(8):
        await factories.make_job(
            session, printed.space, kind=JobKind.PDF, started_by_id=world.reader.id
        )
    await session.commit()
    space = f"/spaces/{printed.space.id}"
    pages = (await api.rest("GET", f"{space}/content/pages", world.reader)).json()["pages"]
    paths = [f"{space}/pdf?page={page['id']}" for page in pages]
    paths += [f"{path}&only=true" for path in paths]
    assert len(paths) > 3
    answers = await asyncio.gather(*(api.rest("POST", path, world.reader) for path in paths))
    assert sorted(answer.status_code for answer in answers) == [201, 201, *[412] * (len(paths) - 2)]


async def test_lines_that_are_none_end_no_progress() -> None:
    reader = asyncio.StreamReader(limit=1_000)
    for line in (
        b"{", b"x" * 5_000, b'["drawing", 1, 3]', b'["bad\\u0000", 1, 3]', b"[1, 2]", b"\xff",
        b'["drawing", 2, 3]', b'["drawing", 4, 3]',
    ):  # fmt: skip
        reader.feed_data(line + b"\n")
    reader.feed_eof()
    said: list[tuple[Any, ...]] = []

    def report(stage: str | None = None, done: int | None = None, total: int | None = None) -> None:
        said.append((stage, done, total))

    await _follow(reader, report)  # type: ignore[arg-type]
    assert said == [("drawing", None, None), (None, 1, 3), (None, 2, 3)]


async def test_what_is_too_large_is_not_tried_again(
    api: Api, world: World, printed: Printed, monkeypatch: pytest.MonkeyPatch
) -> None:
    printer = api.server.printer
    limits = type(printer.limits)(1, 60, 2_000)
    monkeypatch.setattr(printer, "limits", limits)
    id = await start(api, world.reader, printed)
    queue = Queue(api.server)
    await queue.work(pdf_kinds(printer))
    job = await queue.job(id)
    assert (job.state, job.attempts) == (JobState.FAILED, 1)
    assert "this server allows 1" in (job.error or "")


async def test_cancelling_ends_the_drawing(api: Api, world: World, printed: Printed) -> None:
    """And whoever asks for the PDF then has it made."""
    id = await start(api, world.reader, printed)
    queue = Queue(api.server)
    worker = queue.worker(pdf_kinds(api.server.printer))
    await worker.fill()
    while not api.server.printer.drawn:  # noqa: ASYNC110 (nothing says it)
        await asyncio.sleep(0.005)
    path = f"/orgs/{world.organization.id}/jobs/{id}/cancel"
    assert (await api.rest("POST", path, world.reader)).status_code == 200
    await worker.settle()
    job = await queue.job(id)
    assert job.state is JobState.CANCELLED
    assert (await api.data(JOB, world.reader, id=id))["job"]["pdf"] is None
    url = (await api.rest("GET", f"/spaces/{printed.space.id}/pdf", world.reader)).json()["url"]
    assert (await api.client.get(url)).status_code == 200


async def test_addresses_of_many_jobs_cost_one_statement(
    api: Api, world: World, printed: Printed, session: Session, queries: Queries
) -> None:
    """That of their change requests, however many there are."""
    request = await factories.make_change_request(session, printed.space, world.editor)
    await session.commit()
    counts = []
    query = f"""{{ organization(id: "{world.organization.id}") {{
      jobs(first: 20) {{ nodes {{ pdf {{ url }} }} }} }} }}"""
    # What is looked up once and kept is none of it.
    await api.data(query, world.reader)
    for _ in range(2):
        for _ in range(1 + 3 * len(counts)):
            printout = [printed.space.id, request.revision_id, "", False, request.id, "", ""]
            await factories.make_job(
                session, printed.space, kind=JobKind.PDF, state=JobState.SUCCEEDED, due_at=None,
                started_by_id=world.reader.id, arguments={"printout": printout, "name": "a.pdf"},
            )  # fmt: skip
        await session.commit()
        queries.statements.clear()
        nodes = (await api.data(query, world.reader))["organization"]["jobs"]["nodes"]
        assert all(node["pdf"]["url"] for node in nodes)
        counts.append(len(queries.statements))
    assert len(nodes) == 5
    assert counts[0] == counts[1]
