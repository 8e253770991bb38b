"""Schema migrations: up, down, and where the database stands."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection

from db.session import Database


class UnknownMigration(CommandError):
    """The database stands at a migration that this version does not have."""


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


async def standing(database: Database) -> str | None:
    """The migration the database stands at, of whatever version; None for an empty database."""
    async with database.connection() as connection:
        return await connection.run_sync(
            lambda sync: MigrationContext.configure(sync).get_current_revision()
        )


async def current(database: Database) -> str | None:
    """The migration the database stands at; None for an empty database.

    UnknownMigration when this version does not have it.
    """
    at = await standing(database)
    revisions = {each.revision for each in ScriptDirectory.from_config(_config()).walk_revisions()}
    if at is not None and at not in revisions:
        raise UnknownMigration(
            f"the database stands at migration {at}, which this version does not know: it "
            "is of a newer version, or of one before the first release; use that version, or "
            "another database"
        )
    return at


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
