"""What the job of an installation does: find the events that come next, write down what came of
them.

Each write is committed only while the job is this worker's (resolvers/core/leases.py). So one
worker delivers to an installation at a time, in order; what a worker that died had delivered is
delivered again.
"""

import datetime as dt
from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Integer, bindparam, delete, exists, or_, select

from db.base import Timestamp
from db.integration_enums import (
    InstallationStatus as Status,
    IntegrationEventStatus as Outcome,
)
from db.job_enums import JobKind
from db.models.events import Event, EventCounter
from db.models.integrations import (
    DevelopmentMode,
    Installation,
    Integration,
    IntegrationEvent,
    IntegrationTask,
    SiteInstallation,
    SpaceInstallation,
)
from db.models.organizations import Organization
from db.prepared import KEY, among
from resolvers.access.policy import must_be_operator
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.integration_records import event_row, record_events, setup_members
from resolvers.core.leases import Lease
from resolvers.core.statements import Viewer, Written, statement
from resolvers.events.streams import events_behind
from resolvers.integrations.environments import Prepared, Subject, find_subject
from resolvers.integrations.outbox_events import OF_SITES, is_for, members, members_of_site
from resolvers.integrations.traces import trace
from resolvers.jobs.queue import (
    CLOCKS_DIFFER,
    NewJob,
    bring_forward,
    enqueue_of_server,
    replace_job,
)
from runtime.calls import Answer, Outcome as RunOutcome
from runtime.limits import LOG_CHARACTERS

# Events that are looked at together; installations that are woken by one statement.
PORTION, MOST_WOKEN = 100, 500
# Failures in a row after which an installation is paused.
MOST_FAILURES = 50
# Before the second attempt and those behind it; then the event has failed.
PAUSES = tuple(dt.timedelta(seconds=seconds) for seconds in (1, 2, 4))
# How long after its time a task has no job any more, unless that runs or waits just now.
LATE = dt.timedelta(minutes=10)
# How long what came of events is remembered, and what is removed at a time.
RETENTION, PURGED = dt.timedelta(days=30), 1_000
# Without traffic, after which a development mode ends.
QUIET = dt.timedelta(days=1)
# What people and the script itself give a component.
_TYPED = frozenset({"props", "state", "action"})
# Characters that are kept of the log of a request, which anybody sends.
MOST_OF_STRANGERS = 4_000
# Failures that another attempt may mend.
_PASSING = frozenset(
    {RunOutcome.ERROR, RunOutcome.WALL, RunOutcome.CRASHED, RunOutcome.UNREACHABLE}
)


# ------------------------------------------------------------------ what comes next


@statement
def _waiting(viewer: Viewer) -> Written:
    return (
        select(IntegrationEvent)
        .where(
            IntegrationEvent.installation_id == bindparam("id", type_=KEY),
            IntegrationEvent.status.is_(None),
        )
        .order_by(IntegrationEvent.id)
        .limit(bindparam("most", type_=Integer()))
    )


async def waiting_events(ctx: Context, id: str, most: int) -> Sequence[IntegrationEvent]:
    """The next events of an installation, in order."""
    must_be_operator(ctx)
    return await _waiting.rows(ctx, id=id, most=most)


async def find_installation(ctx: Context, id: str) -> Installation | None:
    """An installation; None when it is gone, which leaves events of its end."""
    must_be_operator(ctx)
    rows = await _installation.rows(ctx, id=id)
    return rows[0] if rows else None


def is_due(ctx: Context, installation: Installation) -> bool:
    """Whether something may be delivered to an installation now."""
    waits = installation.next_attempt_at is not None and installation.next_attempt_at > ctx.now()
    return installation.status is not Status.PAUSED and not waits


async def subject_of(ctx: Context, event: IntegrationEvent) -> Subject | None:
    """What an event is for: the installation and its entry, as far as they are still there."""
    payload = event.payload
    whole = await find_subject(
        ctx,
        id=event.integration_id,
        installation_id=event.installation_id,
        space_id=payload.get("spaceId"),
        site_id=payload.get("siteId"),
    )
    if whole is not None or event.installation_id is None:
        return whole
    without_entry = await find_subject(
        ctx, id=event.integration_id, installation_id=event.installation_id
    )
    return without_entry or await find_subject(ctx, id=event.integration_id)


@statement
def _installation(viewer: Viewer) -> Written:
    return select(Installation).where(Installation.id == bindparam("id", type_=KEY))


@operation(audited=False)
async def take_events(ctx: Context, id: str) -> bool:
    """Put what has happened in spaces behind the events of an installation; whether there may be
    more."""
    must_be_operator(ctx)
    installation = await ctx.session.get(
        Installation, id, with_for_update=True, populate_existing=True
    )
    if installation is None:
        return False
    events = await events_behind(ctx, installation.organization_id, installation.position, PORTION)
    if not events:
        return False
    integration = await ctx.session.get(Integration, installation.integration_id)
    assert integration is not None
    ids = [event.id for event in events if is_for(event.type.value, integration.scopes)]
    columns = select(
        Event.type, Event.space_id, Event.site_id, Event.page_id, Event.change_request_id,
        Event.organization_id, Event.at, Event.position, Event.revision_id, Event.data,
    ).where(Event.id.in_(ids))  # fmt: skip
    chosen = (await ctx.session.execute(columns.order_by(Event.position))).all()
    spaces = {event.space_id for event in chosen}
    sites = {event.site_id for event in chosen if event.type.value in OF_SITES}
    spaces = await _installed(ctx, SpaceInstallation, SpaceInstallation.space_id, id, spaces)
    sites = await _installed(ctx, SiteInstallation, SiteInstallation.site_id, id, sites)
    rows = []
    for event in chosen:
        of_site = event.type.value in OF_SITES
        place, places = (event.site_id, sites) if of_site else (event.space_id, spaces)
        if place in places:
            facts = members_of_site(event) if of_site else members(event)
            row = event_row(ctx, installation, event.type.value, **facts)
            rows.append(row | {"position": event.position})
    await record_events(ctx, rows)
    installation.position = events[-1].position
    return len(events) == PORTION


async def _installed(
    ctx: Context, entry: Any, place: Any, id: str, places: Collection[str]
) -> set[str]:
    """Of some spaces or sites those that an installation has entries for that are not paused."""
    if not places:
        return set()
    statement = select(place).where(
        entry.installation_id == id, entry.status != Status.PAUSED, place.in_(places)
    )
    return set((await ctx.session.execute(statement)).scalars())


# ------------------------------------------------------------------ what came of it


@operation(audited=False)
async def record_delivery(
    ctx: Context, id: str, subject: Subject | None, answer: Answer, secrets: Collection[str]
) -> bool:
    """Write down what came of an event; whether the next one may follow at once."""
    must_be_operator(ctx)
    event = await ctx.session.get(IntegrationEvent, id, with_for_update=True)
    if event is None or event.status is not None:
        return True
    installation = None
    if event.installation_id is not None:
        installation = await ctx.session.get(
            Installation, event.installation_id, with_for_update=True, populate_existing=True
        )
    event.attempt_count += 1
    event.logs = [*event.logs, *trace(answer, secrets)][-200:]
    has_failed = answer.failed
    tunnelled = subject is not None and subject.tunnel is not None
    if tunnelled and subject is not None and answer.response is not None:
        mode = await ctx.session.get(DevelopmentMode, subject.integration.id)
        if mode is not None:
            mode.last_traffic_at = ctx.now()
    again = has_failed and answer.outcome in (_PASSING | {RunOutcome.COMPLETE})
    if again and event.attempt_count <= len(PAUSES) and installation is not None:
        installation.next_attempt_at = ctx.now() + PAUSES[event.attempt_count - 1]
        return False
    event.status = Outcome.FAILED if has_failed else Outcome.SUCCESS
    event.finished_at = ctx.now()
    if installation is None:
        return True
    installation.next_attempt_at = None
    if not has_failed:
        installation.failures = 0
    elif not tunnelled:
        installation.failures += 1
        if installation.failures >= MOST_FAILURES and installation.status is Status.ACTIVE:
            await _pause(ctx, installation)
            return False
    return True


@operation(audited=False)
async def record_answer(ctx: Context, prepared: Prepared, answer: Answer) -> None:
    """Write down an event that was answered at once: of a request only where it was sent to, of a
    component only which one, for whoever fills it in may have typed secrets."""
    must_be_operator(ctx)
    await record_events(ctx, [_answered(ctx, prepared, answer, 1)])


def _answered(ctx: Context, prepared: Prepared, answer: Answer, attempts: int) -> dict[str, Any]:
    subject = prepared.subject
    event = prepared.call.event
    payload: dict[str, Any] = {name: event[name] for name in event if name not in _TYPED}
    if "props" in event:
        # The contract has them in each event of a component.
        payload["props"] = {}
    if "request" in payload:
        # Behind the question mark codes of sign-ins are handed over.
        method, url = payload["request"]["method"], payload["request"]["url"].partition("?")[0]
        payload["request"] = {"method": method, "url": url}
    of = subject.installation
    most = MOST_OF_STRANGERS if "request" in event else 2 * LOG_CHARACTERS
    return {
        "id": payload["eventId"],
        "integration_id": subject.integration.id,
        "installation_id": None if of is None else of.id,
        "organization_id": (of or subject.integration).organization_id,
        "type": payload["type"],
        "payload": payload,
        "status": Outcome.FAILED if answer.failed else Outcome.SUCCESS,
        "logs": trace(
            answer,
            prepared.secrets,
            most,
        ),
        "position": None,
        "attempt_count": attempts,
        "created_at": ctx.now(),
        "finished_at": ctx.now(),
    }


async def _pause(ctx: Context, installation: Installation) -> None:
    before = installation.status
    installation.status, installation.failures = Status.PAUSED, 0
    installation.updated_at = ctx.now()
    members = setup_members(Status.PAUSED, before, installation.configuration)
    row = event_row(ctx, installation, "installation_setup", **members)
    await record_events(ctx, [row])


# ------------------------------------------------------------------ tasks


def job_of_task(id: str, due_at: dt.datetime) -> NewJob:
    """The job of a task that an integration has queued for itself."""
    return NewJob(
        kind=JobKind.INTEGRATION_TASK, arguments={"task": id}, unique_key=f"integration-task:{id}",
        due_at=due_at,
    )  # fmt: skip


@statement
def _task(viewer: Viewer) -> Written:
    return select(IntegrationTask).where(IntegrationTask.id == bindparam("id", type_=KEY))


async def find_task(ctx: Context, id: str) -> IntegrationTask | None:
    """A task that is still to be done."""
    must_be_operator(ctx)
    rows = await _task.rows(ctx, id=id)
    return rows[0] if rows else None


@statement
def _late(viewer: Viewer) -> Written:
    return (
        select(IntegrationTask.id)
        .where(IntegrationTask.due_at < bindparam("before", type_=Timestamp()))
        .order_by(IntegrationTask.due_at)
        .limit(MOST_WOKEN)
    )


async def late_tasks(ctx: Context) -> list[str]:
    """Tasks that should have been done long ago: their jobs may have failed."""
    must_be_operator(ctx)
    return [row.id for row in await _late.rows(ctx, before=ctx.now() - LATE)]


@operation(audited=False)
async def wake_tasks(ctx: Context, ids: Sequence[str]) -> None:
    """Enqueue the jobs of tasks that have none."""
    must_be_operator(ctx)
    await enqueue_of_server(ctx, [job_of_task(id, ctx.now()) for id in ids])


async def subject_of_task(ctx: Context, task: IntegrationTask) -> Subject | None:
    """The integration that has queued a task, wherever it is installed."""
    return await find_subject(ctx, id=task.integration_id)


@operation(audited=False)
async def record_task(ctx: Context, id: str, prepared: Prepared, answer: Answer) -> bool:
    """Write down what came of a task; whether it has ended, done or failed for good."""
    must_be_operator(ctx)
    task = await ctx.session.get(IntegrationTask, id, with_for_update=True)
    if task is None:
        return True
    task.attempt_count += 1
    if answer.failed and task.attempt_count <= len(PAUSES):
        return False
    await ctx.session.delete(task)
    await record_events(ctx, [_answered(ctx, prepared, answer, task.attempt_count)])
    return True


# ------------------------------------------------------------------ jobs


def key_of_job(id: str) -> str:
    """By which an installation has one job at a time."""
    return f"installation:{id}"


def job_of(id: str, organization_id: str, due_at: dt.datetime | None = None) -> NewJob:
    """The job of an installation: it has one at a time."""
    return NewJob(
        kind=JobKind.INTEGRATION, arguments={"installation": id}, organization_id=organization_id,
        unique_key=key_of_job(id), due_at=due_at,
    )  # fmt: skip


@operation(audited=False)
async def leave_installation(
    ctx: Context, lease: Lease, id: str, due_at: dt.datetime | None
) -> None:
    """End the job of an installation, which leaves no row, and enqueue the next one if it has work;
    not before `due_at`.

    What is committed meanwhile finds the job ended, or is seen here: nothing waits for nobody.
    """
    must_be_operator(ctx)
    ended = await replace_job(ctx, lease)
    if not ended:
        return
    work = (await ctx.session.execute(_work(Installation.id == id).limit(1))).first()
    if work is not None:
        due = due_at or work.next_attempt_at or ctx.now()
        await enqueue_of_server(ctx, [job_of(id, work.organization_id, due)])


def _work(*conditions: Any) -> Any:
    waiting = exists().where(
        IntegrationEvent.installation_id == Installation.id, IntegrationEvent.status.is_(None)
    )
    behind = exists().where(
        EventCounter.stream_id == Installation.organization_id,
        EventCounter.last > Installation.position,
    )
    return (
        select(Installation.id, Installation.organization_id, Installation.next_attempt_at)
        .where(Installation.status != Status.PAUSED, or_(waiting, behind), *conditions)
        .order_by(Installation.id)
    )


@statement
def _of_streams(viewer: Viewer) -> Written:
    return select(Installation.id, Installation.organization_id).where(
        among(Installation.organization_id, "streams"),
        Installation.status != Status.PAUSED,
        Installation.next_attempt_at.is_(None),
    )


async def installations_of_streams(ctx: Context, streams: Collection[str]) -> list[tuple[str, str]]:
    """Installations that events of organizations may be for, each with its organization."""
    must_be_operator(ctx)
    return [(row.id, row.organization_id) for row in await _of_streams.rows(ctx, streams=streams)]


@statement
def _with_work(viewer: Viewer) -> Written:
    now = bindparam("now", type_=Timestamp())
    waits = Installation.next_attempt_at
    rows: Written = _work(or_(waits <= now, waits.is_(None))).limit(
        bindparam("most", type_=Integer())
    )
    return rows


@operation(audited=False)
async def bound_waits(ctx: Context) -> int:
    """Let no installation wait longer than the longest pause, as after a clock was set back; how
    many did. Clocks of several machines may differ by a minute."""
    must_be_operator(ctx)
    latest = ctx.now() + CLOCKS_DIFFER + PAUSES[-1]
    waiting = (
        select(Installation)
        .where(Installation.next_attempt_at > latest)
        .order_by(Installation.id)
        .with_for_update()
    )
    rows = (await ctx.session.scalars(waiting)).all()
    for installation in rows:
        installation.next_attempt_at = latest
        await ctx.session.flush()
        await bring_forward(ctx, JobKind.INTEGRATION, key_of_job(installation.id), latest)
    return len(rows)


async def installations_with_work(ctx: Context) -> list[tuple[str, str]]:
    """Installations that something could be delivered to now, whether they have a job or not."""
    must_be_operator(ctx)
    rows = await _with_work.rows(ctx, now=ctx.now(), most=10_000)
    gone = await _without_installation.rows(ctx, most=1_000)
    return [(row.id, row.organization_id) for row in (*rows, *gone)]


@statement
def _without_installation(viewer: Viewer) -> Written:
    there = exists().where(Installation.id == IntegrationEvent.installation_id)
    return (
        select(IntegrationEvent.installation_id.label("id"), IntegrationEvent.organization_id)
        .where(
            IntegrationEvent.status.is_(None),
            IntegrationEvent.installation_id.is_not(None),
            ~there,
            exists().where(Organization.id == IntegrationEvent.organization_id),
        )
        .distinct()
        .limit(bindparam("most", type_=Integer()))
    )


@operation(audited=False)
async def wake_installations(ctx: Context, installations: Sequence[tuple[str, str]]) -> None:
    """Enqueue the jobs of installations that have none."""
    must_be_operator(ctx)
    await enqueue_of_server(ctx, [job_of(*installation) for installation in installations])


# ------------------------------------------------------------------ what is removed


@operation(audited=False)
async def purge_integration_events(ctx: Context, before: dt.datetime) -> int:
    """Remove a portion of the events of integrations from before a time, delivered or not; how many
    were removed."""
    must_be_operator(ctx)
    oldest = (
        select(IntegrationEvent.id)
        .where(IntegrationEvent.created_at < before)
        .order_by(IntegrationEvent.created_at)
        .limit(PURGED)
    )
    return await ctx.session.change(delete(IntegrationEvent).where(IntegrationEvent.id.in_(oldest)))


@operation(audited=False)
async def end_development_modes(ctx: Context, before: dt.datetime) -> int:
    """End a portion of the development modes without traffic since a time; how many."""
    must_be_operator(ctx)
    quiet = (
        select(DevelopmentMode.integration_id)
        .where(DevelopmentMode.last_traffic_at < before)
        .limit(PURGED)
    )
    return await ctx.session.change(
        delete(DevelopmentMode).where(DevelopmentMode.integration_id.in_(quiet))
    )
