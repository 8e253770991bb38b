"""Webhooks and their deliveries"""

import sqlalchemy as sa
from alembic import op

from db.base import ordered_text

revision = "0016_webhooks"
down_revision = "0015_spellings"
branch_labels = None
depends_on = None


def _parent(table: str, *, required: bool = False) -> sa.Column[str]:
    key = sa.ForeignKey(f"{table}.id", ondelete="CASCADE")
    return sa.Column(f"{table}_id", ordered_text(64), key, nullable=not required, index=True)


def upgrade() -> None:
    op.create_table(
        "webhook",
        sa.Column("id", ordered_text(64), primary_key=True),
        _parent("organization", required=True),
        _parent("space"),
        _parent("site"),
        sa.Column("owner_id", ordered_text(64)),
        sa.Column("url", sa.String(2048), nullable=False),
        sa.Column("description", sa.String(255), nullable=False),
        sa.Column("types", sa.JSON(none_as_null=True)),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("stop", sa.String(64)),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("old_secret", sa.String(64)),
        sa.Column("old_secret_until", sa.DateTime(timezone=True)),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("failing_since", sa.DateTime(timezone=True)),
        sa.Column("next_attempt_at", sa.DateTime(timezone=True)),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "webhook_delivery",
        sa.Column("id", ordered_text(64), primary_key=True),
        sa.Column(
            "webhook_id",
            ordered_text(64),
            sa.ForeignKey("webhook.id", ondelete="CASCADE"),
            nullable=False,
        ),
        sa.Column("organization_id", ordered_text(64), nullable=False),
        sa.Column("message_id", ordered_text(64), nullable=False),
        sa.Column("position", sa.BigInteger()),
        sa.Column("type", sa.String(64), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("state", sa.String(64), nullable=False),
        sa.Column("attempt_count", sa.Integer(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("attempts", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False, index=True),
        sa.Column("finished_at", sa.DateTime(timezone=True)),
    )
    op.create_index("ix_webhook_delivery_webhook_id_id", "webhook_delivery", ["webhook_id", "id"])
    op.create_index(
        "ix_webhook_delivery_webhook_id_state", "webhook_delivery", ["webhook_id", "state"]
    )


def downgrade() -> None:
    op.drop_table("webhook_delivery")
    op.drop_table("webhook")
