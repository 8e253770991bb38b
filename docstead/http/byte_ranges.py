"""Answers with bytes of a known size, or with the part of them that is asked for (RFC 9110)."""

import re
from collections.abc import Awaitable, Callable, Mapping

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from db.blobs import StoredBlob
from rest_compat.app import error_response
from rest_compat.entity_tags import is_known

# The first and the last position; one of them may be missing. Of several ranges none counts.
_RANGE = re.compile(r"\s*bytes\s*=\s*([0-9]{0,18})\s*-\s*([0-9]{0,18})\s*", re.IGNORECASE)
Part = tuple[int, int]


async def bytes_response(
    request: Request,
    open: Callable[[Part | None], Awaitable[StoredBlob]],
    headers: Mapping[str, str],
    tag: str | None = None,
) -> Response:
    """The bytes of `open`: all of them, or the one satisfiable range of the request.

    A range that begins behind the end is refused with 416; what is no range, or several, gets
    all, and so does a range of other bytes than are there now (`If-Range`). Who has them already
    (`If-None-Match`) gets 304. `tag` is the ETag, that of the store when absent.
    """
    answer = {**headers, "Accept-Ranges": "bytes"}
    if tag is not None and is_known(request, tag):
        return Response(status_code=304, headers={**answer, "ETag": tag})
    blob = await open(None)
    mark = tag or blob.mark
    if mark is not None:
        answer["ETag"] = mark
        if is_known(request, mark):
            return Response(status_code=304, headers=answer)
    if request.method == "HEAD":
        # Ranges are those of GET only.
        return Response(headers={**answer, "Content-Length": str(blob.size)})
    part = _part(request, blob, mark)
    if part is None:
        return StreamingResponse(blob.chunks, headers={**answer, "Content-Length": str(blob.size)})
    start, end = part
    if start >= end:
        headers = {"Content-Range": f"bytes */{blob.size}"}
        return error_response(416, f"there are {blob.size} bytes only", headers=headers)
    return StreamingResponse(
        (await open(part)).chunks,
        status_code=206,
        headers={
            **answer,
            "Content-Length": str(end - start),
            "Content-Range": f"bytes {start}-{end - 1}/{blob.size}",
        },
    )


def _part(request: Request, blob: StoredBlob, mark: str | None) -> Part | None:
    """The positions that are asked for, the end excluded; empty when none of them is there."""
    match = _RANGE.fullmatch(request.headers.get("range", ""))
    if match is None or request.headers.get("if-range", mark) != mark:
        return None
    first, last = match.groups()
    if first:
        if last and int(last) < int(first):
            return None
        return int(first), min(int(last) + 1, blob.size) if last else blob.size
    if not last:
        return None
    # So many at the end.
    return (blob.size - min(int(last), blob.size), blob.size) if int(last) else (0, 0)
