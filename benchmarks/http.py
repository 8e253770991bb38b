"""A small HTTP/1.1 client on one kept connection: the load must cost less than the server."""

import asyncio
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Request:
    """One request, with the token it is sent with (none if empty) and further headers."""

    method: str
    path: str
    token: str
    body: bytes = b""
    # `Name: value` of each.
    headers: tuple[str, ...] = ()

    def to_bytes(self, host: str) -> bytes:
        head = f"{self.method} {self.path} HTTP/1.1\r\nHost: {host}\r\nAccept: application/json\r\n"
        if self.token:
            head += f"Authorization: Bearer {self.token}\r\n"
        head += "".join(f"{header}\r\n" for header in self.headers)
        if self.body:
            head += f"Content-Type: application/json\r\nContent-Length: {len(self.body)}\r\n"
        return head.encode() + b"\r\n" + self.body


class Client:
    """One connection to a server on loopback."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def open(self) -> "Client":
        self._reader, self._writer = await asyncio.open_connection(
            "127.0.0.1", self._port, limit=2**24
        )
        return self

    async def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
            await self._writer.wait_closed()

    async def send(self, request: Request) -> bytes:
        """The body of a successful answer; SystemExit shows any other one."""
        assert self._reader is not None
        assert self._writer is not None
        self._writer.write(request.to_bytes(f"127.0.0.1:{self._port}"))
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        length = next(
            int(line.partition(":")[2])
            for line in head.split("\r\n")
            if line.lower().startswith("content-length:")
        )
        body = await self._reader.readexactly(length)
        if head.split(" ", 2)[1][0] != "2" or b'"errors":' in body[:2000]:
            raise SystemExit(f"{request.method} {request.path}: {head}{body[:2000]!r}")
        return body
