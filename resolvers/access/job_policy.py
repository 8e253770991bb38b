"""Who may see jobs, and with that cancel them and try them again."""

from typing import Any

from sqlalchemy import Select, and_, literal, or_, select

from db.models.jobs import Job
from db.models.spaces import Space
from resolvers.access.ranks import ADMIN, READ, Rank, organization_rank, space_rank
from resolvers.core.actors import Actor


def jobs(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    """Jobs are for whoever has started them and for administrators of the organization.

    Who has lost a space does not see their jobs on it any more. Work of the installation itself is
    for the operator.
    """
    statement, rank = organization_rank(statement, actor, Job.organization_id)
    if actor.operator:
        return statement, rank
    spaces, on_space = space_rank(select(Space.id), actor)
    readable = spaces.where(
        Space.id == Job.space_id, on_space >= READ, Space.deleted_at.is_(None)
    ).correlate(Job)
    own = and_(Job.started_by_id == actor.user_id, or_(Job.space_id.is_(None), readable.exists()))
    return statement.where(or_(rank >= ADMIN, own)), literal(ADMIN)
