"""`python -m benchmarks.client`: load from a process of its own, where wrk is not the right one.

Reads one JSON object: port, method, path, tokens (used in turn), body, seconds, connections, and
`unique`, the text that every request replaces by a number of its own (empty = none). Writes one:
requests, seconds, p50 and p99 in milliseconds. Every connection finishes its last request, so that
what a server used can be divided by what it answered, also when it answers slowly.
"""

import asyncio
import dataclasses
import itertools
import random
import sys
import time
from typing import Any

import orjson
import uvloop

from benchmarks.http import Client, Request


async def measure(given: dict[str, Any]) -> dict[str, float]:
    """Ask on several connections for about this time; at least once on each."""
    tokens = itertools.cycle(given["tokens"])
    request = Request(given["method"], given["path"], next(tokens), given["body"].encode())
    clients = [await Client(given["port"]).open() for _ in range(given["connections"])]
    unique = given["unique"].encode()
    # Eight digits: no two runs give a server the same text.
    numbers = itertools.count(random.randrange(10_000_000, 90_000_000))
    times: list[float] = []
    start = time.perf_counter()

    async def keep_asking(client: Client) -> None:
        while True:
            body = request.body
            if unique:
                body = body.replace(unique, str(next(numbers)).encode())
            asked = dataclasses.replace(request, token=next(tokens), body=body)
            before = time.perf_counter()
            await client.send(asked)
            now = time.perf_counter()
            times.append(1000 * (now - before))
            if now - start >= given["seconds"]:
                return

    await asyncio.gather(*(keep_asking(client) for client in clients))
    passed = time.perf_counter() - start
    for client in clients:
        await client.close()
    times.sort()
    return {
        "requests": len(times),
        "seconds": passed,
        "p50": _part(times, 0.5),
        "p99": _part(times, 0.99),
    }


def _part(ordered: list[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


if __name__ == "__main__":
    result = uvloop.run(measure(orjson.loads(sys.stdin.buffer.read())))
    sys.stdout.write(orjson.dumps(result).decode() + "\n")
