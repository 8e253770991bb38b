"""Who may see notifications, and what belongs to them: the person whose they are.

What is about a space that they may not read any more is not shown to them, either.
"""

from collections.abc import Callable
from typing import Any

from sqlalchemy import Select, literal

from db.models.notifications import FeedToken, Notification, SpaceNotificationLevel
from db.models.spaces import Space
from resolvers.access.ranks import ADMIN, READ, Rank, space_rank
from resolvers.core.actors import Actor


def _own_in_space(model: Any) -> Callable[[Select[Any], Actor], tuple[Select[Any], Rank]]:
    """Rows of the actor about spaces that they may read."""

    def rule(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
        statement, rank = space_rank(statement.join(Space, Space.id == model.space_id), actor)
        readable = rank >= READ, Space.deleted_at.is_(None)
        # The operator is no person: there are none of theirs.
        return statement.where(model.user_id == actor.user_id, *readable), literal(ADMIN)

    return rule


notifications = _own_in_space(Notification)
levels = _own_in_space(SpaceNotificationLevel)


def feed_tokens(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    """Whoever has made one sees and revokes it, whatever became of the space."""
    return statement.where(FeedToken.user_id == actor.user_id), literal(ADMIN)
