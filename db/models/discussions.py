"""Change requests, comments, replies and reactions."""

import datetime as dt
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, String, UniqueConstraint, func, text
from sqlalchemy.orm import Mapped, mapped_column, validates

from db.base import Base, Data, Id, SortKey, enum_type, ordered_text, utc_now
from db.content_enums import ChangeRequestStatus, CommentStatus, ContributionAction
from db.ids import new_id
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


def _where(name: str, condition: str, *columns: Any) -> Index:
    """An index over the rows that satisfy a condition."""
    return Index(name, *columns, sqlite_where=text(condition), postgresql_where=text(condition))


ON_SPACE = "parent_id IS NULL AND change_request_id IS NULL"
ON_CHANGE = "parent_id IS NULL AND change_request_id IS NOT NULL"


class Comment(Base):
    """A comment, or a reply to one (`parent_id` set), on a space or on a change request."""

    __tablename__ = "comment"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    space_id: Mapped[Id] = mapped_column(ForeignKey("space.id", ondelete="CASCADE"))
    change_request_id: Mapped[Id | None] = mapped_column(
        ForeignKey("change_request.id", ondelete="CASCADE")
    )
    parent_id: Mapped[Id | None] = mapped_column(ForeignKey("comment.id", ondelete="CASCADE"))
    posted_by_id: Mapped[Id] = mapped_column(ForeignKey("user_account.id"), index=True)
    posted_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    edited_at: Mapped[dt.datetime | None]
    markdown: Mapped[str]
    # The same text as a JSON document.
    document: Mapped[Data] = mapped_column(JSON)
    status: Mapped[CommentStatus] = mapped_column(
        enum_type(CommentStatus), default=CommentStatus.OPEN
    )
    resolved_at: Mapped[dt.datetime | None]
    resolved_by_id: Mapped[Id | None] = mapped_column(ForeignKey("user_account.id"))
    # What the comment stands on, as it was when it was posted.
    revision_id: Mapped[Id]
    page_id: Mapped[Id | None]
    node_id: Mapped[Id | None]
    node_preview: Mapped[str | None] = mapped_column(String(100))
    table_record: Mapped[str | None] = mapped_column(String(64))
    table_definition: Mapped[str | None] = mapped_column(String(64))
    review_id: Mapped[Id | None]
    # Lists and counters read top-level comments of a space or of a change request, with and
    # without a status or a page. Conditions keep the nulls out of the other indexes: PostgreSQL
    # does not see that "IS NULL" leaves an index sorted, and SQLite prefers an index on nulls to
    # the right one. The `_author` indexes find commenters, and serve the foreign keys.
    __table_args__ = (
        _where("ix_comment_space", ON_SPACE, "space_id", "id"),
        _where("ix_comment_space_status", ON_SPACE, "space_id", "status", "id"),
        _where("ix_comment_space_page", ON_SPACE, "space_id", "page_id", "id"),
        _where("ix_comment_change", ON_CHANGE, "change_request_id", "id"),
        _where("ix_comment_change_status", ON_CHANGE, "change_request_id", "status", "id"),
        Index(
            "ix_comment_space_author",
            *("space_id", "change_request_id", "posted_by_id", "id", "parent_id"),
        ),
        _where(
            "ix_comment_change_author",
            "change_request_id IS NOT NULL",
            *("change_request_id", "posted_by_id", "id", "parent_id"),
        ),
        _where("ix_comment_parent", "parent_id IS NOT NULL", "parent_id", "id"),
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


class Reaction(Base):
    """A person's emoji on a comment; once per person and emoji.

    `code_points` names the emoji whatever way it was given; `emoji` is how it was given.
    """

    __tablename__ = "reaction"
    comment_id: Mapped[Id] = mapped_column(
        ForeignKey("comment.id", ondelete="CASCADE"), primary_key=True
    )
    code_points: Mapped[str] = mapped_column(ordered_text(400), primary_key=True)
    user_id: Mapped[Id] = mapped_column(
        ForeignKey("user_account.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    emoji: Mapped[str] = mapped_column(String(50))
    reacted_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
