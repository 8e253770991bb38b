"""The MCP server of a published site: `~gitbook/mcp` below its address, over streamable HTTP.

It keeps no sessions: each request says who asks, by a share key in the address, or by the token of
a visitor in a header, in the address or in a cookie, and is answered with JSON.
"""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from http import HTTPStatus
from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from db.site_enums import PublishedTarget
from published import visits
from published.answers import with_retry_after
from published.look import read_look
from published.mcp.messages import (
    HANDSHAKE,
    INTERNAL_ERROR,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    MODERN,
    PARSE_ERROR,
    RATE_LIMITED,
    Body,
    Id,
    Json,
    Message,
    RpcError,
    error_of,
    read_body,
    result_of,
    status_of,
)
from published.mcp.tools import TOOLS, Caller, call_tool, list_resources, read_resource
from published.page_actions import MCP, has_mcp
from published.posts import Taker, is_from_elsewhere
from published.resolution import resolve_visit
from published.visits import Visit
from resolvers.core.actors import NOBODY
from resolvers.core.errors import ApiError, NotFound, RateLimited
from resolvers.core.rate_limits import Quota
from resolvers.core.runners import read
from resolvers.published.audiences import Credentials
from resolvers.published.urls import PublishedRedirect
from resolvers.published.visitor_tokens import VisitorRefused
from resolvers.published.visitors import as_visitor

MOST_BYTES = 100_000
CAPABILITIES: Json = {"tools": {}, "resources": {}}
INSTRUCTIONS = (
    "The documentation {title}. Search it for words with searchDocumentation, read what was found "
    "with getPage, and see all there is with listPages. Cite the addresses of the pages."
)


class McpServer(Taker):
    """The MCP servers of all sites of this server process."""

    async def answer(self, request: Request, origin: str) -> Response:
        """The answer to a POST."""
        if is_from_elsewhere(request):
            return _failure(HTTPStatus.FORBIDDEN, INVALID_REQUEST, "Origin: another site's")
        accept = request.headers.get("accept", "*/*")
        if not any(type in accept for type in ("application/json", "*/*", "application/*")):
            message = "Accept: answers are application/json"
            return _failure(HTTPStatus.NOT_ACCEPTABLE, INVALID_REQUEST, message)
        try:
            value = await self._bodies.json(request, MOST_BYTES)
        except ApiError as error:
            malformed = error.status == HTTPStatus.BAD_REQUEST
            code = PARSE_ERROR if malformed else INVALID_REQUEST
            return _failure(error.status, code, error.message)
        headers = {name: text for name, text in request.headers.items() if name.startswith("mcp-")}
        try:
            body = read_body(value, headers)
        except RpcError as error:
            return _failure(status_of(error, modern=False), error.code, error.message)
        visit = _with_bearer(request, visits.read_visit(request, origin))
        quota = self._quota_of(request.scope)
        try:
            async with asyncio.timeout(self._seconds):
                return await self._live.read_in_place(lambda: self._answered(visit, quota, body))
        except TimeoutError:
            return _failure(HTTPStatus.GATEWAY_TIMEOUT, INTERNAL_ERROR, "it took too long")
        except VisitorRefused as refusal:
            return _unauthorized(refusal.message)
        except ApiError as error:
            code = RATE_LIMITED if isinstance(error, RateLimited) else INVALID_REQUEST
            return with_retry_after(_failure(error.status, code, error.message), error)

    async def _answered(self, visit: Visit, quota: Quota | None, body: Body) -> Response:
        async with self._live.context_of(NOBODY, quota=quota) as ctx:
            if quota is not None:
                ctx.limits.mcp.must(quota.key, len(body.messages), "requests by MCP")
            content, token = await resolve_visit(ctx, visit)
            if isinstance(content, PublishedRedirect):
                if content.target is PublishedTarget.CONTENT:
                    return RedirectResponse(content.redirect, HTTPStatus.TEMPORARY_REDIRECT)
                return _unauthorized("the token of a visitor is needed")
            visitor = as_visitor(ctx, content.visitor)
            look = await read(visitor, read_look, visit, content)
            if content.pathname != MCP or not has_mcp(look):
                raise NotFound("there is no MCP server at this address")
            caller = Caller(ctx, visitor, look, visit, Credentials(token, visit.claims))
            return await _answers(caller, body)


def _with_bearer(request: Request, visit: Visit) -> Visit:
    """The visit with all tokens as candidates, that of the header first: nobody is sent on."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    tokens = [token.strip()] if scheme.lower() == "bearer" and token.strip() else []
    tokens += [visit.given_token] if visit.given_token else []
    return replace(visit, given_token=None, tokens=(*tokens, *visit.tokens))


async def _answers(caller: Caller, body: Body) -> Response:
    answers: list[Json] = []
    status = 200
    for message in body.messages:
        answer, status = await _answer(caller, message, body.modern)
        if answer is not None:
            answers.append(answer)
    if not answers:
        return Response(status_code=HTTPStatus.ACCEPTED)
    if body.is_batch:
        return _json(HTTPStatus.OK, answers)
    return _json(status, answers[0])


async def _answer(
    caller: Caller, message: Message | tuple[Id, RpcError], modern: bool
) -> tuple[Json | None, int]:
    """The answer to one message, None for one that wants none; with its status."""
    if not isinstance(message, Message):
        id, problem = message
        return error_of(id, problem), status_of(problem, modern=modern)
    if not message.expects_answer:
        return None, HTTPStatus.ACCEPTED
    try:
        method = _METHODS.get(message.method)
        # Each generation begins in its own way.
        if method is None or message.method == ("initialize" if modern else "server/discover"):
            raise RpcError(METHOD_NOT_FOUND, f"there is no method {message.method!r}")
        result = await method(caller, message)
    except RpcError as error:
        return error_of(message.id, error), status_of(error, modern=modern)
    return result_of(message, result, _server(caller)), HTTPStatus.OK


def _title(caller: Caller) -> str:
    return caller.look.title


def _server(caller: Caller) -> Json:
    return {"name": "docstead", "title": _title(caller), "version": "1"}


# ------------------------------------------------------------------ methods


async def _initialize(caller: Caller, message: Message) -> Json:
    requested = message.params.get("protocolVersion")
    return {
        "protocolVersion": requested if requested in HANDSHAKE else HANDSHAKE[-1],
        "capabilities": CAPABILITIES,
        "serverInfo": _server(caller),
        "instructions": INSTRUCTIONS.format(title=_title(caller)),
    }


async def _discover(caller: Caller, message: Message) -> Json:
    return {
        "supportedVersions": list(MODERN),
        "capabilities": CAPABILITIES,
        "instructions": INSTRUCTIONS.format(title=_title(caller)),
    }


async def _ping(caller: Caller, message: Message) -> Json:
    return {}


async def _list_tools(caller: Caller, message: Message) -> Json:
    return {"tools": [tool.described() for tool in TOOLS.values()]}


async def _call_tool(caller: Caller, message: Message) -> Json:
    return await call_tool(caller, message.params.get("name"), message.params.get("arguments"))


async def _list_resources(caller: Caller, message: Message) -> Json:
    return await list_resources(caller, message.params)


async def _list_templates(caller: Caller, message: Message) -> Json:
    return {"resourceTemplates": []}


async def _read_resource(caller: Caller, message: Message) -> Json:
    return await read_resource(caller, message.params, modern=message.version is not None)


_METHODS: Mapping[str, Callable[[Caller, Message], Coroutine[Any, Any, Json]]] = {
    "initialize": _initialize,
    "server/discover": _discover,
    "ping": _ping,
    "tools/list": _list_tools,
    "tools/call": _call_tool,
    "resources/list": _list_resources,
    "resources/templates/list": _list_templates,
    "resources/read": _read_resource,
}


# ------------------------------------------------------------------ answers


def _json(status: int, value: Any) -> Response:
    # Whoever asks has a token perhaps; an answer with it is nobody else's.
    headers = {"Cache-Control": "no-store"}
    return Response(orjson.dumps(value), status, headers, "application/json")


def _failure(status: int, code: int, message: str) -> Response:
    return _json(status, error_of(None, RpcError(code, message)))


def _unauthorized(message: str) -> Response:
    response = _failure(HTTPStatus.UNAUTHORIZED, INVALID_REQUEST, message)
    response.headers["WWW-Authenticate"] = "Bearer"
    return response
