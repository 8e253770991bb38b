"""Mail that waits to be sent."""

import datetime as dt

from sqlalchemy import Index, String
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Id, utc_now
from db.ids import new_id


class OutgoingMail(Base):
    """A message to one person, written with what it tells of; deleted when it was sent.

    A process that takes it moves `due_at` on, so that no other one does: when that process dies,
    the message is due again at that time.
    """

    __tablename__ = "outgoing_mail"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    recipient: Mapped[str] = mapped_column(String(320))
    subject: Mapped[str] = mapped_column(String(255))
    text: Mapped[str]
    # The same for programs that show HTML, and where the person stops to get such mail.
    html: Mapped[str | None]
    unsubscribe_url: Mapped[str | None]
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    due_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    # Not sent after it.
    expires_at: Mapped[dt.datetime]
    attempts: Mapped[int] = mapped_column(default=0)
    __table_args__ = (Index(None, "due_at"),)
