"""Single sign-on: providers of organizations, and answers of providers that were taken."""

import datetime as dt
from typing import Any

from sqlalchemy import ForeignKey, Index, String, case
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Id, RoleRank, ordered_text, utc_now
from db.enums import Role
from db.ids import new_id


class SamlProvider(Base):
    """An identity provider that signs people on to an organization by SAML.

    Until its entity ID, address and certificate are there it is pending, and signs nobody on.
    """

    __tablename__ = "saml_provider"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    organization_id: Mapped[Id] = mapped_column(ForeignKey("organization.id", ondelete="CASCADE"))
    label: Mapped[str] = mapped_column(String(30))
    entity_id: Mapped[str] = mapped_column(ordered_text(1024), default="")
    sso_url: Mapped[str] = mapped_column(String(2048), default="")
    # PEM; what was given, with the armour added where it was missing.
    certificate: Mapped[str] = mapped_column(default="")
    default_team_id: Mapped[Id | None] = mapped_column(
        ForeignKey("team.id", ondelete="SET NULL"), index=True
    )
    default_role: Mapped[Role | None] = mapped_column(RoleRank, default=None, nullable=False)
    # Whether it may sign on people who belong to other organizations as well: what it says would
    # open those to whoever runs it. The operator of the server decides.
    trusted: Mapped[bool] = mapped_column(default=False)
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    __table_args__ = (Index(None, "organization_id", "id"),)


# What it still lacks keeps a provider from signing people on.
IS_ACTIVE: Any = case(
    (
        (SamlProvider.entity_id != "")
        & (SamlProvider.sso_url != "")
        & (SamlProvider.certificate != ""),
        True,
    ),
    else_=False,
)


class SignOnAnswer(Base):
    """An answer of a provider that was accepted: who the person is, until the browser that had
    asked fetches it with the code; it is never accepted again.

    A row stays longer than the request that it answers is valid.
    """

    __tablename__ = "sign_on_answer"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    # Which provider: the id of a SAML provider, or `openid:` and the name of another one.
    provider: Mapped[str] = mapped_column(ordered_text(80))
    request_id: Mapped[str] = mapped_column(ordered_text(80))
    answer_digest: Mapped[str] = mapped_column(ordered_text(64))
    code_digest: Mapped[str] = mapped_column(ordered_text(64), unique=True)
    email: Mapped[str] = mapped_column(String(320))
    display_name: Mapped[str] = mapped_column(String(64))
    expires_at: Mapped[dt.datetime] = mapped_column(index=True)
    used_at: Mapped[dt.datetime | None]
    __table_args__ = (
        Index(None, "provider", "request_id", unique=True),
        Index(None, "provider", "answer_digest", unique=True),
    )
