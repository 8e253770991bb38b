"""The /v1 application: the route table as FastAPI routes, and its one error body."""

import logging
import uuid
from typing import Any

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from resolvers.errors import ApiError, Unauthenticated
from rest_compat.endpoint import Endpoint, OpenContext, ReadBody, json_response
from rest_compat.openapi import openapi_document
from rest_compat.routes.all import ROUTES

log = logging.getLogger("docstead.v1")


def v1_app(open_context: OpenContext, read_body: ReadBody, seconds: float) -> FastAPI:
    """The application to mount at /v1.

    `open_context` authenticates a request and opens its Context; `read_body` reads a guarded
    JSON body, None when there is none. Both raise ApiError. A request may take `seconds`.
    """
    app = FastAPI(
        title="Docstead", docs_url=None, redoc_url=None, openapi_url=None, redirect_slashes=False
    )
    for row in ROUTES:
        app.add_api_route(
            row.path,
            Endpoint(row, open_context, read_body, seconds).__call__,
            methods=[row.method],
            name=row.operation_id,
            response_model=None,
        )
    document = openapi_document(ROUTES)

    async def openapi(request: Request) -> Response:
        return json_response(document)

    app.add_api_route("/openapi.json", openapi, methods=["GET"], response_model=None)
    app.add_exception_handler(ApiError, _expected)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(Exception, _unexpected)
    return app


def error_response(
    status: int, message: str, fields: Any = (), headers: dict[str, str] | None = None
) -> Response:
    """The documented error body: {"error": {"code", "message"}}."""
    error: dict[str, Any] = {"code": status, "message": message}
    if fields:
        error["details"] = [{"path": one.path, "message": one.message} for one in fields]
    return json_response({"error": error}, status, headers)


async def _expected(request: Request, error: Exception) -> Response:
    assert isinstance(error, ApiError)
    headers = (
        {"WWW-Authenticate": 'Bearer realm="docstead"'}
        if isinstance(error, Unauthenticated)
        else None
    )
    return error_response(error.status, error.message, error.fields, headers)


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    messages = {
        404: f"there is no {request.method} {request.url.path}",
        405: f"{request.method} is not allowed on {request.url.path}",
    }
    message = messages.get(error.status_code, str(error.detail))
    return error_response(error.status_code, message, headers=dict(error.headers or {}))


async def _unexpected(request: Request, error: Exception) -> Response:
    number = uuid.uuid4().hex
    log.error("%s %s failed (%s)", request.method, request.url.path, number, exc_info=error)
    return error_response(500, f"an unexpected error happened; its number in the log is {number}")
