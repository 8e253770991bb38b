"""Pages that sources make within spaces"""

import sqlalchemy as sa
from alembic import op

from db.base import ordered_text

revision = "0024_computed_pages"
down_revision = "0023_git_configurations"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("space", sa.Column("written_id", ordered_text(64)))
    op.add_column("revision", sa.Column("expands_id", ordered_text(64)))
    op.create_table(
        "computed_page",
        sa.Column(
            "space_id",
            ordered_text(64),
            sa.ForeignKey("space.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("page_id", ordered_text(64), primary_key=True),
        sa.Column("source", sa.JSON(), nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("version", sa.String(64)),
        sa.Column("tried", sa.String(64)),
        sa.Column("pages", sa.JSON(none_as_null=True)),
    )
    op.create_index("ix_computed_page_name", "computed_page", ["name"])


def downgrade() -> None:
    op.drop_table("computed_page")
    op.drop_column("revision", "expands_id")
    op.drop_column("space", "written_id")
