"""The ASGI application: /graphql, GraphiQL, /v1, files, account pages, health; one lifespan."""

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from fastapi import FastAPI
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from account_pages.requests import SESSION_ENDED, secret_of_script
from account_pages.routes import account_routes
from db.audit_enums import AuditDoor
from db.reading import Ended
from db.session import Database
from docstead.garbage import keep_returning, settle
from docstead.graphql.endpoint import (
    CREDENTIAL,
    AnonymousAccess,
    GraphQLHTTP,
    GraphQLHTTPConfig,
)
from docstead.graphql.kept_results import Keeping, KeptResults
from docstead.graphql.pages import graphiql, page_routes
from docstead.graphql.persisted_documents import AutomaticDocuments, TrustedDocuments
from docstead.graphql.request import GraphQLRequest
from docstead.http import integration_endpoints, integration_files
from docstead.http.body_guard import BEACON_TYPES, JSON_TYPES, BodyLimits, MalformedBody, read_json
from docstead.http.changes_feed import changes_feed_route
from docstead.http.client_addresses import client_address, origin_of
from docstead.http.cross_origin import CrossOrigin
from docstead.http.document_schemas import document_schema_routes
from docstead.http.exchange import Exchanges
from docstead.http.expected_caller import expected
from docstead.http.export_downloads import export_route
from docstead.http.file_downloads import download_route
from docstead.http.file_uploads import upload_route
from docstead.http.git_hooks import PATH as GIT_HOOK, git_hook_route
from docstead.http.health import health_routes
from docstead.http.holders import Holders
from docstead.http.integration_files import integration_files_route
from docstead.http.organization_downloads import archive_route
from docstead.http.origins import read_origins
from docstead.http.pdf_downloads import pdf_route
from docstead.http.request_guard import RequestGuard
from docstead.http.request_limits import QUOTA, RequestLimits
from docstead.http.site_bodies import bytes_of, json_of
from docstead.http.specifications import PATH as PUBLIC_SPECIFICATION, specification_route
from docstead.http.storage import storage_route
from docstead.http.time_limits import ClientDisconnected
from docstead.monitoring.logs import REQUESTS, SlowStatements
from docstead.monitoring.metrics import Metrics, metrics_endpoint
from docstead.monitoring.requests import (
    SITES,
    Observation,
    RequestObserver,
    log_request,
    observation_of,
)
from docstead.monitoring.resources import caches_of, resource_figures
from docstead.monitoring.spans import Spans, spans_of
from docstead.monitoring.tracing import OFF, Tracer
from docstead.monitoring.workers import Workers
from docstead.server import OpenContext, Server
from docstead.settings import Settings, load_settings, trusted_documents
from docstead.subscriptions.event_streams import EventStreams
from docstead.subscriptions.hub import Hub
from docstead.subscriptions.limits import Places
from docstead.subscriptions.sockets import Sockets
from docstead.workbench import built_workbench, workbench_routes
from published.answers import FAVICON, favicon
from published.handler import CLIENT_CLOSED_REQUEST, PublishedSites
from published.hosts import SiteHosts
from published.posts import Bodies
from resolvers.access.tokens import MISSING
from resolvers.core.actors import NOBODY, OPERATOR, Actor
from resolvers.core.context import Context
from resolvers.core.errors import Unauthenticated
from resolvers.core.rate_limits import Quota
from rest_compat.app import answer_errors, v1_document, v1_routes
from schema.build import build_schema
from schema.cost_table import CostTable
from schema.documents import Documents, DocumentSettings
from schema.execution import engine_of, is_one_statement, is_open_to_all, open_names
from schema.limits import Limits
from schema.operations import Operation

GRAPHQL_PATH = "/graphql"
SITE_BODIES = Bodies(json_of, bytes_of)


class Service(FastAPI):
    """The application; requests to hosts of sites, and for GraphQL, go past routes and middleware.

    They cost more than a small query. The endpoint needs none of them: its path is one without
    control characters, and its answers have their headers. What holds for every request is done
    by `exchanges`, around all parts.
    """

    def __init__(
        self,
        graphql: ASGIApp,
        sockets: ASGIApp,
        hosts: SiteHosts,
        observer: RequestObserver | None,
        exchanges: Exchanges,
        cross_origin: CrossOrigin | None,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        self._graphql = graphql
        self._sockets = sockets
        self._hosts = hosts
        self._observer = observer
        self._exchanges = exchanges
        self._cross_origin = cross_origin

    def openapi(self) -> dict[str, Any]:
        """The OpenAPI document: that of the table of /v1, for FastAPI's tools."""
        return v1_document()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One connection or the lifespan. Below a root path the routes find the endpoint."""
        path: str = scope.get("path", "")
        root: str = scope.get("root_path", "")
        if scope["type"] == "websocket" and path.removeprefix(root) == GRAPHQL_PATH:
            await self._sockets(scope, receive, send)
            return
        if scope["type"] != "http":
            await super().__call__(scope, receive, send)
            return
        if self._observer is None:
            await self._answer_whole(scope, receive, send)
        else:
            await self._observer.observe(self._answer_whole, scope, receive, send)

    async def _answer_whole(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._exchanges.answer(self._answer, scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        app = await self._hosts.app_of(scope)
        if app is None:
            app = self._graphql if scope["path"] == GRAPHQL_PATH else super().__call__
            if self._cross_origin is not None:
                app = partial(self._cross_origin.answer, app)
        elif (observation := observation_of(scope)) is not None:
            observation.door = SITES
        await app(scope, receive, send)


def create_app(settings: Settings | None = None, server: Server | None = None) -> Service:
    """The whole service; `server` is given by tests, which own its database."""
    settings = settings or load_settings()
    live = server or Server(settings, Database(settings.database, pool_size=settings.pool_size))

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        if server is not None:
            yield
            return
        async with live.running(), workers.listening() if workers else nullcontext():
            settle(settings.gc_threshold)
            streams.hub.begin()
            returning = asyncio.create_task(keep_returning())
            try:
                yield
            finally:
                returning.cancel()
                await streams.hub.close()
        if spans is not None:
            await asyncio.to_thread(spans.close)

    spans = spans_of(os.environ, live.database.engine.dialect.name)
    _time_statements(settings, live, spans)
    limits = RequestLimits(settings)
    sites = PublishedSites(live, settings.request_seconds, limits.quota_of_visitor, SITE_BODIES)
    resources = resource_figures(live, caches_of(live, sites.cache))
    metrics = Metrics(resources) if settings.metrics_token else None
    observer = observer_of(metrics, spans)
    figures: list[BaseRoute] = []
    workers: Workers | None = None
    if metrics is not None:
        workers = Workers(metrics.text)
        figures.append(
            Route(
                "/metrics",
                metrics_endpoint(
                    workers, settings.metrics_token, lambda: live.context_of(OPERATOR)
                ),
            )
        )
    v1 = v1_routes()
    origins = read_origins(settings.cors_origins)
    streams = _graphql(settings, live, metrics, limits, origins)
    graphql = streams.over_http
    holders = Holders(live.database.points, live.context_of)
    app = Service(
        graphql,
        streams.sockets,
        SiteHosts(live, sites, RequestGuard),
        observer,
        Exchanges(compression=settings.compression),
        CrossOrigin(origins) if origins else None,
        title="Docstead",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        routes=[
            Route(GRAPHQL_PATH, graphql),
            *page_routes(),
            *workbench_routes(),
            *document_schema_routes(),
            v1.index,
            Route(
                "/files/{space}/{sha256}/{name}",
                download_route(live.file_access, live.in_bin, live.shown_type),
            ),
            Route("/v1/spaces/{space}/changes.atom", changes_feed_route(live, limits.admit)),
            Route(PUBLIC_SPECIFICATION, specification_route(live, limits.admit)),
            Route(GIT_HOOK, git_hook_route(live, limits.admit), methods=["POST"]),
            Route("/uploads/{upload}", upload_route(live), methods=["PUT"]),
            Route("/storage/{upload}", storage_route(live), methods=["GET", "PUT"]),
            Route(
                integration_endpoints.PATH,
                integration_endpoints.integration_endpoints_route(live, limits.admit),
                methods=integration_endpoints.METHODS,
            ),
            Route(integration_files.PATH, integration_files_route(live), methods=["GET"]),
            Route(
                "/pdf/{space}/{revision}/{name}",
                pdf_route(
                    live.file_access, live.in_bin, holders, live.printer, settings.request_seconds
                ),
            ),
            Route(
                "/exports/{space}/{revision}/{name}",
                export_route(
                    live.file_access, live.in_bin, holders, lambda: live.context_of(OPERATOR)
                ),
            ),
            Route(
                "/organization-exports/{job}/{sha256}/{name}",
                archive_route(live.file_access, holders),
            ),
            Route("/sites/{site}", sites.below_sites),
            Route("/sites/{site}/{path:path}", sites.below_sites, methods=["GET", "POST"]),
            Route(FAVICON, favicon),
            *account_routes(
                live, partial(origin_of, AuditDoor.PAGE, settings=settings), built_workbench()
            ),
            *health_routes(live.database),
            *figures,
            *v1.routes,
        ],
        middleware=[Middleware(RequestGuard)],
        lifespan=lifespan,
    )
    answer_errors(app)
    app.add_exception_handler(ClientDisconnected, _gone)
    app.router.redirect_slashes = False
    app.state.server, app.state.v1 = live, V1Server(settings, live, limits)
    app.state.hub = streams.hub
    return app


async def _gone(request: Request, error: Exception) -> Response:
    """The answer to a client that hung up within its body: nobody reads it, and it is no fault."""
    return Response(status_code=CLIENT_CLOSED_REQUEST)


def _time_statements(settings: Settings, live: Server, spans: Spans | None) -> None:
    """Let the log and the spans know of the statements of the database that concern them."""
    listeners: list[Ended] = []
    if settings.slow_statement_milliseconds:
        listeners.append(SlowStatements(settings.slow_statement_milliseconds).ended)
    if spans is not None:
        listeners.append(spans.statement_ended)

    def ended(statement: str, seconds: float) -> None:
        for listener in listeners:
            listener(statement, seconds)

    if listeners:
        live.database.time_statements(ended)


def observer_of(metrics: Metrics | None, spans: Spans | None = None) -> RequestObserver | None:
    """Who observes requests: the log, as its levels say, metrics and spans; None without any."""
    listeners: list[Callable[[Scope, Observation], None]] = []
    if logging.getLogger(REQUESTS).isEnabledFor(logging.INFO):
        listeners.append(log_request)
    if metrics is not None:
        listeners.append(metrics.count)
    if not listeners and spans is None:
        return None
    observer = RequestObserver(*listeners, spans=spans)
    if metrics is not None:
        metrics.observer = observer
    return observer


# Of callers without a token: bytes of a body, and what is kept of their documents.
OPEN_BODY, OPEN_DOCUMENTS, OPEN_BYTES = 65_536, 50, 20_000
MULTIPART = (
    "Multipart bodies (graphql-multipart-request-spec) are not supported, send application/json. "
    "Files are uploaded with the mutation createFileUpload: it answers an address that takes the "
    "bytes with PUT; createFile makes a file of them."
)


@dataclass(frozen=True, slots=True)
class GraphQLParts:
    """The endpoint over HTTP, with event streams, and over WebSockets; the hub of both."""

    over_http: ASGIApp
    sockets: ASGIApp
    hub: Hub


def _graphql(
    settings: Settings,
    live: Server,
    metrics: Metrics | None,
    limits: RequestLimits,
    origins: frozenset[str],
) -> GraphQLParts:
    schema = build_schema()
    limited = DocumentSettings(
        limits=Limits(depth=settings.query_depth, cost=settings.query_cost),
        costs=CostTable(default_size=settings.page_size, by_id=frozenset({"Query.nodes"})),
        introspection=settings.introspection,
    )
    documents = Documents(schema._schema, limited)

    if metrics is not None:
        metrics.lookups = documents.lookups
    # Without either the endpoint has nothing to look at.
    tracer = Tracer(settings.tracing, metrics) if metrics or settings.tracing != OFF else None

    async def authenticate(scope: Scope) -> Actor:
        return expected(await limits.admit(scope, partial(actor_of, scope)), scope)

    async def actor_of(scope: Scope) -> Actor:
        for name, value in scope["headers"]:
            if name == b"authorization":
                return await live.authenticate(value.decode("latin-1"))
        secret = secret_of_script(Request(scope), settings.public_url)
        if secret is None:
            return NOBODY
        actor = await live.find_session(secret)
        if actor is None:
            raise Unauthenticated(SESSION_ENDED)
        scope[CREDENTIAL] = secret
        return actor

    def make_context(actor: Actor, scope: Scope) -> AbstractAsyncContextManager[Context]:
        address = client_address(scope, settings) if actor.nobody else ""
        origin = origin_of(AuditDoor.GRAPHQL, scope, settings)
        return live.context_of(actor, address, origin, scope.get(QUOTA))

    trusted = None
    if settings.trusted_documents:
        trusted = TrustedDocuments(trusted_documents(settings.trusted_documents))
    engine = engine_of(schema, hide_suggestions=not settings.introspection)

    results = None
    if live.kept_answers is not None:
        results = KeptResults(live.kept_answers, live.database.points)

    def keeping(request: GraphQLRequest, actor: Actor, scope: Scope) -> Keeping | None:
        return None if results is None else results.keeping(request, actor, scope.get(QUOTA))

    def one_statement(operation: Operation) -> bool:
        return is_one_statement(
            engine, operation, live.resolver_settings, live.database.points.dialect
        )

    endpoint = GraphQLHTTP(
        documents,
        engine=engine,
        read_in_place=live.read_in_place,
        one_statement=one_statement,
        authenticate=authenticate,
        anonymous_access=AnonymousAccess(
            is_nobody=lambda actor: actor.nobody,
            names=open_names(engine),
            is_open=lambda operation: is_open_to_all(engine, operation),
            documents=Documents(
                schema._schema,
                replace(limited, cached_documents=OPEN_DOCUMENTS, cached_bytes=OPEN_BYTES),
            ),
            persisted=trusted or AutomaticDocuments(OPEN_DOCUMENTS, OPEN_BYTES),
            refusal=lambda: Unauthenticated(MISSING),
            body=BodyLimits(bytes=min(settings.body_limit, OPEN_BODY)),
        ),
        make_context=make_context,
        charge=limits.charge,
        persisted=trusted,
        answers=live.answers,
        keeping=keeping,
        tracer=tracer,
        page=graphiql(),
        # Content tokens stand in pages that anybody reads, so they make nobody known.
        caller=lambda actor, scope: (
            actor.user_id or client_address(scope, settings),
            actor.user_id is not None,
        ),
        config=GraphQLHTTPConfig(
            body=BodyLimits(bytes=settings.body_limit),
            deadline=settings.request_seconds,
            multipart=MULTIPART,
        ),
    )

    def caller(actor: Actor, scope: Scope) -> str:
        """Whose connections are counted together."""
        return actor.token_id or actor.session_id or client_address(scope, settings)

    hub = Hub(live, engine)
    connections = Places(settings.subscription_connections, "connections for subscriptions")
    return GraphQLParts(
        EventStreams(endpoint, hub, actor_of, connections, caller),
        Sockets(
            endpoint,
            hub,
            authenticate,
            actor_of,
            connections,
            caller,
            settings.public_url,
            origins,
            BodyLimits(bytes=settings.body_limit),
        ),
        hub,
    )


class V1Server:
    """The `ServerPort` of the endpoints of /v1."""

    def __init__(self, settings: Settings, live: Server, limits: RequestLimits) -> None:
        self._request_limits = limits
        self.seconds: float = settings.request_seconds
        self._live = live
        self._limits = BodyLimits(bytes=settings.body_limit)
        self._open_limits = BodyLimits(bytes=min(settings.body_limit, OPEN_BODY))
        self._settings = settings
        self.read_in_place = live.read_in_place
        self.answers = live.answers
        self.kept = live.kept_answers
        self.points = live.database.points

    async def authenticate(self, request: Request, open_to_all: bool) -> Actor:
        """The actor; Unauthenticated when the token is bad, or missing where it is required."""
        authorization = request.headers.get("authorization")

        async def actor() -> Actor:
            if authorization is None and open_to_all:
                return NOBODY
            return await self._live.authenticate(authorization)

        admitted = await self._request_limits.admit(request.scope, actor)
        return expected(admitted, request.scope)

    def open_context(self, actor: Actor, request: Request) -> OpenContext:
        """The Context of a request."""
        address = client_address(request.scope, self._settings) if actor.nobody else ""
        origin = origin_of(AuditDoor.V1, request.scope, self._settings)
        return self._live.context_of(actor, address, origin, self.quota(request))

    def quota(self, request: Request) -> Quota | None:
        """How often the caller may search and write."""
        quota: Quota | None = request.scope.get(QUOTA)
        return quota

    def charge(self, request: Request, objects: int) -> None:
        """Count a list by the objects that it may read, beside its request."""
        self._request_limits.charge(request.scope, objects)

    async def read_body(self, request: Request, actor: Actor, beacon: bool) -> Any:
        """The guarded JSON body; None when the request has none. A `beacon` may say that it is
        plain text, and a body of nobody is small."""
        length = request.headers.get("content-length")
        if length in (None, "0") and "transfer-encoding" not in request.headers:
            return None
        limits = self._open_limits if actor.nobody else self._limits
        types = BEACON_TYPES if beacon else JSON_TYPES
        body = await read_json(request.scope, request.receive, limits, types)
        if body is None:
            raise MalformedBody("The body is null; a JSON object is expected.")
        return body
