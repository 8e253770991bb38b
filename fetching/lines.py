"""A connection for several requests in a row, each of which gets the answer to itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpcore2


class Line:
    """A connection for several requests to the same place, one after the other; whoever opens it
    closes it soon, since its address was checked when it was made."""

    def __init__(self) -> None:
        self.pool: httpcore2.AsyncConnectionPool | None = None

    @property
    def is_open(self) -> bool:
        """Whether there is a connection that was used before."""
        return self.pool is not None and bool(self.pool.connections)

    async def close(self) -> None:
        """Close the connection; the next request makes another one."""
        pool, self.pool = self.pool, None
        if pool is not None:
            await pool.aclose()

    async def begin(self) -> bool:
        """Close it if more has come with the last answer; whether it was used before."""
        for connection in self.pool.connections if self.pool is not None else ():
            # The parser's own state has it. Where that is not found, nothing is known of it.
            http = getattr(getattr(connection, "_connection", None), "_h11_state", None)
            if http is None or http.trailing_data[0]:
                await self.close()
                break
        return self.is_open
