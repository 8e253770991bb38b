"""Docs sites: sections, audiences, look, redirects, host names, traffic

Every site gets a key for its visitors' tokens, and the installation one for content tokens.
"""

import datetime as dt

import sqlalchemy as sa
from alembic import op

import db.base
from db.base import ordered_text
from db.ids import random_text

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

ID = ordered_text(64)
CONTENT_TOKENS = "content-tokens"
# In an order in which they can be dropped.
TABLES = (
    "site_space_customization",
    "site_path_redirect",
    "site_section",
    "site_share_link",
    "site_section_group",
    "site_redirect",
    "site_publishing_auth",
    "site_mcp_server",
    "site_customization",
    "site_adaptive_schema",
    "insights_event",
    "custom_hostname",
)


def _index(table: str, *columns: str) -> None:
    op.create_index(op.f(f"ix_{table}_{'_'.join(columns)}"), table, list(columns))


def upgrade() -> None:
    op.create_table(
        "custom_hostname",
        sa.Column("hostname", sa.String(length=512), nullable=False),
        sa.Column("site_id", ID, nullable=False),
        sa.Column("status", sa.String(length=64), nullable=False),
        sa.Column("checked_at", db.base.Timestamp(timezone=True), nullable=True),
        sa.Column("checking_since", db.base.Timestamp(timezone=True), nullable=True),
        sa.Column("created_at", db.base.Timestamp(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["site_id"], ["site.id"], name=op.f("fk_custom_hostname_site_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("hostname", name=op.f("pk_custom_hostname")),
        sa.UniqueConstraint("site_id", name=op.f("uq_custom_hostname_site_id")),
    )
    op.create_table(
        "insights_event",
        sa.Column("id", ID, nullable=False),
        sa.Column("site_id", ID, nullable=False),
        sa.Column("happened_at", db.base.Timestamp(timezone=True), nullable=False),
        sa.Column("type", sa.String(length=64), nullable=False),
        sa.Column("visitor_id", ordered_text(128), nullable=False),
        sa.Column("session_id", ordered_text(128), nullable=False),
        sa.Column("url", sa.String(length=2048), nullable=False),
        sa.Column("section_id", ID, nullable=True),
        sa.Column("site_space_id", ID, nullable=True),
        sa.Column("page_id", ID, nullable=True),
        sa.Column("share_key", sa.String(length=64), nullable=True),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["site_id"], ["site.id"], name=op.f("fk_insights_event_site_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_insights_event")),
    )
    _index("insights_event", "happened_at")
    _index("insights_event", "site_id", "happened_at")
    op.create_table(
        "site_adaptive_schema",
        sa.Column("site_id", ID, nullable=False),
        sa.Column("json_schema", sa.JSON(), nullable=False),
        sa.Column("updated_at", db.base.Timestamp(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["site_id"],
            ["site.id"],
            name=op.f("fk_site_adaptive_schema_site_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("site_id", name=op.f("pk_site_adaptive_schema")),
    )
    op.create_table(
        "site_customization",
        sa.Column("site_id", ID, nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("updated_at", db.base.Timestamp(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["site_id"], ["site.id"], name=op.f("fk_site_customization_site_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("site_id", name=op.f("pk_site_customization")),
    )
    op.create_table(
        "site_mcp_server",
        sa.Column("id", ID, nullable=False),
        sa.Column("site_id", ID, nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("url", sa.String(length=2048), nullable=False),
        sa.Column("headers", sa.JSON(), nullable=False),
        sa.Column("created_at", db.base.Timestamp(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["site_id"], ["site.id"], name=op.f("fk_site_mcp_server_site_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_site_mcp_server")),
    )
    _index("site_mcp_server", "site_id", "id")
    op.create_table(
        "site_publishing_auth",
        sa.Column("site_id", ID, nullable=False),
        sa.Column("private_key", sa.String(length=128), nullable=False),
        sa.Column("backend", sa.String(length=64), nullable=False),
        sa.Column("fallback_url", sa.String(length=2048), nullable=True),
        sa.Column("integration", sa.String(length=100), nullable=True),
        sa.Column("updated_at", db.base.Timestamp(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["site_id"],
            ["site.id"],
            name=op.f("fk_site_publishing_auth_site_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("site_id", name=op.f("pk_site_publishing_auth")),
    )
    op.create_table(
        "site_redirect",
        sa.Column("id", ID, nullable=False),
        sa.Column("site_id", ID, nullable=False),
        sa.Column("source", sa.String(length=512), nullable=False),
        sa.Column("source_key", sa.String(length=1024), nullable=False),
        sa.Column("destination", sa.JSON(), nullable=False),
        sa.Column("wildcard", sa.Boolean(), nullable=False),
        sa.Column("capture_wildcard", sa.Boolean(), nullable=False),
        sa.Column("permanent", sa.Boolean(), nullable=False),
        sa.Column("draft", sa.Boolean(), nullable=False),
        sa.Column("created_at", db.base.Timestamp(timezone=True), nullable=False),
        sa.Column("updated_at", db.base.Timestamp(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["site_id"], ["site.id"], name=op.f("fk_site_redirect_site_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_site_redirect")),
    )
    _index("site_redirect", "site_id", "id")
    op.create_index(
        "uq_site_redirect_source",
        "site_redirect",
        ["site_id", "source_key", "wildcard"],
        unique=True,
    )
    op.create_table(
        "site_section_group",
        sa.Column("id", ID, nullable=False),
        sa.Column("site_id", ID, nullable=False),
        sa.Column("parent_id", ID, nullable=True),
        sa.Column("title", sa.String(length=100), nullable=False),
        sa.Column("icon", sa.String(length=50), nullable=True),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("created_at", db.base.Timestamp(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["parent_id"], ["site_section_group.id"], name=op.f("fk_site_section_group_parent_id")
        ),
        sa.ForeignKeyConstraint(
            ["site_id"], ["site.id"], name=op.f("fk_site_section_group_site_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_site_section_group")),
    )
    _index("site_section_group", "site_id", "position", "id")
    op.create_table(
        "site_share_link",
        sa.Column("id", ID, nullable=False),
        sa.Column("site_id", ID, nullable=False),
        sa.Column("name", sa.String(length=50), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("secret", sa.String(length=64), nullable=False),
        sa.Column("created_at", db.base.Timestamp(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["site_id"], ["site.id"], name=op.f("fk_site_share_link_site_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_site_share_link")),
        sa.UniqueConstraint("secret", name=op.f("uq_site_share_link_secret")),
    )
    _index("site_share_link", "site_id", "id")
    op.create_table(
        "site_section",
        sa.Column("id", ID, nullable=False),
        sa.Column("site_id", ID, nullable=False),
        sa.Column("group_id", ID, nullable=True),
        sa.Column("title", sa.String(length=128), nullable=False),
        sa.Column("description", sa.String(length=256), nullable=True),
        sa.Column("path", sa.String(length=100), nullable=False),
        sa.Column("condition", sa.String(length=1024), nullable=True),
        sa.Column("icon", sa.String(length=50), nullable=True),
        sa.Column("default_site_space_id", ID, nullable=True),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("created_at", db.base.Timestamp(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["group_id"], ["site_section_group.id"], name=op.f("fk_site_section_group_id")
        ),
        sa.ForeignKeyConstraint(
            ["site_id"], ["site.id"], name=op.f("fk_site_section_site_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_site_section")),
    )
    _index("site_section", "site_id", "position", "id")
    op.create_table(
        "site_path_redirect",
        sa.Column("site_id", ID, nullable=False),
        sa.Column("key", sa.String(length=256), nullable=False),
        sa.Column("section_id", ID, nullable=True),
        sa.Column("site_space_id", ID, nullable=True),
        sa.Column("created_at", db.base.Timestamp(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["section_id"],
            ["site_section.id"],
            name=op.f("fk_site_path_redirect_section_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["site_id"], ["site.id"], name=op.f("fk_site_path_redirect_site_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["site_space_id"],
            ["site_space.id"],
            name=op.f("fk_site_path_redirect_site_space_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("site_id", "key", name=op.f("pk_site_path_redirect")),
    )
    _index("site_path_redirect", "section_id")
    _index("site_path_redirect", "site_space_id")
    op.create_table(
        "site_space_customization",
        sa.Column("site_space_id", ID, nullable=False),
        sa.Column("settings", sa.JSON(), nullable=False),
        sa.Column("updated_at", db.base.Timestamp(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["site_space_id"],
            ["site_space.id"],
            name=op.f("fk_site_space_customization_site_space_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("site_space_id", name=op.f("pk_site_space_customization")),
    )
    op.add_column("site", sa.Column("default_section_id", ID, nullable=True))
    op.create_index(
        "uq_site_section_path",
        "site_section",
        ["site_id", sa.text("lower(path)")],
        unique=True,
    )
    _make_keys()


def _make_keys() -> None:
    secret = sa.table("instance_secret", sa.column("name"), sa.column("value"))
    op.bulk_insert(secret, [{"name": CONTENT_TOKENS, "value": random_text(43)}])
    site = sa.table("site", sa.column("id"))
    auth = sa.table(
        "site_publishing_auth",
        sa.column("site_id"),
        sa.column("private_key"),
        sa.column("backend"),
        sa.column("updated_at", db.base.Timestamp(timezone=True)),
    )
    now = dt.datetime.now(dt.UTC)
    rows = [
        {"site_id": id, "private_key": random_text(43), "backend": "custom", "updated_at": now}
        for id in op.get_bind().execute(sa.select(site.c.id)).scalars()
    ]
    if rows:
        op.bulk_insert(auth, rows)


def downgrade() -> None:
    secret = sa.table("instance_secret", sa.column("name"))
    op.execute(sa.delete(secret).where(secret.c.name == CONTENT_TOKENS))
    for table in TABLES:
        op.drop_table(table)
    op.drop_column("site", "default_section_id")
