"""Who may preview the drafts of a site"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Numbers of change requests can be guessed, so sites that are there are closed, too.
    op.add_column(
        "site",
        sa.Column("previews", sa.String(length=64), nullable=False, server_default="members"),
    )


def downgrade() -> None:
    op.drop_column("site", "previews")
