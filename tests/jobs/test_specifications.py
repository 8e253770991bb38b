"""Specifications are processed by jobs: states, errors, versions, and what sources do to it."""

import asyncio
import datetime as dt
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from sqlalchemy import func, select, update

from db.base import utc_now
from db.event_enums import EventType
from db.job_enums import JobKind
from db.models.events import Event
from db.models.jobs import Job
from db.models.specifications import Specification, SpecificationContent
from db.session import Session
from fetching.addresses import Allowance
from fetching.client import Fetcher, FetchLimits
from jobs.specification_process import ProcessLimits, read_specification
from jobs.table import KINDS
from jobs.worker import Worker
from resolvers.core.installation import ImportAccess
from resolvers.specifications.processing import Failure
from tests.conftest import Api, World
from tests.fetching.servers import Loopback, answering, response

INFO = {"title": "Planets", "version": "1"}


def text_of(title: str = "Planets", **more: Any) -> str:
    return json.dumps({"openapi": "3.1.0", "info": {**INFO, "title": title}, "paths": {}, **more})


@dataclass
class Source:
    """A server with files, by path, each with an entity tag; `HANG` never answers."""

    server: Loopback
    files: dict[str, bytes] = field(default_factory=dict)

    async def answer(self, writer: asyncio.StreamWriter) -> None:
        head = self.server.requests[-1]
        data = self.files.get(head.split(" ")[1])
        if data == HANG:
            await asyncio.sleep(30)
        elif data is None:
            writer.write(response(b"", status="404 Not Found"))
        else:
            tag = f'"{hash(data)}"'
            known = f"If-None-Match: {tag}" in head
            status = "304 Not Modified" if known else "200 OK"
            writer.write(response(b"" if known else data, f"ETag: {tag}", status=status))
        await writer.drain()


HANG = b"hang"


@pytest.fixture
async def source() -> AsyncIterator[Source]:
    served = Source(Loopback())

    async def answer(writer: asyncio.StreamWriter) -> None:
        await served.answer(writer)

    async with answering(answer) as server:
        served.server = server
        yield served


@dataclass
class Specifications:
    """The specifications of a world, and what processes them."""

    api: Api
    world: World
    source: Source

    @property
    def path(self) -> str:
        return f"/orgs/{self.world.organization.id}/openapi"

    def allow(self, **limits: Any) -> None:
        pairs = frozenset([("127.0.0.1", self.source.server.port)])
        fetcher = Fetcher(Allowance(pairs), FetchLimits(**limits))
        self.api.server.imports = ImportAccess(fetcher)

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.source.server.port}{path}"

    async def put(self, slug: str, **source: str) -> Any:
        return await self.api.rest(
            "PUT", f"{self.path}/{slug}", self.world.creator, {"source": source}
        )

    async def get(self, path: str = "") -> Any:
        answer = await self.api.rest("GET", f"{self.path}{path}", self.world.reader)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def work(self, *kinds: JobKind) -> None:
        """Do all jobs of specifications that are due."""
        server = self.api.server
        chosen = {kind: KINDS[kind] for kind in kinds or (JobKind.SPECIFICATION,)}
        worker = Worker(
            server.context_of, chosen, server.database.bell, at_once=4, most_of_organization=4,
            watch_seconds=0.05,
        )  # fmt: skip
        if kinds:
            await worker.enqueue_periodic()
        while True:
            await worker.fill()
            if not worker.busy:
                return
            await worker.settle()

    async def count(self, model: Any) -> int:
        async with self.api.server.database.session() as session:
            return (await session.execute(select(func.count()).select_from(model))).scalar_one()


@pytest.fixture
async def specifications(
    api: Api, world: World, session: Session, source: Source
) -> Specifications:
    await session.commit()
    shown = Specifications(api, world, source)
    shown.allow()
    return shown


async def test_a_text_becomes_a_version(specifications: Specifications) -> None:
    answer = await specifications.put("planets", text=text_of())
    assert answer.status_code == 201
    waiting = answer.json()
    assert waiting["processingState"] == "pending"
    assert "lastVersion" not in waiting
    await specifications.work()
    shown = await specifications.get("/planets")
    assert shown["processingState"] == "complete"
    assert "lastProcessErrorCode" not in shown
    assert "sourceURL" not in shown
    assert (shown["visibility"], "published" in shown["urls"]) == ("private", False)
    (version,) = (await specifications.get("/planets/versions"))["items"]
    assert version["id"] == shown["lastVersion"]
    latest = await specifications.get("/planets/versions/latest/content")
    assert latest == await specifications.get(f"/planets/versions/{version['id']}/content")
    assert latest["filesystem"]["info"]["title"] == "Planets"
    assert latest["url"] == version["url"]

    # The same again is processed again, and is no new version.
    again = await specifications.put("planets", text=text_of())
    assert (again.status_code, again.json()["processingState"]) == (200, "pending")
    await specifications.work()
    assert (await specifications.get("/planets"))["lastVersion"] == version["id"]
    assert (await specifications.get("/planets/versions"))["count"] == 1

    # What is broken leaves the last good version, and says what is wrong.
    await specifications.put("planets", text="openapi: [")
    await specifications.work()
    broken = await specifications.get("/planets")
    assert broken["lastProcessErrorCode"] == "PARSE_ERROR"
    assert "YAML" in broken["lastProcessedErrors"][0]["message"]
    assert broken["lastVersion"] == version["id"]

    # What is good again is a new version, and the error is gone.
    await specifications.put("planets", text=text_of("Moons"))
    await specifications.work()
    good = await specifications.get("/planets")
    assert ("lastProcessErrorCode" in good, good["lastProcessedErrors"]) == (False, [])
    assert good["lastVersion"] != version["id"]
    # The sources of old are not kept, the versions are.
    assert await specifications.count(SpecificationContent) == 3
    assert await specifications.count(Job) == 0
    async with specifications.api.server.database.session() as session:
        kinds = (await session.execute(select(Event.type).order_by(Event.position))).scalars().all()
    processed = [kind for kind in kinds if kind is EventType.OPENAPI_SPEC_PROCESSED]
    assert len(processed) == 4

    answer = await specifications.api.rest(
        "DELETE", f"{specifications.path}/planets", specifications.world.creator
    )
    assert answer.status_code == 205
    assert await specifications.count(SpecificationContent) == 0


async def test_an_address_is_looked_at_again(specifications: Specifications) -> None:
    source = specifications.source
    source.files["/api.json"] = text_of().encode()
    answer = await specifications.put("planets", url=specifications.url("/api.json"))
    assert answer.status_code == 201
    await specifications.work()
    first = await specifications.get("/planets")
    assert first["sourceURL"] == specifications.url("/api.json")
    # Nothing is due, until six hours have passed.
    await specifications.work(JobKind.SPECIFICATION_SWEEP, JobKind.SPECIFICATION)
    assert len(source.server.requests) == 1
    await make_due(specifications)
    await specifications.work(JobKind.SPECIFICATION_SWEEP, JobKind.SPECIFICATION)
    assert "If-None-Match" in source.server.requests[1]
    unchanged = await specifications.get("/planets")
    assert unchanged["lastVersion"] == first["lastVersion"]
    assert unchanged["lastProcessedAt"] > first["lastProcessedAt"]
    source.files["/api.json"] = text_of("Moons").encode()
    await make_due(specifications)
    await specifications.work(JobKind.SPECIFICATION_SWEEP, JobKind.SPECIFICATION)
    assert (await specifications.get("/planets"))["lastVersion"] != first["lastVersion"]
    async with specifications.api.server.database.session() as session:
        due_at = (await session.execute(select(Specification.due_at))).scalar_one()
    assert abs(due_at - utc_now() - dt.timedelta(hours=6)) < dt.timedelta(minutes=5)


async def make_due(specifications: Specifications) -> None:
    async with specifications.api.server.database.session() as session:
        now = utc_now() - dt.timedelta(seconds=1)
        await session.execute(update(Specification).values(due_at=now))
        await session.execute(update(Job).where(Job.due_at.is_not(None)).values(due_at=now))
        await session.commit()


async def test_other_files_are_fetched(specifications: Specifications) -> None:
    files = specifications.source.files
    files["/a/api.yaml"] = b"""openapi: 3.0.0
info: {title: Planets, version: "1"}
paths:
  /planets: {$ref: "paths/planets.yaml"}
"""
    files["/a/paths/planets.yaml"] = b"""get:
  responses:
    "200":
      description: ok
      content: {application/json: {schema: {$ref: "../models.json#/Planet"}}}
"""
    files["/a/models.json"] = b'{"Planet": {"type": "object"}}'
    await specifications.put("planets", url=specifications.url("/a/api.yaml"))
    await specifications.work()
    content = (await specifications.get("/planets/versions/latest/content"))["filesystem"]
    assert content["components"]["schemas"]["Planet"] == {"type": "object"}
    del files["/a/models.json"]
    await specifications.put("planets", url=specifications.url("/a/api.yaml"))
    await specifications.work()
    shown = await specifications.get("/planets")
    assert shown["lastProcessErrorCode"] == "FETCH_ERROR"
    assert "models.json" in shown["lastProcessedErrors"][0]["message"]
    # Each of 101 files refers to the next: that is one too many.
    for number in range(102):
        files[f"/a/{number}.json"] = json.dumps({"S": {"$ref": f"{number + 1}.json#/S"}}).encode()
    files["/a/many.json"] = text_of(components={"schemas": {"S": {"$ref": "0.json#/S"}}}).encode()
    await specifications.put("many", url=specifications.url("/a/many.json"))
    await specifications.work()
    assert "more than 100 files" in str(await specifications.get("/many"))


@pytest.mark.parametrize(
    ("path", "code"),
    [("/absent.json", "FETCH_ERROR"), ("/hang.json", "FETCH_TIMEOUT"), ("/x.json", "PARSE_ERROR")],
)
async def test_sources_that_fail(specifications: Specifications, path: str, code: str) -> None:
    specifications.allow(total_seconds=0.3)
    specifications.source.files |= {"/hang.json": HANG, "/x.json": b"[]"}
    await specifications.put("planets", url=specifications.url(path))
    await specifications.work()
    shown = await specifications.get("/planets")
    assert (shown["processingState"], shown["lastProcessErrorCode"]) == ("complete", code)
    assert shown["lastProcessedErrors"]
    answer = await specifications.api.rest(
        "GET", f"{specifications.path}/planets/versions/latest", specifications.world.reader
    )
    assert answer.status_code == 404


async def test_private_addresses_are_refused(specifications: Specifications) -> None:
    specifications.source.files["/api.json"] = text_of(
        components={"schemas": {"S": {"$ref": "http://127.0.0.2:9/x.json"}}}
    ).encode()
    for url in ("http://127.0.0.2/api.json", specifications.url("/api.json")):
        await specifications.put("planets", url=url)
        await specifications.work()
        assert (await specifications.get("/planets"))["lastProcessErrorCode"] == "FETCH_ERROR"


async def test_the_process_is_bounded() -> None:
    """Text that is a valid specification ends where it takes too much."""
    fetcher = Fetcher()
    data = text_of(**{"x-a": ["x"] * 900_000}).encode()
    for limits in (ProcessLimits(megabytes=60), ProcessLimits(total_seconds=0.01)):
        outcome = await read_specification(fetcher, data, None, limits)
        assert isinstance(outcome, Failure)
        assert outcome.code.value == "PARSE_ERROR"


async def test_what_is_asked_for_meanwhile_is_done(specifications: Specifications) -> None:
    await specifications.put("planets", text=text_of("One"))
    await specifications.put("planets", text=text_of("Two"))
    assert await specifications.count(Job) == 1
    await specifications.work()
    content = await specifications.get("/planets/versions/latest/content")
    assert content["filesystem"]["info"]["title"] == "Two"


async def test_public_specifications_need_no_token(specifications: Specifications) -> None:
    api, world = specifications.api, specifications.world
    await specifications.put("planets", text=text_of())
    await specifications.work()
    changed = await api.rest(
        "PATCH", f"{specifications.path}/planets", world.creator, {"visibility": "public"}
    )
    published = changed.json()["urls"]["published"]
    path = published.removeprefix(api.server.settings.public_url)
    answer = await api.client.get(path)
    assert answer.json()["info"]["title"] == "Planets"
    tag = {"If-None-Match": answer.headers["ETag"]}
    assert (await api.client.get(path, headers=tag)).status_code == 304
    await api.rest(
        "PATCH", f"{specifications.path}/planets", world.creator, {"visibility": "private"}
    )
    assert (await api.client.get(path)).status_code == 404


@pytest.mark.parametrize(
    ("slug", "origin", "problem"),
    [
        ("UPPER", {"text": "x"}, "lower-case"),
        ("a--b", {"text": "x"}, "lower-case"),
        ("ok", {"text": " "}, "is empty"),
        ("ok", {"url": "ftp://a.example/x"}, "url"),
        ("ok", {"url": "https://user:pass@a.example/x"}, "credentials"),
        ("ok", {}, "source"),
        ("ok", {"text": "x", "url": "https://a.example"}, "source"),
    ],
)
async def test_bad_requests(
    specifications: Specifications, slug: str, origin: dict[str, str], problem: str
) -> None:
    api, creator = specifications.api, specifications.world.creator
    posted = await api.rest("POST", specifications.path, creator, {"slug": slug, "source": origin})
    put = await api.rest("PUT", f"{specifications.path}/{slug}", creator, {"source": origin})
    assert (posted.status_code, put.status_code) == (400, 400), (posted.text, put.text)
    assert problem in posted.text
    assert problem in put.text
    assert await specifications.count(Specification) == 0


async def test_graphql_has_the_same(specifications: Specifications) -> None:
    api, world = specifications.api, specifications.world
    made = await api.data(
        """mutation ($o: ID!, $input: CreateSpecificationInput!) {
          createSpecification(organizationId: $o, input: $input) { slug processingState } }""",
        world.creator, o=world.organization.id,
        input={"slug": "planets", "source": {"text": text_of()}},
    )  # fmt: skip
    assert made["createSpecification"] == {"slug": "planets", "processingState": "PENDING"}
    taken = await api.rest(
        "POST", specifications.path, world.creator,
        {"slug": "planets", "source": {"text": text_of()}},
    )  # fmt: skip
    assert (taken.status_code, "is taken" in taken.text) == (400, True)
    await specifications.work()
    data = await api.data(
        """query ($o: ID!) { specification(organizationId: $o, slug: "planets") {
          lastVersion { title format content } versions { totalCount nodes { id } }
          organization { specifications { nodes { slug } } } } }""",
        world.reader, o=world.organization.id,
    )  # fmt: skip
    shown = data["specification"]
    assert shown["lastVersion"]["title"] == "Planets"
    assert shown["lastVersion"]["format"] == "OpenAPI 3.1"
    assert shown["lastVersion"]["content"]["info"] == INFO
    assert shown["versions"]["totalCount"] == 1
    assert shown["organization"]["specifications"]["nodes"] == [{"slug": "planets"}]
