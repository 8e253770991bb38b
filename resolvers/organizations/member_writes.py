"""What is changed about members: their role and state, and that they leave (docs/people.md)."""

import strawberry
from sqlalchemy import ColumnElement, and_, delete, func, select
from strawberry import Maybe

from db.enums import Role
from db.models.organizations import Member, TeamMember
from db.models.reviews import RequestedReviewer
from db.models.spaces import Space
from resolvers.access.people import delete_grants
from resolvers.access.policy import must
from resolvers.core import inputs
from resolvers.core.arguments import OrganizationId, UserId
from resolvers.core.audit_notes import note_removals
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.deletions import Deletion, finding_what_to_delete
from resolvers.core.errors import PreconditionFailed
from resolvers.organizations.locks import locked_organization


@strawberry.input(description="Changes to a member; absent fields stay as they are.")
class UpdateMemberInput:
    role: Maybe[Role | None] = inputs.field("Role in the organization; null makes them a guest.")
    disabled: Maybe[bool] = inputs.field("Whether they have no access at all.")


async def update_member(
    ctx: Context, organization_id: OrganizationId, user_id: UserId, input: UpdateMemberInput
) -> Member:
    """Change the role or the state of a member; needs the organization's role `admin`.

    The last active administrator stays one.
    """
    member = await _locked_member(ctx, organization_id, user_id)
    role = inputs.given(input.role, member.role)
    disabled = inputs.given(input.disabled, member.disabled)
    if role is not Role.ADMIN or disabled:
        await _must_not_be_last_administrator(ctx, member)
    member.role, member.disabled = role, disabled
    return member


async def set_sso_member(ctx: Context, organization_id: OrganizationId, user_id: UserId) -> Member:
    """Let a member sign on through the organization's provider; needs its role `admin`."""
    member = await _locked_member(ctx, organization_id, user_id)
    member.sso = True
    return member


@operation(audited=False)
async def record_last_seen(ctx: Context, organization_id: OrganizationId) -> Member:
    """Note that you were seen in an organization now."""
    # A disabled member sees nobody, not even themselves.
    mine = _membership(organization_id, ctx.user_id)
    member = await must(ctx, Member, None, where=mine, lock=True)
    member.last_seen_at = ctx.now()
    return member


async def remove_member(ctx: Context, organization_id: OrganizationId, user_id: UserId) -> Deletion:
    """Take a person out of an organization; needs its role `admin`.

    What they have made stays and names them. What they were granted, their places in teams and
    requests for their reviews go; the last active administrator stays.
    """
    with finding_what_to_delete():
        member = await _locked_member(ctx, organization_id, user_id)
    await _must_not_be_last_administrator(ctx, member)
    await forget_member(ctx, member)
    return Deletion(deleted_id=user_id, organization_id=organization_id)


async def forget_member(ctx: Context, member: Member) -> None:
    """Take out a member of a locked organization, with grants, places in teams and requests."""
    organization_id, user_id = member.organization_id, member.user_id
    spaces = select(Space.id).where(Space.organization_id == organization_id)
    requested = delete(RequestedReviewer).where(
        RequestedReviewer.user_id == user_id, RequestedReviewer.space_id.in_(spaces)
    )
    await delete_grants(ctx.session, organization_id, user_id)
    await ctx.session.execute(requested.execution_options(synchronize_session=False))
    # Their places in teams go with it.
    places = and_(TeamMember.organization_id == organization_id, TeamMember.user_id == user_id)
    await note_removals(ctx.session, TeamMember, places)
    await ctx.session.delete(member)


def _membership(organization_id: str, user_id: str) -> ColumnElement[bool]:
    return and_(Member.organization_id == organization_id, Member.user_id == user_id)


async def _locked_member(ctx: Context, organization_id: str, user_id: str) -> Member:
    """A member, locked together with the organization, in which the caller has the role `admin`."""
    await locked_organization(ctx, organization_id, Role.ADMIN)
    return await must(ctx, Member, None, where=_membership(organization_id, user_id), lock=True)


async def _must_not_be_last_administrator(ctx: Context, member: Member) -> None:
    """PreconditionFailed where a member of a locked organization is its only administrator."""
    if member.disabled or member.role is not Role.ADMIN:
        return
    others = select(func.count()).where(
        Member.organization_id == member.organization_id,
        Member.user_id != member.user_id,
        Member.role == Role.ADMIN,
        Member.disabled.is_(False),
        # A program does not let people in again.
        Member.service.is_(False),
    )
    if (await ctx.session.execute(others)).scalar_one() == 0:
        raise PreconditionFailed(
            "the last active administrator cannot be demoted, disabled or removed: make somebody "
            "else an administrator first"
        )
