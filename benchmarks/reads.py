"""The workloads: all contenders side by side, in random order within every round."""

import random
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

import asyncpg
import orjson

from benchmarks.contenders import NODE, Contender
from benchmarks.data import Reads, fill_reads, tokens_of_people
from benchmarks.http import Client
from benchmarks.measure import Figures, Load, measure
from benchmarks.progress import progress
from benchmarks.servers import Running, Store, free_port, migrated, running, store
from benchmarks.usage import resident_megabytes
from benchmarks.workloads import Workload, workloads

VIEWS = Path(__file__).with_name("node") / "views.sql"
# Node compiles what runs often, and each connection of a pool prepares its statements.
WARM_UP_SECONDS = 0.3
# One connection at a time shows a latency sooner than a rate.
SINGLE_SHARE = 0.5
SLOW_SECONDS = 0.1
NODE_ENVIRONMENT = {"NODE_ENV": "production", "GRAPHILE_ENV": "production"}


@dataclass(frozen=True, slots=True)
class Choice:
    """What one run does: `rounds` of `seconds` for each contender and workload."""

    rounds: int
    seconds: float
    only: frozenset[str]
    contenders: tuple[Contender, ...]


@dataclass(slots=True)
class Results:
    """Figures of each round by workload and contender, and memory after the run in megabytes."""

    titles: dict[str, str] = field(default_factory=dict)
    rounds: dict[str, dict[str, list[Figures]]] = field(default_factory=dict)
    memory: dict[str, float] = field(default_factory=dict)


async def measure_reads(kind: str, choice: Choice) -> Results:
    """All workloads on one kind of database."""
    taking_part = [one for one in choice.contenders if kind in one.databases]
    with store(kind) as database:
        progress(f"{kind}: filling the database")
        data = await _filled(database)
        async with AsyncExitStack() as stack:
            servers: dict[str, Running] = {}
            for contender in taking_part:
                port = free_port()
                environment = {"DOCSTEAD_DATABASE_URL": database.url}
                if contender.key in NODE:
                    environment = NODE_ENVIRONMENT
                command = contender.command(port, database)
                servers[contender.key] = await stack.enter_async_context(
                    running(command, port, environment)
                )
            return await _rounds(kind, choice, taking_part, servers, database, data)


async def _filled(database: Store) -> Reads:
    async with migrated(database.url) as connected:
        data = await fill_reads(connected)
    if database.pid is not None:
        connection = await asyncpg.connect(database.node_url)
        try:
            await connection.execute(VIEWS.read_text())
        finally:
            await connection.close()
    return data


async def _rounds(
    kind: str,
    choice: Choice,
    taking_part: list[Contender],
    servers: dict[str, Running],
    database: Store,
    data: Reads,
) -> Results:
    results = Results()
    loads: list[tuple[Workload, dict[str, Load]]] = []
    for workload in workloads(data):
        if choice.only and workload.name not in choice.only:
            continue
        progress(f"{kind}: {workload.name}: comparing answers, warming up")
        checked = await _checked(workload, taking_part, servers, database, choice.seconds)
        loads.append((workload, checked))
        results.titles[workload.name] = workload.title
    for number in range(choice.rounds):
        for workload, by_contender in random.sample(loads, len(loads)):
            progress(f"{kind}: round {number + 1} of {choice.rounds}: {workload.name}")
            of_workload = results.rounds.setdefault(workload.name, {})
            for key, load in random.sample(list(by_contender.items()), len(by_contender)):
                found = await measure(servers[key], database, load)
                of_workload.setdefault(key, []).append(found)
    results.memory = {key: resident_megabytes(server.pid) for key, server in servers.items()}
    return results


async def _checked(
    workload: Workload,
    taking_part: list[Contender],
    servers: dict[str, Running],
    database: Store,
    seconds: float,
) -> dict[str, Load]:
    """The load for each contender; SystemExit unless all of them give the same data."""
    answers: dict[str, object] = {}
    loads: dict[str, Load] = {}
    for contender in taking_part:
        request = contender.request(workload)
        if request is None:
            continue
        client = await Client(servers[contender.key].port).open()
        for _ in range(2):
            before = time.perf_counter()
            body = await client.send(request)
            expected = time.perf_counter() - before
        await client.close()
        if workload.whole:
            answers[contender.key] = orjson.loads(body)
        elif contender.compared:
            answers[contender.key] = orjson.loads(body)["data"]
        share = SINGLE_SHARE if workload.connections == 1 else 1.0
        share *= 2.0 if expected > SLOW_SECONDS else 1.0
        load = Load(
            request, seconds * share, workload.connections, workload.unique, expected,
            tokens_of_people() if workload.people else (),
        )  # fmt: skip
        loads[contender.key] = load
        warm_up = replace(load, seconds=WARM_UP_SECONDS, expected=1.0)
        await measure(servers[contender.key], database, warm_up)
    _compare(workload.name, answers)
    return loads


def _compare(name: str, answers: dict[str, object]) -> None:
    first = next(iter(answers), None)
    for key, answer in answers.items():
        if first is not None and answer != answers[first]:
            shown = [orjson.dumps(answers[one]).decode()[:1000] for one in (first, key)]
            raise SystemExit(f"{name}: {first} and {key} differ:\n{shown[0]}\n{shown[1]}")
