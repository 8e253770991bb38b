"""One event in a process of its own, as the server sees it.

What comes from the process is a stranger's: each message is checked, and what breaks the protocol
ends the event.
"""

import asyncio
import base64
import contextlib
import json
import signal
import socket
import time
from typing import Any

from fetching.client import Fetcher
from runtime import limits
from runtime.calls import Answer, Call, LogEntry, Outcome, Response
from runtime.fetches import Fetches
from runtime.headers import OF_CONNECTIONS, checked_headers, without
from runtime.limits import Limits
from runtime.multipart import event_parts
from runtime.preparers import Preparer
from runtime.processes.frames import LENGTH, MALFORMED, frame


class BrokenProtocolError(Exception):
    """A message that no unharmed process sends."""


# The address of the request that a script gets; only the path means anything.
URL = "https://integrations.invalid/v1"
# Bytes of one message, and of all of an event: an answer or a fetch with its largest body, coded.
_MESSAGE_BYTES = 4 * max(limits.ANSWER_BYTES, limits.BODY_BYTES) // 3 + 100_000
_ALL_BYTES = 3 * _MESSAGE_BYTES
_LEVELS = frozenset({"debug", "info", "warn", "error"})
# Exit codes are those of runtime/processes/scripts.py.
_OUTCOMES = {
    -signal.SIGPROF: Outcome.CPU,
    -signal.SIGALRM: Outcome.WALL,
    10: Outcome.MEMORY,
    11: Outcome.UNFINISHED,
}
# Bytes of a message beyond which it is read and written in a thread: others wait for the loop.
_LARGE = 200_000
# Seconds beyond the time of an event after which its processes are killed from outside.
_GRACE = 2.0


class Execution:
    """One event: its messages, and what has come of it so far."""

    def __init__(
        self, call: Call, bounds: Limits, fetcher: Fetcher, response: "asyncio.Future[Response]"
    ) -> None:
        self._call = call
        self._bounds = bounds
        self._fetches = Fetches(fetcher, call.origins, seconds=bounds.wall_seconds)
        self._turn = asyncio.Semaphore(limits.FETCHES_AT_ONCE)
        self._fetching: dict[int, asyncio.Task[None]] = {}
        self._response = response
        self._log: list[LogEntry] = []
        self._characters = 0
        self._error = ""
        self._full = self._done = False
        self._themed = True

    async def run(self, preparer: Preparer) -> Answer:
        """Run the event to its end, with all that it has postponed."""
        begun = time.monotonic()
        ours, theirs = socket.socketpair()
        with contextlib.ExitStack() as unused:
            unused.enter_context(ours)
            with theirs:
                number = preparer.fork(theirs)
            reader, writer = await asyncio.open_unix_connection(sock=ours, limit=2**20)
            unused.pop_all()
        broken = False
        try:
            async with asyncio.timeout(self._bounds.wall_seconds + _GRACE):
                await self._converse(reader, writer)
        except (BrokenProtocolError, *MALFORMED):
            broken = True
        except (EOFError, ConnectionError, TimeoutError):
            pass
        finally:
            # The process ends when its socket is closed; where it does not, all of the script's do.
            # First of all, for whoever waits for the rest may be cancelled.
            writer.close()
            for task in self._fetching.values():
                task.cancel()
            await asyncio.gather(*self._fetching.values(), return_exceptions=True)
            try:
                async with asyncio.timeout(_GRACE):
                    with contextlib.suppress(ConnectionError):
                        await writer.wait_closed()
                    status, cpu = await preparer.ended(number)
            except TimeoutError:
                await preparer.close()
                status, cpu = -signal.SIGKILL, 0.0
        return self._answer(status, broken, cpu, 1000 * (time.monotonic() - begun))

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(frame("event", await asyncio.to_thread(self._message)))
        left = _ALL_BYTES
        while not self._done:
            (size,) = LENGTH.unpack(await reader.readexactly(LENGTH.size))
            left -= size
            if size > _MESSAGE_BYTES or left < 0:
                raise BrokenProtocolError
            data = await reader.readexactly(size)
            large = size > _LARGE
            message = await asyncio.to_thread(json.loads, data) if large else json.loads(data)
            self._take(message["kind"], message["details"], writer)

    def _message(self) -> str:
        call = self._call
        parts = event_parts(call.event, call.environment, call.body, call.content_type)
        return json.dumps(
            {
                "url": URL,
                "parts": [
                    [part.name, None, None, part.data.decode()]
                    if part.file_name is None
                    else [
                        part.name,
                        part.file_name,
                        part.content_type,
                        base64.b64encode(part.data).decode(),
                    ]
                    for part in parts
                ],
            }
        )

    def _take(self, kind: str, details: Any, writer: asyncio.StreamWriter) -> None:
        match kind:
            case "log":
                self._note(details)
            case "fetch":
                id = int(details["id"])
                if id in self._fetching:
                    raise BrokenProtocolError
                self._fetching[id] = asyncio.create_task(self._fetch(id, details, writer))
            case "abort":
                task = self._fetching.get(int(details["id"]))
                if task is not None:
                    # Not before it has begun: its end is what the script waits for.
                    asyncio.get_running_loop().call_soon(task.cancel)
            case "response":
                self._respond(details)
            case "failed":
                self._error = str(details["error"])[: limits.LOG_ENTRY]
                self._full = bool(details["memory"])
            case "done":
                self._done = True
            case _:
                raise BrokenProtocolError

    def _note(self, details: Any) -> None:
        text = str(details["text"])[: limits.LOG_ENTRY]
        self._characters += len(text)
        if len(self._log) < limits.LOG_ENTRIES and self._characters <= limits.LOG_CHARACTERS:
            level = details["level"] if details["level"] in _LEVELS else "info"
            self._log.append(LogEntry(level, text, int(details["at"])))

    async def _fetch(self, id: int, details: Any, writer: asyncio.StreamWriter) -> None:
        answer: dict[str, Any] = {"error": "the fetch was aborted"}
        try:
            async with self._turn:
                answer = await self._fetches.fetch(details)
        finally:
            if not writer.is_closing():
                writer.write(frame("fetched", json.dumps({"id": id, **answer})))

    def _respond(self, details: Any) -> None:
        if self._response.done():
            raise BrokenProtocolError
        try:
            headers = without(checked_headers(details["headers"]), OF_CONNECTIONS)
            status, body = int(details["status"]), base64.b64decode(details["body"])
            if not 200 <= status <= 599:
                raise ValueError(f"the status {status} is not in the range 200 to 599")
            if len(body) > limits.ANSWER_BYTES:
                raise ValueError(f"it has more than {limits.ANSWER_BYTES} bytes")
        except ValueError as error:
            self._error = f"the answer cannot be sent: {error}"
        else:
            self._themed = details["themed"] is not False
            self._response.set_result(Response(status, headers, body))

    def _answer(self, status: int, broken: bool, cpu: float, wall: float) -> Answer:
        response = self._response.result() if self._response.done() else None
        if self._done:
            failure = Outcome.MEMORY if self._full else Outcome.ERROR
            outcome = failure if self._error else Outcome.COMPLETE
        elif broken:
            outcome = Outcome.CRASHED
        else:
            outcome = _OUTCOMES.get(status, Outcome.CRASHED)
        return Answer(
            outcome,
            response,
            self._error or self._words(outcome),
            tuple(self._log),
            cpu,
            wall,
            self._fetches.count,
            self._themed,
        )

    def _words(self, outcome: Outcome) -> str:
        bounds = self._bounds
        return {
            Outcome.CPU: f"more than {bounds.cpu_milliseconds} ms of computing time",
            Outcome.WALL: f"more than {bounds.wall_seconds:g} seconds",
            Outcome.MEMORY: f"more than {bounds.megabytes} MB of memory",
            Outcome.UNFINISHED: "it waits for something that will never happen",
            Outcome.CRASHED: "its process has ended unexpectedly",
        }.get(outcome, "")
