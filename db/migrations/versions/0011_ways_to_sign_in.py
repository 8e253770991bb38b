"""How sessions and tokens came to be, for organizations that enforce single sign-on"""

import sqlalchemy as sa
from alembic import op

from db.base import ordered_text

revision = "0011_ways_to_sign_in"
down_revision = "0010_account_links"
branch_labels = None
depends_on = None

TABLES = ("user_session", "api_token")
PROVIDER = ("provider_id", "provider_organization_id")


def upgrade() -> None:
    op.add_column("api_token", sa.Column("method", sa.String(64)))
    for table in TABLES:
        for name in PROVIDER:
            op.add_column(table, sa.Column(name, ordered_text(64)))


def downgrade() -> None:
    for table in TABLES:
        for name in reversed(PROVIDER):
            op.drop_column(table, name)
    op.drop_column("api_token", "method")
