"""Links by which people whom a link invites make an account; ended invitations are found by age"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from db.base import Timestamp, ordered_text

revision = "0010_account_links"
down_revision = "0009_audit_affected"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_invitation_expires_at", "invitation", ["expires_at"])
    invitation = sa.ForeignKey("invitation.id", ondelete="CASCADE")
    op.create_table(
        "account_link",
        _key("digest", primary_key=True),
        _key("invitation_id", invitation, index=True),
        sa.Column("email", sa.String(320), nullable=False),
        sa.Column("created_at", Timestamp(), nullable=False),
        sa.Column("expires_at", Timestamp(), nullable=False, index=True),
        sa.Index(None, "email", "created_at"),
    )


def downgrade() -> None:
    op.drop_table("account_link")
    op.drop_index("ix_invitation_expires_at", "invitation")


def _key(name: str, *keys: Any, **options: Any) -> sa.Column[Any]:
    return sa.Column(name, ordered_text(64), *keys, nullable=False, **options)
