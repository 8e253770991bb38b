"""Service accounts of organizations; lists of tokens have an index"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from db.base import Timestamp, ordered_text

revision = "0006_service_accounts"
down_revision = "0005_mail"
branch_labels = None
depends_on = None


def upgrade() -> None:
    false = sa.false()
    op.add_column(
        "member", sa.Column("service", sa.Boolean(), nullable=False, server_default=false)
    )
    op.add_column("api_token", sa.Column("organization_id", ordered_text(64)))
    op.drop_index("ix_api_token_user_id", "api_token")
    op.create_index("ix_api_token_user_id_id", "api_token", ["user_id", "id"])
    op.create_table(
        "service_account",
        _key("id", sa.ForeignKey("user_account.id", ondelete="CASCADE"), primary_key=True),
        _key("organization_id", sa.ForeignKey("organization.id", ondelete="CASCADE")),
        sa.Column("created_by_id", ordered_text(64)),
        sa.Column("created_at", Timestamp(), nullable=False),
        sa.Index(None, "organization_id", "id"),
    )


def downgrade() -> None:
    op.drop_table("service_account")
    op.drop_index("ix_api_token_user_id_id", "api_token")
    op.create_index("ix_api_token_user_id", "api_token", ["user_id"])
    op.drop_column("api_token", "organization_id")
    op.drop_column("member", "service")


def _key(name: str, reference: Any, **options: Any) -> sa.Column[Any]:
    return sa.Column(name, ordered_text(64), reference, nullable=False, **options)
