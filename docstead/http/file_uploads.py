"""Takes the bytes of files behind their signed addresses, as a stream of up to 100 MiB."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from db.blobs import TooManyBytesError
from docstead.server import Server
from resolvers.core.actors import OPERATOR
from resolvers.core.errors import ApiError, NotFound
from resolvers.core.runners import read, run
from resolvers.core.signed_addresses import is_valid
from resolvers.revisions import limits as content_limits
from resolvers.writing.uploads import HEAD, Arrived, finish_upload, upload_signature, upload_space
from rest_compat.app import error_response
from rest_compat.endpoint import json_response

SECONDS = 600.0


def upload_route(live: Server) -> Callable[[Request], Awaitable[Response]]:
    """The handler of PUT /uploads/{upload}."""

    async def upload(request: Request) -> Response:
        id, access = request.path_params["upload"], await live.file_access()
        if not is_valid(request.query_params, lambda end: upload_signature(access.key, id, end)):
            return unknown_upload()
        length = request.headers.get("content-length", "0")
        if length.isdecimal() and (len(length) > 12 or int(length) > content_limits.FILE_BYTES):
            return too_large()
        head = bytearray()
        try:
            async with live.context_of(OPERATOR) as ctx:
                space_id = await read(ctx, upload_space, id)
            async with asyncio.timeout(SECONDS):
                sha256, size = await access.blobs.put_stream(
                    space_id, noting(request.stream(), head), content_limits.FILE_BYTES
                )
            async with live.context_of(OPERATOR) as ctx:
                row = await run(ctx, finish_upload, id, Arrived(sha256, size, bytes(head)))
        except TooManyBytesError:
            return too_large()
        except TimeoutError:
            return error_response(408, f"the bytes did not arrive within {SECONDS:g} seconds")
        except NotFound:
            return unknown_upload()
        except ClientDisconnect:
            return error_response(400, "the bytes did not arrive")
        except ApiError as error:
            return error_response(error.status, error.message)
        body: dict[str, Any] = {
            "id": row.id,
            "name": row.name,
            "size": row.size,
            "contentType": row.content_type,
            "sha256": row.sha256,
        }
        if row.width is not None:
            body["dimensions"] = {"width": row.width, "height": row.height}
        return json_response(body)

    return upload


async def noting(chunks: AsyncIterator[bytes], head: bytearray) -> AsyncIterator[bytes]:
    """Pass chunks on, and copy the first bytes into `head`."""
    async for chunk in chunks:
        if len(head) < HEAD:
            head += chunk[: HEAD - len(head)]
        if chunk:
            yield chunk


def unknown_upload() -> Response:
    """The answer about an address that was not given out, or no longer takes anything."""
    return error_response(404, "there is no such upload, or its address has expired")


def too_large(most: int = content_limits.FILE_BYTES) -> Response:
    """The answer to more bytes than a file may have."""
    return error_response(413, f"a file has at most {most} bytes here")
