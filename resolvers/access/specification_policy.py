"""Who reads OpenAPI specifications: the members of their organization that have a role, and
installations there whose integration has the scope."""

from typing import Any

from sqlalchemy import Select, and_

from db.integration_enums import InstallationStatus
from db.models.integrations import Installation, Integration
from db.models.organizations import Organization
from db.models.specifications import Specification, SpecificationVersion
from resolvers.access.ranks import READ, Rank, number, organization_rank
from resolvers.core.actors import Actor, Program


def makers(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    """Organizations, by the rank on their specifications."""
    return _rank(statement, actor, Organization.id)


def _rank(statement: Select[Any], actor: Actor, organization_id: Any) -> tuple[Select[Any], Rank]:
    """The role in the organization; of an installation what the scopes of its integration give."""
    if actor.program is not Program.INSTALLATION:
        return organization_rank(statement, actor, organization_id)
    own = and_(
        Installation.organization_id == organization_id,
        Installation.account_id == actor.user_id,
        Installation.status != InstallationStatus.PAUSED,
    )
    statement = statement.join(Installation, own)
    statement = statement.join(Integration, Integration.id == Installation.integration_id)
    return statement, number(Integration.specification_role)


def specifications(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    """Guests see those alone that pages show, in these pages."""
    statement, rank = _rank(statement, actor, Specification.organization_id)
    return statement.where(rank >= READ), rank


def versions(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    """Versions follow their specification."""
    joined = statement.join(
        Specification, Specification.id == SpecificationVersion.specification_id
    )
    return specifications(joined, actor)
