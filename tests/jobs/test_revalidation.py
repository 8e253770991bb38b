"""Renderers hear of what was changed: a real server on loopback takes the calls."""

import asyncio
import hashlib
import hmac
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from db.commits import SITE
from db.enums import SitePreviews
from db.models.organizations import User
from db.models.site_settings import SiteRevalidation
from db.session import Session
from fetching.addresses import Allowance
from fetching.client import Fetcher, FetchLimits
from jobs.purge import seal_secrets
from jobs.revalidation import Revalidator, signature
from resolvers.core.actors import OPERATOR
from resolvers.core.installation import ImportAccess
from resolvers.core.sealing import MARK, Sealer, marked, opened_mark
from resolvers.sites.revalidation_calls import MOST_TAGS, Call
from tests.conftest import Api, World, settle
from tests.factories import make_site
from tests.published.sites import Published, make_flat

SET = """mutation($id: ID!, $input: SetSiteRevalidationInput!) {
  setSiteRevalidation(id: $id, input: $input) { url secret failures } }"""
READ = "query($id: ID!) { siteRevalidation(id: $id) { url secret lastStatus lastError failures } }"
SECRET = "a secret of the renderer".replace(" ", "-")


@dataclass
class Renderer:
    """A server that keeps what it is sent, and answers with the next of its statuses, then 200."""

    port: int = 0
    statuses: list[int] = field(default_factory=list)
    calls: list[tuple[dict[str, str], bytes]] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/revalidate"

    def tags(self) -> list[list[str]]:
        return [json.loads(body)["tags"] for _, body in self.calls]

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        lines = [line.partition(": ") for line in head.split("\r\n")[1:] if line]
        headers = {name.lower(): value for name, _, value in lines}
        self.calls.append((headers, await reader.readexactly(int(headers["content-length"]))))
        status = self.statuses.pop(0) if self.statuses else 200
        writer.write(f"HTTP/1.1 {status} X\r\nContent-Length: 0\r\nLocation: /\r\n\r\n".encode())
        await writer.drain()
        writer.close()


@pytest.fixture
async def renderer() -> AsyncIterator[Renderer]:
    made = Renderer()
    listening = await asyncio.start_server(made.answer, "127.0.0.1", 0)
    made.port = listening.sockets[0].getsockname()[1]
    yield made
    listening.close()


@pytest.fixture
async def revalidator(api: Api, renderer: Renderer) -> Revalidator:
    """That of the server, which may reach the renderer and waits for nothing."""
    allowance = Allowance(frozenset({("127.0.0.1", renderer.port)}))
    api.server.imports = ImportAccess(Fetcher(allowance, FetchLimits(total_seconds=20)))
    made = api.server.revalidator
    made._gathering, made._pauses = 0, (0, 0, 0)
    return made


@pytest.fixture
async def made(session: Session, world: World) -> Published:
    found = await make_flat(
        session, world.organization, "one", "two", previews=SitePreviews.ANYBODY
    )
    await settle(session)
    return found


def base(world: World, made: Published) -> str:
    return f"/orgs/{world.organization.id}/sites/{made.site.id}"


async def connect(api: Api, world: World, made: Published, renderer: Renderer) -> None:
    """Have the renderer called; it has heard of that."""
    answer = await api.rest(
        "PUT", f"{base(world, made)}/revalidation", world.creator,
        {"url": renderer.url, "secret": SECRET},
    )  # fmt: skip
    assert answer.status_code == 200, answer.text
    await api.server.revalidator.settle()
    renderer.calls.clear()


async def test_what_is_changed_is_told(
    api: Api, world: World, made: Published, renderer: Renderer, revalidator: Revalidator
) -> None:
    await connect(api, world, made, renderer)
    site, path = f"site:{made.site.id}", base(world, made)
    first = made.site_spaces["one"].space_id
    space = f"space:{first}"

    async def called(
        method: str, where: str, body: Any = None, person: User = world.creator
    ) -> tuple[set[str], Any]:
        renderer.calls.clear()
        answer = await api.rest(method, where, person, body)
        assert answer.status_code < 300, (where, answer.text)
        await revalidator.settle()
        assert len(renderer.calls) <= 1
        return {tag for tags in renderer.tags() for tag in tags}, answer

    for method, where, body in (
        ("PATCH", path, {"title": "Other"}),
        ("POST", f"{path}/unpublish", None),
        ("POST", f"{path}/publish", None),
        ("PUT", f"{path}/customization", {"title": "Look"}),
        ("PATCH", f"{path}/site-spaces/{made.site_spaces['two'].id}/customization",
         {"title": "Two"}),
        ("PATCH", f"{path}/site-spaces/{made.site_spaces['two'].id}", {"path": "second"}),
        ("DELETE", f"{path}/site-spaces/{made.site_spaces['two'].id}", None),
    ):  # fmt: skip
        tags, _ = await called(method, where, body)
        assert site in tags, (method, where)
    everything = tags
    assert any(tag.startswith("url:") for tag in everything)
    tags, _ = await called("PATCH", f"/spaces/{first}", {"title": "Renamed"})
    assert tags == {space}
    tags, answer = await called("POST", f"/spaces/{first}/change-requests", {"subject": "S"})
    request = answer.json()
    edited = {f"{space}:change-request:{one}" for one in (request["id"], request["number"])}
    assert tags == edited
    where = f"/spaces/{first}/change-requests/{request['id']}"
    page = {"changes": [{"type": "insert_page", "title": "New", "document": {"markdown": "Text"}}]}
    tags, _ = await called("POST", f"{where}/content", page)
    assert tags == edited
    tags, _ = await called("PATCH", where, {"status": "open"})
    assert tags == edited
    tags, _ = await called("POST", f"{where}/merge", {})
    assert tags == {space} | edited
    # A site without one of its spaces has another structure.
    tags, _ = await called("DELETE", f"/spaces/{first}")
    assert tags >= {site, space}
    tags, _ = await called("POST", f"/spaces/{first}/restore")
    assert tags >= {site, space}
    # What no site shows, and what was refused, is nobody's business.
    tags, _ = await called("POST", f"/orgs/{world.organization.id}/spaces", {"title": "Else"})
    assert tags == set()
    refused = await api.rest("PATCH", path, world.reader, {"title": "No"})
    assert refused.status_code == 403
    await revalidator.settle()
    assert renderer.calls == []
    host = {tag for tag in everything if tag.startswith("url:")}
    tags, _ = await called("DELETE", path)
    assert tags == {site} | host


async def test_calls_are_signed(
    api: Api, world: World, made: Published, renderer: Renderer, revalidator: Revalidator
) -> None:
    await connect(api, world, made, renderer)
    await api.rest("PATCH", base(world, made), world.creator, {"title": "Other"})
    await revalidator.settle()
    ((headers, body),) = renderer.calls
    signed = headers["x-webhook-signature"]
    assert headers["x-gitbook-integration-signature"] == signed
    moment, _, digest = signed.removeprefix("t=").partition(",v1=")
    wanted = hmac.new(SECRET.encode(), f"{moment}.".encode() + body, hashlib.sha256)
    assert digest == wanted.hexdigest()
    assert json.loads(body)["site"] == made.site.id


async def test_bursts_are_one_call(
    api: Api, world: World, made: Published, renderer: Renderer, revalidator: Revalidator
) -> None:
    await connect(api, world, made, renderer)
    for number in range(30):
        await api.rest("PATCH", base(world, made), world.creator, {"title": f"Title {number}"})
    await revalidator.settle()
    assert len(renderer.calls) == 1
    # Beyond a bound nothing is counted any more: everything is out of date.
    revalidator.heard([(SITE, str(number)) for number in range(20_000)])
    assert len(revalidator._changes) == 0
    await revalidator.settle()
    spaces = {f"space:{one.space_id}" for one in made.site_spaces.values()}
    assert spaces | {f"site:{made.site.id}"} <= set(renderer.tags()[1])


async def test_failures_are_repeated_and_shown(
    api: Api, world: World, made: Published, renderer: Renderer, revalidator: Revalidator
) -> None:
    await connect(api, world, made, renderer)
    path = base(world, made)

    async def after(statuses: list[int]) -> tuple[int, dict[str, Any]]:
        renderer.calls.clear()
        renderer.statuses[:] = statuses
        changed = await api.rest("PATCH", path, world.creator, {"title": f"T {statuses}"})
        assert changed.status_code == 200
        await revalidator.settle()
        shown = (await api.rest("GET", f"{path}/revalidation", world.creator)).json()
        assert "secret" not in shown
        return len(renderer.calls), shown

    calls, shown = await after([503, 429, 200])
    assert (calls, shown["lastStatus"], shown["failures"]) == (3, 200, 0)
    assert shown["lastSuccessAt"] == shown["lastAttemptAt"]
    calls, shown = await after([500, 500, 500, 500])
    assert (calls, shown["lastStatus"], shown["failures"]) == (4, 500, 4)
    assert shown["lastError"] == "answered with status 500"
    # These answers say that the call will never be taken; redirects are not followed.
    for status in (404, 307):
        calls, shown = await after([status])
        assert (calls, shown["lastStatus"]) == (1, status)
    seen = await api.data(READ, world.creator, id=made.site.id)
    assert seen["siteRevalidation"]["lastStatus"] == 307
    assert seen["siteRevalidation"]["secret"] is None
    calls, shown = await after([])
    assert (calls, shown["failures"]) == (1, 0)
    assert "lastError" not in shown


async def test_keys_in_addresses_stay_out_of_the_log(
    api: Api,
    world: World,
    made: Published,
    renderer: Renderer,
    revalidator: Revalidator,
    caplog: pytest.LogCaptureFixture,
) -> None:
    path = f"{base(world, made)}/revalidation"
    for url in (f"{renderer.url}?secret=hunter2", "http://127.0.0.1:1/?secret=hunter2"):
        renderer.statuses[:] = [404]
        await api.rest("PUT", path, world.creator, {"url": url})
        await revalidator.settle()
        assert made.site.id in caplog.text
        assert "hunter2" not in caplog.text
        caplog.clear()


async def test_renderers_that_never_answer_keep_nobody_waiting(
    api: Api, session: Session, world: World, made: Published, renderer: Renderer,
    revalidator: Revalidator,
) -> None:  # fmt: skip
    await connect(api, world, made, renderer)
    heard = asyncio.Event()
    arrived = asyncio.Semaphore(0)

    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        arrived.release()
        await heard.wait()
        writer.close()

    listening = await asyncio.start_server(silent, "127.0.0.1", 0)
    port = listening.sockets[0].getsockname()[1]
    allowed = {("127.0.0.1", port), ("127.0.0.1", renderer.port)}
    api.server.imports = ImportAccess(Fetcher(Allowance(frozenset(allowed))))
    for number in range(8):
        other = await make_site(session, world.organization, title=f"Silent {number}")
        url = f"http://127.0.0.1:{port}/"
        session.add(SiteRevalidation(site_id=other.id, url=url, secret=SECRET))
        revalidator.heard([(SITE, other.id)])
    await settle(session)
    await revalidator.gather()
    for _ in range(8):
        await asyncio.wait_for(arrived.acquire(), 60)
    revalidator.heard([(SITE, made.site.id)])
    await revalidator.gather()
    await asyncio.wait_for(revalidator._calling[made.site.id], 60)
    assert len(renderer.calls) == 1
    heard.set()
    await revalidator.settle()
    listening.close()


async def test_secrets_of_before_are_sealed_and_sign_as_they_did(
    api: Api, session: Session, world: World, made: Published, renderer: Renderer,
    revalidator: Revalidator,
) -> None:  # fmt: skip
    site = made.site.id
    session.add(SiteRevalidation(site_id=site, url=renderer.url, secret=SECRET))
    await settle(session)
    async with api.server.context_of(OPERATOR) as ctx:
        assert await seal_secrets(ctx, ctx.now()) == 1
        assert await seal_secrets(ctx, ctx.now()) == 0
    row = await session.get_one(SiteRevalidation, site, populate_existing=True)
    await session.commit()
    assert row.secret.startswith(MARK)
    assert SECRET not in row.secret
    revalidator.heard([(SITE, site)])
    await revalidator.settle()
    ((headers, body),) = renderer.calls
    seconds = headers["x-webhook-signature"].split(",")[0].removeprefix("t=")
    assert headers["x-webhook-signature"] == signature(SECRET, int(seconds), body)
    # With another key nothing is sent, and the setting says why.
    row.secret = marked(Sealer(b"another".strip), SECRET)
    await settle(session)
    revalidator.heard([(SITE, site)])
    await revalidator.settle()
    assert len(renderer.calls) == 1
    shown = (await api.rest("GET", f"{base(world, made)}/revalidation", world.creator)).json()
    assert "another key" in shown["lastError"]


async def test_only_allowed_addresses_are_called(
    api: Api, world: World, made: Published, renderer: Renderer, revalidator: Revalidator
) -> None:
    api.server.imports = ImportAccess(Fetcher())
    await connect(api, world, made, renderer)
    shown = (await api.rest("GET", f"{base(world, made)}/revalidation", world.creator)).json()
    assert "not on the public internet" in shown["lastError"]
    assert "lastStatus" not in shown
    assert renderer.calls == []


async def test_the_setting(
    api: Api, session: Session, world: World, made: Published, revalidator: Revalidator
) -> None:
    path = f"{base(world, made)}/revalidation"
    url = "https://renderer.example/revalidate"
    nothing = {"object": "site-revalidation", "url": None, "failures": 0}
    assert (await api.rest("GET", path, world.creator)).json() == nothing
    regenerate = await api.rest("POST", f"{path}/regenerate", world.creator)
    assert regenerate.status_code == 412
    for body in (
        {"url": "ftp://a.example"}, {"url": "http://u:p@a.example"}, {"url": "no"}, {},
        {"url": url, "secret": "short"}, {"url": url, "secret": "x" * 19 + "\n"},
    ):  # fmt: skip
        refused = await api.rest("PUT", path, world.creator, body)
        assert refused.status_code == 422, (body, refused.text)
    first = (await api.rest("PUT", path, world.creator, {"url": url})).json()["secret"]
    assert len(first) >= 36
    again = (await api.rest("PUT", path, world.creator, {"url": url})).json()
    assert "secret" not in again
    second = (await api.rest("POST", f"{path}/regenerate", world.creator)).json()["secret"]
    assert second != first
    given = {"url": url, "secret": SECRET}
    data = await api.data(SET, world.creator, id=made.site.id, input=given)
    assert data["setSiteRevalidation"] == {"url": url, "secret": None, "failures": 0}
    row = await session.get_one(SiteRevalidation, made.site.id)
    # Only the key of the server opens what is stored.
    assert SECRET not in row.secret
    assert opened_mark(api.server.sealer, row.secret) == SECRET
    for person in (world.reviewer, world.reader):
        for answer in (
            await api.rest("GET", path, person),
            await api.rest("PUT", path, person, {"url": url}),
            await api.rest("POST", f"{path}/regenerate", person),
        ):
            assert answer.status_code == 403
    assert (await api.rest("PUT", path, world.creator, {"url": None})).json() == nothing
    assert (await api.rest("GET", path, world.creator)).json() == nothing


def test_tags_of_one_call_are_bounded() -> None:
    call = Call("s", "o", "u", "x")
    call.tags = {f"space:{one}:change-request:{two}" for one in range(90) for two in range(90)}
    call.bound()
    assert call.tags == {"site:s", *(f"space:{one}" for one in range(90))}
    call.tags = {f"space:{one}" for one in range(5000)}
    call.bound()
    assert len(call.tags) <= MOST_TAGS
