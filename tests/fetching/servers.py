"""Servers on loopback for tests of the client: each answers every connection in one way."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

Answer = Callable[[asyncio.StreamWriter], Awaitable[None]]


@dataclass
class Loopback:
    """A running server: its port, and the requests it got (head of each)."""

    port: int = 0
    connections: int = 0
    requests: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"


@asynccontextmanager
async def answering(
    answer: Answer | bytes, *, tls: ssl.SSLContext | None = None
) -> AsyncIterator[Loopback]:
    """A server that reads the head of a request and answers; bytes are sent as they are."""
    server = Loopback()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server.connections += 1
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            server.requests.append(head.decode())
            if isinstance(answer, bytes):
                writer.write(answer)
                await writer.drain()
            else:
                await answer(writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    listening = await asyncio.start_server(connected, "127.0.0.1", 0, ssl=tls)
    server.port = listening.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        listening.close()


def response(body: bytes = b"", *headers: str, status: str = "200 OK") -> bytes:
    """The bytes of an answer."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


@asynccontextmanager
async def serving(files: dict[str, tuple[str, bytes]]) -> AsyncIterator[Loopback]:
    """A server of files: by path, with their media types; 404 for everything else."""

    async def answer(writer: asyncio.StreamWriter) -> None:
        path = server.requests[-1].split(" ")[1]
        if path in files:
            content_type, body = files[path]
            writer.write(response(body, f"Content-Type: {content_type}"))
        else:
            writer.write(response(b"", status="404 Not Found"))
        await writer.drain()

    async with answering(answer) as server:
        yield server
