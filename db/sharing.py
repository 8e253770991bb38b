"""Point reads that arrive in the same turn of the event loop share one statement.

Under load many requests ask for one row each, in the same way: their tokens, or an object by its
id. What arrives before the loop turns to its next round goes to the database together, so that
the way there and back is paid once. Such a read is a statement of its own and sees the database
as it is; it belongs to no request's snapshot.
"""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Iterable, Mapping
from typing import Any

from db.prepared import Prepared

# The list parameter of a shared statement, and the column that says which value a row is for.
KEYS, SHARED_KEY = "shared_keys", "shared_key"
# Keys of one statement; further ones go into the next.
TOGETHER = 100
Fetch = Callable[[Prepared, Mapping[str, Any]], Awaitable[list[Any]]]
Values = tuple[tuple[str, Hashable], ...]
Waiting = dict[str, list[asyncio.Future[Any]]]


class PointReads:
    """Gathers point reads; for one event loop."""

    def __init__(self, dialect: str, fetch: Fetch) -> None:
        """`fetch` runs a statement of this dialect by itself."""
        self.dialect = dialect
        self._fetch = fetch
        self._waiting: dict[tuple[Prepared, Values], Waiting] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def one(self, prepared: Prepared, key: str, values: Values = ()) -> Any | None:
        """The row that the statement has for `key`, None without one.

        The statement selects rows whose keys are in the list parameter KEYS, at most one for a
        key, and names the key SHARED_KEY. Reads with the same `values` of its other parameters
        go together.
        """
        return await self._asked(prepared, key, values)

    async def several(self, prepared: Prepared, keys: Iterable[str]) -> list[Any | None]:
        """The rows that the statement has for these keys, None where there is none; see `one`."""
        # All of a group get their rows at once, or the same failure: one after the other is cheaper
        # than a future for all of them.
        futures = [self._asked(prepared, key, ()) for key in keys]
        try:
            return [await future for future in futures]
        except BaseException:
            for future in futures:
                future.cancel()
                # One that has failed was heard of.
                if future.done() and not future.cancelled():
                    future.exception()
            raise

    def _asked(self, prepared: Prepared, key: str, values: Values) -> asyncio.Future[Any]:
        loop = asyncio.get_running_loop()
        group = (prepared, values)
        waiting = self._waiting.get(group)
        if waiting is None or len(waiting) >= TOGETHER:
            waiting = self._waiting[group] = {}
            loop.call_soon(self._start, group, waiting)
        future: asyncio.Future[Any] = loop.create_future()
        waiting.setdefault(key, []).append(future)
        return future

    def _start(self, group: tuple[Prepared, Values], waiting: Waiting) -> None:
        if self._waiting.get(group) is waiting:
            del self._waiting[group]
        task = asyncio.get_running_loop().create_task(self._read(*group, waiting))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _read(self, prepared: Prepared, values: Values, waiting: Waiting) -> None:
        try:
            rows = await self._fetch(prepared, {**dict(values), KEYS: list(waiting)})
            rows_by_key = {row.shared_key: row for row in rows}
        except Exception as error:
            for futures in waiting.values():
                for future in futures:
                    # Whoever asked may be gone.
                    if not future.done():
                        future.set_exception(error)
        else:
            for key, futures in waiting.items():
                for future in futures:
                    if not future.done():
                        future.set_result(rows_by_key.get(key))

    async def close(self) -> None:
        """Wait for what is under way."""
        while self._tasks:
            await asyncio.wait(set(self._tasks))
