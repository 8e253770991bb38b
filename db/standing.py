"""Where a database stands among the migrations, without what runs them: a server only asks."""

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from db.session import Database

MIGRATIONS = Path(__file__).parent / "migrations"
TABLE = "alembic_version"


class UnknownMigration(Exception):
    """The database stands at a migration that this version does not have."""


def migrations() -> list[str]:
    """The migrations that this version has, by their ids, the first one first: their files have
    these names."""
    return sorted(
        file.stem for file in (MIGRATIONS / "versions").glob("*.py") if file.stem != "__init__"
    )


def head() -> str:
    """The newest migration this version knows."""
    ids = migrations()
    if not ids:
        raise RuntimeError("no migrations are installed")
    return ids[-1]


async def standing(database: Database) -> str | None:
    """The migration the database stands at, of whatever version; None for an empty database."""
    async with database.connection() as connection:
        return await connection.run_sync(_standing)


def _standing(connection: Connection) -> str | None:
    if not inspect(connection).has_table(TABLE):
        return None
    version: str | None = connection.scalar(text(f"SELECT version_num FROM {TABLE}"))  # noqa: S608
    return version


async def current(database: Database) -> str | None:
    """The migration the database stands at; None for an empty database.

    UnknownMigration when this version does not have it.
    """
    at = await standing(database)
    if at is not None and at not in migrations():
        raise UnknownMigration(
            f"the database stands at migration {at}, which this version does not know: it "
            "is of a newer version, or of one before the first release; use that version, or "
            "another database"
        )
    return at
