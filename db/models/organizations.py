"""Users, organizations, memberships, teams, service accounts and API tokens."""

import datetime as dt
from typing import Any

from sqlalchemy import JSON, ForeignKey, ForeignKeyConstraint, Index, String, func, select
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Data, Id, RoleRank, SortKey, enum_type, ordered_text, utc_now
from db.enums import CommunityType, OrganizationType, OrganizationUseCase, Role, SignInMethod
from db.ids import new_id
from db.text_order import SortedByTitle, sort_key


class User(Base):
    """A person with an account."""

    __tablename__ = "user_account"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    email: Mapped[str] = mapped_column(String(320))
    display_name: Mapped[str] = mapped_column(String(64))
    photo_url: Mapped[str | None] = mapped_column(String(2048))
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    # When it was shown that the address is theirs: by a link that was sent there, by a provider of
    # sign-on, or by the operator, who made the account.
    email_verified_at: Mapped[dt.datetime | None]


# One account per address, whatever its capitals.
Index("uq_user_account_email", func.lower(User.email), unique=True)


class Organization(SortedByTitle, Base):
    """The owner of spaces, collections and sites."""

    __tablename__ = "organization"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    title: Mapped[str] = mapped_column(String(255))
    type: Mapped[OrganizationType] = mapped_column(
        enum_type(OrganizationType), default=OrganizationType.BUSINESS
    )
    use_case: Mapped[OrganizationUseCase | None] = mapped_column(enum_type(OrganizationUseCase))
    community_type: Mapped[CommunityType | None] = mapped_column(enum_type(CommunityType))
    email_domains: Mapped[list[str]] = mapped_column(default=list)
    hostname: Mapped[str | None] = mapped_column(String(32), unique=True)
    default_role: Mapped[Role | None] = mapped_column(RoleRank, default=None, nullable=False)
    default_site_id: Mapped[Id | None]
    sso: Mapped[bool] = mapped_column(default=False)
    ai: Mapped[bool] = mapped_column(default=False)
    invite_links: Mapped[bool] = mapped_column(default=True)
    merge_rules: Mapped[Data] = mapped_column(JSON, default=lambda: {"type": "none"})
    logo_url: Mapped[str | None] = mapped_column(String(2048))
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)


def _key_of_name(context: Any) -> str:
    """The sort key of the name of the person whom a row is about."""
    person = context.get_current_parameters()["user_id"]
    name = select(User.display_name).where(User.id == person)
    return sort_key(context.connection.execute(name).scalar_one())


def _both_keys(context: Any) -> str:
    """The keys of a membership in one text."""
    values = context.get_current_parameters()
    return f"{values['organization_id']}~{values['user_id']}"


class Member(Base):
    """A person's membership in an organization; a guest has no role."""

    __tablename__ = "member"
    organization_id: Mapped[Id] = mapped_column(
        ForeignKey("organization.id", ondelete="CASCADE"), primary_key=True
    )
    user_id: Mapped[Id] = mapped_column(
        ForeignKey("user_account.id", ondelete="CASCADE"), primary_key=True, index=True
    )
    role: Mapped[Role | None] = mapped_column(RoleRank, nullable=False)
    disabled: Mapped[bool] = mapped_column(default=False)
    sso: Mapped[bool] = mapped_column(default=False)
    # Whether the account is a service account, which is in no list of people.
    service: Mapped[bool] = mapped_column(default=False)
    joined_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    last_seen_at: Mapped[dt.datetime | None]
    # The sort key of the person's name: a list of members is sorted without reading all people.
    name_key: Mapped[SortKey] = mapped_column(default=_key_of_name)
    # Lists below members find theirs by it.
    key: Mapped[str] = mapped_column(ordered_text(130), default=_both_keys)
    __table_args__ = (
        Index("ix_member_key", "key", unique=True),
        Index(None, "organization_id", "name_key", "user_id"),
        Index(None, "organization_id", "joined_at", "user_id"),
        Index(None, "organization_id", "role", "user_id"),
    )


# Members who were never seen stand where they joined.
LAST_SEEN = func.coalesce(Member.last_seen_at, Member.joined_at)
Index("ix_member_seen", Member.organization_id, LAST_SEEN, Member.user_id)


class Team(SortedByTitle, Base):
    """A named set of members that receives roles together."""

    __tablename__ = "team"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    organization_id: Mapped[Id] = mapped_column(ForeignKey("organization.id", ondelete="CASCADE"))
    title: Mapped[str] = mapped_column(String(64))
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    __table_args__ = (
        Index(None, "organization_id", "id"),
        Index(None, "organization_id", "title_key", "id"),
        Index(None, "organization_id", "created_at", "id"),
    )


class TeamMember(Base):
    """A member of an organization in one of its teams; an owner may manage the team's members.

    Who leaves the organization leaves its teams.
    """

    __tablename__ = "team_member"
    team_id: Mapped[Id] = mapped_column(ForeignKey("team.id", ondelete="CASCADE"), primary_key=True)
    user_id: Mapped[Id] = mapped_column(primary_key=True, index=True)
    organization_id: Mapped[Id]
    owner: Mapped[bool] = mapped_column(default=False)
    # As that of a membership in the organization.
    name_key: Mapped[SortKey] = mapped_column(default=_key_of_name)
    __table_args__ = (
        ForeignKeyConstraint(
            ["organization_id", "user_id"],
            ["member.organization_id", "member.user_id"],
            ondelete="CASCADE",
        ),
        Index(None, "team_id", "name_key", "user_id"),
    )


class ServiceAccount(Base):
    """An account that belongs to an organization and is no person: programs work with its tokens.

    It is a member of that organization and of no other, so the rules about members hold for it.
    """

    __tablename__ = "service_account"
    id: Mapped[Id] = mapped_column(
        ForeignKey("user_account.id", ondelete="CASCADE"), primary_key=True
    )
    organization_id: Mapped[Id] = mapped_column(ForeignKey("organization.id", ondelete="CASCADE"))
    created_by_id: Mapped[Id | None]
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    __table_args__ = (Index(None, "organization_id", "id"),)


class Token(Base):
    """An API token; only the SHA-256 of its text is kept."""

    __tablename__ = "api_token"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    user_id: Mapped[Id] = mapped_column(ForeignKey("user_account.id", ondelete="CASCADE"))
    # Of a service account: the organization that it belongs to.
    organization_id: Mapped[Id | None]
    # How the person had signed in who has made it, as their session says it; None where the
    # operator has made it.
    method: Mapped[SignInMethod | None] = mapped_column(enum_type(SignInMethod))
    provider_id: Mapped[Id | None]
    provider_organization_id: Mapped[Id | None]
    label: Mapped[str] = mapped_column(String(50))
    digest: Mapped[str] = mapped_column(ordered_text(64), unique=True)
    scopes: Mapped[list[str]]
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    expires_at: Mapped[dt.datetime | None]
    last_used_at: Mapped[dt.datetime | None]
    revoked_at: Mapped[dt.datetime | None]
    __table_args__ = (Index(None, "user_id", "id"),)
