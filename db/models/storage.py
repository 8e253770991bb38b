"""Files of organizations: uploads, and the fonts that were made of them."""

import datetime as dt
from typing import Any

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Id, enum_type, utc_now
from db.ids import new_id
from db.storage_enums import StorageUploadKind

FAMILY_LENGTH, NAME_LENGTH, TYPE_LENGTH = 50, 255, 255


class StorageUpload(Base):
    """A file that was announced, and its bytes once they are there: in the store under its id."""

    __tablename__ = "storage_upload"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    organization_id: Mapped[Id] = mapped_column(ForeignKey("organization.id", ondelete="CASCADE"))
    # Who uploads it, and alone may use it; None: the operator.
    user_id: Mapped[Id | None] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"))
    kind: Mapped[StorageUploadKind] = mapped_column(enum_type(StorageUploadKind))
    name: Mapped[str] = mapped_column(String(NAME_LENGTH))
    content_type: Mapped[str] = mapped_column(String(TYPE_LENGTH))
    size: Mapped[int] = mapped_column(BigInteger)
    sha256: Mapped[str | None] = mapped_column(String(64))
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    uploaded_at: Mapped[dt.datetime | None]
    # When something was made of it, which happens once.
    used_at: Mapped[dt.datetime | None]
    # Whether what was made of it needs the bytes for good.
    lasting: Mapped[bool] = mapped_column(default=False)
    __table_args__ = (
        Index(None, "organization_id", "created_at"),
        Index(None, "user_id"),
        Index(None, "created_at"),
    )


class CustomFont(Base):
    """A font of an organization. Each face has a weight, and the upload with its file."""

    __tablename__ = "custom_font"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    organization_id: Mapped[Id] = mapped_column(ForeignKey("organization.id", ondelete="CASCADE"))
    font_family: Mapped[str] = mapped_column(String(FAMILY_LENGTH))
    # [{"weight", "upload", "sha256", "format"}]
    faces: Mapped[list[Any]] = mapped_column(JSON, default=list)
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    updated_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    __table_args__ = (Index(None, "organization_id", "id"),)


class AgentInstructions(Base):
    """What agents are to know about an organization: a document."""

    __tablename__ = "agent_instructions"
    organization_id: Mapped[Id] = mapped_column(
        ForeignKey("organization.id", ondelete="CASCADE"), primary_key=True
    )
    document: Mapped[dict[str, Any]] = mapped_column(JSON, default=dict)
    updated_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    updated_by_id: Mapped[Id | None] = mapped_column(
        ForeignKey("user_account.id", ondelete="SET NULL")
    )
