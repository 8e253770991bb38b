"""What a merge could not decide: conflicts of change requests."""

import datetime as dt

from sqlalchemy import JSON, ColumnElement, ForeignKey, Index, String, UniqueConstraint, or_, select
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Data, Id, enum_type, utc_now
from db.content_enums import ConflictKind, ConflictResolution
from db.ids import new_id
from db.models.content import Revision


class MergeConflict(Base):
    """One thing that a change request and its space both changed, and differently.

    `key` follows from what it is about and from the three versions: the same conflict is stored
    once. `data` is the conflict as content/merge writes it, with `base`, `ours` and `theirs`.
    """

    __tablename__ = "change_request_conflict"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    space_id: Mapped[Id] = mapped_column(ForeignKey("space.id", ondelete="CASCADE"), index=True)
    change_request_id: Mapped[Id] = mapped_column(
        ForeignKey("change_request.id", ondelete="CASCADE")
    )
    key: Mapped[Id]
    kind: Mapped[ConflictKind] = mapped_column(enum_type(ConflictKind))
    page_id: Mapped[Id | None]
    file_id: Mapped[Id | None]
    content_id: Mapped[Id | None]
    block: Mapped[str | None] = mapped_column(String(64))
    field: Mapped[str | None]
    data: Mapped[Data] = mapped_column(JSON)
    resolution: Mapped[ConflictResolution | None] = mapped_column(enum_type(ConflictResolution))
    resolved_at: Mapped[dt.datetime | None]
    resolved_by_id: Mapped[Id | None] = mapped_column(
        ForeignKey("user_account.id", ondelete="SET NULL"), index=True
    )
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    # The revision of the merge that has met it. Many conflicts are stored before that is written,
    # and are there with it: see `recorded`.
    comes_with: Mapped[Id | None]
    __table_args__ = (
        UniqueConstraint("change_request_id", "key", "comes_with"),
        Index(None, "change_request_id", "id", "comes_with"),
        Index(None, "comes_with"),
    )


def recorded(conflict: type[MergeConflict] = MergeConflict) -> ColumnElement[bool]:
    """Whether the revision of a conflict is written: before, the conflict is there for nobody."""
    written = select(Revision.id).where(Revision.id == conflict.comes_with).exists()
    return or_(conflict.comes_with.is_(None), written)
