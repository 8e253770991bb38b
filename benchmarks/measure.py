"""Load on one server for a given time, and what it showed.

wrk (a Debian package) makes the load where it is installed and answers are quick, for it costs
less than the servers that are measured. Slow answers and single connections are asked for by
`benchmarks.client`, which waits for the last answers; so is everything without wrk.
"""

import asyncio
import os
import shutil
import statistics
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import orjson

from benchmarks.http import Request
from benchmarks.servers import Running, Store
from benchmarks.usage import cpu_seconds, instructions

SCRIPT = Path(__file__).with_name("load.lua")
WRK = shutil.which("wrk")
# wrk does not count what is unanswered at the end: no matter below this time for an answer.
QUICK_SECONDS = 0.03
GRACE_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Load:
    """What is asked of a server, how long and by how many connections."""

    request: Request
    seconds: float
    connections: int
    # What every request replaces by a number of its own.
    unique: str = ""
    # How long one answer takes, about, in seconds.
    expected: float = 0.0
    # Tokens that requests use in turn, instead of that of the request.
    tokens: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Figures:
    """Requests per second, milliseconds of one request, microseconds of CPU for each.

    `cpu` is that of the server's processes, `database_cpu` that of PostgreSQL's; `instructions` are
    thousands of the server's processes for each, where they can be counted.
    """

    per_second: float
    p50: float
    p99: float
    cpu: float
    database_cpu: float
    instructions: float


async def measure(server: Running, store: Store, load: Load) -> Figures:
    """Figures of one server under this load; SystemExit when a request fails."""
    before = cpu_seconds(server.pid), _database_cpu(store)
    quick = WRK is not None and load.connections > 1 and load.expected < QUICK_SECONDS
    async with instructions(server.pid) as counted:
        found = await (_wrk if quick and not load.unique else _client)(server.port, load)
    after = cpu_seconds(server.pid), _database_cpu(store)
    requests = found["requests"]
    if not requests or found.get("failed"):
        raise SystemExit(f"{load.request.method} {load.request.path}: {found}")
    used, of_database = (1e6 * (end - start) for start, end in zip(before, after, strict=True))
    return Figures(
        requests / found["seconds"],
        found["p50"],
        found["p99"],
        used / requests,
        of_database / requests,
        counted.value / 1_000 / requests,
    )


def _database_cpu(store: Store) -> float:
    return cpu_seconds(store.pid) if store.pid is not None else 0.0


async def _wrk(port: int, load: Load) -> dict[str, float]:
    request = load.request
    # It knows whole seconds only.
    seconds = max(1, round(load.seconds))
    command = [
        WRK or "wrk", "--threads", "1", "--connections", str(load.connections),
        "--duration", f"{seconds}s", "--timeout", "20s", "--script", str(SCRIPT),
        f"http://127.0.0.1:{port}",
    ]  # fmt: skip
    environment = {
        **os.environ,
        "LOAD_METHOD": request.method,
        "LOAD_PATH": request.path,
        "LOAD_TOKENS": " ".join(load.tokens or (request.token,)),
        "LOAD_BODY": request.body.decode(),
        "LOAD_HEADERS": "\n".join(request.headers),
    }
    return await _printed(command, environment, b"", seconds)


async def _client(port: int, load: Load) -> dict[str, float]:
    request = load.request
    given = {
        "port": port,
        "method": request.method,
        "path": request.path,
        "tokens": load.tokens or (request.token,),
        "body": request.body.decode(),
        "headers": request.headers,
        "seconds": load.seconds,
        "connections": load.connections,
        "unique": load.unique,
    }
    command = [sys.executable, "-m", "benchmarks.client"]
    return await _printed(command, dict(os.environ), orjson.dumps(given), load.seconds)


async def _printed(
    command: Sequence[str], environment: dict[str, str], given: bytes, seconds: float
) -> dict[str, float]:
    """The last line that a program prints, as JSON."""
    process = await asyncio.create_subprocess_exec(
        *command,
        env=environment,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        output, _ = await asyncio.wait_for(process.communicate(given), seconds + GRACE_SECONDS)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        raise SystemExit(f"{command[0]} ended with {process.returncode}")
    found: dict[str, float] = orjson.loads(output.strip().splitlines()[-1])
    return found


def median(rounds: Sequence[Figures]) -> Figures:
    """The median of each figure over the rounds."""
    return Figures(*(_median(rounds, field.name) for field in fields(Figures)))


def _median(rounds: Sequence[Figures], name: str) -> float:
    found: float = statistics.median(getattr(one, name) for one in rounds)
    return found


def ratio(
    left: Sequence[Figures], right: Sequence[Figures], of: Callable[[Figures], float]
) -> float:
    """The median over the rounds of a figure of `left` divided by that of `right`."""
    return statistics.median(
        of(one) / (of(other) or float("nan")) for one, other in zip(left, right, strict=True)
    )
