"""Secrets of webhooks may be sealed, and are longer then"""

import sqlalchemy as sa
from alembic import op

revision = "0025_sealed_webhooks"
down_revision = "0024_computed_pages"
branch_labels = None
depends_on = None

_SECRETS = ("secret", "old_secret")
# What begins otherwise is sealed, which the version before cannot open.
_PLAIN = "whsec!_%"


def upgrade() -> None:
    _change(sa.String(64), sa.Text())


def downgrade() -> None:
    # Deliveries fail until an endpoint has a new secret; nobody can sign with an empty one.
    for name, none in (("old_secret", "NULL"), ("secret", "''")):
        op.execute(
            f"UPDATE webhook SET {name} = {none} WHERE {name} NOT LIKE '{_PLAIN}' ESCAPE '!'"  # noqa: S608 (no input)
        )
    _change(sa.Text(), sa.String(64))


def _change(before: sa.String, after: sa.String) -> None:
    postgresql = op.get_bind().dialect.name == "postgresql"
    for name in _SECRETS:
        if postgresql:
            op.alter_column("webhook", name, existing_type=before, type_=after)
            continue
        # SQLite changes no types, and a table that takes the place of another one loses what
        # belongs to its rows.
        required = name == "secret"
        new = sa.Column(
            "new", after, nullable=not required, server_default="" if required else None
        )
        op.add_column("webhook", new)
        op.execute(f"UPDATE webhook SET new = {name}")  # noqa: S608 (one of ours)
        op.drop_column("webhook", name)
        op.execute(f"ALTER TABLE webhook RENAME COLUMN new TO {name}")
