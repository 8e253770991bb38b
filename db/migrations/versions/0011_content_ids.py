"""Stable ids of pages, files and reusable contents: which space has them as ids in GraphQL"""

from collections.abc import Iterator

import orjson
import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

ID = sa.String(length=64).with_variant(sa.String(length=64, collation="C"), "postgresql")
# Tables whose rows had ids of their own.
NODES = (
    "organization", "user_account", "collection", "space", "revision", "change_request",
    "change_request_review", "change_request_conflict", "comment", "site", "site_section",
    "site_section_group", "site_space", "site_share_link", "site_redirect", "site_mcp_server",
    "file_upload", "content_owner",
)  # fmt: skip
ROOTS = {"page": "pages_root", "file": "files_root", "reusable-content": "contents_root"}
AT_ONCE = 500


def upgrade() -> None:
    op.create_index(
        op.f("ix_change_request_revision_id"), "change_request", ["revision_id"], unique=False
    )
    owner = op.create_table(
        "content_owner",
        sa.Column("id", ID, nullable=False),
        sa.Column("space_id", ID, nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.ForeignKeyConstraint(
            ["space_id"],
            ["space.id"],
            name=op.f("fk_content_owner_space_id_space"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_content_owner")),
    )
    op.create_index(op.f("ix_content_owner_space_id"), "content_owner", ["space_id"], unique=False)
    homonym = op.create_table(
        "content_homonym",
        sa.Column("space_id", ID, nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("id", ID, nullable=False),
        sa.ForeignKeyConstraint(
            ["space_id"],
            ["space.id"],
            name=op.f("fk_content_homonym_space_id_space"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("space_id", "kind", "id", name=op.f("pk_content_homonym")),
    )
    _note(owner, homonym)


def _note(owner: sa.Table, homonym: sa.Table) -> None:
    """Give the stable ids of what is there to the oldest space that has them."""
    connection = op.get_bind()
    columns = ("id", "space_id", *ROOTS.values())
    revisions = sa.table("revision", *map(sa.column, columns))
    spaces = sa.table("space", sa.column("id"), sa.column("revision_id"))
    active = connection.execute(
        sa.select(*(revisions.c[name] for name in columns))
        .join(spaces, spaces.c.revision_id == revisions.c.id)
        .order_by(spaces.c.id)
    ).all()
    for one in active:
        for kind, root in ROOTS.items():
            for ids in _keys(connection, one.space_id, getattr(one, root)):
                taken = _taken(connection, ids)
                for table, some in (
                    (owner, [id for id in ids if id not in taken]),
                    (homonym, [id for id in ids if id in taken]),
                ):
                    rows = [{"space_id": one.space_id, "kind": kind, "id": id} for id in some]
                    if rows:
                        connection.execute(sa.insert(table), rows)


def _keys(connection: sa.Connection, space_id: str, root: str | None) -> Iterator[list[str]]:
    """The keys of a stored map, node by node, as content/merkle/node.py describes them."""
    nodes = sa.table("content_node", *map(sa.column, ("space_id", "id", "data")))
    left = [] if root is None else [root]
    while left:
        some, left = left[:AT_ONCE], left[AT_ONCE:]
        stored = connection.execute(
            sa.select(nodes.c.data).where(nodes.c.space_id == space_id, nodes.c.id.in_(some))
        )
        for data in stored.scalars().all():
            node = orjson.loads(bytes(data))
            if "entries" in node:
                yield list(node["entries"])
            left += [id for id, _ in (node.get("children") or node.get("pieces") or {}).values()]


def _taken(connection: sa.Connection, ids: list[str]) -> set[str]:
    """Those ids that rows of other tables have."""
    tables = (sa.table(name, sa.column("id")) for name in NODES)
    found = sa.union_all(*(sa.select(one.c.id).where(one.c.id.in_(ids)) for one in tables))
    return set(connection.execute(found).scalars())


def downgrade() -> None:
    op.drop_table("content_homonym")
    op.drop_index(op.f("ix_content_owner_space_id"), table_name="content_owner")
    op.drop_table("content_owner")
    op.drop_index(op.f("ix_change_request_revision_id"), table_name="change_request")
