"""A receiver of webhooks on loopback: it takes events, fails, hangs, redirects and breaks off."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

# What it can do instead of answering with a status.
HANG, BREAK, SLOW_BODY, CLOSE = "hang", "break", "slow body", "close"
ENDLESS, ENDLESS_HEAD = "endless", "endless head"
Behaviour = int | str
MOST_SENT = 50_000_000


@dataclass
class Receiver:
    """What it does with each request: the next of its plan, then 200."""

    port: int = 0
    plan: list[Behaviour] = field(default_factory=list)
    received: list[tuple[dict[str, str], bytes]] = field(default_factory=list)
    # Let go of whoever hangs.
    released: asyncio.Event = field(default_factory=asyncio.Event)
    came: asyncio.Event = field(default_factory=asyncio.Event)
    body: bytes = b"thanks"
    retry_after: str = ""
    # Bytes of answers without an end.
    sent: int = 0
    paths: list[str] = field(default_factory=list)
    # Without it answers wait.
    open: asyncio.Event = field(default_factory=asyncio.Event)
    # Requests that a connection is good for, and connections that there were.
    of_connection: int = 1
    connections: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/in?key=1"

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [json.loads(body) for _, body in self.received]

    @property
    def types(self) -> list[str]:
        return [body["type"] for body in self.bodies]

    @property
    def positions(self) -> list[int]:
        return [body["position"] for body in self.bodies]

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            for _ in range(self.of_connection):
                await self._answer_one(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _answer_one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        lines = [line.partition(": ") for line in head.split("\r\n")[1:] if line]
        headers = {name.lower(): value for name, _, value in lines}
        body = await reader.readexactly(int(headers["content-length"]))
        self.paths.append(head.split(" ", 2)[1])
        self.received.append((headers, body))
        self.came.set()
        await self.open.wait()
        await self._act(self.plan.pop(0) if self.plan else 200, writer)

    async def _act(self, behaviour: Behaviour, writer: asyncio.StreamWriter) -> None:
        if behaviour == CLOSE:
            return
        if behaviour in (ENDLESS, ENDLESS_HEAD):
            writer.write(b"HTTP/1.1 200 X\r\n" + (b"\r\n" if behaviour == ENDLESS else b""))
            # Until the other side has enough.
            while self.sent < MOST_SENT:
                part = (
                    b"\xff\x00" * 500 if behaviour == ENDLESS else b"X-A: " + b"a" * 993 + b"\r\n"
                )
                writer.write(part)
                self.sent += len(part)
                await writer.drain()
            return
        if behaviour == HANG:
            await self.released.wait()
            return
        status = behaviour if isinstance(behaviour, int) else 200
        length = len(self.body) + (10 if isinstance(behaviour, str) else 0)
        later = f"Retry-After: {self.retry_after}\r\n" if self.retry_after else ""
        head = f"HTTP/1.1 {status} X\r\nContent-Length: {length}\r\nLocation: /elsewhere\r\n"
        writer.write(f"{head}{later}\r\n".encode() + self.body)
        await writer.drain()
        if behaviour == SLOW_BODY:
            await self.released.wait()


@asynccontextmanager
async def receiving() -> AsyncIterator[Receiver]:
    """A receiver that listens on a port of loopback."""
    receiver = Receiver()
    receiver.open.set()
    listening = await asyncio.start_server(receiver.answer, "127.0.0.1", 0)
    receiver.port = listening.sockets[0].getsockname()[1]
    try:
        yield receiver
    finally:
        receiver.released.set()
        receiver.open.set()
        listening.close()
        await listening.wait_closed()
