"""Whom a published site lets in, and which of their claims it takes (docs/sites.md)."""

import datetime as dt
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

from content.visitors.claims import filter_claims
from content.visitors.claims_schema import UNSIGNED
from db.enums import SiteVisibility
from resolvers.core.errors import BadRequest, NotFound
from resolvers.published.visitor_tokens import MISSING, VisitorRefused, read_visitor_token

# Bytes of all claims that a site takes of one visitor; they travel in each request.
CLAIMS_LIMIT = 4096


@dataclass(frozen=True, slots=True)
class Credentials:
    """Tokens and claims that a visitor's request carries beside the address."""

    token: str | None = None
    unsigned_claims: Mapping[str, Any] = field(default_factory=dict)
    # What an editor wants to look like: it stands in for token and claims.
    preview: Mapping[str, Any] | None = None
    preview_expires: dt.datetime | None = None
    # A wrong token counts as none where the visitor can be sent somewhere to get another.
    redirect_on_error: bool = False


@dataclass(frozen=True, slots=True)
class Admission:
    """A visitor who may read a site."""

    claims: Mapping[str, Any]
    authenticated: bool
    # When what let the visitor in ends.
    expires: dt.datetime | None = None
    # Whether a token of the visitor's own was verified.
    by_token: bool = False

    @property
    def known(self) -> bool:
        """Whether the visitor is signed in or has claims."""
        return self.authenticated or bool(self.claims)

    @property
    def context_id(self) -> str | None:
        """A hash of the claims; None for a visitor who is not known."""
        return context_id(self.claims) if self.known else None


def context_id(claims: Mapping[str, Any]) -> str:
    """A hash of claims, whatever their order."""
    written = orjson.dumps(claims, option=orjson.OPT_SORT_KEYS)
    return hashlib.sha256(written).hexdigest()[:32]


def admit(
    site: Any, key: str, share_key: str | None, credentials: Credentials, now: dt.datetime
) -> Admission:
    """Let a visitor in. NotFound without an active share key where one is needed;
    VisitorRefused where a token is needed, or was given and is wrong.

    `site` has the columns of `find_site`; `key` is what the tokens of its visitors are signed with.
    """
    schema = site.json_schema if site.adaptive_content else None
    if credentials.preview is not None:
        unsigned = credentials.preview.get(UNSIGNED)
        signed = {name: value for name, value in credentials.preview.items() if name != UNSIGNED}
        claims = taken_claims(schema, signed, unsigned if isinstance(unsigned, Mapping) else {})
        return Admission(claims, True, credentials.preview_expires)
    if site.visibility is SiteVisibility.SHARE_LINK and share_key is None:
        raise NotFound("there is no published site at this address")
    closed = site.visibility is SiteVisibility.VISITOR_AUTH
    if credentials.token is None or not (closed or site.adaptive_content):
        if closed:
            raise VisitorRefused(MISSING)
        return Admission(taken_claims(schema, {}, credentials.unsigned_claims), False)
    try:
        token = read_visitor_token(credentials.token, key, now)
    except VisitorRefused:
        if closed or not credentials.redirect_on_error:
            raise
        return Admission(taken_claims(schema, {}, credentials.unsigned_claims), False)
    claims = taken_claims(schema, token.claims, credentials.unsigned_claims)
    return Admission(claims, closed, token.expires, by_token=True)


def taken_claims(
    schema: Mapping[str, Any] | None, signed: Mapping[str, Any], unsigned: Mapping[str, Any]
) -> Mapping[str, Any]:
    """The claims that a site with this schema takes; none without one that is in use."""
    claims = filter_claims(schema, signed, unsigned)
    if not claims[UNSIGNED]:
        del claims[UNSIGNED]
    if len(orjson.dumps(claims)) > CLAIMS_LIMIT:
        raise BadRequest(
            f"visitor: the claims have more than {CLAIMS_LIMIT} bytes; send fewer of them"
        )
    return claims
