"""Integrations get events: in order, again where they have failed, with all that is theirs."""

import asyncio
import base64
import datetime as dt
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import assume, given, strategies as st
from sqlalchemy import delete, select, update

from db.base import utc_now
from db.integration_enums import InstallationStatus as Status
from db.job_enums import JobKind
from db.models.integrations import (
    DevelopmentMode,
    Installation,
    Integration,
    IntegrationEvent,
    IntegrationTask,
    SpaceInstallation,
)
from db.models.jobs import Job
from db.session import Session
from docstead.http import integration_endpoints as endpoints
from docstead.http.integration_endpoints import SANDBOX
from docstead.server import runner_of
from fetching.addresses import Allowance
from fetching.client import Fetcher
from jobs.integrations import sweep, wake_integrations
from jobs.kinds import Kind
from jobs.table import integration_kinds
from jobs.worker import Worker
from resolvers.access.integration_tokens import issue
from resolvers.core.actors import OPERATOR, Program
from resolvers.core.runners import run
from resolvers.integrations.deliveries import (
    MOST_FAILURES,
    MOST_OF_STRANGERS,
    PAUSES,
    bound_waits,
)
from resolvers.integrations.environments import SHORTEST_SECRET
from resolvers.integrations.traces import trace
from runtime.calls import Answer, Call, LogEntry, Outcome, Response
from runtime.limits import LOG_ENTRY
from runtime.runner import Runner
from runtime.script_requests import MARK
from tests.conftest import Api, World, settle
from tests.events import event as insight
from tests.fetching.servers import answering, response
from tests.jobs.queue import Queue
from tests.runtime.scripts import bundle

# Logs what it gets; fails where it is configured so.
SCRIPT = bundle(
    """
    console.log(event.type, event.status ?? "", event.previous?.status ?? "");
    console.log("secret", environment.secrets.key, environment.apiTokens.installation);
    const { installation, spaceInstallation } = environment;
    if (installation?.configuration.fail) throw new Error("as configured");
    if (event.type === "space_content_updated") {
      console.log(event.spaceId === spaceInstallation.space, typeof event.revisionId);
    }
    if (event.type === "fetch") {
      const inner = new Request(event.request.url, { method: event.request.method,
        headers: event.request.headers, body });
      return new Response(`${inner.method} ${new URL(inner.url).pathname} ${await inner.text()}`, {
        status: 201, headers: { "Set-Cookie": "a=b", "X-Own": "1", "Content-Type": "text/html",
          "X-Cookie": inner.headers.get("cookie") ?? "none",
          "X-Authorization": inner.headers.get("authorization") ?? "none" },
      });
    }
    if (event.type === "task" && event.task.fail) return new Response("no", { status: 500 });
    if (event.type === "ui_render") {
      return Response.json({ element: { type: "block", children: [event.props.text] },
        state: event.state ?? {} }, { headers: { "Cache-Control": "max-age=60" } });
    }
    if (event.type === "fetch_published_script") {
      return new Response(`/* ${event.siteId} */`, { headers: { "X-Script": "yes" } });
    }
    return new Response("OK");
    """
)


@dataclass
class Published:
    """An integration of a world that is installed, and what delivers to it."""

    api: Api
    world: World
    installation_id: str = ""

    async def call(self, method: str, path: str, body: Any = None, **more: Any) -> Any:
        answer = await self.api.rest(method, path, self.world.admin, body, **more)
        assert answer.status_code < 300, answer.text
        return answer.json() if answer.content else None

    async def publish(self, script: str = SCRIPT, **more: Any) -> None:
        body = {
            "organization": self.world.organization.id,
            "title": "Echo",
            "description": "Says what it hears",
            "script": script,
            "scopes": ["space:content:read", "site:script:inject"],
            "secrets": {"key": "very-secret-value"},
            **more,
        }
        await self.call("POST", "/integrations/echo", body)

    async def install(self) -> None:
        body = {"organization": self.world.organization.id}
        answer = await self.call("POST", "/integrations/echo/installations", body)
        self.installation_id = answer["id"]

    async def deliver(self) -> None:
        server = self.api.server
        async with server.context_of(OPERATOR) as ctx:
            await wake_integrations(ctx, [self.world.organization.id])
        worker = Worker(
            server.context_of,
            integration_kinds(server.runner),
            server.database.bell,
            at_once=4,
            most_of_organization=4,
        )
        while True:
            await worker.fill()
            if not worker.busy:
                return
            await worker.settle()

    async def sweep(self) -> None:
        kinds = {JobKind.INTEGRATION_SWEEP: Kind(handler=sweep, every=dt.timedelta(minutes=1))}
        server = self.api.server
        worker = Worker(
            server.context_of, kinds, server.database.bell, at_once=1, most_of_organization=1
        )
        await worker.enqueue_periodic()
        await worker.fill()
        await worker.settle()

    async def mark(self) -> tuple[str, str]:
        script = await self.integration()
        return script.id, script.token_mark

    async def queue(self, **body: Any) -> None:
        """Queue a task as the integration does, with its own token."""
        await self.api.server.file_access()
        token = issue(self.api.server.token_key, Program.INTEGRATION, *await self.mark())
        answer = await self.api.client.post(
            "/v1/integrations/echo/tasks", json=body, headers={"Authorization": f"Bearer {token}"}
        )
        assert answer.status_code < 300, answer.text

    async def integration(self) -> Integration:
        async with self.api.server.database.session() as session:
            return (await session.execute(select(Integration))).scalars().one()

    async def events(self) -> list[IntegrationEvent]:
        async with self.api.server.database.session() as session:
            rows = await session.execute(select(IntegrationEvent).order_by(IntegrationEvent.id))
            return list(rows.scalars())

    async def installation(self) -> Installation:
        async with self.api.server.database.session() as session:
            return (await session.execute(select(Installation).where(
                Installation.id == self.installation_id))).scalar_one()  # fmt: skip

    async def change(self, **values: Any) -> None:
        async with self.api.server.database.session() as session:
            await session.begin_write()
            change = update(Installation).where(Installation.id == self.installation_id)
            await session.execute(change.values(**values))
            await session.commit()


@pytest.fixture
async def echo(api: Api, world: World, session: Session) -> AsyncIterator[Published]:
    await settle(session)
    echo = Published(api, world)
    await echo.publish()
    await echo.install()
    yield echo
    await api.server.runner.close()


def messages(event: IntegrationEvent) -> list[str]:
    return [line["message"] for line in event.logs]


async def test_events_are_delivered_in_order_with_traces(echo: Published) -> None:
    path = f"/integrations/echo/installations/{echo.installation_id}"
    space = await echo.call("POST", f"/orgs/{echo.world.organization.id}/spaces", {"title": "S"})
    await echo.call("POST", f"{path}/spaces", {"space": space["id"]})
    await echo.deliver()
    events = await echo.events()
    assert [event.type for event in events] == [
        "installation_setup", "space_installation_setup",
    ]  # fmt: skip
    assert [event.status.value for event in events if event.status] == ["success", "success"]
    assert messages(events[0])[0] == "installation_setup active "
    # No secret is in a trace, neither its own nor a token.
    for event in events:
        assert messages(event)[1] == "secret *** ***"
    assert (await echo.installation()).failures == 0


async def test_what_happens_in_spaces_is_delivered_where_it_is_installed(echo: Published) -> None:
    path = f"/integrations/echo/installations/{echo.installation_id}"
    organization = f"/orgs/{echo.world.organization.id}/spaces"
    spaces = [(await echo.call("POST", organization, {"title": "S"}))["id"] for _ in range(2)]
    await echo.call("POST", f"{path}/spaces", {"space": spaces[0]})
    await echo.deliver()
    create = 'mutation ($id: ID!) { createPage(spaceId: $id, input: {title: "P"}) { changed } }'
    for space in spaces:
        answer = await echo.api.graphql(create, echo.world.admin, id=space)
        assert "errors" not in answer, answer
    await echo.deliver()
    (event,) = [row for row in await echo.events() if row.type == "space_content_updated"]
    assert event.payload["spaceId"] == spaces[0]
    assert event.payload["installationId"] == echo.installation_id
    assert messages(event)[-1] == "true string"


async def test_script_of_a_site(echo: Published) -> None:
    path = f"/integrations/echo/installations/{echo.installation_id}"
    sites = f"/orgs/{echo.world.organization.id}/sites"
    site = (await echo.call("POST", sites, {"title": "Site"}))["id"]
    base = f"/integration-endpoints/echo/installations/{echo.installation_id}/sites/{site}"
    assert (await echo.api.client.get(f"{base}/script")).status_code == 404
    await echo.call("POST", f"{path}/sites", {"siteId": site})
    answer = await echo.api.client.get(f"{base}/script")
    assert (answer.status_code, answer.text) == (200, f"/* {site} */")
    assert answer.headers["x-content-type-options"] == "nosniff"
    await echo.publish(bundle("throw new Error('broken');"))
    answer = await echo.api.client.get(f"{base}/script")
    assert (answer.status_code, answer.text) == (200, "")
    assert answer.headers["cache-control"] == "no-store"
    await echo.publish(scopes=[])
    assert (await echo.api.client.get(f"{base}/script")).status_code == 404


async def test_public_endpoint(echo: Published) -> None:
    client = echo.api.client
    base = f"/integration-endpoints/echo/installations/{echo.installation_id}"
    answer = await client.post(
        f"{base}/hook?q=1",
        content=b"hello",
        headers={"Cookie": "session=x", "Authorization": "Bearer docstead_x", "X-A": "b"},
    )
    assert (answer.status_code, answer.text) == (201, f"POST {base}/hook hello")
    headers = answer.headers
    assert (headers["x-own"], headers["x-cookie"], headers["x-authorization"]) == (
        "1",
        "none",
        "none",
    )
    assert "set-cookie" not in headers
    assert "allow-same-origin" not in headers["content-security-policy"]
    assert headers["content-security-policy"].startswith("sandbox ")
    assert (await client.get(f"{base}/x", headers={"Authorization": "Basic eDp5"})).headers[
        "x-authorization"
    ] == "Basic eDp5"
    assert (await client.get("/integration-endpoints/nobody")).status_code == 404
    assert (await client.get("/integration-endpoints/echo/installations/x")).status_code == 404
    assert (await client.get(base, headers={"Service-Worker": "script"})).status_code == 403
    await echo.api.server.finish_background()
    events = [event for event in await echo.events() if event.type == "fetch"]
    assert len(events) == 2
    assert set(events[0].payload["request"]) == {"method", "url"}
    await echo.change(status=Status.PAUSED)
    assert (await client.get(base)).status_code == 503


async def test_failures_are_tried_again_and_pause_in_the_end(echo: Published) -> None:
    await echo.change(configuration={"fail": True}, failures=MOST_FAILURES - 1)
    for attempt in range(len(PAUSES) + 1):
        await echo.deliver()
        (event, *_) = await echo.events()
        assert event.attempt_count == attempt + 1
        await echo.change(next_attempt_at=None)
        await Queue(echo.api.server).make_due()
    assert event.status is not None
    assert event.status.value == "failed"
    assert "as configured" in messages(event)[-1]
    installation = await echo.installation()
    assert installation.status is Status.PAUSED
    # What happens meanwhile is recorded, and delivered when it is resumed.
    await echo.deliver()
    assert [event.status for event in await echo.events()][1:] == [None]
    await echo.change(configuration={}, status=Status.ACTIVE)
    await echo.deliver()
    last = (await echo.events())[-1]
    assert messages(last)[0] == "installation_setup paused active"


async def test_a_clock_that_is_set_back_keeps_no_installation_waiting(echo: Published) -> None:
    await echo.change(configuration={"fail": True})
    await echo.deliver()
    queue = Queue(echo.api.server)
    (job,) = [job for job in await queue.jobs() if job.kind is JobKind.INTEGRATION]
    # As if the clock had been ahead by hours when the delivery failed.
    late = utc_now() + dt.timedelta(hours=5)
    await echo.change(next_attempt_at=late)
    await queue.change(job.id, due_at=late)
    server = echo.api.server
    async with server.context_of(OPERATOR) as ctx:
        assert await run(ctx, bound_waits) == 1
        assert await run(ctx, bound_waits) == 0
    for time in ((await echo.installation()).next_attempt_at, (await queue.job(job.id)).due_at):
        assert time is not None
        assert dt.timedelta() < time - utc_now() <= dt.timedelta(minutes=1) + PAUSES[-1]


async def test_events_go_to_the_tunnel_while_it_is_developed(echo: Published) -> None:
    async with answering(response(b"OK")) as server:
        allowed = Allowance(frozenset({("127.0.0.1", server.port)}))
        await echo.api.server.runner.close()
        echo.api.server.runner = Runner(Fetcher(allowed))
        async with echo.api.server.database.session() as session:
            await session.begin_write()
            integration = await echo.integration()
            session.add(
                DevelopmentMode(
                    integration_id=integration.id,
                    organization_id=integration.organization_id,
                    tunnel_url=server.url,
                    all=False,
                )
            )
            await session.commit()
        await echo.deliver()
        assert server.requests[0].startswith("POST /v1 HTTP/1.1")
        (event,) = await echo.events()
        assert event.status is not None
        assert event.status.value == "success"
        assert event.logs == []


async def test_components_are_rendered(echo: Published) -> None:
    request: dict[str, Any] = {
        "componentId": "c",
        "props": {"text": "hello"},
        "context": {
            "type": "configuration_account",
            "theme": "light",
            "organizationId": echo.world.organization.id,
        },
    }
    answer = await echo.api.rest("POST", "/integrations/echo/render", echo.world.admin, request)
    assert answer.status_code == 200, answer.text
    assert answer.json() == {
        "type": "element",
        "element": {"type": "block", "children": ["hello"]},
        "state": {},
    }
    assert answer.headers["cache-control"] == "max-age=60"
    # In a document, for the entry of its space where there is one.
    space = await echo.call("POST", f"/orgs/{echo.world.organization.id}/spaces", {"title": "S"})
    request["context"] = {"type": "document", "theme": "dark", "spaceId": space["id"]}
    answer = await echo.api.rest("POST", "/integrations/echo/render", echo.world.admin, request)
    assert answer.status_code == 200, answer.text
    answer = await echo.api.rest("POST", "/integrations/echo/render", echo.world.outsider, request)
    assert answer.status_code == 404
    await echo.publish(bundle("throw new Error('broken');"))
    answer = await echo.api.rest("POST", "/integrations/echo/render", echo.world.admin, request)
    assert answer.status_code == 503, answer.text
    assert "broken" not in answer.text
    assert "broken" in messages((await echo.events())[-1])[-1]


async def test_tasks_are_done_at_their_time_and_again_when_they_fail(echo: Published) -> None:
    async def tasks() -> list[IntegrationEvent]:
        return [event for event in await echo.events() if event.type == "task"]

    await echo.queue(task={"n": 1})
    await echo.queue(task={"n": 2}, schedule=3600)
    await echo.deliver()
    (event,) = await tasks()
    assert event.status is not None
    assert (event.status.value, event.payload["task"]) == ("success", {"n": 1})
    await Queue(echo.api.server).make_due()
    await echo.deliver()
    assert [event.payload["task"]["n"] for event in await tasks()] == [1, 2]

    await echo.queue(task={"fail": True})
    for _ in range(len(PAUSES) + 1):
        assert len(await tasks()) == 2
        await echo.deliver()
        await Queue(echo.api.server).make_due()
    last = (await tasks())[-1]
    assert last.status is not None
    assert (last.status.value, last.attempt_count) == ("failed", len(PAUSES) + 1)
    async with echo.api.server.database.session() as session:
        assert (await session.execute(select(IntegrationTask))).first() is None


async def test_a_paused_installation_gets_nothing_more(echo: Published) -> None:
    path = f"/integrations/echo/installations/{echo.installation_id}"
    space = await echo.call("POST", f"/orgs/{echo.world.organization.id}/spaces", {"title": "S"})
    await echo.call("POST", f"{path}/spaces", {"space": space["id"]})
    runner = echo.api.server.runner
    run = runner.run

    async def run_and_pause(call: Call, endpoint: str | None = None) -> Answer:
        answer = await run(call, endpoint)
        await echo.change(status=Status.PAUSED)
        return answer

    runner.run = run_and_pause  # type: ignore[method-assign]
    await echo.deliver()
    assert [event.status is None for event in await echo.events()] == [False, True]
    await echo.change(status=Status.ACTIVE)
    await echo.deliver()
    assert [event.status is None for event in await echo.events()] == [False, False]
    request = {"componentId": "c", "props": {}, "context": {"type": "configuration_account",
               "theme": "light", "organizationId": echo.world.organization.id}}  # fmt: skip
    answer = await echo.api.rest("POST", "/integrations/echo/render", echo.world.admin, request)
    assert (answer.status_code, answer.json()["error"]["message"]) == (
        503,
        "the installation is paused",
    )


async def test_it_is_uninstalled_while_an_event_runs(echo: Published) -> None:
    path = f"/integrations/echo/installations/{echo.installation_id}"
    space = await echo.call("POST", f"/orgs/{echo.world.organization.id}/spaces", {"title": "S"})
    await echo.call("POST", f"{path}/spaces", {"space": space["id"]})
    runner = echo.api.server.runner
    run = runner.run
    calls: list[Call] = []

    async def run_and_uninstall(call: Call, endpoint: str | None = None) -> Answer:
        calls.append(call)
        answer = await run(call, endpoint)
        if len(calls) == 1:
            await echo.call("DELETE", path)
        return answer

    runner.run = run_and_uninstall  # type: ignore[method-assign]
    await echo.deliver()
    # The events of its end go to the integration, which has no token there any more.
    assert [(event.type, event.status is None) for event in await echo.events()] == [
        ("installation_setup", False),
        ("space_installation_setup", False),
        ("space_installation_deleted", False),
        ("installation_deleted", False),
    ]
    assert ["installation" in call.environment["apiTokens"] for call in calls] == [
        True, False, False, False,
    ]  # fmt: skip


async def test_workers_deliver_to_an_installation_one_after_the_other(echo: Published) -> None:
    organization = f"/orgs/{echo.world.organization.id}/spaces"
    path = f"/integrations/echo/installations/{echo.installation_id}"
    for _ in range(3):
        space = await echo.call("POST", organization, {"title": "S"})
        await echo.call("POST", f"{path}/spaces", {"space": space["id"]})
    runner = echo.api.server.runner
    run = runner.run
    order: list[str] = []
    running = 0

    async def run_alone(call: Call, endpoint: str | None = None) -> Answer:
        nonlocal running
        running += 1
        assert running == 1
        answer = await run(call, endpoint)
        running -= 1
        order.append(str(call.event["eventId"]))
        return answer

    runner.run = run_alone  # type: ignore[method-assign]
    await asyncio.gather(*(echo.deliver() for _ in range(3)))
    assert order == [event.id for event in await echo.events()]
    assert len(order) == 4


async def test_tasks_whose_jobs_have_failed_are_done_later(echo: Published) -> None:
    await echo.queue(task={"n": 1})
    async with echo.api.server.database.session() as session:
        await session.begin_write()
        await session.execute(delete(Job).where(Job.kind == JobKind.INTEGRATION_TASK))
        await session.execute(
            update(IntegrationTask).values(due_at=utc_now() - dt.timedelta(minutes=11))
        )
        await session.commit()
    await echo.deliver()
    assert [event.type for event in await echo.events()] == ["installation_setup"]
    await echo.sweep()
    await echo.deliver()
    assert "task" in [event.type for event in await echo.events()]


def traced(text: str, *secrets: str) -> str:
    answer = Answer(Outcome.COMPLETE, Response(200, (), b""), log=[LogEntry("info", text, 0)])
    return trace(answer, secrets)[0]["message"]


@given(
    secret=st.text(min_size=SHORTEST_SECRET, max_size=60).filter(lambda text: "*" not in text),
    before=st.text(max_size=20),
    length=st.integers(min_value=SHORTEST_SECRET, max_value=60),
)
def test_no_secret_is_in_a_trace(secret: str, before: str, length: int) -> None:
    secret = secret.replace("\x00", "0")
    assume(secret[:SHORTEST_SECRET] not in f"xxx{before}{secret[1:]}")
    filler = "x" * (LOG_ENTRY - len(before) - min(length, len(secret)))
    cut = (filler + before + secret)[:LOG_ENTRY]
    assert secret[:length] not in traced(cut, secret)
    for text in (secret, json.dumps({"a": secret}, ensure_ascii=False), quote(secret, safe="")):
        shown = traced(f"{text} and more", secret)
        assert secret not in shown
        assert quote(secret, safe="") not in shown


def test_tokens_are_in_no_trace() -> None:
    token = issue(b"k" * 32, Program.INSTALLATION, "i", "m")
    assert traced(f"got {token}; docstead_{'a' * 43}!") == "got ***; ***!"


async def test_public_endpoint_bounds_what_comes_and_goes(echo: Published) -> None:
    client = echo.api.client
    base = f"/integration-endpoints/echo/installations/{echo.installation_id}"
    await echo.publish(
        bundle(
            """
            const { method, headers, url } = event.request ?? {};
            if (url?.includes("/empty")) return new Response(null, { status: 304 });
            return Response.json({ url, headers }, { headers: {
              "Cache-Control": url?.includes("/silent") ? "" : 'public="x", max-age=60, s-maxage=9',
              "X-Accel-Redirect": "/internal/db.sqlite", "X-Sendfile": "/etc/passwd",
              "Clear-Site-Data": "*", "Service-Worker-Allowed": "/", "WWW-Authenticate": "Basic",
              "Set-Login": "logged-in", "Connection": "X-Own", "Strict-Transport-Security": "x",
              "Content-Security-Policy": "default-src *", "Transfer-Encoding": "chunked" } });
            """
        )
    )
    token = issue(echo.api.server.token_key, Program.INTEGRATION, *await echo.mark())
    sent = {
        "Cookie": "s=1", "X-Forwarded-For": "10.0.0.1", "Forwarded": "for=x", "X-Real-IP": "1",
        "Connection": "X-Hop", "X-Hop": "1", "X-End": "2", "TE": "trailers", MARK: "1",
        "Authorization": f"bearer {token}",
    }  # fmt: skip
    answer = await client.get(f"{base}/a%2Fb%3Fc%20d?q=%26%C3%A9&r=1", headers=sent)
    assert answer.status_code == 200
    assert answer.json()["url"].endswith(f"{base}/a%2Fb%3Fc%20d?q=%26%C3%A9&r=1")
    inner = answer.json()["headers"]
    assert inner["x-end"] == "2"
    for name in ("cookie", "x-forwarded-for", "forwarded", "x-real-ip", "connection", "x-hop", "te",
                 MARK, "authorization"):  # fmt: skip
        assert name not in inner
    for name in ("x-accel-redirect", "x-sendfile", "clear-site-data", "service-worker-allowed",
                 "www-authenticate", "set-login", "connection", "transfer-encoding",
                 "strict-transport-security"):  # fmt: skip
        assert name not in answer.headers
    assert answer.headers["cache-control"] == "private, max-age=60"
    policies = answer.headers.get_list("content-security-policy")
    assert policies == ["default-src *", SANDBOX]
    assert (await client.get(f"{base}/silent")).headers["cache-control"] == "no-store"
    assert (await client.get(f"{base}/empty")).status_code == 304
    # Tokens of others are theirs.
    for value, handed_on in (
        ("Bearer sk-other", True),
        ("docstead_x", False),
        (f"Basic {base64.b64encode(b'me:docstead_x').decode()}", False),
    ):
        answer = await client.get(base, headers={"Authorization": value})
        assert ("authorization" in answer.json()["headers"]) is handed_on
    answer = await client.get(base, headers={f"X-{number}": "1" for number in range(101)})
    assert answer.status_code == 431
    assert (await client.get(base, headers={"X-A": "x" * 32_768})).status_code == 431
    assert (await client.post(base, content=b"x" * 10_000_001)).status_code == 413
    for path in ("%00", f"echo/installations/%00/sites/{'x' * 300}", "echo/installations/%ff"):
        assert (await client.get(f"/integration-endpoints/{path}")).status_code == 404
    assert (await client.get(f"{base}?%ff%00")).status_code == 200
    # What is stored of a request says where it was sent, and no more.
    await echo.publish(bundle("console.log('x'); return new Response('');"))
    await client.get(f"{base}/callback?code=secret-code")
    await echo.api.server.finish_background()
    assert (await echo.events())[-1].payload["request"]["url"].endswith("/callback")


async def test_scripts_say_that_they_are_some_and_reach_no_other_address(echo: Published) -> None:
    async with answering(response(b"OK")) as server:
        script = bundle(
            f"""
            try {{
              const answer = await fetch("{server.url}/", {{ headers: {{
                "X-Forwarded-For": "192.0.2.7", "Forwarded": "for=192.0.2.7",
                "CF-Connecting-IP": "192.0.2.7", "X-Real-IP": "192.0.2.7", "X-Kept": "1" }} }});
              return new Response(await answer.text());
            }} catch (error) {{ return new Response("refused"); }}
            """
        )
        await echo.publish(script)
        own = echo.api.server
        await own.runner.close()
        own.runner = runner_of(own.settings)
        base = f"/integration-endpoints/echo/installations/{echo.installation_id}"
        assert (await echo.api.client.get(base)).text == "refused"
        assert server.requests == []
        await own.runner.close()
        public = f"http://127.0.0.1:{server.port}"
        settings = replace(
            own.settings, public_url=public, client_address_header="CF-Connecting-IP"
        )
        own.runner = runner_of(settings)
        assert (await echo.api.client.get(base)).text == "OK"
        (request,) = server.requests
        assert "192.0.2.7" not in request
        assert f"{MARK}: 1" in request.lower()
        assert "x-kept: 1" in request.lower()


async def test_secrets_that_do_not_open_are_no_fault_of_callers(echo: Published) -> None:
    async with echo.api.server.database.session() as session:
        await session.begin_write()
        await session.execute(update(Integration).values(signing_secret="sealed elsewhere"))
        await session.commit()
    base = f"/integration-endpoints/echo/installations/{echo.installation_id}"
    answer = await echo.api.client.get(base)
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "1")
    await echo.deliver()
    assert [event.status for event in await echo.events()] == [None]


SLOW = bundle(
    """
    if (event.type === "fetch") {
      for (let line = 0; line < 100; line++) console.log("x".repeat(600));
      await new Promise((go) => setTimeout(go, 300));
    }
    return new Response("OK");
    """
)


async def test_one_address_has_few_places_and_fills_no_table(echo: Published) -> None:
    await echo.publish(SLOW)
    path = f"/integration-endpoints/echo/installations/{echo.installation_id}/x"
    most = endpoints.AT_ONCE_OF_ADDRESS + endpoints.WAITING_OF_ADDRESS
    answers = await asyncio.gather(*(echo.api.client.get(path) for _ in range(most + 2)))
    statuses = sorted(answer.status_code for answer in answers)
    assert statuses == [200] * most + [429, 429]
    # Others find room again.
    assert (await echo.api.client.get(path)).status_code == 200
    await echo.api.server.finish_background()
    requests = [event for event in await echo.events() if event.type == "fetch"]
    assert len(requests) == most + 1
    for event in requests:
        assert 0 < sum(map(len, messages(event))) <= MOST_OF_STRANGERS


async def test_a_flood_is_not_written_down(
    echo: Published, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoints, "RECORDS_A_MINUTE", 3)
    path = f"/integration-endpoints/echo/installations/{echo.installation_id}/x"
    for _ in range(6):
        assert (await echo.api.client.get(path)).status_code == 201
    await echo.api.server.finish_background()
    assert 3 <= sum(event.type == "fetch" for event in await echo.events()) <= 4


async def test_entries_that_are_paused_get_nothing_of_their_space(echo: Published) -> None:
    path = f"/integrations/echo/installations/{echo.installation_id}"
    space = await echo.call("POST", f"/orgs/{echo.world.organization.id}/spaces", {"title": "S"})
    await echo.call("POST", f"{path}/spaces", {"space": space["id"]})
    async with echo.api.server.database.session() as session:
        await session.begin_write()
        await session.execute(update(SpaceInstallation).values(status=Status.PAUSED))
        await session.commit()
    made = await echo.call("POST", f"/spaces/{space['id']}/change-requests", {"subject": "S"})
    await echo.deliver()
    assert not [event for event in await echo.events() if event.type.startswith("change_request")]
    async with echo.api.server.database.session() as session:
        await session.begin_write()
        await session.execute(update(SpaceInstallation).values(status=Status.ACTIVE))
        await session.commit()
    request = f"/spaces/{space['id']}/change-requests/{made['id']}"
    await echo.call("PATCH", request, {"status": "open"})
    await echo.deliver()
    (opened,) = [event for event in await echo.events() if event.type == "change_request_opened"]
    assert opened.payload["changeRequestId"] == made["id"]


async def test_events_of_sites_are_for_those_with_the_scope(echo: Published) -> None:
    world = echo.world
    site = await echo.call("POST", f"/orgs/{world.organization.id}/sites", {"title": "Site"})
    path = f"/integrations/echo/installations/{echo.installation_id}/sites"
    await echo.call("POST", path, {"siteId": site["id"]})
    feedback = insight("page_post_feedback")
    for scopes, expected in (([], 0), (["page:feedback:read"], 1)):
        await echo.publish(scopes=scopes)
        where = f"/orgs/{world.organization.id}/sites/{site['id']}/insights/events"
        await echo.call("POST", where, {"events": [feedback]})
        await echo.deliver()
        events = [event for event in await echo.events() if event.type == "page_feedback"]
        assert len(events) == expected
    assert events[0].payload["siteId"] == site["id"]
    assert events[0].payload["feedback"] == {"rating": "good"}
