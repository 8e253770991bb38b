"""Sessions of people in browsers, and the links that sign them in."""

import datetime as dt

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Id, enum_type, ordered_text, utc_now
from db.enums import SignInMethod
from db.ids import new_id

USER_AGENT_LENGTH = 400


class UserSession(Base):
    """A browser in which a person is signed in; only the SHA-256 of its cookie is stored.

    It ends when the row is deleted, or when it was not used for a while.
    """

    __tablename__ = "user_session"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[Id] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"))
    digest: Mapped[str] = mapped_column(ordered_text(64), unique=True)
    method: Mapped[SignInMethod] = mapped_column(enum_type(SignInMethod))
    # The SAML provider that has signed the person on, and whose it is; the provider may be gone.
    provider_id: Mapped[Id | None]
    provider_organization_id: Mapped[Id | None]
    user_agent: Mapped[str] = mapped_column(String(USER_AGENT_LENGTH), default="")
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    last_used_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    __table_args__ = (
        Index(None, "user_id", "last_used_at", "id"),
        # For removing those that have ended.
        Index(None, "last_used_at"),
    )


class SignInLink(Base):
    """A link that signs a person in once; only the SHA-256 of its secret is stored.

    The row is deleted when the link is used.
    """

    __tablename__ = "sign_in_link"
    digest: Mapped[str] = mapped_column(ordered_text(64), primary_key=True)
    user_id: Mapped[Id] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"))
    method: Mapped[SignInMethod] = mapped_column(enum_type(SignInMethod))
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    expires_at: Mapped[dt.datetime] = mapped_column(index=True)
    # The links of a person that are open are counted.
    __table_args__ = (Index(None, "user_id", "created_at"),)
