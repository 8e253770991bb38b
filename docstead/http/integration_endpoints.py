"""Public endpoints of integrations: whatever is sent there becomes a `fetch` event.

What a script answers is a stranger's. So it gets no cookies of this host and sets none, and its
pages are in a sandbox: they have no origin, least of all ours.
"""

import base64
import binascii
import contextlib
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from db.ids import new_id
from db.integration_enums import IntegrationScope as Scope
from docstead.http.body_guard import BodyLimits, read_body
from docstead.http.client_addresses import client_address
from docstead.server import Server
from resolvers.access import tokens
from resolvers.core.actors import NOBODY, OPERATOR, Actor
from resolvers.core.context import Context
from resolvers.core.errors import ApiError
from resolvers.core.runners import read, run
from resolvers.integrations.deliveries import record_answer
from resolvers.integrations.environments import Prepared, Subject, find_subject, prepare
from resolvers.integrations.fields import ENDPOINT_PATH
from rest_compat.app import error_response
from runtime import limits
from runtime.calls import BusyError, UnavailableError
from runtime.headers import OF_CONNECTIONS
from runtime.places import Places
from runtime.runner import Run
from runtime.script_requests import MARK

# Of one address: requests whose scripts run at once, and so many more that wait.
AT_ONCE_OF_ADDRESS, WAITING_OF_ADDRESS = 2, 10
# Requests of one installation that are written down in a minute.
RECORDS_A_MINUTE = 60
PATH = f"{ENDPOINT_PATH}/{{path:path}}"
METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
SCRIPT, SCRIPT_TYPE = "script", "text/javascript; charset=utf-8"
_PLACES = {"spaces": "space_id", "sites": "site_id"}
# What it may do to a browser that shows it: nothing with the origin of this server.
SANDBOX = (
    "sandbox allow-scripts allow-forms allow-popups allow-downloads "
    "allow-top-navigation-by-user-activation"
)
# Of requests: what is not for integrations. Of answers: what would hold for the whole host, be it
# in the browser or in a proxy before this server, which may even send files when it is asked to.
_NOT_IN = OF_CONNECTIONS | {"cookie", "forwarded", "x-real-ip", MARK}
_NOT_OUT = OF_CONNECTIONS | {
    "set-cookie", "set-cookie2", "clear-site-data", "strict-transport-security",
    "service-worker-allowed", "public-key-pins", "expect-ct", "alt-svc", "nel", "report-to",
    "reporting-endpoints", "accept-ch", "critical-ch", "set-login", "origin-trial",
    "use-as-dictionary", "www-authenticate", "x-sendfile", "age", "date", "server",
}  # fmt: skip
_NOT_OUT_BEGINNINGS = ("x-accel-", "x-lighttpd-", "x-reproxy-", "cdn-", "surrogate-")
_CACHE = "cache-control"
_WITHOUT_BODY = frozenset({204, 205, 304})
# Characters of an address that stand for themselves, or as what they are coded by.
_PLAIN = "/%:@!$&'()*+,;=~"


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

    places = Places(AT_ONCE_OF_ADDRESS)
    records = _Records()

    async def nobody() -> Actor:
        return NOBODY

    async def endpoint(request: Request) -> Response:
        await admit(request.scope, nobody)
        if _too_many_headers(request):
            return error_response(
                431, f"more than {limits.HEADERS} headers, or {limits.HEADER_CHARACTERS} characters"
            )
        if request.headers.get("service-worker") is not None:
            return error_response(403, "an integration is no service worker")
        address = _address(request.path_params["path"])
        bounds = BodyLimits(bytes=limits.BODY_BYTES)
        body = await read_body(request.scope, request.receive, bounds)
        async with live.context_of(OPERATOR) as ctx:
            subject = await read(ctx, _subject, address)
            if subject is None:
                return error_response(404, "there is no such integration or installation")
            if subject.is_paused:
                return error_response(503, "the installation is paused")
            event = await _event(live, request, address)
            without_body = request.method in ("GET", "HEAD")
            prepared = await read(
                ctx,
                prepare,
                subject,
                event,
                None if without_body else body,
                request.headers.get("content-type", ""),
            )
        client = client_address(request.scope, live.settings)
        if places.users(client) >= AT_ONCE_OF_ADDRESS + WAITING_OF_ADDRESS:
            return error_response(
                429, "too many of your requests are under way", headers={"Retry-After": "2"}
            )
        async with contextlib.AsyncExitStack() as place:
            await place.enter_async_context(places.one(client))
            return await _answer(live, prepared, records, place, script=address.is_script)

    return endpoint


class _Records:
    """How many requests of each installation were written down in the current minute."""

    def __init__(self) -> None:
        self._minute = 0
        self._counts: dict[str, int] = {}

    def may_record(self, installation: str, now: float) -> bool:
        """Count one more; False where there are too many."""
        minute = int(now) // 60
        if minute != self._minute:
            self._minute, self._counts = minute, {}
        self._counts[installation] = self._counts.get(installation, 0) + 1
        return self._counts[installation] <= RECORDS_A_MINUTE


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


def _too_many_headers(request: Request) -> bool:
    pairs = request.headers.raw
    size = sum(len(name) + len(value) for name, value in pairs)
    return len(pairs) > limits.HEADERS or size > limits.HEADER_CHARACTERS


async def _event(live: Server, request: Request, address: _Address) -> dict[str, Any]:
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
    headers = dict(_handed_on(live, request))
    if await _is_ours(live, headers.get("authorization", "")):
        del headers["authorization"]
    sent = {"method": request.method, "url": _url(live, request), "headers": headers}
    return {**event, "type": "fetch", "request": sent}


def _handed_on(live: Server, request: Request) -> Iterator[tuple[str, str]]:
    """The headers of a request that are not of the connection or its proxies, or cookies."""
    listed = request.headers.get("connection", "").lower().split(",")
    dropped = _NOT_IN | {name.strip() for name in listed}
    dropped |= {live.settings.client_address_header.lower()}
    for name, value in request.headers.items():
        if name not in dropped and not name.startswith("x-forwarded-"):
            yield name, value


def _url(live: Server, request: Request) -> str:
    """The address of a request as it was sent, with what is coded in it."""
    scope = request.scope
    path = quote(scope.get("raw_path") or scope["path"], safe=_PLAIN)
    query = quote(scope["query_string"], safe=f"{_PLAIN}?")
    return f"{live.settings.public_url}{path}{'?' if query else ''}{query}"


async def _is_ours(live: Server, authorization: str) -> bool:
    """Whether it is a token of this server, which is nobody else's business."""
    if not authorization or tokens.PREFIX in authorization:
        return bool(authorization)
    scheme, _, text = authorization.partition(" ")
    if scheme.lower() == "basic":
        try:
            return tokens.PREFIX.encode() in base64.b64decode(text)
        except (binascii.Error, ValueError):
            return False
    try:
        await live.authenticate(authorization)
    except ApiError:
        return False
    return True


async def _answer(
    live: Server,
    prepared: Prepared,
    records: _Records,
    place: contextlib.AsyncExitStack,
    *,
    script: bool,
) -> Response:
    try:
        done = await live.runner.respond(prepared.call, prepared.tunnel)
    except BusyError as error:
        return error_response(503, str(error), headers={"Retry-After": "2"})
    except UnavailableError as error:
        return error_response(503, str(error))
    # Until all that the script has postponed is done, too.
    rest = place.pop_all()
    try:
        live.in_background(_record(live, prepared, records, done, rest))
    except ApiError:
        await rest.aclose()
        raise
    response = done.response
    if response is None or not 200 <= response.status <= 599:
        if script:
            return _script(b"", "no-store")
        return error_response(502, "the integration has failed")
    if script and (response.status != 200 or not response.body):
        return _script(b"", "no-store")
    body = b"" if response.status in _WITHOUT_BODY else response.body
    answer = Response(body, response.status)
    for name, value in response.headers:
        if name not in _NOT_OUT and not name.startswith(_NOT_OUT_BEGINNINGS):
            answer.headers.append(name, value)
    if script:
        # Browsers run no other type where types are not guessed.
        answer.headers["Content-Type"] = SCRIPT_TYPE
    else:
        _cache_for_one_caller(answer)
    _confine(answer)
    return answer


def _script(body: bytes, cache: str) -> Response:
    answer = Response(body, 200, {"Cache-Control": cache}, SCRIPT_TYPE)
    _confine(answer)
    return answer


def _confine(answer: Response) -> None:
    # Beside what it says itself: of several policies each holds.
    answer.headers.append("Content-Security-Policy", SANDBOX)
    answer.headers["X-Content-Type-Options"] = "nosniff"
    answer.headers.setdefault("Cross-Origin-Resource-Policy", "cross-origin")
    answer.headers.setdefault("Referrer-Policy", "no-referrer")


def _cache_for_one_caller(answer: Response) -> None:
    """Let no shared cache give what one caller got to another one."""
    directives = [part.strip() for part in ",".join(answer.headers.getlist(_CACHE)).split(",")]
    del answer.headers[_CACHE]
    rest = [
        part
        for part in directives
        if part and part.lower().partition("=")[0] not in ("public", "private", "s-maxage")
    ]
    answer.headers[_CACHE] = ", ".join(["private", *rest]) if any(directives) else "no-store"


async def _record(
    live: Server,
    prepared: Prepared,
    records: _Records,
    done: Run,
    place: contextlib.AsyncExitStack,
) -> None:
    """Write down what failed, or was logged: an event for each view of a page would be too many.

    Strangers decide how often that is, so there is a bound.
    """
    async with place:
        answer = await done.rest
    if not (answer.failed or answer.log):
        return
    if records.may_record(prepared.call.installation, time.time()):
        async with live.context_of(OPERATOR) as ctx:
            await run(ctx, record_answer, prepared, answer)
