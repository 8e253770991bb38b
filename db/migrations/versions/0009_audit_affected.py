"""What entries of the audit log name beside their objects"""

import sqlalchemy as sa
from alembic import op

from db.base import ordered_text

revision = "0009_audit_affected"
down_revision = "0008_invitations"
branch_labels = None
depends_on = None

REFUSAL = "the audit log is only added to"
# An entry that is removed takes its own along, and is gone by then.
KEPT = "EXISTS (SELECT 1 FROM audit_entry e WHERE e.id = OLD.entry_id)"
SQLITE = (
    "CREATE TRIGGER audit_mention_update BEFORE UPDATE ON audit_mention "
    f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END",
    f"CREATE TRIGGER audit_mention_delete BEFORE DELETE ON audit_mention WHEN {KEPT} "
    f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END",
)
POSTGRESQL = (
    "CREATE FUNCTION audit_mention_refusal() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
    f"IF TG_OP = 'DELETE' THEN IF NOT ({KEPT}) THEN RETURN OLD; END IF; END IF; "
    f"RAISE EXCEPTION '{REFUSAL}'; END $$",
    "CREATE TRIGGER audit_mention_change BEFORE UPDATE OR DELETE ON audit_mention "
    "FOR EACH ROW EXECUTE FUNCTION audit_mention_refusal()",
    "CREATE TRIGGER audit_mention_truncate BEFORE TRUNCATE ON audit_mention "
    "FOR EACH STATEMENT EXECUTE FUNCTION audit_mention_refusal()",
)


def upgrade() -> None:
    op.add_column(
        "audit_entry", sa.Column("affected", sa.JSON(), nullable=False, server_default="[]")
    )
    op.add_column(
        "audit_entry",
        sa.Column("affected_count", sa.Integer(), nullable=False, server_default="0"),
    )
    op.create_table(
        "audit_mention",
        sa.Column(
            "entry_id",
            ordered_text(64),
            sa.ForeignKey("audit_entry.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("object_id", ordered_text(512), primary_key=True),
    )
    op.create_index(
        "ix_audit_mention_object_id_entry_id", "audit_mention", ["object_id", "entry_id"]
    )
    for statement in SQLITE if op.get_bind().dialect.name == "sqlite" else POSTGRESQL:
        op.execute(statement)


def downgrade() -> None:
    op.drop_table("audit_mention")
    if op.get_bind().dialect.name != "sqlite":
        op.execute("DROP FUNCTION audit_mention_refusal()")
    for column in ("affected_count", "affected"):
        op.drop_column("audit_entry", column)
