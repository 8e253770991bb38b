"""Reviews of change requests, and who was asked for one."""

import datetime as dt

from sqlalchemy import ForeignKey, Index, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Id, enum_type, utc_now
from db.ids import new_id
from db.review_enums import ReviewStatus


class Review(Base):
    """What somebody thinks of a change request as it was at `revision_id`.

    `superseded` is set by a later review of the same person and by a new request for one; a
    review is outdated when it is superseded or when the change request has another revision now.
    """

    __tablename__ = "change_request_review"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    space_id: Mapped[Id] = mapped_column(ForeignKey("space.id", ondelete="CASCADE"), index=True)
    change_request_id: Mapped[Id] = mapped_column(
        ForeignKey("change_request.id", ondelete="CASCADE")
    )
    reviewer_id: Mapped[Id] = mapped_column(ForeignKey("user_account.id"), index=True)
    requested_by_id: Mapped[Id | None] = mapped_column(ForeignKey("user_account.id"), index=True)
    status: Mapped[ReviewStatus] = mapped_column(enum_type(ReviewStatus))
    revision_id: Mapped[Id]
    superseded: Mapped[bool] = mapped_column(default=False)
    # No foreign key: the comment names the review, and may be deleted.
    comment_id: Mapped[Id | None]
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    updated_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    __table_args__ = (Index(None, "change_request_id", "id"),)


class RequestedReviewer(Base):
    """A person who was asked for a review and has not submitted it."""

    __tablename__ = "change_request_reviewer"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    space_id: Mapped[Id] = mapped_column(ForeignKey("space.id", ondelete="CASCADE"), index=True)
    change_request_id: Mapped[Id] = mapped_column(
        ForeignKey("change_request.id", ondelete="CASCADE")
    )
    user_id: Mapped[Id] = mapped_column(
        ForeignKey("user_account.id", ondelete="CASCADE"), index=True
    )
    requested_by_id: Mapped[Id] = mapped_column(ForeignKey("user_account.id"), index=True)
    # The content of the change request when the person was asked.
    revision_id: Mapped[Id]
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    __table_args__ = (
        UniqueConstraint("change_request_id", "user_id"),
        Index(None, "change_request_id", "id"),
    )
