"""Serves PDFs behind their signed addresses; the first to ask has it made."""

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response

from db.blobs import StoredBlob
from docstead.http.byte_ranges import Part, bytes_response
from docstead.http.download_headers import disposition
from docstead.http.holders import Holders
from jobs.print_process import PrintError
from jobs.printing import Printer
from resolvers.core.installation import FileAccess
from resolvers.core.signed_addresses import is_valid
from resolvers.pdf.operations import Printout, pdf_signature
from resolvers.pdf.runs import check_printout
from rest_compat.app import error_response

# No sandbox: browsers draw PDFs with a part of their own, which it would shut out.
POLICY = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'"


def pdf_route(
    files: Callable[[], Awaitable[FileAccess]],
    in_bin: Callable[[str], Awaitable[bool]],
    holders: Holders,
    printer: Printer,
    seconds: float,
) -> Callable[[Request], Awaitable[Response]]:
    """The handler of /pdf/{space}/{revision}/{name}, which answers within so many seconds."""

    async def download(request: Request) -> Response:
        access = await files()
        query, name = request.query_params, request.path_params["name"]
        holder = query.get("by", "")
        printout = Printout(
            request.path_params["space"],
            request.path_params["revision"],
            query.get("page", ""),
            query.get("only") == "true",
            query.get("changeRequest", ""),
            query.get("title", ""),
            query.get("hidden", ""),
        )
        valid = is_valid(query, lambda end: pdf_signature(access.key, printout, name, holder, end))
        if valid is False:
            return error_response(404, "the address has expired; ask for the PDF again")
        # A PDF that is kept would outlive its space.
        if valid is None or await in_bin(printout.space_id) or not await holders.may(
            holder, lambda ctx: check_printout(ctx, printout)
        ):  # fmt: skip
            return error_response(404, "there is no such PDF")

        async def blob(part: Part | None) -> StoredBlob:
            return await printer.open(printout, seconds, part)

        try:
            return await bytes_response(request, blob, _headers(name))
        except PrintError as error:
            headers = {"Cache-Control": "no-store"}
            if error.retry_after is not None:
                # The second is for people: their browsers ask again by themselves.
                headers["Retry-After"] = headers["Refresh"] = str(error.retry_after)
            return error_response(error.status, str(error), headers=headers)

    return download


def _headers(name: str) -> dict[str, str]:
    return {
        "Content-Type": "application/pdf",
        "Content-Disposition": disposition("inline", name),
        "Content-Security-Policy": POLICY,
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "private, max-age=3600",
    }
