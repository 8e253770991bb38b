"""Readers: what executes prepared statements and returns rows (db/rows.py).

A write reads through its session, in its own transaction; everything else reads on connections
of the driver (db/postgres_reading.py, db/sqlite_reading.py). The rows are the same.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from db.prepared import Prepared

# Called with the text of each statement before it is run.
Watch = Callable[[str], None]
# Called with the text of a statement that has ended, and its seconds; from any thread.
Ended = Callable[[str, float], None]


class UnfitValueError(ValueError):
    """A value for a statement that the database cannot hold or compare."""


class SqlSession(Protocol):
    """The port of a SessionReader to its session."""

    def get_bind(self) -> Any: ...

    async def fetch_text(self, text: str, parameters: Sequence[Any]) -> Sequence[Any]: ...


class Reader(Protocol):
    """Runs statements of one request, all of them on one connection and on one snapshot."""

    @property
    def dialect(self) -> str:
        """Which text it needs: `sqlite` or `postgresql`."""
        ...

    async def fetch(
        self, prepared: Prepared, values: Mapping[str, Any], *, alone: bool = False
    ) -> list[Any]:
        """The rows of a statement, with values for its named parameters.

        `alone` says that it needs no snapshot in common with later statements.
        """
        ...

    async def pause(self) -> None:
        """Give the connection back until the next statement, unless a snapshot holds it."""
        ...

    async def release(self) -> None:
        """Give the connection back until the next statement, with the snapshot: a later statement
        begins another one."""
        ...

    async def close(self) -> None:
        """Give the connection back; nothing can be read any more."""
        ...


class SessionReader:
    """Reads through a session: sees what its transaction has flushed."""

    __slots__ = ("_session", "dialect")

    def __init__(self, session: SqlSession) -> None:
        self._session = session
        self.dialect: str = session.get_bind().dialect.name

    async def fetch(
        self, prepared: Prepared, values: Mapping[str, Any], *, alone: bool = False
    ) -> list[Any]:
        """The rows of a statement; errors are SQLAlchemy's."""
        rows = await self._session.fetch_text(prepared.text, prepared.parameters(values))
        return list(map(prepared.classes.of_tuple, rows))

    async def pause(self) -> None:
        """Nothing to do: the transaction goes on."""

    async def release(self) -> None:
        """Nothing to do: the transaction goes on."""

    async def close(self) -> None:
        """Nothing to do: the session belongs to somebody else."""
