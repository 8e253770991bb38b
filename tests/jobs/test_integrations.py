"""Integrations get events: in order, again where they have failed, with all that is theirs."""

import datetime as dt
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest
from sqlalchemy import select, update

from db.base import utc_now
from db.integration_enums import InstallationStatus as Status
from db.job_enums import JobKind
from db.models.integrations import (
    DevelopmentMode,
    Installation,
    Integration,
    IntegrationEvent,
    IntegrationTask,
)
from db.session import Session
from fetching.addresses import Allowance
from fetching.client import Fetcher
from jobs.integrations import sweep, wake_integrations
from jobs.kinds import Kind
from jobs.table import integration_kinds
from jobs.worker import Worker
from resolvers.access.integration_tokens import issue
from resolvers.core.actors import OPERATOR, Program
from resolvers.integrations.deliveries import MOST_FAILURES, PAUSES
from runtime.runner import Runner
from tests.conftest import Api, World, settle
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

    async def queue(self, **body: Any) -> None:
        """Queue a task as the integration does, with its own token."""
        script = await self.integration()
        await self.api.server.file_access()
        key = self.api.server._token_key
        assert key is not None
        token = issue(key, Program.INTEGRATION, script.id, script.token_mark)
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
    # It ends by itself when nothing answers any more.
    async with echo.api.server.database.session() as session:
        await session.begin_write()
        await session.execute(
            update(DevelopmentMode).values(last_traffic_at=utc_now() - dt.timedelta(hours=25))
        )
        await session.commit()
    kinds = {JobKind.INTEGRATION_SWEEP: Kind(handler=sweep, every=dt.timedelta(minutes=1))}
    server = echo.api.server
    worker = Worker(
        server.context_of, kinds, server.database.bell, at_once=1, most_of_organization=1
    )
    await worker.enqueue_periodic()
    await worker.fill()
    await worker.settle()
    async with server.database.session() as session:
        assert (await session.execute(select(DevelopmentMode))).first() is None


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
