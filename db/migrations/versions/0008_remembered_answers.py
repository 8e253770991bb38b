"""Answers that are remembered for requests with the header Idempotency-Key"""

import sqlalchemy as sa
from alembic import op

import db.base

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

DIGEST = sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "remembered_answer",
        sa.Column("id", DIGEST, nullable=False),
        sa.Column("request", DIGEST, nullable=False),
        sa.Column("created_at", db.base.Timestamp(timezone=True), nullable=False),
        sa.Column("status", sa.Integer(), nullable=False),
        sa.Column("headers", sa.JSON(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_remembered_answer")),
    )
    op.create_index(
        op.f("ix_remembered_answer_created_at"), "remembered_answer", ["created_at"], unique=False
    )


def downgrade() -> None:
    op.drop_index(op.f("ix_remembered_answer_created_at"), table_name="remembered_answer")
    op.drop_table("remembered_answer")
