"""The addresses of a host."""

import asyncio
import socket
from collections.abc import Awaitable, Callable

from fetching.errors import FetchError

# Addresses of a host and port, in the order in which they are tried.
Resolve = Callable[[str, int], Awaitable[list[str]]]


async def resolve_by_system(host: str, port: int) -> list[str]:
    """The addresses that the system's resolver knows; FetchError when there are none."""
    loop = asyncio.get_running_loop()
    try:
        entries = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise FetchError(f"{host}: the name cannot be resolved") from error
    return list(dict.fromkeys(str(entry[4][0]) for entry in entries))
