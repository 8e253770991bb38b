"""Delivers events to endpoints: a job for each endpoint that has work, one at a time.

The job reads on in the outbox from where the endpoint has come to, sends one event after the other,
and ends when there are none, when one has failed, or after a while, so that others have their turn.
"""

import time
from collections.abc import Collection
from dataclasses import dataclass, replace

from db.enums import TokenScope
from db.inserts import parts
from db.models.webhooks import Webhook
from db.webhook_enums import DeliveryState, WebhookStop
from fetching.errors import FetchError
from jobs.kinds import Work
from jobs.waking import OpenContext
from resolvers.core.actors import OPERATOR, Actor
from resolvers.core.context import Context
from resolvers.core.runners import read, run
from resolvers.core.sealing import UnsealedError
from resolvers.webhooks import deliveries
from resolvers.webhooks.attempts import ANSWER_BYTES, Attempt
from resolvers.webhooks.deliveries import MOST_WOKEN, Sending
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
        sent = 0
        while sent < MOST_SENT:
            number = await self._portion(ctx, id)
            if not number:
                break
            sent += number
        ctx.lease = None
        await run(ctx, deliveries.leave_webhook, work.lease, id)

    async def _portion(self, ctx: Context, id: str) -> int:
        """Send the next events; how many, 0 when the endpoint has to wait."""
        webhook, delivery = await read(ctx, deliveries.find_endpoint, id)
        if webhook is None:
            return 0
        if delivery is not None and delivery.state is DeliveryState.QUEUED:
            queued = Sending(
                delivery.id, delivery.message_id, delivery.type, delivery.body, delivery.position
            )
            await self._send(ctx, webhook, queued)
            return 1
        waits = webhook.next_attempt_at is not None and webhook.next_attempt_at > ctx.now()
        if not webhook.enabled or waits:
            return 0
        async with self.open_context(owner_of(webhook)) as own:
            if not await read(own, deliveries.may_deliver, id):
                await run(ctx, deliveries.stop_webhook, id, WebhookStop.OWNER)
                return 0
        if delivery is not None:
            return await self._again(ctx, webhook, delivery.id, delivery.message_id)
        return await self._next(ctx, webhook)

    async def _again(self, ctx: Context, webhook: Webhook, id: str, event_id: str) -> int:
        """Try the delivery that has failed."""
        async with self.open_context(owner_of(webhook)) as own:
            sendings = await read(own, deliveries.sendings_of, [event_id])
        if not sendings:
            await run(ctx, deliveries.give_up, webhook.id, id)
            return 1
        again = replace(sendings[0], id=id)
        return int(await self._send(ctx, webhook, again))

    async def _next(self, ctx: Context, webhook: Webhook) -> int:
        """Send the events that come next, as long as the rights that were looked at are fresh."""
        ids, last = await read(ctx, deliveries.events_for, webhook)
        if last == webhook.position:
            return 0
        sendings: list[Sending] = []
        if ids:
            async with self.open_context(owner_of(webhook)) as own:
                sendings = await read(own, deliveries.sendings_of, ids)
        begun = time.monotonic()
        for sent, sending in enumerate(sendings, 1):
            if not await self._send(ctx, webhook, sending):
                return 0
            if time.monotonic() - begun > RIGHTS_SECONDS:
                return sent
        if not sendings or sendings[-1].position != last:
            await run(ctx, deliveries.pass_events, webhook.id, last)
        return max(1, len(sendings))

    async def _send(self, ctx: Context, webhook: Webhook, sending: Sending) -> bool:
        """One attempt; whether the next event may follow at once."""
        attempt = await self._attempt(ctx, webhook, sending)
        return await run(ctx, deliveries.record_attempt, webhook.id, sending, attempt)

    async def _attempt(self, ctx: Context, webhook: Webhook, sending: Sending) -> Attempt:
        now, begun = ctx.now(), time.monotonic()
        body, seconds = sending.body.encode(), int(now.timestamp())
        headers = {
            "Content-Type": "application/json",
            "webhook-id": sending.message_id,
            "webhook-timestamp": str(seconds),
        }
        status, answer, error = None, None, None
        try:
            secrets = valid_secrets(ctx.sealer, webhook, now)
            signed = signatures(secrets, sending.message_id, seconds, body)
            status, data = await ctx.import_access.fetcher.send(
                webhook.url, body, headers | signed, max_bytes=ANSWER_BYTES, seconds=self.seconds
            )
            answer, error = data.decode("utf-8", "replace"), problem(status)
        except UnsealedError:
            error = NO_KEY
        except FetchError as failure:
            error = str(failure)
        milliseconds = round((time.monotonic() - begun) * 1_000)
        return Attempt(now, milliseconds, headers, status, answer, error)


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
