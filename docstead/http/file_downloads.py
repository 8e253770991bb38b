"""Serves the bytes of files: behind signed addresses, and to everybody while a site shows them."""

import hmac
import time
from collections.abc import Awaitable, Callable
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from db.blobs import BlobMissingError, StoredBlob
from docstead.http.byte_ranges import Part, bytes_response
from resolvers.content.files import signature
from resolvers.core.installation import FileAccess
from rest_compat.app import error_response

# Shown by browsers as they are; everything else is downloaded, so that nothing stored can run
# in this origin.
INLINE = {"image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "application/pdf",
          "video/mp4", "audio/mpeg"}  # fmt: skip
IMAGE_SVG = "image/svg+xml"


# For the bytes of a lasting address, which has their digest in it.
FOR_EVER = "public, max-age=31536000, immutable"


def download_route(
    files: Callable[[], Awaitable[FileAccess]],
    in_bin: Callable[[str], Awaitable[bool]],
    shown_type: Callable[[str, str, str], Awaitable[str | None]],
) -> Callable[[Request], Awaitable[Response]]:
    """The handler of /files/{space}/{sha256}/{name}.

    `shown_type` gives the media type of a file that every reader may have, by these three.
    """

    async def lasting(request: Request, space_id: str, sha256: str, name: str) -> Response:
        shown = await shown_type(space_id, sha256, name)
        if shown is None:
            return error_response(404, "there is no such file")
        access = await files()
        headers = {**_headers(name, shown), "Cache-Control": FOR_EVER}

        async def blob(part: Part | None) -> StoredBlob:
            return await access.blobs.open(space_id, sha256, part)

        try:
            return await bytes_response(request, blob, headers, tag=f'"{sha256}"')
        except BlobMissingError:
            return error_response(404, "the bytes of the file are missing")

    async def download(request: Request) -> Response:
        space_id, sha256 = request.path_params["space"], request.path_params["sha256"]
        name, query = request.path_params["name"], request.query_params
        if "signature" not in query:
            return await lasting(request, space_id, sha256, name)
        access = await files()
        content_type = query.get("type", "")
        expires = query.get("expires", "")
        if not expires.isdecimal() or len(expires) > 12:
            return error_response(404, "there is no such file")
        right = signature(access.key, space_id, sha256, name, content_type, int(expires))
        if not hmac.compare_digest(right.encode(), query.get("signature", "").encode()):
            return error_response(404, "there is no such file")
        if int(expires) < time.time():
            return error_response(404, "the address has expired; ask for the file again")
        if await in_bin(space_id):
            return error_response(404, "there is no such file")

        async def blob(part: Part | None) -> StoredBlob:
            return await access.blobs.open(space_id, sha256, part)

        try:
            return await bytes_response(request, blob, _headers(name, content_type))
        except BlobMissingError:
            return error_response(404, "the bytes of the file are missing")

    return download


def _headers(name: str, content_type: str) -> dict[str, str]:
    inline = content_type in INLINE or content_type == IMAGE_SVG
    shown = content_type if inline else "application/octet-stream"
    how = "inline" if inline else "attachment"
    return {
        "Content-Type": shown,
        "Content-Disposition": f"{how}; filename*=UTF-8''{quote(name, safe='')}",
        # An SVG may hold scripts: nothing in it may run or load.
        "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "private, max-age=3600, immutable",
        "Cross-Origin-Resource-Policy": "cross-origin",
    }
