"""Removes what nobody needs any more: spaces that were in the bin for seven days with their files,
unused uploads, events, those of visitors and remembered answers that are too old, ended sessions,
invitations, jobs and notifications."""

import asyncio
import datetime as dt
import logging
from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType

from jobs.git.cache import CloneCache
from jobs.kinds import Work
from jobs.organization_runs import clear_archives
from resolvers.access import idempotency
from resolvers.change_requests import conflicts
from resolvers.core.context import Context
from resolvers.core.errors import Unavailable
from resolvers.core.leases import LeaseLostError
from resolvers.core.runners import read, run
from resolvers.customization import operations as customization
from resolvers.drafts.contents import UPLOAD_LIFETIME
from resolvers.events import operations as event_operations
from resolvers.git import entries, records
from resolvers.insights.events import PORTION, purge_insights
from resolvers.integrations import deliveries as integrations, shown as integration_blocks
from resolvers.jobs.operations import JOB_PORTION, JOB_RETENTION, forget_jobs
from resolvers.notifications import retention
from resolvers.organizations import invitation_writes
from resolvers.sign_in import operations as sign_in
from resolvers.sign_on import saml
from resolvers.sites.removed_spaces import expired_spaces, purge_deleted_spaces
from resolvers.sites.revalidation import plain_revalidation_secrets, seal_revalidation_secrets
from resolvers.storage import operations as storage
from resolvers.webhooks import deliveries
from resolvers.writing.uploads import purge_uploads

log = logging.getLogger("docstead.purge")
# Between two portions of old events.
PAUSE = 0.05
# Removes what is too old at a time; how much.
Step = Callable[[Context, dt.datetime], Awaitable[int]]


async def purge(ctx: Context, now: dt.datetime) -> int:
    """Remove all spaces that were deleted more than seven days before `now`; how many.

    Nobody can restore or read such a space any more. So its files may go first: what fails in
    between is done by the next run, and no bytes are left without a row that names them.
    """
    count = 0
    while ids := await read(ctx, expired_spaces, now):
        for id in ids:
            await ctx.blobs.delete_space(id)
        count += len(await run(ctx, purge_deleted_spaces, now))
    return count


async def clear_uploads(ctx: Context, now: dt.datetime) -> int:
    """Forget uploads that nothing was made of in a day, streams that never ended, and looks that
    no preview shows any more; how many uploads."""
    count = await run(ctx, purge_uploads, now)
    await ctx.blobs.forget_incoming(now - UPLOAD_LIFETIME)
    await customization.forget_changes(ctx)
    return count


async def clear_storage(ctx: Context, now: dt.datetime) -> int:
    """Remove files of organizations that nothing needs any more; how many.

    Their bytes go first: what fails in between is done by the next run.
    """
    count = 0
    while ids := await read(ctx, storage.old_uploads, now):
        for id in ids:
            await ctx.blobs.delete_space(id)
        count += await run(ctx, storage.forget_uploads, ids)
    return count


async def seal_secrets(ctx: Context, now: dt.datetime) -> int:
    """Seal secrets of revalidation that a version before this one has stored; how many."""
    count = 0
    while plain := await read(ctx, plain_revalidation_secrets):
        await run(ctx, seal_revalidation_secrets, plain)
        count += len(plain)
    return count


async def clear_insights(ctx: Context, now: dt.datetime) -> int:
    """Remove events of visitors that are older than the setting says; how many."""
    before = now - dt.timedelta(days=ctx.settings.insights_days)
    return await _in_portions(ctx, purge_insights, before, PORTION)


async def clear_answers(ctx: Context, now: dt.datetime) -> int:
    """Forget answers of requests with a key that are older than a day; how many."""
    before = now - idempotency.RETENTION
    return await _in_portions(ctx, idempotency.forget_answers, before, idempotency.PORTION)


async def clear_events(ctx: Context, now: dt.datetime) -> int:
    """Remove events that are older than 30 days; how many."""
    before = now - event_operations.RETENTION
    return await _in_portions(ctx, event_operations.purge_events, before, event_operations.PORTION)


async def clear_invitations(ctx: Context, now: dt.datetime) -> int:
    """Forget invitations by mail 90 days after their time, used or not; how many."""
    portion = invitation_writes.PORTION
    return await _in_portions(ctx, invitation_writes.forget_invitations, now, portion)


async def clear_sign_ins(ctx: Context, now: dt.datetime) -> int:
    """Remove sessions and links by which people have signed in, once they have ended; how many."""
    return await _in_portions(ctx, sign_in.forget_sign_ins, now, sign_in.PORTION)


async def clear_sign_ons(ctx: Context, now: dt.datetime) -> int:
    """Forget answers of providers that no request is waiting for any more; how many."""
    return await _in_portions(ctx, saml.forget_answers, now, saml.PORTION)


async def clear_jobs(ctx: Context, now: dt.datetime) -> int:
    """Forget jobs that ended 30 days ago; how many."""
    before = now - JOB_RETENTION
    await _in_portions(ctx, entries.purge_entries, before, entries.PORTION)
    return await _in_portions(ctx, forget_jobs, before, JOB_PORTION)


async def clear_notifications(ctx: Context, now: dt.datetime) -> int:
    """Forget notifications that were read 90 days ago, or have waited a year to be; how many."""
    return await _in_portions(ctx, retention.forget_notifications, now, retention.PORTION)


async def clear_deliveries(ctx: Context, now: dt.datetime) -> int:
    """Forget deliveries to endpoints that began 30 days ago; how many."""
    before = now - deliveries.RETENTION
    return await _in_portions(ctx, deliveries.purge_deliveries, before, deliveries.PURGED)


async def clear_integrations(ctx: Context, now: dt.datetime) -> int:
    """Forget events of integrations after 30 days, and what blocks showed that nobody reads;
    end development modes after a day without traffic; how many."""
    old, quiet = now - integrations.RETENTION, now - integrations.QUIET
    portion = integrations.PURGED
    count = await _in_portions(ctx, integrations.purge_integration_events, old, portion)
    count += await _in_portions(ctx, integration_blocks.purge_blocks, old, portion)
    return count + await _in_portions(ctx, integrations.end_development_modes, quiet, portion)


async def clear_conflicts(ctx: Context, now: dt.datetime) -> int:
    """Remove conflicts that were stored for merges which did not come about; how many."""
    count = 0
    # They are looked for while others may write.
    while ids := await read(ctx, conflicts.staged_in_vain, now - conflicts.STAGED_FOR):
        count += await run(ctx, conflicts.forget_staged, ids)
        await asyncio.sleep(PAUSE)
    return count


async def clear_git(ctx: Context, now: dt.datetime) -> int:
    """Forget credentials of Git operations that have ended, and remove clones beyond the limit; how
    many."""
    before = now - records.CREDENTIAL_LIFETIME
    count = await _in_portions(ctx, records.forget_credentials, before, records.PORTION)
    if ctx.git is None:
        return count
    cache = CloneCache(ctx.git.folder, ctx.git.cache_megabytes)
    return count + await asyncio.to_thread(cache.trim)


async def _in_portions(
    ctx: Context,
    remove: Callable[[Context, dt.datetime], Awaitable[int]],
    before: dt.datetime,
    portion: int,
) -> int:
    """Remove what is older than a time; each portion is a transaction, so that others may write."""
    count = 0
    while removed := await run(ctx, remove, before):
        count += removed
        if removed < portion:
            break
        await asyncio.sleep(PAUSE)
    return count


async def purge_all(work: Work, more: Mapping[str, Step] = MappingProxyType({})) -> None:
    """Remove everything that nobody needs any more: the job that comes again each hour. `more` are
    steps of this process, beside those of all.

    Steps are by themselves: one that fails keeps no other from being done, and fails the job.
    """
    ctx, failed, steps = work.ctx, list[str](), {**STEPS, **more}
    for done, (name, step) in enumerate(steps.items()):
        work.lease.report("purging", done, len(steps), name)
        try:
            count = await step(ctx, ctx.now())
        except LeaseLostError:
            raise
        except Exception:
            log.exception("%s could not be removed", name)
            failed.append(name)
            continue
        if count:
            log.info("%d %s were removed", count, name)
    if failed:
        raise Unavailable(f"not removed: {', '.join(failed)}; the server's log says why")


# What is removed, by what it is called.
STEPS: Mapping[str, Step] = {
    "deleted spaces": purge,
    "unused uploads": clear_uploads,
    "unused files of organizations": clear_storage,
    "old events of visitors": clear_insights,
    "old events": clear_events,
    "old answers": clear_answers,
    "ended sign-ins": clear_sign_ins,
    "old invitations": clear_invitations,
    "old answers of single sign-on": clear_sign_ons,
    "archives of organizations": clear_archives,
    "old jobs": clear_jobs,
    "old notifications": clear_notifications,
    "old deliveries of webhooks": clear_deliveries,
    "old events and development modes of integrations": clear_integrations,
    "clones of repositories, and credentials": clear_git,
    "conflicts of merges that were not written": clear_conflicts,
    "plain secrets of revalidation": seal_secrets,
}
