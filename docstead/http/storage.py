"""Takes files of organizations behind their signed addresses, and shows those that are public."""

import asyncio
from collections.abc import Awaitable, Callable

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse

from db.blobs import BlobMissingError, TooManyBytesError
from db.storage_enums import StorageUploadKind
from docstead.http.file_uploads import SECONDS, noting, too_large, unknown_upload
from docstead.http.font_checks import font_problem_of
from docstead.server import Server
from resolvers.core.actors import OPERATOR
from resolvers.core.errors import ApiError, NotFound
from resolvers.core.runners import read, run
from resolvers.core.signed_addresses import is_valid
from resolvers.storage.operations import (
    HEAD,
    Arrived,
    awaited_upload,
    finish_storage_upload,
    shown_file,
    storage_signature,
)
from rest_compat.app import error_response
from rest_compat.endpoint import json_response

# The bytes under a key never change. Fonts are fetched by pages of other hosts, without
# credentials; nothing in a picture may run.
_HEADERS = {
    "Cache-Control": "public, max-age=31536000, immutable",
    "Access-Control-Allow-Origin": "*",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": "default-src 'none'; sandbox",
}


def storage_route(live: Server) -> Callable[[Request], Awaitable[Response]]:
    """The handler of PUT and GET /storage/{upload}."""

    async def storage(request: Request) -> Response:
        id = request.path_params["upload"]
        try:
            return await (_take if request.method == "PUT" else _show)(live, request, id)
        except NotFound:
            return unknown_upload()
        except ApiError as error:
            return error_response(error.status, error.message)

    return storage


async def _take(live: Server, request: Request, id: str) -> Response:
    access = await live.file_access()
    if not is_valid(request.query_params, lambda end: storage_signature(access.key, id, end)):
        return unknown_upload()
    async with live.context_of(OPERATOR) as ctx:
        announced = await read(ctx, awaited_upload, id)
    size = announced.size
    length = request.headers.get("content-length", "0")
    if length.isdecimal() and (len(length) > 12 or int(length) > size):
        return too_large(size)
    head = bytearray()
    try:
        async with asyncio.timeout(SECONDS):
            stream = noting(request.stream(), head)
            sha256, received = await access.blobs.put_stream(id, stream, size)
    except TooManyBytesError:
        return too_large(size)
    except TimeoutError:
        return error_response(408, f"the bytes did not arrive within {SECONDS:g} seconds")
    except ClientDisconnect:
        return error_response(400, "the bytes did not arrive")
    arrived = Arrived(sha256, received, bytes(head[:HEAD]))
    if announced.kind is StorageUploadKind.CUSTOMIZATION_FONT:
        problem = await font_problem_of(access.blobs.read(id, sha256))
        if problem is not None:
            return error_response(422, f"the font {problem}")
    async with live.context_of(OPERATOR) as ctx:
        row = await run(ctx, finish_storage_upload, id, arrived)
    return json_response({"key": row.id, "size": row.size, "sha256": row.sha256})


async def _show(live: Server, request: Request, id: str) -> Response:
    async with live.context_of(OPERATOR) as ctx:
        row = await read(ctx, shown_file, id)
    access = await live.file_access()
    mark = f'"{row.sha256}"'
    headers = {**_HEADERS, "ETag": mark}
    if request.headers.get("if-none-match") == mark:
        return Response(status_code=304, headers=headers)
    try:
        blob = await access.blobs.open(id, row.sha256 or "")
    except BlobMissingError:
        return unknown_upload()
    headers["Content-Length"] = str(blob.size)
    if request.method == "HEAD":
        return Response(headers=headers, media_type=row.content_type)
    return StreamingResponse(blob.chunks, headers=headers, media_type=row.content_type)
