"""Invitations to organizations, and to spaces and collections of theirs."""

import datetime as dt

from sqlalchemy import CheckConstraint, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Id, RoleRank, ordered_text, utc_now
from db.enums import Role
from db.ids import new_id


class Invitation(Base):
    """An invitation of one person by mail, or a link that whoever has it may use.

    `role` is that in the organization, or on the space or the collection.
    """

    __tablename__ = "invitation"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    organization_id: Mapped[Id] = mapped_column(ForeignKey("organization.id", ondelete="CASCADE"))
    # Nobody: the operator of the server.
    inviter_id: Mapped[Id | None] = mapped_column(
        ForeignKey("user_account.id", ondelete="CASCADE"), index=True
    )
    # In small letters; None for a link.
    email: Mapped[str | None] = mapped_column(String(320))
    role: Mapped[Role | None] = mapped_column(RoleRank, nullable=False)
    space_id: Mapped[Id | None] = mapped_column(
        ForeignKey("space.id", ondelete="CASCADE"), index=True
    )
    collection_id: Mapped[Id | None] = mapped_column(
        ForeignKey("collection.id", ondelete="CASCADE"), index=True
    )
    # Whether who accepts it signs on through the organization's provider.
    sso: Mapped[bool] = mapped_column(default=False)
    # SHA-256 of the secret in its address.
    digest: Mapped[str] = mapped_column(ordered_text(64), unique=True)
    # Whether only mail has its address, so that who follows it has shown that theirs is right.
    mailed: Mapped[bool] = mapped_column(default=False)
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    # The index is for removing those that ended long ago.
    expires_at: Mapped[dt.datetime | None] = mapped_column(index=True)
    accepted_at: Mapped[dt.datetime | None]
    accepted_by_id: Mapped[Id | None] = mapped_column(
        ForeignKey("user_account.id", ondelete="SET NULL"), index=True
    )
    __table_args__ = (
        CheckConstraint("space_id IS NULL OR collection_id IS NULL", name="one_object"),
        Index(None, "organization_id", "id"),
        Index(None, "organization_id", "email"),
    )


class AccountLink(Base):
    """A link that was mailed to an address without an account: it makes one, and accepts an
    invitation by link.

    Only the SHA-256 of its secret is stored; the row is deleted when it is used.
    """

    __tablename__ = "account_link"
    digest: Mapped[str] = mapped_column(ordered_text(64), primary_key=True)
    invitation_id: Mapped[Id] = mapped_column(
        ForeignKey("invitation.id", ondelete="CASCADE"), index=True
    )
    # In small letters.
    email: Mapped[str] = mapped_column(String(320))
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    expires_at: Mapped[dt.datetime] = mapped_column(index=True)
    # The links to an address that are under way are counted.
    __table_args__ = (Index(None, "email", "created_at"),)
