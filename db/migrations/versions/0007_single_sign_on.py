"""Providers of single sign-on, and their answers"""

import sqlalchemy as sa
from alembic import op

from db.base import Timestamp, ordered_text
from db.ids import random_text

revision = "0007_single_sign_on"
down_revision = "0006_service_accounts"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "saml_provider",
        sa.Column("id", ordered_text(64), primary_key=True),
        sa.Column(
            "organization_id",
            ordered_text(64),
            sa.ForeignKey("organization.id", ondelete="CASCADE"),
            nullable=False,
        ),
        sa.Column("label", sa.String(30), nullable=False),
        sa.Column("entity_id", ordered_text(1024), nullable=False),
        sa.Column("sso_url", sa.String(2048), nullable=False),
        sa.Column("certificate", sa.Text(), nullable=False),
        sa.Column(
            "default_team_id",
            ordered_text(64),
            sa.ForeignKey("team.id", ondelete="SET NULL"),
            index=True,
        ),
        sa.Column("default_role", sa.Integer(), nullable=False),
        sa.Column("trusted", sa.Boolean(), nullable=False),
        sa.Column("created_at", Timestamp(), nullable=False),
        sa.Index(None, "organization_id", "id"),
    )
    op.create_table(
        "sign_on_answer",
        sa.Column("id", ordered_text(64), primary_key=True),
        sa.Column("provider", ordered_text(80), nullable=False),
        sa.Column("request_id", ordered_text(80), nullable=False),
        sa.Column("answer_digest", ordered_text(64), nullable=False),
        sa.Column("code_digest", ordered_text(64), nullable=False, unique=True),
        sa.Column("email", sa.String(320), nullable=False),
        sa.Column("display_name", sa.String(64), nullable=False),
        sa.Column("expires_at", Timestamp(), nullable=False, index=True),
        sa.Column("used_at", Timestamp()),
        sa.Index(None, "provider", "request_id", unique=True),
        sa.Index(None, "provider", "answer_digest", unique=True),
    )
    secret = sa.table("instance_secret", sa.column("name"), sa.column("value"))
    op.bulk_insert(secret, [{"name": "sign-on", "value": random_text(43)}])


def downgrade() -> None:
    op.execute("DELETE FROM instance_secret WHERE name = 'sign-on'")
    op.drop_table("sign_on_answer")
    op.drop_table("saml_provider")
