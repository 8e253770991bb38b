"""Redirects of content: paths that the configuration of a space leads to pages"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

ID = sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql")


def upgrade() -> None:
    op.add_column("revision", sa.Column("redirects_root", sa.String(length=20), nullable=True))
    op.create_table(
        "content_redirect",
        sa.Column("space_id", ID, nullable=False),
        sa.Column("key", ID, nullable=False),
        sa.Column("page_id", ID, nullable=False),
        sa.Column("anchor", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["space_id"],
            ["space.id"],
            name=op.f("fk_content_redirect_space_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("space_id", "key", name=op.f("pk_content_redirect")),
    )


def downgrade() -> None:
    op.drop_table("content_redirect")
    op.drop_column("revision", "redirects_root")
