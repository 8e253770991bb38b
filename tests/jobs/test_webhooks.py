"""Events reach endpoints: at least once, in order, whatever these do."""

import asyncio
import base64
import datetime as dt
import hashlib
import hmac
import json
import re
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Enum, String, inspect, select, update

from db.audit_enums import AuditActorKind, AuditObjectType
from db.base import Base, utc_now
from db.job_enums import JobKind
from db.models.events import Event
from db.models.jobs import Job
from db.models.organizations import Member
from db.models.webhooks import Webhook
from db.webhook_enums import DeliveryState, WebhookStop
from fetching.client import Fetcher
from jobs.table import WEBHOOKS_OF_ORGANIZATION, webhook_kinds
from jobs.waking import Waker
from jobs.webhooks import GATHERING, NO_KEY, wake_endpoints
from jobs.worker import Worker
from resolvers.core.context import Actor, Context
from resolvers.core.event_types import EVENT_KINDS
from resolvers.core.installation import ImportAccess
from resolvers.core.sealing import Sealer, key_of
from resolvers.webhooks.attempts import ANSWER_BYTES
from resolvers.webhooks.bodies import event_body
from resolvers.webhooks.schedule import PAUSES, SOON, later_by, next_retry
from tests.jobs.hooks import Hooks
from tests.jobs.receiver import (
    BREAK,
    CLOSE,
    ENDLESS,
    ENDLESS_HEAD,
    HANG,
    MOST_SENT,
    SLOW_BODY,
    Receiver,
    receiving,
)
from tests.node_packages import program

DOCUMENTS = Path(__file__).parents[2] / "docs"


async def test_events_come_in_order_and_signed(hooks: Hooks, receiver: Receiver) -> None:
    id, secret = await hooks.create()
    await hooks.write(3)
    await hooks.deliver()
    assert receiver.types == ["webhook_created", *["team_created"] * 3]
    assert receiver.positions == sorted(receiver.positions)
    headers, body = receiver.received[1]
    seconds = headers["webhook-timestamp"]
    assert abs(int(seconds) - utc_now().timestamp()) < 60
    text = f"{seconds}.".encode() + body
    digest = hmac.new(secret.encode(), text, hashlib.sha256).hexdigest()
    assert headers["x-gitbook-signature"] == f"t={seconds},v1={digest}"
    assert headers["x-webhook-signature"] == headers["x-gitbook-signature"]
    key = base64.b64decode(secret.removeprefix("whsec_"))
    text = f"{headers['webhook-id']}.{seconds}.".encode() + body
    standard = base64.b64encode(hmac.new(key, text, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{standard}"
    # What is sent is what /v1 shows, and nothing is left behind.
    events = await hooks.api.rest(
        "GET", f"/orgs/{hooks.world.organization.id}/events", hooks.world.admin
    )
    shown = {event["eventId"]: event for event in events.json()["items"]}
    for received, sent in zip(receiver.received, receiver.bodies, strict=True):
        assert received[0]["webhook-id"] == sent["eventId"]
        assert shown[sent["eventId"]] == sent
    assert await hooks.jobs() == 0
    assert secret not in str([row.attempts for row in await hooks.deliveries(id)])


async def test_types_spaces_and_rights_decide_what_comes(
    hooks: Hooks, receiver: Receiver, session: Any
) -> None:
    await hooks.create(types=["team_deleted"])
    await hooks.write(2)
    await hooks.deliver()
    assert receiver.received == []
    answer = await hooks.api.rest(
        "POST", f"/orgs/{hooks.world.organization.id}/spaces", hooks.world.admin, {"title": "One"}
    )
    space = answer.json()["id"]
    own, _ = await hooks.create(space=space, types=["space_updated"])
    await hooks.write()
    await hooks.api.rest("PATCH", f"/spaces/{space}", hooks.world.admin, {"title": "Two"})
    await hooks.deliver()
    assert receiver.types == ["space_updated"]
    # Who has lost the rights gets nothing any more.
    demoted = update(Member).where(Member.user_id == hooks.world.admin.id).values(role=None)
    await session.begin_write()
    await session.execute(demoted)
    await session.commit()
    await hooks.api.rest("PATCH", f"/spaces/{space}", hooks.world.creator, {"title": "Three"})
    await hooks.deliver()
    assert receiver.types == ["space_updated"]
    webhook = await hooks.webhook(own)
    assert (webhook.enabled, webhook.stop) == (False, WebhookStop.OWNER)


@pytest.mark.parametrize("behaviour", [500, 404, 302, HANG, BREAK, SLOW_BODY, CLOSE])
async def test_a_failure_holds_back_what_follows(
    hooks: Hooks, receiver: Receiver, behaviour: int | str
) -> None:
    hooks.seconds = 0.3 if behaviour in (HANG, SLOW_BODY) else 20
    id, _ = await hooks.create(types=["team_created"])
    await hooks.write(2)
    receiver.plan = [behaviour]
    await hooks.deliver(once=True)
    hooks.seconds = 20
    assert len(receiver.received) == 1
    (delivery,) = await hooks.deliveries(id)
    assert delivery.state is DeliveryState.RETRYING
    error = delivery.attempts[0]["error"]
    expected = {302: "redirect (302), which is not followed", HANG: "longer than 0.3 seconds",
                SLOW_BODY: "longer than 0.3 seconds"}  # fmt: skip
    assert expected.get(behaviour, str(behaviour) if isinstance(behaviour, int) else "") in error
    webhook = await hooks.webhook(id)
    pause = webhook.next_attempt_at - utc_now()  # type: ignore[operator]
    longest = dt.timedelta(seconds=66) if behaviour in (404, 302) else SOON[0] * 1.1
    assert pause <= longest
    # A second may be over before the next look.
    await hooks.pass_time(dt.timedelta(minutes=-10))
    await hooks.write()
    await hooks.deliver()
    assert len(receiver.received) == 1
    await hooks.pass_time(dt.timedelta(minutes=12))
    await hooks.deliver()
    assert receiver.positions == sorted(receiver.positions)
    first, again, *rest = receiver.received
    assert first[1] == again[1]
    assert first[0]["webhook-id"] == again[0]["webhook-id"]
    assert len(rest) == 2
    assert (await hooks.webhook(id)).failing_since is None
    assert await hooks.jobs() == 0


async def test_a_dead_delivery_disables_and_can_be_sent_again(
    hooks: Hooks, receiver: Receiver
) -> None:
    id, _ = await hooks.create(types=["team_created"])
    await hooks.write(2)
    receiver.plan = [503] * (len(PAUSES) + 1)
    receiver.body = b"x" * 10_000 + b"\x00"
    for _ in range(len(PAUSES) + 2):
        await hooks.deliver()
        await hooks.pass_time(dt.timedelta(hours=27))
    assert len(receiver.received) == len(PAUSES) + 1
    webhook = await hooks.webhook(id)
    assert (webhook.enabled, webhook.stop) == (False, WebhookStop.FAILING)
    (dead,) = await hooks.deliveries(id)
    assert dead.state is DeliveryState.DEAD
    assert len(dead.attempts[0]["answer"]) == 4_096
    events = await hooks.api.rest(
        "GET", f"/orgs/{hooks.world.organization.id}/events?types=webhook_disabled",
        hooks.world.admin,
    )  # fmt: skip
    (event,) = events.json()["items"]
    assert (event["facts"]["status"], event["target"]["objectId"]) == ("failing", id)
    # What is asked for is sent once, also while it is disabled.
    answer = await hooks.api.rest(
        "POST", f"{hooks.path}/{id}/deliveries/{dead.id}/redeliver", hooks.world.admin
    )
    assert answer.json()["state"] == "queued", answer.text
    await hooks.deliver()
    assert (await hooks.deliveries(id))[0].state is DeliveryState.DELIVERED
    assert receiver.received[-1][1] == receiver.received[0][1]
    # Enabled again, it goes on where it stood.
    await hooks.api.rest("PATCH", f"{hooks.path}/{id}", hooks.world.admin, {"enabled": True})
    await hooks.deliver()
    assert receiver.positions[-1] == receiver.positions[0] + 1


NOON = dt.datetime(2027, 1, 31, 12, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("", 0), ("120", 120), ("0", 0), ("9" * 5_000, 86_400), ("-5", 0), ("1.5", 0), ("٣", 0),
        ("soon", 0), ("Sun, 31 Jan 2027 12:02:00 GMT", 120), ("Sun Jan 31 12:02:00 2027", 120),
        ("Sunday, 31-Jan-27 12:02:00 GMT", 120), ("Mon, 01 Feb 2027 00:00:00 GMT", 43_200),
        ("Sun, 31 Jan 2027 11:00:00 GMT", 0), ("Fri, 31 Dec 9999 23:59:59 GMT", 86_400),
        ("Sun, 31 Jan 99999 12:00:00 GMT", 0), ("Mon, 30 Feb 2027 00:00:00 GMT", 0),
        ("Mon, 01 Jan 0001 00:00:00 +2359", 0),
    ],
)  # fmt: skip
def test_times_of_retry_after(header: str, seconds: int) -> None:
    assert later_by(header, NOON) == dt.timedelta(seconds=seconds)


async def test_an_endpoint_says_when_to_come_again(hooks: Hooks, receiver: Receiver) -> None:
    id, _ = await hooks.create(types=["team_created"])
    await hooks.write()
    receiver.plan, receiver.retry_after = [429], "600"
    await hooks.deliver()
    pause = (await hooks.webhook(id)).next_attempt_at - utc_now()  # type: ignore[operator]
    assert dt.timedelta(seconds=500) < pause <= dt.timedelta(seconds=660)
    await hooks.pass_time(dt.timedelta(seconds=661))
    await hooks.deliver()
    assert len(receiver.received) == 2


async def test_a_clock_that_is_set_back_keeps_no_endpoint_waiting(
    hooks: Hooks, receiver: Receiver
) -> None:
    id, _ = await hooks.create(types=["team_created"])
    await hooks.write()
    receiver.plan, receiver.retry_after = [429], "600"
    await hooks.deliver()
    server, hour = hooks.api.server, dt.timedelta(hours=1)
    back = dt.timedelta()

    @asynccontextmanager
    async def context_of(actor: Actor) -> AsyncIterator[Context]:
        async with server.context_of(actor) as ctx:
            ctx.clock = lambda: utc_now() - back
            yield ctx

    async def due() -> list[dt.datetime | None]:
        async with server.database.session() as session:
            jobs = (await session.scalars(select(Job).where(Job.kind == JobKind.WEBHOOK))).all()
        return [(await hooks.webhook(id)).next_attempt_at, *(job.due_at for job in jobs)]

    worker = Worker(
        context_of, webhook_kinds(context_of), server.database.bell, at_once=1,
        most_of_organization=1,
    )  # fmt: skip
    before = await due()
    assert len(before) == 2
    await worker.mind_clock()
    back = dt.timedelta(seconds=20)
    # Clocks that differ a little change nothing.
    await worker.mind_clock()
    assert await due() == before
    back = 5 * hour
    await worker.mind_clock()
    for time in await due():
        wait = time - (utc_now() - back)  # type: ignore[operator]
        # As long as the endpoint has asked for, from now on.
        assert dt.timedelta(seconds=500) < wait <= dt.timedelta(seconds=670)
    after = await due()
    await worker.mind_clock()
    assert await due() == after


@pytest.mark.parametrize("hours", [1, 5, 24])
async def test_who_always_asks_for_longer_pauses_gets_no_more_days(
    hooks: Hooks, receiver: Receiver, hours: int
) -> None:
    id, _ = await hooks.create(types=["team_created"])
    await hooks.write()
    receiver.plan, receiver.retry_after = [503] * 20, str(hours * 3600)
    passed = dt.timedelta()
    while (webhook := await hooks.webhook(id)).enabled:
        if webhook.next_attempt_at is not None:
            pause = webhook.next_attempt_at - utc_now() + dt.timedelta(seconds=1)
            passed += pause
            await hooks.pass_time(pause)
        await hooks.deliver()
    assert webhook.stop is WebhookStop.FAILING
    # The schedule alone takes 31 hours, and up to a tenth more.
    assert dt.timedelta(hours=24) < passed < dt.timedelta(hours=40)
    assert len(receiver.received) <= len(PAUSES) + 1


async def test_gone_is_gone(hooks: Hooks, receiver: Receiver) -> None:
    id, _ = await hooks.create(types=["team_created"])
    await hooks.write(2)
    receiver.plan = [410]
    await hooks.deliver()
    webhook = await hooks.webhook(id)
    assert (webhook.enabled, webhook.stop) == (False, WebhookStop.GONE)
    assert len(receiver.received) == 1


async def test_a_ping_and_two_secrets(hooks: Hooks, receiver: Receiver) -> None:
    id, old = await hooks.create(enabled=False)
    answer = await hooks.api.rest("POST", f"{hooks.path}/{id}/rotate-secret", hooks.world.admin)
    new = answer.json()["secret"]
    for secrets in ([new, old], [new]):
        answer = await hooks.api.rest("POST", f"{hooks.path}/{id}/test", hooks.world.admin)
        assert answer.status_code == 200, answer.text
        await hooks.deliver()
        headers, body = receiver.received[-1]
        assert receiver.types[-1] == "ping"
        text = f"{headers['webhook-timestamp']}.".encode() + body
        digests = [hmac.new(s.encode(), text, hashlib.sha256).hexdigest() for s in secrets]
        signed = re.findall("v1=([0-9a-f]{64})", headers["x-gitbook-signature"])
        assert signed == digests
        assert len(headers["webhook-signature"].split()) == len(secrets)
        await hooks.pass_time(dt.timedelta(hours=25))
    shown = await hooks.api.rest("GET", f"{hooks.path}/{id}/deliveries", hooks.world.admin)
    assert [row["attempts"][0]["status"] for row in shown.json()["items"]] == [200, 200]


async def test_secrets_are_sealed(hooks: Hooks, receiver: Receiver) -> None:
    """Stored sealed, also those of before; without the key nothing is sent, and nothing lost."""
    id, old = await hooks.create(types=["team_created"])
    answer = await hooks.api.rest("POST", f"{hooks.path}/{id}/rotate-secret", hooks.world.admin)
    secrets = [answer.json()["secret"], old]
    server = hooks.api.server

    async def store(values: dict[str, Any]) -> None:
        async with server.database.session() as session:
            await session.execute(update(Webhook).where(Webhook.id == id).values(values))
            await session.commit()

    async def check_sealed() -> None:
        webhook = await hooks.webhook(id)
        assert [server.sealer.open(str(s)) for s in (webhook.secret, webhook.old_secret)] == secrets

    async def check_signed() -> None:
        await hooks.write()
        await hooks.deliver()
        headers, body = receiver.received[-1]
        message = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
        keys = [base64.b64decode(secret.removeprefix("whsec_")) for secret in secrets]
        digests = [base64.b64encode(hmac.digest(key, message, "sha256")).decode() for key in keys]
        assert headers["webhook-signature"] == " ".join(f"v1,{digest}" for digest in digests)

    await check_sealed()
    await check_signed()
    # Those of before are used as they are, and sealed by the sweep.
    await store({"secret": secrets[0], "old_secret": secrets[1]})
    await check_signed()
    await hooks.sweep()
    await check_sealed()
    await check_signed()
    # Nobody has the key: the event waits.
    sealer, server.sealer = server.sealer, Sealer(lambda: b"another")
    await hooks.write()
    await hooks.deliver()
    delivery = (await hooks.deliveries(id))[-1]
    assert (len(receiver.received), delivery.attempts[-1]["error"]) == (3, NO_KEY)
    settings = server.settings
    server.sealer = Sealer(lambda: b"another", [key_of(settings.secret_key, settings.data_dir)()])
    await hooks.pass_time(PAUSES[0] * 2)
    await check_signed()
    assert len(receiver.received) == 5
    assert receiver.positions == sorted(receiver.positions)
    server.sealer = sealer
    await check_sealed()


async def test_a_worker_that_dies_in_the_middle(hooks: Hooks, receiver: Receiver) -> None:
    await hooks.create(types=["team_created"])
    await hooks.write(3)
    await hooks.api.server.webhook_waker.wake()
    receiver.plan = [200, HANG]
    hooks.seconds = 60
    worker = hooks.worker()
    await worker.fill()
    while len(receiver.received) < 2:
        receiver.came.clear()
        await receiver.came.wait()
    # It is gone without a word: its lease runs out, and another one takes over.
    for running in worker._running.values():
        running.lost = True
        running.stop()
    await worker.settle()
    await hooks.pass_time(dt.timedelta(minutes=2))
    await hooks.deliver()
    first, second, again, third = receiver.positions
    assert first < second == again < third


@pytest.mark.parametrize("behaviour", [ENDLESS, ENDLESS_HEAD])
async def test_answers_without_an_end_are_cut_off(
    behaviour: str, hooks: Hooks, receiver: Receiver
) -> None:
    """Little of them is read, and less is stored."""
    id, _ = await hooks.create(types=["team_created"])
    await hooks.write(2)
    receiver.plan = [behaviour]
    await hooks.deliver()
    attempt = (await hooks.deliveries(id))[0].attempts[0]
    assert receiver.sent < MOST_SENT / 2
    assert len(json.dumps(attempt, ensure_ascii=False).encode()) < 20_000
    if behaviour == ENDLESS:
        assert attempt["answer"] == "\ufffd" * ANSWER_BYTES
        assert receiver.types == ["team_created"] * 2
    else:
        assert attempt["error"] is not None
        assert receiver.types == ["team_created"]


def test_bodies_are_small() -> None:
    """Events hold ids and names, each as long as its column; so no body is long."""
    columns = inspect(Event).columns
    longest = {
        column.key: "\u0001" * (column.type.length or 0)
        for column in columns
        if isinstance(column.type, String) and not isinstance(column.type, Enum)
    }
    kinds = EVENT_KINDS.values()
    names = {column.key for mapper in Base.registry.mappers for column in mapper.columns}
    event = Event(
        **longest, type=max(EVENT_KINDS, key=lambda type: len(type.value)), position=2**63 - 1,
        at=utc_now(), actor_kind=AuditActorKind.PERSON, object_type=AuditObjectType.SPACE,
        changed=sorted(names)[:100],
        data={name: "x" * 64 for kind in kinds for name in kind.fields},
    )  # fmt: skip
    assert len(event_body(event).encode()) < 64_000


async def test_two_workers_do_not_deliver_at_the_same_time(
    hooks: Hooks, receiver: Receiver
) -> None:
    await hooks.create(types=["team_created"])
    await hooks.write(20)
    workers = [hooks.worker(blocked_seconds=0.01) for _ in range(3)]
    tasks = [asyncio.create_task(worker.keep_working()) for worker in workers]
    while len(receiver.received) < 20:
        await hooks.api.server.webhook_waker.wake()
        receiver.came.clear()
        await receiver.came.wait()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert receiver.positions == sorted(set(receiver.positions))


async def test_who_hangs_keeps_nobody_waiting(hooks: Hooks, receiver: Receiver) -> None:
    async with receiving() as silent:
        hooks.receivers.append(silent)
        hooks.allow()
        silent.plan = [HANG] * 10
        await hooks.create(url=silent.url, types=["team_created"])
        await hooks.create(types=["team_created"])
        await hooks.write(3)
        await hooks.api.server.webhook_waker.wake()
        hooks.seconds = 60
        worker = hooks.worker()
        await worker.fill()
        while len(receiver.received) < 3:
            receiver.came.clear()
            await receiver.came.wait()
        assert len(silent.received) == 1
        await worker.stop()
    # Endpoints have kinds and bounds of their own beside other jobs.
    assert set(webhook_kinds(hooks.api.server.context_of)) == {JobKind.WEBHOOK}
    assert WEBHOOKS_OF_ORGANIZATION < 20


async def test_what_nobody_has_woken_is_swept(hooks: Hooks, receiver: Receiver) -> None:
    await hooks.create(types=["team_created"])
    await hooks.write()
    server = hooks.api.server
    server.webhook_waker = Waker(server.context_of, wake_endpoints, GATHERING)
    await hooks.sweep()
    await hooks.deliver()
    assert receiver.types == ["team_created"]


async def test_private_addresses_are_refused(hooks: Hooks, receiver: Receiver) -> None:
    for url in (
        "http://10.0.0.1/x", "http://[::1]/x", "http://localhost/x", "http://2130706433/",
        "http://169.254.169.254/latest", "ftp://a.example/", "http://u:p@a.example/",
    ):  # fmt: skip
        answer = await hooks.api.rest("POST", hooks.path, hooks.world.admin, {"url": url})
        assert answer.status_code in (400, 422), (url, answer.text)
        assert "url" in answer.text
    # A name that leads there is refused at each connection.
    id, _ = await hooks.create(types=["team_created"])

    async def inside(host: str, port: int) -> list[str]:
        return ["10.1.2.3"]

    hooks.api.server.imports = ImportAccess(Fetcher(resolve=inside))
    await hooks.write()
    await hooks.deliver()
    assert "not on the public internet" in (await hooks.deliveries(id))[0].attempts[0]["error"]
    assert receiver.received == []


def test_schedule() -> None:
    for status in (None, 500, 503, 429):
        steps = _steps(status)
        assert len(steps) == len(PAUSES)
        assert all(due <= pause <= due * 1.1 for pause, due in zip(steps, PAUSES, strict=True))
    for status in (302, 400, 401, 404):
        assert len(_steps(status)) == len(PAUSES) - len(SOON)
    assert _steps(410) == []


def _steps(status: int | None) -> list[dt.timedelta]:
    step, pauses = 0, []
    while (retry := next_retry(step, status)) is not None:
        pauses.append(retry.pause)
        step = retry.step
    return pauses


@pytest.mark.parametrize("language", ["python", "js"])
async def test_examples_verify_a_delivery(
    hooks: Hooks, receiver: Receiver, language: str, tmp_path: Path
) -> None:
    _, secret = await hooks.create()
    await hooks.deliver()
    headers, body = receiver.received[0]
    text = (DOCUMENTS / "webhooks.md").read_text()
    match = re.search(rf"```{language}\n(.*?)```", text, re.DOTALL)
    assert match is not None
    (tmp_path / "body").write_bytes(body)
    signature = headers["webhook-signature"]
    stamp = headers["webhook-timestamp"]
    for shown, expected in ((signature, "True"), (signature.replace("v1,", "v1,A"), "False")):
        call = (secret, headers["webhook-id"], stamp, shown)
        if language == "python":
            read = f"open({str(tmp_path / 'body')!r}, 'rb').read()"
            code = f"{match[1]}\nprint(is_genuine(*{call!r}, {read}))"
            command = ["python3", "-c", code]
        else:
            arguments = ", ".join(map(repr, call))
            code = (
                f"{match[1]}\nconst fs = require('node:fs');\n"
                f"console.log(isGenuine({arguments}, fs.readFileSync('{tmp_path / 'body'}')));"
            )
            command = [program("node"), "-e", code]
        done = await asyncio.to_thread(
            subprocess.run, command, capture_output=True, text=True, check=True
        )
        assert done.stdout.strip().lower() == expected.lower(), done.stderr
