"""The audit log, which nothing changes"""

import sqlalchemy as sa
from alembic import op

from db.base import ordered_text

revision = "0004_audit"
down_revision = "0003_sign_in"
branch_labels = None
depends_on = None

INDEXES = (
    ("organization_id", "at", "id"),
    ("organization_id", "actor_id", "at", "id"),
    ("organization_id", "object_id", "at", "id"),
    ("organization_id", "action", "at", "id"),
    ("person_id", "at", "id"),
    ("at", "id"),
)
REFUSAL = "the audit log is only added to"
KEPT = "NOT EXISTS (SELECT 1 FROM audit_retention r WHERE OLD.at < r.before)"
SQLITE = (
    "CREATE TRIGGER audit_entry_update BEFORE UPDATE ON audit_entry "
    f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END",
    f"CREATE TRIGGER audit_entry_delete BEFORE DELETE ON audit_entry WHEN {KEPT} "
    f"BEGIN SELECT RAISE(ABORT, '{REFUSAL}'); END",
)
POSTGRESQL = (
    "CREATE FUNCTION audit_entry_refusal() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
    f"IF TG_OP = 'DELETE' THEN IF NOT ({KEPT}) THEN RETURN OLD; END IF; END IF; "
    f"RAISE EXCEPTION '{REFUSAL}'; END $$",
    "CREATE TRIGGER audit_entry_change BEFORE UPDATE OR DELETE ON audit_entry "
    "FOR EACH ROW EXECUTE FUNCTION audit_entry_refusal()",
    "CREATE TRIGGER audit_entry_truncate BEFORE TRUNCATE ON audit_entry "
    "FOR EACH STATEMENT EXECUTE FUNCTION audit_entry_refusal()",
)


def upgrade() -> None:
    op.create_table(
        "audit_entry",
        sa.Column("id", ordered_text(64), primary_key=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("organization_id", ordered_text(64)),
        sa.Column("action", ordered_text(64), nullable=False),
        sa.Column("actor_kind", sa.String(64), nullable=False),
        sa.Column("actor_id", ordered_text(64)),
        sa.Column("actor_name", sa.String(255)),
        sa.Column("door", sa.String(64), nullable=False),
        sa.Column("token_id", ordered_text(64)),
        sa.Column("session_id", ordered_text(64)),
        sa.Column("address", sa.String(64)),
        sa.Column("request_id", ordered_text(128)),
        sa.Column("object_type", sa.String(64), nullable=False),
        sa.Column("object_id", ordered_text(512)),
        sa.Column("object_name", sa.String(255)),
        sa.Column("person_id", ordered_text(64)),
        sa.Column("person_name", sa.String(255)),
        sa.Column("space_id", ordered_text(64)),
        sa.Column("site_id", ordered_text(64)),
        sa.Column("changes", sa.JSON(), nullable=False),
    )
    for columns in INDEXES:
        op.create_index(f"ix_audit_entry_{'_'.join(columns)}", "audit_entry", columns)
    op.create_table(
        "audit_retention",
        sa.Column("id", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("before", sa.DateTime(timezone=True), nullable=False),
    )
    for statement in SQLITE if op.get_bind().dialect.name == "sqlite" else POSTGRESQL:
        op.execute(statement)


def downgrade() -> None:
    op.drop_table("audit_entry")
    op.drop_table("audit_retention")
    if op.get_bind().dialect.name != "sqlite":
        op.execute("DROP FUNCTION audit_entry_refusal()")
