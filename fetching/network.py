"""Connections to addresses that were checked, and to no others."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import httpcore2
from httpcore2 import AnyIOBackend, AsyncNetworkStream

from fetching.addresses import Allowance
from fetching.errors import FetchError

# Addresses of a host and port, in the order in which they are tried.
Resolve = Callable[[str, int], Awaitable[list[str]]]
MOST_ADDRESSES = 4


async def resolve_by_system(host: str, port: int) -> list[str]:
    """The addresses that the system's resolver knows; FetchError when there are none."""
    loop = asyncio.get_running_loop()
    try:
        entries = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise FetchError(f"{host}: the name cannot be resolved") from error
    return list(dict.fromkeys(str(entry[4][0]) for entry in entries))


class CheckedNetwork(AnyIOBackend):
    """Resolves a host once, checks all its addresses, and connects to one that was checked.

    TLS is done on that connection with the name of the host, so certificates are verified for it.
    """

    def __init__(self, allowance: Allowance, resolve: Resolve) -> None:
        self._allowance = allowance
        self._resolve = resolve

    def permits(self, host: str, port: int, addresses: Iterable[str]) -> bool:
        """Whether a host that has these addresses may be connected to."""
        return self._allowance.permits(host, port, addresses)

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
        if not self.permits(host, port, addresses):
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
