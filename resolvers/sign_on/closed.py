"""Organizations that a person has to sign on to before this session or token opens them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from db.enums import TokenScope
from db.models.organizations import Member, Organization, User
from db.prepared import among
from resolvers.core.context import Context
from resolvers.core.statements import Viewer, Written, statement
from resolvers.lists.batches import computed_from

# Organizations of one person that are shown.
MOST = 100


@dataclass(frozen=True, slots=True)
class OrganizationToSignOn:
    """An organization of the caller that is closed to them, and where they sign on to it."""

    organization_id: str
    title: str
    sign_in_url: str


@statement
def _closed(viewer: Viewer) -> Written:
    return (
        select(Organization.id, Organization.title)
        .join(Member, Member.organization_id == Organization.id)
        .where(
            among(Organization.id, "ids"),
            Member.user_id == viewer.actor.user_id,
            Member.disabled.is_(False),
        )
        .order_by(Organization.id)
        .limit(MOST)
    )


# For most people none is closed, and nothing is read.
@computed_from("id", scope=TokenScope.ORGANIZATION_READ)
async def organizations_to_sign_on(
    ctx: Context, rows: Sequence[User], arguments: Any
) -> list[list[OrganizationToSignOn]]:
    """Organizations of the caller that are closed to this session or token, oldest first, at most
    100; empty for other people."""
    closed = []
    if ctx.actor.closed and any(row.id == ctx.actor.user_id for row in rows):
        page = f"{ctx.settings.public_url}/sign-in?organization="
        closed = [
            OrganizationToSignOn(row.id, row.title, f"{page}{row.id}")
            for row in await _closed.rows(ctx, ids=ctx.actor.closed)
        ]
    return [closed if row.id == ctx.actor.user_id else [] for row in rows]
