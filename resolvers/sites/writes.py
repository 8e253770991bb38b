"""Reading the structure of a locked site, and writing what became of it.

Writers lock the site first, so two of them never number the same siblings at once.
"""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import delete, inspect, select, update
from sqlalchemy.orm.attributes import flag_modified

from db.commits import SITE, note_change
from db.enums import EditMode
from db.event_enums import EventType
from db.models.site_settings import SitePathRedirect
from db.models.sites import Site, SiteSection, SiteSectionGroup, SiteSpace
from db.models.spaces import Space
from resolvers.access.drafts import OPEN
from resolvers.access.policy import visible
from resolvers.addresses.visibilities import note_visibilities
from resolvers.core.audit_notes import note_fact
from resolvers.core.context import Context
from resolvers.core.event_drafts import Draft
from resolvers.sites.structure import Structure


async def load(ctx: Context, site: Site) -> Structure:
    """Everything that stands on a site, in three statements; the caller holds the site's lock."""

    async def rows(model: Any) -> list[Any]:
        statement = select(model).where(model.site_id == site.id)
        # What was read before the lock may be older than what is stored now.
        statement = statement.execution_options(populate_existing=True)
        return list((await ctx.session.execute(statement)).scalars())

    return Structure(
        site, await rows(SiteSectionGroup), await rows(SiteSection), await rows(SiteSpace)
    )


async def save(ctx: Context, structure: Structure) -> None:
    """Settle a structure and write it, with redirects from paths that were changed.

    A new group has to be written before something is put into it: nothing else says to the
    session which rows come first.
    """
    structure.settle()
    gone, again = structure.moved_paths()
    dirty = ctx.session.dirty
    for item in structure.everything():
        if item in dirty:
            # The same columns of all rows, which are written together then.
            flag_modified(item, "position")
            flag_modified(item, "place")
    await _note_visibilities(ctx, structure)
    ctx.session.add_all(structure.everything())
    await ctx.session.flush()
    for model in (SiteSpace, SiteSection, SiteSectionGroup):
        ids = [item.id for item in structure.removed if isinstance(item, model)]
        if ids:
            await ctx.session.execute(delete(model).where(model.id.in_(ids)))
    structure.removed.clear()
    # What is removed by a statement is no row that the session has written.
    note_change(ctx.session, (SITE, structure.site.id))
    # Nor are positions that are written for many rows at once.
    structure_updated = Draft(
        type=EventType.SITE_STRUCTURE_UPDATED,
        object_id=structure.site.id,
        site_id=structure.site.id,
        organization_id=structure.site.organization_id,
    )
    note_fact(ctx.session, structure_updated)
    await _redirect(ctx, structure.site.id, gone, again)


async def _note_visibilities(ctx: Context, structure: Structure) -> None:
    """Note which spaces a published site shows from now on, and which no more; before a flush."""
    site = structure.site
    if not site.published:
        return
    removed = {item.space_id for item in structure.removed if isinstance(item, SiteSpace)}
    new = {item.space_id for item in structure.spaces if not inspect(item).persistent}
    stay = {item.space_id for item in structure.spaces}
    if came := new - removed:
        await note_visibilities(ctx, site, came, None, site.visibility)
    if gone := removed - stay:
        await note_visibilities(ctx, site, gone, site.visibility, None)


async def _redirect(ctx: Context, site_id: str, gone: dict[str, Any], again: set[str]) -> None:
    """Redirect from the keys `gone`; where something stands again, no redirect stays."""
    ended = sorted(again | gone.keys())
    if not ended:
        return
    of_site = SitePathRedirect.site_id == site_id
    await ctx.session.execute(
        delete(SitePathRedirect).where(of_site, SitePathRedirect.key.in_(ended))
    )
    for key, item in gone.items():
        section = item.id if isinstance(item, SiteSection) else None
        space = item.id if isinstance(item, SiteSpace) else None
        ctx.session.add(
            SitePathRedirect(site_id=site_id, key=key, section_id=section, site_space_id=space)
        )
    await ctx.session.flush()


async def seen_spaces(ctx: Context, site: Site) -> set[str]:
    """Ids of the site's spaces that the caller sees: an order is judged as they see it."""
    statement = visible(ctx, SiteSpace).with_only_columns(SiteSpace.id)
    rows = await ctx.session.execute(statement.where(SiteSpace.site_id == site.id))
    return set(rows.scalars())


async def remove_spaces_from_sites(ctx: Context, space_ids: Iterable[str]) -> None:
    """Take spaces off every site before they are removed for good.

    For whoever deletes rows of spaces: their foreign key would leave gaps and lose defaults.
    """
    ids = set(space_ids)
    on_sites = select(SiteSpace.site_id).where(SiteSpace.space_id.in_(ids))
    statement = select(Site).where(Site.id.in_(on_sites)).order_by(Site.id).with_for_update()
    for site in (await ctx.session.execute(statement)).scalars().all():
        structure = await load(ctx, site)
        structure.remove([space for space in structure.spaces if space.space_id in ids])
        await save(ctx, structure)


async def lock_spaces_shown_to_all(ctx: Context, site: Site) -> None:
    """Lock live editing of the spaces that a published site shows to everybody.

    Called whenever a site's spaces, visibility or state may have made a space public.
    """
    if not site.published or site.visibility not in OPEN:
        return
    shown = select(SiteSpace.space_id).where(SiteSpace.site_id == site.id)
    await ctx.session.flush()
    await ctx.session.execute(
        update(Space)
        .where(Space.id.in_(shown), Space.edit_mode == EditMode.LIVE)
        .values(edit_mode=EditMode.LOCKED, updated_at=ctx.now())
    )
