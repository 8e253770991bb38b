"""Change requests and their contributors."""

import datetime as dt

from sqlalchemy import JSON, ForeignKey, Index, String, UniqueConstraint, func
from sqlalchemy.orm import Mapped, mapped_column, validates

from db.base import Base, Data, Id, SortKey, enum_type, utc_now
from db.content_enums import ChangeRequestStatus, ContributionAction
from db.ids import new_id
from db.models.comments import ON_CHANGE, ON_SPACE, Comment, _where
from db.text_order import key_of, sort_key


class ChangeRequest(Base):
    """A proposal to change a space's content."""

    __tablename__ = "change_request"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    space_id: Mapped[Id] = mapped_column(ForeignKey("space.id", ondelete="CASCADE"))
    number: Mapped[int]
    status: Mapped[ChangeRequestStatus] = mapped_column(
        enum_type(ChangeRequestStatus), default=ChangeRequestStatus.DRAFT
    )
    subject: Mapped[str] = mapped_column(String(100), default="")
    subject_key: Mapped[SortKey] = mapped_column(default=key_of("subject"))
    description: Mapped[Data | None] = mapped_column(JSON(none_as_null=True))
    created_by_id: Mapped[Id] = mapped_column(ForeignKey("user_account.id"), index=True)
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    updated_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    revision_id: Mapped[Id]
    revision_initial_id: Mapped[Id]
    revision_merged_ancestor_id: Mapped[Id | None]
    revision_merged_id: Mapped[Id | None]
    # What `outdated` was when the request was merged or archived; None while it is active.
    outdated_when_closed: Mapped[bool | None]
    __table_args__ = (
        UniqueConstraint("space_id", "number"),
        Index(None, "space_id", "status", "number"),
        Index(None, "revision_id"),
        Index(None, "space_id", "created_at", "id"),
        Index(None, "space_id", "updated_at", "id"),
        Index(None, "space_id", "subject_key", "id"),
    )

    @validates("subject")
    def _with_key(self, _: str, subject: str) -> str:
        self.subject_key = sort_key(subject)
        return subject


class Contributor(Base):
    """A person who edited, or who commented in, a change request, and how often."""

    __tablename__ = "change_request_contributor"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    space_id: Mapped[Id] = mapped_column(ForeignKey("space.id", ondelete="CASCADE"), index=True)
    change_request_id: Mapped[Id] = mapped_column(
        ForeignKey("change_request.id", ondelete="CASCADE")
    )
    user_id: Mapped[Id] = mapped_column(
        ForeignKey("user_account.id", ondelete="CASCADE"), index=True
    )
    action: Mapped[ContributionAction] = mapped_column(enum_type(ContributionAction))
    count: Mapped[int] = mapped_column(default=1)
    updated_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    __table_args__ = (
        UniqueConstraint("change_request_id", "user_id", "action"),
        Index(None, "change_request_id", "updated_at", "id"),
    )


# Comments that were never edited stand where they were posted.
LAST_WRITTEN = func.coalesce(Comment.edited_at, Comment.posted_at)
_where("ix_comment_space_posted", ON_SPACE, Comment.space_id, Comment.posted_at, Comment.id)
_where("ix_comment_space_written", ON_SPACE, Comment.space_id, LAST_WRITTEN, Comment.id)
_where(
    "ix_comment_change_posted", ON_CHANGE,
    Comment.change_request_id, Comment.posted_at, Comment.id,
)  # fmt: skip
_where(
    "ix_comment_change_written", ON_CHANGE,
    Comment.change_request_id, LAST_WRITTEN, Comment.id,
)  # fmt: skip
