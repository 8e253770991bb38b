"""Removes what nobody needs any more: spaces that were in the bin for seven days with their files,
unused uploads, events and remembered answers that are too old, ended sessions and invitations."""

import asyncio
import datetime as dt
import logging
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager

from resolvers.access import idempotency
from resolvers.core.context import Context
from resolvers.core.runners import read, run
from resolvers.drafts.contents import UPLOAD_LIFETIME
from resolvers.events import operations as event_operations
from resolvers.insights.events import PORTION, purge_insights
from resolvers.organizations import invitation_writes
from resolvers.sign_in.operations import forget_sign_ins
from resolvers.sign_on import saml
from resolvers.sites.removed_spaces import expired_spaces, purge_deleted_spaces
from resolvers.writing.uploads import purge_uploads

log = logging.getLogger("docstead.purge")
SECONDS = 3600.0
# Between two portions of old events.
PAUSE = 0.05

# Opens a Context with the operator's rights, with the store of files.
OpenOperator = Callable[[], AbstractAsyncContextManager[Context]]


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


async def clear_uploads(ctx: Context, now: dt.datetime) -> None:
    """Forget uploads that nothing was made of in a day, and streams that never ended."""
    await run(ctx, purge_uploads, now)
    await ctx.blobs.forget_incoming(now - UPLOAD_LIFETIME)


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


async def keep_purging(open_operator: OpenOperator, seconds: float = SECONDS) -> None:
    """Purge now and then again every `seconds`, until cancelled."""
    while True:
        try:
            async with open_operator() as ctx:
                count = await purge(ctx, ctx.now())
                await clear_uploads(ctx, ctx.now())
                events = await clear_insights(ctx, ctx.now())
                await clear_answers(ctx, ctx.now())
                await clear_events(ctx, ctx.now())
                await run(ctx, forget_sign_ins, ctx.now())
                await clear_invitations(ctx, ctx.now())
                await _in_portions(ctx, saml.forget_answers, ctx.now(), saml.PORTION)
            if events:
                log.info("%d old events of visitors were removed", events)
            if count:
                log.info("%d deleted spaces were removed for good", count)
        except Exception:
            log.exception("deleted spaces could not be removed; the next try is in %d s", seconds)
        await asyncio.sleep(seconds)
