"""People are notified when something happens, not when a job looks by itself."""

import datetime as dt
from typing import Any

from sqlalchemy import select, update

from db.job_enums import JobKind, JobState
from db.models.jobs import Job
from jobs.table import KINDS
from jobs.worker import Worker
from tests import factories
from tests.conftest import Api, World
from tests.notifications import kinds_of

NOTIFIES = JobKind.NOTIFICATIONS


async def job_of(api: Api) -> Job:
    async with api.server.database.session() as session:
        return (await session.execute(select(Job).where(Job.kind == NOTIFIES))).scalar_one()


async def set_job(api: Api, **values: Any) -> None:
    async with api.server.database.session() as session:
        await session.begin_write()
        await session.execute(update(Job).where(Job.kind == NOTIFIES).values(**values))
        await session.commit()


async def say_something(api: Api, world: World, space_id: str) -> None:
    mention = f'[@{world.reader.display_name}](/v1/users/{world.reader.id} "mention")'
    body = {"body": {"markdown": f"Look: {mention}"}}
    answer = await api.rest("POST", f"/spaces/{space_id}/comments", world.admin, body)
    assert answer.status_code == 200, answer.text


async def test_what_happens_wakes_the_job(api: Api, world: World, session: Any) -> None:
    space = await factories.make_space(session, world.organization)
    await session.commit()
    server, database = api.server, api.server.database
    worker = Worker(
        server.context_of, {NOTIFIES: KINDS[NOTIFIES]}, database.bell,
        at_once=1, most_of_organization=1,
    )  # fmt: skip

    async def work() -> bool:
        """Whether the job had its turn."""
        await worker.fill()
        busy = worker.busy
        await worker.settle()
        return busy

    await worker.enqueue_periodic()
    assert await work()
    # Nothing happens, so nothing is done, and nothing is written.
    before = await job_of(api)
    await server.notification_waker.wake()
    assert not await work()
    assert (await job_of(api)).due_at == before.due_at

    await say_something(api, world, space.id)
    assert not await work()
    await server.notification_waker.wake()
    assert await work()
    assert await kinds_of(database, world.reader) == ["mentioned"]
    # It asks again for what the job may have passed, and there is nothing more.
    await server.notification_waker.wake()
    await server.notification_waker.wake()
    assert not await work()

    # Who runs may be past the newest events: the waker asks again until nobody has to wait.
    await say_something(api, world, space.id)
    await set_job(api, state=JobState.RUNNING)
    await server.notification_waker.wake()
    assert (await job_of(api)).due_at > dt.datetime.now(dt.UTC)
    await set_job(api, state=JobState.QUEUED)
    await server.notification_waker.wake()
    assert await work()
    assert await kinds_of(database, world.reader) == ["mentioned", "mentioned"]

    # A job that has failed waits for its own pause.
    await say_something(api, world, space.id)
    await set_job(api, attempts=1)
    await server.notification_waker.wake()
    assert not await work()
    await set_job(api, attempts=0)
    await server.notification_waker.wake()
    assert await work()
