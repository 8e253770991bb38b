"""Sites with sections, and what stands on them, for tests of several subjects."""

from typing import Any

from sqlalchemy import select

from db.models.sites import Site, SiteSection, SiteSpace
from db.session import Session
from resolvers.core.context import Context
from resolvers.core.pagination import PageArguments
from resolvers.sites import sections as site_sections, spaces as site_spaces
from resolvers.sites.sections import SectionStructure
from tests.conftest import World, settle
from tests.factories import make_section, make_site, make_space


async def sections_of(ctx: Context, site: Site) -> list[SiteSection]:
    (part,) = await site_sections.sections_of_sites(ctx, [site], PageArguments())
    return part.rows


async def spaces_of(ctx: Context, section: SiteSection) -> list[SiteSpace]:
    (part,) = await site_spaces.site_spaces_of_sections(ctx, [section], PageArguments())
    return part.rows


async def tree(ctx: Context, site: Site) -> list[Any]:
    """Titles of sections, and lists of a group's title and what it holds."""

    async def shown(rows: list[Any]) -> list[Any]:
        found = []
        for row in rows:
            if hasattr(row, "path"):
                found.append(row.title)
            else:
                (held,) = await site_sections.children_of_groups(ctx, [row], None)
                found.append([row.title, *await shown(held)])
        return found

    ctx.cache.clear()
    (structure,) = await site_sections.structures_of_sites(ctx, [site], None)
    assert isinstance(structure, SectionStructure)
    return await shown(structure.items)


async def default_of(session: Session, site: Site) -> str | None:
    session.expunge_all()
    statement = select(SiteSection.title).join(Site, Site.default_section_id == SiteSection.id)
    return (await session.execute(statement.where(Site.id == site.id))).scalar()


async def prepared(
    session: Session, world: World, *titles: str, **changes: Any
) -> tuple[Site, list[SiteSection]]:
    """A site with a section of one space for each title."""
    site = await make_site(session, world.organization, **changes)
    made = []
    for title in titles:
        space = await make_space(session, world.organization)
        made.append(await make_section(session, site, space, title=title, path=title.lower()))
    await settle(session)
    return site, made
