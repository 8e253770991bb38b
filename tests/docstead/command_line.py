"""Runs `docstead` in this process, as its entry point does."""

import asyncio
import io
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass

from docstead.cli import COMMANDS as ENTRIES, load, main

LOADED = {name: load(name) for name in ENTRIES}
# By the words that call them.
COMMANDS = {
    path: command
    for name, loaded in LOADED.items()
    for path, command in (
        {(name, below): command for below, command in loaded.commands.items()}
        if hasattr(loaded, "commands")
        else {(name,): loaded}
    ).items()
}


@dataclass(frozen=True, slots=True)
class Done:
    """What a command left behind."""

    status: int
    out: str
    err: str


def _run(arguments: tuple[str, ...]) -> Done:
    out, err = io.StringIO(), io.StringIO()
    status = 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            main(arguments)
        except SystemExit as stop:
            status = stop.code if isinstance(stop.code, int) else 0
    return Done(status, out.getvalue(), err.getvalue())


def docstead(*arguments: str) -> Done:
    """Run a command in a thread, for it starts an event loop of its own."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(_run, arguments).result()


async def docstead_async(*arguments: str) -> Done:
    """Run a command from a test that has an event loop."""
    return await asyncio.to_thread(_run, arguments)
