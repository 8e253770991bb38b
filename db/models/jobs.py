"""Jobs: work beside requests, which any worker of the installation takes up."""

import datetime as dt
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, String, text
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Data, Id, enum_type, ordered_text, utc_now
from db.ids import new_id
from db.job_enums import JobKind, JobState

STAGE_LENGTH, MESSAGE_LENGTH, ERROR_LENGTH = 64, 255, 1000
UNIQUE_KEY_LENGTH = 255
# Jobs that have not ended: all statements of workers look at these alone.
_OPEN = text("due_at IS NOT NULL")


class Job(Base):
    """One job. It is enqueued in the transaction of the change that asks for it."""

    __tablename__ = "job"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    kind: Mapped[JobKind] = mapped_column(enum_type(JobKind))
    state: Mapped[JobState] = mapped_column(enum_type(JobState), default=JobState.QUEUED)
    # None for work of the installation itself.
    organization_id: Mapped[Id | None] = mapped_column(
        ForeignKey("organization.id", ondelete="CASCADE")
    )
    # The space that it is about: who may not read it does not see the job.
    space_id: Mapped[Id | None] = mapped_column(
        ForeignKey("space.id", ondelete="CASCADE"), index=True
    )
    # Who has started it, and with what: it has their rights of the time at which it runs. No
    # foreign keys: a token that is gone must not become none. None of all: the operator's.
    started_by_id: Mapped[Id | None]
    token_id: Mapped[Id | None]
    session_id: Mapped[Id | None]
    # What the handler of its kind gets.
    arguments: Mapped[Data] = mapped_column(JSON, default=dict)
    # Of jobs that have not ended, only one has a key.
    unique_key: Mapped[str | None] = mapped_column(ordered_text(UNIQUE_KEY_LENGTH))
    # When a worker may take it: for a queued one the time from which on, for a running one the end
    # of its lease; None once it has ended.
    due_at: Mapped[dt.datetime | None]
    # Which of those that are due comes first: `due_at` and what its priority lets it wait.
    order_at: Mapped[dt.datetime]
    # How often a worker has taken it: only the last one may write.
    claims: Mapped[int] = mapped_column(default=0)
    # How often it was tried; a worker that stops in an orderly manner takes its attempt back.
    attempts: Mapped[int] = mapped_column(default=0)
    cancel_requested: Mapped[bool] = mapped_column(default=False)
    stage: Mapped[str | None] = mapped_column(String(STAGE_LENGTH))
    done: Mapped[int] = mapped_column(default=0)
    total: Mapped[int | None]
    message: Mapped[str | None] = mapped_column(String(MESSAGE_LENGTH))
    # What was wrong in the last attempt, for whoever has started it.
    error: Mapped[str | None] = mapped_column(String(ERROR_LENGTH))
    result: Mapped[dict[str, Any] | None] = mapped_column(JSON(none_as_null=True))
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    started_at: Mapped[dt.datetime | None]
    finished_at: Mapped[dt.datetime | None]
    __table_args__ = (
        Index(None, "organization_id", "id"),
        Index(None, "finished_at"),
        Index("ix_job_open_due_at", "due_at", sqlite_where=_OPEN, postgresql_where=_OPEN),
        Index("ix_job_open_order_at", "order_at", sqlite_where=_OPEN, postgresql_where=_OPEN),
        Index(
            "ix_job_open_organization_id", "organization_id", sqlite_where=_OPEN,
            postgresql_where=_OPEN,
        ),
        Index(
            "uq_job_open_unique_key", "unique_key", unique=True, sqlite_where=_OPEN,
            postgresql_where=_OPEN,
        ),
    )  # fmt: skip
