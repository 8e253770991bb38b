"""Which section and site space the path of a published site names (docs/sites.md, "Paths").

Paths are matched against what is there for the visitor: what a condition hides is absent.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam

from content.slugs import slug_key
from db.models.sites import SiteSpace
from db.prepared import KEY
from resolvers.access.policy import visible
from resolvers.addresses.defaults import serving
from resolvers.core.context import Context
from resolvers.core.statements import Viewer, Written, statement
from resolvers.published.visitors import Shown, Structure, shown_of, structure_of

# The old form of an address with a variant: `v/<path of the site space>`.
VARIANT = "v"


@dataclass(frozen=True, slots=True)
class Place:
    """The section and site space that the first segments of a path name."""

    section: Any | None
    site_space: Any
    # How many segments of the path lead there.
    depth: int
    # The segments that lead there in the canonical address.
    canonical: tuple[str, ...]
    # Whether the path has a stored default in it, or the old form of a variant.
    outdated: bool
    # Whether a further segment may name a section or a site space.
    open_ended: bool


class SiteMap:
    """The structure of a site as it is there for somebody."""

    def __init__(self, site: Any, structure: Structure, shown: Shown) -> None:
        """`site` has the ids of its defaults."""
        self.site_id: str = site.id
        self.structure, self.shown = structure, shown
        self._sections = [row for row in structure.sections if row.id in shown.section_ids]
        # By id: the site spaces that are there.
        self.site_spaces = {
            row.id: row for row in structure.site_spaces if row.id in shown.site_space_ids
        }
        filled = {row.section_id for row in structure.site_spaces if not row.in_bin}
        default = serving(structure.sections, site.default_section_id, lambda row: row.id in filled)
        self._default_section_id = None if default is None else default.id
        # A default that is not there is replaced by the first section that is.
        self._section = next(
            (row for row in self._sections if row.id == self._default_section_id),
            self._sections[0] if self._sections else None,
        )
        self._root_default_id = site.default_site_space_id
        # By section, None for the root: its site spaces, and the default of them.
        self._levels: dict[str | None, list[Any]] = {}
        for row in structure.site_spaces:
            self._levels.setdefault(row.section_id, []).append(row)
        self._defaults: dict[str | None, Any | None] = {}
        # By site space and the beginning of a path in it.
        self._covered: dict[tuple[str, tuple[str, ...]], bool] = {}
        self._by_id = {row.id: row for row in (*structure.site_spaces, *self._sections)}

    def place(self, keys: Sequence[str]) -> Place | None:
        """The place that a path names, as far as it does; None when nothing is there at all."""
        section, depth, outdated = self._section, 0, False
        root: tuple[str, ...] = ()
        named = _named(self._sections, keys[:1])
        if named is not None:
            section, depth = named, 1
            outdated = named.id == self._default_section_id
        if section is not None and section.id != self._default_section_id:
            # Where another one stands in for the default, its own address stays the canonical one.
            root = (section.path,)
        siblings = self._siblings(section)
        if not siblings:
            return None
        at = keys[depth:]
        variant = _named(siblings, at[1:2]) if at[:1] == (VARIANT,) else None
        if variant is not None:
            chosen, depth, outdated = variant, depth + 2, True
        else:
            direct = _named(siblings, at[:1])
            chosen = self._default(section, siblings) if direct is None else direct
            if direct is not None:
                depth, outdated = depth + 1, outdated or self._is_default(section, direct)
        is_default = self._is_default(section, chosen)
        return Place(
            section,
            chosen,
            depth,
            root if is_default else (*root, chosen.path),
            outdated,
            not at or at == (VARIANT,),
        )

    def canonical(self, place: Place, rest: Sequence[str]) -> tuple[str, ...]:
        """The path to which one that is outdated leads: the canonical one, unless that is another's
        because the page has the path of a section or of a site space.
        """
        return self.path_below(place.site_space, rest)

    def path_below(self, site_space: Any, rest: Sequence[str]) -> tuple[str, ...]:
        """The path of a page of a site space that is there, which is at `rest` in its space."""
        if self.is_covered(site_space, rest):
            return (*self.full_path(site_space), *rest)
        return (*(self.path_of(None, site_space.id) or ()), *rest)

    def is_covered(self, site_space: Any, rest: Sequence[str]) -> bool:
        """Whether something else of the site is where a page of a site space would be, which is at
        `rest` in its space: a section, or another site space.
        """
        # Names of sections and site spaces take two segments at most, `v` before one included.
        start = tuple(map(slug_key, rest[:2]))
        key = (site_space.id, start)
        if key not in self._covered:
            canonical = self.path_of(None, site_space.id) or ()
            place = self.place((*map(slug_key, canonical), *start))
            same = place is not None and place.site_space.id == site_space.id
            self._covered[key] = not same or place is None or place.depth != len(canonical)
        return self._covered[key]

    def explicit(self, place: Place) -> tuple[str, ...]:
        """The path of a place with all that is left out of defaults."""
        return self.full_path(place.site_space)

    def full_path(self, site_space: Any) -> tuple[str, ...]:
        """The path of a site space with all that is left out of defaults."""
        section = self._by_id.get(site_space.section_id)
        above = () if section is None else (section.path,)
        return (*above, site_space.path)

    def path_of(self, section_id: str | None, site_space_id: str | None) -> tuple[str, ...] | None:
        """The canonical path of a section or a site space; None when it is not there."""
        if site_space_id is None:
            if section_id not in self.shown.section_ids:
                return None
            own = (self._by_id[section_id].path,)
            return () if section_id == self._default_section_id else own
        if site_space_id not in self.shown.site_space_ids:
            return None
        row = self._by_id[site_space_id]
        section = self._by_id.get(row.section_id)
        outer = () if section is None else self.path_of(section.id, None) or ()
        return outer if self._is_default(section, row) else (*outer, row.path)

    def _siblings(self, section: Any | None) -> list[Any]:
        """The site spaces of a section, or of the root, that are there."""
        section_id = None if section is None else section.id
        return [
            row for row in self._levels.get(section_id, []) if row.id in self.shown.site_space_ids
        ]

    def _default_row(self, section: Any | None) -> Any | None:
        """The default of a section, or of the root, whether it is there for the visitor or not."""
        if section is None:
            section_id, default_id = None, self._root_default_id
        else:
            section_id, default_id = section.id, section.default_site_space_id
        if section_id not in self._defaults:
            rows = self._levels.get(section_id, [])
            self._defaults[section_id] = serving(rows, default_id, lambda row: not row.in_bin)
        return self._defaults[section_id]

    def _is_default(self, section: Any | None, row: Any) -> bool:
        default = self._default_row(section)
        return default is not None and default.id == row.id

    def _default(self, section: Any | None, siblings: Sequence[Any]) -> Any:
        """The site space at the root of a section: its default, else the first that is there."""
        default = self._default_row(section)
        return default if default in siblings else siblings[0]


def _named(rows: Iterable[Any], keys: Sequence[str]) -> Any | None:
    """The row whose path is the one key; None without a key or a row."""
    return next((row for row in rows if keys and slug_key(row.path) == keys[0]), None)


@statement
def _visible(viewer: Viewer) -> Written:
    return (
        visible(viewer, SiteSpace)
        .with_only_columns(SiteSpace.id)
        .where(SiteSpace.site_id == bindparam("site_id", type_=KEY))
    )


async def read_site_map(ctx: Context, site: Any) -> SiteMap:
    """The parts of a site's structure that the caller sees: three statements, whatever its size."""
    structure = await structure_of(ctx, site.id)
    ids = {row.id for row in await _visible.rows(ctx, site_id=site.id)}
    present = [row for row in structure.site_spaces if row.id in ids and not row.in_bin]
    return SiteMap(site, structure, shown_of(present))
