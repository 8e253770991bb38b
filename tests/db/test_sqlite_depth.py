"""Statements near the bound of SQLite's parser are found by the tests that run them."""

import sqlite3
from pathlib import Path

import pytest

from tests.sqlite_depth import SPARE, SqliteDepth


def nested(levels: int) -> str:
    return "SELECT 1 FROM (" * levels + "SELECT ?" + ")" * levels


def deepest(database: Path) -> int:
    """How many levels the parser takes; 0 where it has no bound that counts."""
    with sqlite3.connect(database) as connection:
        for levels in range(1, 60):
            try:
                connection.execute(nested(levels), [1])
            except sqlite3.OperationalError:
                return levels - 1
    return 0


def test_what_leaves_no_room_is_named(sqlite_template: Path) -> None:
    depth, most = SqliteDepth(sqlite_template), deepest(sqlite_template)
    # EXPLAIN takes a place, too.
    depth.note(nested(most - SPARE - 1 if most else 20))
    depth.note("SELECT '?', ?")
    depth.note("UPDATE site SET title = ?")
    depth.try_new()
    if most:
        depth.note(nested(most - 1))
        with pytest.raises(AssertionError, match="too deep"):
            depth.try_new()
        # Each is tried once.
        depth.note(nested(most - 1))
        depth.try_new()
    depth.close()
