"""The routes of /v1, and its one error body."""

import asyncio
import logging
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import orjson
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from resolvers.core.database_errors import database_errors, expected
from resolvers.core.errors import ApiError, Unauthenticated
from rest_compat.endpoint import JSON_TYPE, Endpoint, json_response
from rest_compat.log_redaction import logged_path
from rest_compat.openapi import openapi_document
from rest_compat.pending import PENDING, Pending
from rest_compat.preferences import NO_HEADERS, PREFERENCE_HEADERS
from rest_compat.routes.all import ROUTES
from rest_compat.routing import Handler, RouteIndex, RowRoute
from rest_compat.server_port import server_of
from schema.wiring import summary

log = logging.getLogger("docstead.v1")


@dataclass(frozen=True)
class V1Routes:
    """The routes of /v1, for an application with `answer_errors` and a ServerPort.

    The index belongs before them. What is not built yet has a place in the index only.
    """

    index: RouteIndex
    routes: tuple[RowRoute, ...]


@cache
def v1_routes() -> V1Routes:
    """They are made once: applications differ in the server behind them."""
    routes = [
        RowRoute(
            row.method,
            f"/v1{row.path}",
            Endpoint(row),
            name=row.operation_id,
            operation_id=row.operation_id,
            tags=[row.tag],
            summary=summary(row.operation),
            deprecated=row.deprecated,
        )
        for row in ROUTES
    ]
    routes.append(RowRoute("GET", "/v1/openapi.json", _openapi, include_in_schema=False))
    pending = [RowRoute(row.method, f"/v1{row.path}", _pending(row)) for row in PENDING]
    beacons = [row.path for row in ROUTES if row.beacon]
    return V1Routes(RouteIndex("/v1", [*routes, *pending], beacons), tuple(routes))


def _pending(operation: Pending) -> Handler:
    """The handler of an operation that is not built yet."""

    async def answer(request: Request) -> Response:
        # First, as everywhere: callers without a token learn nothing but that.
        await server_of(request).authenticate(request, open_to_all=False)
        name = operation.operation_id
        return error_response(501, f"{name} is not built yet", facts={"operationId": name})

    return answer


async def _openapi(request: Request) -> Response:
    # FastAPI's own route takes ten times as long to write it. To make it takes longer than an event
    # loop may wait.
    text = await asyncio.to_thread(_document_text)
    return Response(text, media_type=JSON_TYPE)


@cache
def _document_text() -> bytes:
    return orjson.dumps(v1_document())


def v1_document() -> dict[str, Any]:
    """The OpenAPI document of /v1."""
    return openapi_document(ROUTES)


def answer_errors(app: Starlette) -> None:
    """Every error of this application has the documented body."""
    app.add_exception_handler(ApiError, _expected)
    app.add_exception_handler(HTTPException, _http)
    for kind in database_errors():
        app.add_exception_handler(kind, failed)
    app.add_exception_handler(Exception, _unexpected)


def error_response(
    status: int,
    message: str,
    fields: Any = (),
    headers: dict[str, str] | None = None,
    facts: Mapping[str, str] | None = None,
) -> Response:
    """The documented error body: {"error": {"code", "message"}}, and facts beside them."""
    error: dict[str, Any] = {"code": status, "message": message, **(facts or {})}
    if fields:
        error["details"] = [{"path": field.path, "message": field.message} for field in fields]
    return json_response({"error": error}, status, headers)


async def _expected(request: Request, error: Exception) -> Response:
    assert isinstance(error, ApiError)
    headers = dict(request.scope.get(PREFERENCE_HEADERS, NO_HEADERS))
    if isinstance(error, Unauthenticated):
        headers["WWW-Authenticate"] = 'Bearer realm="docstead"'
    if error.retry_after is not None:
        headers["Retry-After"] = str(error.retry_after)
    return error_response(error.status, error.message, error.fields, headers, error.facts)


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    path = request.url.path[:200]
    headers = dict(error.headers or {})
    message = str(error.detail)
    if error.status_code == 404:
        message = f"there is no {request.method} {path}"
    elif error.status_code == 405:
        # The framework's own routes name them in any order.
        headers["Allow"] = ", ".join(sorted(headers["Allow"].split(", ")))
        message = f"{request.method} is not allowed on {path}; use {headers['Allow']}"
    return error_response(error.status_code, message, headers=headers)


async def failed(request: Request, error: Exception) -> Response:
    """The answer for a failure, expected or not; what nobody expected is logged."""
    answer = expected(error)
    return await (_unexpected(request, error) if answer is None else _expected(request, answer))


async def _unexpected(request: Request, error: Exception) -> Response:
    number = uuid.uuid4().hex
    path = logged_path(request.scope)
    log.error("%s %s failed (%s)", request.method, path, number, exc_info=error)
    return error_response(500, f"an unexpected error happened; its number in the log is {number}")
