"""Requests of /v1 with the header Idempotency-Key, and their answers, in the terms of resolvers."""

from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response

from resolvers.access.idempotency import REPLAYED, Answer, KeyedRequest, keyed_request
from resolvers.core.transactions import HEADER
from rest_compat.table import Row

# Headers that every answer gets anew.
_RECOMPUTED = ("content-length",)


def idempotent_request(request: Request, row: Row, body: Any) -> KeyedRequest | None:
    """The request to carry out once; None for reads, and without the header."""
    keys = request.headers.getlist(HEADER)
    if not keys or row.reads:
        return None
    if_match = request.headers.getlist("if-match") if row.if_match is not None else []
    parts = (
        request.method.encode(),
        request.url.path.encode(),
        request.scope["query_string"],
        orjson.dumps(body, option=orjson.OPT_SORT_KEYS),
        orjson.dumps(if_match),
    )
    return keyed_request(keys, request.headers.get("authorization"), parts)


def answer_of(response: Response) -> Answer:
    """A response as it is stored for replays."""
    headers = {name: value for name, value in response.headers.items() if name not in _RECOMPUTED}
    return Answer(response.status_code, bytes(response.body), headers)


def response_of(answer: Answer) -> Response:
    """The response for an answer; a header marks an answer that is replayed."""
    headers = dict(answer.headers)
    if answer.replayed:
        headers[REPLAYED] = "true"
    return Response(answer.body, answer.status, headers)
