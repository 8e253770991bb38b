"""OpenAPI specifications, their versions and contents"""

import sqlalchemy as sa
from alembic import op

from db.base import Timestamp, ordered_text

revision = "0019_specifications"
down_revision = "0018_git"
branch_labels = None
depends_on = None


def _id(name: str, *of: object, **options: object) -> sa.Column[str]:
    return sa.Column(name, ordered_text(64), *of, **options)  # type: ignore[arg-type]


def _of(table: str) -> sa.ForeignKey:
    return sa.ForeignKey(f"{table}.id", ondelete="CASCADE")


# Pages of sites show specifications: their version changes with what is shown (0012).
_BUMP = (
    "UPDATE site_version SET version = version + 1 WHERE subject IN "
    "(SELECT id FROM site WHERE organization_id = old.organization_id)"
)
_TRIGGERS = (
    (
        "specification_version_update",
        "UPDATE",
        "old.last_version_id {distinct} new.last_version_id",
    ),
    ("specification_version_delete", "DELETE", ""),
)


def _make_triggers() -> None:
    sqlite = op.get_bind().dialect.name == "sqlite"
    for name, event, condition in _TRIGGERS:
        shown = condition.format(distinct="IS NOT" if sqlite else "IS DISTINCT FROM")
        when = f"WHEN ({shown}) " if shown else ""
        if sqlite:
            op.execute(
                f"CREATE TRIGGER {name} AFTER {event} ON specification {when}BEGIN {_BUMP}; END"
            )
            continue
        op.execute(
            f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ "
            f"BEGIN {_BUMP}; RETURN NULL; END $$"
        )
        op.execute(
            f"CREATE TRIGGER {name} AFTER {event} ON specification FOR EACH ROW {when}"
            f"EXECUTE FUNCTION {name}()"
        )


def upgrade() -> None:
    op.create_table(
        "specification",
        _id("id", primary_key=True),
        _id("organization_id", _of("organization"), nullable=False),
        sa.Column("slug", sa.String(100), nullable=False),
        sa.Column("source_url", sa.String(2048)),
        sa.Column("source_digest", sa.String(64)),
        sa.Column("visibility", sa.String(64), nullable=False),
        sa.Column("processing_state", sa.String(64), nullable=False),
        sa.Column("requested", sa.Integer(), nullable=False),
        _id("last_version_id"),
        sa.Column("last_processed_at", Timestamp()),
        sa.Column("last_process_error_code", sa.String(64)),
        sa.Column("last_processed_errors", sa.JSON(), nullable=False),
        sa.Column("entity_tag", sa.String(255)),
        sa.Column("due_at", Timestamp(), index=True),
        sa.Column("created_at", Timestamp(), nullable=False),
        sa.Column("updated_at", Timestamp(), nullable=False),
        sa.Index(None, "organization_id", "slug", unique=True),
    )
    op.create_table(
        "specification_version",
        _id("id", primary_key=True),
        _id("specification_id", _of("specification"), nullable=False),
        _id("organization_id", nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("title", sa.String(255), nullable=False),
        sa.Column("format", sa.String(32), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("created_at", Timestamp(), nullable=False),
        sa.Index(None, "specification_id", "id"),
        sa.Index(None, "organization_id", "digest"),
    )
    op.create_table(
        "specification_content",
        _id("organization_id", _of("organization"), primary_key=True),
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", Timestamp(), nullable=False),
    )
    _make_triggers()


def downgrade() -> None:
    postgresql = op.get_bind().dialect.name != "sqlite"
    for name, _, _ in _TRIGGERS:
        op.execute(f"DROP TRIGGER {name}" + (" ON specification" if postgresql else ""))
        if postgresql:
            op.execute(f"DROP FUNCTION {name}()")
    for table in ("specification_content", "specification_version", "specification"):
        op.drop_table(table)
