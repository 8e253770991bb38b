"""Tokens of feeds: each stands in the address of the feed of one space, and reads nothing else.

It is no token of the API: nothing else looks it up (docs/decisions/0113-tokens-of-feeds.md).
"""

import datetime as dt
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import urlencode

import strawberry
from sqlalchemy import func, select
from strawberry import Maybe

from db.enums import TokenScope
from db.ids import new_id
from db.models.notifications import FeedToken
from db.models.organizations import User
from db.models.spaces import Space
from db.prepared import among
from db.sharing import KEYS, SHARED_KEY, PointReads
from resolvers.access.closed_organizations import closed_column, closed_of
from resolvers.access.policy import must, must_not_be_service
from resolvers.access.tokens import digest, looks_like_secret, new_secret
from resolvers.core import inputs
from resolvers.core.actors import Actor, SignIn
from resolvers.core.arguments import SpaceId
from resolvers.core.context import Context
from resolvers.core.errors import Conflict, Unauthenticated
from resolvers.core.scopes import granted_by
from resolvers.core.statements import Viewer, Written, statement

PREFIX = "docstead_feed_"
LABEL_LIMIT = 50
# Tokens of one person that work or have expired.
TOKENS_LIMIT = 200
# The parameter of the address.
PARAMETER = "token"
FeedTokenId = Annotated[strawberry.ID, inputs.argument("Id of the token of a feed.")]


@strawberry.input(description="A new token of a feed.")
class CreateFeedTokenInput:
    label: Maybe[str] = inputs.text(
        "What it is for, 1 to 50 characters; `Feed` when absent.", min=1, max=LABEL_LIMIT
    )


@dataclass(frozen=True, slots=True)
class NewFeedToken:
    """A token that was just made; its text, and the address with it, are never shown again."""

    feed_token: FeedToken
    text: str
    url: str

    @property
    def audited(self) -> FeedToken:
        """What the audit log names."""
        return self.feed_token


def feed_path(space_id: str) -> str:
    """The path of the feed of a space."""
    return f"/v1/spaces/{space_id}/changes.atom"


async def create_feed_token(
    ctx: Context, space_id: SpaceId, input: CreateFeedTokenInput
) -> NewFeedToken:
    """Make a token for the feed of the changes of a space, which reads nothing but that feed.

    The address with it is shown this once. It lives no longer than the token it is made with.
    """
    must_not_be_service(ctx)
    space = await must(ctx, Space, space_id)
    # Writers wait for each other here.
    locked = select(User.id).where(User.id == ctx.user_id).with_for_update(key_share=True)
    await ctx.session.execute(locked)
    active = select(func.count()).where(
        FeedToken.user_id == ctx.user_id, FeedToken.revoked_at.is_(None)
    )
    if (await ctx.session.execute(active)).scalar_one() >= TOKENS_LIMIT:
        raise Conflict(f"an account has at most {TOKENS_LIMIT} tokens of feeds: revoke some first")
    text = PREFIX + new_secret()
    way = ctx.actor.sign_in
    row = FeedToken(
        id=new_id(),
        user_id=ctx.user_id,
        space_id=space.id,
        label=inputs.given(input.label, "Feed"),
        digest=digest(text),
        method=way.method,
        provider_id=way.provider_id,
        provider_organization_id=way.provider_organization_id,
        created_at=ctx.now(),
        expires_at=ctx.actor.token_expires_at,
    )
    ctx.session.add(row)
    await ctx.session.flush()
    url = f"{ctx.settings.public_url}{feed_path(space.id)}?{urlencode({PARAMETER: text})}"
    return NewFeedToken(row, text, url)


async def revoke_feed_token(ctx: Context, id: FeedTokenId) -> FeedToken:
    """Revoke a token of a feed of yours, at once; one that was revoked before stays as it is."""
    must_not_be_service(ctx)
    token = await must(ctx, FeedToken, id, lock=True)
    token.revoked_at = token.revoked_at or ctx.now()
    return token


@statement
def _by_digest(viewer: Viewer) -> Written:
    return select(
        FeedToken.user_id, FeedToken.space_id, FeedToken.expires_at, FeedToken.revoked_at,
        FeedToken.method, FeedToken.provider_id, FeedToken.provider_organization_id,
        closed_column(FeedToken), FeedToken.digest.label(SHARED_KEY),
    ).where(among(FeedToken.digest, KEYS))  # fmt: skip


async def actor_of_feed(points: PointReads, text: str, space_id: str, now: dt.datetime) -> Actor:
    """The person whose token stands in the address of a feed; they only read with it.

    Unauthenticated for one that is not valid or of another space.
    """
    if not text.startswith(PREFIX) or not looks_like_secret(text.removeprefix(PREFIX)):
        raise Unauthenticated("the token of the feed is not valid")
    row = await _by_digest.read(points, digest(text))
    if row is None or row.space_id != space_id:
        raise Unauthenticated("the token of the feed is unknown, or of another space")
    if row.revoked_at is not None:
        raise Unauthenticated("the token of the feed was revoked")
    if row.expires_at is not None and row.expires_at <= now:
        raise Unauthenticated("the token of the feed has expired")
    return Actor(
        row.user_id,
        granted_by((TokenScope.READ.value,)),
        closed=closed_of(row),
        sign_in=SignIn(row.method, row.provider_id, row.provider_organization_id),
    )
