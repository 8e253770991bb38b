"""Site spaces: the spaces that a site or a section of it shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import strawberry
from sqlalchemy import Select, select
from strawberry import Maybe

from db.models.site_settings import SiteSpaceCustomization
from db.models.sites import Site, SiteSection, SiteSpace
from db.models.spaces import Space
from resolvers.access.policy import visible
from resolvers.addresses.defaults import defaults_of_levels, served_defaults
from resolvers.core import inputs
from resolvers.core.arguments import InOrganization, InSite, SiteId, SiteSpaceId
from resolvers.core.batch_functions import ALL, Projection
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.core.deletions import Deletion, finding_what_to_delete
from resolvers.core.errors import Conflict
from resolvers.core.filters import Filter
from resolvers.core.installation import Settings
from resolvers.core.pagination import Order, PageArguments, SortColumn
from resolvers.core.statements import Viewer, Written, rows_in, statement
from resolvers.drafts.page_fields import check_condition
from resolvers.lists.batches import reads
from resolvers.lists.listing_statements import PARENTS
from resolvers.lists.listings import Listing
from resolvers.sites.locks import find_part, locked_site, locked_with, space_for
from resolvers.sites.paths import check_path
from resolvers.sites.structure import SPACES_LIMIT
from resolvers.sites.writes import lock_spaces_shown_to_all, save


@strawberry.input(description="A space to place on a site.")
class AddSiteSpaceInput:
    space_id: strawberry.ID = inputs.text("Id of the space.", required=True)
    section_id: Maybe[strawberry.ID] = inputs.text(
        "Id of the section to place it in; when absent, the default section, or the root of a "
        "site without sections."
    )


@strawberry.input(description="Changes to a site space; absent fields stay as they are.")
class UpdateSiteSpaceInput:
    path: Maybe[str] = inputs.text(
        "Path on the site: one slug, unlike those of the other site spaces of its section.",
        min=1,
        max=100,
    )
    condition: Maybe[str | None] = inputs.text(
        "Expression that decides whether a visitor sees it; null removes it.", max=1024
    )
    space_id: Maybe[strawberry.ID] = inputs.text(
        "Id of the space to show instead; path and condition stay."
    )
    section: Maybe[strawberry.ID] = inputs.text(
        "Id of the section to move it to the end of; path, condition and settings stay."
    )


@operation(one_statement=True)
async def get_site_space(
    ctx: Context,
    id: SiteSpaceId,
    site_id: InSite = None,
    organization_id: InOrganization = None,
    *,
    projection: Projection = ALL,
) -> SiteSpace:
    """A space placed on a site; it is there for those who may read the space."""
    return await find_part(ctx, SiteSpace, id, site_id, organization_id, projection=projection)


async def add_site_space(
    ctx: Context,
    site_id: SiteId,
    input: AddSiteSpaceInput,
    organization_id: InOrganization = None,
) -> SiteSpace:
    """Place a space at the end of a section, or of a site without sections.

    Needs `create` in the organization and on the space.
    """
    structure = await locked_site(ctx, site_id, organization_id)
    section = structure.default_section
    if input.section_id is not None:
        section = structure.find(SiteSection, input.section_id.value, "sectionId")
    space = await space_for(ctx, structure, input.space_id)
    added = structure.add_space(space, section)
    await save(ctx, structure)
    await lock_spaces_shown_to_all(ctx, structure.site)
    return added


async def update_site_space(
    ctx: Context,
    id: SiteSpaceId,
    input: UpdateSiteSpaceInput,
    site_id: InSite = None,
    organization_id: InOrganization = None,
) -> SiteSpace:
    """Change path, condition, space or section; needs the organization role `create`.

    The path that it had leads to the new one.
    """
    structure, row = await locked_with(ctx, SiteSpace, id, site_id, organization_id)
    if input.condition is not None and input.condition.value:
        check_condition(input.condition.value, "condition")
    section = row.section_id
    if input.section is not None:
        section = structure.find(SiteSection, input.section.value, "section").id
    path = row.path if input.path is None else input.path.value
    if (section, path) != (row.section_id, row.path):
        others = [
            site_space for site_space in structure.spaces_of(section) if site_space is not row
        ]
        check_path(path, others, "site space there")
        structure.put_space(row, section, path)
    if input.space_id is not None and input.space_id.value != row.space_id:
        space = await space_for(ctx, structure, input.space_id.value)
        if any(site_space.space_id == space.id for site_space in structure.spaces):
            raise Conflict(f"spaceId: {space.id!r} is already on this site")
        row.space_id = space.id
    if input.condition is not None:
        # An empty condition is none.
        row.condition = input.condition.value or None
    await save(ctx, structure)
    await lock_spaces_shown_to_all(ctx, structure.site)
    return row


async def delete_site_space(
    ctx: Context,
    id: SiteSpaceId,
    site_id: InSite = None,
    organization_id: InOrganization = None,
) -> Deletion:
    """Take a space off a site; the space stays.

    When it was the default, the next one takes over, else the one before it.
    """
    with finding_what_to_delete():
        structure, row = await locked_with(ctx, SiteSpace, id, site_id, organization_id)
    structure.remove([row])
    await save(ctx, structure)
    return Deletion(deleted_id=row.id, site_id=row.site_id, space_id=row.space_id, audited=row)


def in_order(model: Any) -> Order:
    """The order in which what stands on a site is shown."""
    return Order(
        (
            SortColumn(model.place, lambda row: row.place),
            SortColumn(model.id, lambda row: row.id),
        )
    )


@dataclass(frozen=True)
class SiteSpaceArguments(PageArguments):
    """Filter of a list of site spaces."""

    default: Annotated[
        bool | None,
        inputs.argument(
            "Only what the site serves at its root, or only the others; all when absent."
        ),
    ] = None


def _default() -> Select[Any]:
    return select(served_defaults(PARENTS).subquery().c.id)


site_spaces_of_sites = Listing(
    "site_spaces_of_sites",
    SiteSpace,
    SiteSpace.site_id,
    in_order(SiteSpace),
    about="Spaces of sites that you may read, in their order; those in the bin are left out.",
    filters=(
        Filter(
            "default", lambda arguments: arguments.default or None, SiteSpace.id.in_(_default())
        ),
        Filter(
            "others",
            lambda arguments: True if arguments.default is False else None,
            SiteSpace.id.not_in(_default()),
        ),
    ),
    by_itself=True,
)


site_spaces_of_sections = Listing(
    "site_spaces_of_sections",
    SiteSpace,
    SiteSpace.section_id,
    in_order(SiteSpace),
    about="Spaces of sections that you may read, in their order; those in the bin are left out.",
)


class WholeSection(PageArguments):
    """All site spaces of a section: as many as a site may hold."""

    def size(self, settings: Settings) -> int:
        return SPACES_LIMIT


@statement
def _visible_defaults(viewer: Viewer) -> Written:
    served = select(served_defaults("sites").subquery().c.id)
    return visible(viewer, SiteSpace).where(SiteSpace.id.in_(served))


@reads("id")
async def default_site_spaces(
    ctx: Context, rows: Sequence[Site], arguments: Any, projection: Projection = ALL
) -> list[SiteSpace | None]:
    """What each site serves at its root; None on an empty site, or when you may not read it."""
    selected = projection.columns_with("site_id")
    served = await _visible_defaults.rows(ctx, columns=selected, sites={row.id for row in rows})
    by_site = {site_space.site_id: site_space for site_space in served}
    return [by_site.get(row.id) for row in rows]


@reads("id", "site_id")
async def are_defaults(ctx: Context, rows: Sequence[SiteSpace], arguments: Any) -> list[bool]:
    """Whether each site space is what its section, or the root of a flat site, serves."""
    served = await defaults_of_levels.once(ctx, list, sites=sorted({row.site_id for row in rows}))
    ids = {site_space.id for site_space in served}
    return [row.id in ids for row in rows]


_titles = rows_in(Space.id, "ids", Space.id, Space.title)


@reads("space_id")
async def site_space_titles(ctx: Context, rows: Sequence[SiteSpace], arguments: Any) -> list[str]:
    """The titles of the spaces; a site space has none of its own."""
    titles = dict(await _titles.rows(ctx, ids={row.space_id for row in rows}))
    return [titles[row.space_id] for row in rows]


_customized = rows_in(
    SiteSpaceCustomization.site_space_id, "site_spaces", SiteSpaceCustomization.site_space_id
)


@reads("id")
async def have_own_settings(ctx: Context, rows: Sequence[SiteSpace], arguments: Any) -> list[bool]:
    """Whether site spaces have settings of their own; others follow those of their site."""
    customized = await _customized.rows(ctx, site_spaces={row.id for row in rows})
    ids = {row.site_space_id for row in customized}
    return [row.id in ids for row in rows]
