"""How long the server remembers what integrations got, and tunnels that nobody uses."""

import datetime as dt

from sqlalchemy import delete, select

from db.models.integrations import DevelopmentMode, IntegrationEvent
from resolvers.access.policy import must_be_operator
from resolvers.core.context import Context
from resolvers.core.declarations import operation

RETENTION = dt.timedelta(days=30)
# Without traffic, after which a development mode ends.
QUIET = dt.timedelta(days=1)
PORTION = 1_000


@operation(audited=False)
async def purge_integration_events(ctx: Context, before: dt.datetime) -> int:
    """Remove a portion of the events of integrations from before a time, delivered or not; how many
    were removed."""
    must_be_operator(ctx)
    oldest = (
        select(IntegrationEvent.id)
        .where(IntegrationEvent.created_at < before)
        .order_by(IntegrationEvent.created_at)
        .limit(PORTION)
    )
    return await ctx.session.change(delete(IntegrationEvent).where(IntegrationEvent.id.in_(oldest)))


@operation(audited=False)
async def end_development_modes(ctx: Context, before: dt.datetime) -> int:
    """End a portion of the development modes without traffic since a time; how many."""
    must_be_operator(ctx)
    quiet = (
        select(DevelopmentMode.integration_id)
        .where(DevelopmentMode.last_traffic_at < before)
        .limit(PORTION)
    )
    return await ctx.session.change(
        delete(DevelopmentMode).where(DevelopmentMode.integration_id.in_(quiet))
    )
