"""Where the groups of a site's sections stand."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import bindparam, select

from db.models.sites import SiteSectionGroup
from db.prepared import KEY
from resolvers.context import Context
from resolvers.statements import Asks, Written, statement


@statement
def _groups(asks: Asks) -> Written:
    return select(SiteSectionGroup.id, SiteSectionGroup.parent_id, SiteSectionGroup.position).where(
        SiteSectionGroup.site_id == bindparam("site_id", type_=KEY)
    )


async def group_positions(
    ctx: Context, site_id: str, sections: Sequence[Any]
) -> Mapping[str, tuple[int, ...]]:
    """For each group the positions that lead to it; none are read where no section is in one."""
    if all(section.group_id is None for section in sections):
        return {}
    groups = {row.id: row for row in await _groups.rows(ctx, site_id=site_id)}
    found: dict[str, tuple[int, ...]] = {}
    for id, row in groups.items():
        outer = groups.get(row.parent_id)
        found[id] = (row.position,) if outer is None else (outer.position, row.position)
    return found
