"""How people join organizations: by an invitation, or by the domain of their address.

What an invitation gives, whoever made it must still be able to give when it is accepted
(docs/decisions/0068-invitations.md). All is decided under the lock of the organization.
"""

from dataclasses import dataclass, replace
from typing import Annotated, Any

import strawberry
from sqlalchemy import String, bindparam, cast, func, literal, select
from sqlalchemy.orm import aliased

from db.enums import InvitationState, Role
from db.models.invitations import Invitation
from db.models.organizations import Member, Organization, User
from db.models.spaces import AccessGrant, Collection, Space
from db.prepared import KEY
from resolvers.access import tokens
from resolvers.access.accounts import own_address
from resolvers.access.closed_organizations import close_to_joined
from resolvers.access.policy import must, must_be_person, must_not_be_service, ranks
from resolvers.core import inputs
from resolvers.core.actors import Actor
from resolvers.core.arguments import OfOrganization, OrganizationId
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.email_addresses import folded
from resolvers.core.errors import BadRequest, Conflict, Forbidden, NotFound, PreconditionFailed
from resolvers.core.policy_asked import policy_was_asked
from resolvers.core.statements import Viewer, Written, statement
from resolvers.organizations.invitation_states import is_inside, state_of, target_of
from resolvers.organizations.invitation_writes import new_member

Secret = Annotated[strawberry.ID, inputs.argument("The secret in the address of the invitation.")]
NAME_LENGTH = 64
# Invitations of one address that are accepted at once.
MOST_OF_ADDRESS = 100
# Organizations of one domain that are listed.
MOST_LISTED = 100
ABSENT = "the invitation does not exist, or was withdrawn"
_REASONS = {
    InvitationState.USED: "the invitation was accepted already",
    InvitationState.EXPIRED: "the invitation has expired; ask for another one",
    InvitationState.REVOKED: "the invitation does not hold any more; ask for another one",
}


@dataclass(frozen=True, slots=True)
class ReadInvitation:
    """An invitation as whoever has its link sees it."""

    organization: str
    # The space or the collection that it is about.
    target: str | None
    inviter: str | None
    role: Role | None
    # None for a link, which is for everybody who has it.
    email: str | None
    # Whether an account with that address is there, to sign in with.
    has_account: bool
    state: InvitationState


@statement
def _shown(viewer: Viewer) -> Written:
    """An invitation by its secret, with what its page says of it."""
    account = select(User.id).where(func.lower(User.email) == Invitation.email)
    inviter = aliased(User)
    return (
        select(
            Invitation,
            Organization.title.label("organization"),
            func.coalesce(Space.title, Collection.title).label("target"),
            inviter.display_name.label("inviter"),
            account.exists().label("has_account"),
        )
        .join(Organization, Organization.id == Invitation.organization_id)
        .outerjoin(Space, Space.id == Invitation.space_id)
        .outerjoin(Collection, Collection.id == Invitation.collection_id)
        .outerjoin(inviter, inviter.id == Invitation.inviter_id)
        .where(Invitation.digest == bindparam("digest", type_=KEY))
    )


@operation(open_to_all=True)
async def read_invitation(ctx: Context, secret: str) -> ReadInvitation:
    """What an invitation is about, for whoever has its secret; NotFound for any other."""
    policy_was_asked()
    return await shown_invitation(ctx, digest_of_secret(secret))


async def shown_invitation(ctx: Context, digest: str) -> ReadInvitation:
    """What the invitation with this hash of its secret is about."""
    rows = await _shown.rows(ctx, digest=digest)
    if not rows:
        raise NotFound(ABSENT)
    (row,) = rows
    return ReadInvitation(
        row.organization,
        row.target,
        row.inviter,
        row.role,
        row.email,
        bool(row.has_account),
        await state_of(ctx, row),
    )


@operation(open_to_all=True)
async def create_invited_account(ctx: Context, secret: str, display_name: str) -> User:
    """The account of somebody who was invited by mail and has none; they are a member then.

    Its address counts as verified where the link came by mail alone. Conflict where the address
    has an account: its owner signs in and accepts.
    """
    row, organization = await locked_invitation(ctx, await invitation_by_secret(ctx, secret))
    if row.email is None:
        raise PreconditionFailed("a link is for people with an account: sign in first")
    return await make_account(ctx, row, organization, row.email, display_name)


async def make_account(
    ctx: Context, row: Invitation, organization: Organization, email: str, display_name: str
) -> User:
    """A new account, not verified yet, that has accepted a locked invitation.

    BadRequest for a name that is none; Conflict where the address has an account.
    """
    name = display_name.strip()
    inputs.check({"display_name": name})
    if not 1 <= len(name) <= NAME_LENGTH:
        raise BadRequest.at("displayName", f"1 to {NAME_LENGTH} characters are allowed")
    await must_be_open(ctx, row)
    if await tokens.find_user(ctx.session, email) is not None:
        raise Conflict("this address has an account: sign in to accept the invitation")
    user = User(email=email, display_name=name, created_at=ctx.now())
    ctx.session.add(user)
    await ctx.session.flush()
    await _join(ctx, row, organization, user)
    await _verify_mailed(ctx, row, user)
    return user


async def accept_invitation(
    ctx: Context, secret: Secret, organization_id: OfOrganization = None
) -> Member:
    """Join by an invitation, of which you have the address; what you have already you keep.

    NotFound for a secret that is none; 412 where the invitation was used by somebody else, has
    expired, or was given by somebody who may not give it any more. Forbidden for who has signed on
    through a provider of another organization, which is not trusted. To accept again changes
    nothing.
    """
    must_be_person(ctx)
    must_not_be_service(ctx)
    user: User = await _row(ctx, User, ctx.user_id)
    row, organization = await locked_invitation(
        ctx, await invitation_by_secret(ctx, secret, organization_id)
    )
    if row.accepted_by_id == user.id:
        member = await ctx.session.get(Member, (organization.id, user.id))
        if member is not None:
            return member
    await must_be_open(ctx, row)
    member = await _join(ctx, row, organization, user)
    await _verify_mailed(ctx, row, user)
    await close_to_joined(ctx, organization.id)
    return member


async def accept_invitation_of_address(ctx: Context, organization_id: str, user: User) -> bool:
    """Accept all open invitations by mail of an address; whether there was one. Used by sign-on,
    where a provider says that the address is theirs. It does not verify it: whoever runs the
    provider of an organization could have invited anybody, and then said that this is them.
    """
    policy_was_asked()
    statement = (
        select(Invitation)
        .where(
            Invitation.organization_id == organization_id,
            Invitation.email == folded(user.email),
            Invitation.accepted_at.is_(None),
        )
        .order_by(Invitation.id)
        .limit(MOST_OF_ADDRESS)
    )
    accepted = False
    for invitation in (await ctx.session.execute(statement)).scalars().all():
        row, organization = await locked_invitation(ctx, invitation)
        if await state_of(ctx, row) is InvitationState.OPEN:
            await _join(ctx, row, organization, user)
            accepted = True
    return accepted


# ------------------------------------------------------------------ the rules


def digest_of_secret(secret: str, absent: str = ABSENT) -> str:
    """The hash by which an invitation or a link is found; NotFound for what can be no secret."""
    if not tokens.looks_like_secret(secret):
        raise NotFound(absent)
    return tokens.digest(secret)


async def invitation_by_secret(
    ctx: Context, secret: str, organization_id: str | None = None
) -> Invitation:
    """The invitation with this secret, which is what lets the caller see it."""
    policy_was_asked()
    statement = select(Invitation).where(Invitation.digest == digest_of_secret(secret))
    if organization_id is not None:
        statement = statement.where(Invitation.organization_id == organization_id)
    row: Invitation | None = (await ctx.session.execute(statement)).scalars().first()
    if row is None:
        raise NotFound(ABSENT)
    return row


async def locked_invitation(ctx: Context, row: Invitation) -> tuple[Invitation, Organization]:
    """The invitation and its organization, locked in this order: organization first."""
    organization = await _row(ctx, Organization, row.organization_id, lock=True)
    return await _row(ctx, Invitation, row.id, lock=True), organization


async def _row(ctx: Context, model: Any, id: str, *, lock: bool = False) -> Any:
    statement = select(model).where(model.id == id).execution_options(populate_existing=True)
    if lock:
        statement = statement.with_for_update(key_share=True)
    row = (await ctx.session.execute(statement)).scalars().first()
    if row is None:
        raise NotFound(ABSENT)
    return row


async def must_be_open(ctx: Context, row: Invitation) -> None:
    state = await state_of(ctx, row)
    if state is not InvitationState.OPEN:
        raise PreconditionFailed(_REASONS[state])


async def _rank(ctx: Context, user_id: str, model: Any, id: str) -> int:
    """The rank of somebody on an object, -1 where they do not see it."""
    somebody = replace(ctx, actor=Actor(user_id))
    return (await ranks(somebody, model, {id})).get(id, -1)


async def _join(ctx: Context, row: Invitation, organization: Organization, user: User) -> Member:
    """Give what an invitation says, unless the person has more; Forbidden for a disabled member."""
    inside = is_inside(row)
    role = None if inside else row.role
    member = await _member(ctx, organization, user, role, sso=row.sso)
    if role is not None and (member.role is None or member.role.rank < role.rank):
        member.role = role
    if inside:
        await _grant(ctx, row, user)
    if row.email is not None:
        row.accepted_at, row.accepted_by_id = ctx.now(), user.id
    await ctx.session.flush()
    return member


async def _verify_mailed(ctx: Context, row: Invitation, user: User) -> None:
    """Who has the link of an invitation that came by mail alone reads the mail of its address."""
    if row.mailed and folded(user.email) == row.email:
        await own_address(ctx, user)


async def _member(
    ctx: Context, organization: Organization, user: User, role: Role | None, *, sso: bool = False
) -> Member:
    """The membership of a person, which begins with this role where there is none; Forbidden for a
    disabled member."""
    member = await ctx.session.get(Member, (organization.id, user.id), populate_existing=True)
    if member is None:
        # Nobody renames the person before the membership, which has a key of the name, is there.
        await ctx.session.refresh(user, with_for_update=True)
        member = new_member(ctx, organization.id, user, role, sso=sso)
        ctx.session.add(member)
        await ctx.session.flush()
    elif member.disabled:
        raise Forbidden("you are disabled in the organization; an administrator can change that")
    return member


async def _grant(ctx: Context, row: Invitation, user: User) -> None:
    """Grant the role on the object; who has it in another way already keeps that way."""
    assert row.role is not None
    model, id = target_of(row)
    if await _rank(ctx, user.id, model, id) >= row.role.rank:
        return
    on_object = AccessGrant.space_id == id if model is Space else AccessGrant.collection_id == id
    statement = select(AccessGrant).where(on_object, AccessGrant.user_id == user.id)
    grant: AccessGrant | None = (await ctx.session.execute(statement)).scalars().first()
    if grant is None:
        grant = AccessGrant(
            space_id=row.space_id, collection_id=row.collection_id, user_id=user.id,
            created_at=ctx.now(),
        )  # fmt: skip
        ctx.session.add(grant)
    elif grant.role is None:
        raise Forbidden("somebody has taken all access to it from you; ask them")
    grant.role = row.role


# ------------------------------------------------------------------ by the domain of an address


def domain_of(email: str) -> str:
    """The host of an address."""
    return folded(email).rpartition("@")[2]


def _lists(domain: Any) -> Any:
    """The condition that an organization lists a domain: the list is JSON, read as text."""
    listed = func.lower(cast(Organization.email_domains, String()))
    return listed.contains(literal('"') + domain + literal('"'))


async def join_organization(ctx: Context, organization_id: OrganizationId) -> Member:
    """Join an organization that lists the domain of your verified address, with its `defaultRole`.

    BadRequest where your address is not verified; NotFound where there is no such organization, or
    it does not list the domain. Who is a member already stays as they are.
    """
    must_be_person(ctx)
    must_not_be_service(ctx)
    user: User = await _row(ctx, User, ctx.user_id)
    if user.email_verified_at is None:
        raise BadRequest("your address is not verified; sign in by a link that is sent there")
    statement = (
        select(Organization)
        .where(Organization.id == organization_id, _lists(literal(domain_of(user.email))))
        .with_for_update(key_share=True)
    )
    organization: Organization | None = (await ctx.session.execute(statement)).scalars().first()
    if organization is None:
        raise NotFound("the organization does not exist, or is not open to your domain")
    member = await _member(ctx, organization, user, organization.default_role)
    await close_to_joined(ctx, organization.id)
    return member


@dataclass(frozen=True, slots=True)
class OrganizationsOfDomain:
    """The organizations that people with an address of a domain may join."""

    organizations: list[Organization]


EmailDomain = Annotated[str, inputs.argument("Host of your address, such as example.com.")]


@statement
def _organizations_of_domain(viewer: Viewer) -> Written:
    return (
        select(Organization)
        .where(_lists(bindparam("domain", type_=String())))
        .order_by(Organization.id)
        .limit(MOST_LISTED)
    )


async def get_organizations_for_email_domain(
    ctx: Context, email_domain: EmailDomain
) -> OrganizationsOfDomain:
    """The organizations that you may join by the domain of your verified address, oldest first, at
    most 100; none for the domain of somebody else.
    """
    must_be_person(ctx)
    must_not_be_service(ctx)
    user = await must(ctx, User, ctx.user_id)
    if user.email_verified_at is None or domain_of(user.email) != email_domain.lower():
        return OrganizationsOfDomain([])
    rows = await _organizations_of_domain.rows(ctx, domain=email_domain.lower())
    return OrganizationsOfDomain(rows)
