"""Connections to addresses that were checked, and to no others; those that ask several times.

With the library of HTTP, which is loaded with the first request (`fetching/client.py`).
"""

import asyncio
import ssl
from collections.abc import Iterable
from typing import Any

import httpcore2
from httpcore2 import AnyIOBackend, AsyncNetworkBackend, AsyncNetworkStream

from fetching.addresses import Allowance
from fetching.errors import FetchError
from fetching.resolving import Resolve

MOST_ADDRESSES = 4
# Turns of the event loop in which a stream hands over what has come; the third has all of it.
_TURNS = 4
_EARLY = "it answered before it was asked"


class CheckedNetwork(AnyIOBackend):
    """Resolves a host once, checks all its addresses, and connects to one that was checked.

    TLS is done on that connection with the name of the host, so certificates are verified for it.
    """

    def __init__(self, allowance: Allowance, resolve: Resolve) -> None:
        self._allowance = allowance
        self._resolve = resolve

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 (the library's protocol)
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> AsyncNetworkStream:
        """A connection; FetchError when one of the addresses is not allowed."""
        addresses = await self._resolve(host, port)
        if not self._allowance.permits(host, port, addresses):
            raise FetchError(f"{host}: is not on the public internet, which is not allowed")
        failure: Exception | None = None
        for address in addresses[:MOST_ADDRESSES]:
            try:
                return await super().connect_tcp(
                    address, port, timeout, local_address, socket_options
                )
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
        assert failure is not None
        raise failure

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ASYNC109 (the library's protocol)
        socket_options: Iterable[Any] | None = None,
    ) -> AsyncNetworkStream:
        """Never."""
        raise FetchError("sockets of the system are not allowed")


class _AskedStream(AsyncNetworkStream):
    """Begins no request while something is there that was sent before it: HTTP/1.1 would take it
    for the answer, and each answer after it for that of the next request."""

    def __init__(self, stream: AsyncNetworkStream) -> None:
        self._stream, self._begins = stream, True

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109
        """What comes; a request is whole before its answer is read."""
        self._begins = True
        return await self._stream.read(max_bytes, timeout)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109
        """Send a part of a request; RemoteProtocolError where the first one is too late."""
        if self._begins and (problem := await self._problem()):
            raise httpcore2.RemoteProtocolError(problem)
        self._begins = False
        await self._stream.write(buffer, timeout)

    async def _problem(self) -> str:
        """Why no request can be begun."""
        # What lies between the socket and us is seen by reading alone; TLS has messages of its own.
        reading = asyncio.ensure_future(self._stream.read(1))
        try:
            for _ in range(_TURNS):
                await asyncio.sleep(0)
        finally:
            reading.cancel()
        await asyncio.wait({reading})
        if not reading.cancelled():
            early = reading.exception() is None and reading.result()
            return _EARLY if early else "it closed the connection"
        plain = self.get_extra_info("ssl_object") is None
        return _EARLY if plain and self.get_extra_info("is_readable") else ""

    async def aclose(self) -> None:
        """Close the connection."""
        await self._stream.aclose()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109
    ) -> AsyncNetworkStream:
        """The same over TLS."""
        return _AskedStream(await self._stream.start_tls(ssl_context, server_hostname, timeout))

    def get_extra_info(self, info: str) -> Any:
        """What the connection knows of itself."""
        return self._stream.get_extra_info(info)


class LineNetwork(AnyIOBackend):
    """Connections of `network` that begin no request while something is there."""

    def __init__(self, network: AsyncNetworkBackend) -> None:
        self._network = network

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 (the library's protocol)
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> AsyncNetworkStream:
        """A connection; as the network refuses them."""
        return _AskedStream(
            await self._network.connect_tcp(host, port, timeout, local_address, socket_options)
        )
