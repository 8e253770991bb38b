"""The port through which the endpoints of /v1 use the server."""

from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol, TypeVar

from starlette.requests import Request

from db.sharing import PointReads
from resolvers.access.idempotency import RememberedAnswers
from resolvers.access.kept_answers import KeptAnswers
from resolvers.core.actors import Actor
from resolvers.core.context import Context
from resolvers.core.rate_limits import Quota

T = TypeVar("T")


class ServerPort(Protocol):
    """The port through which endpoints use the server; refusals are raised as ApiError."""

    @property
    def seconds(self) -> float:
        """The time limit of a request."""
        ...

    @property
    def answers(self) -> RememberedAnswers:
        """Executes requests with an Idempotency-Key once."""
        ...

    @property
    def kept(self) -> KeptAnswers | None:
        """Answers that are kept; None where none are."""
        ...

    @property
    def points(self) -> PointReads:
        """What kept answers are verified with."""
        ...

    async def authenticate(self, request: Request, open_to_all: bool) -> Actor:
        """The actor of a request; `open_to_all` allows calls without a token."""
        ...

    def open_context(self, actor: Actor, request: Request) -> AbstractAsyncContextManager[Context]:
        """The Context of a request."""
        ...

    def charge(self, request: Request, objects: int) -> None:
        """Count a list by the objects that it may read, beside its request; RateLimited when they
        are too many for now."""
        ...

    def quota(self, request: Request) -> Quota | None:
        """How often the caller may search and write; None: as often as they like."""
        ...

    async def read_in_place(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Run `work` of a read in the thread that reads the database."""
        ...

    async def read_body(self, request: Request, actor: Actor, beacon: bool) -> Any:
        """The guarded JSON body; None when there is none. A `beacon` may be plain text."""
        ...


def server_of(request: Request) -> ServerPort:
    """The port of the application that a request was sent to."""
    port: ServerPort = request.app.state.v1
    return port
