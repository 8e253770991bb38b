"""Docs sites and the spaces placed on them."""

import datetime as dt
from typing import ClassVar

from sqlalchemy import JSON, ForeignKey, Index, String, func
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Data, Id, enum_type, utc_now
from db.enums import AgentsContext, SiteType, SiteVisibility
from db.ids import new_id


class Site(Base):
    """A docs site built from spaces.

    `default_site_space_id` names the site space served at the root: a pointer, so there can
    never be two. It is empty exactly while the site has no site space outside sections.
    """

    __tablename__ = "site"
    id_prefix: ClassVar[str] = "site_"
    id: Mapped[Id] = mapped_column(primary_key=True, default=lambda: new_id("site_"))
    organization_id: Mapped[Id] = mapped_column(ForeignKey("organization.id", ondelete="CASCADE"))
    title: Mapped[str] = mapped_column(String(128))
    type: Mapped[SiteType] = mapped_column(enum_type(SiteType), default=SiteType.BASIC)
    visibility: Mapped[SiteVisibility] = mapped_column(
        enum_type(SiteVisibility), default=SiteVisibility.PUBLIC
    )
    published: Mapped[bool] = mapped_column(default=False)
    basename: Mapped[str | None] = mapped_column(String(100))
    hostname: Mapped[str | None] = mapped_column(String(512))
    proxy_origin: Mapped[str | None] = mapped_column(String(512))
    icon: Mapped[Data | None] = mapped_column(JSON(none_as_null=True))
    adaptive_content: Mapped[bool] = mapped_column(default=False)
    agents_context: Mapped[AgentsContext] = mapped_column(
        enum_type(AgentsContext), default=AgentsContext.INCLUDED
    )
    default_site_space_id: Mapped[Id | None]
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    __table_args__ = (
        Index(None, "organization_id", "id"),
        Index("uq_site_basename", "organization_id", "basename", unique=True),
    )


class SiteSpace(Base):
    """A space placed on a site."""

    __tablename__ = "site_space"
    id_prefix: ClassVar[str] = "sitesp_"
    id: Mapped[Id] = mapped_column(primary_key=True, default=lambda: new_id("sitesp_"))
    site_id: Mapped[Id] = mapped_column(ForeignKey("site.id", ondelete="CASCADE"))
    section_id: Mapped[Id | None]
    space_id: Mapped[Id] = mapped_column(ForeignKey("space.id", ondelete="CASCADE"), index=True)
    path: Mapped[str] = mapped_column(String(100))
    condition: Mapped[str | None] = mapped_column(String(1024))
    # 0, 1, 2 ... among the site spaces of one section, or of the site's root.
    position: Mapped[int]
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    __table_args__ = (
        Index("uq_site_space_space", "site_id", "space_id", unique=True),
        Index(None, "site_id", "position", "id"),
    )


# Paths are compared without regard to case; the root of a site counts as a level of its own.
Index(
    "uq_site_space_path",
    SiteSpace.site_id,
    func.coalesce(SiteSpace.section_id, ""),
    func.lower(SiteSpace.path),
    unique=True,
)
