"""Who sees integrations, their installations and their events (docs/roles.md)."""

from typing import Any

from sqlalchemy import ColumnElement, Select, and_, case, exists, func, literal, or_, select

from db.integration_enums import IntegrationVisibility as Visibility
from db.models.integrations import (
    Installation,
    Integration,
    IntegrationEvent,
    SiteInstallation,
    SpaceInstallation,
)
from db.models.sites import Site
from db.models.spaces import Space
from resolvers.access.ranks import (
    ADMIN,
    CREATE,
    READ,
    Rank,
    membership,
    number,
    organization_rank,
    space_rank,
)
from resolvers.core.actors import Actor, Program


def integrations(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    """Private ones are for members with a role in the organization that publishes them; the rank is
    the role there. Whoever knows the name of another one sees it."""
    if actor.operator:
        return statement, literal(ADMIN)
    if actor.program is not None:
        return statement.where(or_(_open(), _is_own(actor))), literal(READ)
    member, active = membership(actor, Integration.organization_id)
    rank = func.coalesce(number(member.role), 0)
    return statement.outerjoin(member, active).where(or_(_open(), rank >= READ)), rank


def _open() -> ColumnElement[bool]:
    return Integration.visibility != Visibility.PRIVATE


def _is_own(actor: Actor) -> ColumnElement[bool]:
    """That an integration is the one of a program."""
    if actor.program is Program.INTEGRATION:
        return Integration.account_id == actor.user_id
    return exists().where(
        Installation.integration_id == Integration.id, Installation.account_id == actor.user_id
    )


def installations(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    """They are for administrators of the organization, and for the program itself."""
    if actor.program is not None:
        return _of_program(statement, actor, Installation.id), literal(ADMIN)
    statement, rank = organization_rank(statement, actor, Installation.organization_id)
    return statement.where(rank >= ADMIN), rank


def _of_program(statement: Select[Any], actor: Actor, installation_id: Any) -> Select[Any]:
    """Rows of an installation: of this one, or of any of this integration."""
    if actor.program is Program.INSTALLATION:
        own = select(Installation.id).where(Installation.account_id == actor.user_id)
    else:
        own = (
            select(Installation.id)
            .join(Integration, Integration.id == Installation.integration_id)
            .where(Integration.account_id == actor.user_id)
        )
    return statement.where(installation_id.in_(own))


def space_entries(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    """They are for whoever has the role `create` on the space, and for the program itself."""
    if actor.program is not None:
        own = _of_program(statement, actor, SpaceInstallation.installation_id)
        return own, literal(ADMIN)
    statement = statement.join(Space, Space.id == SpaceInstallation.space_id)
    statement, rank = space_rank(statement, actor)
    return statement.where(rank >= CREATE, Space.deleted_at.is_(None)), rank


def site_entries(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    """They are for whoever has the role `create` on the site, and for the program itself."""
    if actor.program is not None:
        own = _of_program(statement, actor, SiteInstallation.installation_id)
        return own, literal(ADMIN)
    statement = statement.join(Site, Site.id == SiteInstallation.site_id)
    statement, rank = organization_rank(statement, actor, Site.organization_id)
    return statement.where(rank >= CREATE), rank


def events(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    """They are for administrators of the organization that publishes the integration, and for the
    program itself: an installation has those of its own."""
    if actor.operator:
        return statement, literal(ADMIN)
    statement = statement.join(Integration, Integration.id == IntegrationEvent.integration_id)
    if actor.program is Program.INSTALLATION:
        own = _of_program(statement, actor, IntegrationEvent.installation_id)
        return own, literal(READ)
    if actor.program is Program.INTEGRATION:
        return statement.where(Integration.account_id == actor.user_id), literal(READ)
    member, active = membership(actor, Integration.organization_id)
    rank = number(member.role)
    statement = statement.join(member, and_(active, rank >= ADMIN))
    return statement, case((rank >= ADMIN, ADMIN), else_=READ)
