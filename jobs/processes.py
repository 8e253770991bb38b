"""Processes that work on content of others: without secrets, gone when nobody waits any more."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import content
from fetching.programs import end

# What such a process needs of the environment: nothing of Docstead is in these.
INHERITED_VARIABLES = (
    "PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "TMPDIR",
    "XDG_CACHE_HOME",
    "FONTCONFIG_PATH",
)


@asynccontextmanager
async def process_of(
    module: str, *arguments: str, folder: Path | str = os.sep, **streams: Any
) -> AsyncIterator[asyncio.subprocess.Process]:
    """A process that runs a module of `content` in a folder; killed when the block is left.

    `streams` are its standard streams, as for `asyncio.create_subprocess_exec`.
    """
    root = str(Path(content.__file__ or "").parent.parent)
    environment = {name: os.environ[name] for name in INHERITED_VARIABLES if name in os.environ}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", module, *arguments),
        cwd=folder,
        env={**environment, "PYTHONPATH": root, "PYTHONDONTWRITEBYTECODE": "1"},
        start_new_session=True,
        **streams,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            await end(process, group=True)
