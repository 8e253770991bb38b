"""Organizations that spaces of an organization were in before, for the words of their pages"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

ID = sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql")


def upgrade() -> None:
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
