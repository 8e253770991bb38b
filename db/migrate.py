"""Schema migrations: up, down, and whether the database is current."""

import warnings
from pathlib import Path

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from db.models.all import metadata
from db.session import Database


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config


def head() -> str:
    """The newest migration this version knows."""
    newest = ScriptDirectory.from_config(_config()).get_current_head()
    if newest is None:
        raise RuntimeError("no migrations are installed")
    return newest


async def current(database: Database) -> str | None:
    """The migration the database stands at; None for an empty database."""
    async with database.connection() as connection:
        return await connection.run_sync(
            lambda sync: MigrationContext.configure(sync).get_current_revision()
        )


async def migrate(database: Database, target: str = "head") -> None:
    """Bring the database to `target`: "head", "base" or a migration's id."""

    def run(connection: Connection) -> None:
        if target == "head":
            command.upgrade(_config(connection), target)
        else:
            command.downgrade(_config(connection), target)

    async with database.connection() as connection:
        await connection.run_sync(run)
        await connection.commit()


async def differences(database: Database) -> list[object]:
    """What the models say and the migrated database lacks; empty when they agree.

    On SQLite indexes on expressions are left out: they cannot be read back.
    """

    def compare(connection: Connection) -> list[object]:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", ".*expression-based index")
            return list(compare_metadata(context, metadata))

    async with database.connection() as connection:
        return await connection.run_sync(compare)
