"""The routes of /v1 in FastAPI, and an index that finds one by a path.

A router asks its routes one after the other, by regular expressions; with hundreds of them that
costs more than some answers (docs/decisions/0064-rows-are-routes.md). The index stands before
them, a tree of segments.
"""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match, NoMatchFound
from starlette.types import Receive, Scope, Send

# In the scope of a request that pages of any origin may make: its answer says so.
ANY_ORIGIN = "docstead.any_origin"
# In the scope of a request: the routes of its path by method, and the values in the path.
ROUTES, VALUES = "docstead.routes", "docstead.path_values"
Handler = Callable[[Request], Awaitable[Response]]


class RowRoute(APIRoute):
    """A row of the table as a route of FastAPI.

    Its endpoint reads parameters and bodies itself, and answers with a response; what FastAPI would
    do of that by the endpoint's signature is left out.
    """

    def __init__(self, method: str, path: str, endpoint: Handler, **options: Any) -> None:
        methods = ["GET", "HEAD"] if method == "GET" else [method]
        super().__init__(path, endpoint, methods=methods, response_model=None, **options)

    def get_route_handler(self) -> Any:
        """The endpoint itself."""
        return self.endpoint


@dataclass(slots=True)
class Node:
    """The routes behind one segment of a path."""

    words: dict[str, "Node"] = field(default_factory=dict)
    # Any one segment.
    segment: "Node | None" = None
    # All segments that are left; they may be empty.
    rest: "Node | None" = None
    # Whether pages of any origin may call it (`Row.beacon`).
    any_origin: bool = False
    # By method: the route, and the names of the path's parameters.
    routes: dict[str, tuple[RowRoute, tuple[str, ...]]] = field(default_factory=dict)


class RouteIndex(BaseRoute):
    """Finds one of many routes below a prefix; none of them has to be asked."""

    def __init__(
        self, prefix: str, routes: Iterable[RowRoute], beacons: Iterable[str] = ()
    ) -> None:
        """Pages of any origin may call the paths `beacons`, without credentials."""
        self._prefix = prefix
        self._root = Node()
        for route in routes:
            node, names = self._add(route.path)
            for method in sorted(route.methods or ()):
                if method in node.routes:
                    raise ValueError(f"{method} {route.path} is in the table twice")
                node.routes[method] = (route, names)
        for path in beacons:
            self._add(path)[0].any_origin = True

    def _add(self, path: str) -> tuple[Node, tuple[str, ...]]:
        node, names = self._root, []
        for segment in path.removeprefix(self._prefix).strip("/").split("/"):
            if not segment.startswith("{"):
                node = node.words.setdefault(segment, Node())
                continue
            name, _, kind = segment.strip("{}").partition(":")
            names.append(name)
            if kind == "path":
                node.rest = below = node.rest or Node()
            else:
                node.segment = below = node.segment or Node()
            node = below
        return node, tuple(names)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Whether a path is in the table, with any method."""
        path: str = scope["path"].removeprefix(scope.get("root_path", ""))
        if scope["type"] != "http" or not path.startswith(self._prefix + "/"):
            return Match.NONE, {}
        values: list[str] = []
        node = _follow(self._root, path[len(self._prefix) + 1 :].split("/"), 0, values)
        if node is None:
            return Match.NONE, {}
        child_scope = {ROUTES: node.routes, VALUES: values[::-1]}
        return Match.FULL, child_scope | ({ANY_ORIGIN: True} if node.any_origin else {})

    def url_path_for(self, name: str, /, **path_params: Any) -> Any:
        """The routes themselves have names to make addresses of."""
        raise NoMatchFound(name, path_params)

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request by its route; 405 with the methods that the path has."""
        routes, method = scope[ROUTES], scope["method"]
        if scope.get(ANY_ORIGIN) and method == "OPTIONS":
            await Response(status_code=204, headers=_preflight(routes))(scope, receive, send)
            return
        if method not in routes:
            raise HTTPException(405, headers={"Allow": ", ".join(sorted(routes))})
        route, names = routes[method]
        scope["route"], scope["endpoint"] = route, route.endpoint
        scope["path_params"] = dict(zip(names, scope[VALUES], strict=True))
        await route.handle(scope, receive, send)


def _preflight(methods: Iterable[str]) -> dict[str, str]:
    """The answer to a preflight, which asks whether a page of another origin may send JSON."""
    return {
        "Access-Control-Allow-Methods": ", ".join(sorted(methods)),
        "Access-Control-Allow-Headers": "Content-Type",
        "Access-Control-Max-Age": "86400",
    }


def _follow(node: Node, segments: list[str], place: int, values: list[str]) -> Node | None:
    """The node at the end of the segments: words before any segment, these before the rest.

    `values` gets the parameters, the last one first.
    """
    if place == len(segments):
        return node if node.routes else None
    segment = segments[place]
    if not segment and place == len(segments) - 1 and node.routes:
        # Clients end paths with a slash.
        return node
    word = node.words.get(segment)
    if word is not None:
        end = _follow(word, segments, place + 1, values)
        if end is not None:
            return end
    if node.segment is not None and segment:
        end = _follow(node.segment, segments, place + 1, values)
        if end is not None:
            values.append(segment)
            return end
    if node.rest is not None:
        values.append("/".join(segments[place:]))
    return node.rest
