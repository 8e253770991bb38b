"""Accounts, organizations and tokens, as the operator of the server makes them."""

import datetime as dt
from dataclasses import dataclass

from sqlalchemy import delete, select, update

from db.enums import FULL_ACCESS, Role, SignInMethod, TokenScope
from db.models.organizations import Member, Organization, Token, User
from db.models.sign_in import UserSession
from resolvers.access import tokens
from resolvers.access.people import delete_grants
from resolvers.access.policy import must_be_operator
from resolvers.core import inputs
from resolvers.core.context import Context
from resolvers.core.email_addresses import WANTED, is_address, was_address
from resolvers.core.errors import Conflict, NotFound, invalid

NAME_LIMIT = 64
TITLE_LENGTHS = (2, 255)


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token that was just made; its text is never shown again."""

    row: Token
    text: str

    @property
    def audited(self) -> Token:
        """What the audit log names."""
        return self.row


def _check_email(email: str, *, new: bool = False) -> str:
    inputs.check({"email": email})
    if not (is_address(email) if new else was_address(email)):
        raise invalid("email", f"{email!r} is not an e-mail address; {WANTED}")
    return email


def _check_length(path: str, value: str, low: int, high: int) -> str:
    inputs.check({path: value})
    if not low <= len(value) <= high:
        raise invalid(path, f"has {len(value)} characters; {low} to {high} are allowed")
    return value


async def create_user(ctx: Context, email: str, name: str) -> User:
    """A new account; Conflict when the address has one."""
    must_be_operator(ctx)
    if await tokens.find_user(ctx.session, _check_email(email, new=True)) is not None:
        raise Conflict(f"email: {email!r} has an account already")
    user = User(
        email=email,
        display_name=_check_length("name", name, 1, NAME_LIMIT),
        email_verified_at=ctx.now(),
    )
    ctx.session.add(user)
    await ctx.session.flush()
    return user


async def find_account(ctx: Context, email: str) -> User:
    """The account with this address."""
    must_be_operator(ctx)
    user = await tokens.find_user(ctx.session, _check_email(email))
    if user is None:
        raise NotFound(f"email: {email!r} has no account; make it with `docstead user create`")
    return user


async def ensure_user(ctx: Context, email: str, name: str) -> User:
    """The account with this address, made when it is new."""
    must_be_operator(ctx)
    user = await tokens.find_user(ctx.session, _check_email(email))
    return user or await create_user(ctx, email, name)


async def verify_address(ctx: Context, email: str) -> User:
    """Note that the address of an account is that person's, as the operator of the server knows;
    nothing changes where that was known.
    """
    user = await find_account(ctx, email)
    if user.email_verified_at is None:
        user.email_verified_at = ctx.now()
    return user


async def own_address(ctx: Context, user: User) -> None:
    """Note that whoever acts has shown that the address of an account is theirs.

    The first time, other sessions and tokens end that an invitation has opened: without a mail
    server its link is in the hands of whoever invites, who may have made the account.
    """
    if user.email_verified_at is not None:
        return
    user.email_verified_at = ctx.now()
    other_sessions = delete(UserSession).where(
        UserSession.user_id == user.id,
        UserSession.method == SignInMethod.INVITATION,
        UserSession.id != (ctx.actor.session_id or ""),
    )
    await ctx.session.execute(other_sessions)
    opened = update(Token).where(
        Token.user_id == user.id,
        Token.method == SignInMethod.INVITATION,
        Token.revoked_at.is_(None),
    )
    await ctx.session.execute(opened.values(revoked_at=ctx.now()))


async def create_organization(ctx: Context, title: str, admin: User) -> Organization:
    """A new organization with its first admin."""
    must_be_operator(ctx)
    organization = Organization(title=_check_length("organization", title, *TITLE_LENGTHS))
    ctx.session.add(organization)
    await ctx.session.flush()
    await add_member(ctx, organization, admin, Role.ADMIN)
    return organization


async def add_member(
    ctx: Context, organization: Organization, user: User, role: Role | None
) -> Member:
    """Make a person a member of an organization; without a role they are a guest.

    Conflict when they are one already.
    """
    must_be_operator(ctx)
    if await ctx.session.get(Member, (organization.id, user.id)) is not None:
        raise Conflict(f"email: {user.email!r} is a member of the organization already")
    # The membership gets the key of their name: nobody renames the person before it is there.
    await ctx.session.refresh(user, ["display_name"], with_for_update=True)
    # What was granted in the instant in which they were removed is nothing they come back to.
    await delete_grants(ctx.session, organization.id, user.id)
    member = Member(organization_id=organization.id, user_id=user.id, role=role)
    ctx.session.add(member)
    await ctx.session.flush()
    return member


async def create_account_token(
    ctx: Context,
    email: str,
    label: str,
    *,
    scopes: frozenset[TokenScope] = FULL_ACCESS,
    expires_at: dt.datetime | None = None,
) -> NewToken:
    """A new token for the person with this address."""
    user = await find_account(ctx, email)
    _check_length("label", label, 1, tokens.LABEL_LIMIT)
    row, text = await tokens.create_token(
        ctx.session, user.id, label, scopes=scopes, expires_at=expires_at
    )
    return NewToken(row, text)


async def list_account_tokens(ctx: Context, email: str) -> list[Token]:
    """All tokens of the person with this address, oldest first."""
    user = await find_account(ctx, email)
    statement = select(Token).where(Token.user_id == user.id).order_by(Token.id)
    return list((await ctx.session.execute(statement)).scalars())


async def revoke_account_tokens(
    ctx: Context, email: str, *, id: str | None = None, label: str | None = None
) -> list[Token]:
    """Revoke a person's tokens by id or by label, at once; those that were not revoked before."""
    rows = [
        token
        for token in await list_account_tokens(ctx, email)
        if token.revoked_at is None
        and (id is None or token.id == id)
        and (label is None or token.label == label)
    ]
    if id is None and label is None:
        raise invalid("label", "say which token: give its label or its id")
    if not rows:
        raise NotFound("no active token of that person has this label or id")
    for token in rows:
        token.revoked_at = ctx.now()
    return rows


@dataclass(frozen=True, slots=True)
class Installation:
    """The rows of `docstead init`: a person, an organization, a token."""

    user: User
    organization: Organization
    token: NewToken

    @property
    def audited(self) -> Organization:
        """What the audit log names."""
        return self.organization


async def initialise(ctx: Context, email: str, name: str, organization: str) -> Installation:
    """The person (if new), an organization with that person as admin, and a token."""
    user = await ensure_user(ctx, email, name)
    created = await create_organization(ctx, organization, user)
    return Installation(user, created, await create_account_token(ctx, email, "init"))
