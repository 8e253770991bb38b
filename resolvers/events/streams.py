"""Reads events for those who follow them: as they are, and as somebody may see them."""

from collections.abc import Collection, Sequence

from sqlalchemy import BigInteger, Integer, bindparam, select

from db.models.events import Event, EventCounter
from db.prepared import KEY, among
from resolvers.access.policy import must_be_operator, visible
from resolvers.core.context import Context
from resolvers.core.statements import Viewer, Written, statement
from resolvers.events.follow import FACTS

# Events that are read at once.
PORTION = 200
COLUMNS = frozenset({"id", "position", "type", *FACTS})


@statement
def _behind(viewer: Viewer) -> Written:
    return (
        select(Event)
        .where(
            Event.stream_id == bindparam("stream", type_=KEY),
            Event.position > bindparam("position", type_=BigInteger()),
        )
        .order_by(Event.position)
        .limit(bindparam("most", type_=Integer()))
    )


async def events_behind(
    ctx: Context, stream_id: str, position: int, most: int = PORTION
) -> Sequence[Event]:
    """The next events of a stream, with what they are followed by; for the server itself."""
    must_be_operator(ctx)
    return await _behind.rows(ctx, columns=COLUMNS, stream=stream_id, position=position, most=most)


@statement
def _last(viewer: Viewer) -> Written:
    return select(EventCounter.stream_id, EventCounter.last).where(
        among(EventCounter.stream_id, "streams")
    )


async def last_positions(ctx: Context, streams: Collection[str]) -> dict[str, int]:
    """The numbers of the last events of streams that have any; for the server itself."""
    must_be_operator(ctx)
    return dict(await _last.rows(ctx, streams=list(streams)))


@statement
def _seen(viewer: Viewer) -> Written:
    return visible(viewer, Event).where(among(Event.id, "ids")).order_by(Event.position)


async def visible_events(ctx: Context, ids: Sequence[str]) -> Sequence[Event]:
    """Those of the events that the caller may read now, in order."""
    return await _seen.rows(ctx, ids=ids)
