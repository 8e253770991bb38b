"""The bin: deleted spaces are kept for seven days, then removed (docs/spaces.md)."""

import datetime as dt

from sqlalchemy import bindparam, delete, or_, select

from db.models.spaces import Space
from db.prepared import among
from db.sharing import KEYS, SHARED_KEY, PointReads
from resolvers.context import Context
from resolvers.errors import Forbidden
from resolvers.policy import ranked, spaces_with_bin
from resolvers.site_writes import remove_spaces_from_sites
from resolvers.statements import Asks, Written, statement

KEPT = dt.timedelta(days=7)
# Spaces that one transaction removes: their content goes with them.
PURGE_SIZE = 10


# Not deleted, or so recently that it can be restored; the purge may come a bit later.
RECOVERABLE = or_(
    Space.deleted_at.is_(None),
    Space.deleted_at >= bindparam("bin_since", type_=Space.deleted_at.type),
)


def bin_since(ctx: Context) -> dt.datetime:
    """The parameter of RECOVERABLE: what was deleted earlier cannot be restored."""
    # To the second: reads that arrive together share a statement only with the same values.
    return ctx.now().replace(microsecond=0) - KEPT


@statement
def _in_bin(asks: Asks) -> Written:
    return select(Space.id, Space.id.label(SHARED_KEY)).where(
        among(Space.id, KEYS), Space.deleted_at.is_not(None)
    )


async def is_in_bin(points: PointReads, space_id: str) -> bool:
    """Whether a space has been deleted and is kept; for signed addresses, which name nobody."""
    return await _in_bin.read(points, space_id) is not None


async def expired_spaces(ctx: Context, now: dt.datetime) -> list[str]:
    """Ids of up to 10 spaces whose seven days in the bin are over; for the operator only."""
    if not ctx.actor.operator:
        raise Forbidden("only the operator of the server may empty the bin")
    statement, _ = ranked(ctx, Space, spaces_with_bin)
    found = await ctx.session.execute(
        statement.with_only_columns(Space.id)
        .where(Space.deleted_at < now - KEPT)
        .order_by(Space.deleted_at, Space.id)
        .limit(PURGE_SIZE)
    )
    return list(found.scalars())


async def purge_deleted_spaces(ctx: Context, now: dt.datetime) -> list[str]:
    """Remove up to 10 such spaces with all they hold; the ids of those removed.

    The bytes of their files are not in the database: `jobs/purge.py` removes them.
    """
    ids = await expired_spaces(ctx, now)
    if not ids:
        return []
    # Whoever restored one in the meantime keeps it: the condition is checked under the lock.
    still = select(Space.id).where(Space.id.in_(ids), Space.deleted_at < now - KEPT)
    ids = list((await ctx.session.execute(still.with_for_update())).scalars())
    await remove_spaces_from_sites(ctx, ids)
    await ctx.session.execute(
        delete(Space).where(Space.id.in_(ids)).execution_options(synchronize_session=False)
    )
    return ids
