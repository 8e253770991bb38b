"""Public OpenAPI specifications, for everybody (docs/openapi-specifications.md)."""

import asyncio
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response

from docstead.server import Server
from resolvers.core.actors import NOBODY, Actor
from resolvers.core.runners import read
from resolvers.specifications.operations import get_public_specification
from rest_compat.entity_tags import is_known

PATH = "/openapi/{specification}.json"


def specification_route(
    live: Server, admit: Callable[..., Awaitable[Actor]]
) -> Callable[[Request], Awaitable[Response]]:
    """The handler of their addresses; `admit` finds the actor of a request and counts it."""

    async def specification(request: Request) -> Response:
        async def authenticate() -> Actor:
            # Whoever asks: a token neither helps nor harms.
            return NOBODY

        actor = await admit(request.scope, authenticate)
        async with live.context_of(actor) as ctx:
            shown = await read(ctx, get_public_specification, request.path_params["specification"])
        headers = {
            "ETag": f'"{shown.digest}"', "Cache-Control": "public, no-cache",
            "Access-Control-Allow-Origin": "*",
        }  # fmt: skip
        if is_known(request, headers["ETag"]):
            return Response(status_code=304, headers=headers)
        text = await asyncio.to_thread(shown.text)
        return Response(text, headers=headers, media_type="application/json")

    return specification
