"""Invitations by mail are sent: each sending gives them a new secret, which opens them once."""

import datetime as dt
from collections.abc import Sequence

from sqlalchemy import func, select

from db.enums import Role
from db.models.invitations import Invitation
from db.models.organizations import Organization, User
from db.models.spaces import Collection, Space
from resolvers.access import tokens
from resolvers.access.policy import must, ranks
from resolvers.access.ranks import role_to_give
from resolvers.core.context import Context
from resolvers.core.errors import PreconditionFailed
from resolvers.core.mail import Message, on_one_line, send_mail
from resolvers.organizations.invitation_states import is_inside, target_of
from resolvers.organizations.invitations import SentInvitation, invitation_url

# How long an invitation by mail can be accepted.
LIFETIME = dt.timedelta(days=14)
MOST_LINKS, MOST_OPEN = 1000, 10_000


async def send_invitations(
    ctx: Context, organization: Organization, rows: Sequence[Invitation]
) -> list[SentInvitation]:
    """Give invitations a new secret and send it; without a mail server the caller gets it.

    From then on they are the caller's.
    """
    secret_by_id: dict[str, str] = {}
    expires_at = ctx.now() + LIFETIME
    for row in rows:
        secret = secret_by_id[row.id] = tokens.new_secret()
        row.digest, row.inviter_id, row.expires_at = (
            tokens.digest(secret), ctx.actor.user_id, expires_at,
        )  # fmt: skip
        row.accepted_at = row.accepted_by_id = None
    if ctx.settings.sends_mail:
        inviter, titles = await _name_of(ctx), await _titles(ctx, organization, rows)
        messages = [
            _message(ctx, inviter, titles[target_of(row)[1]], row, secret_by_id[row.id])
            for row in rows
        ]
        await send_mail(ctx, *messages)
    for row in rows:
        row.mailed = ctx.settings.sends_mail
    ctx.session.add_all(rows)
    await ctx.session.flush()
    return [
        SentInvitation(row, None if row.mailed else invitation_url(ctx, secret_by_id[row.id]))
        for row in rows
    ]


async def _name_of(ctx: Context) -> str:
    """Who invites, as mail says it."""
    if ctx.actor.user_id is None:
        return "The operator of the server"
    name = select(User.display_name).where(User.id == ctx.actor.user_id)
    return on_one_line((await ctx.session.execute(name)).scalar_one())


async def _titles(
    ctx: Context, organization: Organization, rows: Sequence[Invitation]
) -> dict[str, str]:
    """The title of what each invitation is to, by its id."""
    here = on_one_line(organization.title)
    titles = {organization.id: here}
    for model in (Space, Collection):
        ids = {target_of(row)[1] for row in rows if target_of(row)[0] is model}
        if ids:
            named = select(model.id, model.title).where(model.id.in_(ids))
            for id, title in (await ctx.session.execute(named)).all():
                titles[id] = f"{on_one_line(title)} ({here})"
    return titles


def _message(ctx: Context, inviter: str, title: str, row: Invitation, secret: str) -> Message:
    assert row.email is not None
    text = (
        f"{inviter} has invited you to {title}.\n\n"
        f"Accept the invitation here:\n{invitation_url(ctx, secret)}\n\n"
        f"The link works once, for {LIFETIME.days} days. If you do not know what this is about, "
        "do nothing: nobody joins without it.\n"
    )
    return Message(row.email, f"Invitation to {title}", text, row.expires_at)


async def check_number(ctx: Context, organization_id: str, more: int, *, links: bool) -> None:
    """PreconditionFailed where an organization would have too many invitations."""
    most = MOST_LINKS if links else MOST_OPEN
    kind = Invitation.email.is_(None) if links else Invitation.email.is_not(None)
    number = select(func.count()).where(Invitation.organization_id == organization_id, kind)
    if (await ctx.session.execute(number)).scalar_one() + more > most:
        raise PreconditionFailed(
            f"an organization has at most {most:,} {'links' if links else 'invitations by mail'}: "
            "delete some"
        )


async def must_give(ctx: Context, row: Invitation) -> None:
    """The caller must have what it takes to make such an invitation: nobody gives a role above
    their own.
    """
    model, id = target_of(row)
    if is_inside(row):
        here = model.organization_id == row.organization_id
        await must(ctx, model, id, role_to_give(row.role), where=here)
    else:
        await must(ctx, model, id, Role.ADMIN)


async def must_touch(ctx: Context, row: Invitation) -> None:
    """The caller must be an administrator of the organization, or able to make such an invitation:
    nobody takes back what they could not give.
    """
    rank_by_id = await ranks(ctx, Organization, [row.organization_id])
    if rank_by_id.get(row.organization_id, 0) < Role.ADMIN.rank:
        await must_give(ctx, row)
