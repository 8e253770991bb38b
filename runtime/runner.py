"""Where events of integrations run: scripts in the sandbox, or at an endpoint of their author."""

import asyncio
import base64
import contextlib
from dataclasses import dataclass
from urllib.parse import urlsplit

from fetching.addresses import Allowance, host_name
from fetching.client import Fetcher
from fetching.errors import FetchError
from fetching.locations import read_location
from runtime.calls import Answer, Call, Response, UnavailableError
from runtime.endpoint import Endpoints
from runtime.fetches import Fetches
from runtime.limits import Limits
from runtime.sandbox import Sandbox

# Of what a script has named and the server reads: seconds, and bytes.
READ_SECONDS, READ_BYTES = 5.0, 200_000


@dataclass(frozen=True, slots=True)
class Run:
    """An event that has a response, or has ended without one; `rest` goes on by itself."""

    response: Response | None
    rest: "asyncio.Task[Answer]"


class Runner:
    """Runs events of one server process; for one event loop."""

    def __init__(
        self, fetcher: Fetcher, limits: Limits | None = None, *, scripts: bool = True
    ) -> None:
        """`fetcher` sends what scripts fetch and what endpoints get; without `scripts` only
        endpoints run anything."""
        self._scripts = scripts
        self.sandbox = Sandbox(fetcher, limits)
        self._endpoints = Endpoints(fetcher, self.sandbox.limits.wall_seconds)
        self._fetcher = fetcher
        self._running: set[asyncio.Task[Answer]] = set()

    async def run(self, call: Call, endpoint: str | None = None) -> Answer:
        """What came of an event, with all that it has postponed.

        It runs at the `endpoint`, a URL, unless that is None. BusyError when there is no room,
        UnavailableError where scripts do not run on this server.
        """
        if endpoint is not None:
            return await self._endpoints.run(call, endpoint)
        self._check()
        return await self.sandbox.run(call)

    async def respond(self, call: Call, endpoint: str | None = None) -> Run:
        """The response to an event as soon as there is one; as `run` for the rest."""
        if endpoint is None:
            self._check()
            return Run(*await self.sandbox.respond(call))
        task = asyncio.create_task(self._endpoints.run(call, endpoint))
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        try:
            answer = await asyncio.shield(task)
        except asyncio.CancelledError:
            task.cancel()
            raise
        return Run(answer.response, task)

    def _check(self) -> None:
        if not self._scripts:
            raise UnavailableError("this server runs no scripts of integrations")

    async def read(self, url: str) -> bytes | None:
        """What is at an address that a script has named, as the script could fetch it; None where
        that cannot be read in time, or is too much."""
        fetches = Fetches(self._fetcher, None, seconds=READ_SECONDS, most=READ_BYTES)
        details = {"method": "GET", "url": url, "headers": [["accept", "application/json"]],
                   "body": None, "redirect": "follow"}  # fmt: skip
        try:
            async with asyncio.timeout(READ_SECONDS):
                answer = await fetches.fetch(details)
        except TimeoutError:
            return None
        return base64.b64decode(answer["body"]) if answer.get("status") == 200 else None

    async def close(self) -> None:
        """End all that runs."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        await self.sandbox.close()


def with_own_scheme(url: str, own: str) -> str:
    """An address that a script has named. It names hosts without a scheme, which is https but for
    our own, `own`."""
    try:
        parts, ours = urlsplit(url), urlsplit(own)
    except ValueError:
        # No address at all: whoever is to read it says so.
        return url
    return parts._replace(scheme=ours.scheme).geturl() if parts.netloc == ours.netloc else url


def allowance_of(allowed: str, api: str) -> Allowance:
    """The addresses that events may reach wherever they are: those that the operator allows, and
    that of our own interface, `api`, a URL."""
    pairs = set(Allowance.read(allowed).pairs)
    with contextlib.suppress(FetchError):
        location = read_location(api)
        pairs.add((host_name(location.host), location.port))
    return Allowance(frozenset(pairs))
