"""Rows that visitors with a content token may read, as SQL: nothing but published content.

A visitor's sets of ids were worked out when the request began (resolvers/published/visitors.py).
What is not in this table is not there for visitors: it fails closed.
"""

from collections.abc import Callable
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, false, literal, or_, select
from sqlalchemy.orm import aliased

from db.base import Base
from db.models.change_requests import ChangeRequest
from db.models.content import Revision
from db.models.sites import Site, SiteSection, SiteSectionGroup, SiteSpace
from db.models.spaces import Space
from resolvers.access.ranks import READ, Rank
from resolvers.core.actors import Visitor
from resolvers.core.statements import one_of

Rows = Callable[[Select[Any], Visitor], Select[Any]]


def groups_above(sections: ColumnElement[bool]) -> Select[Any]:
    """Ids of the groups that hold sections which meet the condition, and of those around them."""
    inner = aliased(SiteSectionGroup)
    direct = select(SiteSection.group_id).where(SiteSection.group_id.is_not(None), sections)
    around = (
        select(inner.parent_id)
        .join(SiteSection, SiteSection.group_id == inner.id)
        .where(inner.parent_id.is_not(None), sections)
    )
    return select(direct.union_all(around).subquery().c[0])


def _of_site(site_id: Any, visitor: Visitor) -> ColumnElement[bool]:
    return and_(site_id == visitor.site_id, Site.published.is_(True))


def _sites(statement: Select[Any], visitor: Visitor) -> Select[Any]:
    return statement.where(_of_site(Site.id, visitor))


def _sections(statement: Select[Any], visitor: Visitor) -> Select[Any]:
    statement = statement.join(Site, Site.id == SiteSection.site_id)
    return statement.where(_of_site(Site.id, visitor), one_of(SiteSection.id, visitor.section_ids))


def _section_groups(statement: Select[Any], visitor: Visitor) -> Select[Any]:
    statement = statement.join(Site, Site.id == SiteSectionGroup.site_id)
    above = groups_above(one_of(SiteSection.id, visitor.section_ids))
    return statement.where(_of_site(Site.id, visitor), SiteSectionGroup.id.in_(above))


def _site_spaces(statement: Select[Any], visitor: Visitor) -> Select[Any]:
    statement = statement.join(Site, Site.id == SiteSpace.site_id)
    statement = statement.join(Space, Space.id == SiteSpace.space_id)
    return statement.where(
        _of_site(Site.id, visitor),
        one_of(SiteSpace.id, visitor.site_space_ids),
        Space.deleted_at.is_(None),
    )


def _spaces(statement: Select[Any], visitor: Visitor) -> Select[Any]:
    return statement.where(_in_space(visitor))


def _in_space(visitor: Visitor) -> ColumnElement[bool]:
    return and_(one_of(Space.id, visitor.space_ids), Space.deleted_at.is_(None))


def _revisions(statement: Select[Any], visitor: Visitor) -> Select[Any]:
    """The primary content, the draft that the token was made for, and previews for anybody."""
    statement = statement.join(Space, Space.id == Revision.space_id)
    shown = or_(
        Revision.id == Space.revision_id,
        Revision.id == visitor.revision_id,
        # The same with the pages of its sources; without a draft nothing, for most expand nothing.
        and_(Revision.expands_id.is_not(None), Revision.expands_id == visitor.revision_id),
        one_of(Revision.space_id, visitor.preview_space_ids),
    )
    return statement.where(_in_space(visitor), shown)


def _change_requests(statement: Select[Any], visitor: Visitor) -> Select[Any]:
    statement = statement.join(Space, Space.id == ChangeRequest.space_id)
    shown = or_(
        ChangeRequest.id == visitor.change_request_id,
        one_of(ChangeRequest.space_id, visitor.preview_space_ids),
    )
    return statement.where(_in_space(visitor), shown)


ROWS: dict[type[Base], Rows] = {
    Site: _sites,
    SiteSection: _sections,
    SiteSectionGroup: _section_groups,
    SiteSpace: _site_spaces,
    Space: _spaces,
    Revision: _revisions,
    ChangeRequest: _change_requests,
}


# What of those rows a visitor finds without naming it: previews for anybody are for those who have
# the address, and there is no end of them.
_LISTED: dict[type[Base], Callable[[Visitor], ColumnElement[bool]]] = {
    Revision: lambda visitor: or_(
        Revision.id == Space.revision_id, Revision.id == visitor.revision_id
    ),
    ChangeRequest: lambda visitor: ChangeRequest.id == visitor.change_request_id,
}


def listed_rows(statement: Select[Any], model: type[Base], visitor: Visitor) -> Select[Any]:
    """Those of the rows of `model` that stand in lists for the visitor."""
    listed = _LISTED.get(model)
    return statement if listed is None else statement.where(listed(visitor))


def published_rows(model: type[Base], visitor: Visitor) -> tuple[Select[Any], Rank]:
    """Rows of `model` that the visitor may read, and the rank on them: that of a reader."""
    rule = ROWS.get(model)
    if rule is None:
        return select(model).where(false()), literal(0)
    return rule(select(model), visitor), literal(READ)
