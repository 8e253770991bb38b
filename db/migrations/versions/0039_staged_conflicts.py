"""Conflicts are there with the revision of their merge, and stored before it"""

import sqlalchemy as sa
from alembic import op

from db.base import ordered_text

revision = "0039_staged_conflicts"
down_revision = "0036_git_entries"
branch_labels = None
depends_on = None

_TABLE = "change_request_conflict"
# What it refers to is not looked at: one of them has an index that cannot be read back.
_REFLECT = {"resolve_fks": False}
_UNIQUE = f"uq_{_TABLE}_change_request_id_key"
_OLD, _NEW = ("change_request_id", "key"), ("change_request_id", "key", "comes_with")


def upgrade() -> None:
    with op.batch_alter_table(_TABLE, reflect_kwargs=_REFLECT) as table:
        table.add_column(sa.Column("comes_with", ordered_text(64)))
        table.drop_constraint(_UNIQUE, type_="unique")
        table.create_unique_constraint(f"{_UNIQUE}_comes_with", [*_NEW])
    op.drop_index(f"ix_{_TABLE}_change_request_id_id", _TABLE)
    op.create_index(None, _TABLE, ["change_request_id", "id", "comes_with"])
    op.create_index(None, _TABLE, ["comes_with"])


def downgrade() -> None:
    op.execute(
        f"DELETE FROM {_TABLE} WHERE comes_with IS NOT NULL "  # noqa: S608 (no input)
        f"AND comes_with NOT IN (SELECT id FROM revision)"
    )
    op.drop_index(f"ix_{_TABLE}_comes_with", _TABLE)
    op.drop_index(f"ix_{_TABLE}_change_request_id_id_comes_with", _TABLE)
    op.create_index(None, _TABLE, ["change_request_id", "id"])
    with op.batch_alter_table(_TABLE, reflect_kwargs=_REFLECT) as table:
        table.drop_constraint(f"{_UNIQUE}_comes_with", type_="unique")
        table.create_unique_constraint(_UNIQUE, [*_OLD])
        table.drop_column("comes_with")
