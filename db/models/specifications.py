"""OpenAPI specifications: where they come from, and the versions that were made of them."""

import datetime as dt
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index, LargeBinary, String
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Id, enum_type, utc_now
from db.ids import new_id
from db.specification_enums import (
    SpecificationErrorCode,
    SpecificationState,
    SpecificationVisibility,
)

SLUG_LENGTH, URL_LENGTH, TITLE_LENGTH, FORMAT_LENGTH, TAG_LENGTH = 100, 2048, 255, 32, 255


class Specification(Base):
    """An OpenAPI specification of an organization: its source, and how its processing stands."""

    __tablename__ = "specification"
    # Whether the write at hand has made it; not stored.
    is_new = False
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    organization_id: Mapped[Id] = mapped_column(ForeignKey("organization.id", ondelete="CASCADE"))
    slug: Mapped[str] = mapped_column(String(SLUG_LENGTH))
    # One of both: where it is fetched from, or the content that is its text.
    source_url: Mapped[str | None] = mapped_column(String(URL_LENGTH))
    source_digest: Mapped[str | None] = mapped_column(String(64))
    visibility: Mapped[SpecificationVisibility] = mapped_column(enum_type(SpecificationVisibility))
    processing_state: Mapped[SpecificationState] = mapped_column(enum_type(SpecificationState))
    # How often processing was asked for: what ends with an older number is done again.
    requested: Mapped[int] = mapped_column(default=1)
    last_version_id: Mapped[Id | None]
    last_processed_at: Mapped[dt.datetime | None]
    last_process_error_code: Mapped[SpecificationErrorCode | None] = mapped_column(
        enum_type(SpecificationErrorCode)
    )
    last_processed_errors: Mapped[list[Any]] = mapped_column(JSON, default=list)
    # The entity tag of what the last version was made of, where that is one file.
    entity_tag: Mapped[str | None] = mapped_column(String(TAG_LENGTH))
    # When its source is looked at again; None for text that was processed.
    due_at: Mapped[dt.datetime | None] = mapped_column(index=True)
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    updated_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    __table_args__ = (Index(None, "organization_id", "slug", unique=True),)


class SpecificationVersion(Base):
    """What a specification was at a time: one file, as OpenAPI 3.1."""

    __tablename__ = "specification_version"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    specification_id: Mapped[Id] = mapped_column(ForeignKey("specification.id", ondelete="CASCADE"))
    # That of the specification, with which it goes.
    organization_id: Mapped[Id]
    # The content (`SpecificationContent`).
    digest: Mapped[str] = mapped_column(String(64))
    title: Mapped[str] = mapped_column(String(TITLE_LENGTH))
    # What it was written in, such as `Swagger 2.0`.
    format: Mapped[str] = mapped_column(String(FORMAT_LENGTH))
    # Bytes of the content as JSON.
    size: Mapped[int]
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    __table_args__ = (
        Index(None, "specification_id", "id"),
        Index(None, "organization_id", "digest"),
    )


class SpecificationContent(Base):
    """Bytes of sources and versions, compressed, by the SHA-256 of what they hold."""

    __tablename__ = "specification_content"
    organization_id: Mapped[Id] = mapped_column(
        ForeignKey("organization.id", ondelete="CASCADE"), primary_key=True
    )
    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    # Compressed by Zstandard.
    data: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
