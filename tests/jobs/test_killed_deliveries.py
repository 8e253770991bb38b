"""Processes that deliver webhooks and are killed lose nothing."""

import asyncio
import signal

from db.session import Database
from tests.factories import TEST_SEALER
from tests.forked import ForkedProgram, start
from tests.jobs.delivering_process import main as delivering
from tests.jobs.hooks import Hooks
from tests.jobs.receiver import Receiver

KILLED_AFTER = (4, 12)


async def test_processes_are_killed_in_the_middle_of_deliveries(
    hooks: Hooks, receiver: Receiver, database: Database
) -> None:
    """Each endpoint gets every event, in order; what was under way it gets twice."""
    hooks.api.server.sealer = TEST_SEALER
    for path in "ab":
        await hooks.create(url=f"http://127.0.0.1:{receiver.port}/{path}", types=["team_created"])
    await hooks.write(12)
    await hooks.api.server.webhook_waker.wake()
    url = database.url.render_as_string(hide_password=False)

    async def begun() -> ForkedProgram:
        return await start(delivering, url, str(receiver.port))

    async def received(number: int) -> None:
        while len(receiver.received) < number:
            receiver.came.clear()
            await receiver.came.wait()

    # A second process would write to the same file of SQLite, too.
    processes = [await begun() for _ in range(1 if database.is_sqlite else 2)]
    try:
        async with asyncio.timeout(60):
            for count in KILLED_AFTER:
                await received(count)
                receiver.open.clear()
                await received(len(receiver.received) + 1)
                for process in processes:
                    process.kill()
                    assert await process.wait() == -signal.SIGKILL
                receiver.open.set()
                processes = [await begun() for _ in processes]
            while len(set(zip(receiver.paths, receiver.positions, strict=True))) < 24:
                receiver.came.clear()
                await receiver.came.wait()
    finally:
        for process in processes:
            process.kill()
            await process.wait()
    for path in ("/a", "/b"):
        own = [n for p, n in zip(receiver.paths, receiver.positions, strict=True) if p == path]
        assert own == sorted(own)
        assert len(set(own)) == 12
    assert len(receiver.received) >= 24 + len(KILLED_AFTER)
