"""`python -m benchmarks.client`: load from a process of its own, where wrk is not the right one.

Reads one JSON object: port, method, path, tokens (used in turn), body, headers, seconds,
connections, and `unique`, the text that every request replaces by a number of its own (empty =
none). Writes one:
requests, seconds, p50 and p99 in milliseconds. Every connection finishes its last request, so that
what a server used can be divided by what it answered, also when it answers slowly.

The load has to cost less than the servers, so a connection is a protocol that looks at no more of
an answer than its status and length; what answers hold is compared before anything is measured.
"""

import asyncio
import dataclasses
import itertools
import random
import sys
import time
from collections.abc import Iterator
from typing import Any

import orjson
import uvloop

from benchmarks.http import Request
from benchmarks.percentiles import percentile

# Where errors of GraphQL stand in an answer.
BEGINNING = 2000


class Asking(asyncio.Protocol):
    """One connection that asks again as soon as it is answered, until the time is over."""

    def __init__(self, requests: Iterator[bytes], end: float, times: list[float]) -> None:
        self._requests, self._end, self._times = requests, end, times
        self._received = b""
        self._left = 0
        self._asked = 0.0
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def ask(self) -> None:
        self._asked = time.perf_counter()
        self._transport.write(next(self._requests))

    def data_received(self, data: bytes) -> None:
        if self._left:
            self._left -= len(data)
        else:
            self._received += data
            head, found, body = self._received.partition(b"\r\n\r\n")
            if not found:
                return
            length = _length(head)
            if len(body) < min(length, BEGINNING):
                return
            if head[9:10] not in b"23" or b'"errors":' in body[:BEGINNING]:
                self._fail(f"{head!r}{body[:BEGINNING]!r}")
                return
            self._received, self._left = b"", length - len(body)
        if self._left == 0:
            self._answered()

    def _answered(self) -> None:
        now = time.perf_counter()
        self._times.append(1000 * (now - self._asked))
        if now < self._end:
            self.ask()
        elif not self.done.done():
            self.done.set_result(None)
            self._transport.close()

    def _fail(self, problem: str) -> None:
        if not self.done.done():
            self.done.set_exception(SystemExit(problem))
        self._transport.close()

    def connection_lost(self, error: Exception | None) -> None:
        if not self.done.done():
            self.done.set_exception(SystemExit(f"the server closed a connection: {error}"))


def _length(head: bytes) -> int:
    """The content-length of an answer; all that have a body give one."""
    return int(head.lower().partition(b"\r\ncontent-length:")[2].partition(b"\r\n")[0] or 0)


def _requests(given: dict[str, Any]) -> Iterator[bytes]:
    """Requests without end, each with the token whose turn it is."""
    host = f"127.0.0.1:{given['port']}"
    first = Request(
        given["method"], given["path"], "", given["body"].encode(), tuple(given["headers"])
    )
    ready = [dataclasses.replace(first, token=token).to_bytes(host) for token in given["tokens"]]
    unique = given["unique"].encode()
    if not unique:
        return itertools.cycle(ready)
    # Eight digits: no two runs give a server the same text.
    numbers = itertools.count(random.randrange(10_000_000, 90_000_000))
    return (one.replace(unique, b"%d" % next(numbers)) for one in itertools.cycle(ready))


async def measure(given: dict[str, Any]) -> dict[str, float]:
    """Ask on several connections for about this time; at least once on each."""
    loop = asyncio.get_running_loop()
    times: list[float] = []
    requests = _requests(given)
    start = time.perf_counter()
    clients: list[Asking] = []
    for _ in range(given["connections"]):
        _, client = await loop.create_connection(
            lambda: Asking(requests, start + given["seconds"], times), "127.0.0.1", given["port"]
        )
        clients.append(client)
    for client in clients:
        client.ask()
    await asyncio.gather(*(client.done for client in clients))
    passed = time.perf_counter() - start
    times.sort()
    return {
        "requests": len(times),
        "seconds": passed,
        "p50": percentile(times, 0.5),
        "p99": percentile(times, 0.99),
    }


if __name__ == "__main__":
    result = uvloop.run(measure(orjson.loads(sys.stdin.buffer.read())))
    sys.stdout.write(orjson.dumps(result).decode() + "\n")
