"""Tokens: an account makes them, sees which there are, and takes them back (docs/tokens.md)."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

import strawberry
from sqlalchemy import func, select
from strawberry import Maybe

from db.enums import FULL_ACCESS, Role, TokenScope
from db.models.organizations import Token, User
from resolvers.access import tokens
from resolvers.access.policy import must, must_be_person, must_not_be_service, visible
from resolvers.core import inputs
from resolvers.core.arguments import TokenId
from resolvers.core.context import Context
from resolvers.core.errors import Conflict, Forbidden, Invalid
from resolvers.core.pagination import PageArguments, by_id
from resolvers.core.scopes import granted_by, missing
from resolvers.core.statements import Viewer, Written
from resolvers.lists.batches import computed_from
from resolvers.lists.listings import Listing

# Tokens of one account that work or have expired; those that were revoked do not count.
TOKENS_LIMIT = 200


@strawberry.input(description="A new token.")
class CreateTokenInput:
    label: str = inputs.text(
        "What it is for, 1 to 50 characters.", min=1, max=tokens.LABEL_LIMIT, required=True
    )
    scopes: Maybe[list[TokenScope]] = inputs.items(
        "What it may be used for; everything the account may do when absent.", min=1
    )
    expires_at: Maybe[dt.datetime | None] = inputs.field(
        "When it stops to work, in the future; absent or null = when it is revoked."
    )


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token that was just made; its text is never shown again."""

    token: Token
    text: str

    @property
    def audited(self) -> Token:
        """What the audit log names."""
        return self.token


async def create_token(ctx: Context, input: CreateTokenInput) -> NewToken:
    """Make a token for yourself; its text is shown this once.

    Needs a token without scopes of its own. The new one lives no longer than the one it is made
    with.
    """
    must_be_person(ctx)
    must_not_be_service(ctx)
    return await new_token(ctx, ctx.user_id, input)


async def new_token(
    ctx: Context, user_id: str, input: CreateTokenInput, organization_id: str | None = None
) -> NewToken:
    """A token of an account, with no scope that the caller's token lacks."""
    scopes = FULL_ACCESS if input.scopes is None else frozenset(input.scopes.value)
    granted = granted_by(tuple(scope.value for scope in scopes))
    for scope in TokenScope:
        if scope in granted - ctx.actor.scopes:
            raise missing(scope)
    expires_at = _expiry(ctx, inputs.given(input.expires_at, None))
    await _leave_room(ctx, user_id)
    row, text = await tokens.create_token(
        ctx.session, user_id, input.label, scopes=scopes, expires_at=expires_at,
        organization_id=organization_id, sign_in=ctx.actor.sign_in, now=ctx.now(),
    )  # fmt: skip
    return NewToken(row, text)


def _expiry(ctx: Context, end: dt.datetime | None) -> dt.datetime | None:
    """When a new token ends: not in the past, and not after the one it is made with."""
    if end is not None and end <= ctx.now():
        raise Invalid.at("expiresAt", "is in the past; it must be a time to come")
    latest = ctx.actor.token_expires_at
    if latest is None:
        return end
    if end is not None and end > latest:
        raise Forbidden(
            "expiresAt: the token that you use expires earlier, and makes none that outlives it"
        )
    return end or latest


async def _leave_room(ctx: Context, user_id: str) -> None:
    """Conflict where an account has as many tokens as it may have."""
    # Writers wait for each other here.
    locked = select(User.id).where(User.id == user_id).with_for_update(key_share=True)
    await ctx.session.execute(locked)
    active = select(func.count()).where(Token.user_id == user_id, Token.revoked_at.is_(None))
    if (await ctx.session.execute(active)).scalar_one() >= TOKENS_LIMIT:
        raise Conflict(f"an account has at most {TOKENS_LIMIT} tokens: revoke some first")


async def revoke_token(ctx: Context, id: TokenId) -> Token:
    """Revoke a token of yours at once; administrators also revoke those of service accounts.

    One that was revoked before stays as it is.
    """
    must_not_be_service(ctx)
    token = await must(ctx, Token, id, Role.ADMIN, lock=True)
    token.revoked_at = token.revoked_at or ctx.now()
    return token


# ------------------------------------------------------------------ lists


def _own(viewer: Viewer) -> Written:
    rows = visible(viewer, Token).where(Token.organization_id.is_(None))
    return rows.where(Token.revoked_at.is_(None))


def _of_service_accounts(viewer: Viewer) -> Written:
    return visible(viewer, Token).where(Token.revoked_at.is_(None))


tokens_of_users = Listing(
    "tokens_of_users",
    Token,
    Token.user_id,
    by_id(Token),
    about="Tokens of the caller that are not revoked, oldest first; empty for other people.",
    rows=_own,
)
tokens_of_service_accounts = Listing(
    "tokens_of_service_accounts",
    Token,
    Token.user_id,
    by_id(Token),
    about="Tokens of service accounts that are not revoked, oldest first.",
    rows=_of_service_accounts,
)


async def list_own_tokens(ctx: Context) -> list[Token]:
    """Your own tokens that are not revoked, oldest first: all of them, for they are few."""
    user = await must(ctx, User, ctx.user_id)
    (page,) = await tokens_of_users(ctx, [user], PageArguments(first=TOKENS_LIMIT))
    return page.rows


@computed_from("scopes")
async def token_scopes(
    ctx: Context, rows: Sequence[Token], arguments: object
) -> list[list[TokenScope]]:
    """What each token may be used for, without scopes that only a newer version knows."""
    scope_by_value = {scope.value: scope for scope in TokenScope}
    return [
        [scope_by_value[value] for value in row.scopes if value in scope_by_value] for row in rows
    ]
