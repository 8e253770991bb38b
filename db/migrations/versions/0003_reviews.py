"""Reviews, requested reviewers, conflicts, contributors by action"""

import sqlalchemy as sa
from alembic import op

import db.base
from db.base import ordered_text

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

REVIEW, REVIEWER, CONFLICT, CONTRIBUTOR = (
    "change_request_review",
    "change_request_reviewer",
    "change_request_conflict",
    "change_request_contributor",
)
KEPT = "change_request_contributor_kept"


def _key(name: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, ordered_text(64), nullable=nullable)


def _time(name: str) -> sa.Column[object]:
    return sa.Column(name, db.base.Timestamp(timezone=True), nullable=False)


def _foreign(
    table: str, column: str, target: str, ondelete: str | None = None
) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        [column], [f"{target}.id"], name=op.f(f"fk_{table}_{column}"), ondelete=ondelete
    )


def _index(table: str, *columns: str) -> None:
    op.create_index(op.f(f"ix_{table}_{'_'.join(columns)}"), table, list(columns))


def upgrade() -> None:
    op.create_table(
        REVIEW,
        *(_key(name) for name in ("id", "space_id", "change_request_id", "reviewer_id")),
        _key("requested_by_id", nullable=True),
        sa.Column("status", sa.String(64), nullable=False),
        _key("revision_id"),
        sa.Column("superseded", sa.Boolean(), nullable=False),
        _key("comment_id", nullable=True),
        _time("created_at"),
        _time("updated_at"),
        _foreign(REVIEW, "space_id", "space", ondelete="CASCADE"),
        _foreign(REVIEW, "change_request_id", "change_request", ondelete="CASCADE"),
        _foreign(REVIEW, "reviewer_id", "user_account"),
        _foreign(REVIEW, "requested_by_id", "user_account"),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{REVIEW}")),
    )
    for columns in (("space_id",), ("reviewer_id",), ("requested_by_id",)):
        _index(REVIEW, *columns)
    _index(REVIEW, "change_request_id", "id")
    op.create_table(
        REVIEWER,
        *(_key(name) for name in ("id", "space_id", "change_request_id", "user_id")),
        _key("requested_by_id"),
        _key("revision_id"),
        _time("created_at"),
        _foreign(REVIEWER, "space_id", "space", ondelete="CASCADE"),
        _foreign(REVIEWER, "change_request_id", "change_request", ondelete="CASCADE"),
        _foreign(REVIEWER, "user_id", "user_account", ondelete="CASCADE"),
        _foreign(REVIEWER, "requested_by_id", "user_account"),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{REVIEWER}")),
        sa.UniqueConstraint(
            "change_request_id", "user_id", name=op.f(f"uq_{REVIEWER}_change_request_id_user_id")
        ),
    )
    for columns in (("space_id",), ("user_id",), ("requested_by_id",)):
        _index(REVIEWER, *columns)
    _index(REVIEWER, "change_request_id", "id")
    op.create_table(
        CONFLICT,
        *(_key(name) for name in ("id", "space_id", "change_request_id", "key")),
        sa.Column("kind", sa.String(64), nullable=False),
        *(_key(name, nullable=True) for name in ("page_id", "file_id", "content_id")),
        sa.Column("block", sa.String(64), nullable=True),
        sa.Column("field", sa.Text(), nullable=True),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.Column("resolution", sa.String(64), nullable=True),
        sa.Column("resolved_at", db.base.Timestamp(timezone=True), nullable=True),
        _key("resolved_by_id", nullable=True),
        _time("created_at"),
        _foreign(CONFLICT, "space_id", "space", ondelete="CASCADE"),
        _foreign(CONFLICT, "change_request_id", "change_request", ondelete="CASCADE"),
        _foreign(CONFLICT, "resolved_by_id", "user_account", ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{CONFLICT}")),
        sa.UniqueConstraint(
            "change_request_id", "key", name=op.f(f"uq_{CONFLICT}_change_request_id_key")
        ),
    )
    _index(CONFLICT, "space_id")
    _index(CONFLICT, "resolved_by_id")
    _index(CONFLICT, "change_request_id", "id")
    _contributors_by_action()


def _contributors_by_action() -> None:
    """Rows by person become rows by person and action; until now only comments were counted."""
    op.execute(f"CREATE TABLE {KEPT} AS SELECT * FROM {CONTRIBUTOR}")  # noqa: S608 (constants)
    op.drop_table(CONTRIBUTOR)
    op.create_table(
        CONTRIBUTOR,
        *(_key(name) for name in ("id", "space_id", "change_request_id", "user_id")),
        sa.Column("action", sa.String(64), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        _time("updated_at"),
        _foreign(CONTRIBUTOR, "space_id", "space", ondelete="CASCADE"),
        _foreign(CONTRIBUTOR, "change_request_id", "change_request", ondelete="CASCADE"),
        _foreign(CONTRIBUTOR, "user_id", "user_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{CONTRIBUTOR}")),
        sa.UniqueConstraint(
            "change_request_id",
            "user_id",
            "action",
            name=op.f(f"uq_{CONTRIBUTOR}_change_request_id_user_id_action"),
        ),
    )
    _index(CONTRIBUTOR, "space_id")
    _index(CONTRIBUTOR, "user_id")
    _index(CONTRIBUTOR, "change_request_id", "updated_at", "id")
    # Ids have 20 characters: two of them make one that is unique.
    op.execute(
        f"INSERT INTO {CONTRIBUTOR} "  # noqa: S608 (constants)
        "(id, space_id, change_request_id, user_id, action, count, updated_at) "
        "SELECT substr(kept.change_request_id, 1, 32) || substr(kept.user_id, 1, 32), "
        "request.space_id, kept.change_request_id, kept.user_id, 'comment', kept.count, "
        f"kept.updated_at FROM {KEPT} AS kept "
        "JOIN change_request AS request ON request.id = kept.change_request_id"
    )
    op.drop_table(KEPT)


def downgrade() -> None:
    op.execute(
        f"CREATE TABLE {KEPT} AS SELECT change_request_id, user_id, "  # noqa: S608 (constants)
        f"sum(count) AS count, max(updated_at) AS updated_at FROM {CONTRIBUTOR} "
        "GROUP BY change_request_id, user_id"
    )
    op.drop_table(CONTRIBUTOR)
    op.create_table(
        CONTRIBUTOR,
        _key("change_request_id"),
        _key("user_id"),
        sa.Column("count", sa.Integer(), nullable=False),
        _time("updated_at"),
        _foreign(CONTRIBUTOR, "change_request_id", "change_request", ondelete="CASCADE"),
        _foreign(CONTRIBUTOR, "user_id", "user_account", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("change_request_id", "user_id", name=op.f(f"pk_{CONTRIBUTOR}")),
    )
    _index(CONTRIBUTOR, "user_id")
    op.execute(
        f"INSERT INTO {CONTRIBUTOR} (change_request_id, user_id, count, updated_at) "  # noqa: S608
        f"SELECT change_request_id, user_id, count, updated_at FROM {KEPT}"
    )
    op.drop_table(KEPT)
    op.drop_table(CONFLICT)
    op.drop_table(REVIEWER)
    op.drop_table(REVIEW)
