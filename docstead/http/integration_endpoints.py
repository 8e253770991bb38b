"""Public endpoints of integrations: whatever is sent there becomes a `fetch` event.

What a script answers is a stranger's. So it gets no cookies of this host and sets none, and its
pages are in a sandbox: they have no origin, least of all ours.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from db.ids import new_id
from db.integration_enums import InstallationStatus as Status, IntegrationScope as Scope
from docstead.http.body_guard import BodyLimits, read_body
from docstead.server import Server
from resolvers.access import tokens
from resolvers.core.actors import NOBODY, OPERATOR, Actor
from resolvers.core.context import Context
from resolvers.core.runners import read, run
from resolvers.integrations.deliveries import failed, record_answer
from resolvers.integrations.environments import Prepared, Subject, find_subject, prepare
from resolvers.integrations.fields import ENDPOINT_PATH
from rest_compat.app import error_response
from runtime import limits
from runtime.calls import BusyError, UnavailableError
from runtime.headers import OF_CONNECTIONS
from runtime.runner import Run

PATH = f"{ENDPOINT_PATH}/{{path:path}}"
METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
SCRIPT = "script"
_PLACES = {"spaces": "space_id", "sites": "site_id"}
# What it may do to a browser that shows it: nothing with the origin of this server.
SANDBOX = (
    "sandbox allow-scripts allow-forms allow-popups allow-downloads "
    "allow-top-navigation-by-user-activation"
)
# Of requests: what is not for integrations. Of answers: what would hold for the whole host.
_NOT_IN = OF_CONNECTIONS | {"cookie", "forwarded", "x-real-ip"}
_NOT_OUT = OF_CONNECTIONS | {
    "set-cookie", "set-cookie2", "clear-site-data", "strict-transport-security",
    "service-worker-allowed", "public-key-pins", "alt-svc", "nel", "report-to",
    "reporting-endpoints", "date", "server",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Address:
    """What a path names: an integration, an installation, an entry; `rest` is for the script."""

    name: str
    installation_id: str | None = None
    space_id: str | None = None
    site_id: str | None = None
    rest: str = ""

    @property
    def is_script(self) -> bool:
        """Whether it is that of the script for the pages of a site."""
        return self.site_id is not None and self.rest == SCRIPT


def _address(path: str) -> _Address:
    name, _, rest = path.partition("/")
    parts = rest.split("/", 4)
    if len(parts) < 2 or parts[0] != "installations" or not parts[1]:
        return _Address(name, rest=rest)
    if len(parts) >= 4 and parts[2] in _PLACES and parts[3]:
        place = {_PLACES[parts[2]]: parts[3]}
        return _Address(name, parts[1], rest="/".join(parts[4:]), **place)
    return _Address(name, parts[1], rest="/".join(parts[2:]))


def integration_endpoints_route(
    live: Server, admit: Callable[..., Awaitable[Actor]]
) -> Callable[[Request], Awaitable[Response]]:
    """The handler of public endpoints; `admit` counts the requests of each address."""

    async def nobody() -> Actor:
        return NOBODY

    async def endpoint(request: Request) -> Response:
        await admit(request.scope, nobody)
        if request.headers.get("service-worker") is not None:
            return error_response(403, "an integration is no service worker")
        address = _address(request.path_params["path"])
        bounds = BodyLimits(bytes=limits.BODY_BYTES)
        body = await read_body(request.scope, request.receive, bounds)
        async with live.context_of(OPERATOR) as ctx:
            subject = await read(ctx, _subject, address)
            if subject is None:
                return error_response(404, "there is no such integration or installation")
            if _is_paused(subject):
                return error_response(503, "the installation is paused")
            event = _event(live, request, address, subject)
            without_body = request.method in ("GET", "HEAD")
            prepared = await read(
                ctx,
                prepare,
                subject,
                event,
                None if without_body else body,
                request.headers.get("content-type", ""),
            )
        return await _answer(live, prepared, script=address.is_script)

    return endpoint


async def _subject(ctx: Context, address: _Address) -> Subject | None:
    subject = await find_subject(
        ctx,
        name=address.name[:100],
        installation_id=address.installation_id,
        space_id=address.space_id,
        site_id=address.site_id,
    )
    if subject is not None and address.is_script:
        return subject if Scope.SITE_SCRIPT_INJECT.value in subject.integration.scopes else None
    return subject


def _is_paused(subject: Subject) -> bool:
    rows = (subject.installation, subject.space, subject.site)
    return any(row is not None and row.status is Status.PAUSED for row in rows)


def _event(live: Server, request: Request, address: _Address, subject: Subject) -> dict[str, Any]:
    ids = {
        "installationId": address.installation_id,
        "spaceId": address.space_id,
        "siteId": address.site_id,
    }
    event: dict[str, Any] = {
        "eventId": new_id(),
        **{name: id for name, id in ids.items() if id is not None},
    }
    if address.is_script:
        return {**event, "type": "fetch_published_script"}
    query = f"?{request.url.query}" if request.url.query else ""
    headers = {
        name: value
        for name, value in request.headers.items()
        if name not in _NOT_IN
        and not name.startswith("x-forwarded-")
        and not (name == "authorization" and _is_ours(value))
    }
    url = f"{live.settings.public_url}{request.scope['path']}{query}"
    return {
        **event,
        "type": "fetch",
        "request": {"method": request.method, "url": url, "headers": headers},
    }


def _is_ours(authorization: str) -> bool:
    """Whether it is a token of this server, which is nobody else's business."""
    return tokens.PREFIX in authorization


async def _answer(live: Server, prepared: Prepared, *, script: bool) -> Response:
    try:
        done = await live.runner.respond(prepared.call, prepared.tunnel)
    except BusyError as error:
        return error_response(503, str(error), headers={"Retry-After": "2"})
    except UnavailableError as error:
        return error_response(503, str(error))
    live.in_background(_record(live, prepared, done))
    response = done.response
    if response is None:
        if script:
            return _script(b"", "no-store")
        return error_response(502, "the integration has failed")
    if script and (response.status != 200 or not response.body):
        return _script(b"", "no-store")
    answer = Response(response.body, response.status)
    for name, value in response.headers:
        if name not in _NOT_OUT and name != "content-length":
            answer.headers.append(name, value)
    _confine(answer)
    return answer


def _script(body: bytes, cache: str) -> Response:
    answer = Response(body, 200, {"Cache-Control": cache}, "text/javascript; charset=utf-8")
    _confine(answer)
    return answer


def _confine(answer: Response) -> None:
    # Beside what it says itself: of several policies each holds.
    answer.headers.append("Content-Security-Policy", SANDBOX)
    answer.headers["X-Content-Type-Options"] = "nosniff"
    answer.headers.setdefault("Cross-Origin-Resource-Policy", "cross-origin")
    answer.headers.setdefault("Referrer-Policy", "no-referrer")


async def _record(live: Server, prepared: Prepared, done: Run) -> None:
    """Write down what failed, or was logged: an event for each view of a page would be too many."""
    answer = await done.rest
    if failed(answer) or answer.log:
        async with live.context_of(OPERATOR) as ctx:
            await run(ctx, record_answer, prepared, answer)
