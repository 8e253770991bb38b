"""Somebody whom a provider has signed on: which account it is, and whether they may come in.

What an organization's own provider says is worth as much as its administrators, who could make it
say anything. So it opens no account that reaches beyond that organization, unless the operator of
the server trusts the provider.
"""

from sqlalchemy import func, select

from db.models.invitations import Invitation
from db.models.organizations import Member, Organization, Team, User
from db.models.sign_on import SamlProvider
from db.session import Session
from resolvers.access.accounts import own_address
from resolvers.access.tokens import find_user
from resolvers.core.context import Context
from resolvers.core.email_addresses import WANTED, is_address
from resolvers.core.errors import Forbidden
from resolvers.organizations.invitation_writes import new_member
from resolvers.organizations.joining import accept_invitation_of_address
from resolvers.organizations.teams import team_member
from resolvers.sign_on.identities import Identity

# Organizations whose invitations somebody accepts by signing on.
_MOST_AT_ONCE = 20


async def arrive_at_organization(ctx: Context, provider: SamlProvider, identity: Identity) -> User:
    """The account of a person whom an organization's provider has signed on.

    Somebody new gets one, with the provider's role and team. Forbidden for an account that is no
    member, for a disabled member, and for one who belongs to other organizations as well.
    """
    # What is decided about the people of an organization is decided in turn.
    locked = select(Organization.id).where(Organization.id == provider.organization_id)
    await ctx.session.execute(locked.with_for_update(key_share=True))
    user = await find_user(ctx.session, identity.email)
    if user is None:
        user = await _welcome(ctx, provider, identity)
        await accept_invitation_of_address(ctx, provider.organization_id, user)
        return user
    if not provider.trusted and await _belongs_elsewhere(ctx.session, provider, user):
        raise Forbidden(
            "you belong to other organizations, too, for which this provider does not speak: sign "
            "in another way, or ask whoever runs the server to trust the provider"
        )
    member = await ctx.session.get(
        Member, (provider.organization_id, user.id), with_for_update=True, populate_existing=True
    )
    if member is None:
        await accept_invitation_of_address(ctx, provider.organization_id, user)
        member = await ctx.session.get(Member, (provider.organization_id, user.id))
    if member is None:
        raise Forbidden(
            f"{identity.email} has an account here, but is no member of the organization: ask one "
            "of its administrators to invite you"
        )
    if member.disabled:
        raise Forbidden("you are disabled in this organization: ask one of its administrators")
    member.sso = True
    return user


async def _belongs_elsewhere(session: Session, provider: SamlProvider, user: User) -> bool:
    others = select(func.count()).where(
        Member.user_id == user.id, Member.organization_id != provider.organization_id
    )
    number: int = (await session.execute(others)).scalar_one()
    return number > 0


async def _new_account(ctx: Context, identity: Identity) -> User:
    if not is_address(identity.email):
        raise Forbidden(f"{identity.email!r} can be the address of no account; {WANTED}")
    user = User(email=identity.email, display_name=identity.display_name, created_at=ctx.now())
    ctx.session.add(user)
    await ctx.session.flush()
    return user


async def _welcome(ctx: Context, provider: SamlProvider, identity: Identity) -> User:
    """A new account, in the organization and in the team of those who are new."""
    user = await _new_account(ctx, identity)
    member = new_member(ctx, provider.organization_id, user, provider.default_role, sso=True)
    ctx.session.add(member)
    await ctx.session.flush()
    if provider.default_team_id is not None:
        team = await ctx.session.get_one(Team, provider.default_team_id)
        ctx.session.add(team_member(team, member))
        await ctx.session.flush()
    return user


async def arrive_at_server(ctx: Context, identity: Identity) -> User:
    """The account of a person whom a provider of the server has signed on, whose address it has
    verified; who was invited gets one. Forbidden for every other address."""
    user = await find_user(ctx.session, identity.email)
    if user is None:
        user = await _welcome_invited(ctx, identity)
    await own_address(ctx, user)
    return user


async def _welcome_invited(ctx: Context, identity: Identity) -> User:
    """A new account, in the organizations that have invited its address."""
    open_ones = (
        select(Invitation.organization_id)
        .where(Invitation.email == identity.email, Invitation.accepted_at.is_(None))
        .distinct()
        .order_by(Invitation.organization_id)
        .limit(_MOST_AT_ONCE)
    )
    organizations = (await ctx.session.execute(open_ones)).scalars().all()
    user = await _new_account(ctx, identity)
    accepted = [await accept_invitation_of_address(ctx, id, user) for id in organizations]
    if not any(accepted):
        raise Forbidden(
            f"{identity.email} has no account here: ask an administrator of your organization to "
            "invite you"
        )
    return user
