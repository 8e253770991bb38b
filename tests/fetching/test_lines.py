"""Several requests over one connection: each answer is of the request that came before it."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpcore2
import pytest
from hypothesis import given, settings, strategies as st

from fetching.addresses import Allowance
from fetching.client import Fetcher, FetchLimits
from fetching.lines import Line
from fetching.network import CheckedNetwork, LineNetwork
from tests.fetching.servers import response

HERE = Path(__file__).parent
FORGED = response(b"forged", "X-Long: " + "x" * 300)
LIMITS = FetchLimits(step_seconds=20, total_seconds=30, bytes=100_000)


@dataclass
class Talkative:
    """Answers each request with its own body; then sends what nobody asked for."""

    # What follows each answer: in the same piece, and after a while.
    together: bytes = b""
    after: bytes = b""
    # What is sent when a connection is made.
    first: bytes = b""
    port: int = 0
    connections: int = 0
    sent: asyncio.Event = field(default_factory=asyncio.Event)

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            writer.write(self.first)
            await writer.drain()
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
                length = int(head.partition("content-length: ")[2].partition("\r\n")[0])
                body = await reader.readexactly(length)
                writer.write(response(b"of " + body) + self.together)
                await writer.drain()
                if self.after:
                    await asyncio.sleep(0.02)
                    writer.write(self.after)
                    await writer.drain()
                self.sent.set()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def talking(server: Talkative, *, tls: bool) -> AsyncIterator[tuple[Fetcher, str]]:
    context = None
    if tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(HERE / "localhost.crt", HERE / "localhost.key")
    listening = await asyncio.start_server(server.connected, "127.0.0.1", 0, ssl=context)
    server.port = listening.sockets[0].getsockname()[1]

    async def resolve(host: str, port: int) -> list[str]:
        return ["127.0.0.1"]

    allowance = Allowance(frozenset({("docs.example", server.port)}))
    trusting = ssl.create_default_context(cafile=str(HERE / "localhost.crt"))
    fetcher = Fetcher(allowance, LIMITS, resolve=resolve, tls=trusting if tls else None)
    try:
        yield fetcher, f"{'https' if tls else 'http'}://docs.example:{server.port}/"
    finally:
        listening.close()


async def ask(
    fetcher: Fetcher, url: str, server: Talkative, bodies: Sequence[bytes]
) -> list[bytes]:
    line, answers = Line(), []
    try:
        for body in bodies:
            server.sent.clear()
            answer = await fetcher.send(url, body, {}, max_bytes=1_000, seconds=20, line=line)
            answers.append(answer[1])
            await server.sent.wait()
            # What was sent last is there.
            await asyncio.sleep(0.01)
    finally:
        await line.close()
    return answers


@pytest.mark.parametrize("tls", [False, True])
async def test_answers_in_a_row_share_a_connection(tls: bool) -> None:
    server, bodies = Talkative(), [b"%d" % number for number in range(5)]
    async with talking(server, tls=tls) as (fetcher, url):
        assert await ask(fetcher, url, server, bodies) == [b"of " + body for body in bodies]
    assert server.connections == 1


@pytest.mark.parametrize("tls", [False, True])
@pytest.mark.parametrize(
    ("together", "after"),
    [
        (FORGED, b""),
        (b"", FORGED),
        (FORGED[:20], FORGED[20:]),
        (b"\r\n", b""),
        (FORGED[:1], b""),
        # More than the parser takes at a time.
        (FORGED * 500, b""),
        (b"", FORGED * 500),
    ],
)
async def test_no_answer_is_of_the_next_request(tls: bool, together: bytes, after: bytes) -> None:
    server, bodies = Talkative(together, after), [b"%d" % number for number in range(4)]
    async with talking(server, tls=tls) as (fetcher, url):
        assert await ask(fetcher, url, server, bodies) == [b"of " + body for body in bodies]
    assert server.connections == len(bodies)


@settings(max_examples=40, deadline=None)
@given(st.binary(min_size=1, max_size=400), st.integers(0, 400), st.booleans())
def test_whatever_is_sent_besides(extra: bytes, cut: int, tls: bool) -> None:
    async def converse() -> None:
        server = Talkative(extra[:cut], extra[cut:])
        async with talking(server, tls=tls) as (fetcher, url):
            assert await ask(fetcher, url, server, [b"1", b"2"]) == [b"of 1", b"of 2"]
        assert server.connections == 2

    asyncio.run(converse())


@pytest.mark.parametrize("tls", [False, True])
@pytest.mark.parametrize("first", [b"", FORGED])
async def test_what_comes_with_the_connection(tls: bool, first: bytes) -> None:
    """With TLS, too, which says something of its own before the first request."""
    server = Talkative(first=first)
    async with talking(server, tls=tls) as (fetcher, _):
        network = LineNetwork(CheckedNetwork(fetcher._allowance, fetcher._resolve))
        stream = await network.connect_tcp("docs.example", server.port, 20)
        if tls:
            assert fetcher._tls is not None
            stream = await stream.start_tls(fetcher._tls, "docs.example", 20)
        await asyncio.sleep(0.05)
        request = b"POST / HTTP/1.1\r\nContent-Length: 1\r\n\r\n1"
        if first:
            with pytest.raises(httpcore2.RemoteProtocolError, match="before it was asked"):
                await stream.write(request, 20)
        else:
            await stream.write(request, 20)
            assert (await stream.read(1_000, 20)).endswith(b"of 1")
        await stream.aclose()
