"""Spellings of words, for mistyped ones"""

import sqlalchemy as sa
from alembic import op

from db.base import ordered_text

revision = "0015_spellings"
down_revision = "0014_events"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Filled when the server indexes spaces again, as their index is of an older format.
    op.create_table(
        "spelling",
        sa.Column(
            "space_id",
            ordered_text(64),
            sa.ForeignKey("space.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("letters", ordered_text(64), primary_key=True),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    op.drop_table("spelling")
