"""What the caller may do with a site."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from db.enums import Role
from db.models.sites import Site
from db.prepared import ACTOR_RANK
from resolvers.access.policy import ranks_of
from resolvers.core.context import Context
from resolvers.lists.batches import reads


@dataclass(frozen=True, slots=True)
class SiteRights:
    """The rights of the caller on one site."""

    view: bool
    view_settings: bool
    preview: bool
    view_insights: bool
    edit: bool
    publish: bool
    delete: bool
    manage_hostname: bool


@reads("id", ACTOR_RANK)
async def site_permissions(ctx: Context, rows: Sequence[Site], arguments: Any) -> list[SiteRights]:
    """What the caller may do with each site; whoever has a site sees it, guests without a role."""
    if ctx.actor.visitor is not None:
        return [_rights_of(0)] * len(rows)
    return [_rights_of(rank) for rank in await ranks_of(ctx, Site, rows)]


# There are few, and many rows have the same.
@cache
def _rights_of(rank: int) -> SiteRights:
    creator = rank >= Role.CREATE.rank
    return SiteRights(
        view=True,
        view_settings=rank >= Role.READ.rank,
        preview=rank >= Role.EDIT.rank,
        view_insights=creator,
        edit=creator,
        publish=creator,
        delete=creator,
        manage_hostname=rank >= Role.ADMIN.rank,
    )
