"""People without an account who have an invitation by link.

A link says nothing about who opens it. So they name their address, a link goes there by mail, and
whoever follows that one gets an account with this address, which has accepted the invitation.
"""

import datetime as dt
from dataclasses import replace

from sqlalchemy import and_, delete, func, select

from db.models.invitations import AccountLink, Invitation
from db.models.organizations import User
from resolvers.access import tokens
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.email_addresses import folded, is_address
from resolvers.core.errors import NotFound, PreconditionFailed, Unavailable
from resolvers.core.mail import Message, on_one_line, send_mail
from resolvers.core.policy_asked import policy_was_asked
from resolvers.organizations.joining import (
    ReadInvitation,
    digest_of_secret,
    invitation_by_secret,
    locked_invitation,
    make_account,
    must_be_open,
    shown_invitation,
)
from resolvers.sign_in.links import send_sign_in_link

LIFETIME = dt.timedelta(hours=1)
# Links to one address that are under way at the same time; no more are sent.
MOST_OPEN = 5
# Links that one invitation has sent in that time: whoever has it cannot write to the whole world.
MOST_OF_INVITATION = 200
_GONE = "the link was used already, or it is older than it may be; open the invitation again"


@operation(open_to_all=True)
async def send_account_link(ctx: Context, secret: str, email: str, next_path: str = "") -> None:
    """Send a link to somebody who has an invitation by link: to make an account with it or, where
    the address has one, to sign in and go on to `next_path`.

    The caller does not learn which. Nothing happens for what is no address, where enough links to
    it are under way, and without a mail server. PreconditionFailed for an invitation that cannot be
    accepted, or is for one address; Unavailable when it has sent 200 links within an hour.
    """
    row, organization = await locked_invitation(ctx, await invitation_by_secret(ctx, secret))
    if row.email is not None:
        raise PreconditionFailed("this invitation is for one address, which has its link already")
    await must_be_open(ctx, row)
    if not is_address(email) or not ctx.settings.sends_mail:
        return
    address, now = folded(email), ctx.now()
    recent = select(func.count()).where(AccountLink.created_at > now - LIFETIME)
    of_invitation = recent.where(AccountLink.invitation_id == row.id)
    # Before anything about the address: the answer says nothing of it.
    if (await ctx.session.execute(of_invitation)).scalar_one() >= MOST_OF_INVITATION:
        raise Unavailable("too many people have asked for a link lately; try again in an hour")
    if await tokens.find_user(ctx.session, email) is not None:
        await send_sign_in_link(ctx, email, next_path)
        return
    to_address = recent.where(AccountLink.email == address)
    if (await ctx.session.execute(to_address)).scalar_one() >= MOST_OPEN:
        return
    link_secret = tokens.new_secret()
    link = AccountLink(
        digest=tokens.digest(link_secret),
        invitation_id=row.id,
        email=address,
        created_at=now,
        expires_at=now + LIFETIME,
    )
    ctx.session.add(link)
    await ctx.session.flush()
    title = on_one_line(organization.title)
    text = (
        f"Somebody with this address wants to join {title}.\n\n"
        f"Make an account here:\n{account_url(ctx, link_secret)}\n\n"
        f"The link works once, within {int(LIFETIME.total_seconds() // 60)} minutes. If you have "
        "not asked for it, ignore this message: without the link nobody gets an account.\n"
    )
    await send_mail(ctx, Message(address, f"Your account to join {title}", text, link.expires_at))


def account_url(ctx: Context, secret: str) -> str:
    """Where an account is made."""
    return f"{ctx.settings.public_url}/invitations/{secret}/account"


@operation(open_to_all=True)
async def read_account_link(ctx: Context, secret: str) -> ReadInvitation:
    """The invitation that a link to make an account accepts, with the address that the link was
    sent to; NotFound when it was used or is too old.
    """
    policy_was_asked()
    statement = (
        select(Invitation.digest, AccountLink.email)
        .join(AccountLink, AccountLink.invitation_id == Invitation.id)
        .where(
            AccountLink.digest == digest_of_secret(secret, _GONE),
            AccountLink.expires_at > ctx.now(),
        )
    )
    row = (await ctx.session.execute(statement)).first()
    if row is None:
        raise NotFound(_GONE)
    shown = await shown_invitation(ctx, row.digest)
    has_account = await tokens.find_user(ctx.session, row.email) is not None
    return replace(shown, email=row.email, has_account=has_account)


@operation(open_to_all=True)
async def create_account_by_link(ctx: Context, secret: str, display_name: str) -> User:
    """The account of somebody who followed a link that was mailed to their address, which is
    verified by that; it has accepted the invitation. NotFound when the link was used or is too old.
    """
    policy_was_asked()
    this = and_(
        AccountLink.digest == digest_of_secret(secret, _GONE), AccountLink.expires_at > ctx.now()
    )
    statement = select(Invitation).join(AccountLink).where(this)
    invitation: Invitation | None = (await ctx.session.execute(statement)).scalars().first()
    if invitation is None:
        raise NotFound(_GONE)
    row, organization = await locked_invitation(ctx, invitation)
    # Of several requests at the same time one deletes the row.
    deletion = delete(AccountLink).where(this).returning(AccountLink.email)
    email: str | None = (await ctx.session.execute(deletion)).scalar()
    if email is None:
        raise NotFound(_GONE)
    user = await make_account(ctx, row, organization, email, display_name)
    user.email_verified_at = ctx.now()
    return user
