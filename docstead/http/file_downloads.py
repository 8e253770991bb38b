"""Serves the bytes of files: behind signed addresses, and to everybody while a site shows them."""

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response

from db.blobs import BlobMissingError, StoredBlob
from docstead.http.byte_ranges import Part, bytes_response
from docstead.http.download_headers import disposition
from resolvers.core.installation import FileAccess
from resolvers.core.signed_addresses import is_valid, signature
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

    async def send(request: Request, headers: dict[str, str], tag: str | None = None) -> Response:
        access, params = await files(), request.path_params

        async def blob(part: Part | None) -> StoredBlob:
            return await access.blobs.open(params["space"], params["sha256"], part)

        try:
            return await bytes_response(request, blob, headers, tag=tag)
        except BlobMissingError:
            return error_response(404, "the bytes of the file are missing")

    async def download(request: Request) -> Response:
        space_id, sha256 = request.path_params["space"], request.path_params["sha256"]
        name, query = request.path_params["name"], request.query_params
        if "signature" not in query:
            shown = await shown_type(space_id, sha256, name)
            if shown is None:
                return error_response(404, "there is no such file")
            headers = {**_headers(name, shown), "Cache-Control": FOR_EVER}
            return await send(request, headers, f'"{sha256}"')
        key, content_type = (await files()).key, query.get("type", "")
        valid = is_valid(
            query, lambda end: signature(key, space_id, sha256, name, content_type, end)
        )
        if valid is False:
            return error_response(404, "the address has expired; ask for the file again")
        if valid is None or await in_bin(space_id):
            return error_response(404, "there is no such file")
        return await send(request, _headers(name, content_type))

    return download


def _headers(name: str, content_type: str) -> dict[str, str]:
    inline = content_type in INLINE or content_type == IMAGE_SVG
    shown = content_type if inline else "application/octet-stream"
    how = "inline" if inline else "attachment"
    return {
        "Content-Type": shown,
        "Content-Disposition": disposition(how, name),
        # An SVG may hold scripts: nothing in it may run or load.
        "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "private, max-age=3600, immutable",
        "Cross-Origin-Resource-Policy": "cross-origin",
    }
