"""Migrations go up, down and up again on both databases, and match the models."""

from pathlib import Path

import pytest
from sqlalchemy import inspect

from db.instance import instance_secrets
from db.migrate import current, differences, head, is_search_text, migrate
from db.models.all import metadata
from db.session import Database
from tests.conftest import KINDS
from tests.postgres import TemporaryPostgres


@pytest.fixture(params=KINDS)
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database without a table."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'empty.sqlite3'}"
    server: TemporaryPostgres = request.getfixturevalue("postgres_server")
    return server.create_database("migrations")


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
