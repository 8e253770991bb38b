"""Paths find their row, as the specification writes them."""

import re
from collections import Counter
from typing import Any

import pytest
from fastapi.routing import APIRoute
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match

from resolvers.core.context import Context
from rest_compat.app import v1_document
from rest_compat.pending import PENDING
from rest_compat.routes.all import ROUTES
from rest_compat.routing import ROUTES as BY_METHOD, VALUES, RouteIndex, RowRoute
from rest_compat.table import delete
from tests.conftest import Api, Session, World, settle


async def answer(request: Request) -> Response:
    return Response()


def scope(path: str, method: str = "GET") -> dict[str, Any]:
    return {"type": "http", "method": method, "path": path, "headers": []}


def index(*rows: tuple[str, str]) -> RouteIndex:
    return RouteIndex("/v1", [RowRoute(method, f"/v1{path}", answer) for method, path in rows])


def found(table: RouteIndex, path: str, method: str, root_path: str = "") -> dict[str, str] | None:
    match, child = table.matches(scope(path) | {"root_path": root_path})
    if match is Match.NONE or method not in child[BY_METHOD]:
        return None
    names = child[BY_METHOD][method][1]
    return dict(zip(names, child[VALUES], strict=True))


TABLE = index(*((row.method, row.path) for row in ROUTES))


@pytest.mark.parametrize("row", ROUTES, ids=lambda row: row.operation_id)
def test_every_row_is_found_by_its_path(row: Any) -> None:
    names = re.findall(r"{(\w+)(?::\w+)?}", row.path)
    path = re.sub(r"{(\w+)(?::\w+)?}", r"-\1-", row.path)
    assert found(TABLE, f"/v1{path}", row.method) == {name: f"-{name}-" for name in names}
    assert found(TABLE, f"/v1{path}/more/and/more", row.method) is None or ":path}" in row.path
    assert found(TABLE, path, row.method) is None


def test_words_come_before_parameters_and_each_method_has_its_own_names() -> None:
    table = index(
        ("GET", "/things/{id}"),
        ("PUT", "/things/{thing}"),
        ("GET", "/things/mine"),
        ("GET", "/things/mine/{part}"),
        ("GET", "/things/{id}/all"),
        ("GET", "/pages/{path:path}"),
    )
    assert found(table, "/v1/things/a b", "GET") == {"id": "a b"}
    assert found(table, "/v1/things/7", "PUT") == {"thing": "7"}
    assert found(table, "/v1/things/mine", "GET") == {}
    assert found(table, "/v1/things/mine", "PUT") is None
    assert found(table, "/v1/things/mine/x", "GET") == {"part": "x"}
    assert found(table, "/v1/things/mine/all", "GET") == {"part": "all"}
    assert found(table, "/v1/things/7/all", "GET") == {"id": "7"}
    assert found(table, "/v1/pages/a/b//c", "GET") == {"path": "a/b//c"}
    assert found(table, "/v1/pages/", "GET") == {"path": ""}
    assert found(table, "/below/v1/things/mine", "GET", "/below") == {}
    # Clients end paths with a slash.
    assert found(table, "/v1/things/7/", "GET") == {"id": "7"}
    assert found(table, "/v1/things/mine/all/", "GET") == {"part": "all"}
    for missing in (
        "/v1/things",
        "/v1/things/",
        "/v1/things//",
        "/v1/things/7//",
        "/v1/pages",
        "/v2/things/7",
    ):
        assert found(table, missing, "GET") is None


def test_a_row_that_is_there_twice_stops_the_start() -> None:
    with pytest.raises(ValueError, match="twice"):
        index(("GET", "/a/{x}"), ("GET", "/a/{y}"))


async def _of_a_thing(ctx: Context, id: str) -> str:
    return id


def test_a_parameter_of_a_path_is_no_other_parameter() -> None:
    with pytest.raises(LookupError, match="fooId and barId are both 'id'"):
        delete("/a/{fooId}/b/{barId}", "deleteBar", "bars", _of_a_thing)


def test_fastapi_knows_every_row_and_nothing_else(api: Api) -> None:
    """By method and path, under the name of the operation; its own answers the document."""
    app = api.client._transport.app  # type: ignore[attr-defined]
    routes = [route for route in app.routes if isinstance(route, APIRoute)]
    assert Counter(
        (method, route.path, route.operation_id)
        for route in routes
        if route.include_in_schema
        for method in route.methods - {"HEAD"}
    ) == Counter((row.method, f"/v1{row.path}", row.operation_id) for row in ROUTES)
    assert [route.path for route in routes if not route.include_in_schema] == ["/v1/openapi.json"]
    others = {getattr(route, "path", "") for route in app.routes if route not in routes}
    # A page of Atom, not of JSON, whose token is in its address (docs/notifications.md).
    assert [path for path in others if path.startswith("/v1")] == [
        "/v1/spaces/{space}/changes.atom"
    ]
    assert app.openapi() == v1_document()
    documented = {
        (method.upper(), path)
        for path, operations in app.openapi()["paths"].items()
        for method in operations
    }
    assert documented == {
        (method, route.path_format)
        for route in routes
        if route.include_in_schema
        for method in route.methods - {"HEAD"}
    }


async def test_a_request_knows_its_route(api: Api, world: World, session: Session) -> None:
    await settle(session)
    app = api.client._transport.app  # type: ignore[attr-defined]
    scopes: list[Any] = []

    async def watched(scope: Any, receive: Any, send: Any) -> None:
        scopes.append(scope)
        await answered(scope, receive, send)

    answered, app.router.middleware_stack = app.router.middleware_stack, watched
    assert (await api.rest("GET", "/user", world.reader)).status_code == 200
    assert scopes[0]["route"].operation_id == "getAuthenticatedUser"
    assert scopes[0]["route"] in app.routes


def test_what_is_not_built_is_found_and_no_route(api: Api) -> None:
    app = api.client._transport.app  # type: ignore[attr-defined]
    (table,) = (route for route in app.routes if isinstance(route, RouteIndex))
    for one in PENDING:
        assert found(table, "/v1" + re.sub(r"{\w+}", "any", one.path), one.method) is not None
