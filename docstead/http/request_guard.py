"""Checks of every HTTP request and headers of every response."""

import re

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rest_compat.app import error_response
from rest_compat.routing import ANY_ORIGIN

# Line ends and other controls: routes are regular expressions, in which `.` and `$` treat line
# ends specially, and no identifier or name in a path contains them.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class RequestGuard:
    """Refuses paths with control characters; forbids browsers to guess types of answers."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["X-Content-Type-Options"] = "nosniff"
                if scope.get(ANY_ORIGIN):
                    headers["Access-Control-Allow-Origin"] = "*"
            await send(message)

        if _CONTROL.search(scope["path"]):
            refusal = error_response(404, "the path has a control character; there is nothing")
            await refusal(scope, receive, send_guarded)
            return
        await self._app(scope, receive, send_guarded)
