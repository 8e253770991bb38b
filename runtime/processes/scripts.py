"""A script in its engine, and the event that it handles."""

import heapq
import json
import resource
import select
import socket
import time
from pathlib import Path
from typing import Any

import quickjs

from content.isolation import MEGABYTE
from runtime.host import calls
from runtime.processes.frames import Frames, frame

_FOLDER = Path(__file__).parent.parent / "javascript"
# The engine's own stack; scripts that go deeper get a RangeError.
STACK_BYTES = 1_000_000
# Of the memory that a script may have: who has had more when nothing goes on had too little.
FULL = 0.75
# Ends of a process by itself; others are signals.
DONE, OUT_OF_MEMORY, NOTHING_TO_WAIT_FOR, GONE, BROKEN = 0, 10, 11, 12, 13


def _most_bytes() -> int:
    """What the process had in memory at most."""
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def web_interfaces() -> str:
    """The source of the function that defines what scripts see; it gets `host`."""
    sources = [path.read_text() for path in sorted(_FOLDER.glob("*.js"))]
    return "(host) => {\n'use strict';\n" + "\n".join(sources) + "\n}"


class Script:
    """A script that is loaded, in a process that will run nothing else."""

    def __init__(self, interfaces: str, megabytes: int) -> None:
        self._context = quickjs.Context()
        self._context.set_memory_limit(megabytes * MEGABYTE)
        self._context.set_max_stack_size(STACK_BYTES)
        self._connection: socket.socket | None = None
        self._due: list[tuple[float, int]] = []
        self._timers: dict[int, float] = {}
        self._fetching = 0
        self._begun = _most_bytes()
        self._ended = False
        self._complaint = "it did not end within what loading may take"
        self._receive: Any = self._define(interfaces)

    def _define(self, interfaces: str) -> Any:
        context = self._context
        for name, function in (
            ("call", calls.answer),
            ("send", self._send),
            ("timer", self._set_timer),
            ("clearTimer", self._clear_timer),
            ("full", lambda: self._is_full(None)),
        ):
            context.add_callable(f"host_{name}", function)
        return context.eval(
            "(() => { const host = { call: host_call, send: host_send, timer: host_timer,"
            " clearTimer: host_clearTimer,"
            " full: host_full };"
            " for (const name of Object.keys(host)) delete globalThis['host_' + name];"
            f" return ({interfaces})(host); }})()"
        )

    def load(self, source: str) -> str:
        """Load the script; what is wrong with it, "" when nothing is."""
        try:
            self._context.module(source)
            self._run_jobs()
            self._receive("loaded", "{}")
            self._run_jobs()
        except (quickjs.JSException, quickjs.StackOverflow) as error:
            return str(error)
        self._timers.clear()
        return self._complaint

    def handle(self, connection: socket.socket) -> int:
        """Run the event that comes over a connection; how the process ends."""
        self._connection, self._begun = connection, _most_bytes()
        frames = Frames(connection)
        try:
            _, message = frames.read()
            self._receive("event", json.dumps(message))
            while True:
                self._run_jobs()
                if self._ended:
                    return DONE
                if not self._timers and not self._fetching:
                    return self._stuck()
                self._wait(frames)
        except (EOFError, ConnectionError):
            return GONE
        except MemoryError:
            return OUT_OF_MEMORY
        except (quickjs.JSException, quickjs.StackOverflow) as error:
            return OUT_OF_MEMORY if self._is_full(error) else BROKEN

    def _stuck(self) -> int:
        """Nothing is left that could go on; the engine drops jobs when it has no memory."""
        return OUT_OF_MEMORY if self._is_full(None) else NOTHING_TO_WAIT_FOR

    def _is_full(self, error: Exception | None) -> bool:
        """Whether there was no memory left. What the engine has let go since is seen at the pages
        that the process had at most."""
        if error is not None and str(error).startswith("InternalError: out of memory"):
            return True
        figures = self._context.memory()
        limit = figures["malloc_limit"]
        return bool(
            figures["malloc_size"] > 0.9 * limit or _most_bytes() - self._begun > FULL * limit
        )

    def _wait(self, frames: Frames) -> None:
        """Until a timer is due or a fetch has ended; hand that to the script."""
        assert self._connection is not None
        while self._due and self._timers.get(self._due[0][1]) != self._due[0][0]:
            heapq.heappop(self._due)
        seconds = max(0.0, self._due[0][0] - time.monotonic()) if self._due else None
        # A socket that was emptied says nothing of what was received together.
        if frames.begun or select.select([self._connection], [], [], seconds)[0]:
            kind, details = frames.read()
            self._fetching -= 1
            self._receive(kind, json.dumps(details))
        elif self._due:
            _, id = heapq.heappop(self._due)
            del self._timers[id]
            self._receive("timer", str(id))

    def _run_jobs(self) -> None:
        while self._context.execute_pending_job():
            pass

    def _send(self, kind: str, details: str) -> None:
        if self._connection is None:
            if kind == "loaded":
                self._complaint = json.loads(details)["complaint"]
            return
        if kind == "fetch":
            self._fetching += 1
        self._connection.sendall(frame(kind, details))
        if kind == "done":
            self._ended = True

    def _set_timer(self, id: int, milliseconds: float) -> None:
        at = time.monotonic() + milliseconds / 1000
        self._timers[id] = at
        heapq.heappush(self._due, (at, id))

    def _clear_timer(self, id: int) -> None:
        self._timers.pop(id, None)
