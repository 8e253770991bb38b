"""Jobs are done once, tried again, stopped, given back; only their worker may write."""

import asyncio
import datetime as dt
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from sqlalchemy import func, select
from strawberry import ID

from db.base import utc_now
from db.job_enums import JobKind, JobState
from db.models.jobs import Job
from db.models.organizations import Organization
from db.session import Database, Session
from docstead.server import Server
from docstead.settings import Settings
from jobs.failures import without_secrets
from jobs.kinds import Json, Kind, Work, pause_after
from jobs.worker import FULL, GIVEN_UP, UNEXPECTED, Worker, enqueue_periodic
from resolvers.access.policy import must_be_operator
from resolvers.core.actors import OPERATOR, Actor
from resolvers.core.context import Context
from resolvers.core.errors import BadRequest, Conflict, Forbidden, Unavailable
from resolvers.core.leases import LeaseLostError
from resolvers.core.runners import run
from resolvers.jobs import claims
from resolvers.jobs.operations import retry_job
from resolvers.jobs.queue import MOST_OPEN, NewJob, check_room, enqueue
from tests.conftest import Queries, World
from tests.jobs.queue import Queue, add_job

LEASE = {JobKind.IMPORT: dt.timedelta(minutes=1)}


@pytest.fixture
def queue(database: Database, tmp_path: Path) -> Queue:
    return Queue(Server(Settings(public_url="http://docs.test", data_dir=tmp_path), database))


async def make_organization(ctx: Context, title: str) -> None:
    """A write of a job, which can be counted."""
    must_be_operator(ctx)
    ctx.session.add(Organization(title=title))


async def titles(queue: Queue) -> list[str]:
    async with queue.server.database.session() as session:
        found = select(Organization.title).order_by(Organization.title)
        return list((await session.execute(found)).scalars())


async def test_a_job_is_done_with_its_arguments(queue: Queue) -> None:
    async def double(work: Work) -> Json:
        work.lease.report("doubling", 1, 2, "halfway")
        return {"number": 2 * work.arguments["number"]}

    ids = [await queue.add(arguments={"number": number}) for number in range(10)]
    await queue.work(double)
    for number, id in enumerate(ids):
        job = await queue.job(id)
        assert (job.state, job.result, job.attempts, job.claims) == (
            JobState.SUCCEEDED, {"number": 2 * number}, 1, 1,
        )  # fmt: skip
        assert job.started_at is not None
        assert job.finished_at is not None
        assert (job.due_at, job.error) == (None, None)


async def test_nothing_is_enqueued_by_a_write_that_fails(queue: Queue) -> None:
    async def fails(ctx: Context) -> None:
        must_be_operator(ctx)
        await enqueue(ctx, NewJob(kind=JobKind.IMPORT))
        raise Conflict("somebody was faster")

    async with queue.server.context_of(OPERATOR) as ctx:
        with pytest.raises(Conflict):
            await run(ctx, fails)
    assert await queue.jobs() == []


async def test_a_write_with_a_job_costs_one_statement_more(queue: Queue, queries: Queries) -> None:
    async def writes(ctx: Context, enqueues: bool) -> None:
        must_be_operator(ctx)
        ctx.session.add(Organization(title="Acme"))
        if enqueues:
            await enqueue(ctx, NewJob(kind=JobKind.IMPORT))

    counts = []
    for enqueues in (False, True):
        async with queue.server.context_of(OPERATOR) as ctx:
            with queries.at_most(20):
                await run(ctx, writes, enqueues)
            counts.append(len(queries.statements))
    assert counts[1] - counts[0] == 1


async def test_idle_workers_ask_one_question_and_write_nothing(
    queue: Queue, queries: Queries
) -> None:
    await queue.add(due_at=utc_now() + dt.timedelta(seconds=50))
    worker = queue.worker(nothing, idle_seconds=60.0)
    with queries(1):
        pause = await worker.fill()
    assert 20 < pause < 50
    assert queries.statements[0].startswith("SELECT")
    await queue.change(due_at=None)
    with queries(1):
        assert await worker.fill() == 60.0


async def nothing(work: Work) -> None:
    """A job that does nothing."""


async def test_what_fails_is_tried_again_later_each_time(
    queue: Queue, caplog: pytest.LogCaptureFixture
) -> None:
    async def fails(work: Work) -> None:
        raise ZeroDivisionError("secret")

    id = await queue.add()
    with caplog.at_level(logging.ERROR):
        for attempt, pause in enumerate((5, 10, 20, 40), start=1):
            before = utc_now()
            await queue.work(fails)
            after = utc_now()
            job = await queue.job(id)
            assert (job.state, job.attempts, job.error) == (JobState.QUEUED, attempt, UNEXPECTED)
            assert job.due_at is not None
            # However long the work has taken.
            assert before <= job.due_at - dt.timedelta(seconds=pause) <= after
            await queue.work(fails)
            assert (await queue.job(id)).attempts == attempt
            await queue.make_due()
        await queue.work(fails)
    job = await queue.job(id)
    assert (job.state, job.attempts, job.error) == (JobState.FAILED, 5, UNEXPECTED)
    assert "ZeroDivisionError" in caplog.text
    assert pause_after(1_000) == dt.timedelta(hours=1)


async def test_a_full_disk_is_named(queue: Queue) -> None:
    async def fills(work: Work) -> None:
        await asyncio.to_thread(Path("/dev/full").write_bytes, b"a")

    id = await queue.add()
    await queue.work(fills)
    job = await queue.job(id)
    assert (job.state, job.error) == (JobState.QUEUED, FULL)


async def test_a_request_at_fault_is_not_tried_again(queue: Queue) -> None:
    async def fails(work: Work) -> None:
        raise BadRequest("url: https://ada:pass@example.com/x?token=key#part: is not there")

    id = await queue.add()
    await queue.work(fails)
    job = await queue.job(id)
    assert (job.state, job.attempts) == (JobState.FAILED, 1)
    assert job.error == "url: https://***@example.com/x?*** is not there"

    async def busy(work: Work) -> None:
        raise Unavailable("try again")

    id = await queue.add()
    await queue.work(busy)
    assert (await queue.job(id)).state is JobState.QUEUED


@given(st.text("ab/@:?# \n", max_size=30), st.text("ab/@:", max_size=10))
def test_nothing_secret_of_an_address_is_in_a_message(words: str, path: str) -> None:
    message = f"{words} https://ada:SECRET@host/{path}?key=SECRET#SECRET (it has ended)"
    shown = without_secrets(message)
    assert "SECRET" not in shown
    assert shown.endswith("?*** (it has ended)")
    assert without_secrets(shown) == shown


async def test_what_takes_too_long_is_stopped(queue: Queue) -> None:
    async def endless(work: Work) -> None:
        await asyncio.Event().wait()

    id = await queue.add()
    kind = Kind(handler=endless, timeout=dt.timedelta(milliseconds=10), attempts=1)
    await queue.work({JobKind.IMPORT: kind})
    job = await queue.job(id)
    assert (job.state, job.error) == (JobState.FAILED, "it took longer than 0.01 seconds")


async def test_a_worker_that_lost_its_lease_writes_nothing(queue: Queue) -> None:
    async def slow(work: Work) -> None:
        if work.lease.claims == 1:
            # Another worker takes the job while this one is silent.
            await queue.make_due()
            async with queue.server.context_of(OPERATOR) as ctx:
                taken = await run(ctx, claims.claim_job, LEASE, 4, LEASE)
            assert taken is not None
            assert taken.claims == 2
        with pytest.raises(LeaseLostError):
            await run(work.ctx, make_organization, "Acme")
        await run(work.ctx, make_organization, "Acme")

    id = await queue.add()
    worker = queue.worker(slow, watch_seconds=60)
    await worker.fill()
    await worker.settle()
    assert await titles(queue) == []
    job = await queue.job(id)
    assert (job.state, job.claims) == (JobState.RUNNING, 2)


async def test_a_write_ends_its_job_or_neither_is_there(queue: Queue) -> None:
    async def last(ctx: Context, fails: bool) -> None:
        await make_organization(ctx, "Acme")
        assert ctx.lease is not None
        ctx.lease.finish({"made": 1})
        if fails:
            raise Unavailable("not now")

    async def handler(work: Work) -> Json:
        with pytest.raises(Unavailable):
            await run(work.ctx, last, True)
        assert not work.lease.finished
        await run(work.ctx, last, False)
        # As if the process had died behind the commit: nothing else ends the job.
        return {"made": 2}

    id = await queue.add()
    await queue.work(handler)
    assert await titles(queue) == ["Acme"]
    job = await queue.job(id)
    assert (job.state, job.result) == (JobState.SUCCEEDED, {"made": 1})


async def test_cancelling_stops_a_job_and_its_writes(queue: Queue) -> None:
    begun = asyncio.Event()

    async def endless(work: Work) -> None:
        begun.set()
        await asyncio.Event().wait()

    async def writes(work: Work) -> None:
        await queue.change(cancel_requested=True)
        await run(work.ctx, make_organization, "Acme")

    id = await queue.add()
    worker = queue.worker(endless)
    await worker.fill()
    await begun.wait()
    await queue.change(cancel_requested=True)
    await worker.settle()
    assert (await queue.job(id)).state is JobState.CANCELLED
    other = await queue.add()
    await queue.work(writes, watch_seconds=60)
    assert (await queue.job(other)).state is JobState.CANCELLED
    assert await titles(queue) == []


async def test_stopping_gives_jobs_back_without_an_attempt(queue: Queue) -> None:
    begun = asyncio.Event()

    async def endless(work: Work) -> None:
        begun.set()
        await asyncio.Event().wait()

    id = await queue.add()
    worker = queue.worker(endless)
    task = asyncio.create_task(worker.keep_working())
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    job = await queue.job(id)
    assert (job.state, job.attempts, job.claims) == (JobState.QUEUED, 0, 1)
    await queue.work(nothing)
    assert (await queue.job(id)).state is JobState.SUCCEEDED


async def test_what_ends_every_process_is_given_up(queue: Queue) -> None:
    id = await queue.add()
    for _ in range(5):
        async with queue.server.context_of(OPERATOR) as ctx:
            assert await run(ctx, claims.claim_job, LEASE, 4, LEASE) is not None
        await queue.make_due()
    await queue.work(nothing)
    job = await queue.job(id)
    assert (job.state, job.error) == (JobState.FAILED, GIVEN_UP)


async def test_progress_is_stored_while_a_job_runs_and_holds_it(queue: Queue) -> None:
    shown = asyncio.Event()

    async def handler(work: Work) -> None:
        work.lease.report("reading", 3, 10)
        await shown.wait()
        work.lease.report("writing")
        await run(work.ctx, make_organization, "Acme")

    id = await queue.add()
    worker = queue.worker(handler, watch_seconds=60)
    await worker.fill()
    await asyncio.sleep(0)
    await queue.change(due_at=utc_now() + dt.timedelta(seconds=1))
    while not worker.busy or not (await queue.job(id)).stage:
        await worker.look()
    job = await queue.job(id)
    assert (job.stage, job.done, job.total) == ("reading", 3, 10)
    assert job.due_at is not None
    assert job.due_at > utc_now() + dt.timedelta(seconds=30)
    shown.set()
    await worker.settle()
    job = await queue.job(id)
    assert (job.stage, job.done, job.total) == ("writing", 0, None)
    await worker.stop()


async def test_a_job_that_begins_while_others_are_looked_at_is_not_lost(
    queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    finish = asyncio.Event()

    async def handler(work: Work) -> None:
        await finish.wait()

    first = await queue.add()
    worker = queue.worker(handler, watch_seconds=60)
    await worker.fill()
    second = ""
    look_up = claims.standing_of

    async def slow(ctx: Context, ids: list[str]) -> dict[str, claims.Standing]:
        nonlocal second
        standings = await look_up(ctx, ids)
        second = await queue.add()
        await worker.fill()
        return standings

    monkeypatch.setattr(claims, "standing_of", slow)
    await worker.look()
    finish.set()
    await worker.settle()
    await worker.stop()
    for id in (first, second):
        assert (await queue.job(id)).state is JobState.SUCCEEDED


async def test_an_organization_has_so_many_at_once_and_others_go_on(
    queue: Queue, session: Session, world: World
) -> None:
    organization_id = world.organization.id
    await session.commit()
    most = running = 0
    both, another = asyncio.Event(), asyncio.Event()

    async def handler(work: Work) -> None:
        nonlocal most, running
        if work.arguments["of"] != "acme":
            another.set()
            return
        running += 1
        most = max(most, running)
        if running == 2:
            both.set()
        # They hold their places until somebody else's job behind them is done.
        await asyncio.gather(both.wait(), another.wait())
        running -= 1

    for _ in range(6):
        await queue.add(organization_id=organization_id, arguments={"of": "acme"})
    await queue.add(arguments={"of": "another"})
    workers = [queue.worker(handler, most_of_organization=2) for _ in range(3)]
    tasks = [asyncio.create_task(worker.keep_working()) for worker in workers]
    async with asyncio.timeout(60):
        await queue.ended(7)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert most == 2


async def test_urgent_kinds_come_first_and_others_are_not_forgotten(queue: Queue) -> None:
    order = []

    async def handler(work: Work) -> None:
        order.append(work.arguments["name"])

    now = utc_now()
    await queue.add(JobKind.INDEX, arguments={"name": "index"})
    await queue.add(JobKind.IMPORT, arguments={"name": "import"})
    old = now - dt.timedelta(minutes=5)
    await queue.add(JobKind.INDEX, arguments={"name": "old index"}, due_at=old)
    kinds = {kind: Kind(handler=handler) for kind in (JobKind.INDEX, JobKind.IMPORT)}
    await queue.work(kinds, at_once=1)
    assert order == ["old index", "import", "index"]


async def test_of_one_key_one_job_is_open(queue: Queue) -> None:
    async with queue.server.context_of(OPERATOR) as ctx:
        job = NewJob(kind=JobKind.IMPORT, unique_key="key")
        first = await run(ctx, add_job, job)
        assert await run(ctx, add_job, job) is None
        await queue.work(nothing)
        assert await run(ctx, add_job, job) not in (None, first)


async def test_periodic_jobs_come_again_whatever_happens(queue: Queue) -> None:
    outcomes = [ZeroDivisionError, BadRequest, None]

    async def handler(work: Work) -> None:
        if (outcome := outcomes.pop(0)) is not None:
            raise outcome("no")

    kinds = {JobKind.PURGE: Kind(handler=handler, every=dt.timedelta(hours=1), attempts=1)}
    async with queue.server.context_of(OPERATOR) as ctx:
        for _ in range(3):
            await run(ctx, enqueue_periodic, JobKind.PURGE)
    (job,) = await queue.jobs()
    for seconds in (5, 10, 3600):
        before = utc_now()
        await queue.work(kinds)
        (job,) = await queue.jobs()
        assert job.state is JobState.QUEUED
        assert job.due_at is not None
        assert before <= job.due_at - dt.timedelta(seconds=seconds) <= utc_now()
        await queue.make_due()
    assert not outcomes
    assert (job.attempts, job.error) == (0, None)


async def test_a_clock_that_is_set_back_keeps_nothing_waiting(queue: Queue) -> None:
    hour, minute = dt.timedelta(hours=1), dt.timedelta(minutes=1)
    kinds = {
        JobKind.PURGE: Kind(handler=nothing, every=minute, attempts=1),
        JobKind.IMPORT: Kind(handler=nothing, lease=2 * minute),
        JobKind.WEBHOOK: Kind(handler=nothing),
    }
    back = dt.timedelta()

    @asynccontextmanager
    async def open_context(actor: Actor) -> AsyncIterator[Context]:
        async with queue.server.context_of(actor) as ctx:
            ctx.clock = lambda: utc_now() - back
            yield ctx

    worker = Worker(
        open_context, kinds, queue.server.database.bell, at_once=1, most_of_organization=1
    )
    await worker.mind_clock()
    # Jobs of all kinds of waits, each as it can be.
    now = utc_now()
    await worker.enqueue_periodic()
    (periodic,) = [job.id for job in await queue.jobs()]
    running, failed, late = [await queue.add() for _ in range(3)]
    asked_for = await queue.add(JobKind.WEBHOOK, due_at=now + 3 * hour)
    await queue.change(periodic, due_at=now + minute)
    await queue.change(
        running, state=JobState.RUNNING, attempts=1, claims=1, due_at=now + 2 * minute
    )
    await queue.change(failed, attempts=2, due_at=now + pause_after(2))
    await queue.change(late, attempts=40, due_at=now + hour)
    before = {job.id: job.due_at for job in await queue.jobs()}
    await worker.mind_clock()
    assert {job.id: job.due_at for job in await queue.jobs()} == before
    back = 5 * hour
    await worker.mind_clock()
    limits = {periodic: minute, running: 2 * minute, failed: pause_after(2), late: hour}
    for job in await queue.jobs():
        assert job.due_at is not None
        if job.id in limits:
            wait = job.due_at - (now - back) - limits[job.id]
            assert dt.timedelta() <= wait < 2 * minute, job.kind
    assert (await queue.job(asked_for)).due_at == now + 3 * hour
    # A process that begins later finds those that others have left.
    await queue.change(periodic, due_at=now)
    worker = Worker(
        open_context, kinds, queue.server.database.bell, at_once=1, most_of_organization=1
    )
    await worker.mind_clock()
    due_at = (await queue.job(periodic)).due_at
    assert due_at is not None
    assert due_at < now - 4 * hour


async def test_a_bell_wakes_workers_at_once(queue: Queue) -> None:
    done = asyncio.Event()

    async def handler(work: Work) -> None:
        done.set()

    worker = queue.worker(handler, idle_seconds=3600.0)
    task = asyncio.create_task(worker.keep_working())
    await asyncio.sleep(0.05)
    await queue.add()
    async with asyncio.timeout(60):
        await done.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_an_organization_with_very_many_jobs_comes_back_later(
    queue: Queue, session: Session, world: World
) -> None:
    organization_id = world.organization.id
    session.add_all(
        Job(kind=JobKind.IMPORT, organization_id=organization_id, due_at=utc_now(),
            order_at=utc_now())
        for _ in range(MOST_OPEN)
    )  # fmt: skip
    await session.commit()
    ctx = Context(OPERATOR, session)
    with pytest.raises(Unavailable, match="1000 jobs of the organization"):
        await check_room(ctx, organization_id)
    await check_room(ctx, "another")
    count = select(func.count()).select_from(Job)
    assert (await session.execute(count)).scalar_one() == MOST_OPEN


async def test_only_the_operator_takes_jobs(queue: Queue, world: World) -> None:
    actor = Actor(world.admin.id)
    async with queue.server.context_of(actor) as ctx:
        with pytest.raises(Forbidden):
            await run(ctx, claims.claim_job, LEASE, 4, LEASE)


async def test_one_that_cannot_be_kept_does_not_keep_others_from_it(
    queue: Queue, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = [await queue.add() for _ in range(3)]
    done = asyncio.Event()

    async def handler(work: Work) -> None:
        work.lease.report("working")
        await done.wait()

    keep = claims.keep_job

    async def fails_for_the_first(ctx: Context, claim: claims.Claim, *values: Any) -> bool:
        if claim.id == ids[0]:
            must_be_operator(ctx)
            raise RuntimeError("no")
        return await keep(ctx, claim, *values)

    worker = queue.worker(handler, watch_seconds=60)
    await worker.fill()
    await asyncio.sleep(0)
    with monkeypatch.context() as patched:
        patched.setattr(claims, "keep_job", fails_for_the_first)
        await worker.look()
    assert [(await queue.job(id)).stage for id in ids] == [None, "working", "working"]
    # What could not be stored is stored the next time.
    await worker.look()
    assert (await queue.job(ids[0])).stage == "working"
    done.set()
    await worker.settle()
    await worker.stop()


async def test_who_is_stopped_while_taking_a_job_gives_it_back(queue: Queue) -> None:
    """Whenever that is: the job waits for others, and the attempt does not count."""

    async def handler(work: Work) -> None:
        await asyncio.Event().wait()

    for steps in (*range(0, 40, 3), 60, 90):
        id = await queue.add()
        worker = queue.worker(handler)
        working = asyncio.create_task(worker.keep_working())
        for _ in range(steps):
            await asyncio.sleep(0)
        working.cancel()
        with pytest.raises(asyncio.CancelledError):
            await working
        job = await queue.job(id)
        assert (job.state, job.attempts) == (JobState.QUEUED, 0), steps
        await queue.change(id, state=JobState.CANCELLED, due_at=None)


async def test_the_log_has_what_is_committed(
    queue: Queue, caplog: pytest.LogCaptureFixture
) -> None:
    async def fails(ctx: Context) -> None:
        must_be_operator(ctx)
        await enqueue(ctx, NewJob(kind=JobKind.IMPORT))
        raise Conflict("somebody was faster")

    async def handler(work: Work) -> None:
        async def last(ctx: Context) -> None:
            must_be_operator(ctx)
            work.lease.finish()

        await run(work.ctx, last)

    with caplog.at_level(logging.INFO, "docstead.jobs"):
        async with queue.server.context_of(OPERATOR) as ctx:
            with pytest.raises(Conflict):
                await run(ctx, fails)
        assert caplog.messages == []
        id = await queue.add()
        await queue.work(handler)
    states = [message.rpartition(" ")[2] for message in caplog.messages if id in message]
    assert states == ["queued", "running", "succeeded"]


async def test_trying_again_is_bounded_as_starting_is(
    queue: Queue, world: World, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    await session.commit()
    id = await queue.add(organization_id=world.organization.id)
    await queue.change(id, state=JobState.FAILED, due_at=None)
    monkeypatch.setattr("resolvers.jobs.queue.MOST_OPEN", 1)
    other = await queue.add(organization_id=world.organization.id)
    async with queue.server.context_of(OPERATOR) as ctx:
        with pytest.raises(Unavailable, match="1 jobs of the organization"):
            await run(ctx, retry_job, ID(id))
    await queue.change(other, state=JobState.CANCELLED, due_at=None)
    async with queue.server.context_of(OPERATOR) as ctx:
        assert (await run(ctx, retry_job, ID(id))).state is JobState.QUEUED
