"""Content tokens: what a renderer of a published site reads with (docs/sites.md, "Content tokens").

Such a token is a signed JWT that expires, reads one site and writes nothing. Equal requests of
anonymous visitors give equal tokens until shortly after midnight, so that what is fetched with them
can be cached. What the token lets its bearer see is worked out when it is used
(resolvers/published/visitors.py), so a site that is unpublished is closed at once.
"""

import datetime as dt
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from content.json_web_tokens import signed, verified
from resolvers.core.errors import Unauthenticated

# The parts of a JWT; no other token of ours holds a dot.
PARTS = 3
KIND = "site"
# Past midnight, so that pages cached on the day before have gone out of date too.
AFTER_MIDNIGHT = dt.timedelta(minutes=5)
# How long a token with claims lasts at most.
CLAIMS_LIFETIME = dt.timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Grant:
    """The payload of a content token: the site, the published content, and the visitor."""

    organization_id: str
    site_id: str
    site_space_id: str
    space_id: str
    section_id: str | None = None
    share_key: str | None = None
    change_request_id: str | None = None
    revision_id: str | None = None
    # What a member has opened to the bearer, whatever the address shows
    # (resolvers/access/drafts.py).
    draft_change_request_id: str | None = None
    draft_revision_id: str | None = None
    # What the preview changes of how the site looks (resolvers/customization/drafts.py).
    customization: str | None = None
    # Whether it was given to a visitor who had a valid token of their own.
    authenticated: bool = False
    # The fingerprint of the key that this token was signed with.
    key_id: str | None = None
    # Whether it was given to somebody who looks at the site as an editor has asked for.
    preview: bool = False
    claims: Mapping[str, Any] = field(default_factory=dict)
    # When a token that was verified ends.
    expires: dt.datetime | None = field(default=None, compare=False)


# The member of the token for each attribute; those that are None are left out.
_MEMBERS = {
    "organization_id": "organization",
    "site_id": "site",
    "site_space_id": "siteSpace",
    "space_id": "space",
    "section_id": "siteSection",
    "share_key": "shareKey",
    "change_request_id": "changeRequest",
    "revision_id": "revision",
    "draft_change_request_id": "draftChangeRequest",
    "draft_revision_id": "draftRevision",
    "key_id": "key",
    "customization": "customization",
}


def expiry(now: dt.datetime, visitor_expires: dt.datetime | None, *, claims: bool) -> dt.datetime:
    """When a token ends: public ones at 00:05 UTC of the next day, others within the hour."""
    if not claims:
        midnight = dt.datetime.combine(now.astimezone(dt.UTC).date(), dt.time(), dt.UTC)
        return midnight + dt.timedelta(days=1) + AFTER_MIDNIGHT
    limit = now + CLAIMS_LIFETIME
    return limit if visitor_expires is None else min(limit, visitor_expires)


def issue(key: bytes, grant: Grant, expires: dt.datetime, spaces: list[str]) -> str:
    """The text of a token; `spaces` are the ids that it may read, for whoever looks into it."""
    payload: dict[str, Any] = {"kind": KIND, "exp": int(expires.timestamp()), "spaces": spaces}
    for attribute, member in _MEMBERS.items():
        value = getattr(grant, attribute)
        if value is not None:
            payload[member] = value
    if grant.authenticated:
        payload["authenticated"] = True
    if grant.preview:
        payload["preview"] = True
    if grant.claims:
        payload["claims"] = dict(grant.claims)
    return signed(payload, key)


def key_id(private_key: str) -> str:
    """A fingerprint of the key of a site, so that tokens end when the key is changed."""
    return hashlib.sha256(f"key of visitors {private_key}".encode()).hexdigest()[:16]


def looks_like_one(text: str) -> bool:
    """Whether a bearer token is of this kind, not a person's."""
    return text.count(".") == PARTS - 1


def verify(key: bytes, text: str, now: dt.datetime) -> Grant:
    """The payload of a token; Unauthenticated when it is not ours, was changed or has expired."""
    try:
        payload = verified(text, key)
        if payload.get("kind") != KIND:
            # Those of integrations are signed with the same key.
            raise Unauthenticated("the content token is not valid")
        expires = dt.datetime.fromtimestamp(int(payload["exp"]), dt.UTC)
    except (KeyError, ValueError, OverflowError, TypeError) as error:
        raise Unauthenticated("the content token is not valid") from error
    if expires <= now:
        raise Unauthenticated("the content token has expired")
    values: Any = {name: payload.get(member) for name, member in _MEMBERS.items()}
    return Grant(
        **values,
        authenticated=payload.get("authenticated") is True,
        preview=payload.get("preview") is True,
        claims=payload.get("claims") or {},
        expires=expires,
    )
