"""How deep statements for SQLite are nested: its parser has a stack of 100 places.

What goes beyond is "parser stack overflow", on versions before 3.46 only. Statements grow by a
nested query here and a filter there, so each one that a test runs is tried with room to spare.
"""

import sqlite3
from pathlib import Path

# More levels than anything puts around a statement: `Prepared.packed` is one.
SPARE = 2


class SqliteDepth:
    """Collects the texts of statements, and tries each of them once."""

    def __init__(self, database: Path) -> None:
        """They are tried in a database that is only read."""
        self._database = database
        self._connection: sqlite3.Connection | None = None
        self._new: set[str] = set()
        self._tried: set[str] = set()

    def note(self, text: str) -> None:
        """Another statement was run; it is only noted, for this is called in any thread."""
        if text not in self._tried and text.startswith(("SELECT", "WITH")):
            self._new.add(text)

    def try_new(self) -> None:
        """AssertionError for a statement that cannot be nested any deeper."""
        texts, self._new = self._new, set()
        if not texts:
            return
        if self._connection is None:
            # It stays open: each new one reads the schema, which takes milliseconds.
            self._connection = sqlite3.connect(self._database)
        for text in texts:
            self._tried.add(text)
            _parse(self._connection, text)

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _parse(connection: sqlite3.Connection, text: str) -> None:
    """Have the statement parsed, but not planned: its last brackets stay open.

    Planning a long one takes a thousand times as long, and the stack has overflowed before it.
    """
    try:
        connection.execute(f"EXPLAIN {'SELECT 1 FROM (' * SPARE}{text}")
    except sqlite3.OperationalError as error:
        if "parser stack overflow" in str(error):
            raise AssertionError(f"too deep for the parser of SQLite: {text}") from error
        # It has to be the end that is missed, or a statement might not have been read to it.
        if str(error) != "incomplete input":
            raise AssertionError(f"{error}: {text}") from error
