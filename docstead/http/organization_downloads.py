"""Serves archives of organizations behind their signed addresses."""

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response

from db.blobs import BlobMissingError, StoredBlob
from docstead.http.byte_ranges import Part, bytes_response
from docstead.http.download_headers import archive_headers
from docstead.http.holders import Holders
from resolvers.core.installation import FileAccess
from resolvers.core.signed_addresses import is_valid
from resolvers.git.organization_exports import archive_signature, check_archive
from rest_compat.app import error_response


def archive_route(
    files: Callable[[], Awaitable[FileAccess]], holders: Holders
) -> Callable[[Request], Awaitable[Response]]:
    """The handler of /organization-exports/{job}/{sha256}/{name}."""

    async def download(request: Request) -> Response:
        access = await files()
        job, sha256 = request.path_params["job"], request.path_params["sha256"]
        name, holder = request.path_params["name"], request.query_params.get("by", "")
        valid = is_valid(
            request.query_params,
            lambda end: archive_signature(access.key, job, sha256, name, holder, end),
        )
        if valid is False:
            return error_response(404, "the address has expired; read the job again")

        async def blob(part: Part | None) -> StoredBlob:
            return await access.blobs.open(job, sha256, part)

        try:
            if valid is not None and await holders.may(holder, lambda ctx: check_archive(ctx, job)):
                return await bytes_response(
                    request, blob, archive_headers("application/gzip", name)
                )
        except BlobMissingError:
            pass
        return error_response(404, "there is no such archive; start another export")

    return download
