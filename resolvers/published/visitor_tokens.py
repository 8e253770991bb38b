"""Tokens of visitors: JWTs signed with the key of a site (docs/sites.md, "Audiences")."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from content.json_web_tokens import ALGORITHM, BadSignature, OtherAlgorithm, verified
from resolvers.core.errors import Forbidden
from resolvers.core.scalars import read_object

LEEWAY = 60
LENGTH = 16_384
# Signs beside these would be passed over when the parts are decoded.
_SIGNS = re.compile(r"[A-Za-z0-9_=.-]*")
# Members with a meaning of their own; all others are claims about the visitor.
REGISTERED = frozenset({"iss", "sub", "aud", "exp", "nbf", "iat", "jti"})

MISSING, EXPIRED, NOT_YET = "missing", "expired", "not-yet-valid"
SIGNATURE, MALFORMED, WRONG_ALGORITHM = "bad-signature", "malformed", "wrong-algorithm"
MESSAGES = {
    MISSING: "this site needs the token of a visitor",
    EXPIRED: "the visitor token has expired",
    NOT_YET: "the visitor token is not valid yet",
    SIGNATURE: "the visitor token has a bad signature: it is not signed with the key of this site",
    MALFORMED: "the visitor token is malformed",
    WRONG_ALGORITHM: f"the visitor token has the wrong algorithm; only {ALGORITHM} is allowed",
}


class VisitorRefused(Forbidden):
    """A visitor without a token that opens the site; `reason` says what is wrong with it."""

    def __init__(self, reason: str, more: str = "") -> None:
        super().__init__(MESSAGES[reason] + more)
        self.reason = reason
        self.facts = {"reason": reason}


@dataclass(frozen=True, slots=True)
class VisitorToken:
    """The claims of a valid token."""

    claims: Mapping[str, Any]
    expires: dt.datetime | None


def read_visitor_token(text: str, private_key: str, now: dt.datetime) -> VisitorToken:
    """The claims of a token; VisitorRefused names the problem of one that is not valid."""
    payload = _payload(text, private_key)
    moment = now.timestamp()
    expires, not_before, issued = (_time(payload, name) for name in ("exp", "nbf", "iat"))
    if expires is not None and expires <= moment:
        raise VisitorRefused(EXPIRED)
    if any(time is not None and time > moment + LEEWAY for time in (not_before, issued)):
        raise VisitorRefused(NOT_YET)
    claims = {name: value for name, value in payload.items() if name not in REGISTERED}
    return VisitorToken(claims, None if expires is None else _moment(expires))


def _payload(text: str, private_key: str) -> dict[str, Any]:
    if len(text) > LENGTH:
        raise VisitorRefused(MALFORMED, f": it has more than {LENGTH} characters")
    if not private_key:
        # The library takes an empty key as any other.
        raise VisitorRefused(SIGNATURE)
    if not _SIGNS.fullmatch(text):
        raise VisitorRefused(MALFORMED, ": it has signs that no token has")
    try:
        # Times are compared by the caller, with the clock of the request; whom a token is for, and
        # by whom, is nobody's business here.
        return read_object(verified(text, private_key.encode()))
    except OtherAlgorithm as error:
        raise VisitorRefused(WRONG_ALGORITHM) from error
    except BadSignature as error:
        raise VisitorRefused(SIGNATURE) from error
    except (ValueError, TypeError, RecursionError) as error:
        raise VisitorRefused(MALFORMED) from error


def _time(payload: Mapping[str, Any], name: str) -> float | None:
    value = payload.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise VisitorRefused(MALFORMED, f": {name} is not a number of seconds")
    return float(value)


def _moment(seconds: float) -> dt.datetime | None:
    """A time; None for one after the end of times."""
    try:
        return dt.datetime.fromtimestamp(seconds, dt.UTC)
    except (ValueError, OverflowError, OSError):
        return None
