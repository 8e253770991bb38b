"""Who reads OpenAPI specifications: the members of their organization that have a role."""

from typing import Any

from sqlalchemy import Select

from db.models.specifications import Specification, SpecificationVersion
from resolvers.access.ranks import READ, Rank, organization_rank
from resolvers.core.actors import Actor


def specifications(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    """Guests see those alone that pages show, in these pages."""
    statement, rank = organization_rank(statement, actor, Specification.organization_id)
    return statement.where(rank >= READ), rank


def versions(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    """Versions follow their specification."""
    joined = statement.join(
        Specification, Specification.id == SpecificationVersion.specification_id
    )
    return specifications(joined, actor)
