"""Bodies of requests to published sites, as `published` asks for them."""

from typing import Any

from starlette.requests import Request

from docstead.http.body_guard import BodyLimits, read_body, read_json
from docstead.http.time_limits import ClientDisconnected
from resolvers.core.errors import BadRequest

# Levels within each other.
DEPTH = 64
GONE = "the client has gone before all was read"


async def json_of(request: Request, most: int) -> Any:
    """The JSON of a body of at most so many bytes; ApiError for another one."""
    limits = BodyLimits(bytes=most, values=10_000, depth=DEPTH)
    try:
        return await read_json(request.scope, request.receive, limits)
    except ClientDisconnected as error:
        raise BadRequest(GONE) from error


async def bytes_of(request: Request, most: int) -> bytes:
    """The bytes of a body, so many at most; ApiError for more."""
    try:
        return await read_body(request.scope, request.receive, BodyLimits(bytes=most))
    except ClientDisconnected as error:
        raise BadRequest(GONE) from error
