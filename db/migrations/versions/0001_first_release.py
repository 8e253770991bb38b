"""All tables of the first release"""

from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from alembic import op

from db.base import ordered_text
from db.ids import random_text

# Not "0001": databases of versions before the first release stand at that, with other tables.
revision = "0001_first_release"
down_revision = None
branch_labels = None
depends_on = None

# In an order in which they can be made.
TABLES = (
    "instance_secret", "organization", "user_account", "member", "team", "team_member",
    "api_token", "former_home", "remembered_answer", "collection", "collection_ancestor", "space",
    "access_grant", "revision", "content_node", "document", "content_owner", "content_homonym",
    "page_redirect", "content_redirect", "file_upload", "shown_file", "shown_file_use",
    "change_request", "change_request_contributor", "change_request_review",
    "change_request_reviewer", "change_request_conflict", "comment", "reaction", "content_index",
    "indexed_page", "indexed_section", "content_link", "content_link_use", "site",
    "site_section_group", "site_section", "site_space", "custom_hostname", "site_share_link",
    "site_redirect", "site_path_redirect", "site_adaptive_schema", "site_customization",
    "site_space_customization", "site_mcp_server", "site_publishing_auth", "site_revalidation",
    "insights_event",
)  # fmt: skip
ON_SPACE = "parent_id IS NULL AND change_request_id IS NULL"
ON_CHANGE = "parent_id IS NULL AND change_request_id IS NOT NULL"
LAST_WRITTEN = sa.text("coalesce(edited_at, posted_at)")
# Words come folded and cut by the application; all that is not ASCII is part of a word to this
# tokenizer, and words are put one blank apart.
SQLITE = (
    "CREATE VIRTUAL TABLE search_text USING fts5("
    "scope, title, headings, description, body, tokenize = 'ascii', prefix = '2 3')",
    "CREATE TRIGGER indexed_page_words AFTER DELETE ON indexed_page "
    "BEGIN DELETE FROM search_text WHERE rowid = old.id; END",
)
# The words of a page are read for the few best pages only, so they stand beside the row; the
# index takes up new pages in larger pieces, but not so many that searches notice.
POSTGRESQL = (
    "CREATE TABLE search_text ("
    "page integer CONSTRAINT pk_search_text PRIMARY KEY "
    "CONSTRAINT fk_search_text_page REFERENCES indexed_page (id) ON DELETE CASCADE, "
    'space_id varchar(64) COLLATE "C" NOT NULL, '
    "heads tsvector NOT NULL, words tsvector NOT NULL, "
    "audience varchar(64) NOT NULL DEFAULT 'members') WITH (toast_tuple_target = 128)",
    "ALTER TABLE search_text ALTER heads SET STORAGE MAIN, ALTER words SET STORAGE EXTERNAL",
    "CREATE INDEX ix_search_text_words ON search_text USING gin (words) "
    "WITH (fastupdate = on, gin_pending_list_limit = 512)",
)


def upgrade() -> None:
    _organizations()
    _spaces()
    _content()
    _change_requests()
    _comments()
    _index()
    _sites()
    _site_settings()
    for statement in SQLITE if op.get_bind().dialect.name == "sqlite" else POSTGRESQL:
        op.execute(statement)
    # The keys that sign addresses of files and tokens, which all processes share.
    secret = sa.table("instance_secret", sa.column("name"), sa.column("value"))
    names = ("file-addresses", "content-tokens")
    op.bulk_insert(secret, [{"name": name, "value": random_text(43)} for name in names])


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TRIGGER indexed_page_words")
    op.execute("DROP TABLE search_text")
    for table in reversed(TABLES):
        op.drop_table(table)


# Columns are filled unless they say otherwise. Constraints and indexes without a name are named
# by the convention of db/base.py.


def _column(name: str, type_: Any, *reference: Any, nullable: bool = False, **options: Any) -> Any:
    return sa.Column(name, type_, *reference, nullable=nullable, **options)


def _key(name: str, length: int = 64, *reference: Any, **options: Any) -> Any:
    """Text that sorts by its bytes: ids, digests, keys of orders."""
    return _column(name, ordered_text(length), *reference, **options)


def _reference(name: str, to: str, ondelete: str | None = "CASCADE", **options: Any) -> Any:
    """A column of another table, with whose row this one goes unless it says otherwise."""
    return _key(name, 64, sa.ForeignKey(to, ondelete=ondelete), **options)


def _text(name: str, length: int | None = None, **options: Any) -> Any:
    return _column(name, sa.Text() if length is None else sa.String(length), **options)


def _number(name: str, *reference: Any, **options: Any) -> Any:
    return _column(name, sa.Integer(), *reference, **options)


def _flag(name: str, **options: Any) -> Any:
    return _column(name, sa.Boolean(), **options)


def _time(name: str, **options: Any) -> Any:
    return _column(name, sa.DateTime(timezone=True), **options)


def _json(name: str, **options: Any) -> Any:
    return _column(name, sa.JSON(), **options)


def _bytes(name: str, **options: Any) -> Any:
    return _column(name, sa.LargeBinary(), **options)


def _each(column: Callable[..., Any], *names: str, **options: Any) -> list[Any]:
    """Columns of one kind."""
    return [column(name, **options) for name in names]


def _partial(name: str, condition: str, *columns: Any) -> sa.Index:
    """An index of the rows that a condition is true of."""
    where = sa.text(condition)
    return sa.Index(name, *columns, sqlite_where=where, postgresql_where=where)


def _organizations() -> None:
    op.create_table("instance_secret", _text("name", 64, primary_key=True), _text("value"))
    op.create_table(
        "organization",
        _key("id", primary_key=True),
        _text("title", 255),
        _text("type", 64),
        _text("use_case", 64, nullable=True),
        _text("community_type", 64, nullable=True),
        _json("email_domains"),
        _text("hostname", 32, unique=True, nullable=True),
        _number("default_role"),
        _key("default_site_id", nullable=True),
        *_each(_flag, "sso", "ai", "invite_links"),
        _json("merge_rules"),
        _text("logo_url", 2048, nullable=True),
        _time("created_at"),
        _key("title_key", 255, server_default=""),
    )
    op.create_table(
        "user_account",
        _key("id", primary_key=True),
        _text("email", 320),
        _text("display_name", 64),
        _text("photo_url", 2048, nullable=True),
        _time("created_at"),
        sa.Index("uq_user_account_email", sa.text("lower(email)"), unique=True),
    )
    op.create_table(
        "member",
        _reference("organization_id", "organization.id", primary_key=True),
        _reference("user_id", "user_account.id", primary_key=True, index=True),
        _number("role"),
        *_each(_flag, "disabled", "sso"),
        _time("joined_at"),
        _time("last_seen_at", nullable=True),
        _key("name_key", 255, server_default=""),
        sa.Index(None, "organization_id", "joined_at", "user_id"),
        sa.Index(None, "organization_id", "name_key", "user_id"),
        sa.Index(None, "organization_id", "role", "user_id"),
        sa.Index(
            "ix_member_seen",
            "organization_id",
            sa.text("coalesce(last_seen_at, joined_at)"),
            "user_id",
        ),
    )
    op.create_table(
        "team",
        _key("id", primary_key=True),
        _reference("organization_id", "organization.id", index=True),
        _text("title", 64),
        _time("created_at"),
    )
    op.create_table(
        "team_member",
        _reference("team_id", "team.id", primary_key=True),
        _reference("user_id", "user_account.id", primary_key=True, index=True),
        _flag("owner"),
    )
    op.create_table(
        "api_token",
        _key("id", primary_key=True),
        _reference("user_id", "user_account.id", index=True),
        _text("label", 50),
        _key("digest", unique=True),
        _json("scopes"),
        _time("created_at"),
        *_each(_time, "expires_at", "last_used_at", "revoked_at", nullable=True),
    )
    op.create_table(
        "former_home",
        _reference("organization_id", "organization.id", primary_key=True),
        _key("former_id", primary_key=True),
    )
    op.create_table(
        "remembered_answer",
        _key("id", primary_key=True),
        _key("request"),
        _time("created_at", index=True),
        _number("status"),
        _json("headers"),
        _number("size"),
        _bytes("body", nullable=True),
    )


def _spaces() -> None:
    op.create_table(
        "collection",
        _key("id", primary_key=True),
        _reference("organization_id", "organization.id"),
        _reference("parent_id", "collection.id", ondelete=None, nullable=True),
        _text("title", 50),
        _text("description", 100, nullable=True),
        _number("default_level"),
        _key("position", 255),
        _time("created_at"),
        _number("depth"),
        *_each(_number, "level_rank", "level_depth", nullable=True),
        _key("title_key", 255, server_default=""),
        sa.Index(None, "organization_id", "created_at", "id"),
        sa.Index(None, "organization_id", "id"),
        sa.Index(None, "organization_id", "parent_id", "position"),
        sa.Index(None, "organization_id", "title_key", "id"),
        sa.Index(None, "parent_id", "position", "id"),
    )
    op.create_table(
        "collection_ancestor",
        _reference("collection_id", "collection.id", primary_key=True),
        _reference("ancestor_id", "collection.id", primary_key=True, index=True),
    )
    op.create_table(
        "space",
        _key("id", primary_key=True),
        _reference("organization_id", "organization.id"),
        _reference("parent_id", "collection.id", ondelete=None, nullable=True),
        _text("title", 50),
        _text("emoji", 50),
        _text("icon_url", 2048, nullable=True),
        _text("edit_mode", 64),
        _number("default_level"),
        _text("language", 64, nullable=True),
        _json("merge_rules"),
        _key("revision_id"),
        _number("last_change_request"),
        _key("position", 255),
        *_each(_time, "created_at", "updated_at"),
        _time("deleted_at", nullable=True),
        _key("title_key", 255, server_default=""),
        sa.Index("ix_space_deleted", "deleted_at"),
        sa.Index(None, "organization_id", "created_at", "id"),
        sa.Index(None, "organization_id", "id"),
        sa.Index(None, "organization_id", "parent_id", "position"),
        sa.Index(None, "organization_id", "title_key", "id"),
        sa.Index(None, "organization_id", "updated_at", "id"),
        sa.Index(None, "parent_id", "position", "id"),
    )
    op.create_table(
        "access_grant",
        _key("id", primary_key=True),
        _reference("space_id", "space.id", nullable=True),
        _reference("collection_id", "collection.id", nullable=True),
        _reference("user_id", "user_account.id", nullable=True),
        _reference("team_id", "team.id", nullable=True),
        _number("role"),
        _time("created_at"),
        sa.CheckConstraint("(space_id IS NULL) <> (collection_id IS NULL)", name="one_object"),
        sa.CheckConstraint("(user_id IS NULL) <> (team_id IS NULL)", name="one_subject"),
        sa.Index("ix_access_grant_team", "team_id"),
        sa.Index("ix_access_grant_user", "user_id"),
        sa.Index("uq_access_grant_collection_team", "collection_id", "team_id", unique=True),
        sa.Index("uq_access_grant_collection_user", "collection_id", "user_id", unique=True),
        sa.Index("uq_access_grant_space_team", "space_id", "team_id", unique=True),
        sa.Index("uq_access_grant_space_user", "space_id", "user_id", unique=True),
    )


def _content() -> None:
    op.create_table(
        "revision",
        _key("id", primary_key=True),
        _reference("space_id", "space.id"),
        _text("type", 64),
        _json("parents"),
        _text("pages_root", 20, nullable=True),
        _text("slugs_root", 20, nullable=True),
        _text("files_root", 20, nullable=True),
        _text("contents_root", 20, nullable=True),
        _json("variables"),
        _json("git", nullable=True),
        _key("merged_from_id", nullable=True),
        _reference("author_id", "user_account.id", ondelete="SET NULL", nullable=True),
        _time("created_at"),
        _flag("conditional", server_default=sa.true()),
        _text("redirects_root", 20, nullable=True),
        sa.Index(None, "space_id", "id"),
    )
    op.create_table(
        "content_node",
        _reference("space_id", "space.id", primary_key=True),
        _key("id", primary_key=True),
        _bytes("data"),
    )
    op.create_table(
        "document",
        _reference("space_id", "space.id", primary_key=True),
        _key("id", primary_key=True),
        _text("markdown"),
        _bytes("data"),
    )
    op.create_table(
        "content_owner",
        _key("id", primary_key=True),
        _reference("space_id", "space.id", index=True),
        _text("kind", 32),
    )
    op.create_table(
        "content_homonym",
        _reference("space_id", "space.id", primary_key=True),
        _text("kind", 32, primary_key=True),
        _key("id", primary_key=True),
    )
    op.create_table(
        "page_redirect",
        _reference("space_id", "space.id", primary_key=True),
        _key("key", primary_key=True),
        _text("path"),
        _key("page_id"),
        _time("created_at"),
    )
    op.create_table(
        "content_redirect",
        _reference("space_id", "space.id", primary_key=True),
        _key("key", primary_key=True),
        _key("page_id"),
        _text("anchor", nullable=True),
    )
    op.create_table(
        "file_upload",
        _key("id", primary_key=True),
        _reference("space_id", "space.id", index=True),
        _reference("user_id", "user_account.id", index=True, nullable=True),
        _text("name", 255),
        _time("created_at", index=True),
        _time("uploaded_at", nullable=True),
        _text("sha256", 64, nullable=True),
        _number("size", nullable=True),
        _text("content_type", 255, nullable=True),
        *_each(_number, "width", "height", nullable=True),
    )
    op.create_table(
        "shown_file",
        _key("address", primary_key=True),
        _reference("space_id", "space.id", index=True),
        _text("content_type", 255),
    )
    op.create_table(
        "shown_file_use",
        _reference("address", "shown_file.address", primary_key=True),
        _key("page_id", primary_key=True),
        _reference("space_id", "space.id"),
        sa.Index(None, "space_id", "page_id"),
    )


def _change_requests() -> None:
    op.create_table(
        "change_request",
        _key("id", primary_key=True),
        _reference("space_id", "space.id"),
        _number("number"),
        _text("status", 64),
        _text("subject", 100),
        _json("description", nullable=True),
        _reference("created_by_id", "user_account.id", ondelete=None, index=True),
        *_each(_time, "created_at", "updated_at"),
        _key("revision_id", index=True),
        _key("revision_initial_id"),
        *_each(_key, "revision_merged_ancestor_id", "revision_merged_id", nullable=True),
        _flag("outdated_when_closed", nullable=True),
        _key("subject_key", 255, server_default=""),
        sa.UniqueConstraint("space_id", "number"),
        sa.Index(None, "space_id", "created_at", "id"),
        sa.Index(None, "space_id", "status", "number"),
        sa.Index(None, "space_id", "subject_key", "id"),
        sa.Index(None, "space_id", "updated_at", "id"),
    )
    op.create_table(
        "change_request_contributor",
        _key("id", primary_key=True),
        _reference("space_id", "space.id", index=True),
        _reference("change_request_id", "change_request.id"),
        _reference("user_id", "user_account.id", index=True),
        _text("action", 64),
        _number("count"),
        _time("updated_at"),
        sa.UniqueConstraint("change_request_id", "user_id", "action"),
        sa.Index(None, "change_request_id", "updated_at", "id"),
    )
    op.create_table(
        "change_request_review",
        _key("id", primary_key=True),
        _reference("space_id", "space.id", index=True),
        _reference("change_request_id", "change_request.id"),
        _reference("reviewer_id", "user_account.id", ondelete=None, index=True),
        _reference("requested_by_id", "user_account.id", ondelete=None, index=True, nullable=True),
        _text("status", 64),
        _key("revision_id"),
        _flag("superseded"),
        _key("comment_id", nullable=True),
        *_each(_time, "created_at", "updated_at"),
        sa.Index(None, "change_request_id", "id"),
    )
    op.create_table(
        "change_request_reviewer",
        _key("id", primary_key=True),
        _reference("space_id", "space.id", index=True),
        _reference("change_request_id", "change_request.id"),
        _reference("user_id", "user_account.id", index=True),
        _reference("requested_by_id", "user_account.id", ondelete=None, index=True),
        _key("revision_id"),
        _time("created_at"),
        sa.UniqueConstraint("change_request_id", "user_id"),
        sa.Index(None, "change_request_id", "id"),
    )
    op.create_table(
        "change_request_conflict",
        _key("id", primary_key=True),
        _reference("space_id", "space.id", index=True),
        _reference("change_request_id", "change_request.id"),
        _key("key"),
        _text("kind", 64),
        *_each(_key, "page_id", "file_id", "content_id", nullable=True),
        _text("block", 64, nullable=True),
        _text("field", nullable=True),
        _json("data"),
        _text("resolution", 64, nullable=True),
        _time("resolved_at", nullable=True),
        _reference(
            "resolved_by_id", "user_account.id", ondelete="SET NULL", index=True, nullable=True
        ),
        _time("created_at"),
        sa.UniqueConstraint("change_request_id", "key"),
        sa.Index(None, "change_request_id", "id"),
    )


def _comments() -> None:
    op.create_table(
        "comment",
        _key("id", primary_key=True),
        _reference("space_id", "space.id"),
        _reference("change_request_id", "change_request.id", nullable=True),
        _reference("parent_id", "comment.id", nullable=True),
        _reference("posted_by_id", "user_account.id", ondelete=None, index=True),
        _time("posted_at"),
        _time("edited_at", nullable=True),
        _text("markdown"),
        _json("document"),
        _text("status", 64),
        _time("resolved_at", nullable=True),
        _reference("resolved_by_id", "user_account.id", ondelete=None, nullable=True),
        _key("revision_id"),
        *_each(_key, "page_id", "node_id", nullable=True),
        _text("node_preview", 100, nullable=True),
        _text("table_record", 64, nullable=True),
        _text("table_definition", 64, nullable=True),
        _key("review_id", nullable=True),
        _partial("ix_comment_change", ON_CHANGE, "change_request_id", "id"),
        _partial(
            "ix_comment_change_author",
            "change_request_id IS NOT NULL",
            "change_request_id",
            "posted_by_id",
            "id",
            "parent_id",
        ),
        _partial("ix_comment_change_posted", ON_CHANGE, "change_request_id", "posted_at", "id"),
        _partial("ix_comment_change_status", ON_CHANGE, "change_request_id", "status", "id"),
        _partial("ix_comment_change_written", ON_CHANGE, "change_request_id", LAST_WRITTEN, "id"),
        _partial("ix_comment_parent", "parent_id IS NOT NULL", "parent_id", "id"),
        _partial("ix_comment_space", ON_SPACE, "space_id", "id"),
        sa.Index(
            "ix_comment_space_author",
            "space_id",
            "change_request_id",
            "posted_by_id",
            "id",
            "parent_id",
        ),
        _partial("ix_comment_space_page", ON_SPACE, "space_id", "page_id", "id"),
        _partial("ix_comment_space_posted", ON_SPACE, "space_id", "posted_at", "id"),
        _partial("ix_comment_space_status", ON_SPACE, "space_id", "status", "id"),
        _partial("ix_comment_space_written", ON_SPACE, "space_id", LAST_WRITTEN, "id"),
    )
    op.create_table(
        "reaction",
        _reference("comment_id", "comment.id", primary_key=True),
        _key("code_points", 400, primary_key=True),
        _reference("user_id", "user_account.id", primary_key=True, index=True),
        _text("emoji", 50),
        _time("reacted_at"),
    )


def _index() -> None:
    op.create_table(
        "content_index",
        _reference("space_id", "space.id", primary_key=True),
        _key("revision_id", nullable=True),
        _number("format"),
        _key("builder", nullable=True),
        _time("built_at"),
    )
    op.create_table(
        "indexed_page",
        _number("id", primary_key=True),
        _reference("space_id", "space.id"),
        _key("page_id"),
        _flag("searchable"),
        _text("audience", 64, server_default="members"),
        sa.UniqueConstraint("space_id", "page_id", "audience"),
    )
    op.create_table(
        "indexed_section",
        _number("page", sa.ForeignKey("indexed_page.id", ondelete="CASCADE"), primary_key=True),
        _number("position", primary_key=True),
        _text("anchor", nullable=True),
        *_each(_text, "heading", "body"),
    )
    op.create_table(
        "content_link",
        _key("id", primary_key=True),
        _reference("space_id", "space.id"),
        _key("digest"),
        _text("relation", 64),
        _text("status", 64),
        _text("kind", 32),
        _json("reference"),
        *_each(_key, "target_space_id", "target_id", nullable=True),
        _text("anchor", nullable=True),
        sa.UniqueConstraint("space_id", "digest"),
        sa.Index(None, "space_id", "id"),
        sa.Index(None, "target_space_id", "target_id"),
    )
    op.create_table(
        "content_link_use",
        _reference("link_id", "content_link.id", primary_key=True),
        *_each(_key, "source_id", "node", primary_key=True),
        _reference("space_id", "space.id"),
        _flag("reusable"),
        _text("text"),
        sa.Index(None, "space_id", "source_id"),
    )


def _sites() -> None:
    op.create_table(
        "site",
        _key("id", primary_key=True),
        _reference("organization_id", "organization.id"),
        _text("title", 128),
        _text("type", 64),
        _text("visibility", 64),
        _flag("published"),
        _text("basename", 100, nullable=True),
        _text("hostname", 512, index=True, nullable=True),
        _text("proxy_origin", 512, nullable=True),
        _json("icon", nullable=True),
        _flag("adaptive_content"),
        _text("agents_context", 64),
        _key("default_site_space_id", nullable=True),
        _time("created_at"),
        _key("default_section_id", nullable=True),
        _text("previews", 64, server_default="members"),
        _key("title_key", 255, server_default=""),
        sa.Index(None, "organization_id", "created_at", "id"),
        sa.Index(None, "organization_id", "id"),
        sa.Index(None, "organization_id", "title_key", "id"),
        sa.Index("ix_site_proxy_origin", sa.text("lower(proxy_origin)")),
        sa.Index("uq_site_basename", "organization_id", "basename", unique=True),
    )
    op.create_table(
        "site_section_group",
        _key("id", primary_key=True),
        _reference("site_id", "site.id"),
        _reference("parent_id", "site_section_group.id", ondelete=None, nullable=True),
        _text("title", 100),
        _text("icon", 50, nullable=True),
        *_each(_number, "position", "place"),
        _time("created_at"),
        sa.Index(None, "site_id", "place", "id"),
    )
    op.create_table(
        "site_section",
        _key("id", primary_key=True),
        _reference("site_id", "site.id"),
        _reference("group_id", "site_section_group.id", ondelete=None, nullable=True),
        _text("title", 128),
        _text("description", 256, nullable=True),
        _text("path", 100),
        _text("condition", 1024, nullable=True),
        _text("icon", 50, nullable=True),
        _key("default_site_space_id", nullable=True),
        *_each(_number, "position", "place"),
        _time("created_at"),
        sa.Index(None, "site_id", "place", "id"),
        sa.Index("uq_site_section_path", "site_id", sa.text("lower(path)"), unique=True),
    )
    op.create_table(
        "site_space",
        _key("id", primary_key=True),
        _reference("site_id", "site.id"),
        _key("section_id", nullable=True),
        _reference("space_id", "space.id", index=True),
        _text("path", 100),
        _text("condition", 1024, nullable=True),
        _number("position"),
        _time("created_at"),
        _number("place", server_default="0"),
        sa.Index(None, "section_id", "place", "id"),
        sa.Index(None, "site_id", "place", "id"),
        sa.Index(
            "uq_site_space_path",
            "site_id",
            sa.text("coalesce(section_id, '')"),
            sa.text("lower(path)"),
            unique=True,
        ),
        sa.Index("uq_site_space_space", "site_id", "space_id", unique=True),
    )
    op.create_table(
        "custom_hostname",
        _text("hostname", 512, primary_key=True),
        _reference("site_id", "site.id", unique=True),
        _text("status", 64),
        *_each(_time, "checked_at", "checking_since", nullable=True),
        _time("created_at"),
    )
    op.create_table(
        "site_share_link",
        _key("id", primary_key=True),
        _reference("site_id", "site.id"),
        _text("name", 50),
        _flag("active"),
        _text("secret", 64, unique=True),
        _time("created_at"),
        _key("name_key", 255, server_default=""),
        sa.Index(None, "site_id", "id"),
    )
    op.create_table(
        "site_redirect",
        _key("id", primary_key=True),
        _reference("site_id", "site.id"),
        _text("source", 512),
        _key("source_key", 1024),
        _json("destination"),
        *_each(_flag, "wildcard", "capture_wildcard", "permanent", "draft"),
        *_each(_time, "created_at", "updated_at"),
        sa.Index(None, "site_id", "created_at", "id"),
        sa.Index(None, "site_id", "id"),
        sa.Index(None, "site_id", "updated_at", "id"),
        sa.Index("uq_site_redirect_source", "site_id", "source_key", "wildcard", unique=True),
    )
    op.create_table(
        "site_path_redirect",
        _reference("site_id", "site.id", primary_key=True),
        _text("key", 1024, primary_key=True),
        _reference("section_id", "site_section.id", index=True, nullable=True),
        _reference("site_space_id", "site_space.id", index=True, nullable=True),
        _time("created_at"),
    )


def _site_settings() -> None:
    op.create_table(
        "site_adaptive_schema",
        _reference("site_id", "site.id", primary_key=True),
        _json("json_schema"),
        _time("updated_at"),
    )
    op.create_table(
        "site_customization",
        _reference("site_id", "site.id", primary_key=True),
        _json("settings"),
        _time("updated_at"),
    )
    op.create_table(
        "site_space_customization",
        _reference("site_space_id", "site_space.id", primary_key=True),
        _json("settings"),
        _time("updated_at"),
    )
    op.create_table(
        "site_mcp_server",
        _key("id", primary_key=True),
        _reference("site_id", "site.id"),
        _text("name", 100),
        _text("url", 2048),
        _json("headers"),
        _time("created_at"),
        sa.Index(None, "site_id", "id"),
    )
    op.create_table(
        "site_publishing_auth",
        _reference("site_id", "site.id", primary_key=True),
        _text("private_key", 128),
        _text("backend", 64),
        _text("fallback_url", 2048, nullable=True),
        _text("integration", 100, nullable=True),
        _time("updated_at"),
    )
    op.create_table(
        "site_revalidation",
        _reference("site_id", "site.id", primary_key=True),
        _text("url", 2048),
        _text("secret", 128),
        _time("updated_at"),
        *_each(_time, "last_attempt_at", "last_success_at", nullable=True),
        _number("last_status", nullable=True),
        _text("last_error", 300, nullable=True),
        _number("failures"),
    )
    op.create_table(
        "insights_event",
        _key("id", primary_key=True),
        _reference("site_id", "site.id"),
        _time("happened_at", index=True),
        _text("type", 64),
        _key("visitor_id", 128),
        _key("session_id", 128),
        _text("url", 2048),
        *_each(_key, "section_id", "site_space_id", "page_id", nullable=True),
        _text("share_key", 64, nullable=True),
        _json("data"),
        sa.Index(None, "site_id", "happened_at"),
    )
