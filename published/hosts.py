"""Which host names belong to published sites: all their paths are the site's, not the service's."""

import ipaddress
from collections.abc import Awaitable, Callable
from functools import partial
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from published.handler import PublishedSites
from published.posts import takes_bodies
from published.server import Server
from resolvers.addresses.hosts import OWN_ROOT, is_site_host

# No host name is longer.
NAME_LENGTH = 253
LOCAL = frozenset({"", "localhost"})
METHODS = frozenset({"GET", "HEAD"})
BELOW = f"/{OWN_ROOT}/"
Answer = Callable[[Request], Awaitable[ASGIApp]]


class SiteHosts:
    """The ASGI applications for requests to sites: on their host names, and below `/sites`."""

    def __init__(
        self, live: Server, sites: PublishedSites, guarded: Callable[[ASGIApp], ASGIApp]
    ) -> None:
        self._live = live
        self._own = (urlsplit(live.settings.public_url).hostname or "").lower()
        self._on_host = guarded(partial(self._serve, sites.on_host))
        self._below_sites = guarded(partial(self._serve_below, sites.below_sites))

    async def app_of(self, scope: Scope) -> ASGIApp | None:
        """What answers a request for a site; None for all other requests."""
        if await self._is_sites(scope):
            return self._on_host
        # Past the routes, which cost more than a page that is kept.
        path = scope["path"]
        below = path.startswith(BELOW) and path[len(BELOW) : len(BELOW) + 1] not in ("", "/")
        return self._below_sites if below and not scope["root_path"] else None

    async def _is_sites(self, scope: Scope) -> bool:
        """Whether a request is for a site by its host name alone.

        Names before that of the service are of organizations; any other name is looked for.
        """
        host = _host(scope)
        if host == self._own or host in LOCAL:
            return False
        if host.endswith(f".{self._own}"):
            return True
        if not _is_name(host) or _is_address(host):
            return False
        # Not remembered: it is one read by key, which requests share.
        return await is_site_host(self._live.database.points, host)

    async def _serve_below(
        self, answer: Answer, scope: Scope, receive: Receive, send: Send
    ) -> None:
        # As a route would: the log names the site of a path that has an endpoint.
        scope["endpoint"] = answer
        await self._serve(answer, scope, receive, send)

    async def _serve(self, answer: Answer, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] not in METHODS and not _is_taken(scope["method"], scope["path"]):
            allowed = "GET, HEAD, POST" if takes_bodies(scope["path"]) else "GET, HEAD"
            refused = PlainTextResponse("Method Not Allowed", 405, headers={"Allow": allowed})
            await refused(scope, receive, send)
            return
        response = await answer(Request(scope, receive))
        await response(scope, receive, send)


def _is_taken(method: str, path: str) -> bool:
    return method == "POST" and takes_bodies(path)


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
    """Whether a site could have this name; no other is looked for."""
    return len(host) <= NAME_LENGTH and host.isprintable()


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True
