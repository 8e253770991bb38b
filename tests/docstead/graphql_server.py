"""A small schema behind the endpoint, and a real server on loopback to put it on."""

import asyncio
import contextlib
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field

import strawberry
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from docstead.graphql.endpoint import GraphQLHTTP, GraphQLHTTPConfig
from docstead.http.body_guard import BodyLimits
from resolvers.core.errors import FieldError, NotFound, RateLimited, Unauthenticated
from schema.documents import Documents, DocumentSettings
from tests.listeners import open_listener

TOKEN = "let-me-in"


class Busy(RateLimited):
    """An error that knows when to come back."""

    retry_after = 7


@dataclass
class Record:
    """What resolvers and contexts did."""

    writes: list[str] = field(default_factory=list)
    started: int = 0
    cancelled: int = 0
    contexts: list[str] = field(default_factory=list)


record = Record()


@strawberry.type
class Item:
    name: str

    @strawberry.field
    async def broken(self) -> str | None:
        raise RuntimeError("the password is hunter2")

    @strawberry.field
    async def wrong(self) -> int:
        return 5_000_000_000


@strawberry.type
class Query:
    @strawberry.field
    async def hello(self, name: str = "world") -> str:
        return f"hello {name}"

    @strawberry.field
    async def items(self, first: int = 2) -> list[Item]:
        return [Item(name=f"item {i}") for i in range(first)]

    @strawberry.field
    async def item(self) -> Item | None:
        return Item(name="one")

    @strawberry.field
    async def hidden(self) -> str | None:
        raise NotFound("No such thing.", (FieldError("id", "unknown"),))

    @strawberry.field
    async def slow(self) -> str | None:
        record.started += 1
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            record.cancelled += 1
            raise
        return None

    @strawberry.field
    async def surrogate(self) -> str:
        return "\ud800"


@strawberry.type
class Mutation:
    @strawberry.mutation
    async def write(self, text: str) -> str:
        record.writes.append(text)
        return text


@strawberry.type
class Subscription:
    @strawberry.subscription
    async def ticks(self) -> AsyncIterator[int]:
        yield 1


SCHEMA = strawberry.Schema(Query, Mutation, Subscription)


async def authenticate(scope: Scope) -> str:
    """Nobody may come without a token, but with a wrong one nobody may come either."""
    header = dict(scope["headers"]).get(b"authorization")
    if header is None:
        return "anonymous"
    if header == b"Bearer busy":
        raise Busy("Too many requests.")
    if header == b"Bearer broken":
        raise RuntimeError("no database")
    if header != f"Bearer {TOKEN}".encode():
        raise Unauthenticated("The token is not valid.")
    return "somebody"


@dataclass
class Caller:
    """What the endpoint needs of the resolvers' context."""

    actor: str
    written: bool = False


@contextlib.asynccontextmanager
async def make_context(actor: str, scope: Scope) -> AsyncIterator[object]:
    try:
        yield Caller(actor)
    except asyncio.CancelledError:
        record.contexts.append("cancelled")
        raise
    record.contexts.append("left")


async def page(scope: Scope, receive: Receive, send: Send) -> None:
    headers = [(b"content-type", b"text/html")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"<h1>GraphiQL</h1>"})


def endpoint(
    *,
    introspection: bool = True,
    allow_get: bool = True,
    deadline: float = 30.0,
    max_body: int = 1_000_000,
    context: Callable[..., contextlib.AbstractAsyncContextManager[object]] = make_context,
) -> GraphQLHTTP[str]:
    documents = Documents(SCHEMA._schema, DocumentSettings(introspection=introspection))
    config = GraphQLHTTPConfig(
        body=BodyLimits(bytes=max_body), allow_get=allow_get, deadline=deadline
    )
    return GraphQLHTTP(
        documents,
        authenticate=authenticate,
        make_context=context,
        page=page,
        config=config,
    )


@contextlib.contextmanager
def serving(app: ASGIApp) -> Iterator[int]:
    """Serve an application on a free port of loopback in a thread; yields the port."""
    listener = open_listener()
    server = uvicorn.Server(
        uvicorn.Config(app, log_level="warning", lifespan="off", timeout_graceful_shutdown=2)
    )
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        while not server.started:
            time.sleep(0.01)
        yield listener.getsockname()[1]
    finally:
        server.should_exit = True
        thread.join()
        listener.close()
