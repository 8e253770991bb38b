"""API tokens: 256 random bits, shown once, kept only as SHA-256 (security promises).

The prefix lets secret scanners recognise a token.
"""

import datetime as dt
import hashlib
import re
from typing import Any

from sqlalchemy import func, or_, select, update

from db.base import utc_now
from db.enums import FULL_ACCESS, TokenScope
from db.ids import random_text
from db.models.organizations import ServiceAccount, Token, User
from db.models.sign_in import UserSession
from db.prepared import among
from db.session import Session
from db.sharing import KEYS, SHARED_KEY, PointReads
from resolvers.access.closed_organizations import closed_column, closed_of
from resolvers.core.actors import UNKNOWN_SIGN_IN, Actor, SignIn
from resolvers.core.email_addresses import INTEGRATION_DOMAIN, forms_of
from resolvers.core.errors import Unauthenticated
from resolvers.core.scopes import granted_by
from resolvers.core.statements import Viewer, Written, statement

PREFIX = "docstead_"
# 43 base-62 characters hold 256 bits.
LENGTH = 43
_SECRET = re.compile(rf"[0-9A-Za-z]{{{LENGTH}}}")
LABEL_LIMIT = 50
MISSING = "a token is required: send the header `Authorization: Bearer <token>`"


def new_secret() -> str:
    """256 random bits, as the text of a cookie or a part of an address."""
    return random_text(LENGTH)


def looks_like_secret(text: str) -> bool:
    """Whether a text could be such a secret; no other is looked for."""
    return _SECRET.fullmatch(text) is not None


def new_token() -> str:
    """The text of a new token."""
    return PREFIX + new_secret()


def digest(token: str) -> str:
    """The hash of a token, as it is stored. Tokens are found by it, so nothing compares secrets."""
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).hexdigest()


def _tokens_by(key: Any) -> Written:
    return select(
        Token.id,
        Token.user_id,
        Token.organization_id,
        Token.scopes,
        Token.expires_at,
        Token.revoked_at,
        Token.method,
        Token.provider_id,
        Token.provider_organization_id,
        closed_column(Token),
        key.label(SHARED_KEY),
    ).where(among(key, KEYS))


@statement
def _by_digest(viewer: Viewer) -> Written:
    return _tokens_by(Token.digest)


@statement
def _by_id(viewer: Viewer) -> Written:
    return _tokens_by(Token.id)


def bearer(authorization: str | None) -> str:
    """The token in an Authorization header; Unauthenticated when there is none."""
    if not authorization:
        raise Unauthenticated(MISSING)
    scheme, _, text = authorization.partition(" ")
    if scheme.lower() != "bearer" or not text.strip():
        raise Unauthenticated(MISSING)
    return text.strip()


async def authenticate(points: PointReads, text: str, now: dt.datetime) -> Actor:
    """The account behind a token; Unauthenticated says what is wrong with it."""
    return _actor_of(await _by_digest.read(points, digest(text)), now)


async def actor_of_token(points: PointReads, id: str, now: dt.datetime) -> Actor:
    """The account behind a token that has begun something, as things are now."""
    return _actor_of(await _by_id.read(points, id), now)


def _actor_of(token: Any, now: dt.datetime) -> Actor:
    if token is None:
        raise Unauthenticated("the token is unknown")
    if token.revoked_at is not None:
        raise Unauthenticated("the token was revoked")
    if token.expires_at is not None and token.expires_at <= now:
        raise Unauthenticated("the token has expired")
    return Actor(
        token.user_id,
        granted_by(tuple(token.scopes)),
        service=token.organization_id is not None,
        closed=closed_of(token),
        token_id=token.id,
        token_expires_at=token.expires_at,
        sign_in=SignIn(token.method, token.provider_id, token.provider_organization_id),
    )


async def create_token(
    session: Session,
    user_id: str,
    label: str,
    *,
    scopes: frozenset[TokenScope] = FULL_ACCESS,
    expires_at: dt.datetime | None = None,
    organization_id: str | None = None,
    sign_in: SignIn = UNKNOWN_SIGN_IN,
    now: dt.datetime | None = None,
) -> tuple[Token, str]:
    """A new token of an account and its text, which cannot be read again.

    `organization_id` is that of a service account, None for a person. `sign_in` says how the person
    has come who makes it.
    """
    text = new_token()
    row = Token(
        user_id=user_id,
        organization_id=organization_id,
        method=sign_in.method,
        provider_id=sign_in.provider_id,
        provider_organization_id=sign_in.provider_organization_id,
        label=label,
        digest=digest(text),
        scopes=sorted(scope.value for scope in scopes),
        created_at=now or utc_now(),
        expires_at=expires_at,
    )
    session.add(row)
    await session.flush()
    return row, text


async def record_use(
    session: Session, model: type[Token | UserSession], uses: dict[str, dt.datetime]
) -> None:
    """Note when tokens or sessions were last used: id -> time; a later time that is there stays."""
    # In one order, so that processes which write the same rows wait for each other in turn.
    for id, moment in sorted(uses.items()):
        earlier = or_(model.last_used_at.is_(None), model.last_used_at < moment)
        await session.execute(
            update(model).where(model.id == id, earlier).values(last_used_at=moment)
        )


async def find_user(session: Session, email: str) -> User | None:
    """The person with this address, whatever its capitals; service accounts and integrations have
    none."""
    services = select(ServiceAccount.id)
    same = func.lower(User.email).in_(forms_of(email))
    person = User.id.not_in(services) & User.email.not_like(f"%{INTEGRATION_DOMAIN}")
    statement = select(User).where(same, person)
    user: User | None = (await session.execute(statement)).scalars().first()
    return user
