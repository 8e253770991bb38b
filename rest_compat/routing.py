"""Finds the row of the route table for a path: a tree of segments, not a list of patterns."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match, NoMatchFound
from starlette.types import Receive, Scope, Send

# In the scope of a request that pages of any origin may make: its answer says so.
ANY_ORIGIN = "docstead.any_origin"
Handler = Callable[[Request], Awaitable[Response]]


@dataclass(slots=True)
class Node:
    """What may follow at one place of a path."""

    words: dict[str, "Node"] = field(default_factory=dict)
    # Any one segment.
    segment: "Node | None" = None
    # All segments that are left; they may be empty.
    rest: "Node | None" = None
    # Whether pages of any origin may call it (`Row.beacon`).
    any_origin: bool = False
    # By method: the handler, and the names of the path's parameters.
    handlers: dict[str, tuple[Handler, tuple[str, ...]]] = field(default_factory=dict)


class TableRoute(BaseRoute):
    """All rows of a table below one prefix, as one route."""

    def __init__(
        self, prefix: str, rows: Iterable[tuple[str, str, Handler]], beacons: Iterable[str] = ()
    ) -> None:
        """`rows` are method, path with `{names}` and handler; a GET answers HEAD, too.

        Pages of any origin may call the paths `beacons`, without credentials.
        """
        self._prefix = prefix
        self._root = Node()
        for method, path, handler in rows:
            node, names = self._add(path)
            if method in node.handlers:
                raise ValueError(f"{method} {path} is in the table twice")
            node.handlers[method] = (handler, names)
        for path in beacons:
            self._add(path)[0].any_origin = True

    def _add(self, path: str) -> tuple[Node, tuple[str, ...]]:
        node, names = self._root, []
        for segment in path.strip("/").split("/"):
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
        path: str = scope["path"]
        if scope["type"] != "http" or not path.startswith(self._prefix + "/"):
            return Match.NONE, {}
        values: list[str] = []
        node = _follow(self._root, path[len(self._prefix) + 1 :].split("/"), 0, values)
        if node is None:
            return Match.NONE, {}
        found = {"handlers": node.handlers, "path_values": values[::-1]}
        return Match.FULL, found | ({ANY_ORIGIN: True} if node.any_origin else {})

    def url_path_for(self, name: str, /, **path_params: Any) -> Any:
        """Rows have no names to make addresses of."""
        raise NoMatchFound(name, path_params)

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; 405 with the methods that the path has."""
        handlers = scope["handlers"]
        if scope.get(ANY_ORIGIN) and scope["method"] == "OPTIONS":
            await Response(status_code=204, headers=_preflight(handlers))(scope, receive, send)
            return
        found = handlers.get("GET" if scope["method"] == "HEAD" else scope["method"])
        if found is None:
            raise HTTPException(405, headers={"Allow": ", ".join(methods(handlers))})
        handler, names = found
        scope["path_params"] = dict(zip(names, scope["path_values"], strict=True))
        response = await handler(Request(scope, receive, send))
        await response(scope, receive, send)


def _preflight(handlers: Iterable[str]) -> dict[str, str]:
    """The answer to a preflight, which asks whether a page of another origin may send JSON."""
    return {
        "Access-Control-Allow-Methods": ", ".join(methods(handlers)),
        "Access-Control-Allow-Headers": "Content-Type",
        "Access-Control-Max-Age": "86400",
    }


def methods(handlers: Iterable[str]) -> list[str]:
    """The methods that are answered where there are these handlers."""
    found = set(handlers)
    return sorted(found | {"HEAD"} if "GET" in found else found)


def _follow(node: Node, segments: list[str], place: int, values: list[str]) -> Node | None:
    """The node at the end of the segments: words before any segment, these before the rest.

    `values` gets the parameters, the last one first.
    """
    if place == len(segments):
        return node if node.handlers else None
    segment = segments[place]
    if not segment and place == len(segments) - 1 and node.handlers:
        # Clients end paths with a slash.
        return node
    word = node.words.get(segment)
    if word is not None:
        found = _follow(word, segments, place + 1, values)
        if found is not None:
            return found
    if node.segment is not None and segment:
        found = _follow(node.segment, segments, place + 1, values)
        if found is not None:
            values.append(segment)
            return found
    if node.rest is not None:
        values.append("/".join(segments[place:]))
    return node.rest
