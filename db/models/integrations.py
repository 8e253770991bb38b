"""Integrations: what was published, where it is installed, and the events that it gets."""

import datetime as dt
from typing import Any

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Id, RoleRank, enum_type, ordered_text, utc_now
from db.enums import Role
from db.ids import new_id
from db.integration_enums import (
    InstallationSelection as Selection,
    InstallationStatus as Status,
    IntegrationEventStatus,
    IntegrationRuntime,
    IntegrationTarget,
    IntegrationVisibility,
)

NAME_LENGTH, TITLE_LENGTH, DESCRIPTION_LENGTH, SUMMARY_LENGTH = 100, 30, 100, 2048
TUNNEL_LENGTH, EXTERNAL_ID_LENGTH, TYPE_LENGTH, MARK_LENGTH = 256, 255, 64, 22
# Of an entry: the ids of the installation and of the space or site.
ENTRY_ID_LENGTH = 130


class Integration(Base):
    """An integration as it was last published."""

    __tablename__ = "integration"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    name: Mapped[str] = mapped_column(ordered_text(NAME_LENGTH), unique=True)
    # The one that publishes it.
    organization_id: Mapped[Id] = mapped_column(
        ForeignKey("organization.id", ondelete="CASCADE"), index=True
    )
    # The account that its token acts for.
    account_id: Mapped[Id] = mapped_column(
        ForeignKey("user_account.id", ondelete="CASCADE"), unique=True
    )
    # Counts how often it was published.
    version: Mapped[int] = mapped_column(default=1)
    runtime: Mapped[IntegrationRuntime] = mapped_column(enum_type(IntegrationRuntime))
    title: Mapped[str] = mapped_column(String(TITLE_LENGTH))
    description: Mapped[str] = mapped_column(String(DESCRIPTION_LENGTH))
    summary: Mapped[str | None] = mapped_column(Text())
    visibility: Mapped[IntegrationVisibility] = mapped_column(enum_type(IntegrationVisibility))
    target: Mapped[IntegrationTarget] = mapped_column(enum_type(IntegrationTarget))
    verified: Mapped[bool] = mapped_column(default=False)
    scopes: Mapped[list[str]]
    categories: Mapped[list[str]]
    blocks: Mapped[list[Any]] = mapped_column(JSON)
    content_sources: Mapped[list[Any]] = mapped_column(JSON)
    # The prefixes of URLs that its blocks unfold, each between line ends.
    block_domains: Mapped[str] = mapped_column(Text(), default="")
    external_links: Mapped[list[Any]] = mapped_column(JSON)
    # By `account`, `space` and `site`: a schema, or `{"componentId"}`.
    configurations: Mapped[dict[str, Any]] = mapped_column(JSON)
    # What its scopes give it on spaces and sites that it is installed on, and on specifications of
    # organizations that have installed it.
    space_role: Mapped[Role | None] = mapped_column(RoleRank, nullable=False)
    site_role: Mapped[Role | None] = mapped_column(RoleRank, nullable=False)
    specification_role: Mapped[Role | None] = mapped_column(RoleRank, nullable=False)
    # A text, or an object of directives.
    content_security_policy: Mapped[Any] = mapped_column(JSON(none_as_null=True), nullable=True)
    # Under which the script and the pictures of this version are in the store of files.
    files_id: Mapped[Id] = mapped_column(index=True)
    script_sha256: Mapped[str] = mapped_column(String(64))
    script_size: Mapped[int]
    # Pictures: `{"sha256", "type"}`.
    icon: Mapped[Any] = mapped_column(JSON(none_as_null=True), nullable=True)
    previews: Mapped[list[Any]] = mapped_column(JSON)
    # A JSON object of texts, sealed (resolvers/core/sealing.py).
    secrets: Mapped[str] = mapped_column(Text())
    # What it signs with, sealed; those of installations and entries follow from theirs.
    signing_secret: Mapped[str] = mapped_column(Text())
    # What its tokens name: they end when it is another one.
    token_mark: Mapped[str] = mapped_column(String(MARK_LENGTH))
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    updated_at: Mapped[dt.datetime] = mapped_column(default=utc_now)


class DevelopmentMode(Base):
    """Where events of an integration are sent while somebody develops it."""

    __tablename__ = "integration_development"
    integration_id: Mapped[Id] = mapped_column(
        ForeignKey("integration.id", ondelete="CASCADE"), primary_key=True
    )
    # That of the integration, with which it goes.
    organization_id: Mapped[Id]
    tunnel_url: Mapped[str] = mapped_column(String(TUNNEL_LENGTH))
    # Whether events of all organizations are sent there, or those of the owner alone.
    all: Mapped[bool] = mapped_column(default=False)
    # It ends by itself a day after the last request that the tunnel has answered.
    last_traffic_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)


class Installation(Base):
    """An integration that is installed in an organization."""

    __tablename__ = "installation"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    integration_id: Mapped[Id] = mapped_column(ForeignKey("integration.id", ondelete="CASCADE"))
    organization_id: Mapped[Id] = mapped_column(ForeignKey("organization.id", ondelete="CASCADE"))
    # The account that its tokens act for: a guest of the organization.
    account_id: Mapped[Id] = mapped_column(
        ForeignKey("user_account.id", ondelete="CASCADE"), unique=True
    )
    status: Mapped[Status] = mapped_column(enum_type(Status))
    # Values that are secret are `{"$sealed": text}`.
    configuration: Mapped[dict[str, Any]] = mapped_column(JSON)
    space_selection: Mapped[Selection] = mapped_column(enum_type(Selection))
    site_selection: Mapped[Selection] = mapped_column(enum_type(Selection))
    external_ids: Mapped[list[str]] = mapped_column(JSON, default=list)
    # Sealed.
    signing_secret: Mapped[str] = mapped_column(Text())
    # Deliveries that have failed since one was taken.
    failures: Mapped[int] = mapped_column(default=0)
    # The number of the last event of the organization that was looked at (`Event.position`).
    position: Mapped[int] = mapped_column(BigInteger)
    # When the event that has failed is tried again; later ones wait behind it.
    next_attempt_at: Mapped[dt.datetime | None]
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    updated_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    __table_args__ = (
        Index(None, "integration_id", "organization_id", unique=True),
        Index(None, "organization_id", "id"),
        Index(None, "integration_id", "id"),
    )


class SpaceInstallation(Base):
    """The entry of an installation for a space; its id is made of both of theirs."""

    __tablename__ = "space_installation"
    id: Mapped[str] = mapped_column(ordered_text(ENTRY_ID_LENGTH), primary_key=True)
    installation_id: Mapped[Id] = mapped_column(ForeignKey("installation.id", ondelete="CASCADE"))
    space_id: Mapped[Id] = mapped_column(ForeignKey("space.id", ondelete="CASCADE"), index=True)
    # Those of the installation.
    integration_id: Mapped[Id]
    organization_id: Mapped[Id]
    status: Mapped[Status] = mapped_column(enum_type(Status))
    configuration: Mapped[dict[str, Any]] = mapped_column(JSON)
    external_ids: Mapped[list[str]] = mapped_column(JSON)
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    updated_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    __table_args__ = (
        Index(None, "installation_id", "id"),
        Index(None, "integration_id", "id"),
    )


class SiteInstallation(Base):
    """The entry of an installation for a site; its id is made of both of theirs."""

    __tablename__ = "site_installation"
    id: Mapped[str] = mapped_column(ordered_text(ENTRY_ID_LENGTH), primary_key=True)
    installation_id: Mapped[Id] = mapped_column(ForeignKey("installation.id", ondelete="CASCADE"))
    site_id: Mapped[Id] = mapped_column(ForeignKey("site.id", ondelete="CASCADE"), index=True)
    # Those of the installation.
    integration_id: Mapped[Id]
    organization_id: Mapped[Id]
    status: Mapped[Status] = mapped_column(enum_type(Status))
    configuration: Mapped[dict[str, Any]] = mapped_column(JSON)
    external_ids: Mapped[list[str]] = mapped_column(JSON)
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    updated_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    __table_args__ = (
        Index(None, "installation_id", "id"),
        Index(None, "integration_id", "id"),
    )


class ExternalId(Base):
    """An external id of an installation or of one of its entries, to find these by it."""

    __tablename__ = "installation_external_id"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    integration_id: Mapped[Id]
    value: Mapped[str] = mapped_column(ordered_text(EXTERNAL_ID_LENGTH))
    # One of the three.
    installation_id: Mapped[Id | None] = mapped_column(
        ForeignKey("installation.id", ondelete="CASCADE"), index=True
    )
    space_entry_id: Mapped[str | None] = mapped_column(
        ordered_text(ENTRY_ID_LENGTH),
        ForeignKey("space_installation.id", ondelete="CASCADE"),
        index=True,
    )
    site_entry_id: Mapped[str | None] = mapped_column(
        ordered_text(ENTRY_ID_LENGTH),
        ForeignKey("site_installation.id", ondelete="CASCADE"),
        index=True,
    )
    __table_args__ = (Index(None, "integration_id", "value"),)


class IntegrationEvent(Base):
    """An event for an integration: waiting for its delivery, or with what came of it."""

    __tablename__ = "integration_event"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    integration_id: Mapped[Id] = mapped_column(ForeignKey("integration.id", ondelete="CASCADE"))
    # It stays when the installation is gone.
    installation_id: Mapped[Id | None]
    # The organization of the installation; the owner's where there is none.
    organization_id: Mapped[Id]
    type: Mapped[str] = mapped_column(String(TYPE_LENGTH))
    # As the integration gets it.
    payload: Mapped[dict[str, Any]] = mapped_column(JSON)
    # None while it waits.
    status: Mapped[IntegrationEventStatus | None] = mapped_column(enum_type(IntegrationEventStatus))
    # `{"message", "timestamp", "level"}`.
    logs: Mapped[list[Any]] = mapped_column(JSON, default=list)
    # The number of the event of the organization that it was made of.
    position: Mapped[int | None] = mapped_column(BigInteger)
    attempt_count: Mapped[int] = mapped_column(default=0)
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    finished_at: Mapped[dt.datetime | None]
    __table_args__ = (
        Index(None, "integration_id", "id"),
        Index(None, "installation_id", "status", "id"),
        Index(None, "created_at"),
    )


class IntegrationTask(Base):
    """A task that an integration has queued for itself."""

    __tablename__ = "integration_task"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    integration_id: Mapped[Id] = mapped_column(ForeignKey("integration.id", ondelete="CASCADE"))
    task: Mapped[dict[str, Any]] = mapped_column(JSON)
    due_at: Mapped[dt.datetime] = mapped_column(index=True)
    attempt_count: Mapped[int] = mapped_column(default=0)
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    __table_args__ = (Index(None, "integration_id", "id"),)


class IntegrationBlock(Base):
    """What an integration has last drawn for a block of a space.

    `digest` names the block: integration, block and properties. `seed` is what it was last drawn
    from beside these: the versions and the configuration; `due_at` is when it is to be drawn anew.
    `shown` is the last good result, `{"element", "state"}`; null before there was one.
    """

    __tablename__ = "integration_block"
    space_id: Mapped[Id] = mapped_column(
        ForeignKey("space.id", ondelete="CASCADE"), primary_key=True
    )
    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    integration_id: Mapped[Id] = mapped_column(
        ForeignKey("integration.id", ondelete="CASCADE"), index=True
    )
    seed: Mapped[str] = mapped_column(String(64))
    shown: Mapped[Any] = mapped_column(JSON(none_as_null=True), nullable=True)
    # Attempts that have failed since one has not.
    failures: Mapped[int] = mapped_column(default=0)
    due_at: Mapped[dt.datetime] = mapped_column(index=True)
