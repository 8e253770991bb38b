"""ETags of answers about revisions, and the headers of requests that name them."""

import hashlib
import re

import orjson
from starlette.requests import Request

from resolvers.core.context import Context
from resolvers.core.errors import BadRequest
from resolvers.core.signed_addresses import HOUR
from rest_compat.shape import Json
from rest_compat.table import Row

# ETags of answers with signed addresses have the hour behind the id.
_ENTITY_TAG = re.compile(r'(?:W/)?"([A-Za-z0-9_-]{1,64}?)(?:-[0-9]{6})?"')


def expected_revision(request: Request) -> str | None:
    """The revision that If-Match names by the ETag of an answer; None for any, or without it."""
    tags = request.headers.getlist("if-match")
    if not tags or tags == ["*"]:
        return None
    match = _ENTITY_TAG.fullmatch(tags[0].strip())
    if len(tags) > 1 or match is None:
        raise BadRequest.at(
            "If-Match", 'must be the ETag of an answer, such as "revision id" in quotes, or *'
        )
    return match.group(1)


def entity_tag(ctx: Context, revision_id: str, row: Row) -> str:
    """The ETag of an answer about a revision; with the hour where addresses in it are signed.

    A visitor gets one of its claims, for these decide what there is in the revision.
    """
    hour = f"-{int(ctx.now().timestamp()) // HOUR}" if row.signed else ""
    visitor = ctx.actor.visitor
    seen = "" if visitor is None else f"-v{_digest(dict(visitor.claims))}"
    return f'"{revision_id}{hour}{seen}"'


def _digest(claims: Json) -> str:
    text = orjson.dumps(claims, option=orjson.OPT_SORT_KEYS)
    return hashlib.sha256(text).hexdigest()[:16]


def is_known(request: Request, tag: str) -> bool:
    """Whether If-None-Match holds the tag: the caller has this answer already."""
    header = ",".join(request.headers.getlist("if-none-match"))
    tags = {value.strip().removeprefix("W/") for value in header.split(",")}
    return tag in tags or "*" in tags
