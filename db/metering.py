"""Counting the statements of one request and their time, for traces."""

from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from sqlalchemy import event
from sqlalchemy.ext.asyncio import AsyncConnection

from db.prepared import Prepared
from db.reading import Reader


@dataclass(slots=True)
class Spent:
    """Number and seconds of a request's statements; waiting for a connection is part of it."""

    statements: int = 0
    seconds: float = 0.0


class MeteredReader:
    """A reader whose statements are counted."""

    __slots__ = ("_reader", "_spent")

    def __init__(self, reader: Reader, spent: Spent) -> None:
        self._reader = reader
        self._spent = spent

    @property
    def dialect(self) -> str:
        """Which text it needs."""
        return self._reader.dialect

    async def fetch(
        self, prepared: Prepared, values: Mapping[str, Any], *, alone: bool = False
    ) -> list[Any]:
        """The rows of a statement; errors are those of the reader."""
        start = perf_counter()
        try:
            return await self._reader.fetch(prepared, values, alone=alone)
        finally:
            self._spent.statements += 1
            self._spent.seconds += perf_counter() - start

    async def pause(self) -> None:
        """Give the connection back until the next statement, unless a snapshot holds it."""
        await self._reader.pause()

    async def release(self) -> None:
        """Give the connection back until the next statement, with the snapshot."""
        await self._reader.release()

    async def close(self) -> None:
        """Give the connection back."""
        await self._reader.close()


def meter_connection(connection: AsyncConnection, spent: Spent) -> None:
    """Count the statements of a session's connection, which runs them one after the other."""
    started = 0.0

    def before(*arguments: Any) -> None:
        nonlocal started
        spent.statements += 1
        started = perf_counter()

    def after(*arguments: Any) -> None:
        spent.seconds += perf_counter() - started

    watched = connection.sync_connection
    event.listen(watched, "before_cursor_execute", before)
    event.listen(watched, "after_cursor_execute", after)
