"""A process that does jobs of a database until it is killed.

Each job writes one row of the table `effect` in the transaction that ends it, after a first write
that may be done twice. Leases are short, so that others soon take what a killed process has left.
Where a file in the folder has the name of its process, a job waits in the middle, and says so by a
file beside it: who kills it then has met a job.
"""

import asyncio
import datetime as dt
import os
import random
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path

from sqlalchemy import text

from db.bells import keep_listening
from db.job_enums import JobKind
from db.session import Database
from jobs.kinds import Kind, Work
from jobs.worker import Worker
from resolvers.access.policy import must_be_operator
from resolvers.core.actors import Actor
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.runners import run

LEASE = dt.timedelta(seconds=1)


def held(mark: Path) -> Path:
    """There when a job waits because of the file `mark`."""
    return mark.with_suffix(".held")


@operation(audited=False)
async def note(ctx: Context, table: str, last: bool) -> None:
    must_be_operator(ctx)
    assert ctx.lease is not None
    row = {"job": ctx.lease.job_id, "process": os.getpid()}
    insert = f"INSERT INTO {table} (job, process) VALUES (:job, :process)"
    await ctx.session.execute(text(insert), row)
    if last:
        ctx.lease.finish()


async def handler(work: Work, folder: Path) -> None:
    await run(work.ctx, note, "attempt", False)
    if (mark := folder / str(os.getpid())).exists():
        held(mark).touch()
        await asyncio.Event().wait()
    # Some are killed here, and some keep silent for longer than their lease.
    await asyncio.sleep(random.choice((0, 0.02, 0.1, 0.1)))
    if random.random() < 0.01:
        work.lease.length = dt.timedelta(0)
        await asyncio.sleep(0.2)
    await run(work.ctx, note, "effect", True)


async def main(url: str, folder: str) -> None:
    database = Database(url, pool_size=4, durable=False)

    # A whole server takes seconds to start.
    @asynccontextmanager
    async def open_context(actor: Actor) -> AsyncIterator[Context]:
        ctx = Context(
            actor, _reader=database.new_reader(), points=database.points,
            open_session=database.new_session,
        )  # fmt: skip
        try:
            yield ctx
        finally:
            await ctx.close()

    in_folder = partial(handler, folder=Path(folder))
    kinds = {JobKind.IMPORT: Kind(handler=in_folder, at_once=8, lease=LEASE, attempts=100)}
    worker = Worker(
        open_context, kinds, database.bell, at_once=8, most_of_organization=8,
        watch_seconds=0.2, idle_seconds=0.5,
    )  # fmt: skip
    task = asyncio.create_task(worker.keep_working())
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    listening = None
    if not database.is_sqlite:
        listening = asyncio.create_task(keep_listening(database.url, database.bell))
    with suppress(asyncio.CancelledError):
        await task
    if listening is not None:
        listening.cancel()
    await database.close()
