"""Synchronisation with Git: how far spaces are, credentials of operations that are open"""

import sqlalchemy as sa
from alembic import op

from db.base import Timestamp, ordered_text

revision = "0018_git"
down_revision = "0017_notifications"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "git_sync",
        sa.Column(
            "space_id", ordered_text(64), sa.ForeignKey("space.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("last_timestamp", Timestamp()),
        sa.Column("last_direction", sa.String(64)),
        sa.Column("last_repository", sa.String(2048)),
        sa.Column("last_ref", sa.String(255)),
        sa.Column("last_directory", sa.String(1024)),
        sa.Column("last_oid", sa.String(40)),
        sa.Column("last_revision_id", ordered_text(64)),
    )  # fmt: skip
    op.add_column("space", sa.Column("git_info", sa.JSON()))
    op.create_table(
        "git_credential",
        sa.Column(
            "job_id", ordered_text(64), sa.ForeignKey("job.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("sealed", sa.Text(), nullable=False),
        sa.Column("created_at", Timestamp(), nullable=False, index=True),
    )  # fmt: skip


def downgrade() -> None:
    op.drop_table("git_credential")
    op.drop_column("space", "git_info")
    op.drop_table("git_sync")
