"""Who may read the audit log."""

from typing import Any

from sqlalchemy import Select, literal

from db.models.audit import AuditEntry
from resolvers.access.ranks import ADMIN, Rank, organization_rank
from resolvers.core.actors import Actor


def entries(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    """What concerns an organization is for its administrators."""
    statement, rank = organization_rank(statement, actor, AuditEntry.organization_id)
    return statement.where(rank == ADMIN), rank


def own_entries(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    """What concerns an account alone is for its person."""
    statement = statement.where(AuditEntry.organization_id.is_(None))
    if not actor.operator:
        statement = statement.where(AuditEntry.person_id == actor.user_id)
    return statement, literal(ADMIN)
