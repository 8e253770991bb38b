"""Which host names belong to published sites: all their paths are the site's, not the service's."""

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from published.handler import PublishedSites
from published.server import Server
from resolvers.addresses.hosts import is_site_host

# How long it is remembered that a host name is a site's, or none; seconds and number of names.
REMEMBERED = 5.0
NAMES = 1000
NAME_LENGTH = 253
LOCAL = frozenset({"", "localhost"})


class SiteHosts:
    """An ASGI application for requests to the host names of sites."""

    def __init__(
        self, live: Server, sites: PublishedSites, guarded: Callable[[ASGIApp], ASGIApp]
    ) -> None:
        self._live = live
        self._sites = sites
        self._own = (urlsplit(live.settings.public_url).hostname or "").lower()
        self._known: OrderedDict[str, tuple[bool, float]] = OrderedDict()
        self._app = guarded(self._serve)

    async def takes(self, scope: Scope) -> bool:
        """Whether a request is for a site, by its host name alone.

        Names before that of the service are of organizations; any other name is looked for.
        """
        host = _host(scope)
        if host == self._own or host in LOCAL:
            return False
        if host.endswith(f".{self._own}"):
            return True
        return _is_name(host) and not _is_address(host) and await self._is_known(host)

    async def _is_known(self, host: str) -> bool:
        now = time.monotonic()
        cached = self._known.get(host)
        if cached is not None and now - cached[1] < REMEMBERED:
            return cached[0]
        is_site = await is_site_host(self._live.database.points, host)
        self._known[host] = is_site, now
        while len(self._known) > NAMES:
            self._known.popitem(last=False)
        return is_site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request that this takes."""
        await self._app(scope, receive, send)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] not in ("GET", "HEAD"):
            refused = PlainTextResponse("Method Not Allowed", 405, headers={"Allow": "GET, HEAD"})
            await refused(scope, receive, send)
            return
        response = await self._sites.on_host(Request(scope, receive))
        await response(scope, receive, send)


def _host(scope: Scope) -> str:
    """The host name of a request, without the port, in lower case."""
    for name, value in scope["headers"]:
        if name == b"host":
            text = str(value, "latin-1").lower()
            if text.startswith("["):
                return text.partition("]")[0] + "]"
            return text.rpartition(":")[0] if ":" in text else text
    return ""


def _is_name(host: str) -> bool:
    """Whether a site could have this name; no other is looked for, or remembered."""
    return len(host) <= NAME_LENGTH and host.isprintable()


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True
