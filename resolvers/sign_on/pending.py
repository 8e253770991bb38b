"""A sign-on that has begun: what the browser keeps of it, signed, until the provider answers.

Nothing is stored for those who only begin. The cookie binds the answer to the browser that asked,
so that nobody is signed in as somebody else by an answer that was obtained elsewhere.
"""

import datetime as dt
from collections.abc import Mapping
from dataclasses import asdict, dataclass

from sqlalchemy import select

from content.json_web_tokens import signed, verified
from db.models.instance import InstanceSecret
from resolvers.access.tokens import new_secret
from resolvers.core.context import Context
from resolvers.core.errors import Forbidden
from resolvers.core.statements import Viewer, Written, statement
from resolvers.core.urls import own_path

# How long a person may take at the provider.
LIFETIME = dt.timedelta(minutes=10)
_NAMED = 16
HOME = "/"


@dataclass(frozen=True, slots=True)
class PendingSignOn:
    """Which provider was asked, by which request, and where the person goes afterwards.

    `nonce` and `verifier` are those of OpenID Connect.
    """

    provider: str
    request_id: str
    next: str
    nonce: str
    verifier: str

    @property
    def cookie(self) -> str:
        """The name of the cookie that holds it."""
        return cookie_name(self.request_id)


def begin(provider: str, next_path: str) -> PendingSignOn:
    """A new one; `next_path` leads to a page of this server, or it is left out."""
    return PendingSignOn(
        provider, f"_{new_secret()}", own_path(next_path) or HOME, new_secret(), new_secret()
    )


def cookie_name(request_id: str) -> str:
    """Each request has a cookie of its own, so that several may be under way in one browser."""
    return f"docstead-sign-on-{request_id[1 : 1 + _NAMED]}"


@statement
def _key(viewer: Viewer) -> Written:
    return select(InstanceSecret.value).where(InstanceSecret.name == "sign-on")


async def sealed(ctx: Context, pending: PendingSignOn) -> str:
    """The text of the cookie."""
    claims = asdict(pending) | {"exp": int((ctx.now() + LIFETIME).timestamp())}
    (key,) = await _key.rows(ctx)
    return signed(claims, key.value.encode())


async def opened(
    ctx: Context, provider: str, request_id: str, cookies: Mapping[str, str]
) -> PendingSignOn:
    """The sign-on of this browser that a request id is of; Forbidden where it has begun none."""
    text = cookies.get(cookie_name(request_id), "")
    (key,) = await _key.rows(ctx)
    try:
        claims = verified(text, key.value.encode())
        ends = dt.datetime.fromtimestamp(claims.pop("exp"), dt.UTC)
        pending = PendingSignOn(**claims)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise _unknown() from error
    if ends <= ctx.now() or (pending.provider, pending.request_id) != (provider, request_id):
        raise _unknown()
    return pending


def _unknown() -> Forbidden:
    minutes = LIFETIME.seconds // 60
    return Forbidden(
        f"this sign-on was not begun in this browser within the last {minutes} minutes; begin anew"
    )
