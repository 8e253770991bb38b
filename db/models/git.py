"""Synchronisation of spaces with Git repositories."""

import datetime as dt

from sqlalchemy import ForeignKey, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Id, enum_type, utc_now
from db.git_enums import GitDirection

URL_LENGTH, REF_LENGTH, OID_LENGTH, DIRECTORY_LENGTH, NAME_LENGTH = 2048, 255, 40, 1024, 255


class GitSync(Base):
    """How far a space is synchronised; one that never was has none. What is said of its repository
    is in the space."""

    __tablename__ = "git_sync"
    space_id: Mapped[Id] = mapped_column(
        ForeignKey("space.id", ondelete="CASCADE"), primary_key=True
    )
    # Of the last operation that was completed: when what has triggered it happened, and the commit
    # that space and branch have had in common since.
    last_timestamp: Mapped[dt.datetime | None]
    last_direction: Mapped[GitDirection | None] = mapped_column(enum_type(GitDirection))
    last_repository: Mapped[str | None] = mapped_column(String(URL_LENGTH))
    last_ref: Mapped[str | None] = mapped_column(String(REF_LENGTH))
    last_directory: Mapped[str | None] = mapped_column(String(DIRECTORY_LENGTH))
    last_oid: Mapped[str | None] = mapped_column(String(OID_LENGTH))
    last_revision_id: Mapped[Id | None]


class GitCredential(Base):
    """The credentials of an operation that has not ended, sealed with a key that is not in the
    database."""

    __tablename__ = "git_credential"
    job_id: Mapped[Id] = mapped_column(ForeignKey("job.id", ondelete="CASCADE"), primary_key=True)
    sealed: Mapped[str] = mapped_column(Text())
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now, index=True)
