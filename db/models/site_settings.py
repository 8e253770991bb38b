"""What belongs to a docs site beside its structure: look, audience, redirects, host names."""

import datetime as dt

from sqlalchemy import JSON, ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column, validates

from db.base import Base, Data, Id, SortKey, enum_type, ordered_text, utc_now
from db.ids import new_id, random_text
from db.site_enums import CustomHostnameStatus, PublishingAuthBackend
from db.text_order import key_of, sort_key

# 43 base-62 characters hold 256 bits; anything shorter than 36 would be guessed sooner.
PRIVATE_KEY_LENGTH = 43
SHARE_KEY_LENGTH = 20


class ShareLink(Base):
    """A secret in the address of a site; whoever has it may read the site while it is active."""

    __tablename__ = "site_share_link"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    site_id: Mapped[Id] = mapped_column(ForeignKey("site.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(50))
    name_key: Mapped[SortKey] = mapped_column(default=key_of("name"))
    active: Mapped[bool] = mapped_column(default=True)
    secret: Mapped[str] = mapped_column(
        String(64), unique=True, default=lambda: random_text(SHARE_KEY_LENGTH)
    )
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    __table_args__ = (Index(None, "site_id", "id"),)

    @validates("name")
    def _with_key(self, _: str, name: str) -> str:
        self.name_key = sort_key(name)
        return name


class PublishingAuth(Base):
    """How the visitors of a site are authenticated; every site has one row."""

    __tablename__ = "site_publishing_auth"
    site_id: Mapped[Id] = mapped_column(ForeignKey("site.id", ondelete="CASCADE"), primary_key=True)
    private_key: Mapped[str] = mapped_column(
        String(128), default=lambda: random_text(PRIVATE_KEY_LENGTH)
    )
    backend: Mapped[PublishingAuthBackend] = mapped_column(
        enum_type(PublishingAuthBackend), default=PublishingAuthBackend.CUSTOM
    )
    fallback_url: Mapped[str | None] = mapped_column(String(2048))
    integration: Mapped[str | None] = mapped_column(String(100))
    updated_at: Mapped[dt.datetime] = mapped_column(default=utc_now)


class SiteRevalidation(Base):
    """The address that is called after a change of a site, and how the last call ended."""

    __tablename__ = "site_revalidation"
    site_id: Mapped[Id] = mapped_column(ForeignKey("site.id", ondelete="CASCADE"), primary_key=True)
    url: Mapped[str] = mapped_column(String(2048))
    # What calls are signed with, sealed (`marked`, resolvers/core/sealing.py).
    secret: Mapped[str] = mapped_column(Text())
    updated_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    last_attempt_at: Mapped[dt.datetime | None]
    last_success_at: Mapped[dt.datetime | None]
    last_status: Mapped[int | None]
    last_error: Mapped[str | None] = mapped_column(String(300))
    # Attempts since the last success.
    failures: Mapped[int] = mapped_column(default=0)


class AdaptiveSchema(Base):
    """Which claims of visitors a site knows: a JSON Schema."""

    __tablename__ = "site_adaptive_schema"
    site_id: Mapped[Id] = mapped_column(ForeignKey("site.id", ondelete="CASCADE"), primary_key=True)
    json_schema: Mapped[Data] = mapped_column(JSON)
    updated_at: Mapped[dt.datetime] = mapped_column(default=utc_now)


class SiteCustomization(Base):
    """How a site looks, as far as it differs from the defaults."""

    __tablename__ = "site_customization"
    site_id: Mapped[Id] = mapped_column(ForeignKey("site.id", ondelete="CASCADE"), primary_key=True)
    settings: Mapped[Data] = mapped_column(JSON)
    updated_at: Mapped[dt.datetime] = mapped_column(default=utc_now)


class SiteSpaceCustomization(Base):
    """How one site space looks, as far as it differs from its site."""

    __tablename__ = "site_space_customization"
    site_space_id: Mapped[Id] = mapped_column(
        ForeignKey("site_space.id", ondelete="CASCADE"), primary_key=True
    )
    settings: Mapped[Data] = mapped_column(JSON)
    updated_at: Mapped[dt.datetime] = mapped_column(default=utc_now)


class SiteRedirect(Base):
    """A redirect that somebody made: from a path of the site to a place on it, or elsewhere."""

    __tablename__ = "site_redirect"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    site_id: Mapped[Id] = mapped_column(ForeignKey("site.id", ondelete="CASCADE"))
    source: Mapped[str] = mapped_column(String(512))
    # The source as it is compared: normalised and folded, without a closing `*`.
    source_key: Mapped[str] = mapped_column(ordered_text(1024))
    # An object with `kind` and the ids of the destination, or its address.
    destination: Mapped[Data] = mapped_column(JSON)
    # A source with `*` at its end; the rest of the path goes to the end of the destination.
    wildcard: Mapped[bool] = mapped_column(default=False)
    capture_wildcard: Mapped[bool] = mapped_column(default=False)
    permanent: Mapped[bool] = mapped_column(default=False)
    # Drafts do not fire.
    draft: Mapped[bool] = mapped_column(default=False)
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    updated_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    __table_args__ = (
        Index(None, "site_id", "id"),
        Index(None, "site_id", "created_at", "id"),
        Index(None, "site_id", "updated_at", "id"),
        Index("uq_site_redirect_source", "site_id", "source_key", "wildcard", unique=True),
    )


class SitePathRedirect(Base):
    """An automatic redirect: the old path of a section or a site space that was given another.

    `key` is that path from the site's root, folded: `section`, `section/space` or `space`.
    Exactly one of the targets is set.
    """

    __tablename__ = "site_path_redirect"
    site_id: Mapped[Id] = mapped_column(ForeignKey("site.id", ondelete="CASCADE"), primary_key=True)
    # Folding makes some paths longer.
    key: Mapped[str] = mapped_column(String(1024), primary_key=True)
    section_id: Mapped[Id | None] = mapped_column(
        ForeignKey("site_section.id", ondelete="CASCADE"), index=True
    )
    site_space_id: Mapped[Id | None] = mapped_column(
        ForeignKey("site_space.id", ondelete="CASCADE"), index=True
    )
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)


class SiteMcpServer(Base):
    """An MCP server that a site's assistant may use."""

    __tablename__ = "site_mcp_server"
    id: Mapped[Id] = mapped_column(primary_key=True, default=new_id)
    site_id: Mapped[Id] = mapped_column(ForeignKey("site.id", ondelete="CASCADE"))
    name: Mapped[str] = mapped_column(String(100))
    url: Mapped[str] = mapped_column(String(2048))
    headers: Mapped[Data] = mapped_column(JSON)
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
    __table_args__ = (Index(None, "site_id", "id"),)


class CustomHostname(Base):
    """A host name of the owner's that leads to a site; one host name serves one site.

    `site.hostname` repeats it once it is live.
    """

    __tablename__ = "custom_hostname"
    hostname: Mapped[str] = mapped_column(String(512), primary_key=True)
    site_id: Mapped[Id] = mapped_column(ForeignKey("site.id", ondelete="CASCADE"), unique=True)
    status: Mapped[CustomHostnameStatus] = mapped_column(
        enum_type(CustomHostnameStatus), default=CustomHostnameStatus.DNS_NO_CNAME
    )
    checked_at: Mapped[dt.datetime | None]
    # Set while a check is running.
    checking_since: Mapped[dt.datetime | None]
    created_at: Mapped[dt.datetime] = mapped_column(default=utc_now)
