"""The order of a site's spaces, their paths and the default (sites.md section 2).

Rules that hold after every write: positions are 0, 1, 2 ... without gaps, paths differ whatever
their capitals, and a site with site spaces has exactly one default. Writers lock the site first,
so two of them never number the same siblings at once.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Select, case, delete, func, select, update
from sqlalchemy.orm import aliased

from content.errors import SlugError
from content.slugs import (
    RESERVED_FIRST_SEGMENTS,
    check_slug,
    slug_from_title,
    slug_key,
    unique_slug,
)
from db.enums import EditMode, SiteVisibility
from db.models.sites import Site, SiteSpace
from db.models.spaces import Space
from db.prepared import among
from resolvers.context import Context
from resolvers.errors import Conflict, invalid

OPEN_TO_ALL = (SiteVisibility.PUBLIC, SiteVisibility.UNLISTED)
# First segments of a published site that are not paths of its spaces.
RESERVED = RESERVED_FIRST_SEGMENTS | {"v"}


async def siblings_of(ctx: Context, site: Site) -> list[SiteSpace]:
    """Every site space at the site's root in its order; the caller holds the site's lock."""
    statement = (
        select(SiteSpace)
        .where(SiteSpace.site_id == site.id, SiteSpace.section_id.is_(None))
        .order_by(SiteSpace.position, SiteSpace.id)
        # What was read before the lock may be older than what is stored now.
        .execution_options(populate_existing=True)
    )
    return list((await ctx.session.execute(statement)).scalars())


async def place(
    ctx: Context, site: Site, siblings: Sequence[SiteSpace], spaces: Iterable[Space]
) -> list[SiteSpace]:
    """Put spaces at the end of a site, each under a path made from its title."""
    taken = {slug_key(sibling.path) for sibling in siblings} | RESERVED
    order = list(siblings)
    added = []
    for space in spaces:
        path = unique_slug(slug_from_title(space.title), taken)
        taken.add(slug_key(path))
        added.append(SiteSpace(site_id=site.id, space_id=space.id, path=path))
    order += added
    number(order)
    ctx.session.add_all(added)
    await ctx.session.flush()
    if order and site.default_site_space_id not in {sibling.id for sibling in order}:
        site.default_site_space_id = order[0].id
    return added


def number(order: Sequence[SiteSpace]) -> None:
    """Give the site spaces their positions: 0, 1, 2 ..."""
    for position, sibling in enumerate(order):
        if sibling.position != position:
            sibling.position = position


def take_out(site: Site, siblings: Sequence[SiteSpace], gone: set[str]) -> None:
    """Number the siblings without those whose ids are in `gone`, and choose another default.

    When the default goes, its next sibling that stays takes over, else the previous one.
    """
    staying = [sibling for sibling in siblings if sibling.id not in gone]
    ids = [sibling.id for sibling in siblings]
    if site.default_site_space_id not in {sibling.id for sibling in staying}:
        place_of_default = (
            ids.index(site.default_site_space_id) if site.default_site_space_id in ids else 0
        )
        following = [one for one in siblings[place_of_default:] if one.id not in gone]
        chosen = following[0] if following else (staying[-1] if staying else None)
        site.default_site_space_id = None if chosen is None else chosen.id
    number(staying)


async def remove_spaces_from_sites(ctx: Context, space_ids: Iterable[str]) -> None:
    """Take spaces off every site before they are removed for good.

    For whoever deletes rows of spaces: their foreign key would leave gaps and lose defaults.
    """
    wanted = list(space_ids)
    on_sites = select(SiteSpace.site_id).where(SiteSpace.space_id.in_(wanted))
    statement = select(Site).where(Site.id.in_(on_sites)).order_by(Site.id).with_for_update()
    for site in (await ctx.session.execute(statement)).scalars().all():
        siblings = await siblings_of(ctx, site)
        gone = {sibling.id for sibling in siblings if sibling.space_id in wanted}
        take_out(site, siblings, gone)
        await ctx.session.flush()
        await ctx.session.execute(delete(SiteSpace).where(SiteSpace.id.in_(gone)))


def check_path(path: str, siblings: Sequence[SiteSpace], own: SiteSpace) -> None:
    """Raise Invalid for a path that is not one slug, Conflict for one that a sibling has."""
    try:
        check_slug(path)
    except SlugError as error:
        raise invalid("path", str(error).removeprefix("slug: ")) from error
    key = slug_key(path)
    if key in RESERVED:
        raise invalid("path", f"{path!r} is reserved; the reserved paths are {_listed(RESERVED)}")
    if any(slug_key(one.path) == key for one in siblings if one is not own):
        raise Conflict(f"path: {path!r} is taken by another space of the site")


def _listed(words: Iterable[str]) -> str:
    return ", ".join(sorted(words))


async def lock_spaces_shown_to_all(ctx: Context, site: Site) -> None:
    """Lock live editing of the spaces that a published site shows to everybody.

    Called whenever a site's spaces, visibility or state may have made a space public.
    """
    if not site.published or site.visibility not in OPEN_TO_ALL:
        return
    shown = select(SiteSpace.space_id).where(SiteSpace.site_id == site.id)
    await ctx.session.flush()
    await ctx.session.execute(
        update(Space)
        .where(Space.id.in_(shown), Space.edit_mode == EditMode.LIVE)
        .values(edit_mode=EditMode.LOCKED, updated_at=ctx.now())
    )


def served_defaults(sites: str) -> Select[Any]:
    """`site_id` and `id` of the site space that each site serves at its root.

    `sites` names the list parameter with the ids of the sites.

    That is the stored default, or, while its space is in the bin, the next sibling whose space
    is not, else the nearest one before it.
    """
    chosen = aliased(SiteSpace)
    start = func.coalesce(chosen.position, 0)
    nearest = (
        case((SiteSpace.position >= start, 0), else_=1),
        func.abs(SiteSpace.position - start),
        SiteSpace.id,
    )
    place_in_line = func.row_number().over(partition_by=SiteSpace.site_id, order_by=nearest)
    candidates = (
        select(SiteSpace.site_id, SiteSpace.id, place_in_line.label("place"))
        .join(Site, Site.id == SiteSpace.site_id)
        .join(Space, Space.id == SiteSpace.space_id)
        .outerjoin(chosen, chosen.id == Site.default_site_space_id)
        .where(among(SiteSpace.site_id, sites))
        .where(SiteSpace.section_id.is_(None), Space.deleted_at.is_(None))
        .subquery()
    )
    return select(candidates.c.site_id, candidates.c.id).where(candidates.c.place == 1)
