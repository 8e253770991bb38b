"""GraphQL over server-sent events (graphql-sse, "distinct connections mode").

A request with `Accept: text/event-stream` gets its results as events `next`, and then `complete`.
A subscription has as many as there are; each is named by the id of what has happened, so a client
that connects again with `Last-Event-ID` goes on after it. What is wrong with the request itself has
its HTTP status, and so has one too many; what is wrong with its document or its execution comes as
the only result.
"""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

import orjson
from starlette.types import Receive, Scope, Send

from docstead.graphql.endpoint import AnonymousAccess, GraphQLHTTP
from docstead.graphql.errors import ErrorReport
from docstead.graphql.request import GraphQLRequest
from docstead.http.media_types import GRAPHQL_RESPONSE, JSON_TYPE, preference
from docstead.http.time_limits import ClientDisconnected
from docstead.subscriptions.credentials import Find, credential_of, header_of
from docstead.subscriptions.hub import Hub
from docstead.subscriptions.limits import SEND_SECONDS, Places
from docstead.subscriptions.subscribers import Subscriber
from resolvers.core.actors import Actor
from resolvers.core.database_errors import expected
from resolvers.core.errors import ApiError, NoCapacity, RateLimited, Unauthenticated
from schema.refusals import Refused

EVENT_STREAM = "text/event-stream"
# So often something is sent where nothing happens, to find clients that are gone.
PING_SECONDS = 12.0
HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    # Proxies neither keep nor collect it.
    (b"cache-control", b"no-store, no-transform"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
]
COMPLETE = b"event: complete\ndata: \n\n"


def wants_events(accept: str | None) -> bool:
    """Whether a client wants a stream of events more than one answer."""
    if accept is None or EVENT_STREAM not in accept.lower():
        return False
    answers = max(preference(accept, GRAPHQL_RESPONSE)[0], preference(accept, JSON_TYPE)[0])
    # Clients that take anything, such as urql, want one answer to a query.
    return preference(accept, EVENT_STREAM)[0] > max(answers, 0)


class EventStreams:
    """Answers requests for event streams, all others are left to the endpoint."""

    def __init__(
        self,
        endpoint: GraphQLHTTP[Actor],
        hub: Hub,
        find: Find,
        connections: Places,
        caller: Callable[[Actor, Scope], str],
    ) -> None:
        self._endpoint, self._hub, self._find = endpoint, hub, find
        self._connections, self._caller = connections, caller

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one HTTP request."""
        accept = header_of(scope, b"accept")
        if not wants_events(accept):
            await self._endpoint(scope, receive, send)
            return
        try:
            actor, anonymous, request = await self._endpoint.admit(scope, receive)
        except Exception as error:
            # What is wrong with a request has its status with either media type.
            await self._endpoint.refuse(error, send)
            return
        try:
            with self._connections.held(self._caller(actor, scope)):
                await self._stream(request, anonymous, actor, scope, receive, send)
        except ApiError as error:
            await self._endpoint.refuse(error, send)

    async def _stream(
        self,
        request: GraphQLRequest,
        anonymous: AnonymousAccess | None,
        actor: Actor,
        scope: Scope,
        receive: Receive,
        send: Send,
    ) -> None:
        subscriber: Subscriber | None = None
        content: Any = None
        try:
            operation = None
            if anonymous is None:
                operation = await self._endpoint.subscription(request, actor, scope, receive)
            elif "subscription" in request.query:
                raise Unauthenticated("a token is required")
            if operation is None:
                content = await self._endpoint.content(request, anonymous, actor, scope, receive)
            else:
                credential = credential_of(actor, scope, self._find)
                after = header_of(scope, b"last-event-id")
                subscriber = await self._hub.subscribe(credential, operation, after)
        except Refused as refused:
            content = {"errors": refused.errors}
        except ClientDisconnected:
            return
        except (RateLimited, NoCapacity):
            raise
        except Exception as error:
            content = {"errors": [ErrorReport().request(expected(error) or error)]}
        await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        if subscriber is None:
            await _write(send, _next(orjson.dumps(content)) + COMPLETE, last=True)
            return
        gone = asyncio.ensure_future(_until_gone(receive))
        writing = asyncio.ensure_future(self._deliver(subscriber, send))
        try:
            await asyncio.wait((gone, writing), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._hub.unsubscribe(subscriber)
            for task in (gone, writing):
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError, Exception):
                    await task

    async def _deliver(self, subscriber: Subscriber, send: Send) -> None:
        # Something arrives at once, so that the client knows that it is heard.
        await _write(send, b":\n\n")
        while True:
            try:
                async with asyncio.timeout(PING_SECONDS):
                    delivery = await anext(subscriber)
            except TimeoutError:
                await _write(send, b":\n\n")
                continue
            except StopAsyncIteration:
                break
            # There is no going on after how a job was.
            id = None if delivery.newest_alone else delivery.id
            await _write(send, _next(delivery.body, id))
        end = COMPLETE
        if subscriber.error is not None:
            end = _next(orjson.dumps({"errors": [subscriber.error]})) + COMPLETE
        await _write(send, end, last=True)


def _next(body: bytes, id: str | None = None) -> bytes:
    name = b"" if id is None else b"id: %b\n" % id.encode()
    return b"event: next\n%bdata: %b\n\n" % (name, body)


async def _write(send: Send, body: bytes, *, last: bool = False) -> None:
    """Send some of an answer; TimeoutError when the client does not read."""
    async with asyncio.timeout(SEND_SECONDS):
        await send({"type": "http.response.body", "body": body, "more_body": not last})


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
