"""Addresses that are called when a site has changed"""

import sqlalchemy as sa
from alembic import op

import db.base

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

ID = sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "site_revalidation",
        sa.Column("site_id", ID, nullable=False),
        sa.Column("url", sa.String(length=2048), nullable=False),
        sa.Column("secret", sa.String(length=128), nullable=False),
        sa.Column("updated_at", db.base.Timestamp(timezone=True), nullable=False),
        sa.Column("last_attempt_at", db.base.Timestamp(timezone=True), nullable=True),
        sa.Column("last_success_at", db.base.Timestamp(timezone=True), nullable=True),
        sa.Column("last_status", sa.Integer(), nullable=True),
        sa.Column("last_error", sa.String(length=300), nullable=True),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["site_id"],
            ["site.id"],
            name=op.f("fk_site_revalidation_site_id_site"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("site_id", name=op.f("pk_site_revalidation")),
    )


def downgrade() -> None:
    op.drop_table("site_revalidation")
