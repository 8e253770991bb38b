"""Changes of plans and conflicts of Git operations, one by one"""

import sqlalchemy as sa
from alembic import op

from db.base import ordered_text

revision = "0036_git_entries"
down_revision = "0034_roles_of_integrations"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "git_entry",
        sa.Column("id", ordered_text(64), primary_key=True),
        sa.Column(
            "job_id", ordered_text(64), sa.ForeignKey("job.id", ondelete="CASCADE"), nullable=False
        ),
        sa.Column("is_conflict", sa.Boolean(), nullable=False),
        sa.Column("kind", sa.String(64), nullable=False),
        sa.Column("change", sa.String(64)),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("path", sa.Text()),
        sa.Column("before", sa.Text()),
        sa.Column("object_id", ordered_text(64)),
        sa.Column("reason", sa.Text()),
        sa.Column("revision_id", ordered_text(64)),
        sa.Column("blob_id", ordered_text(40)),
    )
    op.create_index(None, "git_entry", ["job_id", "is_conflict", "id"])


def downgrade() -> None:
    op.drop_table("git_entry")
