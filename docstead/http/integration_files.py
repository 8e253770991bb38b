"""Pictures of integrations, for everybody (docs/integrations.md)."""

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from db.blobs import BlobMissingError
from docstead.server import Server
from resolvers.core.actors import OPERATOR
from resolvers.core.errors import NotFound
from resolvers.core.runners import read
from resolvers.integrations.reading import get_picture

PATH = "/integration-files/{files}/{sha256}"
# What is at an address never changes: a new version has others.
_HEADERS = {
    "Cache-Control": "public, max-age=31536000, immutable",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "X-Content-Type-Options": "nosniff",
    "Access-Control-Allow-Origin": "*",
}


def integration_files_route(live: Server) -> Callable[[Request], Awaitable[Response]]:
    """The handler of their addresses."""

    async def picture(request: Request) -> Response:
        files, sha256 = (request.path_params[name] for name in ("files", "sha256"))
        async with live.context_of(OPERATOR) as ctx:
            media_type = await read(ctx, get_picture, files, sha256)
        access = await live.file_access()
        try:
            blob = await access.blobs.open(files, sha256)
        except BlobMissingError as error:
            raise NotFound("there is no such picture") from error
        headers = {**_HEADERS, "Content-Length": str(blob.size), "ETag": f'"{sha256}"'}
        if request.method == "HEAD":
            return Response(headers=headers, media_type=media_type)
        return StreamingResponse(blob.chunks, headers=headers, media_type=media_type)

    return picture
