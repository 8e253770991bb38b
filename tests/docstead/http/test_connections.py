"""Connections whose clients let the server wait are ended; all others are served as ever."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send

from docstead.http.connections import HEAD_BYTES, BoundedConnection

GET = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
LARGE = 64 * 1024 * 1024
SECONDS = 60


class Impatient(BoundedConnection):
    """The same bounds, so short that tests need not wait."""

    head_seconds = body_seconds = read_seconds = 0.5
    sweep_seconds = 0.05


class Slower(Impatient):
    """So long that a busy machine does not make what a test does in time too late."""

    head_seconds = body_seconds = read_seconds = 2.5


class Service:
    """Answers with what a request asks for, and notes how requests have ended."""

    def __init__(self) -> None:
        self.hung_up = asyncio.Event()
        self.go_on = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] == "/slow":
            await self.go_on.wait()
        if scope["path"] == "/body":
            while (message := await receive()).get("more_body"):
                pass
            if message["type"] == "http.disconnect":
                self.hung_up.set()
                return
        size = LARGE if scope["path"] == "/large" else 2
        headers = [(b"content-length", b"%d" % size)]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"o" * size})


@asynccontextmanager
async def listening(
    service: Service, http: type[BoundedConnection] = Impatient
) -> AsyncIterator[int]:
    config = uvicorn.Config(
        service, port=0, lifespan="off", log_level="critical", http=http, loop="none"
    )
    server = uvicorn.Server(config)
    config.load()
    server.lifespan = config.lifespan_class(config)
    await server.startup()
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        for open_server in server.servers:
            open_server.close()


async def talk(port: int, first: bytes, again: bytes = b"") -> bytes:
    """What comes back on a connection until the server ends it; `again` is sent meanwhile."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)

    async def repeat() -> None:
        while again:
            await asyncio.sleep(0.02)
            writer.write(again)
            await writer.drain()

    writer.write(first)
    repeating = asyncio.create_task(repeat())
    answer = b""
    with suppress(ConnectionError):
        while piece := await reader.read(4096):
            answer += piece
    repeating.cancel()
    with suppress(asyncio.CancelledError, ConnectionError):
        await repeating
    writer.close()
    return answer


HALF_OPEN = {
    "nothing": (b"", b""),
    "half a head": (GET[:-4], b""),
    "a head that never ends": (GET[:-2], b"X: y\r\n"),
    "line ends before a head": (b"\r\n", b"\r\n"),
    "a body that does not come": (b"POST /body HTTP/1.1\r\nContent-Length: 5\r\n\r\nab", b""),
    "chunks that do not come": (b"POST /body HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", b""),
}


@pytest.mark.parametrize("what", HALF_OPEN)
async def test_what_a_client_leaves_half_open_ends(what: str) -> None:
    service = Service()
    async with listening(service) as port, asyncio.timeout(SECONDS):
        assert await talk(port, *HALF_OPEN[what]) == b""
        if "/body" in HALF_OPEN[what][0].decode():
            await service.hung_up.wait()


async def test_a_body_that_trickles_behind_its_answer_holds_nothing_open() -> None:
    async with listening(Service()) as port, asyncio.timeout(SECONDS):
        head = b"POST / HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n"
        assert (await talk(port, head, b"a")).startswith(b"HTTP/1.1 200")


async def test_a_client_that_does_not_read_is_left() -> None:
    async with listening(Service()) as port, asyncio.timeout(SECONDS):
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1024)
        writer.write(GET.replace(b"/ ", b"/large "))
        await asyncio.sleep(1)
        received = 0
        with suppress(ConnectionError):
            while chunk := await reader.read(1_000_000):
                received += len(chunk)
        assert 0 < received < LARGE
        writer.close()


async def test_a_head_without_end_is_refused_before_it_is_stored() -> None:
    async with listening(Service()) as port, asyncio.timeout(SECONDS):
        line = b"X-Filler: " + b"x" * 1000 + b"\r\n"
        head = GET[:-2] + line * (HEAD_BYTES // len(line) + 500)
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for start in range(0, len(head), 4096):
            writer.write(head[start : start + 4096])
            with suppress(ConnectionError):
                await writer.drain()
        answer = b""
        with suppress(ConnectionError):
            answer = await reader.read(1000)
        assert answer.startswith(b"HTTP/1.1 431") or not answer
        assert b"200" not in answer
        writer.close()


async def test_a_body_that_was_answered_already_is_no_head() -> None:
    async with listening(Service()) as port, asyncio.timeout(SECONDS):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"POST / HTTP/1.1\r\nContent-Length: %d\r\n\r\n" % (4 * HEAD_BYTES))
        assert (await reader.readuntil(b"oo")).startswith(b"HTTP/1.1 200")
        for _ in range(4):
            writer.write(b"x" * HEAD_BYTES)
            await writer.drain()
        writer.write(GET)
        assert (await reader.readuntil(b"oo")).startswith(b"HTTP/1.1 200")
        writer.close()


@pytest.mark.parametrize("end", [b"0\r\nX: ", b"1; x="], ids=["behind chunks", "beside a chunk"])
async def test_what_stands_beside_a_body_is_bounded(end: bytes) -> None:
    service = Service()
    async with listening(service) as port, asyncio.timeout(SECONDS):
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"POST /body HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + end)
        sent = 0
        with suppress(ConnectionError):
            while sent < LARGE:
                writer.write(b"x" * 4096)
                await writer.drain()
                sent += 4096
        assert sent < LARGE
        await service.hung_up.wait()
        writer.close()


async def test_others_are_served_as_long_as_it_takes() -> None:
    service = Service()
    async with listening(service, Slower) as port, asyncio.timeout(SECONDS):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for _ in range(3):
            writer.write(GET)
            answer = await reader.readuntil(b"oo")
            assert answer.startswith(b"HTTP/1.1 200")
            await asyncio.sleep(0.9)
        # What the server itself takes long for is not the client's fault, nor what waits behind it.
        writer.write(GET.replace(b"/ ", b"/slow ") + GET)
        await asyncio.sleep(2.8)
        service.go_on.set()
        for _ in range(2):
            assert (await reader.readuntil(b"oo")).startswith(b"HTTP/1.1 200")
        # The next head has its whole time again.
        writer.write(GET[:-4])
        await asyncio.sleep(0.9)
        writer.write(GET[-4:])
        assert (await reader.readuntil(b"oo")).startswith(b"HTTP/1.1 200")
        writer.close()
