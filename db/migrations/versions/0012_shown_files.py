"""Files that pages show to every reader, by the keys of their lasting addresses"""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

ID = sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "shown_file",
        sa.Column("address", ID, nullable=False),
        sa.Column("space_id", ID, nullable=False),
        sa.Column("content_type", sa.String(length=255), nullable=False),
        sa.ForeignKeyConstraint(
            ["space_id"],
            ["space.id"],
            name=op.f("fk_shown_file_space_id_space"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("address", name=op.f("pk_shown_file")),
    )
    op.create_index(op.f("ix_shown_file_space_id"), "shown_file", ["space_id"])
    op.create_table(
        "shown_file_use",
        sa.Column("address", ID, nullable=False),
        sa.Column("page_id", ID, nullable=False),
        sa.Column("space_id", ID, nullable=False),
        sa.ForeignKeyConstraint(
            ["address"],
            ["shown_file.address"],
            name=op.f("fk_shown_file_use_address_shown_file"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["space_id"],
            ["space.id"],
            name=op.f("fk_shown_file_use_space_id_space"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("address", "page_id", name=op.f("pk_shown_file_use")),
    )
    op.create_index(
        op.f("ix_shown_file_use_space_id_page_id"), "shown_file_use", ["space_id", "page_id"]
    )


def downgrade() -> None:
    op.drop_table("shown_file_use")
    op.drop_table("shown_file")
