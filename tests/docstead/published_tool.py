"""The public command line tool of integrations, run against a server on this machine."""

import asyncio
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.node_packages import INTEGRATIONS, install, program

EXAMPLES = Path(__file__).parents[2] / "examples" / "integrations"


def modules() -> Path:
    """The installed packages; another event loop may run in this thread."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, install(INTEGRATIONS)).result()


@dataclass(frozen=True)
class Tool:
    """The tool for one organization; `folder` is where it may write."""

    base: str
    token: str
    organization: str
    folder: Path

    def example(self, name: str) -> Path:
        """A copy of an example that the packages stand beside."""
        copy = self.folder / name
        if not copy.exists():
            shutil.copytree(EXAMPLES / name, copy)
            (copy / "node_modules").symlink_to(modules())
        return copy

    def environment(self) -> dict[str, str]:
        """Nothing of this machine's user, and no way to another host."""
        home = self.folder / "home"
        home.mkdir(exist_ok=True)
        dead = "http://127.0.0.1:9"
        return {
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "HOME": str(home), "TMPDIR": str(home), "XDG_CONFIG_HOME": str(home),
            "GITBOOK_TOKEN": self.token, "GITBOOK_ENDPOINT": self.base,
            "HTTP_PROXY": dead, "HTTPS_PROXY": dead, "NO_PROXY": "127.0.0.1,localhost",
            "NODE_OPTIONS": f"--require={INTEGRATIONS / 'loopback.cjs'}",
        }  # fmt: skip

    def command(self, *arguments: str, script: Path | None = None) -> list[str]:
        """The words of a call; `script` is another copy of the tool."""
        return [program("node"), str(script or modules() / "@gitbook/cli/cli.js"), *arguments]

    def run(self, example: str, *arguments: str, stdin: str = "") -> str:
        """What the tool prints in the folder of an example; it fails unless it ends with 0."""
        done = subprocess.run(
            self.command(*arguments), cwd=self.example(example), env=self.environment(),
            input=stdin, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    def publish(self, example: str) -> str:
        """Publish an example; its name."""
        said = self.run(example, "publish", "--organization", self.organization)
        name = said.partition('Integration "')[2].partition('"')[0]
        assert name, said
        return name

    def with_tunnel(self) -> Path:
        """A copy of the tool whose program for tunnels stays on this machine."""
        copy = self.folder / "tool"
        if not copy.exists():
            shutil.copytree(modules() / "@gitbook" / "cli", copy)
            shutil.copy(INTEGRATIONS / "tunnel.mjs", copy / "dist" / "cloudflared.mjs")
            start = f'#!/bin/sh\nexec "{program("node")}" "$(dirname "$0")/cloudflared.mjs" "$@"\n'
            (copy / "dist" / "cloudflared").write_text(start)
            (copy / "dist" / "cloudflared").chmod(0o755)
        return copy / "cli.js"
