"""The frame of all pages of a published site: its structure, its look, its addresses."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from db.enums import Language
from db.models.sites import Site, SiteSectionGroup
from db.models.spaces import Space
from db.prepared import among
from resolvers.access.drafts import OPEN
from resolvers.access.policy import must, visible
from resolvers.content.shown_references import Named, collect
from resolvers.core.context import Context
from resolvers.core.errors import NotFound
from resolvers.core.statements import Viewer, Written, statement
from resolvers.customization.operations import SiteSpaceSettings, site_space_customizations
from resolvers.lists.batches import visible_in
from resolvers.published.pages import find_elsewhere
from resolvers.published.paths import SiteMap
from resolvers.published.urls import PublishedContent
from resolvers.published.visitors import Shown
from resolvers.revisions.read_targets import find_revision
from resolvers.revisions.rows import Page


@dataclass(frozen=True, slots=True)
class SiteFrame:
    """A site as a visitor finds it, around one of its site spaces."""

    site: Site
    map: SiteMap
    groups: Mapping[str, Any]
    settings: SiteSpaceSettings
    # By space id.
    languages: Mapping[str, Language | None]
    # Pages that links of the settings lead to, by (space, page).
    linked: Mapping[tuple[str, str], Page]
    # Spaces that links of the settings name.
    refers_to: frozenset[str]

    def site_spaces(self, section_id: str | None) -> list[Any]:
        """The site spaces of a section, or of the root, that are there for the visitor."""
        return [row for row in self.map.site_spaces.values() if row.section_id == section_id]

    def is_for_all(self, site_space_id: str) -> bool:
        """Whether everybody may see a site space, and nothing hides it from anybody."""
        rows = [row for row in self.map.structure.site_spaces if row.id == site_space_id]
        sections = {row.section_id for row in rows}
        rows += [row for row in self.map.structure.sections if row.id in sections]
        return self.site.visibility in OPEN and all(row.condition is None for row in rows)

    def sections(self) -> list[Any]:
        """The sections that are there for the visitor."""
        return [row for row in self.map.structure.sections if row.id in self.map.shown.section_ids]


_groups = visible_in(SiteSectionGroup.site_id, "sites")


@statement
def _languages(viewer: Viewer) -> Written:
    statement = visible(viewer, Space).with_only_columns(Space.id, Space.language)
    return statement.where(among(Space.id, "spaces"))


async def read_site_frame(ctx: Context, content: PublishedContent) -> SiteFrame:
    """The frame of the pages of a site space; the caller is the visitor of `content`."""
    site = await must(ctx, Site, content.site)
    structure = content.structure
    shown = Shown(
        content.visitor.section_ids, content.visitor.site_space_ids, content.visitor.space_ids
    )
    map = SiteMap(site, structure, shown)
    row = next(
        (candidate for candidate in structure.site_spaces if candidate.id == content.site_space),
        None,
    )
    if row is None:
        raise NotFound("the site space was removed at this moment")
    (settings,) = await site_space_customizations(ctx, [row], None)
    groups = await _groups.rows(ctx, sites=[site.id])
    languages = await _languages.rows(ctx, spaces=shown.space_ids)
    named = Named()
    await collect([{"links": list(_references(settings))}], named)
    draft = None
    if content.shown_revision is not None:
        draft = await find_revision(ctx, content.space, revision_id=content.shown_revision)
    return SiteFrame(
        site=site,
        map=map,
        groups={group.id: group for group in groups},
        settings=settings,
        languages={space.id: space.language for space in languages},
        linked=await find_elsewhere(ctx, named, draft=draft),
        refers_to=frozenset(space for space, _ in named.elsewhere) & shown.space_ids,
    )


def _references(settings: SiteSpaceSettings) -> Iterable[Any]:
    """The content references of the links in the settings."""
    if settings.header is not None:
        for item in settings.header.links or ():
            yield item.to
            yield from (link.to for link in item.links or ())
    if settings.footer is not None:
        for group in settings.footer.groups or ():
            yield from (link.to for link in group.links)
    if settings.announcement is not None and settings.announcement.link is not None:
        yield settings.announcement.link.to
