"""Who may read the audit log."""

from typing import Any

from sqlalchemy import Select, and_, literal, or_

from db.models.audit import AuditEntry
from resolvers.access.ranks import ADMIN, Rank, administrated
from resolvers.core.actors import Actor


def entries(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    """What concerns an organization is for its administrators, what an account alone for it."""
    if actor.operator:
        return statement, literal(ADMIN)
    alone = AuditEntry.organization_id.is_(None)
    own = and_(alone, AuditEntry.person_id == actor.user_id)
    seen = or_(own, AuditEntry.organization_id.in_(administrated(actor)))
    return statement.where(seen), literal(ADMIN)
