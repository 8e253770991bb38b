"""Reads events for those who follow them: as they are, and as somebody may see them."""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import BigInteger, Integer, Text, bindparam, func, literal_column, select

from db.models.events import Event, EventCounter
from db.prepared import KEY, POSTGRESQL, among, listed
from resolvers.access.policy import must_be_operator, visible
from resolvers.core.actors import Actor
from resolvers.core.context import Context
from resolvers.core.statements import Viewer, ViewerKind, Written, statement
from resolvers.events.follow import FACTS

# Events that are read at once.
PORTION = 200
# People whom one statement looks at.
MOST_PEOPLE = 100
# Stands for each of them in turn.
_VALUE: Any = literal_column("listed.value", type_=KEY)
_EACH = Actor(_VALUE)
COLUMNS = frozenset({"id", "position", "type", "changed", *FACTS})


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


@statement
def _seen_by(viewer: ViewerKind) -> Written:
    """The rule of `visible_events` for each of several people, with their ids in its place."""
    each = ViewerKind(_EACH, viewer.dialect)
    joined = func.string_agg if viewer.dialect == POSTGRESQL else func.group_concat
    seen = visible(each, Event).where(among(Event.id, "ids"))
    ids = seen.with_only_columns(joined(Event.id, ",", type_=Text()), maintain_column_froms=True)
    people = listed("people", viewer.dialect)
    return select(people.c.value.label("person"), ids.scalar_subquery().label("ids"))


async def seen_by(ctx: Context, people: Sequence[str], ids: Sequence[str]) -> dict[str, set[str]]:
    """Which of some events each of some plain people may read now; for the server itself. Who may
    read none is not there."""
    must_be_operator(ctx)
    rows = await _seen_by.rows(ctx, people=people, ids=ids)
    return {row.person: set(row.ids.split(",")) for row in rows if row.ids}


@statement
def _rows(viewer: Viewer) -> Written:
    return select(Event).where(among(Event.id, "ids")).order_by(Event.position)


async def event_rows(ctx: Context, ids: Sequence[str]) -> Sequence[Event]:
    """Events in order, for the server itself, which has asked who may read them."""
    must_be_operator(ctx)
    return await _rows.rows(ctx, ids=ids) if ids else []
