"""Redirects of pages and uploads of files"""

import sqlalchemy as sa
from alembic import op

import db.base

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

ID = sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "page_redirect",
        sa.Column("space_id", ID, nullable=False),
        sa.Column("key", ID, nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("page_id", ID, nullable=False),
        sa.Column("created_at", db.base.Timestamp(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["space_id"], ["space.id"], name=op.f("fk_page_redirect_space_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("space_id", "key", name=op.f("pk_page_redirect")),
    )
    op.create_table(
        "file_upload",
        sa.Column("id", ID, nullable=False),
        sa.Column("space_id", ID, nullable=False),
        sa.Column("user_id", ID, nullable=True),
        sa.Column("name", sa.String(length=255), nullable=False),
        sa.Column("created_at", db.base.Timestamp(timezone=True), nullable=False),
        sa.Column("uploaded_at", db.base.Timestamp(timezone=True), nullable=True),
        sa.Column("sha256", sa.String(length=64), nullable=True),
        sa.Column("size", sa.Integer(), nullable=True),
        sa.Column("content_type", sa.String(length=255), nullable=True),
        sa.Column("width", sa.Integer(), nullable=True),
        sa.Column("height", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["space_id"], ["space.id"], name=op.f("fk_file_upload_space_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["user_account.id"],
            name=op.f("fk_file_upload_user_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_file_upload")),
    )
    with op.batch_alter_table("file_upload", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_file_upload_space_id"), ["space_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_file_upload_user_id"), ["user_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_file_upload_created_at"), ["created_at"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("file_upload", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_file_upload_created_at"))
        batch_op.drop_index(batch_op.f("ix_file_upload_user_id"))
        batch_op.drop_index(batch_op.f("ix_file_upload_space_id"))

    op.drop_table("file_upload")
    op.drop_table("page_redirect")
