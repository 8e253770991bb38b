"""Notifies people of what has happened, and writes mail about what is unread: a job that comes
again every minute, and is woken when something has happened."""

import logging
from collections.abc import Collection

from db.job_enums import JobKind
from jobs.kinds import Work
from resolvers.core.context import Context
from resolvers.core.errors import ApiError, Unavailable
from resolvers.core.leases import LeaseLostError
from resolvers.core.runners import read, run
from resolvers.jobs.claims import hasten_periodic
from resolvers.notifications import derivation, digests

log = logging.getLogger("docstead.notifications")
# Seconds in which events come together before people are notified.
GATHERING = 2.0


async def notify_all(ctx: Context) -> int:
    """Notify everybody of all events that nobody was notified of; how many events these were.

    Organizations take turns, a portion of events each. One that fails keeps no other from its
    turn; Unavailable at the end says that there was one.
    """
    total, failed = 0, 0
    behind = True
    while behind:
        behind = False
        after = ""
        while ids := await read(ctx, derivation.organizations_behind, after):
            after = ids[-1]
            for id in ids:
                try:
                    count = await run(ctx, derivation.notify_of_events, id)
                except LeaseLostError:
                    raise
                except ApiError:
                    log.exception("the people of organization %s could not be notified", id)
                    failed += 1
                    continue
                total += count
                behind = behind or count >= derivation.PORTION
    if failed:
        raise Unavailable(f"{failed} organizations could not be notified; the log says why")
    return total


async def write_mail(ctx: Context) -> int:
    """Write the mail about unread notifications that is due; to how many people it is."""
    total = 0
    while ctx.settings.sends_mail and await read(ctx, digests.is_digest_due, ctx.now()):
        total += await run(ctx, digests.write_digests, ctx.now())
    return total


async def notify(work: Work) -> None:
    """The job: notifications first, so that mail has them."""
    await notify_all(work.ctx)
    await write_mail(work.ctx)


async def wake_notifications(ctx: Context, streams: Collection[str]) -> Collection[str]:
    """Let the job have its turn now if events of these streams wait for it.

    It may be at work, and past them already: so they are asked for again until nothing waits.
    """
    behind = await read(ctx, derivation.streams_behind, streams)
    if behind:
        await run(ctx, hasten_periodic, JobKind.NOTIFICATIONS)
    return behind
