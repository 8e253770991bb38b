"""The page of the metrics: closed without its token, and true."""

import datetime as dt
import re
from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest

from db.base import utc_now
from db.job_enums import JobState
from db.session import Database, Session
from docstead.asgi import create_app
from docstead.monitoring.metrics import BUCKETS, SAMPLED, Metrics
from docstead.monitoring.requests import Observation, door
from docstead.server import Server
from docstead.settings import SettingError, Settings, described, load_settings
from tests import factories
from tests.conftest import Api, World, settle

TOKEN = "a-token-of-the-metrics"
LINE = re.compile(r'[a-z_]+(\{[a-z]+="[^"\\\n]*"(,[a-z]+="[^"\\\n]*")*\})? [0-9.e+-]+')


def api_of(database: Database, folder: Path, token: str) -> Api:
    settings = Settings(
        public_url="http://docs.test", data_dir=folder / "data", metrics_token=token
    )
    server = Server(settings, database)
    transport = httpx2.ASGITransport(app=create_app(settings, server))
    return Api(server, httpx2.AsyncClient(transport=transport, base_url="http://docs.test"))


@pytest.fixture
async def metered(database: Database, tmp_path: Path) -> AsyncIterator[Api]:
    api = api_of(database, tmp_path, TOKEN)
    async with api.client:
        yield api


async def figures(api: Api) -> dict[str, float]:
    """The samples of the page, whose form is checked."""
    response = await api.client.get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert response.status_code == 200
    assert response.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert response.headers["cache-control"] == "no-store"
    assert response.text.endswith("\n")
    families: dict[str, str] = {}
    samples: dict[str, float] = {}
    for line in response.text.splitlines():
        if line.startswith("# "):
            _, word, name, rest = line.split(" ", 3)
            if word == "TYPE":
                assert name not in families
                families[name] = rest
            continue
        assert LINE.fullmatch(line), line
        name, _, value = line.rpartition(" ")
        assert name not in samples
        samples[name] = float(value)
        family = re.sub(r"_(bucket|sum|count)$", "", name.partition("{")[0])
        assert name.partition("{")[0] in families or families[family] == "histogram"
    return samples


async def test_without_the_setting_there_is_no_page(database: Database, tmp_path: Path) -> None:
    api = api_of(database, tmp_path, "")
    async with api.client:
        for headers in ({}, {"Authorization": "Bearer "}, {"Authorization": "Bearer None"}):
            assert (await api.client.get("/metrics", headers=headers)).status_code == 404


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer ", f"Basic {TOKEN}", f"Bearer {TOKEN}x", TOKEN, "Bearer é"]
)
async def test_without_the_token_it_stays_closed(metered: Api, header: str) -> None:
    headers = [(b"Authorization", header.encode())] if header else []
    response = await metered.client.get("/metrics", headers=headers)
    assert response.status_code == 401
    assert response.headers["www-authenticate"] == "Bearer"
    assert "docstead_" not in response.text


async def test_a_token_of_a_person_does_not_open_it(
    metered: Api, session: Session, world: World
) -> None:
    await settle(session)
    token = await metered.token_of(world.admin)
    headers = {"Authorization": f"Bearer {token}"}
    assert (await metered.client.get("/metrics", headers=headers)).status_code == 401


async def test_requests_are_counted(metered: Api, session: Session, world: World) -> None:
    await settle(session)
    before = await figures(metered)
    text = "query ($id: ID!) { organization(id: $id) { spaces { nodes { title } } } }"
    for _ in range(SAMPLED + 1):
        await metered.data(text, world.reader, id=world.organization.id)
    for number in range(3):
        await metered.graphql(f'{{ organization(id: "{number}") {{ title }} }}', world.reader)
    await metered.rest("GET", "/user", world.reader)
    await metered.rest("GET", "/user", None)
    after = await figures(metered)

    def added(name: str) -> float:
        return after.get(name, 0) - before.get(name, 0)

    assert added('docstead_requests_total{door="graphql",status="200"}') == SAMPLED + 4
    assert added('docstead_requests_total{door="rest",status="200"}') == 1
    assert added('docstead_requests_total{door="rest",status="401"}') == 1
    assert added('docstead_request_seconds_count{door="graphql"}') == SAMPLED + 4
    assert added('docstead_request_seconds_bucket{door="graphql",le="+Inf"}') == SAMPLED + 4
    assert added('docstead_request_seconds_sum{door="graphql"}') > 0
    by_field = 'door="graphql",operation="organization",status="200"'
    assert added(f"docstead_operations_total{{{by_field}}}") == SAMPLED + 4
    by_route = 'door="rest",operation="getAuthenticatedUser",status="401"'
    assert added(f"docstead_operations_total{{{by_route}}}") == 1
    assert after["docstead_requests_running"] == 1  # the one that asks
    assert added('docstead_graphql_documents_total{known="nothing"}') == 2
    assert added('docstead_graphql_documents_total{known="literals"}') == 2
    assert added('docstead_graphql_documents_total{known="text"}') == SAMPLED
    # Two of them were samples, the first and the one after SAMPLED.
    assert added('docstead_graphql_field_calls_total{field="Organization.spaces"}') == 2
    assert added('docstead_graphql_field_rows_total{field="Organization.spaces"}') == 2
    assert added('docstead_graphql_field_statements_total{field="Query.organization"}') == 2
    assert after["process_resident_memory_bytes"] > 10_000_000
    assert after["process_cpu_seconds_total"] > 0


async def test_samples_are_not_in_the_answers(metered: Api, session: Session, world: World) -> None:
    await settle(session)
    for _ in range(SAMPLED + 1):
        answer = await metered.graphql("{ __typename }", world.reader)
        assert set(answer["extensions"]) == {"cost"}


def test_buckets_add_up() -> None:
    metrics = Metrics()
    for seconds in (0.0001, 0.001, 0.0011, 3.0, 100.0):
        observation = Observation("rest")
        observation.status, observation.milliseconds = 200, seconds * 1000
        metrics.count({}, observation)
    lines = dict(line.rsplit(" ", 1) for line in metrics.text().splitlines() if line[:1] != "#")
    counts = [
        int(lines[f'docstead_request_seconds_bucket{{door="rest",le="{bound}"}}'])
        for bound in (*BUCKETS, "+Inf")
    ]
    assert counts == [2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 5]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/graphql", "graphql"),
        ("/graphql/assets/a.js", "graphql"),
        ("/v1/orgs", "rest"),
        ("/v1", "rest"),
        ("/files/a/b/c", "files"),
        ("/uploads/a", "files"),
        ("/pdf/a/b/c", "files"),
        ("/sites/a/b", "sites"),
        ("/health", "other"),
        ("", "other"),
        ("/", "other"),
    ],
)
def test_doors(path: str, expected: str) -> None:
    assert door(path) == expected


def test_the_token_is_long_and_never_shown() -> None:
    for bad in ("short", "x" * 19, "x" * 30 + "\n", "with spaces in between them"):
        with pytest.raises(SettingError) as caught:
            load_settings({"DOCSTEAD_METRICS_TOKEN": bad})
        assert bad not in str(caught.value)
    settings = load_settings({"DOCSTEAD_METRICS_TOKEN": TOKEN})
    assert settings.metrics_token == TOKEN
    assert TOKEN not in str(described(settings))
    with pytest.raises(SettingError, match="use one of: off, admins, everybody"):
        load_settings({"DOCSTEAD_TRACING": "yes"})


async def test_jobs_are_counted(metered: Api, world: World, session: Session) -> None:
    space = await factories.make_space(session, world.organization)
    late = utc_now() - dt.timedelta(seconds=90)
    await factories.make_job(session, space, due_at=late)
    later = utc_now() + dt.timedelta(hours=1)
    await factories.make_job(session, space, due_at=later, state=JobState.RUNNING)
    for days in (0, 2):
        ended = utc_now() - dt.timedelta(days=days)
        await factories.make_job(
            session, space, due_at=None, state=JobState.FAILED, finished_at=ended
        )
    await settle(session)
    samples = await figures(metered)
    states = [samples[f'docstead_jobs{{state="{name}"}}'] for name in ("queued", "running")]
    assert [*states, samples['docstead_jobs{state="failed"}']] == [1, 1, 1]
    assert 90 <= samples["docstead_jobs_oldest_seconds"] < 300


async def test_what_a_process_has_only_so_much_of(
    metered: Api, session: Session, world: World
) -> None:
    site = await factories.make_site(session, world.organization)
    await settle(session)
    before = await figures(metered)
    for _ in range(3):
        await metered.rest("GET", f"/orgs/{world.organization.id}/sites/{site.id}", world.admin)
    database = metered.server.database
    async with database.session() as writer:
        await writer.begin_write()
        during = await figures(metered)
    after = await figures(metered)
    used = 'docstead_database_connections_used{for="writes"}'
    # That of the block; pages and jobs of the test's own server use none meanwhile.
    assert during[used] == before[used] + 1 == after[used] + 1
    assert before['docstead_database_connections_used{for="reads"}'] >= 0
    assert before["docstead_database_connections_limit"] == database.pool_size
    names = {"pages", "answers", "nodes", "trees", "json"}
    for figure in ("entries", "fill"):
        found = {name for name in names if f'docstead_cache_{figure}{{cache="{name}"}}' in after}
        assert found == names
    assert all(0 <= value <= 1 for name, value in after.items() if "_cache_fill" in name)
    for kind in ("pages", "pdfs"):
        assert after[f'docstead_renderings_running{{kind="{kind}"}}'] == 0


async def test_lookups_in_caches(metered: Api, session: Session, world: World) -> None:
    space = await factories.make_space(session, world.organization)
    await settle(session)
    before = await figures(metered)
    text = "query ($id: ID!) { revision(spaceId: $id) { pages { nodes { id } } } }"
    for _ in range(3):
        await metered.data(text, world.reader, id=space.id)
    after = await figures(metered)

    def added(outcome: str) -> float:
        name = f'docstead_cache_lookups_total{{cache="answers",outcome="{outcome}"}}'
        return after[name] - before[name]

    assert (added("hit"), added("miss")) == (2, 1)
