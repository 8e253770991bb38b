"""Requests of /v1 with the header Idempotency-Key, and their answers, as resolvers know them."""

from typing import Any

import orjson
from starlette.requests import Request
from starlette.responses import Response

from resolvers.access.idempotency import REPLAYED, Answer, Asked, asked_once
from resolvers.core.transactions import HEADER
from rest_compat.table import Row

# What is said anew of every answer.
_ANEW = ("content-length",)


def asked_by(request: Request, row: Row, body: Any) -> Asked | None:
    """The request to carry out once; None for reads, and without the header."""
    keys = request.headers.getlist(HEADER)
    if not keys or row.reads:
        return None
    known = request.headers.getlist("if-match") if row.if_match is not None else []
    parts = (
        request.method.encode(),
        request.url.path.encode(),
        request.scope["query_string"],
        orjson.dumps(body, option=orjson.OPT_SORT_KEYS),
        orjson.dumps(known),
    )
    return asked_once(keys, request.headers.get("authorization"), parts)


def answer_of(response: Response) -> Answer:
    """What there is to remember of a response."""
    headers = {name: value for name, value in response.headers.items() if name not in _ANEW}
    return Answer(response.status_code, bytes(response.body), headers)


def response_of(answer: Answer) -> Response:
    """The response for an answer; its headers say whether it is given again."""
    headers = dict(answer.headers)
    if answer.replayed:
        headers[REPLAYED] = "true"
    return Response(answer.body, answer.status, headers)
