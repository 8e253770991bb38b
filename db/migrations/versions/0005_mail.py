"""Mail waits in a table; addresses of accounts are verified"""

import sqlalchemy as sa
from alembic import op

from db.base import Timestamp, ordered_text

revision = "0005_mail"
down_revision = "0004_audit"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "outgoing_mail",
        sa.Column("id", ordered_text(64), primary_key=True),
        sa.Column("recipient", sa.String(320), nullable=False),
        sa.Column("subject", sa.String(255), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("created_at", Timestamp(), nullable=False),
        sa.Column("due_at", Timestamp(), nullable=False),
        sa.Column("expires_at", Timestamp(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Index(None, "due_at"),
    )
    op.add_column("user_account", sa.Column("email_verified_at", Timestamp(), nullable=True))
    # So far the operator made all accounts, and knew whose they are.
    op.execute("UPDATE user_account SET email_verified_at = created_at")


def downgrade() -> None:
    op.drop_column("user_account", "email_verified_at")
    op.drop_table("outgoing_mail")
