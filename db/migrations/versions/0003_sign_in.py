"""Sessions in browsers, and links that sign in"""

import sqlalchemy as sa
from alembic import op

from db.base import Timestamp, ordered_text

revision = "0003_sign_in"
down_revision = "0002_people"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "user_session",
        sa.Column("id", ordered_text(64), primary_key=True),
        _person(),
        sa.Column("digest", ordered_text(64), nullable=False, unique=True),
        sa.Column("method", sa.String(64), nullable=False),
        sa.Column("user_agent", sa.String(400), nullable=False),
        _time("created_at"),
        _time("last_used_at"),
        sa.Index(None, "user_id", "last_used_at", "id"),
        sa.Index(None, "last_used_at"),
    )
    op.create_table(
        "sign_in_link",
        sa.Column("digest", ordered_text(64), primary_key=True),
        _person(),
        sa.Column("method", sa.String(64), nullable=False),
        _time("created_at"),
        _time("expires_at"),
        sa.Index(None, "expires_at"),
        sa.Index(None, "user_id", "created_at"),
    )


def downgrade() -> None:
    op.drop_table("sign_in_link")
    op.drop_table("user_session")


def _person() -> sa.Column[str]:
    return sa.Column(
        "user_id",
        ordered_text(64),
        sa.ForeignKey("user_account.id", ondelete="CASCADE"),
        nullable=False,
    )


def _time(name: str) -> sa.Column[object]:
    return sa.Column(name, Timestamp(), nullable=False)
