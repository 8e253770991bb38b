"""The schema of documents at addresses that last, for everybody: one for each `schemaVersion`."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from content.documents.nodes import SCHEMA_VERSION
from content.documents.schema import json_schema_text, typescript_text
from content.hashing import content_id
from rest_compat.entity_tags import is_known

# Within a version members may be added; an hour later caches know them.
_CACHE = "public, max-age=3600"


def document_schema_routes() -> list[BaseRoute]:
    """`/schemas/document/1.json` and `1.d.ts`."""
    address = f"/schemas/document/{SCHEMA_VERSION}"
    return [
        _route(f"{address}.json", json_schema_text(), "application/schema+json"),
        _route(f"{address}.d.ts", typescript_text(), "text/plain; charset=utf-8"),
    ]


def _route(path: str, text: str, media_type: str) -> Route:
    headers = {
        "ETag": f'"{content_id(text.encode())}"',
        "Cache-Control": _CACHE,
        "X-Content-Type-Options": "nosniff",
    }

    async def answer(request: Request) -> Response:
        if is_known(request, headers["ETag"]):
            return Response(status_code=304, headers=headers)
        return Response(text, headers=headers, media_type=media_type)

    return Route(path, answer)
