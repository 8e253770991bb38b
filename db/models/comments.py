"""Comments, replies and reactions."""

import datetime as dt
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, String, text
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Data, Id, enum_type, ordered_text, utc_now
from db.content_enums import CommentStatus
from db.ids import new_id


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
