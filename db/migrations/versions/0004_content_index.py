"""The index of content: sections, words and links

Spaces that are there already count as not indexed: `docstead reindex` or the server index them.
"""

import sqlalchemy as sa
from alembic import op

import db.base

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

ID = sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "content_index",
        sa.Column("space_id", ID, nullable=False),
        sa.Column("revision_id", ID, nullable=True),
        sa.Column("format", sa.Integer(), nullable=False),
        sa.Column("builder", ID, nullable=True),
        sa.Column("built_at", db.base.Timestamp(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["space_id"], ["space.id"], name=op.f("fk_content_index_space_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("space_id", name=op.f("pk_content_index")),
    )
    op.create_table(
        "indexed_page",
        sa.Column("id", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("space_id", ID, nullable=False),
        sa.Column("page_id", ID, nullable=False),
        sa.Column("searchable", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["space_id"], ["space.id"], name=op.f("fk_indexed_page_space_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_indexed_page")),
        sa.UniqueConstraint("space_id", "page_id", name=op.f("uq_indexed_page_space_id_page_id")),
    )
    op.create_table(
        "indexed_section",
        sa.Column("page", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("anchor", sa.Text(), nullable=True),
        sa.Column("heading", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["page"], ["indexed_page.id"], name=op.f("fk_indexed_section_page"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("page", "position", name=op.f("pk_indexed_section")),
    )
    op.create_table(
        "content_link",
        sa.Column("id", ID, nullable=False),
        sa.Column("space_id", ID, nullable=False),
        sa.Column("digest", ID, nullable=False),
        sa.Column("relation", sa.String(length=64), nullable=False),
        sa.Column("status", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("reference", sa.JSON(), nullable=False),
        sa.Column("target_space_id", ID, nullable=True),
        sa.Column("target_id", ID, nullable=True),
        sa.Column("anchor", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["space_id"], ["space.id"], name=op.f("fk_content_link_space_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_content_link")),
        sa.UniqueConstraint("space_id", "digest", name=op.f("uq_content_link_space_id_digest")),
    )
    with op.batch_alter_table("content_link", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_content_link_space_id_id"), ["space_id", "id"])
        batch_op.create_index(
            batch_op.f("ix_content_link_target_space_id_target_id"),
            ["target_space_id", "target_id"],
        )
    op.create_table(
        "content_link_use",
        sa.Column("link_id", ID, nullable=False),
        sa.Column("source_id", ID, nullable=False),
        sa.Column("node", ID, nullable=False),
        sa.Column("space_id", ID, nullable=False),
        sa.Column("reusable", sa.Boolean(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["link_id"],
            ["content_link.id"],
            name=op.f("fk_content_link_use_link_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["space_id"],
            ["space.id"],
            name=op.f("fk_content_link_use_space_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("link_id", "source_id", "node", name=op.f("pk_content_link_use")),
    )
    with op.batch_alter_table("content_link_use", schema=None) as batch_op:
        batch_op.create_index(
            batch_op.f("ix_content_link_use_space_id_source_id"), ["space_id", "source_id"]
        )
    dialect = op.get_bind().dialect.name
    for statement in SQLITE if dialect == "sqlite" else POSTGRESQL:
        op.execute(statement)


# Words come folded and cut by the application; all that is not ASCII is part of a word to this
# tokenizer, and words are put one blank apart.
SQLITE = (
    "CREATE VIRTUAL TABLE search_text USING fts5("
    "scope, title, headings, description, body, tokenize = 'ascii')",
    "CREATE TRIGGER indexed_page_words AFTER DELETE ON indexed_page "
    "BEGIN DELETE FROM search_text WHERE rowid = old.id; END",
)
# The words of a page are read for the few best pages only, so they stand beside the row; the
# index takes up new pages in larger pieces, but not so many that searches notice.
POSTGRESQL = (
    "CREATE TABLE search_text ("
    "page integer CONSTRAINT pk_search_text PRIMARY KEY "
    "CONSTRAINT fk_search_text_page REFERENCES indexed_page (id) ON DELETE CASCADE, "
    'space_id varchar(64) COLLATE "C" NOT NULL, '
    "heads tsvector NOT NULL, words tsvector NOT NULL) WITH (toast_tuple_target = 128)",
    "ALTER TABLE search_text ALTER heads SET STORAGE MAIN, ALTER words SET STORAGE EXTERNAL",
    "CREATE INDEX ix_search_text_words ON search_text USING gin (words) "
    "WITH (fastupdate = on, gin_pending_list_limit = 512)",
)


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TRIGGER indexed_page_words")
    op.execute("DROP TABLE search_text")
    with op.batch_alter_table("content_link_use", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_content_link_use_space_id_source_id"))
    op.drop_table("content_link_use")
    with op.batch_alter_table("content_link", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_content_link_target_space_id_target_id"))
        batch_op.drop_index(batch_op.f("ix_content_link_space_id_id"))
    op.drop_table("content_link")
    op.drop_table("indexed_section")
    op.drop_table("indexed_page")
    op.drop_table("content_index")
