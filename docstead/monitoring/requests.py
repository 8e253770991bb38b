"""What is noted of each request: for its record in the log, and for the metrics."""

import logging
from collections.abc import Callable, Iterable
from time import perf_counter
from typing import Any, Protocol

from graphql import FieldNode, OperationDefinitionNode
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from docstead.monitoring.logs import REQUESTS
from resolvers.core.actors import Actor
from rest_compat.log_redaction import logged_path, redacted

# Where the scope of a request has its Observation, if anybody looks.
OBSERVED = "docstead.observed"
GRAPHQL, REST, FILES, SITES, OTHER = "graphql", "rest", "files", "sites", "other"
DOORS = {
    "graphql": GRAPHQL, "v1": REST, "files": FILES, "uploads": FILES, "pdf": FILES, "sites": SITES,
    "exports": FILES, "organization-exports": FILES,
}  # fmt: skip
# Of an operation of GraphQL with several root fields, where names have to be few.
SEVERAL = "several"
MOST_FIELDS, METHOD_LENGTH, NAME_LENGTH = 10, 10, 100


class Observation:
    """One request; `status` is 0 while nothing was answered, and for clients that leave before."""

    __slots__ = ("actor", "door", "fields", "milliseconds", "name", "operation", "status")

    def __init__(self, door: str) -> None:
        self.door = door
        self.status = 0
        self.milliseconds = 0.0
        self.actor: Actor | None = None
        # One of few: the id of a route of /v1, the root field of GraphQL.
        self.operation = ""
        # GraphQL only: the name that the client has given, and the root fields.
        self.name = ""
        self.fields: tuple[str, ...] = ()

    def ask(self, operation: OperationDefinitionNode) -> None:
        """Note the operation of GraphQL."""
        self.name = operation.name.value if operation.name else ""
        self.fields = tuple(
            node.name.value
            for node in operation.selection_set.selections[:MOST_FIELDS]
            if isinstance(node, FieldNode)
        )
        alone = len(operation.selection_set.selections) == 1 and len(self.fields) == 1
        self.operation = self.fields[0] if alone else SEVERAL


def door(path: str) -> str:
    """The part of the service that a path belongs to."""
    first = path.split("/", 2)[1] if path.startswith("/") else ""
    return DOORS.get(first, OTHER)


def observation_of(scope: Scope) -> Observation | None:
    """What is noted of a request; None when nobody looks."""
    observation: Observation | None = scope.get(OBSERVED)
    return observation


class RequestSpans(Protocol):
    """Spans of requests (spans.py)."""

    def begin(self, scope: Scope) -> Any:
        """Called before a request is answered."""

    def end(self, opened: Any, scope: Scope, seen: Observation) -> None:
        """Called after it, with what `begin` gave."""


class RequestObserver:
    """Observes each request from its head to the end of its answer."""

    def __init__(
        self,
        *listeners: Callable[[Scope, Observation], None],
        spans: RequestSpans | None = None,
    ) -> None:
        self._listeners: Iterable[Callable[[Scope, Observation], None]] = listeners
        self._spans = spans
        self.running = 0

    async def observe(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one HTTP request, and tell all who listen."""
        observation = scope[OBSERVED] = Observation(door(scope["path"]))

        async def noted(message: Message) -> None:
            if message["type"] == "http.response.start":
                observation.status = message["status"]
            await send(message)

        self.running += 1
        opened = None if self._spans is None else self._spans.begin(scope)
        start = perf_counter()
        try:
            await app(scope, receive, noted)
        finally:
            self.running -= 1
            observation.milliseconds = (perf_counter() - start) * 1000
            if observation.door == REST:
                observation.operation = getattr(scope.get("route"), "operation_id", None) or ""
            if self._spans is not None:
                self._spans.end(opened, scope, observation)
            for listener in self._listeners:
                listener(scope, observation)


log = logging.getLogger(REQUESTS)


def log_request(scope: Scope, seen: Observation) -> None:
    """One record for a request: a warning where the server has failed."""
    level = logging.WARNING if seen.status >= 500 else logging.INFO
    if not log.isEnabledFor(level):
        return
    milliseconds = round(seen.milliseconds, 1)
    method, path = scope["method"][:METHOD_LENGTH], logged_path(scope)
    fields: dict[str, Any] = {
        "door": seen.door,
        "method": method,
        "path": path,
        "status": seen.status or None,
        "milliseconds": milliseconds,
    }
    words = [f"{method} {path} {seen.status or 'left'} {milliseconds} ms {seen.door}"]
    if seen.fields:
        # Clients choose the name; the fields are in the schema.
        name = redacted(seen.name[:NAME_LENGTH])
        fields["operation"], fields["fields"] = name or None, list(seen.fields)
        words.append(f"{name}({','.join(seen.fields)})")
    elif seen.operation:
        fields["operation"] = seen.operation
        words.append(seen.operation)
    if seen.actor is not None:
        for name, id in (("tokenId", seen.actor.token_id), ("sessionId", seen.actor.session_id)):
            if id is not None:
                fields[name] = id
                words.append(f"{name}={id}")
    # Made by hand: nobody asks which line of the program this is.
    record = logging.LogRecord(REQUESTS, level, __file__, 0, " ".join(words), None, None)
    record.fields, record.clean = fields, True
    log.handle(record)
