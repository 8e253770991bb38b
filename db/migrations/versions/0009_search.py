"""Beginnings of words of two and three letters on SQLite; organizations that spaces were in before"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

ID = sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql")


TRIGGER = (
    "CREATE TRIGGER indexed_page_words AFTER DELETE ON indexed_page "
    "BEGIN DELETE FROM search_text WHERE rowid = old.id; END"
)


def _make_words(beginnings: str = "") -> None:
    """The table of words anew, with the words; on SQLite only."""
    if op.get_bind().dialect.name != "sqlite":
        return
    # It would follow the table that is renamed.
    op.execute("DROP TRIGGER indexed_page_words")
    op.execute("ALTER TABLE search_text RENAME TO former_search_text")
    op.execute(
        "CREATE VIRTUAL TABLE search_text USING fts5("
        f"scope, title, headings, description, body, tokenize = 'ascii'{beginnings})"
    )
    op.execute(
        "INSERT INTO search_text (rowid, scope, title, headings, description, body) "
        "SELECT rowid, scope, title, headings, description, body FROM former_search_text"
    )
    op.execute("DROP TABLE former_search_text")
    op.execute(TRIGGER)


def upgrade() -> None:
    _make_words(", prefix = '2 3'")
    op.create_table(
        "former_home",
        sa.Column("organization_id", ID, nullable=False),
        sa.Column("former_id", ID, nullable=False),
        sa.ForeignKeyConstraint(
            ["organization_id"],
            ["organization.id"],
            name=op.f("fk_former_home_organization_id_organization"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("organization_id", "former_id", name=op.f("pk_former_home")),
    )


def downgrade() -> None:
    op.drop_table("former_home")
    _make_words()
