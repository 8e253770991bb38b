"""GraphQL over WebSocket (graphql-transport-ws): many operations over one connection.

The token comes in the payload of `connection_init`, or in the header Authorization; without either
the session of a page of our own counts. Close codes are those of the protocol.
"""

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

import orjson
from starlette.types import Message, Receive, Scope, Send

from docstead.graphql.endpoint import GraphQLHTTP
from docstead.graphql.errors import ErrorReport
from docstead.graphql.request import LONGEST_ID, GraphQLRequest, from_body
from docstead.http.body_guard import BodyLimits, MalformedBody, parse_json
from docstead.subscriptions.credentials import (
    Find,
    as_request,
    credential_of,
    header_of,
    may_connect,
)
from docstead.subscriptions.hub import Hub
from docstead.subscriptions.limits import SEND_SECONDS, Places
from docstead.subscriptions.subscribers import Credential
from resolvers.core.actors import Actor
from resolvers.core.database_errors import expected
from resolvers.core.errors import ApiError, RateLimited
from schema.refusals import Refused

Json = dict[str, Any]
PROTOCOL = "graphql-transport-ws"
# Until when a client has said who it is.
INIT_SECONDS = 5.0
# So often a client that is silent is asked whether it is there.
PING_SECONDS = 15.0
MOST_OPERATIONS = 100
INTERNAL, BAD_REQUEST, UNAUTHORIZED, FORBIDDEN = 4500, 4400, 4401, 4403
INIT_TIMEOUT, NOT_ACCEPTABLE, EXISTS, TOO_MANY_INITS = 4408, 4406, 4409, 4429


class Closed(Exception):
    """The connection has to be closed, with a code and a reason."""

    def __init__(self, code: int, reason: str) -> None:
        super().__init__(reason)
        self.code, self.reason = code, reason


class Sockets:
    """Answers WebSockets of the endpoint."""

    def __init__(
        self,
        endpoint: GraphQLHTTP[Actor],
        hub: Hub,
        admit: Find,
        find: Find,
        connections: Places,
        caller: Callable[[Actor, Scope], str],
        public_url: str,
        origins: frozenset[str],
        limits: BodyLimits,
    ) -> None:
        self.endpoint, self.hub, self.admit, self.find = endpoint, hub, admit, find
        self.connections, self.caller = connections, caller
        self.public_url, self.limits = public_url, limits
        self._origins = origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one connection."""
        if (await receive())["type"] != "websocket.connect":
            return
        if not may_connect(scope, self.public_url, self._origins):
            # Before it is accepted, that is an answer with 403.
            await send({"type": "websocket.close", "code": FORBIDDEN})
            return
        if PROTOCOL not in scope["subprotocols"]:
            await send({"type": "websocket.accept"})
            reason = f"Subprotocol not acceptable; use {PROTOCOL}"
            await send({"type": "websocket.close", "code": NOT_ACCEPTABLE, "reason": reason})
            return
        await send({"type": "websocket.accept", "subprotocol": PROTOCOL})
        await _Connection(self, scope, receive, send).run()


class _Connection:
    def __init__(self, sockets: Sockets, scope: Scope, receive: Receive, send: Send) -> None:
        self._sockets, self._scope, self._receive, self._send = sockets, scope, receive, send
        self._credential: Credential | None = None
        self._request_scope: Scope = {}
        self._caller: str | None = None
        self._initialised = False
        self._operations: dict[str, asyncio.Task[None]] = {}
        self._turn = asyncio.Lock()
        # Since when a message is being sent, and what looks whether that is too long.
        self._sending: float | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._heard = True
        self._failure: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def run(self) -> None:
        """Answer messages until the connection ends."""
        reading = asyncio.ensure_future(self._read())
        pinging = asyncio.ensure_future(self._keep_pinging())
        code, reason = 1000, ""
        try:
            done, _ = await asyncio.wait(
                (reading, pinging, self._failure), return_when=asyncio.FIRST_COMPLETED
            )
            for task in done:
                task.result()
        except Closed as closed:
            code, reason = closed.code, closed.reason
        except Exception as error:
            ErrorReport().request(error)
            code, reason = INTERNAL, "Internal error"
        finally:
            tasks = [reading, pinging, *self._operations.values()]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self._failure.cancel()
            if self._timer is not None:
                self._timer.cancel()
            if self._caller is not None:
                self._sockets.connections.give_back(self._caller)
        with contextlib.suppress(Exception):
            async with asyncio.timeout(SEND_SECONDS):
                await self._send({"type": "websocket.close", "code": code, "reason": reason[:120]})

    async def _read(self) -> None:
        deadline = asyncio.get_running_loop().time() + INIT_SECONDS
        while True:
            try:
                async with asyncio.timeout_at(None if self._credential else deadline):
                    message = await self._receive()
            except TimeoutError:
                raise Closed(INIT_TIMEOUT, "Connection initialisation timeout") from None
            if message["type"] == "websocket.disconnect":
                return
            self._heard = True
            await self._take(_read_message(message, self._sockets.limits))

    async def _take(self, message: Json) -> None:
        kind = message.get("type")
        if kind == "ping":
            answer = {"type": "pong"}
            if isinstance(message.get("payload"), dict):
                answer["payload"] = message["payload"]
            await self._write(orjson.dumps(answer))
        elif kind == "pong":
            return
        elif kind == "connection_init":
            await self._init(message)
        elif kind == "subscribe":
            self._begin(message)
        elif kind == "complete":
            task = self._operations.pop(_id(message), None)
            if task is not None:
                task.cancel()
        else:
            raise Closed(BAD_REQUEST, "Invalid message: its type is not known")

    async def _init(self, message: Json) -> None:
        if self._initialised:
            raise Closed(TOO_MANY_INITS, "Too many initialisation requests")
        self._initialised = True
        payload = message.get("payload")
        if payload is not None and not isinstance(payload, dict):
            raise Closed(BAD_REQUEST, "Invalid message: payload is no object")
        authorization = next(
            (value for name, value in (payload or {}).items() if name.lower() == "authorization"),
            header_of(self._scope, b"authorization"),
        )
        if authorization is not None and not isinstance(authorization, str):
            raise Closed(BAD_REQUEST, "Invalid message: Authorization is no text")
        sockets = self._sockets
        scope = as_request(self._scope, sockets.public_url, authorization)
        try:
            actor = await sockets.admit(scope)
            if actor.nobody:
                raise Closed(FORBIDDEN, "Forbidden: a token is required")
            caller = sockets.caller(actor, scope)
            sockets.connections.take(caller)
        except RateLimited as error:
            raise Closed(4429, f"Too many requests: {error.message}") from None
        except ApiError as error:
            raise Closed(FORBIDDEN, f"Forbidden: {error.message}") from None
        self._caller = caller
        self._credential = credential_of(actor, scope, sockets.find)
        self._request_scope = scope
        await self._write(b'{"type":"connection_ack"}')

    def _begin(self, message: Json) -> None:
        credential = self._credential
        if credential is None:
            raise Closed(UNAUTHORIZED, "Unauthorized")
        id, payload = _id(message), message.get("payload")
        if not isinstance(payload, dict):
            raise Closed(BAD_REQUEST, "Invalid message: payload is no object")
        if id in self._operations:
            raise Closed(EXISTS, f"Subscriber for {id} already exists")
        try:
            request = from_body(payload)
        except MalformedBody as error:
            raise Closed(BAD_REQUEST, f"Invalid message: {error.message}") from None
        work = self._run(id, request, credential)
        task = self._operations[id] = asyncio.get_running_loop().create_task(work)
        task.add_done_callback(lambda done: self._ended(id, done))

    def _ended(self, id: str, task: asyncio.Task[None]) -> None:
        if self._operations.get(id) is task:
            del self._operations[id]
        if not task.cancelled() and (error := task.exception()) and not self._failure.done():
            self._failure.set_exception(error)

    async def _run(self, id: str, request: GraphQLRequest, credential: Credential) -> None:
        try:
            if len(self._operations) > MOST_OPERATIONS:
                raise RateLimited(
                    f"a connection has at most {MOST_OPERATIONS} operations at the same time"
                )
            errors = await self._execute(id, request, credential)
        except (Closed, asyncio.CancelledError):
            raise
        except Refused as refused:
            errors = refused.errors
        except Exception as error:
            errors = [ErrorReport().request(expected(error) or error)]
        # The client may use the id anew as soon as it reads the last message.
        if self._operations.pop(id, None) is None:
            return
        if errors:
            await self._write(orjson.dumps({"id": id, "type": "error", "payload": errors}))
            if any(error["extensions"].get("code") == "UNAUTHENTICATED" for error in errors):
                raise Closed(FORBIDDEN, "Forbidden: the credentials are not valid any more")
        else:
            await self._write(orjson.dumps({"id": id, "type": "complete"}))

    async def _execute(self, id: str, request: GraphQLRequest, credential: Credential) -> Any:
        """The errors with which an operation has ended, None where it is complete."""
        # What is counted of one operation is not counted of the next.
        scope, endpoint = {**self._request_scope}, self._sockets.endpoint
        operation = await endpoint.subscription(request, credential.actor, scope, _never)
        name = orjson.dumps(id)
        if operation is None:
            content = await endpoint.content(request, None, credential.actor, scope, _never)
            if isinstance(content, dict) and "data" not in content:
                return content["errors"]
            await self._write(_next(name, orjson.dumps(content)))
            return None
        subscriber = await self._sockets.hub.subscribe(credential, operation)
        try:
            async for delivery in subscriber:
                await self._write(_next(name, delivery.body))
        finally:
            self._sockets.hub.unsubscribe(subscriber)
        return None if subscriber.error is None else [subscriber.error]

    async def _keep_pinging(self) -> None:
        while True:
            await asyncio.sleep(PING_SECONDS)
            if not self._heard:
                raise Closed(INIT_TIMEOUT, "The client does not answer")
            self._heard = False
            await self._write(b'{"type":"ping"}')

    async def _write(self, message: bytes) -> None:
        async with self._turn:
            self._sending = asyncio.get_running_loop().time()
            if self._timer is None:
                self._look_after(SEND_SECONDS)
            try:
                await self._send({"type": "websocket.send", "text": message.decode()})
            except OSError:
                # It has closed the connection; whoever reads from it will notice, too.
                raise Closed(1001, "The client is gone") from None
            finally:
                self._sending = None

    def _look_after(self, seconds: float) -> None:
        self._timer = asyncio.get_running_loop().call_later(seconds, self._look)

    def _look(self) -> None:
        """End the connection when a message was not read for too long. One timer does for all of
        them: one for each would be the most of what a delivery costs here."""
        self._timer = None
        if self._sending is None:
            return
        left = self._sending + SEND_SECONDS - asyncio.get_running_loop().time()
        if left > 0:
            self._look_after(left)
        elif not self._failure.done():
            self._failure.set_exception(Closed(INIT_TIMEOUT, "The client does not read"))


def _next(id: bytes, body: bytes) -> bytes:
    return b'{"id":%b,"type":"next","payload":%b}' % (id, body)


def _read_message(message: Message, limits: BodyLimits) -> Json:
    text = message.get("text")
    if text is None:
        raise Closed(BAD_REQUEST, "Invalid message: it is no text")
    data = text.encode("utf-8", "replace")
    if len(data) > limits.bytes:
        raise Closed(BAD_REQUEST, f"Invalid message: it has more than {limits.bytes} bytes")
    try:
        read = parse_json(data, limits)
    except MalformedBody as error:
        raise Closed(BAD_REQUEST, f"Invalid message: {error.message}") from None
    if not isinstance(read, dict):
        raise Closed(BAD_REQUEST, "Invalid message: it is no object")
    return read


def _id(message: Json) -> str:
    id = message.get("id")
    if not isinstance(id, str) or not 1 <= len(id) <= LONGEST_ID:
        raise Closed(BAD_REQUEST, f"Invalid message: id is no text of 1 to {LONGEST_ID} characters")
    return id


async def _never() -> Message:
    """What a client sends while a query is executed: nothing that concerns it."""
    await asyncio.get_running_loop().create_future()
    raise AssertionError("unreachable: nothing completes it")
