"""Processes that begin where all modules are imported, as real as any other and quicker to start.

Importing the product takes seconds of a processor, and tests start it more than a hundred times.
Here a server of Python's multiprocessing imports it once for a test process, and forks: what runs
then has connections, signals and a death of its own. How the command begins from nothing is shown
where that is what a test is about (tests/docstead/test_serve.py).
"""

import asyncio
import multiprocessing
import os
import signal
import subprocess
from collections.abc import Callable, Coroutine, Mapping
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["tests.forked_modules"])
Main = Callable[..., Coroutine[Any, Any, None]]


class Forked:
    """A process, with what tests ask of `subprocess.Popen`."""

    def __init__(self, work: Callable[..., None], *arguments: Any) -> None:
        self._process = PROCESSES.Process(target=work, args=arguments)
        self._process.start()
        assert self._process.pid is not None
        self.pid: int = self._process.pid

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired(str(self._process), timeout or 0)
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        """A process that has ended gets no more signals."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class ForkedProgram:
    """A coroutine function in a process, with what tests ask of asyncio's processes."""

    def __init__(self, forked: Forked, stdout: asyncio.StreamReader) -> None:
        self._forked, self.stdout, self.pid = forked, stdout, forked.pid
        self.kill, self.send_signal = forked.kill, forked.send_signal

    @property
    def returncode(self) -> int | None:
        return self._forked.poll()

    async def wait(self) -> int:
        """Its status, once it has ended."""
        while self.returncode is None:
            ended = asyncio.Event()
            descriptor = self._forked._process.sentinel
            asyncio.get_running_loop().add_reader(descriptor, ended.set)
            try:
                await ended.wait()
            finally:
                asyncio.get_running_loop().remove_reader(descriptor)
        return self._forked.wait()


async def start(main: Main, *arguments: str) -> ForkedProgram:
    """Run a coroutine function of a module in a process; `stdout` is what it prints."""
    ours, theirs = PROCESSES.Pipe(duplex=False)
    with theirs:
        forked = Forked(_run, theirs, main, *arguments)
    stdout = asyncio.StreamReader()
    # Closed by the event loop when the process has ended.
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(stdout), os.fdopen(os.dup(ours.fileno()), "rb")
    )
    ours.close()
    return ForkedProgram(forked, stdout)


def _run(output: Connection, main: Main, *arguments: str) -> None:
    os.dup2(output.fileno(), 1)
    output.close()
    asyncio.run(main(*arguments))


def start_command(arguments: list[str], environment: Mapping[str, str], log: Path) -> Forked:
    """`docstead` with arguments, in an environment; the log takes what it prints."""
    return Forked(_command, arguments, dict(environment), log)


def _command(arguments: list[str], environment: dict[str, str], log: Path) -> None:
    # Every module is there already.
    from uvicorn import _subprocess

    from docstead.cli import main

    # Processes that a server starts are forked from it, and import nothing either.
    _subprocess.spawn = multiprocessing.get_context("fork")  # type: ignore[assignment]
    os.environ.clear()
    os.environ.update(environment)
    with log.open("ab") as output:
        os.dup2(output.fileno(), 1)
        os.dup2(output.fileno(), 2)
    main(arguments)
