"""The request of a reader: the address, who they are, and what is stored in cookies.

Cookies and parameters have the names that owners of sites know (docs/sites.md, "Audiences").
"""

import datetime as dt
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlencode

import orjson
from starlette.requests import Request
from starlette.responses import Response

from content.json_web_tokens import unverified
from content.visitors.claims import merge_unsigned, unsigned_from_cookie, unsigned_from_query
from resolvers.published.audiences import Credentials

TOKEN_PARAMETER = "jwt_token"  # noqa: S105 (a name)
TOKEN_COOKIE = "gitbook-visitor-token"  # noqa: S105 (a name)
CLAIMS_COOKIE = "gitbook-visitor-public"
# In the names of all of them.
COOKIES = b"gitbook-visitor"
# Claims that came with an address stay in a cookie until the browser is closed.
QUERY_CLAIMS_COOKIE = f"{CLAIMS_COOKIE}-query"
LIFETIME = dt.timedelta(days=7)
PARAMETERS = 100
COOKIE_LIMIT = 3500
# Sites are at the root of a host, or one or two segments below it: no cookie is for deeper paths.
BASE_DEPTH = 8
_PATH_SAFE = "/%-._~!$&'()*+=:@"


@dataclass(frozen=True, slots=True)
class SearchVisit:
    """What is searched for, and which part of what was found is wanted: behind or before a cursor,
    of one site space or of all."""

    query: str
    site_space: str | None = None
    after: str | None = None
    before: str | None = None


@dataclass(frozen=True, slots=True)
class Visit:
    """One request for something of a published site."""

    # Without its query; then the path alone, below the root of the host.
    url: str
    path: str
    query: str
    # A token that came with the address, the candidates from cookies, the best one first.
    given_token: str | None
    tokens: tuple[str, ...] = ()
    claims: Mapping[str, Any] = field(default_factory=dict)
    # Those of the claims that came with this address.
    query_claims: Mapping[str, Any] = field(default_factory=dict)
    search: SearchVisit | None = None
    secure: bool = False
    forwarded_host: str | None = None

    def credentials(self, token: str | None) -> Credentials:
        """The credentials of the visitor; a token in a cookie that is not valid counts as none."""
        return Credentials(token, self.claims, redirect_on_error=self.given_token is None)


def read_visit(request: Request, origin: str) -> Visit:
    """The visit that a request to the host of `origin` is."""
    raw = request.scope.get("raw_path") or quote(request.scope["path"]).encode()
    # A path that begins with two slashes would be the address of another host.
    path = "/" + raw.decode("latin-1").partition("?")[0].lstrip("/")
    query = request.scope["query_string"].decode("latin-1")
    given_pairs = pairs(query)
    tokens = [value for name, value in given_pairs if name == TOKEN_PARAMETER and value]
    from_query = unsigned_from_query(given_pairs)
    from_cookies = [
        unsigned_from_cookie(unquote(value))
        for name, value in sorted(request.cookies.items())
        if name.startswith(CLAIMS_COOKIE)
    ]
    return Visit(
        url=origin + path,
        path=path,
        query=urlencode([pair for pair in given_pairs if pair[0] != TOKEN_PARAMETER]),
        given_token=tokens[0] if tokens else None,
        tokens=_tokens(request.cookies, path),
        claims=merge_unsigned(*from_cookies, from_query),
        query_claims=from_query,
        search=_search(given_pairs),
        secure=origin.startswith("https:"),
        forwarded_host=request.headers.get("x-forwarded-host"),
    )


def _search(given_pairs: Sequence[tuple[str, str]]) -> SearchVisit | None:
    """What the parameters of an address look for; the first value of each counts."""
    parameters = dict(reversed(given_pairs))
    if "q" not in parameters:
        return None
    part = (parameters.get(name) or None for name in ("in", "after", "before"))
    return SearchVisit(parameters["q"].strip(), *part)


def pairs(query: str) -> list[tuple[str, str]]:
    """The parameters of an address; none when there are too many."""
    try:
        return parse_qsl(query, keep_blank_values=True, max_num_fields=PARAMETERS)
    except ValueError:
        return []


def token_cookie(base: str) -> str:
    """The name of the cookie with the token for what is below a path."""
    return f"{TOKEN_COOKIE}~{hashlib.sha256(base.encode()).hexdigest()[:16]}"


def _tokens(cookies: Mapping[str, str], path: str) -> tuple[str, ...]:
    """Tokens in cookies: for the longest path first, last the one that the owner's domain set."""
    segments = [segment for segment in path.split("/", BASE_DEPTH + 1) if segment][:BASE_DEPTH]
    bases = [
        "/" + "".join(f"{segment}/" for segment in segments[:end])
        for end in range(len(segments) + 1)
    ]
    names = [*(token_cookie(base) for base in reversed(bases)), TOKEN_COOKIE]
    return tuple(cookies[name] for name in names if cookies.get(name))


def keep_token(response: Response, visit: Visit, base: str, token: str, now: dt.datetime) -> None:
    """Keep a token that was found good, for what is below `base`, as long as it lasts."""
    response.set_cookie(
        token_cookie(base),
        token,
        max_age=int(_lifetime(token, now).total_seconds()),
        path=base,
        httponly=True,
        secure=visit.secure,
        # A page in a frame of the owner's site needs it too; browsers take that over TLS only.
        samesite="none" if visit.secure else "lax",
    )


def _lifetime(token: str, now: dt.datetime) -> dt.timedelta:
    """The time until a token's `exp`; its signature was checked before."""
    try:
        claims = unverified(token)
        left = dt.datetime.fromtimestamp(int(claims["exp"]), dt.UTC) - now
    except (KeyError, ValueError, TypeError, OverflowError):
        return LIFETIME
    return max(left, dt.timedelta())


def keep_claims(response: Response, visit: Visit, base: str) -> None:
    """Keep the claims that came with an address, until the browser is closed."""
    text = quote(orjson.dumps(visit.query_claims).decode(), safe="")
    if visit.query_claims and len(text) <= COOKIE_LIMIT:
        response.set_cookie(
            QUERY_CLAIMS_COOKIE, text, path=base, httponly=True, secure=visit.secure,
            samesite="lax",
        )  # fmt: skip


def forget(response: Response, base: str) -> None:
    """Sign a visitor out of what is below `base`."""
    # Nothing of an address that anybody can write becomes an attribute of the cookie.
    path = quote(base, safe=_PATH_SAFE)
    for name in (token_cookie(base), QUERY_CLAIMS_COOKIE):
        response.delete_cookie(name, path=path)
