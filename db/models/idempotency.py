"""Answers that are remembered for requests with the header Idempotency-Key."""

import datetime as dt

from sqlalchemy import JSON, Index, LargeBinary
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Data, ordered_text


class RememberedAnswer(Base):
    """The answer to a write, under the SHA-256 of the caller's token and key.

    It is written in the transaction of the write. Without a body the answer was too large.
    """

    __tablename__ = "remembered_answer"
    id: Mapped[str] = mapped_column(ordered_text(64), primary_key=True)
    # SHA-256 of what was asked.
    request: Mapped[str] = mapped_column(ordered_text(64))
    created_at: Mapped[dt.datetime]
    status: Mapped[int]
    headers: Mapped[Data] = mapped_column(JSON)
    size: Mapped[int]
    body: Mapped[bytes | None] = mapped_column(LargeBinary)
    # For removing what is too old.
    __table_args__ = (Index(None, "created_at"),)
