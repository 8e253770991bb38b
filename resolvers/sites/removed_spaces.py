"""Removing spaces for good, once their days in the bin are over, and taking them off sites."""

import datetime as dt

from sqlalchemy import delete, select, update

from db.models.spaces import Space
from db.models.translations import Translation
from resolvers.access.policy import ranked, spaces_with_bin
from resolvers.core.audit import record
from resolvers.core.context import Context
from resolvers.core.errors import Forbidden
from resolvers.sites.writes import remove_spaces_from_sites
from resolvers.spaces.bin import RETENTION

# Spaces that one transaction removes: their content goes with them.
PURGE_SIZE = 10


async def expired_spaces(ctx: Context, now: dt.datetime) -> list[str]:
    """Ids of up to 10 spaces whose seven days in the bin are over; for the operator only."""
    if not ctx.actor.operator:
        raise Forbidden("only the operator of the server may empty the bin")
    statement, _ = ranked(ctx, Space, spaces_with_bin)
    expired = await ctx.session.execute(
        statement.with_only_columns(Space.id)
        .where(Space.deleted_at < now - RETENTION)
        .order_by(Space.deleted_at, Space.id)
        .limit(PURGE_SIZE)
    )
    return list(expired.scalars())


async def purge_deleted_spaces(ctx: Context, now: dt.datetime) -> list[str]:
    """Remove up to 10 such spaces with all they hold; the ids of those removed.

    The bytes of their files are not in the database: `jobs/purge.py` removes them.
    """
    ids = await expired_spaces(ctx, now)
    if not ids:
        return []
    # Whoever restored one in the meantime keeps it: the condition is checked under the lock.
    still = select(Space).where(Space.id.in_(ids), Space.deleted_at < now - RETENTION)
    spaces = list((await ctx.session.execute(still.with_for_update())).scalars())
    ids = [space.id for space in spaces]
    for space in spaces:
        await record(ctx, "purge_space", space)
    await remove_spaces_from_sites(ctx, ids)
    # What the spaces were translated into can be edited from then on.
    results = select(Translation.result_space_id).where(Translation.source_space_id.in_(ids))
    await ctx.session.change(
        update(Space).where(Space.id.in_(results)).values(computed_source=None)
    )
    await ctx.session.change(delete(Space).where(Space.id.in_(ids)))
    return ids
