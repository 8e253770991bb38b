"""The bin: deleted spaces stay there for seven days, then removed (docs/spaces.md)."""

import datetime as dt

from sqlalchemy import bindparam, or_, select

from db.models.spaces import Space
from db.prepared import among
from db.sharing import KEYS, SHARED_KEY, PointReads
from resolvers.core.context import Context
from resolvers.core.statements import Viewer, Written, statement

RETENTION = dt.timedelta(days=7)


# Not deleted, or so recently that it can be restored; the purge may come a bit later.
RECOVERABLE = or_(
    Space.deleted_at.is_(None),
    Space.deleted_at >= bindparam("bin_since", type_=Space.deleted_at.type),
)


def bin_since(ctx: Context, *, noted: bool = False) -> dt.datetime:
    """The parameter of RECOVERABLE: what was deleted earlier cannot be restored.

    With `noted` the answer is kept only for as long as the space is not in the bin.
    """
    now = ctx.clock() if noted else ctx.now()
    # To the second: reads that arrive together share a statement only with the same values.
    return now.replace(microsecond=0) - RETENTION


@statement
def _in_bin(viewer: Viewer) -> Written:
    return select(Space.id, Space.id.label(SHARED_KEY)).where(
        among(Space.id, KEYS), Space.deleted_at.is_not(None)
    )


async def is_in_bin(points: PointReads, space_id: str) -> bool:
    """Whether a space is in the bin; for signed addresses, which name nobody."""
    return await _in_bin.read(points, space_id) is not None
