"""Reads events: of an organization, of an account; whoever reads on from one misses none."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from operator import attrgetter
from typing import Annotated, Any

import strawberry
from sqlalchemy import BigInteger, Select, String, bindparam, select, type_coerce

from db.base import Timestamp
from db.enums import TokenScope
from db.event_enums import EventTopic, EventType
from db.models.events import Event, EventCounter
from db.prepared import KEY, among
from resolvers.access.policy import visible
from resolvers.core import inputs
from resolvers.core.actors import Actor
from resolvers.core.batch_functions import ALL, Projection
from resolvers.core.context import Context
from resolvers.core.errors import invalid
from resolvers.core.event_types import EVENT_KINDS
from resolvers.core.filters import Filter, Filters
from resolvers.core.orders import by
from resolvers.core.pagination import Order, PageArguments, Slice
from resolvers.core.scopes import missing
from resolvers.core.statements import Viewer, ViewerKind, Written, statement
from resolvers.lists.batches import computed_from, reads
from resolvers.lists.bounded_counts import BoundedCount
from resolvers.lists.listing_statements import PARENTS
from resolvers.lists.listings import Listing

# Days for which events are there.
DAYS = 30
MOST_VALUES = 100
ID_LENGTH = 512


def _id(description: str) -> Any:
    return strawberry.argument(description=description)


@dataclass(frozen=True)
class EventArguments(PageArguments):
    """Which events are wanted; all that is given has to hold."""

    after_event: Annotated[
        strawberry.ID | None,
        _id("Id of an event: those after it. It has to be there still, events are for 30 days."),
    ] = field(default=None, metadata={inputs.BOUNDS: inputs.Bounds(maximum=64)})
    types: Annotated[
        list[EventType] | None, strawberry.argument(description="What has happened, one of these.")
    ] = field(default=None, metadata={inputs.BOUNDS: inputs.Bounds(maximum=MOST_VALUES)})
    topics: Annotated[
        list[EventTopic] | None, strawberry.argument(description="Of one of these topics.")
    ] = field(default=None, metadata={inputs.BOUNDS: inputs.Bounds(maximum=MOST_VALUES)})
    object_id: Annotated[str | None, _id("Id of the object.")] = field(
        default=None, metadata={inputs.BOUNDS: inputs.Bounds(maximum=ID_LENGTH)}
    )
    space: Annotated[strawberry.ID | None, _id("Id of the space.")] = None
    change_request: Annotated[strawberry.ID | None, _id("Id of the change request.")] = None
    site: Annotated[strawberry.ID | None, _id("Id of the site.")] = None
    collection: Annotated[strawberry.ID | None, _id("Id of the collection.")] = None
    user: Annotated[strawberry.ID | None, _id("Id of the person whom they are about.")] = None
    since: Annotated[
        dt.datetime | None, strawberry.argument(description="Not those before this time.")
    ] = None


@dataclass(frozen=True)
class _Chosen(EventArguments):
    """The same with the position of an event, and with the types that are meant."""

    position: int | None = None
    type_names: tuple[str, ...] | None = None


def _equal(name: str, column: Any) -> Filter:
    return Filter(name, attrgetter(name), column == bindparam(name, type_=KEY))


_FILTERS: Filters = (
    Filter(
        "position",
        lambda arguments: arguments.position,
        Event.position > bindparam("position", type_=BigInteger()),
    ),
    Filter(
        "type_names",
        lambda arguments: arguments.type_names,
        among(type_coerce(Event.type, String), "type_names"),
    ),
    _equal("object_id", Event.object_id),
    _equal("space", Event.space_id),
    _equal("change_request", Event.change_request_id),
    _equal("site", Event.site_id),
    _equal("collection", Event.collection_id),
    _equal("user", Event.user_id),
    Filter(
        "since",
        lambda arguments: arguments.since,
        Event.at >= bindparam("since", type_=Timestamp()),
    ),
)


def types_of(
    actor: Actor, types: Sequence[EventType] | None, topics: Sequence[EventTopic] | None
) -> frozenset[EventType]:
    """The types that are meant: those of the topics, and that the token of the actor may read.

    Forbidden names the scope that it lacks for a type or a topic that is asked for.
    """
    return _types_of(
        None if actor.user_id is None else actor.scopes,
        None if types is None else frozenset(types),
        None if topics is None else frozenset(topics),
    )


# Asked for whenever rights may have changed, by each who follows events.
@lru_cache(maxsize=256)
def _types_of(
    scopes: frozenset[TokenScope] | None,
    types: frozenset[EventType] | None,
    topics: frozenset[EventTopic] | None,
) -> frozenset[EventType]:
    is_named = types is not None or topics is not None
    chosen = set(EVENT_KINDS)
    if types is not None:
        chosen &= types
    if topics is not None:
        chosen = {type for type in chosen if topics & {*EVENT_KINDS[type].topics}}
    if scopes is None:
        return frozenset(chosen)
    readable = {type for type in chosen if EVENT_KINDS[type].scope in scopes}
    if is_named and chosen and not readable:
        raise missing(min((EVENT_KINDS[type].scope for type in chosen), key=attrgetter("value")))
    return frozenset(readable)


@statement
def _position(viewer: Viewer) -> Written:
    return select(Event.position).where(
        Event.id == bindparam("id", type_=KEY), among(Event.stream_id, PARENTS)
    )


async def position_of(ctx: Context, streams: Sequence[str], id: str, name: str) -> int:
    """The number of an event of one of the streams; Invalid where it is not there (any more)."""
    values: dict[str, Any] = {"id": id, PARENTS: list(streams)}
    rows = await _position.rows(ctx, **values)
    if not rows:
        problem = (
            f"{id[:64]!r} is no event that is there still: events are removed after {DAYS} days; "
            "read what you follow anew, and go on from its newest event"
        )
        raise invalid(name, problem)
    number: int = rows[0].position
    return number


async def _choose(ctx: Context, rows: Sequence[Any], arguments: EventArguments) -> EventArguments:
    types = types_of(ctx.actor, arguments.types, arguments.topics)
    names = None if len(types) == len(EVENT_KINDS) else tuple(sorted(t.value for t in types))
    position = None
    if arguments.after_event is not None:
        streams = [row.id for row in rows]
        position = await position_of(ctx, streams, arguments.after_event, "afterEvent")
    values = {name: getattr(arguments, name) for name in EventArguments.__dataclass_fields__}
    return _Chosen(**values, position=position, type_names=names)


_ORDER = Order((by(Event.position),))


_of_organizations = Listing(
    "events_of_organizations",
    Event,
    Event.stream_id,
    _ORDER,
    about="Events of organizations.",
    filters=_FILTERS,
)
_of_accounts = Listing(
    "events_of_accounts",
    Event,
    Event.stream_id,
    _ORDER,
    about="Events of accounts.",
    filters=_FILTERS,
)


def _of_stream(viewer: ViewerKind) -> Select[Any]:
    rows = visible(viewer, Event).with_only_columns(Event.id)
    return rows.where(Event.stream_id == EventCounter.stream_id)


_counts = BoundedCount(EventCounter.stream_id, _of_stream)


async def _events(
    ctx: Context,
    listing: Listing,
    rows: Sequence[Any],
    arguments: EventArguments,
    projection: Projection,
) -> list[Slice[Event]]:
    chosen = await _choose(ctx, rows, arguments)
    counter = _counts.counter(_FILTERS, chosen)
    parts = await listing(ctx, rows, chosen, projection)
    for part in parts:
        part.counter = counter
    return parts


@reads("id", scope=TokenScope.ORGANIZATION_READ)
async def events_of_organizations(
    ctx: Context,
    rows: Sequence[Any],
    arguments: EventArguments,
    projection: Projection = ALL,
) -> list[Slice[Event]]:
    """What has happened in an organization in the last 30 days, of what you may read, in order.

    More than 10,000 events are counted as 10,000.
    """
    return await _events(ctx, _of_organizations, rows, arguments, projection)


@reads("id", scope=TokenScope.ORGANIZATION_READ)
async def events_of_accounts(
    ctx: Context,
    rows: Sequence[Any],
    arguments: EventArguments,
    projection: Projection = ALL,
) -> list[Slice[Event]]:
    """What has happened to your account in the last 30 days, in order; empty for other people."""
    return await _events(ctx, _of_accounts, rows, arguments, projection)


# ------------------------------------------------------------------ fields


@dataclass(frozen=True, slots=True)
class ViewedPage:
    """A page of a site, and how often it was viewed."""

    page_id: str
    views: int


@dataclass(frozen=True, slots=True)
class EventFacts:
    """What some types of events say besides; what a type does not say is None."""

    visibility: str | None
    previous_visibility: str | None
    status: str | None
    rating: str | None
    conflicts: int | None
    parent_id: str | None
    review_id: str | None
    site_space_id: str | None
    new_organization_id: str | None
    member_of: str | None
    state: str | None
    commit_id: str | None
    views: int | None
    pages: list[ViewedPage] | None


# The members of `Event.data`.
_MEMBERS = (
    "visibility", "previousVisibility", "status", "rating", "conflicts", "parentId", "reviewId",
    "siteSpaceId", "newOrganizationId", "memberOf", "state", "commitId", "views",
)  # fmt: skip


@computed_from("data")
async def event_facts(ctx: Context, rows: Sequence[Event], arguments: Any) -> list[EventFacts]:
    """What events say besides."""
    return [_facts(row.data) for row in rows]


def _facts(data: Mapping[str, Any]) -> EventFacts:
    values: list[Any] = [*map(data.get, _MEMBERS), _viewed(data)]
    return EventFacts(*values)


def _viewed(data: Mapping[str, Any]) -> list[ViewedPage] | None:
    pages = data.get("pages")
    return None if pages is None else [ViewedPage(page["pageId"], page["views"]) for page in pages]
