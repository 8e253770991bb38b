"""API tokens: 256 random bits, shown once, kept only as SHA-256 (security promises).

The prefix lets secret scanners recognise a token.
"""

import datetime as dt
import hashlib
from dataclasses import dataclass
from functools import lru_cache

from sqlalchemy import func, or_, select, update

from db.enums import TokenScope
from db.ids import random_text
from db.models.organizations import Token, User
from db.prepared import among
from db.session import Session
from db.sharing import KEYS, SHARED_KEY, PointReads
from resolvers.core.actors import Actor
from resolvers.core.errors import Unauthenticated
from resolvers.core.statements import Viewer, Written, statement

PREFIX = "docstead_"
# 43 base-62 characters hold 256 bits.
LENGTH = 43
LABEL_LIMIT = 50
MISSING = "a token is required: send the header `Authorization: Bearer <token>`"


@dataclass(frozen=True, slots=True)
class Authenticated:
    """The actor of a token, and the id of the token."""

    actor: Actor
    token_id: str


def new_token() -> str:
    """The text of a new token."""
    return PREFIX + random_text(LENGTH)


def digest(token: str) -> str:
    """The hash of a token, as it is stored. Tokens are found by it, so nothing compares secrets."""
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).hexdigest()


@statement
def _token(viewer: Viewer) -> Written:
    return select(
        Token.id,
        Token.user_id,
        Token.scopes,
        Token.expires_at,
        Token.revoked_at,
        Token.digest.label(SHARED_KEY),
    ).where(among(Token.digest, KEYS))


def bearer(authorization: str | None) -> str:
    """The token in an Authorization header; Unauthenticated when there is none."""
    if not authorization:
        raise Unauthenticated(MISSING)
    scheme, _, text = authorization.partition(" ")
    if scheme.lower() != "bearer" or not text.strip():
        raise Unauthenticated(MISSING)
    return text.strip()


async def authenticate(points: PointReads, text: str, now: dt.datetime) -> Authenticated:
    """The person behind a token; Unauthenticated says what is wrong with it."""
    token = await _token.read(points, digest(text))
    if token is None:
        raise Unauthenticated("the token is unknown")
    if token.revoked_at is not None:
        raise Unauthenticated("the token was revoked")
    if token.expires_at is not None and token.expires_at <= now:
        raise Unauthenticated("the token has expired")
    actor = Actor(token.user_id, _granted(token.scopes), token_id=token.id)
    return Authenticated(actor, token.id)


def _granted(scopes: list[str]) -> frozenset[TokenScope]:
    """`write` includes `read`, for writes answer with what they changed.

    Scopes that a newer version wrote grant nothing here.
    """
    return _granted_by(tuple(scopes))


@lru_cache(maxsize=64)
def _granted_by(scopes: tuple[str, ...]) -> frozenset[TokenScope]:
    by_value = {scope.value: scope for scope in TokenScope}
    granted = {by_value[scope] for scope in scopes if scope in by_value}
    if TokenScope.WRITE in granted:
        granted.add(TokenScope.READ)
    return frozenset(granted)


async def create_token(
    session: Session,
    user_id: str,
    label: str,
    *,
    scopes: frozenset[TokenScope] = frozenset(TokenScope),
    expires_at: dt.datetime | None = None,
) -> tuple[Token, str]:
    """A new token of a person and its text, which cannot be read again."""
    text = new_token()
    row = Token(
        user_id=user_id,
        label=label,
        digest=digest(text),
        scopes=sorted(scope.value for scope in scopes),
        expires_at=expires_at,
    )
    session.add(row)
    await session.flush()
    return row, text


async def record_use(session: Session, uses: dict[str, dt.datetime]) -> None:
    """Note when tokens were last used: id -> time; a later time that is there already stays."""
    # In one order, so that processes which write the same tokens wait for each other in turn.
    for token_id, moment in sorted(uses.items()):
        earlier = or_(Token.last_used_at.is_(None), Token.last_used_at < moment)
        await session.execute(
            update(Token).where(Token.id == token_id, earlier).values(last_used_at=moment)
        )


async def find_user(session: Session, email: str) -> User | None:
    """The account with this address, whatever its capitals."""
    statement = select(User).where(func.lower(User.email) == email.lower())
    user: User | None = (await session.execute(statement)).scalars().first()
    return user
