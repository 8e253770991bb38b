"""Notifications of people, what they want to be notified of, and tokens of feeds."""

import datetime as dt

from sqlalchemy import BigInteger, ForeignKey, Index, String, text
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Id, enum_type, ordered_text, utc_now
from db.enums import SignInMethod
from db.ids import new_id
from db.notification_enums import DigestFrequency, NotificationKind, NotificationLevel

_UNREAD = text("read_at IS NULL")


class Notification(Base):
    """Something that a person should know of: while it is unread, more of the same counts it up."""

    __tablename__ = "notification"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[Id] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"))
    kind: Mapped[NotificationKind] = mapped_column(enum_type(NotificationKind))
    # What it is about, by which more of the same is known: a change request, a comment or a reply,
    # or a space.
    subject_id: Mapped[Id]
    space_id: Mapped[Id] = mapped_column(ForeignKey("space.id", ondelete="CASCADE"), index=True)
    change_request_id: Mapped[Id | None] = mapped_column(
        ForeignKey("change_request.id", ondelete="CASCADE"), index=True
    )
    # The comment, or the one that was answered, and the last reply.
    comment_id: Mapped[Id | None] = mapped_column(
        ForeignKey("comment.id", ondelete="CASCADE"), index=True
    )
    reply_id: Mapped[Id | None] = mapped_column(
        ForeignKey("comment.id", ondelete="SET NULL"), index=True
    )
    # Who has caused the last one, and how many there were. No foreign key: accounts stay.
    actor_id: Mapped[Id | None]
    count: Mapped[int] = mapped_column(default=1)
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    # When the last one happened.
    updated_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    read_at: Mapped[dt.datetime | None]
    # When it was sent by mail as it is; None while that is to come.
    mailed_at: Mapped[dt.datetime | None]
    __table_args__ = (
        Index(
            "uq_notification_unread", "user_id", "kind", "subject_id", unique=True,
            sqlite_where=_UNREAD, postgresql_where=_UNREAD,
        ),
        Index(None, "user_id", "updated_at", "id"),
        # Whether somebody was ever notified of a mention.
        Index(None, "subject_id", "kind"),
        # What is too old is removed by them.
        Index(None, "read_at"),
        Index(
            "ix_notification_unread_updated_at", "updated_at", sqlite_where=_UNREAD,
            postgresql_where=_UNREAD,
        ),
    )  # fmt: skip


class NotificationCursor(Base):
    """Up to which of its events the people of an organization were notified."""

    __tablename__ = "notification_cursor"
    organization_id: Mapped[Id] = mapped_column(
        ForeignKey("organization.id", ondelete="CASCADE"), primary_key=True
    )
    position: Mapped[int] = mapped_column(BigInteger)


class NotificationSettings(Base):
    """What somebody wants to be notified of, and how soon by mail; without a row the defaults."""

    __tablename__ = "notification_settings"
    user_id: Mapped[Id] = mapped_column(
        ForeignKey("user_account.id", ondelete="CASCADE"), primary_key=True
    )
    # For spaces without a setting of their own.
    level: Mapped[NotificationLevel] = mapped_column(
        enum_type(NotificationLevel), default=NotificationLevel.PARTICIPATING
    )
    digest: Mapped[DigestFrequency] = mapped_column(
        enum_type(DigestFrequency), default=DigestFrequency.DAILY
    )
    # When the next mail is to be sent; None: nothing has come since the last one.
    digest_due_at: Mapped[dt.datetime | None]
    __table_args__ = (Index(None, "digest_due_at"), Index(None, "level", "user_id"))


class SpaceNotificationLevel(Base):
    """What somebody wants to be notified of in one space."""

    __tablename__ = "space_notification_level"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[Id] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"))
    space_id: Mapped[Id] = mapped_column(ForeignKey("space.id", ondelete="CASCADE"))
    level: Mapped[NotificationLevel] = mapped_column(enum_type(NotificationLevel))
    __table_args__ = (
        Index("uq_space_notification_level", "user_id", "space_id", unique=True),
        Index(None, "space_id", "level"),
        Index(None, "user_id", "id"),
    )


class FeedToken(Base):
    """A token in the address of the feed of one space, which reads nothing else."""

    __tablename__ = "feed_token"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[Id] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"))
    space_id: Mapped[Id] = mapped_column(ForeignKey("space.id", ondelete="CASCADE"), index=True)
    label: Mapped[str] = mapped_column(String(50))
    # SHA-256 of its text, which is shown once.
    digest: Mapped[str] = mapped_column(ordered_text(64), unique=True)
    # How the person had signed in who has made it.
    method: Mapped[SignInMethod | None] = mapped_column(enum_type(SignInMethod))
    provider_id: Mapped[Id | None]
    provider_organization_id: Mapped[Id | None]
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    # When the token ends with which it was made; None: when it is revoked.
    expires_at: Mapped[dt.datetime | None]
    revoked_at: Mapped[dt.datetime | None]
    __table_args__ = (Index(None, "user_id", "id"),)
