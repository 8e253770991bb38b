"""Jobs"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from db.base import Timestamp, ordered_text

revision = "0013_jobs"
down_revision = "0012_site_versions"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "job",
        _id("id", primary_key=True),
        sa.Column("kind", sa.String(64), nullable=False),
        sa.Column("state", sa.String(64), nullable=False),
        _id("organization_id", "organization"),
        _id("space_id", "space", index=True),
        _id("started_by_id"),
        _id("token_id"),
        _id("session_id"),
        sa.Column("arguments", sa.JSON(), nullable=False),
        sa.Column("unique_key", ordered_text(255)),
        sa.Column("due_at", Timestamp()),
        sa.Column("order_at", Timestamp(), nullable=False),
        sa.Column("claims", sa.Integer(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("cancel_requested", sa.Boolean(), nullable=False),
        sa.Column("stage", sa.String(64)),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer()),
        sa.Column("message", sa.String(255)),
        sa.Column("error", sa.String(1000)),
        sa.Column("result", sa.JSON()),
        sa.Column("created_at", Timestamp(), nullable=False),
        sa.Column("started_at", Timestamp()),
        sa.Column("finished_at", Timestamp()),
        sa.Index(None, "organization_id", "id"),
        sa.Index(None, "finished_at"),
        _open("ix_job_open_due_at", "due_at"),
        _open("ix_job_open_order_at", "order_at"),
        _open("ix_job_open_organization_id", "organization_id"),
        _open("uq_job_open_unique_key", "unique_key", unique=True),
    )


def downgrade() -> None:
    op.drop_table("job")


def _id(name: str, table: str = "", **options: Any) -> sa.Column[Any]:
    keys = [sa.ForeignKey(f"{table}.id", ondelete="CASCADE")] if table else []
    return sa.Column(name, ordered_text(64), *keys, **options)


def _open(name: str, column: str, *, unique: bool = False) -> sa.Index:
    has_not_ended = sa.text("due_at IS NOT NULL")
    return sa.Index(
        name, column, unique=unique, sqlite_where=has_not_ended, postgresql_where=has_not_ended
    )
