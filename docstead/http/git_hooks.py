"""Takes push webhooks of forges (docs/git.md)."""

import asyncio
from collections.abc import Awaitable, Callable

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from docstead.server import Server
from resolvers.core.actors import NOBODY, OPERATOR, Actor
from resolvers.core.errors import ApiError
from resolvers.core.runners import run
from resolvers.git.configurations import read_hook, receive_git_hook
from rest_compat.app import error_response
from rest_compat.endpoint import json_response

PATH = "/git/hooks/{hook}"
# What a body may have, and how long it may take.
BYTES, SECONDS = 5_000_000, 10.0
# Characters of an id; longer ones are nobody's.
ID_LENGTH = 64


def git_hook_route(
    live: Server, admit: Callable[..., Awaitable[Actor]]
) -> Callable[[Request], Awaitable[Response]]:
    """The handler of POST /git/hooks/{hook}; `admit` counts a request."""

    async def receive(request: Request) -> Response:
        async def authenticate() -> Actor:
            # Whoever knows the secret.
            return NOBODY

        try:
            await admit(request.scope, authenticate)
            body = bytearray()
            async with asyncio.timeout(SECONDS):
                async for chunk in request.stream():
                    body += chunk
                    if len(body) > BYTES:
                        return error_response(413, f"the body has more than {BYTES} bytes")
            hook = read_hook(request.headers, bytes(body))
            async with live.context_of(OPERATOR) as ctx:
                id = request.path_params["hook"][:ID_LENGTH]
                answer = await run(ctx, receive_git_hook, id, hook)
        except TimeoutError:
            return error_response(408, f"the body did not arrive within {SECONDS:g} seconds")
        except ClientDisconnect:
            return error_response(400, "the body did not arrive")
        except ApiError as error:
            return error_response(error.status, error.message)
        if answer.started:
            return json_response({"object": "git-hook", "state": "started"}, status=202)
        return json_response({"object": "git-hook", "state": "ignored", "reason": answer.reason})

    return receive
