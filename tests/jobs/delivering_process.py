"""A process that delivers webhooks to a port until it is killed.

Leases are short, so that others soon take what a killed process has left.
"""

import asyncio
import datetime as dt
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from db.bells import keep_listening
from db.job_enums import JobKind
from db.session import Database
from fetching.addresses import Allowance
from fetching.client import Fetcher, FetchLimits
from jobs.kinds import Kind
from jobs.webhooks import Deliverer
from jobs.worker import Worker
from resolvers.core.actors import Actor
from resolvers.core.context import Context
from resolvers.core.installation import ImportAccess
from tests.factories import TEST_SEALER

LEASE = dt.timedelta(seconds=1)


async def main(url: str, port: str) -> None:
    database = Database(url, pool_size=4, durable=False)
    allowance = Allowance(frozenset({("127.0.0.1", int(port))}))
    imports = ImportAccess(Fetcher(allowance, FetchLimits(total_seconds=20)))

    # A whole server takes seconds to start.
    @asynccontextmanager
    async def open_context(actor: Actor) -> AsyncIterator[Context]:
        ctx = Context(
            actor, _reader=database.new_reader(), points=database.points,
            open_session=database.new_session, imports=imports, secrets=TEST_SEALER,
        )  # fmt: skip
        try:
            yield ctx
        finally:
            await ctx.close()

    kind = Kind(handler=Deliverer(open_context, 20), at_once=8, lease=LEASE)
    worker = Worker(
        open_context, {JobKind.WEBHOOK: kind}, database.bell, at_once=8, most_of_organization=8,
        watch_seconds=0.1, idle_seconds=0.2,
    )  # fmt: skip
    if not database.is_sqlite:
        listening = asyncio.create_task(keep_listening(database.url, database.bell))
        listening.add_done_callback(lambda task: task.exception())
    await worker.keep_working()
