"""The ASGI application: /graphql, /v1, GraphiQL, health; one lifespan."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route

from db.session import Database
from docstead.file_downloads import download_route
from docstead.server import Server
from docstead.settings import Settings, load_settings
from resolvers.context import Context
from rest_compat.app import v1_app


def create_app(settings: Settings | None = None, server: Server | None = None) -> Starlette:
    """The whole service; `server` is given by tests, which own its database."""
    settings = settings or load_settings()
    own = server is None
    live = server or Server(settings, Database(settings.database, pool_size=settings.pool_size))

    def open_context(request: Request, public: bool) -> AbstractAsyncContextManager[Context]:
        return live.context(request.headers.get("authorization"), public=public)

    async def read_body(request: Request) -> Any:
        return await request.json()

    async def health(request: Request) -> Response:
        async with live.database.connection() as connection:
            await connection.exec_driver_sql("SELECT 1")
        return JSONResponse({"status": "ok"})

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        if own:
            async with live.running():
                yield
        else:
            yield

    app = Starlette(
        routes=[
            Route("/health", health),
            Route("/files/{space}/{sha256}/{name}", download_route(live.file_access)),
            Mount("/v1", v1_app(open_context, read_body)),
        ],
        lifespan=lifespan,
    )
    app.state.server = live
    return app
