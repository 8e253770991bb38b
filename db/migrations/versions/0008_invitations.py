"""Invitations"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from db.base import Timestamp, ordered_text

revision = "0008_invitations"
down_revision = "0007_single_sign_on"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "invitation",
        _id("id", primary_key=True),
        _id("organization_id", "organization", "CASCADE", nullable=False),
        _id("inviter_id", "user_account", "CASCADE", index=True),
        sa.Column("email", sa.String(320)),
        sa.Column("role", sa.Integer(), nullable=False),
        _id("space_id", "space", "CASCADE", index=True),
        _id("collection_id", "collection", "CASCADE", index=True),
        sa.Column("sso", sa.Boolean(), nullable=False),
        sa.Column("digest", ordered_text(64), nullable=False, unique=True),
        sa.Column("mailed", sa.Boolean(), nullable=False),
        sa.Column("created_at", Timestamp(), nullable=False),
        sa.Column("expires_at", Timestamp()),
        sa.Column("accepted_at", Timestamp()),
        _id("accepted_by_id", "user_account", "SET NULL", index=True),
        sa.CheckConstraint("space_id IS NULL OR collection_id IS NULL", name="one_object"),
        sa.Index(None, "organization_id", "id"),
        sa.Index(None, "organization_id", "email"),
    )


def downgrade() -> None:
    op.drop_table("invitation")


def _id(name: str, table: str = "", ondelete: str = "", **options: Any) -> sa.Column[Any]:
    keys = [sa.ForeignKey(f"{table}.id", ondelete=ondelete)] if table else []
    return sa.Column(name, ordered_text(64), *keys, **options)
