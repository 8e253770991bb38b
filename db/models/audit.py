"""The audit log: who did what to which object. Entries are never changed.

Triggers of the database refuse to (migration `audit`). They let go only what is older than the
time in `audit_retention`, which `docstead audit prune` sets. No entry has a foreign key: it
outlives what it names.
"""

import datetime as dt
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from db.audit_enums import AuditActorKind, AuditDoor, AuditObjectType
from db.base import Base, Id, enum_type, ordered_text, utc_now
from db.ids import new_id

NAME_LENGTH = 255
ACTION_LENGTH = 64


class AuditEntry(Base):
    """One act: a write, a sign-in, or a change of permissions.

    An act that concerns two organizations has an entry in each.
    """

    __tablename__ = "audit_entry"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    # None for what concerns an account alone.
    organization_id: Mapped[Id | None]
    action: Mapped[str] = mapped_column(ordered_text(ACTION_LENGTH))
    actor_kind: Mapped[AuditActorKind] = mapped_column(enum_type(AuditActorKind))
    actor_id: Mapped[Id | None]
    # Names are those of the time of the act.
    actor_name: Mapped[str | None] = mapped_column(String(NAME_LENGTH))
    door: Mapped[AuditDoor] = mapped_column(enum_type(AuditDoor))
    token_id: Mapped[Id | None]
    session_id: Mapped[Id | None]
    address: Mapped[str | None] = mapped_column(String(64))
    request_id: Mapped[str | None] = mapped_column(ordered_text(128))
    object_type: Mapped[AuditObjectType] = mapped_column(enum_type(AuditObjectType))
    object_id: Mapped[str | None] = mapped_column(ordered_text(512))
    object_name: Mapped[str | None] = mapped_column(String(NAME_LENGTH))
    # The person whom it is about: a member, the owner of a token, whoever was granted something.
    person_id: Mapped[Id | None]
    person_name: Mapped[str | None] = mapped_column(String(NAME_LENGTH))
    space_id: Mapped[Id | None]
    site_id: Mapped[Id | None]
    # Values before and after, of the fields that resolvers/core/audit_objects.py names.
    changes: Mapped[list[Any]] = mapped_column(JSON, default=list)
    # What was changed beside the object: the first ones, and how many there are.
    affected: Mapped[list[Any]] = mapped_column(JSON, default=list)
    affected_count: Mapped[int] = mapped_column(default=0)
    __table_args__ = (
        Index(None, "organization_id", "at", "id"),
        Index(None, "organization_id", "actor_id", "at", "id"),
        Index(None, "organization_id", "object_id", "at", "id"),
        Index(None, "organization_id", "action", "at", "id"),
        Index(None, "person_id", "at", "id"),
        Index(None, "at", "id"),
    )


class AuditMention(Base):
    """A page, a file or a reusable content that an entry is about.

    It goes with its entry, and not before.
    """

    __tablename__ = "audit_mention"
    entry_id: Mapped[Id] = mapped_column(
        ForeignKey("audit_entry.id", ondelete="CASCADE"), primary_key=True
    )
    object_id: Mapped[str] = mapped_column(ordered_text(512), primary_key=True)
    __table_args__ = (Index(None, "object_id", "entry_id"),)


class AuditRetention(Base):
    """Until when entries may be removed: at most one row."""

    __tablename__ = "audit_retention"
    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False, default=1)
    # Triggers compare it with the time of an entry.
    before: Mapped[dt.datetime]
