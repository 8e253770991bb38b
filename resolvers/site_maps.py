"""Which site space and which page path a path of a site is, and the other way round.

A map holds what the caller may see of one site's structure, so that a path that leads to anything
else leads nowhere (sites.md sections 2 and 3).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam

from content.slugs import slug_key
from db.models.sites import Site, SiteSection, SiteSpace
from db.prepared import KEY
from resolvers.context import Context
from resolvers.policy import visible
from resolvers.statements import Asks, Written, statement


@statement
def _sections(asks: Asks) -> Written:
    return (
        visible(asks, SiteSection)
        .with_only_columns(SiteSection.id, SiteSection.path, SiteSection.default_site_space_id)
        .add_columns(Site.default_section_id)
        .where(SiteSection.site_id == bindparam("site", type_=KEY))
        .order_by(SiteSection.position, SiteSection.id)
    )


@statement
def _site_spaces(asks: Asks) -> Written:
    return (
        visible(asks, SiteSpace)
        .with_only_columns(SiteSpace.id, SiteSpace.section_id, SiteSpace.space_id, SiteSpace.path)
        .add_columns(Site.default_site_space_id)
        .where(SiteSpace.site_id == bindparam("site", type_=KEY))
        .order_by(SiteSpace.position, SiteSpace.id)
    )


@dataclass(frozen=True, slots=True)
class Place:
    """What a path of a site is: a page path in a site space, which is None on an empty level."""

    section_id: str | None
    site_space: Any | None
    page: tuple[str, ...]


class SiteMap:
    """The sections and site spaces of one site that the caller may see."""

    def __init__(self, sections: Sequence[Any], site_spaces: Sequence[Any]) -> None:
        self.sections = {row.id: row for row in sections}
        self.site_spaces = {row.id: row for row in site_spaces}
        self._levels: dict[str | None, list[Any]] = {}
        for row in site_spaces:
            self._levels.setdefault(row.section_id, []).append(row)
        # Sections that hold nothing are left out of the published site.
        shown = [row for row in sections if row.id in self._levels]
        self._section_paths = {slug_key(row.path): row.id for row in shown}
        self._default_section = self._chosen(shown, shown and shown[0].default_section_id)

    @staticmethod
    def _chosen(rows: Sequence[Any], default_id: Any) -> Any | None:
        """The default of a level, or its first row while that is not shown."""
        for row in rows:
            if row.id == default_id:
                return row
        return rows[0] if rows else None

    def default_of(self, section_id: str | None) -> Any | None:
        """The site space that a section, or a site without sections, serves at its root."""
        level = self._levels.get(section_id, [])
        if section_id is not None:
            return self._chosen(level, self.sections[section_id].default_site_space_id)
        return self._chosen(level, level and level[0].default_site_space_id)

    def place(self, segments: Sequence[str]) -> Place:
        """What stands at a path: its first segments name a section and a site space if they can."""
        rest = list(segments)
        section_id: str | None = None
        if self._default_section is not None:
            section_id = self._section_paths.get(slug_key(rest[0])) if rest else None
            if section_id is not None:
                rest.pop(0)
            else:
                section_id = self._default_section.id
        site_space = self.default_of(section_id)
        if rest:
            named = slug_key(rest[0])
            for row in self._levels.get(section_id, []):
                if slug_key(row.path) == named:
                    site_space, rest = row, rest[1:]
                    break
        return Place(section_id, site_space, tuple(rest))

    def path_of_section(self, section_id: str) -> list[str] | None:
        """The path of a section; empty for the default, None when it is not shown."""
        if section_id not in self._levels or section_id not in self.sections:
            return None
        if self._default_section is not None and self._default_section.id == section_id:
            return []
        return [self.sections[section_id].path]

    def path_of_site_space(self, site_space_id: str) -> list[str] | None:
        """The path of a site space; defaults are served at the root of their level."""
        row = self.site_spaces.get(site_space_id)
        if row is None:
            return None
        above = [] if row.section_id is None else self.path_of_section(row.section_id)
        default = self.default_of(row.section_id) if above is not None else None
        if above is None or default is None:
            return None
        return above if default.id == row.id else [*above, row.path]


async def read_site_map(ctx: Context, site_id: str) -> SiteMap:
    """What the caller may see of a site's structure, in two statements."""
    return SiteMap(
        await _sections.rows(ctx, site=site_id), await _site_spaces.rows(ctx, site=site_id)
    )
