"""Visitors of sites by what is known of them: those with equal claims are a segment."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import orjson
from sqlalchemy import Integer, bindparam, distinct, func, select

from db.base import Timestamp
from db.enums import TokenScope
from db.models.insights import InsightsEvent
from db.models.sites import Site
from db.prepared import among
from resolvers.core.context import Context
from resolvers.core.pagination import PageArguments, Slice
from resolvers.core.statements import ViewerKind, Written, statement
from resolvers.insights.aggregates import must_create
from resolvers.insights.claims import by_path
from resolvers.insights.columns import member
from resolvers.lists.batches import reads
from resolvers.lists.memory_pages import memory_slices

DAYS = timedelta(days=30)
SEGMENTS = 1000
TITLE = 200


@dataclass(frozen=True, slots=True)
class VisitorSegment:
    """Visitors of a site with equal claims, and what they did in the last 30 days."""

    title: str
    claims: Mapping[str, Any]
    events: int
    visitors: int
    sessions: int


@statement
def _segments(viewer: ViewerKind) -> Written:
    claims = member(viewer.dialect, "claims")
    events = (
        select(
            InsightsEvent.site_id,
            claims.label("claims"),
            InsightsEvent.visitor_id,
            InsightsEvent.session_id,
        )
        .where(
            among(InsightsEvent.site_id, "sites"),
            InsightsEvent.happened_at >= bindparam("start", type_=Timestamp()),
            claims.is_not(None),
        )
        .subquery("events")
    )
    counted = func.count().label("events")
    order = (func.count().desc(), events.c.claims)
    place = func.row_number().over(partition_by=events.c.site_id, order_by=order).label("place")
    groups = (
        select(
            events.c.site_id,
            events.c.claims,
            counted,
            func.count(distinct(events.c.visitor_id)).label("visitors"),
            func.count(distinct(events.c.session_id)).label("sessions"),
            place,
        )
        .group_by(events.c.site_id, events.c.claims)
        .subquery("groups")
    )
    return (
        select(groups)
        .where(groups.c.place <= bindparam("most", type_=Integer()))
        .order_by(groups.c.site_id, groups.c.place)
    )


@reads("id", scope=TokenScope.SITE_INSIGHTS_READ)
async def visitor_segments_of_sites(
    ctx: Context, rows: Sequence[Site], arguments: PageArguments
) -> list[Slice[VisitorSegment]]:
    """Segments of the visitors of the last 30 days, at most 1,000, those with most events first.

    A segment is visitors with equal claims; those without claims are in none. Needs the
    organization role `create`.
    """
    await must_create(ctx, rows)
    segments: dict[str, list[VisitorSegment]] = {row.id: [] for row in rows}
    listed = await _segments.rows(ctx, sites=list(segments), start=ctx.now() - DAYS, most=SEGMENTS)
    for row in listed:
        claims = orjson.loads(row.claims)
        segments[row.site_id].append(
            VisitorSegment(_title(claims), claims, row.events, row.visitors, row.sessions)
        )
    ids = [row.id for row in rows]
    return memory_slices(ctx, "visitor-segments", ids, [segments[id] for id in ids], arguments)


def _title(claims: Mapping[str, Any]) -> str:
    words = ", ".join(f"{name}: {value}" for name, value in by_path(claims).items())
    return words if len(words) <= TITLE else f"{words[: TITLE - 1]}…"
