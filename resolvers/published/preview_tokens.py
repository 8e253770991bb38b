"""Addresses that show a site for an hour as a visitor with chosen claims would see it, a draft
that is not for everybody, or how the site would look with settings that are not saved.
"""

import datetime as dt
import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from content.json_web_tokens import BadToken, signed, verified
from resolvers.access.drafts import NOTHING, Draft
from resolvers.core.errors import Forbidden, NotFound

LIFETIME = dt.timedelta(hours=1)
# Addresses that are made within this time are equal; the last of them lasts an hour.
STEP = 300
# The segment before the token in an address. It is not `~` alone: renderers cut an address at the
# first of those, to resolve what is before it.
MARKER = "~preview"


@dataclass(frozen=True, slots=True)
class Preview:
    """The claims, the draft and the look that a preview shows, and its end."""

    # None where the visitor's own count: such a preview opens no site that is closed to them.
    claims: Mapping[str, Any] | None
    draft: Draft
    expires: dt.datetime
    # What it changes of how the site looks (resolvers/customization/drafts.py).
    customization: str | None = None


def _key(key: bytes) -> bytes:
    """Not the key of content tokens, so that neither passes for the other."""
    return hmac.digest(key, b"previews of sites", hashlib.sha256)


def issue(
    key: bytes,
    site_id: str,
    claims: Mapping[str, Any] | None,
    now: dt.datetime,
    draft: Draft = NOTHING,
    customization: str | None = None,
) -> str:
    """The segment of an address that shows a site for an hour."""
    expires = -(int((now + LIFETIME).timestamp()) // -STEP) * STEP
    payload: dict[str, Any] = {"site": site_id, "exp": expires}
    if claims is not None:
        payload["claims"] = dict(claims)
    if draft.change_request_id is not None:
        payload["changeRequest"] = draft.change_request_id
    if draft.revision_id is not None:
        payload["revision"] = draft.revision_id
    if customization is not None:
        payload["look"] = customization
    return signed(payload, _key(key))


def verify(key: bytes, text: str, site_id: str, now: dt.datetime) -> Preview:
    """The preview of a signed segment; NotFound for a foreign one, Forbidden after its end."""
    try:
        payload = verified(text, _key(key))
    except BadToken as error:
        raise NotFound("there is no such preview") from error
    if payload.get("site") != site_id:
        raise NotFound("there is no such preview")
    expires = dt.datetime.fromtimestamp(payload["exp"], dt.UTC)
    if expires <= now:
        raise Forbidden("the preview has expired; make a new one")
    draft = Draft(payload.get("changeRequest"), payload.get("revision"))
    return Preview(payload.get("claims"), draft, expires, payload.get("look"))
