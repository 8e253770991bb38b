"""Permission for pages of other origins to call the interfaces (CORS, by the Fetch standard).

They come with tokens that they hold themselves; cookies and other credentials of the browser are
never allowed. The session of a person who is signed in is for pages of this origin alone
(account_pages/requests.py).
"""

import re

from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from docstead.http.exchange import add_vary
from docstead.http.origins import ANY

ALLOW_ORIGIN = b"access-control-allow-origin"
# By the beginning of a path: what may be called, and how.
METHODS = {
    "/graphql": "GET, POST",
    "/v1": "GET, HEAD, POST, PUT, PATCH, DELETE",
    "/uploads": "PUT",
}
# Headers of answers that scripts may read; browsers show them a few others anyway.
EXPOSED = (
    "Accept-Ranges, Allow, Content-Disposition, Content-Range, Deprecation, Docstead-Ignored, "
    "ETag, Idempotent-Replayed, Link, Location, Preference-Applied, Retry-After, "
    "WWW-Authenticate, X-Request-Id"
)
# Seconds that browsers may remember a permission; some remember it for two hours at most.
REMEMBERED = 7_200
# Names of headers that a script wants to send; all may be sent, for none of them is a credential
# that the browser adds by itself.
_NAMES = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+(?:\s*,\s*[A-Za-z0-9!#$%&'*+.^_`|~-]+)*")
LONGEST_NAMES = 1_000
USUAL = (
    "Accept, Authorization, Content-Type, Docstead-User, Idempotency-Key, If-Match, If-None-Match, "
    "Prefer, X-Docstead-Trace, X-Request-Id"
)


class CrossOrigin:
    """Answers preflights, and adds the permission to answers for origins that are allowed."""

    def __init__(self, origins: frozenset[str]) -> None:
        self._origins = origins
        self._any = ANY in origins

    async def answer(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, which `app` does unless it is the preflight of an allowed origin."""
        methods = _methods(scope)
        if methods is None:
            await app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        origin = headers.get(b"origin", b"").decode("latin-1")
        permission = self._permission(origin)
        method = headers.get(b"access-control-request-method")
        if permission is not None and scope["method"] == "OPTIONS" and method is not None:
            names = headers.get(b"access-control-request-headers", b"").decode("latin-1")
            await _preflight(permission, methods, names)(scope, receive, send)
            return

        async def send_permitted(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [*message.get("headers", ())]
                add_vary(headers, b"Origin")
                if permission is not None:
                    # Some answers are for pages of any origin already; two permissions are none.
                    headers = [header for header in headers if header[0] != ALLOW_ORIGIN]
                    headers.append((ALLOW_ORIGIN, permission.encode("latin-1")))
                    headers.append((b"access-control-expose-headers", EXPOSED.encode()))
                message = {**message, "headers": headers}
            await send(message)

        await app(scope, receive, send_permitted)

    def _permission(self, origin: str) -> str | None:
        """The origin that is given permission; None when this one is not."""
        if self._any:
            return ANY
        return origin if origin in self._origins else None


def _methods(scope: Scope) -> str | None:
    """The methods that CORS allows at a path; None where it allows none."""
    path: str = scope["path"].removeprefix(scope.get("root_path", ""))
    first, slash, _ = path[1:].partition("/")
    # Below /graphql are pages for people.
    return None if first == "graphql" and slash else METHODS.get(f"/{first}")


def _preflight(permission: str, methods: str, names: str) -> Response:
    sane = len(names) <= LONGEST_NAMES and _NAMES.fullmatch(names.strip())
    return Response(
        status_code=204,
        headers={
            "Access-Control-Allow-Origin": permission,
            "Access-Control-Allow-Methods": methods,
            "Access-Control-Allow-Headers": names.strip() if sane else USUAL,
            "Access-Control-Max-Age": str(REMEMBERED),
            "Vary": "Origin, Access-Control-Request-Method, Access-Control-Request-Headers",
        },
    )
