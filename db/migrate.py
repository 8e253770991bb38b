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
from db.models.content_index import SEARCH_TEXT
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


def is_search_text(table: str) -> bool:
    """Whether a table holds words of search, or is a part of the one that does."""
    return table == SEARCH_TEXT or table.startswith(f"{SEARCH_TEXT}_")


def _is_described(name: str | None, kind: str, parents: object) -> bool:
    return kind != "table" or name is None or not is_search_text(name)


async def differences(database: Database) -> list[object]:
    """What the models say and the migrated database lacks; empty when they agree.

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
