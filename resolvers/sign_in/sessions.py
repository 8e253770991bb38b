"""Sessions of people in browsers: 256 random bits in a cookie, stored as SHA-256 only.

Each request looks its session up, so one that has ended is refused at once by every process.
"""

import datetime as dt
from dataclasses import replace
from typing import Any

from sqlalchemy import delete, select

from db.base import utc_now
from db.enums import SignInMethod, TokenScope
from db.models.sign_in import USER_AGENT_LENGTH, UserSession
from db.models.sign_on import SamlProvider
from db.prepared import among
from db.session import Session
from db.sharing import KEYS, SHARED_KEY, PointReads
from resolvers.access.closed_organizations import closed_column, closed_of
from resolvers.access.policy import must_be_person
from resolvers.access.tokens import digest, looks_like_secret, new_secret
from resolvers.core.actors import Actor, SignIn
from resolvers.core.audit import record
from resolvers.core.context import Context
from resolvers.core.errors import Forbidden
from resolvers.core.statements import Viewer, Written, statement
from resolvers.sign_in.rules import may_sign_in_by

# A session that was not used for so long has ended.
IDLE = dt.timedelta(days=30)
# Whoever is signed in may do all that their roles allow.
_PERSON = Actor("", frozenset(TokenScope))


async def open_session(
    session: Session,
    user_id: str,
    method: SignInMethod,
    *,
    provider: SamlProvider | None = None,
    user_agent: str = "",
    replaces: str | None = None,
    now: dt.datetime | None = None,
) -> tuple[UserSession, str]:
    """Sign a person in: the new session, and the text for its cookie, which is stored nowhere.

    `replaces` is the text of the cookie that the browser has come with: that session ends. So
    nobody who has put a cookie into a browser knows the one that it gets. `provider` is the one
    of an organization that has signed them on. Forbidden when the person may not sign in by this
    method.
    """
    way = (
        SignIn(method)
        if provider is None
        else (SignIn(method, provider.id, provider.organization_id))
    )
    if not await may_sign_in_by(session, user_id, way):
        raise Forbidden("this account cannot sign in here; your organization may have its own way")
    if replaces is not None:
        await end_by_secret(session, replaces)
    secret, moment = new_secret(), now or utc_now()
    row = UserSession(
        user_id=user_id,
        digest=digest(secret),
        method=method,
        provider_id=way.provider_id,
        provider_organization_id=way.provider_organization_id,
        user_agent=_cleaned(user_agent),
        created_at=moment,
        last_used_at=moment,
    )
    session.add(row)
    await session.flush()
    return row, secret


async def sign_in(
    ctx: Context,
    user_id: str,
    method: SignInMethod,
    *,
    provider: SamlProvider | None = None,
    user_agent: str = "",
    replaces: str | None = None,
) -> tuple[UserSession, str]:
    """Open a session, as `open_session` does, and note it in the audit log."""
    row, secret = await open_session(
        ctx.session,
        user_id,
        method,
        provider=provider,
        user_agent=user_agent,
        replaces=replaces,
        now=ctx.now(),
    )
    await record(
        ctx,
        "signIn",
        row,
        actor_id=user_id,
        session_id=row.id,
        organization_id=row.provider_organization_id,
    )
    return row, secret


def _cleaned(user_agent: str) -> str:
    """What a browser says of itself, as text that can be stored and shown."""
    return "".join(char for char in user_agent if char.isprintable())[:USER_AGENT_LENGTH]


async def end_by_secret(session: Session, secret: str) -> bool:
    """End the session of a cookie; whether there was one."""
    ended = delete(UserSession).where(UserSession.digest == digest(secret))
    return (await session.execute(ended.returning(UserSession.id))).first() is not None


def _sessions_by(key: Any) -> Written:
    return select(
        UserSession.id,
        UserSession.user_id,
        UserSession.last_used_at,
        UserSession.method,
        UserSession.provider_id,
        UserSession.provider_organization_id,
        closed_column(UserSession),
        key.label(SHARED_KEY),
    ).where(among(key, KEYS))


@statement
def _by_digest(viewer: Viewer) -> Written:
    return _sessions_by(UserSession.digest)


@statement
def _by_id(viewer: Viewer) -> Written:
    return _sessions_by(UserSession.id)


async def find_session(points: PointReads, secret: str, now: dt.datetime) -> Actor | None:
    """The person who is signed in with a cookie; None when its session has ended."""
    if not looks_like_secret(secret):
        return None
    return _actor_of(await _by_digest.read(points, digest(secret)), now)


async def actor_of_session(points: PointReads, id: str, now: dt.datetime) -> Actor | None:
    """The person of a session that has begun something, as things are now; None when it ended."""
    return _actor_of(await _by_id.read(points, id), now)


def _actor_of(row: Any, now: dt.datetime) -> Actor | None:
    if row is None or row.last_used_at + IDLE <= now:
        return None
    return replace(
        _PERSON,
        user_id=row.user_id,
        closed=closed_of(row),
        session_id=row.id,
        sign_in=SignIn(row.method, row.provider_id, row.provider_organization_id),
    )


async def sign_out(ctx: Context) -> None:
    """End the session of the request."""
    must_be_person(ctx)
    row = await ctx.session.get(UserSession, ctx.actor.session_id or "")
    if row is not None:
        await ctx.session.delete(row)
