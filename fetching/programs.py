"""Programs that are started: how they are ended for certain."""

import contextlib
import os
import signal
from asyncio.subprocess import Process

_CHUNK = 65_536


async def end(process: Process, *, group: bool = False) -> None:
    """Kill a process unless it has ended, and wait for its end; with those it has started where it
    leads a `group` of its own.

    What it has written is read to its end first: asyncio sees the end of a process behind that of
    its pipes, and a pipe that is full is not looked at.
    """
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            if group:
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
    for pipe in (process.stdout, process.stderr):
        if pipe is not None:
            while await pipe.read(_CHUNK):
                pass
    await process.wait()
