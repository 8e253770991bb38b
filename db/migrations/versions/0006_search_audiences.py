"""Whom a row of the index of search is for

Text of `if` blocks was found by visitors. Rows that are there already are for people of the
organization only, until `docstead reindex` or the server has indexed their space again.
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

UNIQUE = "uq_indexed_page_space_id_page_id"


def _change_pages(columns: tuple[str, ...], *, add: bool) -> None:
    """Add or drop the column, and say which columns are unique."""
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    if is_sqlite:
        # The table is written anew there, with which its trigger and what refers to it go.
        op.execute("CREATE TABLE kept_section AS SELECT * FROM indexed_section")
        op.execute("DROP TRIGGER indexed_page_words")
    with op.batch_alter_table("indexed_page", schema=None) as batch_op:
        if add:
            batch_op.add_column(
                sa.Column(
                    "audience", sa.String(length=64), nullable=False, server_default="members"
                )
            )
            batch_op.drop_constraint(UNIQUE, type_="unique")
            batch_op.create_unique_constraint(f"{UNIQUE}_audience", list(columns))
        else:
            batch_op.drop_constraint(f"{UNIQUE}_audience", type_="unique")
            batch_op.drop_column("audience")
            batch_op.create_unique_constraint(UNIQUE, list(columns))
    if is_sqlite:
        op.execute("INSERT INTO indexed_section SELECT * FROM kept_section")
        op.execute("DROP TABLE kept_section")
        op.execute(TRIGGER)


TRIGGER = (
    "CREATE TRIGGER indexed_page_words AFTER DELETE ON indexed_page "
    "BEGIN DELETE FROM search_text WHERE rowid = old.id; END"
)


def upgrade() -> None:
    _change_pages(("space_id", "page_id", "audience"), add=True)
    if op.get_bind().dialect.name != "sqlite":
        op.execute("ALTER TABLE search_text ADD audience varchar(64) NOT NULL DEFAULT 'members'")


def downgrade() -> None:
    op.execute("DELETE FROM indexed_page WHERE audience = 'visitors'")
    if op.get_bind().dialect.name != "sqlite":
        op.execute("ALTER TABLE search_text DROP audience")
    _change_pages(("space_id", "page_id"), add=False)
