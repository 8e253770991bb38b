"""Blocks that integrations have drawn, and versions of sites that follow integrations"""

import sqlalchemy as sa
from alembic import op

from db.base import Timestamp, ordered_text

revision = "0031_integration_blocks"
down_revision = "0029_attempts_of_computed_pages"
branch_labels = None
depends_on = None

_BUMP = "UPDATE site_version SET version = version + 1 WHERE"
# Once in a transaction is enough (0012_site_versions).
_ONCE = "xmin <> pg_current_xact_id()::xid AND "
_OF_ORGANIZATION = "(SELECT id FROM site WHERE organization_id = {row}.organization_id)"
_OF_SPACE = "(SELECT site_id FROM site_space WHERE space_id = {row}.space_id)"
_OF_INTEGRATION = (
    "(SELECT site.id FROM site JOIN installation "
    "ON installation.organization_id = site.organization_id "
    "WHERE installation.integration_id = new.id)"
)
# JSON has no equality on PostgreSQL.
_CONFIGURED = (
    "old.status {distinct} new.status OR "
    "CAST(old.configuration AS TEXT) {distinct} CAST(new.configuration AS TEXT)"
)
_DRAWN = "CAST(old.shown AS TEXT) {distinct} CAST(new.shown AS TEXT)"
# Each: its table, event, condition, and whose sites show something else from then on.
_TRIGGERS = (
    ("integration", "UPDATE", "old.version {distinct} new.version", _OF_INTEGRATION),
    ("installation", "UPDATE", _CONFIGURED, _OF_ORGANIZATION.format(row="new")),
    ("installation", "DELETE", "", _OF_ORGANIZATION.format(row="old")),
    ("space_installation", "INSERT", "", _OF_SPACE.format(row="new")),
    ("space_installation", "UPDATE", _CONFIGURED, _OF_SPACE.format(row="new")),
    ("space_installation", "DELETE", "", _OF_SPACE.format(row="old")),
    ("site_installation", "INSERT", "", "(new.site_id)"),
    ("site_installation", "UPDATE", _CONFIGURED, "(new.site_id)"),
    ("site_installation", "DELETE", "", "(old.site_id)"),
    ("integration_block", "INSERT", "", _OF_SPACE.format(row="new")),
    ("integration_block", "UPDATE", _DRAWN, _OF_SPACE.format(row="new")),
)


def _name(table: str, event: str) -> str:
    return f"{table}_site_version_{event.lower()}"


def _make_triggers() -> None:
    sqlite = op.get_bind().dialect.name == "sqlite"
    for table, event, condition, sites in _TRIGGERS:
        name = _name(table, event)
        shown = condition.format(distinct="IS NOT" if sqlite else "IS DISTINCT FROM")
        when = f"WHEN ({shown}) " if shown else ""
        action = f"{_BUMP} {'' if sqlite else _ONCE}subject IN {sites}"
        if sqlite:
            op.execute(f"CREATE TRIGGER {name} AFTER {event} ON {table} {when}BEGIN {action}; END")
            continue
        op.execute(
            f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ "
            f"BEGIN {action}; RETURN NULL; END $$"
        )
        op.execute(
            f"CREATE TRIGGER {name} AFTER {event} ON {table} FOR EACH ROW {when}"
            f"EXECUTE FUNCTION {name}()"
        )


def upgrade() -> None:
    op.create_table(
        "integration_block",
        sa.Column(
            "space_id",
            ordered_text(64),
            sa.ForeignKey("space.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column(
            "integration_id",
            ordered_text(64),
            sa.ForeignKey("integration.id", ondelete="CASCADE"),
            nullable=False,
        ),
        sa.Column("seed", sa.String(64), nullable=False),
        sa.Column("shown", sa.JSON(none_as_null=True)),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("due_at", Timestamp(), nullable=False),
    )
    op.create_index("ix_integration_block_integration_id", "integration_block", ["integration_id"])
    op.create_index("ix_integration_block_due_at", "integration_block", ["due_at"])
    _make_triggers()


def downgrade() -> None:
    postgresql = op.get_bind().dialect.name != "sqlite"
    for table, event, _, _ in _TRIGGERS:
        name = _name(table, event)
        op.execute(f"DROP TRIGGER {name}" + (f" ON {table}" if postgresql else ""))
        if postgresql:
            op.execute(f"DROP FUNCTION {name}()")
    op.drop_table("integration_block")
