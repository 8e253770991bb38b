"""GraphQL over HTTP as one ASGI application, by the GraphQL-over-HTTP specification.

A token is verified before anything of the request is read; one without a token is read, to see
whether it asks for nothing but what is open to all. What is wrong with the request itself
(credentials, media types, JSON, parameters) has its HTTP status with either media type. What is
wrong with the document, its variables or its execution is a GraphQL response: 200 with
application/json, and with application/graphql-response+json the status of the error unless the
response has data.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import orjson
from graphql import ExecutionResult, GraphQLError, OperationType
from starlette.types import ASGIApp, Receive, Scope, Send

from docstead.graphql.errors import (
    ErrorReport,
    Headers,
    MethodNotAllowed,
    NotAcceptable,
    error_headers,
)
from docstead.graphql.kept_results import Keeping
from docstead.graphql.persisted_documents import AutomaticDocuments, PersistedDocuments
from docstead.graphql.request import GraphQLRequest, from_body, from_url
from docstead.graphql.turns import Caller, Turns
from docstead.http.body_guard import BodyLimits, UnsupportedMediaType, read_json
from docstead.http.client_addresses import neighbourhood
from docstead.http.media_types import GRAPHQL_RESPONSE, JSON_TYPE, negotiate, prefers_html
from docstead.http.time_limits import ClientDisconnected, TimeLimit, TimeLimitPassed
from docstead.monitoring.requests import observation_of
from docstead.monitoring.tracing import Tracer, asks_for_trace
from resolvers.access.idempotency import (
    REPLAYED,
    Answer,
    KeyedRequest,
    RememberedAnswers,
    keyed_request,
)
from resolvers.core.database_errors import expected, unanswered
from resolvers.core.transactions import HEADER
from schema.documents import Documents
from schema.engine.engine import Engine
from schema.execution import execute
from schema.operations import Operation
from schema.refusals import Refused
from schema.tracing import OperationTrace

Actor = TypeVar("Actor")
# Where `authenticate` leaves in the scope what names a caller without the header Authorization.
CREDENTIAL = "docstead.credential"
# Characters of a document that is parsed and checked in less than a millisecond.
SHORT = 500


COMMON_HEADERS: dict[str, Headers] = {
    media_type: [
        (b"content-type", f"{media_type}; charset=utf-8".encode()),
        (b"cache-control", b"no-store"),
        (b"x-content-type-options", b"nosniff"),
    ]
    for media_type in (GRAPHQL_RESPONSE, JSON_TYPE)
}


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphQLHTTPConfig:
    """Choices of the operator; those about documents are in DocumentSettings."""

    body: BodyLimits = field(default_factory=BodyLimits)
    allow_get: bool = True
    deadline: float = 30.0  # seconds for an operation, its context included
    # The error for clients with files in multipart bodies.
    multipart: str = "Multipart bodies are not supported; send application/json."


@dataclass(slots=True)
class Response:
    """An answer that is complete in memory."""

    status: int
    content: dict[str, Any] | orjson.Fragment
    media_type: str
    headers: Headers = field(default_factory=list)


Work = Callable[[], Coroutine[Any, Any, Any]]
ReadInPlace = Callable[[Work], Awaitable[Any]]


@dataclass(frozen=True)
class AnonymousAccess:
    """What callers without a token may do: use the fields that are open to all, within limits.

    A text without the `names` of such fields is refused before it is parsed, and their documents
    are not cached among those of people.
    """

    is_nobody: Callable[[Any], bool]
    names: frozenset[str]
    is_open: Callable[[Operation], bool]
    documents: Documents
    persisted: PersistedDocuments
    refusal: Callable[[], Exception]
    body: BodyLimits

    def check(self, text: str) -> None:
        """Raise for a text that asks for nothing that is open."""
        if not any(name in text for name in self.names):
            raise self.refusal()

    def check_operation(self, operation: Operation) -> None:
        """Raise for an operation that asks for anything else."""
        if not self.is_open(operation):
            raise self.refusal()


class GraphQLHTTP(Generic[Actor]):
    """The endpoint. It is given the callables that know the product:

    - `authenticate(scope)` answers the actor, or raises an ApiError (401 gets the header
      `WWW-Authenticate: Bearer`; a `retry_after` in seconds gets `Retry-After`);
    - `anonymous_access` says what is for callers without a token; without one they get nothing;
    - `charge(scope, cost)` counts an operation for the limit of its caller, or raises an ApiError
    - `make_context(actor, scope)` makes the resolvers' context for one operation; it is left
      before the answer is sent, and with CancelledError at the deadline or a disconnect;
    - `engine` executes; without one every field of the schema is run by its own resolver;
    - `persisted` knows documents that are named only; without it those that were sent once;
    - `answers` carry mutations with the header Idempotency-Key out once; without them it means
      nothing;
    - `keeping(request, actor)` keeps results of queries that read nothing but content;
    - `tracer` says which operations are traced;
    - `read_in_place(work)` awaits `work()` where the database is read, in another thread perhaps;
      queries are executed there but for those that are `one_statement(operation)`;
    - `page` is an ASGI application that answers a browser's GET, without authentication;
    - `caller(actor, scope)` says who stands in the line of documents that were never seen.
    """

    def __init__(
        self,
        documents: Documents,
        *,
        engine: Engine | None = None,
        authenticate: Callable[[Scope], Awaitable[Actor]],
        anonymous_access: AnonymousAccess | None = None,
        make_context: Callable[[Actor, Scope], AbstractAsyncContextManager[Any]],
        charge: Callable[[Scope, int], None] | None = None,
        read_in_place: ReadInPlace | None = None,
        one_statement: Callable[[Operation], bool] | None = None,
        persisted: PersistedDocuments | None = None,
        answers: RememberedAnswers | None = None,
        keeping: Callable[[GraphQLRequest, Actor, Scope], Keeping | None] | None = None,
        tracer: Tracer | None = None,
        page: ASGIApp | None = None,
        caller: Callable[[Actor, Scope], Caller] = lambda actor, scope: (actor, True),
        config: GraphQLHTTPConfig | None = None,
    ) -> None:
        self.documents = documents
        hide = not documents.settings.introspection
        self._engine = engine or Engine(documents.schema, hide_suggestions=hide)
        self.config = config or GraphQLHTTPConfig()
        self._authenticate = authenticate
        self._anonymous_access = anonymous_access
        self._make_context = make_context
        self._charge = charge
        self._read_in_place = read_in_place
        self._one_statement = one_statement
        self._persisted = persisted or AutomaticDocuments()
        self._answers = answers
        self._keeping = keeping
        self._tracer = tracer
        self._page = page
        self._caller = caller
        self._turns = Turns(network=neighbourhood)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one HTTP request."""
        accept = accept_header(scope)
        if self._page and scope["method"] == "GET" and prefers_html(accept):
            await self._page(scope, receive, send)
            return
        try:
            response = await self._response(scope, receive, negotiate(accept))
        except ClientDisconnected:
            return
        await self._send(response, send)

    async def admit(
        self, scope: Scope, receive: Receive
    ) -> tuple[Actor, AnonymousAccess | None, GraphQLRequest]:
        """Who asks, what holds for them without a token, and the request; raises what is wrong."""
        self._check_method(scope["method"])
        actor = await self._authenticate(scope)
        anonymous = self._anonymous_access
        if anonymous is not None and not anonymous.is_nobody(actor):
            anonymous = None
        limits = self.config.body if anonymous is None else anonymous.body
        return actor, anonymous, await self._request(scope, receive, limits)

    async def subscription(
        self, request: GraphQLRequest, actor: Actor, scope: Scope, receive: Receive
    ) -> Operation | None:
        """The subscription that is asked for, None for a query or a mutation; raises Refused."""
        request = self._persisted.resolve(request)
        text, documents = request.query, self.documents
        turn: AbstractAsyncContextManager[None] = contextlib.nullcontext()
        if len(text) > SHORT and not documents.has_seen(text):
            turn = self._turns.turn(self._caller(actor, scope), receive)
        async with turn:
            document = documents.document(text)
            prepared = documents.select(document, request.operation_name)
            if prepared.kind is not OperationType.SUBSCRIPTION:
                return None
            operation = documents.operation(document, prepared, request.variables)
        self._persisted.remember(request)
        if self._charge is not None:
            self._charge(scope, operation.cost)
        return operation

    async def content(
        self,
        request: GraphQLRequest,
        anonymous: AnonymousAccess | None,
        actor: Actor,
        scope: Scope,
        receive: Receive,
    ) -> dict[str, Any] | orjson.Fragment:
        """The result of a query or a mutation, with what is wrong with its document; text where it
        is written already, which it is of what was carried out alone."""
        response = await self._answer(request, anonymous, actor, scope, receive, GRAPHQL_RESPONSE)
        return response.content

    async def _response(self, scope: Scope, receive: Receive, media_type: str | None) -> Response:
        try:
            self._check_method(scope["method"])
            actor = await self._authenticate(scope)
            if media_type is None:
                accepted = f"{GRAPHQL_RESPONSE} or {JSON_TYPE}"
                raise NotAcceptable(f"Accept has to allow {accepted}.")
            anonymous = self._anonymous_access
            if anonymous is not None and not anonymous.is_nobody(actor):
                anonymous = None
            limits = self.config.body if anonymous is None else anonymous.body
            request = await self._request(scope, receive, limits)
            return await self._answer(request, anonymous, actor, scope, receive, media_type)
        except ClientDisconnected:
            raise
        except Exception as error:
            return _refusal(error, media_type or JSON_TYPE)

    def _check_method(self, method: str) -> None:
        allowed = "GET, POST" if self.config.allow_get else "POST"
        if method not in allowed.split(", "):
            raise MethodNotAllowed(f"{method[:20]} is not allowed here, use {allowed}.", allowed)

    async def _request(self, scope: Scope, receive: Receive, body: BodyLimits) -> GraphQLRequest:
        if scope["method"] == "GET":
            return from_url(scope["query_string"], body)
        try:
            return from_body(await read_json(scope, receive, body))
        except UnsupportedMediaType:
            types = _values_of(scope, "content-type")
            if any(type_.lstrip().lower().startswith("multipart/") for type_ in types):
                raise UnsupportedMediaType(self.config.multipart) from None
            raise

    async def _answer(
        self,
        request: GraphQLRequest,
        anonymous: AnonymousAccess | None,
        actor: Actor,
        scope: Scope,
        receive: Receive,
        media_type: str,
    ) -> Response:
        """Answer a request; `anonymous` is given for a caller without a token."""
        persisted = self._persisted if anonymous is None else anonymous.persisted
        try:
            request = persisted.resolve(request)
            documents = self.documents
            if anonymous is not None:
                anonymous.check(request.query)
                documents = anonymous.documents
            operation = await self._prepared(request, documents, actor, scope, receive)
            if anonymous is not None:
                anonymous.check_operation(operation)
            if (observation := observation_of(scope)) is not None:
                observation.ask(operation.prepared.node)
            persisted.remember(request)
            if self._charge is not None:
                self._charge(scope, operation.cost)
            traced = self._tracer is not None and asks_for_trace(scope, request.extensions)
            alone = self._one_statement is not None and self._one_statement(operation)
            keeping = None
            # What a single statement answers costs no more without.
            if self._keeping is not None and not (traced or alone) and is_query(operation):
                keeping = self._keeping(request, actor, scope)
                if keeping is not None and (result := await keeping.found()) is not None:
                    return Response(200, orjson.Fragment(result), media_type)
            content, headers = await self._execute(
                operation, _keyed_request(request, operation, scope), actor, scope, receive, traced,
                alone, keeping,
            )  # fmt: skip
        except Refused as refused:
            status = 200 if media_type == JSON_TYPE else refused.status
            content = {"errors": refused.errors}
            if refused.extensions:
                content["extensions"] = refused.extensions
            return Response(status, content, media_type)
        return Response(200, content, media_type, headers)

    async def _prepared(
        self,
        request: GraphQLRequest,
        documents: Documents,
        actor: Actor,
        scope: Scope,
        receive: Receive,
    ) -> Operation:
        """The operation of a request. A long text that was never seen takes milliseconds: one at a
        time, and between two of them all others go on."""
        method = scope["method"]
        if len(request.query) <= SHORT or documents.has_seen(request.query):
            return self._operation(request, documents, method)
        async with self._turns.turn(self._caller(actor, scope), receive):
            operation = self._operation(request, documents, method)
            if self._one_statement is not None and documents is self.documents:
                # Its plan takes as long, and is kept: none of whoever comes without a token is,
                # before it is known that they ask for what is open.
                self._one_statement(operation)
            return operation

    def _operation(self, request: GraphQLRequest, documents: Documents, method: str) -> Operation:
        document = documents.document(request.query)
        prepared = documents.select(document, request.operation_name)
        if prepared.kind is OperationType.SUBSCRIPTION:
            problem = (
                "A subscription has many results: ask for them with Accept: text/event-stream, or "
                "over a WebSocket with graphql-transport-ws."
            )
            raise Refused("SUBSCRIPTION_NOT_SUPPORTED", [GraphQLError(problem, [prepared.node])])
        if prepared.kind is OperationType.MUTATION and method == "GET":
            raise MethodNotAllowed("Mutations are not allowed with GET, use POST.", "POST")
        return documents.operation(document, prepared, request.variables)

    async def _execute(
        self,
        operation: Operation,
        keyed: KeyedRequest | None,
        actor: Actor,
        scope: Scope,
        receive: Receive,
        traced: bool,
        alone: bool,
        keeping: Keeping | None,
    ) -> tuple[dict[str, Any] | orjson.Fragment, Headers]:
        here = asyncio.get_running_loop()

        async def carry_out(context: Any) -> tuple[ExecutionResult, OperationTrace | None]:
            trace = None if self._tracer is None else await self._tracer.start(context, traced)
            result = await execute(
                self._engine, operation, context, trace, alone=alone, fragments=True
            )
            for error in result.errors or () if context.written else ():
                if isinstance(error.original_error, Exception):
                    error.original_error = unanswered(error.original_error)
            return result, trace

        async def work() -> tuple[ExecutionResult, OperationTrace | None]:
            async with self._make_context(actor, scope) as context:
                if keeping is not None:
                    keeping.begin(context)
                executed = await carry_out(context)
            if asyncio.get_running_loop() is not here:
                _write_data(executed[0])
            return executed

        async def work_once(keyed: KeyedRequest, answers: RememberedAnswers) -> Answer:
            async with self._make_context(actor, scope) as context:

                async def answer() -> Answer:
                    content = self._content(operation, *await carry_out(context))
                    return Answer(200, orjson.dumps(content))

                return await answers.answer(context, keyed, answer)

        try:
            with TimeLimit(self.config.deadline, receive):
                if keyed is not None and self._answers is not None:
                    once = await work_once(keyed, self._answers)
                    replayed = [(REPLAYED.lower().encode(), b"true")] if once.replayed else []
                    return orjson.Fragment(once.body), replayed
                reads = is_query(operation) and not alone
                if self._read_in_place is not None and reads:
                    executed = await self._read_in_place(work)
                else:
                    executed = await work()
        except TimeLimitPassed:
            problem = f"The operation did not finish within {self.config.deadline:g} seconds."
            raise Refused("DEADLINE_EXCEEDED", [GraphQLError(problem)], status=504) from None
        content = self._content(operation, *executed)
        if keeping is not None and "errors" not in content:
            with contextlib.suppress(TypeError):
                body = orjson.dumps(content)
                keeping.keep(body)
                return orjson.Fragment(body), []
        return content, []

    def _content(
        self, operation: Operation, result: ExecutionResult, trace: OperationTrace | None
    ) -> dict[str, Any]:
        if self._tracer is not None and trace is not None:
            self._tracer.finish(trace)
        content: dict[str, Any] = {}
        if result.errors:
            report = ErrorReport(operation.name)
            content["errors"] = report.execution(result.errors)
        content["data"] = result.data
        extensions = content["extensions"] = dict(result.extensions or {})
        extensions["cost"] = {"requested": operation.cost, "limit": self.documents.limits.cost}
        if trace is not None and trace.shown:
            extensions["trace"] = trace.report()
        return content

    async def refuse(self, error: Exception, send: Send) -> None:
        """Say what is wrong with a request that `admit` does not let in."""
        if not isinstance(error, ClientDisconnected):
            await self._send(_refusal(error, GRAPHQL_RESPONSE), send)

    async def _send(self, response: Response, send: Send) -> None:
        status, headers = response.status, response.headers
        try:
            body = orjson.dumps(response.content)
        except TypeError as error:  # a scalar that let something through that is not JSON
            internal = ErrorReport().request(error)
            status, headers, body = 500, [], orjson.dumps({"errors": [internal]})
        start_headers = [
            (b"content-length", str(len(body)).encode()),
            *COMMON_HEADERS[response.media_type],
            *headers,
        ]
        await send({"type": "http.response.start", "status": status, "headers": start_headers})
        await send({"type": "http.response.body", "body": body})


def _refusal(error: Exception, media_type: str) -> Response:
    error = expected(error) or error
    body = ErrorReport().request(error)
    status = body["extensions"]["status"]
    return Response(status, {"errors": [body]}, media_type, error_headers(error, status))


def is_query(operation: Operation) -> bool:
    """Whether an operation only reads."""
    return operation.prepared.kind is OperationType.QUERY


def _write_data(result: ExecutionResult) -> None:
    """Write data as JSON in the thread that has made it, which takes half the time it takes here.

    What is no JSON is left to whoever writes the answer, who knows what to say of it.
    """
    with contextlib.suppress(TypeError):
        result.data = orjson.Fragment(orjson.dumps(result.data))  # type: ignore[assignment]


def _keyed_request(
    request: GraphQLRequest, operation: Operation, scope: Scope
) -> KeyedRequest | None:
    """The mutation to carry out once; None for queries, and without the header Idempotency-Key."""
    if operation.prepared.kind is not OperationType.MUTATION:
        return None
    keys = _values_of(scope, HEADER)
    if not keys:
        return None
    authorization = _values_of(scope, "authorization")
    if not authorization and CREDENTIAL in scope:
        authorization = [f"Bearer {scope[CREDENTIAL]}"]
    variables = orjson.dumps(request.variables, option=orjson.OPT_SORT_KEYS)
    parts = (scope["method"], scope["path"], request.query, request.operation_name or "")
    return keyed_request(
        keys, authorization[0] if authorization else None, [*map(str.encode, parts), variables]
    )


def _values_of(scope: Scope, header: str) -> list[str]:
    name = header.lower().encode()
    return [value.decode("latin-1") for header, value in scope["headers"] if header == name]


def accept_header(scope: Scope) -> str | None:
    """The Accept headers of a request as one value, None without any."""
    values = [value for name, value in scope["headers"] if name == b"accept"]
    return b",".join(values).decode("latin-1") if values else None
