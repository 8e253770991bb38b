"""The lock under which is decided about the people of an organization: that of its row.

Whoever holds it locks members and teams after it.
"""

from typing import TypeVar

from db.enums import Role
from db.models.invitations import Invitation
from db.models.organizations import Organization, ServiceAccount, Team
from db.models.sign_on import SamlProvider
from resolvers.access.policy import Rule, must, must_in
from resolvers.core.context import Context

Part = TypeVar("Part", Team, Invitation, ServiceAccount, SamlProvider)


async def locked_organization(
    ctx: Context, id: str, role: Role | None = None, rule: Rule | None = None
) -> Organization:
    """A locked organization in which the caller has `role`, also after waiting for the lock."""
    await must(ctx, Organization, id, role, lock=True, rule=rule)
    # Whoever held the lock may have taken the role away.
    return await must(ctx, Organization, id, role, rule=rule)


async def locked_part(
    ctx: Context, model: type[Part], id: str, organization_id: str | None, role: Role | None = None
) -> tuple[Part, Organization]:
    """What belongs to an organization, locked together with it; the caller needs `role` there.

    `organization_id` is that of the path, which it must be in.
    """
    part = await must_in(ctx, model, id, organization_id)
    organization = await locked_organization(ctx, part.organization_id, role)
    return await must(ctx, model, id, lock=True), organization
