"""Paths find their row, as the specification writes them."""

import re
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match

from rest_compat.routes.all import ROUTES
from rest_compat.routing import TableRoute


async def answer(request: Request) -> Response:
    return Response()


def scope(path: str, method: str = "GET") -> dict[str, Any]:
    return {"type": "http", "method": method, "path": path, "headers": []}


def found(table: TableRoute, path: str, method: str) -> dict[str, str] | None:
    match, child = table.matches(scope(path))
    if match is Match.NONE or method not in child["handlers"]:
        return None
    names = child["handlers"][method][1]
    return dict(zip(names, child["path_values"], strict=True))


TABLE = TableRoute("/v1", [(row.method, row.path, answer) for row in ROUTES])


@pytest.mark.parametrize("row", ROUTES, ids=lambda row: row.operation_id)
def test_every_row_is_found_by_its_path(row: Any) -> None:
    names = re.findall(r"{(\w+)(?::\w+)?}", row.path)
    path = re.sub(r"{(\w+)(?::\w+)?}", r"-\1-", row.path)
    assert found(TABLE, f"/v1{path}", row.method) == {name: f"-{name}-" for name in names}
    assert found(TABLE, f"/v1{path}/more/and/more", row.method) is None or ":path}" in row.path
    assert found(TABLE, path, row.method) is None


def test_words_come_before_parameters_and_each_method_has_its_own_names() -> None:
    table = TableRoute(
        "/v1",
        [
            ("GET", "/things/{id}", answer),
            ("PUT", "/things/{thing}", answer),
            ("GET", "/things/mine", answer),
            ("GET", "/things/mine/{part}", answer),
            ("GET", "/things/{id}/all", answer),
            ("GET", "/pages/{path:path}", answer),
        ],
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
        TableRoute("/v1", [("GET", "/a/{x}", answer), ("GET", "/a/{y}", answer)])
