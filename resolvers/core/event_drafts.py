"""Events as a write notes them, before they have a number."""

from dataclasses import dataclass, field
from typing import Any

from db.audit_enums import AuditObjectType
from db.event_enums import EventAudience, EventType


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """An event that a write will leave; what is None is looked up when it is written, or unknown.

    `account_id` is given for what concerns an account alone. `object_type` and `audience` are those
    of the type (resolvers/core/event_types.py) where they are None.
    """

    type: EventType
    object_id: str | None
    object_type: AuditObjectType | None = None
    audience: EventAudience | None = None
    organization_id: str | None = None
    account_id: str | None = None
    space_id: str | None = None
    change_request_id: str | None = None
    revision_id: str | None = None
    page_id: str | None = None
    comment_id: str | None = None
    collection_id: str | None = None
    site_id: str | None = None
    site_space_id: str | None = None
    team_id: str | None = None
    user_id: str | None = None
    changed: tuple[str, ...] = ()
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class PendingEvents:
    """Events of the writes of a request on their way: written or not, committed or not."""

    # Rows that a held transaction writes when it ends (resolvers/core/transactions.py): the number
    # of an event is locked from then on, and an answer that takes long comes before.
    held: list[dict[str, Any]] = field(default_factory=list)
    # Streams with events that are written.
    streams: set[str] = field(default_factory=set)
