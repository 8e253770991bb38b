"""Docs sites and the spaces placed on them."""

import datetime as dt
from typing import ClassVar

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, String, func
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base, Data, Id, enum_type, utc_now
from db.enums import AgentsContext, SitePreviews, SiteType, SiteVisibility
from db.ids import new_id
from db.text_order import SortedByTitle


class Site(SortedByTitle, Base):
    """A docs site built from spaces.

    A site has sections, or spaces at its root (flat), never both. `default_site_space_id` names
    the site space served at the root of a flat site, `default_section_id` the section served at
    the root of one with sections: pointers, so there can never be two. Each is empty exactly
    while there is nothing that it could name.
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
    # Of a site that is read by a key or a token nobody previews anything, whatever this says.
    previews: Mapped[SitePreviews] = mapped_column(
        enum_type(SitePreviews), default=SitePreviews.MEMBERS
    )
    default_site_space_id: Mapped[Id | None]
    default_section_id: Mapped[Id | None]
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    __table_args__ = (
        Index(None, "organization_id", "id"),
        Index(None, "organization_id", "title_key", "id"),
        Index(None, "organization_id", "created_at", "id"),
        Index(None, "hostname"),
        Index("uq_site_basename", "organization_id", "basename", unique=True),
    )


class SiteVersion(Base):
    """A number that rises with every write of a site's rows; triggers of the database keep it.

    The subject is the id of a site, or `addresses` for what decides which site an address is of.
    """

    __tablename__ = "site_version"
    subject: Mapped[Id] = mapped_column(primary_key=True)
    version: Mapped[int] = mapped_column(BigInteger)


# Addresses are compared without regard to case.
Index("ix_site_proxy_origin", func.lower(Site.proxy_origin))


class SiteSectionGroup(Base):
    """A title above sections of a site; it has no path. One group may stand in another."""

    __tablename__ = "site_section_group"
    id_prefix: ClassVar[str] = "sitegr_"
    id: Mapped[Id] = mapped_column(primary_key=True, default=lambda: new_id("sitegr_"))
    site_id: Mapped[Id] = mapped_column(ForeignKey("site.id", ondelete="CASCADE"))
    parent_id: Mapped[Id | None] = mapped_column(ForeignKey("site_section_group.id"))
    title: Mapped[str] = mapped_column(String(100))
    icon: Mapped[str | None] = mapped_column(String(50))
    # 0, 1, 2 ... among the sections and groups of one level.
    position: Mapped[int]
    # 0, 1, 2 ... among all groups of the site, in the order in which they are shown.
    place: Mapped[int] = mapped_column(default=0)
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    __table_args__ = (Index(None, "site_id", "place", "id"),)


class SiteSection(Base):
    """A part of a site with a path of its own, which holds site spaces."""

    __tablename__ = "site_section"
    id_prefix: ClassVar[str] = "sitesc_"
    id: Mapped[Id] = mapped_column(primary_key=True, default=lambda: new_id("sitesc_"))
    site_id: Mapped[Id] = mapped_column(ForeignKey("site.id", ondelete="CASCADE"))
    group_id: Mapped[Id | None] = mapped_column(ForeignKey("site_section_group.id"))
    title: Mapped[str] = mapped_column(String(128))
    description: Mapped[str | None] = mapped_column(String(256))
    path: Mapped[str] = mapped_column(String(100))
    condition: Mapped[str | None] = mapped_column(String(1024))
    icon: Mapped[str | None] = mapped_column(String(50))
    # Empty exactly while the section holds no site space.
    default_site_space_id: Mapped[Id | None]
    # 0, 1, 2 ... among the sections and groups of one level.
    position: Mapped[int]
    # 0, 1, 2 ... among all sections of the site, in the order in which they are shown.
    place: Mapped[int] = mapped_column(default=0)
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    __table_args__ = (Index(None, "site_id", "place", "id"),)


# Sections differ in the whole site, also across groups.
Index("uq_site_section_path", SiteSection.site_id, func.lower(SiteSection.path), unique=True)


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
    # 0, 1, 2 ... among all site spaces of the site, in the order in which they are shown.
    place: Mapped[int] = mapped_column(default=0)
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    __table_args__ = (
        Index("uq_site_space_space", "site_id", "space_id", unique=True),
        Index(None, "site_id", "place", "id"),
        Index(None, "section_id", "place", "id"),
    )


# Paths are compared without regard to case; the root of a site counts as a level of its own.
Index(
    "uq_site_space_path",
    SiteSpace.site_id,
    func.coalesce(SiteSpace.section_id, ""),
    func.lower(SiteSpace.path),
    unique=True,
)
