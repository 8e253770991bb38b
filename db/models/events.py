"""Events: what has happened, in the order in which it did, for whoever follows it.

Events of an organization are numbered from 1 without a gap, in the order of their commits; those
that concern an account alone have an order of their own for each account. No event has a foreign
key: it outlives what it names.
"""

import datetime as dt
from typing import Any

from sqlalchemy import JSON, BigInteger, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from db.audit_enums import AuditActorKind, AuditObjectType
from db.base import Base, Id, enum_type, ordered_text, utc_now
from db.event_enums import EventAudience, EventType
from db.ids import new_id
from db.models.audit import ACTION_LENGTH


class Event(Base):
    """Something that has happened. It holds ids and what was changed, no texts and no secrets."""

    __tablename__ = "event"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    # The organization, or the account that alone is concerned.
    stream_id: Mapped[Id]
    # Its number in the stream.
    position: Mapped[int] = mapped_column(BigInteger)
    # The stream where that is an organization.
    organization_id: Mapped[Id | None]
    type: Mapped[EventType] = mapped_column(enum_type(EventType))
    at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    actor_kind: Mapped[AuditActorKind] = mapped_column(enum_type(AuditActorKind))
    actor_id: Mapped[Id | None]
    # The operation that has done it, as the audit log calls it.
    action: Mapped[str] = mapped_column(ordered_text(ACTION_LENGTH))
    audience: Mapped[EventAudience] = mapped_column(enum_type(EventAudience))
    object_type: Mapped[AuditObjectType] = mapped_column(enum_type(AuditObjectType))
    object_id: Mapped[str | None] = mapped_column(ordered_text(512))
    # What it is about and belongs to.
    space_id: Mapped[Id | None]
    change_request_id: Mapped[Id | None]
    revision_id: Mapped[Id | None]
    page_id: Mapped[str | None] = mapped_column(ordered_text(512))
    comment_id: Mapped[Id | None]
    collection_id: Mapped[Id | None]
    site_id: Mapped[Id | None]
    team_id: Mapped[Id | None]
    user_id: Mapped[Id | None]
    # Names of the fields that were changed.
    changed: Mapped[list[Any]] = mapped_column(JSON, default=list)
    # Further facts of some types (resolvers/core/event_types.py).
    data: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    __table_args__ = (
        UniqueConstraint("stream_id", "position"),
        # What is too old is removed by it.
        Index(None, "at"),
    )


class EventCounter(Base):
    """The number of the last event of a stream; it stays when events are removed."""

    __tablename__ = "event_counter"
    stream_id: Mapped[Id] = mapped_column(primary_key=True)
    last: Mapped[int] = mapped_column(BigInteger)


# Copies of a database write counters first: on SQLite each event that follows counts, too.
Event.__table__.add_is_dependent_on(EventCounter.__table__)  # type: ignore[attr-defined]
