"""Requests of scripts and to endpoints, as they leave this server."""

from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager

from fetching.addresses import Allowance
from fetching.client import Fetcher, Streamed
from fetching.locations import Location

# Says that an integration sends a request. This server counts those by it which it gets over
# loopback (docstead/http/request_limits.py); others may refuse them.
MARK = "docstead-integration"
# By what proxies say for whom they send a request.
_OF_PROXIES = frozenset({"forwarded", "x-real-ip"})


class ScriptFetcher(Fetcher):
    """Marks each request, and lets none say that it comes from another address than it does."""

    def __init__(self, allowance: Allowance, address_header: str = "") -> None:
        """`address_header` is the one by which this server takes a proxy's word for an address."""
        super().__init__(allowance)
        self._withheld = _OF_PROXIES | {MARK, address_header.lower()}

    @asynccontextmanager
    async def streamed(
        self,
        method: str,
        location: Location,
        headers: Mapping[str, str] | Collection[tuple[str, str]],
        body: AsyncIterator[bytes] | bytes | None = None,
        *,
        seconds: float,
        step_seconds: float | None = None,
    ) -> AsyncIterator[Streamed]:
        """As `Fetcher.streamed`, with the mark."""
        pairs = headers.items() if isinstance(headers, Mapping) else headers
        own = [(name, value) for name, value in pairs if not self._is_withheld(name.lower())]
        marked = [*own, (MARK, "1")]
        async with super().streamed(
            method, location, marked, body, seconds=seconds, step_seconds=step_seconds
        ) as answer:
            yield answer

    def _is_withheld(self, name: str) -> bool:
        return name in self._withheld or name.startswith("x-forwarded-")
