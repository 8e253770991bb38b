"""Configurations of spaces with branches that they are synchronised with"""

import sqlalchemy as sa
from alembic import op

from db.base import Timestamp, ordered_text

revision = "0023_git_configurations"
down_revision = "0021_integrations"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "git_configuration",
        sa.Column(
            "space_id", ordered_text(64), sa.ForeignKey("space.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("owner_id", ordered_text(64)),
        sa.Column("url", sa.String(2048), nullable=False),
        sa.Column("ref", sa.String(255), nullable=False),
        sa.Column("directory", sa.String(1024), nullable=False),
        sa.Column("direction", sa.String(64), nullable=False),
        sa.Column("interval_minutes", sa.Integer()),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("commit_message", sa.Text(), nullable=False),
        sa.Column("commit_url", sa.String(2048)),
        sa.Column("tree_url", sa.String(2048)),
        sa.Column("credentials", sa.Text()),
        sa.Column("hook_id", ordered_text(64), nullable=False, unique=True),
        sa.Column("hook_secret", sa.Text(), nullable=False),
        sa.Column("next_at", Timestamp(), index=True),
        sa.Column("tried_revision_id", ordered_text(64)),
        sa.Column("created_at", Timestamp(), nullable=False),
        sa.Column("updated_at", Timestamp(), nullable=False),
    )  # fmt: skip


def downgrade() -> None:
    op.drop_table("git_configuration")
