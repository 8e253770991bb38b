"""Events, numbered in the order of their commits"""

import sqlalchemy as sa
from alembic import op

from db.base import ordered_text

revision = "0014_events"
down_revision = "0013_jobs"
branch_labels = None
depends_on = None

# SQLite has one writer, but no statement that writes two tables. PostgreSQL counts in the statement
# that adds events (resolvers/core/event_statement.py). Copies bring events in any order.
COUNT = (
    "CREATE TRIGGER event_count AFTER INSERT ON event BEGIN "
    "INSERT INTO event_counter (stream_id, last) VALUES (new.stream_id, new.position) "
    "ON CONFLICT (stream_id) DO UPDATE SET last = max(last, excluded.last); END"
)


def upgrade() -> None:
    op.create_table(
        "event",
        sa.Column("id", ordered_text(64), primary_key=True),
        sa.Column("stream_id", ordered_text(64), nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("organization_id", ordered_text(64)),
        sa.Column("type", sa.String(64), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False, index=True),
        sa.Column("actor_kind", sa.String(64), nullable=False),
        sa.Column("actor_id", ordered_text(64)),
        sa.Column("action", ordered_text(64), nullable=False),
        sa.Column("audience", sa.String(64), nullable=False),
        sa.Column("object_type", sa.String(64), nullable=False),
        sa.Column("object_id", ordered_text(512)),
        sa.Column("space_id", ordered_text(64)),
        sa.Column("change_request_id", ordered_text(64)),
        sa.Column("revision_id", ordered_text(64)),
        sa.Column("page_id", ordered_text(512)),
        sa.Column("comment_id", ordered_text(64)),
        sa.Column("collection_id", ordered_text(64)),
        sa.Column("site_id", ordered_text(64)),
        sa.Column("team_id", ordered_text(64)),
        sa.Column("user_id", ordered_text(64)),
        sa.Column("changed", sa.JSON(), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.UniqueConstraint("stream_id", "position"),
    )
    op.create_table(
        "event_counter",
        sa.Column("stream_id", ordered_text(64), primary_key=True),
        sa.Column("last", sa.BigInteger(), nullable=False),
    )
    if op.get_bind().dialect.name == "sqlite":
        op.execute(COUNT)


def downgrade() -> None:
    op.drop_table("event")
    op.drop_table("event_counter")
