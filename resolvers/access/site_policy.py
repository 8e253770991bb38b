"""Who may see and change docs sites and what belongs to them (rules of
resolvers/access/policy.py)."""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Select, or_, select

from db.integration_enums import InstallationStatus
from db.models.integrations import Installation, Integration, SiteInstallation
from db.models.sites import Site, SiteSection, SiteSectionGroup, SiteSpace
from db.models.spaces import Space
from resolvers.access.published_rows import groups_above
from resolvers.access.ranks import READ, Rank, number, organization_rank, space_rank
from resolvers.core.actors import Actor, Program

SiteRule = Callable[[Select[Any], Actor], tuple[Select[Any], Rank]]


def sites_with_readable_spaces(actor: Actor) -> Select[Any]:
    """Ids of sites that hold at least one space which the actor may read."""
    statement, rank = space_rank(
        select(SiteSpace.site_id).join(Space, Space.id == SiteSpace.space_id), actor
    )
    return statement.where(rank >= READ, Space.deleted_at.is_(None))


def site_rank(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    """Join what decides about rows of sites: the role in the organization, and of an installation
    that which the scopes of its integration give on the sites it has entries for."""
    if actor.program is not Program.INSTALLATION:
        return organization_rank(statement, actor, Site.organization_id)
    statement = (
        statement.join(SiteInstallation, SiteInstallation.site_id == Site.id)
        .join(Installation, Installation.id == SiteInstallation.installation_id)
        .join(Integration, Integration.id == Installation.integration_id)
        .where(
            Installation.account_id == actor.user_id,
            Installation.status != InstallationStatus.PAUSED,
        )
    )
    return statement, number(Integration.site_role)


def sites(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    """Members with an organization role; guests when they may read one of the site's spaces."""
    statement, rank = site_rank(statement, actor)
    if actor.operator:
        return statement, rank
    readable = Site.id.in_(sites_with_readable_spaces(actor))
    return statement.where(or_(rank >= READ, readable)), rank


def site_spaces(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    """A site space follows both: the space must be readable, the rank is the site's.

    Whoever may read one of a site's spaces may read the site, so the site needs no check.
    """
    statement = statement.join(Site, Site.id == SiteSpace.site_id)
    statement, of_space = space_rank(statement.join(Space, Space.id == SiteSpace.space_id), actor)
    statement, rank = site_rank(statement, actor)
    return statement.where(of_space >= READ, Space.deleted_at.is_(None)), rank


def _readable_sections(actor: Actor) -> Select[Any]:
    """Ids of sections that hold at least one space which the actor may read."""
    statement, rank = space_rank(
        select(SiteSpace.section_id).join(Space, Space.id == SiteSpace.space_id), actor
    )
    return statement.where(
        SiteSpace.section_id.is_not(None), rank >= READ, Space.deleted_at.is_(None)
    )


def sections(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    """Members with an organization role; guests see sections with a space they may read."""
    statement = statement.join(Site, Site.id == SiteSection.site_id)
    statement, rank = site_rank(statement, actor)
    if actor.operator:
        return statement, rank
    readable = SiteSection.id.in_(_readable_sections(actor))
    return statement.where(or_(rank >= READ, readable)), rank


def section_groups(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    """Members with an organization role; guests see what is above sections that they see."""
    statement = statement.join(Site, Site.id == SiteSectionGroup.site_id)
    statement, rank = site_rank(statement, actor)
    if actor.operator:
        return statement, rank
    readable = SiteSection.id.in_(_readable_sections(actor))
    return statement.where(or_(rank >= READ, SiteSectionGroup.id.in_(groups_above(readable)))), rank


def settings_of_site(site_id: Any) -> SiteRule:
    """Rows that belong to the making of a site: for members with an organization role."""

    def rule(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
        statement = statement.join(Site, Site.id == site_id)
        statement, rank = site_rank(statement, actor)
        return statement.where(rank >= READ), rank

    return rule
