"""Versions of published sites"""

import sqlalchemy as sa
from alembic import op

from db.base import ordered_text

revision = "0012_site_versions"
down_revision = "0011_ways_to_sign_in"
branch_labels = None
depends_on = None

# Tables that belong to a site, by their column `site_id`.
OF_SITES = (
    "site_section", "site_section_group", "site_space", "site_customization",
    "site_adaptive_schema", "site_publishing_auth", "site_share_link", "site_redirect",
    "site_path_redirect",
)  # fmt: skip
# What of a site decides to which site an address leads, and what of a space its sites show.
ADDRESS = ("published", "hostname", "basename", "proxy_origin", "organization_id")
SHOWN = ("title", "language", "deleted_at", "organization_id")
_BUMP = "UPDATE site_version SET version = version + 1 WHERE"
# Once in a transaction is enough. PostgreSQL keeps all states of a row until the end and looks for
# the newest among them: ten thousand redirects that go with a site would take a second and a half.
ONCE = "xmin <> pg_current_xact_id()::xid AND "
_BUMP_ADDRESSES = (
    "INSERT INTO site_version (subject, version) VALUES ('addresses', 1) "
    "ON CONFLICT (subject) DO UPDATE SET version = site_version.version + 1"
)
_PLACED = "(SELECT site_id FROM site_space WHERE id = {row}.site_space_id)"
_SITES_OF_SPACE = "(SELECT site_id FROM site_space WHERE space_id = new.id)"


def _differs(columns: tuple[str, ...], distinct: str) -> str:
    return " OR ".join(f"old.{name} {distinct} new.{name}" for name in columns)


def _triggers(distinct: str, once: str) -> list[tuple[str, str, str, str, str]]:
    """Each trigger: its name, event, table, condition, what it does."""
    bump = f"{_BUMP} {once}subject"
    triggers = []
    for table in OF_SITES:
        triggers += [
            (f"{table}_version_insert", "INSERT", table, "", f"{bump} = new.site_id"),
            (f"{table}_version_update", "UPDATE", table, "",
             f"{bump} IN (old.site_id, new.site_id)"),
            (f"{table}_version_delete", "DELETE", table, "", f"{bump} = old.site_id"),
        ]  # fmt: skip
    table = "site_space_customization"
    for event, row in (("INSERT", "new"), ("UPDATE", "new"), ("DELETE", "old")):
        action = f"{bump} IN {_PLACED.format(row=row)}"
        triggers.append((f"{table}_version_{event.lower()}", event, table, "", action))
    triggers += [
        ("site_version_insert", "INSERT", "site", "",
         "INSERT INTO site_version (subject, version) VALUES (new.id, 1)"),
        ("site_version_update", "UPDATE", "site", "", f"{bump} = new.id"),
        ("site_version_delete", "DELETE", "site", "",
         "DELETE FROM site_version WHERE subject = old.id"),
        ("site_addresses_insert", "INSERT", "site", "new.published", _BUMP_ADDRESSES),
        ("site_addresses_update", "UPDATE", "site", _differs(ADDRESS, distinct), _BUMP_ADDRESSES),
        ("site_addresses_delete", "DELETE", "site", "old.published", _BUMP_ADDRESSES),
        ("organization_addresses", "UPDATE", "organization",
         _differs(("hostname",), distinct), _BUMP_ADDRESSES),
        ("space_version_update", "UPDATE", "space", _differs(SHOWN, distinct),
         f"{bump} IN {_SITES_OF_SPACE}"),
    ]  # fmt: skip
    return triggers


def upgrade() -> None:
    op.create_table(
        "site_version",
        sa.Column("subject", ordered_text(64), primary_key=True),
        sa.Column("version", sa.BigInteger(), nullable=False),
    )
    op.execute("INSERT INTO site_version (subject, version) SELECT id, 1 FROM site")
    if op.get_bind().dialect.name == "sqlite":
        for name, event, table, condition, action in _triggers("IS NOT", ""):
            when = f"WHEN {condition} " if condition else ""
            op.execute(f"CREATE TRIGGER {name} AFTER {event} ON {table} {when}BEGIN {action}; END")
        return
    for name, event, table, condition, action in _triggers("IS DISTINCT FROM", ONCE):
        op.execute(
            f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ "
            f"BEGIN {action}; RETURN NULL; END $$"
        )
        when = f"WHEN ({condition}) " if condition else ""
        op.execute(
            f"CREATE TRIGGER {name} AFTER {event} ON {table} FOR EACH ROW {when}"
            f"EXECUTE FUNCTION {name}()"
        )


def downgrade() -> None:
    postgresql = op.get_bind().dialect.name != "sqlite"
    for name, _, table, _, _ in _triggers("", ""):
        op.execute(f"DROP TRIGGER {name}" + (f" ON {table}" if postgresql else ""))
        if postgresql:
            op.execute(f"DROP FUNCTION {name}()")
    op.drop_table("site_version")
