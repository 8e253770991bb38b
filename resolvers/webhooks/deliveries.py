"""What the job of an endpoint does: find what comes next, write down what came of it.

Each write is committed only while the job is this worker's (resolvers/core/leases.py). So one
worker delivers to an endpoint at a time, and what a worker that died had sent is sent again.
"""

import datetime as dt
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import Integer, bindparam, delete, exists, or_, select, update

from db.base import Timestamp
from db.ids import new_id
from db.job_enums import JobKind
from db.models.events import Event, EventCounter
from db.models.webhooks import SECRET_PREFIX, Webhook, WebhookDelivery
from db.prepared import KEY, among
from db.webhook_enums import DeliveryState, WebhookStop
from resolvers.access.policy import must_be_operator, visible
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.leases import Lease
from resolvers.core.scalars import read_time
from resolvers.core.statements import Viewer, Written, statement
from resolvers.events.streams import events_behind, visible_events
from resolvers.jobs.queue import (
    CLOCKS_DIFFER,
    NewJob,
    bring_forward,
    enqueue_of_server,
    replace_job,
)
from resolvers.webhooks.attempts import MOST_ATTEMPTS, Attempt
from resolvers.webhooks.bodies import event_body
from resolvers.webhooks.schedule import GONE, LASTING, NOT_LATER, later_by, next_retry
from resolvers.webhooks.signing import sealed

# Events that are looked at together; endpoints that are woken by one statement.
PORTION, MOST_WOKEN = 100, 500
# How long deliveries are kept, and how many one transaction removes.
RETENTION, PURGED = dt.timedelta(days=30), 1_000
NOT_READABLE = "whoever it is delivered for may not read what it is about any more"
_OPEN = (DeliveryState.QUEUED, DeliveryState.RETRYING)


@dataclass(frozen=True, slots=True)
class Sending:
    """What is sent next, and which delivery it is of; `id` is new where it was not sent before."""

    id: str
    message_id: str
    type: str
    body: str
    # The number of the event that the endpoint has come to; None for what was asked for.
    position: int | None
    # Whether there is a row of it.
    known: bool = False


# What was sent and what came of it.
Done = tuple[Sending, Attempt]


@statement
def _webhook(viewer: Viewer) -> Written:
    return select(Webhook).where(Webhook.id == bindparam("id", type_=KEY))


@statement
def _open(viewer: Viewer) -> Written:
    # What was asked for comes first: it is sent once, and is not in the order of events.
    return (
        select(WebhookDelivery)
        .where(
            WebhookDelivery.webhook_id == bindparam("id", type_=KEY),
            or_(*(WebhookDelivery.state == state for state in _OPEN)),
        )
        .order_by(WebhookDelivery.state, WebhookDelivery.id)
        .limit(bindparam("most", type_=Integer()))
    )


async def find_endpoint(ctx: Context, id: str) -> tuple[Webhook | None, WebhookDelivery | None]:
    """An endpoint and the delivery that is open; None where there is none."""
    must_be_operator(ctx)
    webhooks = await _webhook.rows(ctx, id=id)
    if not webhooks:
        return None, None
    deliveries = await _open.rows(ctx, id=id, most=1)
    return webhooks[0], deliveries[0] if deliveries else None


@statement
def _administered(viewer: Viewer) -> Written:
    return visible(viewer, Webhook).where(Webhook.id == bindparam("id", type_=KEY))


async def may_deliver(ctx: Context, id: str) -> bool:
    """Whether the caller, the owner of an endpoint, still administers it."""
    return bool(await _administered.rows(ctx, columns=frozenset({"id"}), id=id))


async def events_for(ctx: Context, webhook: Webhook) -> tuple[list[str], int]:
    """Ids of the next events that an endpoint asks for, and the number that it has come to with
    them; whether its owner may read them is not asked here."""
    events = await events_behind(ctx, webhook.organization_id, webhook.position, PORTION)
    last = events[-1].position if events else webhook.position
    return [event.id for event in events if _asks_for(webhook, event)], last


def _asks_for(webhook: Webhook, event: Event) -> bool:
    return (
        (webhook.types is None or event.type.value in webhook.types)
        and webhook.space_id in (None, event.space_id)
        and webhook.site_id in (None, event.site_id)
    )


async def sendings_of(ctx: Context, ids: Sequence[str]) -> list[Sending]:
    """What is sent of events: of those that the caller, the owner, may read now; in order."""
    return [
        Sending(new_id(), event.id, event.type.value, event_body(event), event.position)
        for event in await visible_events(ctx, ids)
    ]


async def _locked(ctx: Context, id: str) -> Webhook | None:
    must_be_operator(ctx)
    return await ctx.session.get(Webhook, id, with_for_update=True, populate_existing=True)


@operation(audited=False)
async def stop_webhook(ctx: Context, id: str, reason: WebhookStop) -> None:
    """Disable an endpoint, which leaves an event."""
    webhook = await _locked(ctx, id)
    if webhook is not None:
        _stop(ctx, webhook, reason)


@operation(audited=False, action="record_attempt")
async def record_attempts(
    ctx: Context, id: str, done: Sequence[Done], position: int | None = None
) -> bool:
    """Write down what came of attempts, in order, and that the endpoint needs no event up to a
    number; whether the next event may follow at once."""
    webhook = await _locked(ctx, id)
    return webhook is not None and await _record(ctx, webhook, done, position)


async def _record(
    ctx: Context, webhook: Webhook, done: Sequence[Done], position: int | None
) -> bool:
    outcomes = [await _record_one(ctx, webhook, sending, attempt) for sending, attempt in done]
    if position is not None:
        webhook.position = max(webhook.position, position)
    return all(outcomes) and webhook.enabled


async def _record_one(ctx: Context, webhook: Webhook, sending: Sending, attempt: Attempt) -> bool:
    delivery = None
    if sending.known:
        delivery = await ctx.session.get(WebhookDelivery, sending.id, populate_existing=True)
    if delivery is None:
        delivery = WebhookDelivery(
            id=sending.id, webhook_id=webhook.id, organization_id=webhook.organization_id,
            message_id=sending.message_id, type=sending.type, body=sending.body,
            position=sending.position, state=DeliveryState.RETRYING, attempt_count=0, step=0,
            attempts=[], created_at=ctx.now(),
        )  # fmt: skip
        ctx.session.add(delivery)
    delivery.attempts = [*delivery.attempts, attempt.stored()][-MOST_ATTEMPTS:]
    delivery.attempt_count += 1
    if attempt.error is None:
        _end(ctx, webhook, delivery, DeliveryState.DELIVERED)
        webhook.failing_since = None
        return webhook.enabled
    webhook.failing_since = webhook.failing_since or ctx.now()
    in_order = delivery.state is DeliveryState.RETRYING
    later = later_by(attempt.retry_after, attempt.at)
    age = ctx.now() - delivery.created_at
    retry = next_retry(delivery.step, attempt.status, later, age) if in_order else None
    if retry is not None:
        delivery.step = retry.step
        webhook.next_attempt_at = ctx.now() + retry.pause
        return False
    _end(ctx, webhook, delivery, DeliveryState.DEAD)
    if attempt.status == GONE:
        _stop(ctx, webhook, WebhookStop.GONE)
    elif in_order and ctx.now() - webhook.failing_since >= LASTING:
        _stop(ctx, webhook, WebhookStop.FAILING)
    return webhook.enabled


@operation(audited=False)
async def give_up(ctx: Context, id: str, delivery_id: str) -> None:
    """End a delivery that is not tried again, because its event may not be read any more."""
    webhook = await _locked(ctx, id)
    delivery = await ctx.session.get(WebhookDelivery, delivery_id, populate_existing=True)
    if webhook is not None and delivery is not None:
        attempt = Attempt(ctx.now(), 0, {}, error=NOT_READABLE)
        delivery.attempts = [*delivery.attempts, attempt.stored()][-MOST_ATTEMPTS:]
        _end(ctx, webhook, delivery, DeliveryState.DEAD)


def _end(ctx: Context, webhook: Webhook, delivery: WebhookDelivery, state: DeliveryState) -> None:
    if delivery.state is DeliveryState.RETRYING:
        webhook.next_attempt_at = None
        if delivery.position is not None:
            webhook.position = max(webhook.position, delivery.position)
    delivery.state, delivery.finished_at = state, ctx.now()


def _stop(ctx: Context, webhook: Webhook, reason: WebhookStop) -> None:
    if webhook.enabled:
        webhook.enabled, webhook.stop, webhook.updated_at = False, reason, ctx.now()


# ------------------------------------------------------------------ jobs


def key_of_job(id: str) -> str:
    """By which an endpoint has one job at a time."""
    return f"webhook:{id}"


def job_of(id: str, organization_id: str, due_at: dt.datetime | None = None) -> NewJob:
    """The job of an endpoint: it has one at a time."""
    return NewJob(
        kind=JobKind.WEBHOOK, arguments={"webhook": id}, organization_id=organization_id,
        unique_key=key_of_job(id), due_at=due_at,
    )  # fmt: skip


@operation(audited=False, action="record_attempt")
async def leave_webhook(
    ctx: Context,
    lease: Lease,
    id: str,
    done: Sequence[Done] = (),
    position: int | None = None,
) -> None:
    """End the job of an endpoint, which leaves no row, and enqueue the next one if it has work;
    with it what came of its last attempts is written down, as `record_attempts` does.

    What is committed meanwhile finds the job ended, or is seen here: nothing waits for nobody.
    """
    # Whoever changes an endpoint locks it before its job, too.
    webhook = await _locked(ctx, id)
    if not await replace_job(ctx, lease) or webhook is None:
        return
    await _record(ctx, webhook, done, position)
    await ctx.session.flush()
    due_at = await _due(ctx, webhook)
    if due_at is not None:
        await enqueue_of_server(ctx, [job_of(id, webhook.organization_id, due_at)])


async def _due(ctx: Context, webhook: Webhook) -> dt.datetime | None:
    queued = select(WebhookDelivery.id).where(
        WebhookDelivery.webhook_id == webhook.id, WebhookDelivery.state == DeliveryState.QUEUED
    )
    if (await ctx.session.execute(queued.limit(1))).first() is not None:
        return ctx.now()
    if not webhook.enabled:
        return None
    if webhook.next_attempt_at is not None:
        return webhook.next_attempt_at
    counter = select(EventCounter.last).where(EventCounter.stream_id == webhook.organization_id)
    last = (await ctx.session.execute(counter)).scalar()
    return ctx.now() if last is not None and last > webhook.position else None


@statement
def _of_streams(viewer: Viewer) -> Written:
    return select(Webhook.id, Webhook.organization_id).where(
        among(Webhook.organization_id, "streams"),
        Webhook.enabled,
        Webhook.next_attempt_at.is_(None),
    )


async def webhooks_of_streams(ctx: Context, streams: Collection[str]) -> list[tuple[str, str]]:
    """Endpoints that events of organizations may be for, each with its organization."""
    must_be_operator(ctx)
    return [(row.id, row.organization_id) for row in await _of_streams.rows(ctx, streams=streams)]


@statement
def _with_work(viewer: Viewer) -> Written:
    queued = exists().where(
        WebhookDelivery.webhook_id == Webhook.id, WebhookDelivery.state == DeliveryState.QUEUED
    )
    behind = exists().where(
        EventCounter.stream_id == Webhook.organization_id, EventCounter.last > Webhook.position
    )
    now = bindparam("now", type_=Timestamp())
    waits = Webhook.next_attempt_at
    return (
        select(Webhook.id, Webhook.organization_id)
        .where(or_(queued, Webhook.enabled & or_(waits <= now, waits.is_(None) & behind)))
        .order_by(Webhook.id)
        .limit(bindparam("most", type_=Integer()))
    )


async def webhooks_with_work(ctx: Context) -> list[tuple[str, str]]:
    """Endpoints that something could be sent to now, whether they have a job or not."""
    must_be_operator(ctx)
    rows = await _with_work.rows(ctx, now=ctx.now(), most=10_000)
    return [(row.id, row.organization_id) for row in rows]


@operation(audited=False)
async def bound_waits(ctx: Context) -> int:
    """Let no endpoint wait longer from now on than from its last attempt on, as after a clock was
    set back: that attempt lies ahead of now then; how many did.

    It is to be repeated safely, by any number of processes; clocks of several machines may differ
    by a minute.
    """
    must_be_operator(ctx)
    latest = ctx.now() + CLOCKS_DIFFER
    waiting = (
        select(Webhook.id, Webhook.next_attempt_at, WebhookDelivery.attempts)
        .join(WebhookDelivery, WebhookDelivery.webhook_id == Webhook.id)
        .where(WebhookDelivery.state == DeliveryState.RETRYING, Webhook.next_attempt_at > latest)
        .order_by(Webhook.id)
    )
    count = 0
    for id, next_at, attempts in (await ctx.session.execute(waiting)).all():
        last = read_time(attempts[-1]["at"])
        webhook = await _locked(ctx, id) if last > latest else None
        if webhook is not None and webhook.next_attempt_at == next_at:
            webhook.next_attempt_at = due_at = ctx.now() + max(next_at - last, NOT_LATER)
            await ctx.session.flush()
            await bring_forward(ctx, JobKind.WEBHOOK, key_of_job(id), due_at)
            count += 1
    return count


@operation(audited=False)
async def wake_webhooks(ctx: Context, webhooks: Sequence[tuple[str, str]]) -> None:
    """Enqueue the jobs of endpoints that have none."""
    must_be_operator(ctx)
    await enqueue_of_server(ctx, [job_of(*webhook) for webhook in webhooks])


@statement
def _unsealed(viewer: Viewer) -> Written:
    return (
        select(Webhook.id, Webhook.secret, Webhook.old_secret)
        .where(
            or_(
                *(
                    secret.startswith(SECRET_PREFIX, autoescape=True)
                    for secret in (Webhook.secret, Webhook.old_secret)
                )
            )
        )
        .order_by(Webhook.id)
        .limit(bindparam("most", type_=Integer()))
    )


async def unsealed_webhooks(ctx: Context) -> list[tuple[str, str, str | None]]:
    """Endpoints whose secrets a version before this one has stored as they are, with these."""
    must_be_operator(ctx)
    rows = await _unsealed.rows(ctx, most=MOST_WOKEN)
    return [(row.id, row.secret, row.old_secret) for row in rows]


@operation(audited=False)
async def seal_webhooks(ctx: Context, webhooks: Sequence[tuple[str, str, str | None]]) -> None:
    """Seal secrets, where they have not been changed meanwhile."""
    must_be_operator(ctx)
    for id, secret, old in webhooks:
        change = update(Webhook).where(
            Webhook.id == id, Webhook.secret == secret, Webhook.old_secret.is_not_distinct_from(old)
        )
        values = {"secret": sealed(ctx.sealer, secret)}
        if old is not None:
            values["old_secret"] = sealed(ctx.sealer, old)
        await ctx.session.change(change.values(values))


@operation(audited=False)
async def purge_deliveries(ctx: Context, before: dt.datetime) -> int:
    """Remove a portion of the deliveries from before a time; how many were removed."""
    must_be_operator(ctx)
    old = (
        select(WebhookDelivery.id)
        .where(WebhookDelivery.created_at < before, WebhookDelivery.state.not_in(_OPEN))
        .order_by(WebhookDelivery.created_at)
        .limit(PURGED)
    )
    return await ctx.session.change(delete(WebhookDelivery).where(WebhookDelivery.id.in_(old)))
