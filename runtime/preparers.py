"""Processes that have a script ready: started when it is needed, ended when others are."""

import asyncio
import contextlib
import itertools
import json
import os
import signal
import socket
import struct
import sys
from collections import OrderedDict
from dataclasses import asdict
from pathlib import Path
from typing import Any

from fetching.programs import end
from runtime.calls import UnavailableError
from runtime.host.zones import packed
from runtime.limits import SCRIPT_BYTES, Limits
from runtime.processes.frames import LENGTH, MALFORMED, frame

_STARTING = 20.0
_COMMAND = struct.Struct("!cQ")
_ANSWER_BYTES = 100_000
_ROOT = str(Path(__file__).parent.parent)
# Nothing of the server's environment is of use to it but where programs and libraries are.
_INHERITED = ("PATH", "LD_LIBRARY_PATH")


class ScriptError(Exception):
    """A script that cannot be loaded, and why, in words for its author."""


class Preparer:
    """One process; many events may run at once in processes that it forks."""

    def __init__(
        self,
        process: asyncio.subprocess.Process,
        control: socket.socket,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        self._process = process
        self._control = control
        self._reader = reader
        self._writer = writer
        self._numbers = itertools.count(1)
        self._ends: dict[int, asyncio.Future[tuple[int, float]]] = {}
        self._reading: asyncio.Task[None] | None = None
        self.users = 0
        self.gone = False

    @classmethod
    async def start(cls, script: str, limits: Limits) -> "Preparer":
        """A process with the script loaded; ScriptError or UnavailableError where there is none."""
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        try:
            with theirs:
                environment = {name: os.environ[name] for name in _INHERITED if name in os.environ}
                process = await asyncio.create_subprocess_exec(
                    *(sys.executable, "-P", "-m", "runtime.processes.preparer"),
                    str(theirs.fileno()),
                    stdin=asyncio.subprocess.DEVNULL,
                    stdout=asyncio.subprocess.DEVNULL,
                    stderr=asyncio.subprocess.DEVNULL,
                    cwd=os.sep,
                    env={**environment, "PYTHONPATH": _ROOT, "PYTHONDONTWRITEBYTECODE": "1"},
                    pass_fds=(theirs.fileno(),),
                    start_new_session=True,
                )
            # The stream has a descriptor of its own: descriptors are sent over ours.
            reader, writer = await asyncio.open_unix_connection(sock=ours.dup())
        except BaseException:
            ours.close()
            raise
        preparer = cls(process, ours, reader, writer)
        try:
            await preparer._load(script, limits)
        except BaseException:
            await preparer.close()
            raise
        return preparer

    async def _load(self, script: str, limits: Limits) -> None:
        zones = await asyncio.to_thread(packed)
        details = json.dumps({"script": script, **asdict(limits)})
        self._writer.write(frame("script", f'{details[:-1]}, "zones": {zones}}}'))
        try:
            async with asyncio.timeout(_STARTING):
                kind, details = await self._read()
        except TimeoutError:
            raise ScriptError("the script was not loaded in time") from None
        except (EOFError, ConnectionError, *MALFORMED):
            raise ScriptError(await self._reason(limits)) from None
        if kind == "unfiltered":
            raise UnavailableError(
                "the kernel cannot filter system calls here; see integration_unfiltered"
            )
        if details["complaint"]:
            raise ScriptError(str(details["complaint"])[:2_000])
        self._reading = asyncio.create_task(self._read_ends())

    async def _reason(self, limits: Limits) -> str:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._process.wait(), 1)
        if self._process.returncode == -signal.SIGPROF:
            return f"loading takes more than {limits.load_milliseconds} ms of computing time"
        return f"its process has ended while it was loaded, with {self._process.returncode}"

    async def _read(self) -> tuple[str, Any]:
        (size,) = LENGTH.unpack(await self._reader.readexactly(LENGTH.size))
        if size > _ANSWER_BYTES:
            raise EOFError
        message = json.loads(await self._reader.readexactly(size))
        return message["kind"], message["details"]

    async def _read_ends(self) -> None:
        """Hand out how processes of events have ended, until the preparer goes."""
        try:
            while True:
                _, details = await self._read()
                ended = self._ends.pop(details["id"], None)
                if ended is not None and not ended.done():
                    ended.set_result((int(details["status"]), float(details["cpu"])))
        except (EOFError, ConnectionError, *MALFORMED):
            pass
        finally:
            self.gone = True
            for ended in self._ends.values():
                if not ended.done():
                    ended.set_result((-signal.SIGKILL, 0.0))
            self._ends.clear()

    def fork(self, connection: socket.socket) -> int:
        """Begin a process that reads an event from a socket; its number.

        ConnectionError when the preparer has gone.
        """
        number = next(self._numbers)
        try:
            socket.send_fds(self._control, [_COMMAND.pack(b"f", number)], [connection.fileno()])
        except OSError as error:
            self.gone = True
            raise ConnectionError("the preparer has gone") from error
        return number

    async def ended(self, number: int) -> tuple[int, float]:
        """How a process that has closed its socket has ended, and its milliseconds of computing."""
        future: asyncio.Future[tuple[int, float]] = asyncio.get_running_loop().create_future()
        self._ends[number] = future
        try:
            socket.send_fds(self._control, [_COMMAND.pack(b"e", number)], [])
        except OSError:
            self.gone = True
        if self.gone:
            self._ends.pop(number, None)
            return -signal.SIGKILL, 0.0
        return await future

    async def close(self) -> None:
        """End the process and all that it has forked."""
        self.gone = True
        self._writer.close()
        self._control.close()
        await end(self._process, group=True)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        if self._reading is not None:
            await self._reading


class Preparers:
    """The scripts that are ready; the least recently used one makes room for another."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._ready: OrderedDict[str, asyncio.Task[Preparer]] = OrderedDict()
        self._closing: set[asyncio.Task[None]] = set()
        self.started = 0

    async def lend(self, version: str, script: str) -> Preparer:
        """The preparer of a script, started if need be; `give_back` it."""
        if len(script) > SCRIPT_BYTES:
            raise ScriptError(f"the script has more than {SCRIPT_BYTES} bytes")
        task = self._ready.get(version)
        if task is not None and task.done() and (_failed(task) or task.result().gone):
            self._drop(version)
            task = None
        if task is None:
            self.started += 1
            task = asyncio.create_task(Preparer.start(script, self._limits))
            self._ready[version] = task
            self._make_room()
        self._ready.move_to_end(version)
        preparer = await asyncio.shield(task)
        preparer.users += 1
        return preparer

    def give_back(self, preparer: Preparer) -> None:
        """Let go of a preparer."""
        preparer.users -= 1
        self._make_room()

    def discard(self, version: str) -> None:
        """Forget a script: its processes end, and whoever needs it starts it again."""
        self._drop(version)

    def _make_room(self) -> None:
        surplus = len(self._ready) - self._limits.preparers
        for version, task in list(self._ready.items()):
            if surplus <= 0:
                return
            if task.done() and (_failed(task) or task.result().users == 0):
                self._drop(version)
                surplus -= 1

    def _drop(self, version: str) -> None:
        task = self._ready.pop(version, None)
        if task is not None:
            closing = asyncio.create_task(_close(task))
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)

    async def close(self) -> None:
        """End all processes."""
        for version in list(self._ready):
            self._drop(version)
        await asyncio.gather(*self._closing)


def _failed(task: asyncio.Task[Preparer]) -> bool:
    return task.cancelled() or task.exception() is not None


async def _close(task: asyncio.Task[Preparer]) -> None:
    with contextlib.suppress(ScriptError, UnavailableError, OSError, asyncio.CancelledError):
        preparer = await task
        await preparer.close()
