"""The default site spaces, at the root of a site and of its sections: one rule, in two forms.

A default whose space is in the bin is stood in for by the next site space of its section (or of
the root) whose space is not, else by the nearest one before it. A default section without any such
site space is stood in for by the next section that has one, likewise. In SQL that is an order
(`_nearest`), for rows that are at hand a search (`serving`); a test holds them equal.
"""

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select, case, func, or_, select
from sqlalchemy.orm import aliased

from db.models.sites import Site, SiteSection, SiteSpace
from db.models.spaces import Space
from db.prepared import among
from resolvers.core.statements import Viewer, Written, statement


def _nearest(place: Any, start: Any, id: Any) -> tuple[ColumnElement[Any], ...]:
    """The order in which rows stand in for the one at `start`."""
    return case((place >= start, 0), else_=1), func.abs(place - start), id


def serving(rows: Sequence[Any], default_id: str | None, can: Callable[[Any], bool]) -> Any | None:
    """The one of `rows`, in their places, that serves: the default, or who stands in for it."""
    at = next((place for place, row in enumerate(rows) if row.id == default_id), 0)
    return next((row for row in (*rows[at:], *rows[:at][::-1]) if can(row)), None)


def level_defaults(sites: str) -> Select[Any]:
    """`site_id`, `section_id` and `id` of the site space that each section, or root, serves.

    `sites` names the list parameter with the ids of the sites.
    """
    chosen = aliased(SiteSpace)
    pointer = case(
        (SiteSpace.section_id.is_(None), Site.default_site_space_id),
        else_=SiteSection.default_site_space_id,
    )
    in_line = func.row_number().over(
        partition_by=(SiteSpace.site_id, SiteSpace.section_id),
        order_by=_nearest(SiteSpace.place, func.coalesce(chosen.place, 0), SiteSpace.id),
    )
    candidates = (
        select(SiteSpace.site_id, SiteSpace.section_id, SiteSpace.id, in_line.label("in_line"))
        .join(Site, Site.id == SiteSpace.site_id)
        .join(Space, Space.id == SiteSpace.space_id)
        .outerjoin(SiteSection, SiteSection.id == SiteSpace.section_id)
        .outerjoin(chosen, chosen.id == pointer)
        .where(among(SiteSpace.site_id, sites), Space.deleted_at.is_(None))
        .subquery()
    )
    return select(candidates.c.site_id, candidates.c.section_id, candidates.c.id).where(
        candidates.c.in_line == 1
    )


def served_sections(sites: str) -> Select[Any]:
    """`site_id` and `id` of the section that each site serves at its root.

    That is the default section itself when no section has anything to serve.
    """
    chosen = aliased(SiteSection)
    alive = (
        select(SiteSpace.id)
        .join(Space, Space.id == SiteSpace.space_id)
        .where(SiteSpace.section_id == SiteSection.id, Space.deleted_at.is_(None))
        .exists()
    )
    in_line = func.row_number().over(
        partition_by=SiteSection.site_id,
        order_by=(
            case((alive, 0), else_=1),
            *_nearest(SiteSection.place, func.coalesce(chosen.place, 0), SiteSection.id),
        ),
    )
    candidates = (
        select(SiteSection.site_id, SiteSection.id, in_line.label("in_line"))
        .join(Site, Site.id == SiteSection.site_id)
        .outerjoin(chosen, chosen.id == Site.default_section_id)
        .where(among(SiteSection.site_id, sites))
        .subquery()
    )
    return select(candidates.c.site_id, candidates.c.id).where(candidates.c.in_line == 1)


def served_defaults(sites: str) -> Select[Any]:
    """`site_id` and `id` of the site space that each site serves at its root."""
    spaces = level_defaults(sites).subquery()
    sections = served_sections(sites).subquery()
    return (
        select(spaces.c.site_id, spaces.c.id)
        .outerjoin(sections, sections.c.site_id == spaces.c.site_id)
        .where(or_(spaces.c.section_id.is_(None), spaces.c.section_id == sections.c.id))
    )


@statement
def defaults_of_levels(viewer: Viewer) -> Written:
    """The default site space of each section or root of sites."""
    return level_defaults("sites")
