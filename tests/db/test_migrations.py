"""Migrations go up, down and up again on both databases, and match the models."""

import shutil
import warnings
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect, select

from db.instance import instance_secrets
from db.migrate import _config, migrate
from db.models.all import metadata
from db.models.content_index import SEARCH_TEXT
from db.models.organizations import Member, Team, TeamMember
from db.session import Database
from db.standing import UnknownMigration, current, head, migrations
from db.text_order import sort_key
from tests.kinds import KINDS
from tests.postgres import TemporaryPostgres


@pytest.fixture(params=KINDS)
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database without a table."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'empty.sqlite3'}"
    server: TemporaryPostgres = request.getfixturevalue("postgres_server")
    server.drop_database("migrations")
    return server.create_database("migrations")


@pytest.fixture(params=KINDS)
def migrated_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database with all migrations, which is a copy of one."""
    if request.param == "sqlite":
        copy = tmp_path / "migrated.sqlite3"
        shutil.copy(request.getfixturevalue("sqlite_template"), copy)
        return f"sqlite:///{copy}"
    server: TemporaryPostgres = request.getfixturevalue("postgres_server")
    server.drop_database("migrations")
    return server.create_database("migrations", request.getfixturevalue("postgres_template"))


def is_search_text(table: str) -> bool:
    """Whether a table holds words of search, or is a part of the one that does."""
    return table == SEARCH_TEXT or table.startswith(f"{SEARCH_TEXT}_")


def _is_described(name: str | None, kind: str, parents: object) -> bool:
    return kind != "table" or name is None or not is_search_text(name)


async def differences(database: Database) -> list[object]:
    """Differences between the models and the migrated database; empty when they agree.

    The table of words is left out, which no model describes; so are, on SQLite, indexes on
    expressions: they cannot be read back.
    """

    def compare(connection: Connection) -> list[object]:
        options = {"compare_type": True, "include_name": _is_described}
        context = MigrationContext.configure(connection, opts=options)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", ".*expression-based index")
            return list(compare_metadata(context, metadata))

    async with database.connection() as connection:
        return await connection.run_sync(compare)


async def table_names(database: Database) -> set[str]:
    async with database.connection() as connection:
        names = await connection.run_sync(lambda sync: inspect(sync).get_table_names())
    assert len([name for name in names if is_search_text(name)]) in (0, 1, 6)
    return {name for name in names if not is_search_text(name)}


async def test_up_down_up(empty_url: str) -> None:
    database = Database(empty_url)
    assert await current(database) is None
    secrets = []
    for _ in range(2):
        await migrate(database)
        assert await current(database) == head()
        assert await table_names(database) == {*metadata.tables, "alembic_version"}
        assert await differences(database) == []
        async with database.session() as session:
            secrets += await instance_secrets(session, "file-addresses", "content-tokens")
        await migrate(database, "base")
        assert await table_names(database) == {"alembic_version"}
    assert len(set(secrets)) == 4
    assert all(len(secret) == 43 for secret in secrets)
    await database.close()


async def test_teams_keep_their_members_and_get_their_keys(migrated_url: str) -> None:
    """Up and down; who is no member of the organization leaves its teams."""
    database = Database(migrated_url)
    await migrate(database, "0001_first_release")
    now = "2026-01-01 00:00:00"
    before = (
        "INSERT INTO organization (id, title, type, email_domains, default_role, sso, ai, "
        "invite_links, merge_rules, created_at) "
        f"VALUES ('o', 'O', 'business', '[]', 0, false, false, true, '{{}}', '{now}')",
        *(
            "INSERT INTO user_account (id, email, display_name, created_at) "
            f"VALUES ('{id}', '{id}@a.b', '{id}', '{now}')"
            for id in ("ada", "bo")
        ),
        "INSERT INTO member (organization_id, user_id, role, disabled, sso, joined_at, name_key) "
        f"VALUES ('o', 'ada', 1, false, false, '{now}', 'ada')",
        "INSERT INTO team (id, organization_id, title, created_at) "
        f"VALUES ('t', 'o', 'Écoles', '{now}')",
        "INSERT INTO team_member (team_id, user_id, owner) VALUES ('t', 'ada', true)",
        "INSERT INTO team_member (team_id, user_id, owner) VALUES ('t', 'bo', false)",
    )
    async with database.connection() as connection:
        for statement in before:
            await connection.exec_driver_sql(statement)
        await connection.commit()
    await migrate(database)
    assert await differences(database) == []
    async with database.session() as session:
        (member,) = (await session.execute(select(TeamMember))).scalars()
        assert (member.user_id, member.organization_id, member.owner) == ("ada", "o", True)
        assert member.name_key == "ada"
        assert (await session.execute(select(Member.key))).scalars().all() == ["o~ada"]
        assert (await session.execute(select(Team.title_key))).scalars().all() == [
            sort_key("écoles")
        ]
    await migrate(database, "0001_first_release")
    async with database.connection() as connection:
        rows = await connection.exec_driver_sql("SELECT team_id, user_id FROM team_member")
        assert [tuple(row) for row in rows] == [("t", "ada")]
    await database.close()


async def test_constraints_have_the_names_of_the_convention(migrated_url: str) -> None:
    """A later migration finds them by these."""
    database = Database(migrated_url)
    async with database.connection() as connection:
        keys = await connection.run_sync(lambda sync: inspect(sync).get_multi_foreign_keys())
        primary = await connection.run_sync(lambda sync: inspect(sync).get_multi_pk_constraint())
    made = {
        *(one["name"] for found in keys.values() for one in found),
        *(one["name"] for one in primary.values()),
    }
    described = {
        str(constraint.name)
        for table in metadata.tables.values()
        for constraint in (table.primary_key, *table.foreign_key_constraints)
    }
    own = {"pk_search_text", "fk_search_text_page", "alembic_version_pkc"}
    assert made - own - {None} == described
    await database.close()


async def test_a_database_of_an_unknown_version_is_told_from_all_others(migrated_url: str) -> None:
    """Also "0001", at which databases of versions before the first release may stand."""
    database = Database(migrated_url)
    for standing in ("0014", "0001"):
        async with database.connection() as connection:
            await connection.exec_driver_sql(f"UPDATE alembic_version SET version_num='{standing}'")
            await connection.commit()
        with pytest.raises(UnknownMigration, match=f"at migration {standing}, which this version"):
            await current(database)
    await database.close()


def test_names_of_files_are_the_migrations() -> None:
    """A server asks for them without loading what runs them."""
    scripts = ScriptDirectory.from_config(_config()).walk_revisions()
    assert migrations() == [each.revision for each in scripts][::-1]
