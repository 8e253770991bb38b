"""Synchronisation of spaces with Git repositories."""

import datetime as dt

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Id, enum_type, ordered_text, utc_now
from db.git_enums import GitChange, GitChangeKind, GitConfigurationDirection, GitDirection
from db.ids import new_id

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


class GitEntry(Base):
    """One change of the plan of an operation, or something that it could not merge. Those of one
    operation have their order by their ids; they go with their job."""

    __tablename__ = "git_entry"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    job_id: Mapped[Id] = mapped_column(ForeignKey("job.id", ondelete="CASCADE"))
    is_conflict: Mapped[bool]
    kind: Mapped[GitChangeKind] = mapped_column(enum_type(GitChangeKind))
    # None of conflicts.
    change: Mapped[GitChange | None] = mapped_column(enum_type(GitChange))
    # A title, name or path, what it was until now, and the part of the space that it is.
    name: Mapped[str]
    path: Mapped[str | None]
    before: Mapped[str | None]
    object_id: Mapped[Id | None]
    # Of conflicts: why, the revision of the space with the one version, the blob with the other.
    reason: Mapped[str | None]
    revision_id: Mapped[Id | None]
    blob_id: Mapped[str | None] = mapped_column(ordered_text(OID_LENGTH))
    __table_args__ = (Index(None, "job_id", "is_conflict", "id"),)


class GitConfiguration(Base):
    """A branch that a space is synchronised with by itself."""

    __tablename__ = "git_configuration"
    space_id: Mapped[Id] = mapped_column(
        ForeignKey("space.id", ondelete="CASCADE"), primary_key=True
    )
    # Whose rights it has; no foreign key: an account that is gone must not become the operator's.
    owner_id: Mapped[Id | None]
    url: Mapped[str] = mapped_column(String(URL_LENGTH))
    ref: Mapped[str] = mapped_column(String(REF_LENGTH))
    directory: Mapped[str] = mapped_column(String(DIRECTORY_LENGTH), default="")
    direction: Mapped[GitConfigurationDirection] = mapped_column(
        enum_type(GitConfigurationDirection)
    )
    # None: only when a push or an edit says so.
    interval_minutes: Mapped[int | None]
    enabled: Mapped[bool] = mapped_column(default=True)
    commit_message: Mapped[str] = mapped_column(Text())
    commit_url: Mapped[str | None] = mapped_column(String(URL_LENGTH))
    tree_url: Mapped[str | None] = mapped_column(String(URL_LENGTH))
    # What stands before the @ of the address, sealed with the key of the server; None without.
    credentials: Mapped[str | None] = mapped_column(Text())
    # The end of the address that forges send to, and what they sign with, sealed.
    hook_id: Mapped[Id] = mapped_column(unique=True)
    hook_secret: Mapped[str] = mapped_column(Text())
    # When it is looked at the branch again; None: when something happens.
    next_at: Mapped[dt.datetime | None] = mapped_column(index=True)
    # The revision whose export was started last, so that one that fails is not started at once.
    tried_revision_id: Mapped[Id | None]
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    updated_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
