"""Secrets of revalidation may be sealed, and are longer then; names of sources are found by what
they begin with"""

import sqlalchemy as sa
from alembic import op

from db.base import ordered_text

revision = "0033_sealed_revalidation"
down_revision = "0031_integration_blocks"
branch_labels = None
depends_on = None

_TABLE, _COLUMN = "site_revalidation", "secret"


def upgrade() -> None:
    _change(sa.String(128), sa.Text())
    _collate(sa.String(100), ordered_text(100))


def downgrade() -> None:
    # Calls carry a signature that nobody can make until a site has a new secret; the version before
    # cannot open a sealed one, and signs with what it finds.
    op.execute(
        f"UPDATE {_TABLE} SET {_COLUMN} = substr({_COLUMN}, length({_COLUMN}) - 39) "  # noqa: S608 (no input)
        f"WHERE {_COLUMN} LIKE 'sealed %'"
    )
    _change(sa.Text(), sa.String(128))
    _collate(ordered_text(100), sa.String(100))


def _collate(before: sa.String, after: sa.String) -> None:
    # SQLite compares bytes anyway. The index is built anew with the column.
    if op.get_bind().dialect.name == "postgresql":
        op.alter_column("computed_page", "name", existing_type=before, type_=after)


def _change(before: sa.String, after: sa.String) -> None:
    if op.get_bind().dialect.name == "postgresql":
        op.alter_column(_TABLE, _COLUMN, existing_type=before, type_=after)
        return
    # SQLite changes no types, and a table that takes the place of another one loses what belongs to
    # its rows.
    op.add_column(_TABLE, sa.Column("new", after, nullable=False, server_default=""))
    op.execute(f"UPDATE {_TABLE} SET new = {_COLUMN}")  # noqa: S608 (one of ours)
    op.drop_column(_TABLE, _COLUMN)
    op.execute(f"ALTER TABLE {_TABLE} RENAME COLUMN new TO {_COLUMN}")
