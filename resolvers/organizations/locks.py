"""The lock under which is decided about the people of an organization: that of its row.

Whoever holds it locks members and teams after it.
"""

from db.enums import Role
from db.models.organizations import Organization
from resolvers.access.policy import must
from resolvers.core.context import Context


async def locked_organization(ctx: Context, id: str, role: Role | None = None) -> Organization:
    """A locked organization in which the caller has `role`, also after waiting for the lock."""
    await must(ctx, Organization, id, role, lock=True)
    # Whoever held the lock may have taken the role away.
    return await must(ctx, Organization, id, role)
