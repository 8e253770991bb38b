"""Links that sign a person in once: sent by e-mail, or made by the operator of the server.

Whoever holds the secret of a link is the person, so it is the policy of what is open to all here.
A link that is merely looked at stays valid: scanners of mail open every address.
"""

import datetime as dt
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import quote

import strawberry
from sqlalchemy import Select, delete, func, select

from db.enums import SignInMethod
from db.models.organizations import User
from db.models.sign_in import SignInLink, UserSession
from resolvers.access import accounts
from resolvers.access.accounts import own_address
from resolvers.access.tokens import digest, looks_like_secret, new_secret
from resolvers.core.actors import SignIn
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.email_addresses import can_be_sent_to, forms_of
from resolvers.core.errors import NotFound, invalid
from resolvers.core.mail import Message, send_mail
from resolvers.core.policy_asked import policy_was_asked
from resolvers.sign_in.rules import may_sign_in_by
from resolvers.sign_in.sessions import sign_in

LIFETIME = dt.timedelta(minutes=15)
# The operator may hand a link over by other ways, which take longer.
MOST_MINUTES = 7 * 24 * 60
# Links of one person that are open at the same time; no more are sent.
MOST_OPEN = 5
_GONE = "the link was used already, or it is older than it may be; ask for a new one"


@dataclass(frozen=True, slots=True)
class NewLink:
    """The address of a link, which cannot be read again, and until when it works."""

    url: str
    expires_at: dt.datetime
    user: User

    @property
    def audited(self) -> User:
        """What the audit log names."""
        return self.user


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A new session, and the text for its cookie, which is stored nowhere."""

    row: UserSession
    secret: str


async def make_sign_in_link(
    ctx: Context, email: str, *, lifetime: dt.timedelta = LIFETIME
) -> NewLink:
    """A link that signs the person with this address in once; for the operator.

    NotFound when the address has no account.
    """
    user = await accounts.find_account(ctx, email)
    if not dt.timedelta(minutes=1) <= lifetime <= dt.timedelta(minutes=MOST_MINUTES):
        raise invalid("minutes", f"must be a number from 1 to {MOST_MINUTES}")
    return await _make(ctx, user, SignInMethod.OPERATOR_LINK, lifetime, "")


@operation(open_to_all=True)
async def send_sign_in_link(ctx: Context, email: str, next_path: str = "") -> None:
    """Send a link to a person who wants to sign in; `next_path` is where they go then.

    Nothing happens where the address has no account, where the person has to sign in otherwise,
    and where enough links are under way: the caller learns nothing of it.
    """
    policy_was_asked()
    if not can_be_sent_to(email):
        return
    # Requests for one person wait for each other, so that they count what is open.
    named = select(User).where(func.lower(User.email).in_(forms_of(email)))
    user = (await ctx.session.execute(named.with_for_update(key_share=True))).scalars().first()
    if user is None:
        return
    if not await may_sign_in_by(ctx.session, user.id, SignIn(SignInMethod.EMAIL_LINK)):
        return
    recent = select(func.count()).where(
        SignInLink.user_id == user.id,
        SignInLink.method == SignInMethod.EMAIL_LINK,
        SignInLink.created_at > ctx.now() - LIFETIME,
    )
    if (await ctx.session.execute(recent)).scalar_one() >= MOST_OPEN:
        return
    link = await _make(ctx, user, SignInMethod.EMAIL_LINK, LIFETIME, next_path)
    await send_mail(ctx, _message(ctx, user, link))


def _message(ctx: Context, user: User, link: NewLink) -> Message:
    minutes = int(LIFETIME.total_seconds() // 60)
    text = (
        f"Hello {user.display_name},\n\n"
        f"this link signs you in to {ctx.settings.public_url}:\n\n{link.url}\n\n"
        f"It works once, within {minutes} minutes. If you have not asked for it, ignore this "
        "message: without the link nobody can sign in.\n"
    )
    return Message(user.email, "Your link to sign in", text, expires_at=link.expires_at)


async def _make(
    ctx: Context, user: User, method: SignInMethod, lifetime: dt.timedelta, next_path: str
) -> NewLink:
    secret, now = new_secret(), ctx.now()
    link = SignInLink(
        digest=digest(secret),
        user_id=user.id,
        method=method,
        created_at=now,
        expires_at=now + lifetime,
    )
    ctx.session.add(link)
    await ctx.session.flush()
    query = f"?next={quote(next_path, safe='/')}" if next_path else ""
    url = f"{ctx.settings.public_url}/sign-in/link/{secret}{query}"
    return NewLink(url, link.expires_at, user)


def _open_link(ctx: Context, secret: str) -> Select[User, SignInLink]:
    return (
        select(User, SignInLink)
        .join(SignInLink, SignInLink.user_id == User.id)
        .where(SignInLink.digest == digest(secret), SignInLink.expires_at > ctx.now())
    )


Secret = Annotated[str, strawberry.argument(description="The last part of the link's address.")]


@operation(open_to_all=True)
async def read_sign_in_link(ctx: Context, secret: Secret) -> User:
    """The person whom a link signs in; NotFound when it was used or is too old."""
    policy_was_asked()
    with ctx.limits.wrong_secrets.counting_failures(ctx.address, "wrong links"):
        if looks_like_secret(secret):
            row = (await ctx.session.execute(_open_link(ctx, secret))).first()
            if row is not None:
                user: User = row[0]
                return user
        raise NotFound(_GONE)


@operation(open_to_all=True)
async def use_sign_in_link(
    ctx: Context, secret: Secret, *, user_agent: str = "", replaces: str | None = None
) -> SignedIn:
    """Sign in by a link, which nobody can use again.

    NotFound when it was used or is too old; Forbidden when the person has to sign in otherwise.
    `user_agent` and `replaces` are those of `open_session`.
    """
    policy_was_asked()
    with ctx.limits.wrong_secrets.counting_failures(ctx.address, "wrong links"):
        used = None
        if looks_like_secret(secret):
            # Of several requests at the same time one deletes the row.
            deletion = (
                delete(SignInLink)
                .where(SignInLink.digest == digest(secret), SignInLink.expires_at > ctx.now())
                .returning(SignInLink.user_id, SignInLink.method)
            )
            used = (await ctx.session.execute(deletion)).first()
        if used is None:
            raise NotFound(_GONE)
    row, cookie = await sign_in(
        ctx, used.user_id, used.method, user_agent=user_agent, replaces=replaces
    )
    if used.method is SignInMethod.EMAIL_LINK:
        # Only whoever reads the mail of the address has the link.
        await own_address(ctx, await ctx.session.get_one(User, used.user_id))
    return SignedIn(row, cookie)
