"""Serves exports of content behind their signed addresses, each made for whoever fetches it."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from docstead.http.download_headers import archive_headers
from docstead.http.holders import Holders
from jobs.zip_export import ExportError, zip_of_revision
from resolvers.core.context import Context
from resolvers.core.errors import NotFound
from resolvers.core.installation import FileAccess
from resolvers.core.signed_addresses import is_valid
from resolvers.git.exports import check_content_export, export_signature
from rest_compat.app import error_response

NO_STORE = {"Cache-Control": "no-store"}


def export_route(
    files: Callable[[], Awaitable[FileAccess]],
    in_bin: Callable[[str], Awaitable[bool]],
    holders: Holders,
    operator: Callable[[], AbstractAsyncContextManager[Context]],
) -> Callable[[Request], Awaitable[Response]]:
    """The handler of /exports/{space}/{revision}/{name}; `operator` gives a context that may read
    everything."""

    async def download(request: Request) -> Response:
        access = await files()
        space, revision = request.path_params["space"], request.path_params["revision"]
        name, holder = request.path_params["name"], request.query_params.get("by", "")
        valid = is_valid(
            request.query_params,
            lambda end: export_signature(access.key, space, revision, name, holder, end),
        )
        if valid is False:
            return error_response(404, "the address has expired; ask for the export again")
        if valid is None or await in_bin(space) or not await holders.may(
            holder, lambda ctx: check_content_export(ctx, space, revision)
        ):  # fmt: skip
            return error_response(404, "there is no such export")
        stack = AsyncExitStack()
        try:
            ctx = await stack.enter_async_context(operator())
            archive = zip_of_revision(ctx, space, revision)
            pieces = await stack.enter_async_context(archive)
        except BaseException as error:
            await stack.aclose()
            if isinstance(error, ExportError):
                return error_response(422, str(error), headers=NO_STORE)
            if isinstance(error, NotFound):
                return error_response(404, "there is no such export")
            raise

        async def body() -> AsyncIterator[bytes]:
            async with stack:
                async for piece in pieces:
                    yield piece

        return StreamingResponse(body(), headers=archive_headers("application/zip", name))

    return download
