"""What the server forgets by itself."""

import datetime as dt

from sqlalchemy import and_, delete, or_, select

from db.models.notifications import Notification
from resolvers.access.policy import must_be_operator
from resolvers.core.context import Context
from resolvers.core.declarations import operation

# After they were read; and after the last time, for those that nobody reads.
READ_FOR = dt.timedelta(days=90)
UNREAD_FOR = dt.timedelta(days=365)
# Notifications that one transaction removes.
PORTION = 5_000


@operation(audited=False)
async def forget_notifications(ctx: Context, now: dt.datetime) -> int:
    """Remove a portion of the notifications that were read long ago, or that nobody reads."""
    must_be_operator(ctx)
    read = Notification.read_at < now - READ_FOR
    never = and_(Notification.read_at.is_(None), Notification.updated_at < now - UNREAD_FOR)
    old = select(Notification.id).where(or_(read, never)).limit(PORTION)
    return await ctx.session.change(delete(Notification).where(Notification.id.in_(old)))
