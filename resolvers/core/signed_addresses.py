"""Addresses that this server signs and that expire: of files, PDFs and uploads."""

import datetime as dt
import hashlib
import hmac
import json
import time
from collections.abc import Callable, Mapping

from resolvers.core.actors import Actor

HOUR = 3600


def signature(key: bytes, *parts: object) -> str:
    """The signature of an address that this server gives out."""
    # As JSON, so that no part can pass for the end of one and the beginning of the next.
    return hmac.new(key, json.dumps(parts).encode(), hashlib.sha256).hexdigest()


def holder_of(actor: Actor) -> str:
    """Whom an address is made for, as it stands there: the credentials that they came with, or
    their account. Empty for the operator and for visitors of sites, who are nobody to ask about."""
    if actor.user_id is None:
        return ""
    for kind, id in (("token", actor.token_id), ("session", actor.session_id)):
        if id is not None:
            return f"{kind}~{id}"
    return f"{'person' if actor.program is None else actor.program.value}~{actor.user_id}"


def valid_until(now: dt.datetime) -> int:
    """The end of an address, in seconds since 1970.

    It is valid for at least one hour and at most two; equal within the hour for caches.
    """
    return (int(now.timestamp()) // HOUR + 2) * HOUR


def is_valid(query: Mapping[str, str], sign: Callable[[int], str]) -> bool | None:
    """Whether an address is valid still; None for one that this server did not give out.

    `sign` gives the right signature for its end.
    """
    expires = query.get("expires", "")
    if not (expires.isascii() and expires.isdecimal()) or len(expires) > 12:
        return None
    sent = query.get("signature", "").encode(errors="replace")
    if not hmac.compare_digest(sign(int(expires)).encode(), sent):
        return None
    return int(expires) >= time.time()
