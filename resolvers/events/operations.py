"""What the server does with events by itself: removing those that are too old."""

import datetime as dt

from sqlalchemy import delete, select

from db.models.events import Event
from resolvers.access.policy import must_be_operator
from resolvers.core.context import Context
from resolvers.core.declarations import operation
from resolvers.events.fields import DAYS

# How long events can be read.
RETENTION = dt.timedelta(days=DAYS)
# Events that one transaction removes.
PORTION = 5_000


@operation(audited=False)
async def purge_events(ctx: Context, before: dt.datetime) -> int:
    """Remove a portion of the events from before a time; how many were removed."""
    must_be_operator(ctx)
    oldest = select(Event.id).where(Event.at < before).order_by(Event.at).limit(PORTION)
    return await ctx.session.change(delete(Event).where(Event.id.in_(oldest)))
