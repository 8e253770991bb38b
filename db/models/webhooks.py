"""Webhooks: where events are sent to, and what came of it."""

import datetime as dt
from typing import Any

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Id, enum_type, utc_now
from db.ids import new_id
from db.webhook_enums import DeliveryState, WebhookStop

URL_LENGTH, DESCRIPTION_LENGTH, TYPE_LENGTH = 2048, 255, 64
# What secrets begin with before they are sealed.
SECRET_PREFIX = "whsec_"  # noqa: S105 (no secret)


class Webhook(Base):
    """An endpoint: events of an organization, of a space or of a site are sent to it."""

    __tablename__ = "webhook"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    organization_id: Mapped[Id] = mapped_column(
        ForeignKey("organization.id", ondelete="CASCADE"), index=True
    )
    # One of both at most; none for the whole organization.
    space_id: Mapped[Id | None] = mapped_column(
        ForeignKey("space.id", ondelete="CASCADE"), index=True
    )
    site_id: Mapped[Id | None] = mapped_column(
        ForeignKey("site.id", ondelete="CASCADE"), index=True
    )
    # Whose rights decide what it gets; no foreign key: an account that is gone must not become
    # none. None: the operator's.
    owner_id: Mapped[Id | None]
    url: Mapped[str] = mapped_column(String(URL_LENGTH))
    description: Mapped[str] = mapped_column(String(DESCRIPTION_LENGTH), default="")
    # None for all types.
    types: Mapped[list[Any] | None] = mapped_column(JSON(none_as_null=True))
    enabled: Mapped[bool] = mapped_column(default=True)
    # Why the server has disabled it.
    stop: Mapped[WebhookStop | None] = mapped_column(enum_type(WebhookStop))
    # Sealed (resolvers/webhooks/signing.py).
    secret: Mapped[str] = mapped_column(Text())
    # The one before, which is valid for a while.
    old_secret: Mapped[str | None] = mapped_column(Text())
    old_secret_until: Mapped[dt.datetime | None]
    # The number of the last event that it needs no more: taken, given up, or not for it.
    position: Mapped[int] = mapped_column(BigInteger)
    # Of the first failure since it has last taken something.
    failing_since: Mapped[dt.datetime | None]
    # When the delivery that has failed is tried again.
    next_attempt_at: Mapped[dt.datetime | None]
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    updated_at: Mapped[dt.datetime] = mapped_column(default=utc_now)


class WebhookDelivery(Base):
    """An event that was sent, or a ping, with all its attempts."""

    __tablename__ = "webhook_delivery"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    webhook_id: Mapped[Id] = mapped_column(ForeignKey("webhook.id", ondelete="CASCADE"))
    # That of the endpoint, with which it goes.
    organization_id: Mapped[Id]
    # What receivers know it by: the id of the event, its own id for a ping.
    message_id: Mapped[Id]
    # The number of the event; None for a ping.
    position: Mapped[int | None] = mapped_column(BigInteger)
    type: Mapped[str] = mapped_column(String(TYPE_LENGTH))
    body: Mapped[str] = mapped_column(Text())
    state: Mapped[DeliveryState] = mapped_column(enum_type(DeliveryState))
    # How often it was sent.
    attempt_count: Mapped[int] = mapped_column(default=0)
    # Retries of the schedule that have passed (resolvers/webhooks/schedule.py).
    step: Mapped[int] = mapped_column(default=0)
    # The newest ones (resolvers/webhooks/attempts.py).
    attempts: Mapped[list[Any]] = mapped_column(JSON, default=list)
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    finished_at: Mapped[dt.datetime | None]
    __table_args__ = (
        Index(None, "webhook_id", "id"),
        Index(None, "webhook_id", "state"),
        Index(None, "created_at"),
    )
