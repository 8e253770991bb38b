"""Notifications of people, and tokens of feeds; mail as HTML, too"""

import sqlalchemy as sa
from alembic import op

from db.base import Timestamp, ordered_text

revision = "0017_notifications"
down_revision = "0016_webhooks"
branch_labels = None
depends_on = None

_UNREAD = sa.text("read_at IS NULL")


def _id(name: str, *of: object, **options: object) -> sa.Column[str]:
    return sa.Column(name, ordered_text(64), *of, **options)  # type: ignore[arg-type]


def _of(table: str, *, ondelete: str = "CASCADE") -> sa.ForeignKey:
    return sa.ForeignKey(f"{table}.id", ondelete=ondelete)


def upgrade() -> None:
    op.create_table(
        "notification",
        _id("id", primary_key=True),
        _id("user_id", _of("user_account"), nullable=False),
        sa.Column("kind", sa.String(64), nullable=False),
        _id("subject_id", nullable=False),
        _id("space_id", _of("space"), nullable=False, index=True),
        _id("change_request_id", _of("change_request"), index=True),
        _id("comment_id", _of("comment"), index=True),
        _id("reply_id", _of("comment", ondelete="SET NULL"), index=True),
        _id("actor_id"),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("created_at", Timestamp(), nullable=False),
        sa.Column("updated_at", Timestamp(), nullable=False),
        sa.Column("read_at", Timestamp()),
        sa.Column("mailed_at", Timestamp()),
        sa.Index(
            "uq_notification_unread", "user_id", "kind", "subject_id", unique=True,
            sqlite_where=_UNREAD, postgresql_where=_UNREAD,
        ),
        sa.Index(None, "user_id", "updated_at", "id"),
        sa.Index(None, "subject_id", "kind"),
        sa.Index(None, "read_at"),
        sa.Index(
            "ix_notification_unread_updated_at", "updated_at", sqlite_where=_UNREAD,
            postgresql_where=_UNREAD,
        ),
    )  # fmt: skip
    op.create_table(
        "notification_cursor",
        _id("organization_id", _of("organization"), primary_key=True),
        sa.Column("position", sa.BigInteger(), nullable=False),
    )
    # Nobody is notified of what happened before.
    op.execute(
        "INSERT INTO notification_cursor (organization_id, position) "
        "SELECT stream_id, last FROM event_counter "
        "WHERE stream_id IN (SELECT id FROM organization)"
    )
    op.create_table(
        "notification_settings",
        _id("user_id", _of("user_account"), primary_key=True),
        sa.Column("level", sa.String(64), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("digest_due_at", Timestamp(), index=True),
        sa.Index(None, "level", "user_id"),
    )
    op.create_table(
        "space_notification_level",
        _id("id", primary_key=True),
        _id("user_id", _of("user_account"), nullable=False),
        _id("space_id", _of("space"), nullable=False),
        sa.Column("level", sa.String(64), nullable=False),
        sa.Index("uq_space_notification_level", "user_id", "space_id", unique=True),
        sa.Index(None, "space_id", "level"),
        sa.Index(None, "user_id", "id"),
    )
    op.create_table(
        "feed_token",
        _id("id", primary_key=True),
        _id("user_id", _of("user_account"), nullable=False),
        _id("space_id", _of("space"), nullable=False, index=True),
        sa.Column("label", sa.String(50), nullable=False),
        sa.Column("digest", ordered_text(64), nullable=False, unique=True),
        sa.Column("method", sa.String(64)),
        _id("provider_id"),
        _id("provider_organization_id"),
        sa.Column("created_at", Timestamp(), nullable=False),
        sa.Column("expires_at", Timestamp()),
        sa.Column("revoked_at", Timestamp()),
        sa.Index(None, "user_id", "id"),
    )
    op.add_column("outgoing_mail", sa.Column("html", sa.Text()))
    op.add_column("outgoing_mail", sa.Column("unsubscribe_url", sa.Text()))


def downgrade() -> None:
    op.drop_column("outgoing_mail", "unsubscribe_url")
    op.drop_column("outgoing_mail", "html")
    for table in (
        "feed_token", "space_notification_level", "notification_settings", "notification_cursor",
        "notification",
    ):  # fmt: skip
        op.drop_table(table)
