"""Jobs are followed over both protocols: as they are, whenever they change, by whoever may."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from sqlalchemy import delete

from db.base import utc_now
from db.enums import Role
from db.ids import new_id
from db.job_enums import JobKind, JobState
from db.models.jobs import Job
from db.models.spaces import AccessGrant, Space
from db.session import Database, Session
from docstead.subscriptions import hub
from docstead.subscriptions.subscribers import Credential, Delivery, Subscriber
from jobs.kinds import Kind, Work
from jobs.worker import Worker
from resolvers.core.actors import NOBODY
from tests import factories
from tests.conftest import Api, Queries, World
from tests.docstead.subscriptions.clients import Socket, base_of, event_stream, socket
from tests.docstead.subscriptions.test_subscriptions import until as become
from tests.jobs.queue import Queue
from tests.rest_compat.test_published_client import listening

JOB = """subscription ($id: ID!) {
  job(id: $id) { id state stage done total error space { title } } }"""
JOBS = """subscription ($id: ID!, $kind: JobKind, $space: ID) {
  jobs(organizationId: $id, kind: $kind, space: $space) { id state done } }"""


@pytest.fixture
async def space(session: Session, world: World) -> Space:
    space = await factories.make_space(session, world.organization, title="Guide")
    await session.commit()
    return space


async def add(api: Api, world: World, space: Space | None, person: Any) -> str:
    """A job that a person has started."""
    now = utc_now()
    job = Job(
        id=new_id(), kind=JobKind.IMPORT, state=JobState.QUEUED, started_by_id=person.id,
        organization_id=world.organization.id, space_id=None if space is None else space.id,
        due_at=now, order_at=now,
    )  # fmt: skip
    async with api.server.database.session() as session:
        await session.begin_write()
        session.add(job)
        await session.commit()
    changed(api, world, job.id)
    return job.id


def changed(api: Api, world: World, id: str) -> None:
    """What is called behind each commit that changes a job."""
    assert api.server.on_job is not None
    api.server.on_job(world.organization.id, id)


class Steps:
    """A handler that goes on when the test says so, as the operator."""

    def __init__(self) -> None:
        self.steps: asyncio.Queue[int | Exception] = asyncio.Queue()

    async def __call__(self, work: Work) -> None:
        work.lease.report("counting", 0, 3)
        while True:
            step = await self.steps.get()
            if isinstance(step, Exception):
                raise step
            work.lease.report(done=step)
            if step == 3:
                return


class AnybodysWorker(Worker):
    """Does jobs without asking who has started them."""

    async def _work(self, running: Any) -> Any:
        async with self._open_context(NOBODY) as ctx:
            ctx.lease = running.lease
            return await running.kind.handler(Work(ctx, {}, running.lease))


def worker_of(api: Api, steps: Steps) -> Worker:
    kinds = {JobKind.IMPORT: Kind(handler=steps, at_once=4)}
    return AnybodysWorker(
        api.server.context_of, kinds, api.server.database.bell, at_once=4, most_of_organization=4,
        watch_seconds=0.02,
    )  # fmt: skip


async def until(client: Socket, operation: str, field: str, **wanted: Any) -> list[dict[str, Any]]:
    """What comes of a subscription until a job is as wanted."""
    received: list[dict[str, Any]] = []
    while not received or not wanted.items() <= received[-1].items():
        message = await client.receive()
        assert (message["type"], message["id"]) == ("next", operation), message
        received.append(message["payload"]["data"][field])
    return received


async def test_a_job_is_followed_until_it_has_ended(live: Api, world: World, space: Space) -> None:
    id = await add(live, world, space, world.editor)
    steps = Steps()
    worker = worker_of(live, steps)
    async with socket(base_of(live), await live.token_of(world.editor)) as client:
        await client.subscribe("1", JOB, id=id)
        (first,) = await until(client, "1", "job", state="QUEUED")
        assert first["space"] == {"title": "Guide"}
        await worker.fill()
        seen = await until(client, "1", "job", stage="counting")
        assert seen[-1]["state"] == "RUNNING"
        for step in (1, 2):
            steps.steps.put_nowait(step)
            (now,) = await until(client, "1", "job", done=step)
            assert (now["stage"], now["total"]) == ("counting", 3)
        # Who comes later begins with how it is.
        await client.subscribe("2", JOB, id=id)
        (now,) = await until(client, "2", "job")
        assert now["done"] == 2
        await client.send(id="2", type="complete")
        steps.steps.put_nowait(3)
        seen = await until(client, "1", "job", state="SUCCEEDED")
        assert (seen[-1]["done"], seen[-1]["total"]) == (3, 3)
        assert await client.receive() == {"id": "1", "type": "complete"}
    await worker.stop()
    # Of one that has ended, that is all; it has no id from which a client could go on.
    token = await live.token_of(world.editor)
    async with event_stream(
        live.client, token, JOB, id=id, headers={"Last-Event-ID": "x"}
    ) as events:
        (name, event_id, result), last = [event async for event in events]
    assert (name, event_id, result["data"]["job"]["state"]) == ("next", None, "SUCCEEDED")
    assert last == ("complete", None, None)


async def test_jobs_are_for_who_has_started_them_and_administrators(
    live: Api, world: World, session: Session, space: Space
) -> None:
    other = await factories.make_space(session, world.organization)
    await session.commit()
    steps = Steps()
    worker = worker_of(live, steps)
    organization = world.organization.id
    async with (
        socket(base_of(live), await live.token_of(world.editor)) as editor,
        socket(base_of(live), await live.token_of(world.admin)) as admin,
        socket(base_of(live), await live.token_of(world.reader)) as reader,
        socket(base_of(live), await live.token_of(world.outsider)) as outsider,
    ):
        await editor.subscribe("all", JOBS, id=organization)
        await reader.subscribe("all", JOBS, id=organization)
        await admin.subscribe("space", JOBS, id=organization, space=space.id, kind="IMPORT")
        await outsider.subscribe("all", JOBS, id=organization)
        await reader.send(type="ping")
        assert (await reader.receive())["type"] == "pong"
        assert (await outsider.receive())["type"] == "error"
        await become(lambda: live.app.state.hub.number == 3)
        mine = await add(live, world, space, world.editor)
        theirs = await add(live, world, other, world.admin)
        await until(editor, "all", "jobs", id=mine)
        await until(admin, "space", "jobs", id=mine)
        await worker.fill()
        for _ in range(2):
            steps.steps.put_nowait(3)
        await worker.settle()
        seen = await until(editor, "all", "jobs", state="SUCCEEDED")
        seen += await until(admin, "space", "jobs", state="SUCCEEDED")
        assert {job["id"] for job in seen} == {mine}
        await reader.subscribe("one", JOB, id=theirs)
        message = await reader.receive()
        assert (message["id"], message["type"]) == ("one", "error")
        assert message["payload"][0]["extensions"]["code"] == "NOT_FOUND"


@pytest.mark.parametrize("how", ["grant", "member", "gone"])
async def test_who_may_not_see_a_job_any_more_hears_no_more_of_it(
    how: str, live: Api, world: World, session: Session, space: Space
) -> None:
    person = world.guest if how == "grant" else world.editor
    if how == "grant":
        await session.begin_write()
        await factories.make_grant(session, space, world.guest, Role.EDIT)
        await session.commit()
    id = await add(live, world, space, person)
    async with socket(base_of(live), await live.token_of(person)) as client:
        await client.subscribe("1", JOB, id=id)
        await until(client, "1", "job", state="QUEUED")
        if how == "member":
            path = f"/orgs/{world.organization.id}/members/{person.id}"
            assert (await live.rest("DELETE", path, world.admin)).status_code == 205
        elif how == "grant":
            path = f"/spaces/{space.id}/permissions/users/{person.id}"
            assert (await live.rest("DELETE", path, world.admin)).status_code == 205
        else:
            await session.begin_write()
            await session.execute(delete(Job).where(Job.id == id))
            await session.commit()
            changed(live, world, id)
        message = await client.receive()
        assert message["type"] == "error", message
        assert message["payload"][0]["extensions"]["code"] == "NOT_FOUND"


async def test_a_right_that_is_gone_unnoticed_delivers_nothing(
    live: Api, world: World, session: Session, space: Space
) -> None:
    """Whatever changes a right beside a write of the product is found at the next delivery."""
    await session.begin_write()
    await factories.make_grant(session, space, world.guest, Role.EDIT)
    await session.commit()
    id = await add(live, world, space, world.guest)
    async with socket(base_of(live), await live.token_of(world.guest)) as client:
        await client.subscribe("1", JOB, id=id)
        await until(client, "1", "job", state="QUEUED")
        await session.begin_write()
        await session.execute(delete(AccessGrant).where(AccessGrant.user_id == world.guest.id))
        await session.commit()
        answer = await live.rest(
            "POST", f"/orgs/{world.organization.id}/jobs/{id}/cancel", world.admin
        )
        assert answer.status_code == 200, answer.text
        message = await client.receive()
        assert message["type"] == "error"


async def test_other_processes_hear_of_jobs(
    database: Database, world: World, session: Session, space: Space, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """By NOTIFY alone on PostgreSQL, by looking on SQLite."""
    monkeypatch.setattr(hub, "LOOK_SECONDS", {"postgresql": 1000.0, "sqlite": 0.05})
    await session.commit()
    async with (
        listening(database, tmp_path / "data") as here,
        listening(database, tmp_path / "data") as there,
    ):
        # Each writes what the other one delivers.
        id = await add(here, world, space, world.editor)
        async with (
            socket(base_of(here), await here.token_of(world.editor)) as other,
            socket(base_of(there), await there.token_of(world.editor)) as client,
        ):
            await other.subscribe("1", JOB, id=id)
            await until(other, "1", "job", state="QUEUED")
            await client.subscribe("1", JOB, id=id)
            await client.subscribe("2", JOBS, id=world.organization.id)
            await until(client, "1", "job", state="QUEUED")
            steps = Steps()
            worker = worker_of(here, steps)
            await worker.fill()
            seen: dict[str, list[str]] = {"1": [], "2": []}
            while not all("SUCCEEDED" in states for states in seen.values()):
                message = await client.receive()
                if message["type"] == "next":
                    (job,) = message["payload"]["data"].values()
                    seen[message["id"]].append(job["state"])
                # The second begins in its own time: there is something to hear until it does.
                steps.steps.put_nowait(3 if all(seen.values()) else 1 + len(seen["1"]) % 2)
            await worker.stop()


@pytest.mark.usefixtures("_nothing_by_the_clock")
async def test_many_who_follow_the_same_cost_one_read(
    live: Api, world: World, space: Space, queries: Queries
) -> None:
    id = await add(live, world, space, world.editor)
    token = await live.token_of(world.editor)
    counts = []
    for number in (1, 40):
        async with socket(base_of(live), token) as client:
            names = [str(name) for name in range(number)]
            for name in names:
                await client.subscribe(name, JOB, id=id)
            waiting = set(names)
            while waiting:
                waiting.discard((await client.receive())["id"])
            queries.statements.clear()
            await Queue(live.server).change(id, stage=f"stage {number}")
            changed(live, world, id)
            waiting = set(names)
            while waiting:
                message = await client.receive()
                assert message["payload"]["data"]["job"]["stage"] == f"stage {number}"
                waiting.remove(message["id"])
            # Sockets check their token by the clock, whoever follows what.
            reads = [
                text
                for text in queries.statements
                if text.startswith("SELECT") and "FROM api_token" not in text
            ]
            counts.append(len(reads))
    assert counts[1] <= counts[0]
    assert 0 < counts[0] <= 4


STATES = st.lists(st.tuples(st.sampled_from("abc"), st.booleans()), max_size=60)


@given(STATES)
async def test_a_slow_reader_gets_the_newest_of_each(changes: list[tuple[str, bool]]) -> None:
    """Whenever something is read: never what is older than what was read, and in the end all."""

    async def nobody() -> Any:
        return NOBODY

    subscriber = Subscriber(Credential("", NOBODY, nobody), 0)
    newest: dict[str, int] = {}
    read: dict[str, int] = {}
    waiting: set[str] = set()
    for number, (id, reads) in enumerate(changes, start=1):
        subscriber.put(Delivery(id, 0, b"%d" % number, newest_alone=True))
        newest[id] = number
        waiting.add(id)
        if reads:
            delivery = await anext(subscriber)
            assert int(delivery.body) == newest[delivery.id] > read.get(delivery.id, 0)
            read[delivery.id] = int(delivery.body)
            waiting.remove(delivery.id)
    subscriber.end()
    left = [(delivery.id, int(delivery.body)) async for delivery in subscriber]
    assert {id for id, _ in left} == waiting
    assert len(left) == len(waiting)
    assert read | dict(left) == newest
