"""The database of tests is empty for each of them, whatever the one before has left."""

import sqlite3
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from sqlalchemy import func, select, text

from db.models.organizations import User
from db.session import Database
from tests import factories
from tests.conftest import Stored
from tests.databases import SqliteTests


async def contents(database: Database) -> tuple[int, int]:
    """How many people there are, and tables that no migration has made."""
    async with database.session() as session:
        people = await session.execute(select(func.count()).select_from(User))
        schema = "sqlite_master" if database.is_sqlite else "pg_class"
        name = "name" if database.is_sqlite else "relname"
        tables = f"SELECT count(*) FROM {schema} WHERE {name} = 'more'"
        return int(people.scalar_one()), int((await session.execute(text(tables))).scalar_one())


async def write(database: Database) -> None:
    async with database.session() as session:
        await session.begin_write()
        await factories.make_user(session)
        await session.commit()


@pytest.mark.parametrize("left", ["rows", "a table", "an open read", "an open write of others"])
async def test_what_is_left_behind_is_gone(
    sqlite_template: Path, tmp_path: Path, left: str
) -> None:
    own = SqliteTests(sqlite_template, tmp_path)
    async with AsyncExitStack() as open_still:
        for _ in range(3):
            await own.begin()
            assert await contents(own.database) == (0, 0)
            await write(own.database)
            assert await contents(own.database) == (1, 0)
            if left == "an open read":
                session = own.database.new_session()
                raw = await (await session.connection()).get_raw_connection()
                assert raw.driver_connection is not None
                open_still.push_async_callback(raw.driver_connection.close)
                open_still.push_async_callback(session.close)
            elif left == "a table":
                async with own.database.session() as session:
                    await session.begin_write()
                    await session.execute(text("CREATE TABLE more (id TEXT)"))
                    await session.commit()
            elif left == "an open write of others":
                other = sqlite3.connect(tmp_path / "docstead.sqlite3", isolation_level=None)
                open_still.callback(other.close)
                other.execute("BEGIN IMMEDIATE")
            await own.end()
    await own.close()


async def test_what_is_saved_is_there_again(sqlite_template: Path, tmp_path: Path) -> None:
    own = SqliteTests(sqlite_template, tmp_path)
    await own.begin()
    await write(own.database)
    saved = await own.save_for_others()
    await own.end()
    for _ in range(2):
        await own.begin(filled=True)
        await own.fill(saved)
        assert await contents(own.database) == (1, 0)
        # Nobody has written since, so nothing is done.
        await own.fill(saved)
        await write(own.database)
        assert await contents(own.database) == (2, 0)
        await own.end()
    await own.begin()
    assert await contents(own.database) == (0, 0)
    before = await own.save()
    await write(own.database)
    await own.restore(before)
    assert await contents(own.database) == (0, 0)
    await own.end()
    await own.close()


async def test_several_savings_stay_apart(stored: Stored) -> None:
    """What was filled, and changed since, is another content when that is asked for."""
    database, savings = stored.database, {}
    for people in (1, 2):
        await write(database)
        savings[people] = await stored.save_for_others()
    for people in (1, 2, 2, 1):
        await stored.fill(savings[people])
        assert await contents(database) == (people, 0)
        await write(database)
        assert await contents(database) == (people + 1, 0)


async def test_savings_are_not_in_the_next_test(database: Database) -> None:
    """The one above leaves a database that was filled, and written to."""
    assert await contents(database) == (0, 0)
