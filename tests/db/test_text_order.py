"""Ids sort by bytes in a PostgreSQL database that itself sorts by language."""

import asyncpg
from sqlalchemy import String
from sqlalchemy.dialects import postgresql

from db.models.all import metadata

COLLATIONS = """
SELECT table_name || '.' || column_name AS name, collation_name AS collation
FROM information_schema.columns
WHERE table_schema = 'public' AND data_type IN ('character varying', 'text')
"""


def ids() -> set[str]:
    """Text columns that hold ids: of the row itself, of its references, of what it names."""
    return {
        f"{table.name}.{column.name}"
        for table in metadata.tables.values()
        for column in table.columns
        if isinstance(column.type, String)
        and (column.name == "id" or column.name.endswith("_id") or column.foreign_keys)
    }


def ordered_columns() -> set[str]:
    """Columns that the models declare to sort by bytes."""
    dialect = postgresql.dialect()
    return {
        f"{table.name}.{column.name}"
        for table in metadata.tables.values()
        for column in table.columns
        if getattr(column.type.dialect_impl(dialect), "collation", None) == "C"
    }


async def test_ids_and_sort_keys_of_the_migrated_database_sort_bytewise(
    postgres_url: str,
) -> None:
    connection = await asyncpg.connect(postgres_url.replace("+asyncpg", ""))
    try:
        actual = {row["name"]: row["collation"] for row in await connection.fetch(COLLATIONS)}
    finally:
        await connection.close()
    expected = ids() | ordered_columns()
    assert {"space.id", "comment.id", "comment.space_id"} <= expected
    assert {name: actual.get(name) for name in expected if actual.get(name) != "C"} == {}


async def test_ids_come_in_the_order_of_their_bytes(postgres_url: str) -> None:
    connection = await asyncpg.connect(postgres_url.replace("+asyncpg", ""))
    try:
        # A copy of the table's columns without its constraints; gone with the connection.
        await connection.execute("CREATE TEMPORARY TABLE ordered AS SELECT id FROM space LIMIT 0")
        await connection.executemany("INSERT INTO ordered VALUES ($1)", [("a",), ("C",), ("B",)])
        rows = await connection.fetch("SELECT id FROM ordered ORDER BY id")
        after = await connection.fetch("SELECT id FROM ordered WHERE id > 'B' ORDER BY id")
    finally:
        await connection.close()
    assert [row["id"] for row in rows] == ["B", "C", "a"]
    assert [row["id"] for row in after] == ["C", "a"]
