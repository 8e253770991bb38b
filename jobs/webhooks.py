"""Delivers events to endpoints: a job for each endpoint that has work, one at a time.

The job reads on in the outbox from where the endpoint has come to, sends one event after the other,
and ends when there are none, when one has failed, or after a while, so that others have their turn.
"""

import asyncio
import time
from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from db.enums import TokenScope
from db.inserts import parts
from db.models.webhooks import Webhook
from db.webhook_enums import DeliveryState, WebhookStop
from fetching.errors import FetchError
from fetching.lines import Line
from jobs.kinds import Work
from jobs.waking import OpenContext
from resolvers.core.actors import OPERATOR, Actor
from resolvers.core.context import Context
from resolvers.core.leases import LeaseLostError
from resolvers.core.runners import read, run
from resolvers.core.sealing import UnsealedError
from resolvers.webhooks import deliveries
from resolvers.webhooks.attempts import ANSWER_BYTES, Attempt
from resolvers.webhooks.deliveries import MOST_WOKEN, PORTION, Done, Sending
from resolvers.webhooks.signing import signatures, valid_secrets

SECONDS = 10.0
# What one job sends before others of its organization have their turn.
MOST_SENT = 100
# Whose rights are older are looked at again before the next event is sent.
RIGHTS_SECONDS = 1.0
# Seconds in which events come together before endpoints are woken.
GATHERING = 0.1
NO_KEY = (
    "was not sent, because its secret cannot be opened with this server's key: name the key before "
    "in DOCSTEAD_FORMER_SECRET_KEYS, or rotate the secret"
)


class _Unwritten:
    """What has come of an attempt, until it is written down: before the next one, so that a killed
    process has nothing sent again but what was under way; the last one when the job ends."""

    def __init__(self, ctx: Context, webhook_id: str) -> None:
        self._ctx, self._webhook_id = ctx, webhook_id
        self.done: list[Done] = []
        # The number that the endpoint has come to with it.
        self.position: int | None = None
        # Whether the next event may be sent.
        self.goes_on = True

    def add(self, sending: Sending, attempt: Attempt) -> None:
        """Note an attempt; one that has failed is the last one."""
        self.done.append((sending, attempt))
        self.goes_on = attempt.error is None

    async def write(self) -> bool:
        """Write it down; whether the next event may be sent."""
        if self.done or self.position is not None:
            done, self.done, position, self.position = self.done, [], self.position, None
            self.goes_on &= await run(
                self._ctx, deliveries.record_attempts, self._webhook_id, done, position
            )
        return self.goes_on


@dataclass(frozen=True, slots=True)
class Deliverer:
    """Does the jobs of endpoints."""

    open_context: OpenContext
    seconds: float = SECONDS

    async def __call__(self, work: Work) -> None:
        """Send what an endpoint has to get."""
        ctx, id = work.ctx, str(work.arguments["webhook"])
        # Each read is one of its own: between them lie requests that may take seconds.
        ctx.snapshot = False
        line, unwritten = Line(), _Unwritten(ctx, id)
        sent = 0
        try:
            while sent < MOST_SENT and await unwritten.write():
                number = await self._portion(ctx, id, unwritten, line)
                if not number:
                    break
                sent += number
        except asyncio.CancelledError:
            # It goes back, or is another worker's: then this is refused.
            with suppress(LeaseLostError):
                await unwritten.write()
            raise
        finally:
            await line.close()
        ctx.lease = None
        done, position = unwritten.done, unwritten.position
        await run(ctx, deliveries.leave_webhook, work.lease, id, done, position)
        # There is no row in which its end could be noted.
        work.lease.finished = True

    async def _portion(self, ctx: Context, id: str, unwritten: _Unwritten, line: Line) -> int:
        """Send the next events; how many, 0 when there are no more, or the endpoint has to wait."""
        webhook, delivery = await read(ctx, deliveries.find_endpoint, id)
        if webhook is None:
            return 0
        if delivery is not None and delivery.state is DeliveryState.QUEUED:
            queued = Sending(
                delivery.id, delivery.message_id, delivery.type, delivery.body, delivery.position,
                known=True,
            )  # fmt: skip
            attempt = await self._attempt(ctx, webhook, queued, line)
            # It stands outside of the order: what follows may come whatever it was answered.
            await run(ctx, deliveries.record_attempts, id, [(queued, attempt)])
            return 1
        waits = webhook.next_attempt_at is not None and webhook.next_attempt_at > ctx.now()
        if not webhook.enabled or waits:
            return 0
        if delivery is not None:
            events, last = [delivery.message_id], None
        else:
            events, last = await read(ctx, deliveries.events_for, webhook)
            if last == webhook.position:
                return 0
        async with self.open_context(owner_of(webhook)) as own:
            if not await read(own, deliveries.may_deliver, id):
                await run(ctx, deliveries.stop_webhook, id, WebhookStop.OWNER)
                return 0
            sendings = await read(own, deliveries.sendings_of, events) if events else []
        if delivery is not None:
            if not sendings:
                await run(ctx, deliveries.give_up, webhook.id, delivery.id)
                return 1
            sendings = [replace(sendings[0], id=delivery.id, known=True)]
        whole = await self._send(ctx, webhook, sendings, unwritten, line)
        if whole and last is not None:
            unwritten.position = last
        # Of a portion that is not full nothing is left: whoever leaves looks once more.
        more = not whole or last is None or last - webhook.position >= PORTION
        return max(1, len(sendings)) if unwritten.goes_on and more else 0

    async def _send(
        self,
        ctx: Context,
        webhook: Webhook,
        sendings: Sequence[Sending],
        unwritten: _Unwritten,
        line: Line,
    ) -> bool:
        """Send events one after the other, as long as the rights that were looked at are fresh;
        whether all of them were sent."""
        begun = time.monotonic()
        for sending in sendings:
            if not await unwritten.write() or time.monotonic() - begun > RIGHTS_SECONDS:
                return False
            unwritten.add(sending, await self._attempt(ctx, webhook, sending, line))
        return unwritten.goes_on

    async def _attempt(
        self, ctx: Context, webhook: Webhook, sending: Sending, line: Line
    ) -> Attempt:
        """One request and what came of it."""
        now, begun = ctx.now(), time.monotonic()
        body, seconds = sending.body.encode(), int(now.timestamp())
        headers = {
            "Content-Type": "application/json",
            "webhook-id": sending.message_id,
            "webhook-timestamp": str(seconds),
        }
        status, answer, error, retry_after = None, None, None, ""
        try:
            secrets = valid_secrets(ctx.sealer, webhook, now)
            signed = signatures(secrets, sending.message_id, seconds, body)
            status, data, retry_after = await ctx.import_access.fetcher.send(
                webhook.url, body, headers | signed, max_bytes=ANSWER_BYTES, seconds=self.seconds,
                line=line,
            )  # fmt: skip
            answer, error = data.decode("utf-8", "replace"), problem(status)
        except UnsealedError:
            error = NO_KEY
        except FetchError as failure:
            error = str(failure)
        milliseconds = round((time.monotonic() - begun) * 1_000)
        return Attempt(now, milliseconds, headers, status, answer, error, retry_after)


def owner_of(webhook: Webhook) -> Actor:
    """Whom an endpoint delivers for. The types that they could ask for were limited by their token
    when they did."""
    if webhook.owner_id is None:
        return OPERATOR
    return Actor(webhook.owner_id, frozenset(TokenScope))


def problem(status: int) -> str | None:
    """What is wrong with a status; None for those that say that the event was taken."""
    if 200 <= status < 300:
        return None
    if 300 <= status < 400:
        return f"answered with a redirect ({status}), which is not followed"
    return f"answered with status {status}"


async def sweep(work: Work) -> None:
    """Wake endpoints whose events nobody has woken them for: a process died, or a command wrote."""
    plain = await read(work.ctx, deliveries.unsealed_webhooks)
    if plain:
        await run(work.ctx, deliveries.seal_webhooks, plain)
    webhooks = await read(work.ctx, deliveries.webhooks_with_work)
    for some in parts(webhooks, MOST_WOKEN):
        await run(work.ctx, deliveries.wake_webhooks, some)


async def wake_endpoints(ctx: Context, streams: Collection[str]) -> Collection[str]:
    """Enqueue the jobs of endpoints of organizations in which something has happened."""
    webhooks = await read(ctx, deliveries.webhooks_of_streams, streams)
    for some in parts(webhooks, MOST_WOKEN):
        await run(ctx, deliveries.wake_webhooks, some)
    return ()
