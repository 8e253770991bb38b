"""Beginnings of words of two and three letters on SQLite; organizations that spaces were in before

The words of pages are not kept: the index has another format than before, and is built again.
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

ID = sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql")


WORDS = (
    "CREATE VIRTUAL TABLE search_text USING fts5("
    "scope, title, headings, description, body, tokenize = 'ascii'"
)


def _make_words(beginnings: str = "") -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TABLE search_text")
        op.execute(f"{WORDS}{beginnings})")


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
