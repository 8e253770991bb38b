"""Who may see jobs, and with that cancel them and try them again; what operations of Git list."""

from typing import Any

from sqlalchemy import ColumnElement, Select, and_, literal, or_, select

from db.models.git import GitEntry
from db.models.jobs import Job
from db.models.spaces import Space
from resolvers.access.ranks import ADMIN, CREATE, READ, Rank, organization_rank, space_rank
from resolvers.core.actors import Actor


def jobs(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    """Jobs are for whoever has started them and for administrators of the organization.

    Who has lost a space does not see their jobs on it any more. Work of the installation itself is
    for the operator.
    """
    return _jobs(statement, actor)


def git_entries(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    """What operations list is for whoever sees their jobs, and for whoever may synchronise the
    space."""
    return _jobs(statement.join(Job, Job.id == GitEntry.job_id), actor, role=CREATE)


def _jobs(
    statement: Select[Any], actor: Actor, role: int | None = None
) -> tuple[Select[Any], Rank]:
    statement, rank = organization_rank(statement, actor, Job.organization_id)
    if actor.operator:
        return statement, rank
    spaces, on_space = space_rank(select(Space.id), actor)

    def on_it(least: int) -> ColumnElement[bool]:
        there = Space.id == Job.space_id, on_space >= least, Space.deleted_at.is_(None)
        return spaces.where(*there).correlate(Job).exists()

    own = and_(Job.started_by_id == actor.user_id, or_(Job.space_id.is_(None), on_it(READ)))
    others = [] if role is None else [on_it(role)]
    return statement.where(or_(rank >= ADMIN, own, *others)), literal(ADMIN)
