"""Integrations, their installations, entries, events and tasks"""

import sqlalchemy as sa
from alembic import op

from db.base import Timestamp, ordered_text

revision = "0021_integrations"
down_revision = "0024_computed_pages"
branch_labels = None
depends_on = None

_ENTRY = 130


def _id(name: str, *of: object, length: int = 64, **options: object) -> sa.Column[str]:
    return sa.Column(name, ordered_text(length), *of, **options)  # type: ignore[arg-type]


def _of(table: str) -> sa.ForeignKey:
    return sa.ForeignKey(f"{table}.id", ondelete="CASCADE")


def _json(name: str, *, required: bool = True) -> sa.Column[object]:
    return sa.Column(name, sa.JSON(none_as_null=not required), nullable=not required)


def _text(name: str, length: int | None = None, *, required: bool = True) -> sa.Column[str]:
    kind = sa.Text() if length is None else sa.String(length)
    return sa.Column(name, kind, nullable=not required)


def _number(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), nullable=False)


def _time(name: str, *, required: bool = True) -> sa.Column[object]:
    return sa.Column(name, Timestamp(), nullable=not required)


def _index(table: str, *columns: str, unique: bool = False) -> None:
    op.create_index(f"ix_{table}_{'_'.join(columns)}", table, list(columns), unique=unique)


def _entries(table: str, of: str) -> None:
    op.create_table(
        table,
        _id("id", length=_ENTRY, primary_key=True),
        _id("installation_id", _of("installation"), nullable=False),
        _id(f"{of}_id", _of(of), nullable=False),
        _id("integration_id", nullable=False),
        _id("organization_id", nullable=False),
        _text("status", 64),
        _json("configuration"),
        _json("external_ids"),
        _time("created_at"),
        _time("updated_at"),
    )
    _index(table, f"{of}_id")
    _index(table, "installation_id", "id")
    _index(table, "integration_id", "id")


def upgrade() -> None:
    op.create_table(
        "integration",
        _id("id", primary_key=True),
        _id("name", length=100, nullable=False, unique=True),
        _id("organization_id", _of("organization"), nullable=False),
        _id("account_id", _of("user_account"), nullable=False, unique=True),
        _number("version"),
        _text("runtime", 64),
        _text("title", 30),
        _text("description", 100),
        _text("summary", required=False),
        _text("visibility", 64),
        _text("target", 64),
        sa.Column("verified", sa.Boolean(), nullable=False),
        _json("scopes"),
        _json("categories"),
        _json("blocks"),
        _json("content_sources"),
        _text("block_domains"),
        _json("external_links"),
        _json("configurations"),
        _number("space_role"),
        _number("site_role"),
        _json("content_security_policy", required=False),
        _id("files_id", nullable=False),
        _text("script_sha256", 64),
        _number("script_size"),
        _json("icon", required=False),
        _json("previews"),
        _text("secrets"),
        _text("signing_secret"),
        _text("token_mark", 22),
        _time("created_at"),
        _time("updated_at"),
    )
    _index("integration", "organization_id")
    _index("integration", "files_id")
    op.create_table(
        "integration_development",
        _id("integration_id", _of("integration"), primary_key=True),
        _id("organization_id", nullable=False),
        _text("tunnel_url", 256),
        sa.Column("all", sa.Boolean(), nullable=False),
        _time("last_traffic_at"),
        _time("created_at"),
    )
    op.create_table(
        "installation",
        _id("id", primary_key=True),
        _id("integration_id", _of("integration"), nullable=False),
        _id("organization_id", _of("organization"), nullable=False),
        _id("account_id", _of("user_account"), nullable=False, unique=True),
        _text("status", 64),
        _json("configuration"),
        _text("space_selection", 64),
        _text("site_selection", 64),
        _json("external_ids"),
        _text("signing_secret"),
        _number("failures"),
        sa.Column("position", sa.BigInteger(), nullable=False),
        _time("next_attempt_at", required=False),
        _time("created_at"),
        _time("updated_at"),
    )
    _index("installation", "integration_id", "organization_id", unique=True)
    _index("installation", "organization_id", "id")
    _index("installation", "integration_id", "id")
    _entries("space_installation", "space")
    _entries("site_installation", "site")
    op.create_table(
        "installation_external_id",
        _id("id", primary_key=True),
        _id("integration_id", nullable=False),
        _id("value", length=255, nullable=False),
        _id("installation_id", _of("installation")),
        _id("space_entry_id", _of("space_installation"), length=_ENTRY),
        _id("site_entry_id", _of("site_installation"), length=_ENTRY),
    )
    for column in ("installation_id", "space_entry_id", "site_entry_id"):
        _index("installation_external_id", column)
    _index("installation_external_id", "integration_id", "value")
    op.create_table(
        "integration_event",
        _id("id", primary_key=True),
        _id("integration_id", _of("integration"), nullable=False),
        _id("installation_id"),
        _id("organization_id", nullable=False),
        _text("type", 64),
        _json("payload"),
        _text("status", 64, required=False),
        _json("logs"),
        sa.Column("position", sa.BigInteger()),
        _number("attempt_count"),
        _time("created_at"),
        _time("finished_at", required=False),
    )
    _index("integration_event", "integration_id", "id")
    _index("integration_event", "installation_id", "status", "id")
    _index("integration_event", "created_at")
    op.create_table(
        "integration_task",
        _id("id", primary_key=True),
        _id("integration_id", _of("integration"), nullable=False),
        _json("task"),
        _time("due_at"),
        _number("attempt_count"),
        _time("created_at"),
    )
    _index("integration_task", "due_at")
    _index("integration_task", "integration_id", "id")


def downgrade() -> None:
    for table in (
        "integration_task",
        "integration_event",
        "installation_external_id",
        "site_installation",
        "space_installation",
        "installation",
        "integration_development",
        "integration",
    ):
        op.drop_table(table)
