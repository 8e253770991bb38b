"""Connections that are half open end: uvicorn's protocol with bounds on what a client leaves out.

Uvicorn ends a connection that is idle between two requests. It waits for ever for the rest of a
head or of a body, and for a client that does not read; each such connection holds memory and a
place among the open files. A timer for each of them would cost every request: so a connection
notes when it has begun to wait, and one timer of the event loop looks at all of them.
"""

import asyncio
from typing import Any, ClassVar
from weakref import WeakSet

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

# Bytes of the line and the headers of a request; browsers and proxies send a few thousand.
HEAD_BYTES = 65_536
_TOO_LARGE = b"The head of the request is too large."


class BoundedConnection(HttpToolsProtocol):
    """One connection. It is closed without an answer when the client lets it wait too long."""

    # How long the whole head of a request may take: from the opening of the connection, or the end
    # of the answer before.
    head_seconds = 20.0
    # How long nothing may arrive of a body that has been announced.
    body_seconds = 30.0
    # How long the client may read nothing of what waits for it.
    read_seconds = 60.0
    sweep_seconds = 5.0
    # Servers whose connections are looked at.
    _swept: ClassVar[WeakSet[ServerState]] = WeakSet()

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._awaits_head_since: float | None = None
        # Bytes that were neither the end of a head nor of a body, since the last that were.
        self._head_bytes = 0
        self._got_further = False
        self._last_arrival = 0.0
        self._unread_since: float | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._awaits_head_since = self._last_arrival = self.loop.time()
        if self.server_state not in self._swept:
            self._swept.add(self.server_state)
            self._plan_sweep(self.loop, self.server_state)

    def data_received(self, data: bytes) -> None:
        """Read what has arrived; a head without an end is refused, and so is what may stand beside
        a body: extensions of chunks, and fields behind the last one."""
        self._last_arrival = self.loop.time()
        self._got_further = False
        super().data_received(data)
        self._head_bytes = 0 if self._got_further else self._head_bytes + len(data)
        if self._head_bytes > HEAD_BYTES and not self.transport.is_closing():
            self._refuse_head()

    def on_headers_complete(self) -> None:
        """The head is there, so the client has done its part for now."""
        self._awaits_head_since = None
        self._got_further = True
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Take a part of a body; of one that was answered already nothing is kept."""
        self._got_further = True
        super().on_body(body)

    def on_response_complete(self) -> None:
        """Begin to wait for the next request, unless it is here already."""
        super().on_response_complete()
        if self.cycle.response_complete:
            self._awaits_head_since = self.loop.time()

    def pause_writing(self) -> None:
        """The client reads slower than it is written to."""
        super().pause_writing()
        self._unread_since = self.loop.time()

    def resume_writing(self) -> None:
        """The client has read what waited for it."""
        super().resume_writing()
        self._unread_since = None

    def _refuse_head(self) -> None:
        if self._awaits_head_since is None:
            # An answer may be under way, which another one must not be written into.
            self.transport.abort()
            return
        self.transport.write(
            b"HTTP/1.1 431 Request Header Fields Too Large\r\n"
            b"content-type: text/plain; charset=utf-8\r\nconnection: close\r\n"
            b"content-length: %d\r\n\r\n%b" % (len(_TOO_LARGE), _TOO_LARGE)
        )
        self.transport.close()

    # ------------------------------------------------------------------ looking at all of them

    @classmethod
    def _plan_sweep(cls, loop: asyncio.AbstractEventLoop, server: ServerState) -> None:
        loop.call_later(cls.sweep_seconds, cls._sweep, loop, server)

    @classmethod
    def _sweep(cls, loop: asyncio.AbstractEventLoop, server: ServerState) -> None:
        now = loop.time()
        for connection in [*server.connections]:
            if isinstance(connection, cls) and connection.is_overdue(now):
                # What waits to be written would otherwise keep it open.
                connection.transport.abort()
        if server.connections:
            cls._plan_sweep(loop, server)
        else:
            cls._swept.discard(server)

    def is_overdue(self, now: float) -> bool:
        """Whether the client has let this connection wait for too long."""
        if self.transport.is_closing() and self._unread_since is None:
            self._unread_since = now
        if self._unread_since is not None:
            return now - self._unread_since > self.read_seconds
        if self._awaits_head_since is not None:
            return now - self._awaits_head_since > self.head_seconds
        cycle = self.cycle
        # While reading is paused it is not the client that lets us wait.
        awaits_body = cycle is not None and cycle.more_body and not self.flow.read_paused
        return awaits_body and now - self._last_arrival > self.body_seconds
