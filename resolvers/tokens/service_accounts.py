"""Service accounts: members of an organization that are no people (docs/tokens.md)."""

from collections.abc import Sequence
from typing import Any

import strawberry
from sqlalchemy import and_, select, update
from strawberry import Maybe

from db.enums import Role
from db.ids import new_id
from db.models.organizations import Member, ServiceAccount, Token, User
from db.prepared import among
from db.text_order import sort_key
from resolvers.access.policy import must_in, must_not_be_service, visible
from resolvers.core import inputs
from resolvers.core.arguments import OfOrganization, OrganizationId, ServiceAccountId
from resolvers.core.batch_functions import ALL, Projection
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.deletions import Deletion, finding_what_to_delete
from resolvers.core.email_addresses import SERVICE_DOMAIN
from resolvers.core.pagination import by_id
from resolvers.core.statements import Viewer, Written, statement
from resolvers.lists.batches import reads
from resolvers.lists.listings import Listing
from resolvers.organizations.locks import locked_organization, locked_part
from resolvers.organizations.member_writes import forget_member
from resolvers.tokens.operations import CreateTokenInput, NewToken, new_token

# Nobody has an address there (RFC 2606), so none is ever sent to or signs in.
ADDRESS = f"{{id}}{SERVICE_DOMAIN}"
NAME = inputs.Bounds(1, 64)


@strawberry.input(description="A new service account.")
class CreateServiceAccountInput:
    name: str = inputs.field("Its name, 1 to 64 characters.", bounds=NAME, required=True)
    role: Maybe[Role | None] = inputs.field(
        "Role in the organization; absent or null = only what it is granted."
    )


@strawberry.input(description="Changes to a service account; absent fields stay as they are.")
class UpdateServiceAccountInput:
    name: Maybe[str] = inputs.field("Its name, 1 to 64 characters.", bounds=NAME)
    role: Maybe[Role | None] = inputs.field(
        "Role in the organization; null = only what it is granted."
    )
    disabled: Maybe[bool] = inputs.field("Whether it has no access at all.")


_IS_MEMBER = and_(
    Member.organization_id == ServiceAccount.organization_id, Member.user_id == ServiceAccount.id
)


@operation(one_statement=True)
async def get_service_account(
    ctx: Context,
    id: ServiceAccountId,
    organization_id: OfOrganization = None,
    *,
    projection: Projection = ALL,
) -> ServiceAccount:
    """A service account of an organization; needs its role `admin`."""
    return await must_in(ctx, ServiceAccount, id, organization_id, projection=projection)


async def create_service_account(
    ctx: Context, organization_id: OrganizationId, input: CreateServiceAccountInput
) -> ServiceAccount:
    """Make a service account of an organization; needs its role `admin`.

    It stays when whoever made it leaves.
    """
    must_not_be_service(ctx)
    await locked_organization(ctx, organization_id, Role.ADMIN)
    id = new_id()
    user = User(id=id, email=ADDRESS.format(id=id), display_name=input.name)
    ctx.session.add(user)
    await ctx.session.flush()
    account = ServiceAccount(
        id=id,
        organization_id=organization_id,
        created_by_id=ctx.actor.user_id,
        created_at=ctx.now(),
    )
    role = inputs.given(input.role, None)
    ctx.session.add_all(
        [account, Member(organization_id=organization_id, user_id=id, role=role, service=True)]
    )
    await ctx.session.flush()
    return account


async def update_service_account(
    ctx: Context,
    id: ServiceAccountId,
    input: UpdateServiceAccountInput,
    organization_id: OfOrganization = None,
) -> ServiceAccount:
    """Change the name, role or state of a service account.

    Needs the role `admin` in its organization.
    """
    account = await _locked(ctx, id, organization_id)
    member = await _membership(ctx, account)
    if input.name is not None:
        user = (await ctx.session.execute(select(User).where(User.id == account.id))).scalar_one()
        user.display_name = input.name.value
        member.name_key = sort_key(input.name.value)
    inputs.assign(member, input, "role", "disabled")
    return account


async def delete_service_account(
    ctx: Context, id: ServiceAccountId, organization_id: OfOrganization = None
) -> Deletion:
    """Delete a service account: its tokens stop to work at once, and what it made names it.

    Needs the role `admin` in its organization.
    """
    with finding_what_to_delete():
        account = await _locked(ctx, id, organization_id)
    await ctx.session.execute(
        update(Token)
        .where(Token.user_id == account.id, Token.revoked_at.is_(None))
        .values(revoked_at=ctx.now())
    )
    await forget_member(ctx, await _membership(ctx, account))
    await ctx.session.delete(account)
    return Deletion(deleted_id=account.id, organization_id=account.organization_id)


async def create_service_token(
    ctx: Context,
    id: ServiceAccountId,
    input: CreateTokenInput,
    organization_id: OfOrganization = None,
) -> NewToken:
    """Make a token for a service account; its text is shown this once.

    Needs the role `admin` in the organization, and a token with every scope that the new one gets.
    """
    account = await _locked(ctx, id, organization_id)
    return await new_token(ctx, account.id, input, account.organization_id)


async def _locked(ctx: Context, id: str, organization_id: str | None) -> ServiceAccount:
    """A service account, locked together with its organization, for its administrators."""
    must_not_be_service(ctx)
    account, _ = await locked_part(ctx, ServiceAccount, id, organization_id, Role.ADMIN)
    return account


async def _membership(ctx: Context, account: ServiceAccount) -> Member:
    """The membership of a locked service account in its organization."""
    statement = select(Member).where(_IS_MEMBER, ServiceAccount.id == account.id).with_for_update()
    member: Member = (await ctx.session.execute(statement)).scalar_one()
    return member


# ------------------------------------------------------------------ fields

service_accounts_of_organizations = Listing(
    "service_accounts_of_organizations",
    ServiceAccount,
    ServiceAccount.organization_id,
    by_id(ServiceAccount),
    about="Service accounts of organizations, oldest first; only administrators see them.",
)


@statement
def _memberships(viewer: Viewer) -> Written:
    """Of service accounts that the caller sees, as the rows that are asked for are."""
    return (
        visible(viewer, ServiceAccount)
        .join(Member, _IS_MEMBER)
        .with_only_columns(ServiceAccount.id, Member.role, Member.disabled)
        .where(among(ServiceAccount.id, "ids"))
    )


def _by_id(rows: Sequence[Any]) -> dict[str, tuple[Role | None, bool]]:
    return {row.id: (row.role, row.disabled) for row in rows}


@reads("id")
async def roles(
    ctx: Context, rows: Sequence[ServiceAccount], arguments: object
) -> list[Role | None]:
    """The role of each service account in its organization; None where it has none."""
    ids = [row.id for row in rows]
    by_account = await _memberships.once(ctx, _by_id, ids=ids)
    return [by_account[id][0] if id in by_account else None for id in ids]


@reads("id")
async def disabled_ones(
    ctx: Context, rows: Sequence[ServiceAccount], arguments: object
) -> list[bool]:
    """Whether each service account has no access at all."""
    ids = [row.id for row in rows]
    by_account = await _memberships.once(ctx, _by_id, ids=ids)
    return [by_account[id][1] if id in by_account else True for id in ids]
