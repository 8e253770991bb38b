"""What published sites take by POST: by whom, how its bodies are read, and what answers need."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.types import Scope

from published.server import Server
from resolvers.core.rate_limits import Quota

# The addresses below a site that take bodies.
_TAKEN = re.compile(r"/~gitbook/(?:mcp|feedback|block)\Z")
# The JSON of a body of so many bytes at most, and the bytes of one; ApiError for others.
ReadJson = Callable[[Request, int], Awaitable[Any]]
ReadBytes = Callable[[Request, int], Awaitable[bytes]]


@dataclass(frozen=True, slots=True)
class Bodies:
    """How bodies are read, within bounds of their size and time."""

    json: ReadJson
    bytes: ReadBytes


@dataclass(eq=False)
class Taker:
    """What answers to POSTs on all sites of this server process; `_seconds` bound one answer,
    `_quota_of` says how often whoever sends a request may."""

    _live: Server
    _seconds: float
    _quota_of: Callable[[Scope], Quota | None]
    _bodies: Bodies


def takes_bodies(path: str) -> bool:
    """Whether POST is an answer at a path of a site."""
    return _TAKEN.search(path) is not None


def is_from_elsewhere(request: Request) -> bool:
    """Whether a page of another site has sent this request, as far as the browser tells.

    Programs that are no browsers tell nothing.
    """
    site = request.headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        return True
    origin = request.headers.get("origin")
    # Pages that tell nobody where they are have none; then the header above has said it.
    if origin is None or (origin == "null" and site is not None):
        return False
    own = {request.headers.get("host", ""), request.headers.get("x-forwarded-host", "")}
    try:
        host = urlsplit(origin).netloc.lower()
    except ValueError:
        return True
    return host not in {name.lower() for name in own if name}
