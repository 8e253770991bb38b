"""Moving a space among those of its site (sites.md section 2, "Sorting and moving")."""

from collections.abc import Sequence
from typing import Any

import strawberry
from strawberry import Maybe

from db.models.sites import Site, SiteSpace
from resolvers import inputs
from resolvers.arguments import InOrganization, InSite, SiteSpaceId
from resolvers.context import Context
from resolvers.errors import BadRequest
from resolvers.policy import visible
from resolvers.site_spaces import locked
from resolvers.site_structure import number


@strawberry.input(description="Names a site space.")
class SiteSpacePointer:
    type: str = inputs.text(
        "Always `site-space`.", pattern="site-space", allowed="'site-space'", required=True
    )
    site_space: strawberry.ID = inputs.text("Id of the site space.", required=True)


@strawberry.input(description="A place among the spaces of a site.")
class SiteSpacePosition:
    before: Maybe[SiteSpacePointer] = inputs.field("Directly before this one.")
    after: Maybe[SiteSpacePointer] = inputs.field("Directly after this one.")


@strawberry.input(description="Where to move a site space.")
class MoveSiteSpaceInput:
    position: Maybe[SiteSpacePosition] = inputs.field("The new place; the end when absent.")


async def move_site_space(
    ctx: Context,
    id: SiteSpaceId,
    input: MoveSiteSpaceInput,
    site_id: InSite = None,
    organization_id: InOrganization = None,
) -> SiteSpace:
    """Move a space among those of its site; needs the organization role `create`."""
    site, siblings, row = await locked(ctx, id, site_id, organization_id)
    position = None if input.position is None else input.position.value
    before = _pointed(position and position.before)
    after = _pointed(position and position.after)
    order = [sibling for sibling in siblings if sibling is not row]
    if before is None and after is None:
        order.append(row)
    else:
        seen = await _visible_ids(ctx, site)
        listed = [sibling.id for sibling in order if sibling.id in seen]
        ids = [sibling.id for sibling in order]
        if after is not None:
            index = _index(listed, after, "after", row)
            if before is not None and listed[index + 1 : index + 2] != [before]:
                _index(listed, before, "before", row)
                raise BadRequest("position: `after` and `before` do not stand side by side")
            order.insert(ids.index(after) + 1, row)
        elif before is not None:
            _index(listed, before, "before", row)
            order.insert(ids.index(before), row)
    number(order)
    return row


def _pointed(pointer: Any) -> str | None:
    return None if pointer is None else str(pointer.value.site_space)


def _index(listed: Sequence[str], id: str, name: str, row: SiteSpace) -> int:
    """The place of a pointer's site space; BadRequest when it cannot be a neighbour."""
    if id == row.id:
        raise BadRequest(f"position.{name}: a site space cannot be moved next to itself")
    if id not in listed:
        raise BadRequest(f"position.{name}: {id!r} is not a site space of this site")
    return listed.index(id)


async def _visible_ids(ctx: Context, site: Site) -> set[str]:
    """Ids of the site's spaces that the caller sees: the order is judged as they see it."""
    statement = visible(ctx, SiteSpace).with_only_columns(SiteSpace.id)
    found = await ctx.session.execute(statement.where(SiteSpace.site_id == site.id))
    return set(found.scalars())
