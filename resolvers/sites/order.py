"""Sorting the structure of a site (docs/sites.md, "Order").

A neighbour is named by a pointer. The sort takes all kinds, and can bring an item to another level
in the same write; the moves of one kind came before it, have pointers of their own, and change
nothing but the order of one level.
"""

from collections.abc import Callable
from typing import Any

import strawberry
from strawberry import Maybe

from db.models.sites import SiteSection, SiteSectionGroup, SiteSpace
from resolvers.core import inputs
from resolvers.core.arguments import (
    InOrganization,
    InSite,
    SiteId,
    SiteSectionGroupId,
    SiteSectionId,
    SiteSpaceId,
)
from resolvers.core.context import Context
from resolvers.core.errors import BadRequest, NotFound
from resolvers.sites.locks import locked_site, locked_with
from resolvers.sites.structure import WORDS, Item, Structure, number
from resolvers.sites.writes import save, seen_spaces

SPACE, SECTION, GROUP = "site-space", "site-section", "site-section-group"
KINDS: dict[str, type[Item]] = {SPACE: SiteSpace, SECTION: SiteSection, GROUP: SiteSectionGroup}
BEFORE, AFTER = "Directly before this one.", "Directly after this one."
PLACE = "The new place; the end when absent."


def _type(*types: str) -> Any:
    """The field of a pointer that says what it points to."""
    listed = ", ".join(f"`{type_}`" for type_ in types)
    pattern, allowed = "|".join(types), " or ".join(map(repr, types))
    about = f"One of {listed}." if len(types) > 1 else f"Always {listed}."
    return inputs.text(about, pattern=pattern, allowed=allowed, required=True)


@strawberry.input(description="Names a site space.")
class SiteSpacePointer:
    type: str = _type(SPACE)
    site_space: strawberry.ID = inputs.text("Id of the site space.", required=True)


@strawberry.input(description="Names a section.")
class SiteSectionPointer:
    type: str = _type(SECTION)
    site_section: strawberry.ID = inputs.text("Id of the section.", required=True)


@strawberry.input(description="Names a section or a section group.")
class SiteSectionGroupPointer:
    type: str = _type(SECTION, GROUP)
    id: strawberry.ID = inputs.text("Its id.", required=True)


@strawberry.input(description="Names something that stands on a site.")
class SiteStructureItemPointer:
    type: str = _type(SPACE, SECTION, GROUP)
    id: strawberry.ID = inputs.text("Its id.", required=True)


@strawberry.input(description="A place among the site spaces of one section, or of the root.")
class SiteSpacePosition:
    before: Maybe[SiteSpacePointer] = inputs.field(BEFORE)
    after: Maybe[SiteSpacePointer] = inputs.field(AFTER)


@strawberry.input(description="A place among the sections of one level.")
class SiteSectionPosition:
    before: Maybe[SiteSectionPointer] = inputs.field(BEFORE)
    after: Maybe[SiteSectionPointer] = inputs.field(AFTER)


@strawberry.input(description="A place among the sections and groups of one level.")
class SiteSectionGroupPosition:
    before: Maybe[SiteSectionGroupPointer] = inputs.field(BEFORE)
    after: Maybe[SiteSectionGroupPointer] = inputs.field(AFTER)


@strawberry.input(description="A place on one level of a site.")
class SiteStructureItemPosition:
    before: Maybe[SiteStructureItemPointer] = inputs.field(BEFORE)
    after: Maybe[SiteStructureItemPointer] = inputs.field(AFTER)


@strawberry.input(description="Where to move a site space.")
class MoveSiteSpaceInput:
    position: Maybe[SiteSpacePosition] = inputs.field(PLACE)


@strawberry.input(description="Where to move a section.")
class MoveSiteSectionInput:
    position: Maybe[SiteSectionPosition] = inputs.field(PLACE)


@strawberry.input(description="Where to move a section group.")
class MoveSiteSectionGroupInput:
    position: Maybe[SiteSectionGroupPosition] = inputs.field(PLACE)


@strawberry.input(description="Names a section or a section group, in which something stands.")
class SiteStructureParentPointer:
    type: str = _type(SECTION, GROUP)
    id: strawberry.ID = inputs.text("Its id.", required=True)


@strawberry.input(description="What to move, and where to.")
class SortSiteStructureInput:
    item: SiteStructureItemPointer = inputs.field("What to move.", required=True)
    parent: Maybe[SiteStructureParentPointer | None] = inputs.field(
        "What to move it into: a section for a site space, a group for a section or a group; null "
        "is the top of the site. When absent, it stays on its level."
    )
    position: Maybe[SiteStructureItemPosition] = inputs.field(
        "Between which items of its level; the end of the level when absent or empty."
    )


async def sort_site_structure(
    ctx: Context,
    id: SiteId,
    input: SortSiteStructureInput,
    organization_id: InOrganization = None,
) -> Any:
    """Move a site space, a section or a group among those of its level, or with `parent` to another
    one; the moved item. Needs the organization role `create`.

    The path that a site space had leads to the new one. BadRequest for a place where it cannot
    stand, Conflict where another site space has its path.
    """
    structure = await locked_site(ctx, id, organization_id)
    row = structure.find(KINDS[input.item.type], input.item.id, "item.id")
    if isinstance(row, SiteSpace) and row.id not in await seen_spaces(ctx, structure.site):
        raise NotFound(f"item.id: site space {row.id!r} does not exist on this site")
    if input.parent is not None and input.parent.value is None:
        structure.put(row, None, None)
    elif input.parent is not None and input.parent.value is not None:
        parent = input.parent.value
        structure.put(row, KINDS[parent.type], parent.id)
    await _move(ctx, structure, row, input.position and input.position.value)
    return row


async def move_site_space(
    ctx: Context,
    id: SiteSpaceId,
    input: MoveSiteSpaceInput,
    site_id: InSite = None,
    organization_id: InOrganization = None,
) -> SiteSpace:
    """Move a space among those of its section, or of its site.

    Needs the organization role `create`.
    """
    structure, row = await locked_with(ctx, SiteSpace, id, site_id, organization_id)
    await _move(ctx, structure, row, input.position and input.position.value)
    return row


async def move_site_section(
    ctx: Context,
    id: SiteSectionId,
    input: MoveSiteSectionInput,
    site_id: InSite = None,
    organization_id: InOrganization = None,
) -> SiteSection:
    """Move a section among those of its level; needs the organization role `create`."""
    structure, row = await locked_with(ctx, SiteSection, id, site_id, organization_id)
    await _move(ctx, structure, row, input.position and input.position.value)
    return row


async def move_site_section_group(
    ctx: Context,
    id: SiteSectionGroupId,
    input: MoveSiteSectionGroupInput,
    site_id: InSite = None,
    organization_id: InOrganization = None,
) -> SiteSectionGroup:
    """Move a group among the sections and groups of its level.

    Needs the organization role `create`.
    """
    structure, row = await locked_with(ctx, SiteSectionGroup, id, site_id, organization_id)
    await _move(ctx, structure, row, input.position and input.position.value)
    return row


async def _move(ctx: Context, structure: Structure, row: Item, position: Any) -> None:
    """Move an item to a position; what the caller does not see does not come between."""
    order = [item for item in structure.siblings(row) if item is not row]
    listed = order
    if isinstance(row, SiteSpace):
        visible = await seen_spaces(ctx, structure.site)
        listed = [item for item in order if item.id in visible]
    after = _neighbour(position and position.after, "after", row, listed)
    before = _neighbour(position and position.before, "before", row, listed)
    if after is not None:
        index = listed.index(after)
        if before is not None and listed[index + 1 : index + 2] != [before]:
            raise BadRequest("position: `after` and `before` do not stand side by side")
        order.insert(order.index(after) + 1, row)
    elif before is not None:
        order.insert(order.index(before), row)
    else:
        order.append(row)
    number(order)
    await save(ctx, structure)


def _neighbour(pointer: Any, name: str, row: Item, listed: list[Item]) -> Item | None:
    """The sibling that a pointer names; BadRequest when there is none."""
    if pointer is None:
        return None
    named, kind = pointer.value, KINDS[pointer.value.type]
    id = str(_ID_OF.get(type(named), lambda pointed: pointed.id)(named))
    if id == row.id:
        raise BadRequest(f"position.{name}: a {WORDS[kind]} cannot be moved next to itself")
    for item in listed:
        if isinstance(item, kind) and item.id == id:
            return item
    raise BadRequest(f"position.{name}: {id!r} is not a {WORDS[kind]} of the same level")


_ID_OF: dict[type[Any], Callable[[Any], Any]] = {
    SiteSpacePointer: lambda pointer: pointer.site_space,
    SiteSectionPointer: lambda pointer: pointer.site_section,
}
