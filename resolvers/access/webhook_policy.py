"""Who administers webhooks, and reads what was sent to them."""

from typing import Any

from sqlalchemy import Select, literal, or_, select

from db.models.spaces import Space
from db.models.webhooks import Webhook, WebhookDelivery
from resolvers.access.ranks import ADMIN, Rank, organization_rank, space_rank
from resolvers.core.actors import Actor


def webhooks(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    """Those of a space are for its administrators, all for those of the organization."""
    statement, rank = organization_rank(statement, actor, Webhook.organization_id)
    if actor.operator:
        return statement, rank
    spaces, on_space = space_rank(select(Space.id), actor)
    administered = spaces.where(
        Space.id == Webhook.space_id,
        Space.organization_id == Webhook.organization_id,
        Space.deleted_at.is_(None),
        on_space >= ADMIN,
    ).correlate(Webhook)
    return statement.where(or_(rank >= ADMIN, administered.exists())), literal(ADMIN)


def deliveries(statement: Select[Any], actor: Actor) -> tuple[Select[Any], Rank]:
    """Deliveries follow their endpoint."""
    return webhooks(statement.join(Webhook, Webhook.id == WebhookDelivery.webhook_id), actor)
