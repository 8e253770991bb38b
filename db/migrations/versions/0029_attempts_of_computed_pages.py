"""Attempts to make computed pages; what shows a revision is found by it"""

import sqlalchemy as sa
from alembic import op

from db.base import Timestamp

revision = "0029_attempts_of_computed_pages"
down_revision = "0025_sealed_webhooks"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("computed_page") as table:
        table.add_column(sa.Column("failures", sa.Integer(), nullable=False, server_default="0"))
        table.add_column(sa.Column("retry_at", Timestamp()))
    with op.batch_alter_table("computed_page") as table:
        table.alter_column("failures", server_default=None)
    op.create_index("ix_revision_expands_id", "revision", ["expands_id"])


def downgrade() -> None:
    op.drop_index("ix_revision_expands_id", "revision")
    with op.batch_alter_table("computed_page") as table:
        table.drop_column("retry_at")
        table.drop_column("failures")
