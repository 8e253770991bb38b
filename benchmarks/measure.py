"""Load for a given time, and what it showed."""

import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from benchmarks.http import Client

Run = Callable[[Client], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Figures:
    """Reads per second, and the time that one read took in milliseconds."""

    per_second: float
    p50: float
    p99: float


async def measure(port: int, run: Run, seconds: float, connections: int) -> Figures:
    """Run reads on several connections for about this time; at least one on each."""
    clients = [await Client(port).open() for _ in range(connections)]
    times: list[float] = []
    start = time.perf_counter()

    async def keep_asking(client: Client) -> None:
        while True:
            before = time.perf_counter()
            await run(client)
            now = time.perf_counter()
            times.append(now - before)
            if now - start >= seconds:
                return

    await asyncio.gather(*(keep_asking(client) for client in clients))
    passed = time.perf_counter() - start
    for client in clients:
        await client.close()
    ordered = sorted(times)
    return Figures(len(times) / passed, 1000 * _part(ordered, 0.5), 1000 * _part(ordered, 0.99))


def _part(ordered: list[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def median(rounds: list[Figures]) -> Figures:
    """The median of each figure over the rounds."""
    return Figures(
        statistics.median(one.per_second for one in rounds),
        statistics.median(one.p50 for one in rounds),
        statistics.median(one.p99 for one in rounds),
    )
