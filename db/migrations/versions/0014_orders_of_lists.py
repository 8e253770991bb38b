"""What lists are sorted by: keys of titles and names, and the indexes of each order"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from db.text_order import sort_key

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

KEY = sa.String(length=255).with_variant(sa.String(length=255, collation="C"), "postgresql")
SOURCE = sa.String(length=1024)
SOURCE_KEY = SOURCE.with_variant(sa.String(length=1024, collation="C"), "postgresql")
# Table, the text, its key.
KEYS = (
    ("organization", "title", "title_key"),
    ("collection", "title", "title_key"),
    ("space", "title", "title_key"),
    ("site", "title", "title_key"),
    ("change_request", "subject", "subject_key"),
    ("site_share_link", "name", "name_key"),
)
INDEXES = (
    ("collection", "organization_id", "title_key", "id"),
    ("collection", "organization_id", "created_at", "id"),
    ("space", "organization_id", "title_key", "id"),
    ("space", "organization_id", "created_at", "id"),
    ("space", "organization_id", "updated_at", "id"),
    ("site", "organization_id", "title_key", "id"),
    ("site", "organization_id", "created_at", "id"),
    ("change_request", "space_id", "created_at", "id"),
    ("change_request", "space_id", "updated_at", "id"),
    ("change_request", "space_id", "subject_key", "id"),
    ("site_redirect", "site_id", "created_at", "id"),
    ("site_redirect", "site_id", "updated_at", "id"),
    ("member", "organization_id", "name_key", "user_id"),
    ("member", "organization_id", "joined_at", "user_id"),
    ("member", "organization_id", "role", "user_id"),
)
LAST_SEEN = sa.text("coalesce(last_seen_at, joined_at)")
LAST_WRITTEN = sa.text("coalesce(edited_at, posted_at)")
ON_SPACE = "parent_id IS NULL AND change_request_id IS NULL"
ON_CHANGE = "parent_id IS NULL AND change_request_id IS NOT NULL"
# Indexes of comments: name, condition, columns.
COMMENTS: tuple[tuple[str, str, list[Any]], ...] = (
    ("ix_comment_space_posted", ON_SPACE, ["space_id", "posted_at", "id"]),
    ("ix_comment_space_written", ON_SPACE, ["space_id", LAST_WRITTEN, "id"]),
    ("ix_comment_change_posted", ON_CHANGE, ["change_request_id", "posted_at", "id"]),
    ("ix_comment_change_written", ON_CHANGE, ["change_request_id", LAST_WRITTEN, "id"]),
)
AT_ONCE = 1000


def _name(table: str, *columns: str) -> str:
    return op.f(f"ix_{table}_{'_'.join(columns)}")


def upgrade() -> None:
    for table, text, key in KEYS:
        op.add_column(table, sa.Column(key, KEY, nullable=False, server_default=""))
        _fill(table, text, key)
    op.add_column("member", sa.Column("name_key", KEY, nullable=False, server_default=""))
    _fill_members()
    if op.get_bind().dialect.name == "postgresql":
        op.alter_column("site_redirect", "source_key", type_=SOURCE_KEY, existing_type=SOURCE)
    for table, *columns in INDEXES:
        op.create_index(_name(table, *columns), table, columns)
    op.create_index("ix_member_seen", "member", ["organization_id", LAST_SEEN, "user_id"])
    for name, condition, listed in COMMENTS:
        where = sa.text(condition)
        op.create_index(name, "comment", listed, sqlite_where=where, postgresql_where=where)


def _fill(table: str, text: str, key: str) -> None:
    """Work out the keys of the rows that are there, in parts."""
    connection = op.get_bind()
    rows = sa.table(table, sa.column("id", KEY), sa.column(text), sa.column(key))
    change = (
        sa.update(rows)
        .where(rows.c.id == sa.bindparam("row_id"))
        .values({key: sa.bindparam("key_of_row")})
    )
    after = ""
    while found := connection.execute(
        sa.select(rows.c.id, rows.c[text])
        .where(rows.c.id > after)
        .order_by(rows.c.id)
        .limit(AT_ONCE)
    ).all():
        connection.execute(
            change, [{"row_id": id, "key_of_row": sort_key(value)} for id, value in found]
        )
        after = found[-1][0]


def _fill_members() -> None:
    """The same for the names of people, which stand in another table."""
    connection = op.get_bind()
    people = sa.table("user_account", sa.column("id", KEY), sa.column("display_name"))
    members = sa.table("member", sa.column("user_id"), sa.column("name_key"))
    change = (
        sa.update(members)
        .where(members.c.user_id == sa.bindparam("person"))
        .values(name_key=sa.bindparam("key_of_row"))
    )
    after = ""
    while found := connection.execute(
        sa.select(people.c.id, people.c.display_name)
        .where(people.c.id > after)
        .order_by(people.c.id)
        .limit(AT_ONCE)
    ).all():
        connection.execute(
            change, [{"person": id, "key_of_row": sort_key(name)} for id, name in found]
        )
        after = found[-1][0]


def downgrade() -> None:
    for name, _, _ in COMMENTS:
        op.drop_index(name, table_name="comment")
    op.drop_index("ix_member_seen", table_name="member")
    for table, *columns in INDEXES:
        op.drop_index(_name(table, *columns), table_name=table)
    if op.get_bind().dialect.name == "postgresql":
        op.alter_column("site_redirect", "source_key", type_=SOURCE, existing_type=SOURCE_KEY)
    op.drop_column("member", "name_key")
    for table, _, key in KEYS:
        op.drop_column(table, key)
