"""Teams are sorted and belong to their members' organization"""

from typing import Any

import sqlalchemy as sa
from alembic import op

from db.base import ordered_text
from db.text_order import sort_key

revision = "0002_people"
down_revision = "0001_first_release"
branch_labels = None
depends_on = None

TEAM = sa.table("team", sa.column("id"), sa.column("title"), sa.column("title_key"))


def upgrade() -> None:
    op.add_column("member", _key("key", 130, server_default=""))
    op.execute("UPDATE member SET key = organization_id || '~' || user_id")
    op.create_index("ix_member_key", "member", ["key"], unique=True)
    op.drop_index("ix_team_organization_id", "team")
    op.add_column("team", _key("title_key", 255, server_default=""))
    connection = op.get_bind()
    for id, title in connection.execute(sa.select(TEAM.c.id, TEAM.c.title)).all():
        keyed = sa.update(TEAM).where(TEAM.c.id == id).values(title_key=sort_key(title))
        connection.execute(keyed)
    for column in ("", "title_key", "created_at"):
        names = ["organization_id", *filter(None, [column]), "id"]
        op.create_index(f"ix_team_{'_'.join(names)}", "team", names)
    # Whoever is no member of the organization leaves its teams.
    _hold("m.organization_id, m.name_key", "JOIN team t ON t.id = tm.team_id JOIN member m "
          "ON m.organization_id = t.organization_id AND m.user_id = tm.user_id")  # fmt: skip
    op.create_table(
        "team_member",
        _key("team_id", 64, sa.ForeignKey("team.id", ondelete="CASCADE"), primary_key=True),
        _key("user_id", 64, primary_key=True, index=True),
        _key("organization_id"),
        sa.Column("owner", sa.Boolean(), nullable=False),
        _key("name_key", 255),
        sa.ForeignKeyConstraint(
            ["organization_id", "user_id"],
            ["member.organization_id", "member.user_id"],
            ondelete="CASCADE",
        ),
        sa.Index(None, "team_id", "name_key", "user_id"),
    )
    _give_back("team_id, user_id, owner, organization_id, name_key")


def downgrade() -> None:
    _hold("", "")
    op.create_table(
        "team_member",
        _key("team_id", 64, sa.ForeignKey("team.id", ondelete="CASCADE"), primary_key=True),
        _key(
            "user_id",
            64,
            sa.ForeignKey("user_account.id", ondelete="CASCADE"),
            primary_key=True,
            index=True,
        ),
        sa.Column("owner", sa.Boolean(), nullable=False),
    )
    _give_back("team_id, user_id, owner")
    for name in ("organization_id_id", "organization_id_title_key_id",
                 "organization_id_created_at_id"):  # fmt: skip
        op.drop_index(f"ix_team_{name}", "team")
    op.drop_column("team", "title_key")
    op.create_index("ix_team_organization_id", "team", ["organization_id"])
    op.drop_index("ix_member_key", "member")
    op.drop_column("member", "key")


def _key(name: str, length: int = 64, *reference: Any, **options: Any) -> sa.Column[Any]:
    return sa.Column(name, ordered_text(length), *reference, nullable=False, **options)


def _hold(more: str, joins: str) -> None:
    """Put the rows of `team_member`, with `more` columns, aside: the table is made anew.

    SQLite cannot add a foreign key to a table.
    """
    columns = ", ".join(filter(None, ["tm.team_id, tm.user_id, tm.owner", more]))
    op.execute(
        f"CREATE TABLE held_team_member AS SELECT {columns} "  # noqa: S608 (names from above)
        f"FROM team_member tm {joins}"
    )
    op.drop_table("team_member")


def _give_back(columns: str) -> None:
    op.execute(
        f"INSERT INTO team_member ({columns}) "  # noqa: S608 (names from above)
        f"SELECT {columns} FROM held_team_member"
    )
    op.drop_table("held_team_member")
