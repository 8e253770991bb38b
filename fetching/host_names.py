"""Where names of hosts lead, as the system's resolver knows it."""

import asyncio
import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from fetching.errors import FetchError


@dataclass(frozen=True, slots=True)
class HostRecord:
    """The DNS record of a name: its canonical name, behind all aliases, and its addresses."""

    canonical: str
    addresses: frozenset[str]


# None for a name that is not known; FetchError when nobody could be asked.
LookUp = Callable[[str], Awaitable[HostRecord | None]]
_UNKNOWN = frozenset({socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)})


async def look_up(name: str, seconds: float = 5) -> HostRecord | None:
    """The record of a name from the system's resolver, asked in a thread, with a time limit."""
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(seconds):
            entries = await loop.getaddrinfo(
                name, None, type=socket.SOCK_STREAM, flags=socket.AI_CANONNAME
            )
    except TimeoutError as error:
        raise FetchError(f"{name}: was not resolved within {seconds:g} seconds") from error
    except socket.gaierror as error:
        if error.errno in _UNKNOWN:
            return None
        raise FetchError(f"{name}: cannot be resolved now") from error
    except (OSError, UnicodeError) as error:
        raise FetchError(f"{name}: cannot be resolved now") from error
    canonical = next((entry[3] for entry in entries if entry[3]), name)
    addresses = frozenset(str(entry[4][0]) for entry in entries)
    return HostRecord(canonical.lower().rstrip("."), addresses)
