"""Schema migrations: up, down, and what is lost on the way."""

from dataclasses import dataclass

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, func, inspect, select, table

from db.session import Database
from db.standing import MIGRATIONS, TABLE


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config


async def migrate(database: Database, target: str = "head") -> None:
    """Bring the database to `target`: "head", "base" or a migration's id."""
    async with database.connection() as connection:
        await connection.run_sync(_bring, target)
        await connection.commit()


def _bring(connection: Connection, target: str) -> None:
    standing = MigrationContext.configure(connection).get_current_revision()
    scripts = ScriptDirectory.from_config(_config())
    newer = {each.revision for each in scripts.walk_revisions() if each.revision != standing} - {
        each.revision for each in scripts.iterate_revisions(standing or "base", "base")
    }
    if target == "head" or target in newer:
        command.upgrade(_config(connection), target)
    else:
        command.downgrade(_config(connection), target)


@dataclass(frozen=True, slots=True)
class Loss:
    """What a migration to an older schema removes: a table, or a column of one that stays."""

    table: str
    column: str | None
    # Of the table now.
    rows: int


async def losses(database: Database, target: str) -> list[Loss]:
    """What is removed by a migration to `target`, which is tried and taken back."""
    async with database.connection() as connection:
        before = await connection.run_sync(_columns)
        await connection.run_sync(_bring, target)
        after = await connection.run_sync(_columns)
        await connection.rollback()
        lost = []
        for name in sorted(before.keys() - {TABLE}):
            gone = before[name] - after.get(name, set())
            if gone:
                count = await connection.scalar(select(func.count()).select_from(table(name)))
                columns = sorted(gone) if name in after else [None]
                lost += [Loss(name, column, int(count or 0)) for column in columns]
        await connection.rollback()
    return lost


def _columns(connection: Connection) -> dict[str, set[str]]:
    described = inspect(connection).get_multi_columns()
    return {
        name: {column["name"] for column in columns} for (_, name), columns in described.items()
    }
