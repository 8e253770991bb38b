"""GraphiQL and the schema picture: static pages shipped with the package.

They load nothing from any other host, which their Content-Security-Policy also enforces. Inline
styles are allowed because the editor makes them; inline scripts are not.
"""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

STATIC = Path(__file__).parents[1] / "static" / "graphiql"
# By directive; a page may allow itself more.
POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "worker-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
}
# The layout of the schema picture is worked out by WebAssembly, in a worker that comes inlined.
PICTURE = {"script-src": "'wasm-unsafe-eval'", "worker-src": "blob:"}
# Names of assets hold a hash of their content.
ASSET_CACHE = "public, max-age=31536000, immutable"


class Page:
    """An ASGI application that answers with one page; its text is read once."""

    def __init__(self, name: str, allowed: Mapping[str, str] = MappingProxyType({})) -> None:
        policy = {key: f"{value} {allowed.get(key, '')}".rstrip() for key, value in POLICY.items()}
        headers = {
            "Content-Security-Policy": "; ".join(
                f"{name} {value}" for name, value in policy.items()
            ),
            "Referrer-Policy": "no-referrer",
            "Cache-Control": "no-cache",
            # The endpoint answers other clients with JSON.
            "Vary": "Accept",
            "X-Content-Type-Options": "nosniff",
        }
        text = (STATIC / name).read_text(encoding="utf-8")
        self._response = HTMLResponse(text, headers=headers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._response(scope, receive, send)


class Assets(StaticFiles):
    """Scripts, styles and fonts of the pages, cacheable for ever."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        if response.status_code == 200:
            response.headers["Cache-Control"] = ASSET_CACHE
        return response


def graphiql() -> Page:
    """The query editor, for a browser's GET of the endpoint."""
    return Page("graphiql.html")


def page_routes() -> list[BaseRoute]:
    """The schema picture and what the pages load, all below /graphql."""
    return [
        Route("/graphql/schema", Page("schema.html", PICTURE)),
        Mount("/graphql/assets", Assets(directory=STATIC / "assets")),
    ]
