"""The temporary PostgreSQL server itself: what it offers, and that nothing of it stays."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest

from tests.postgres import BINARIES_VARIABLE, PostgresError, TemporaryPostgres, find_binaries

ROOT = Path(__file__).parent.parent

# Prints "PID FOLDER PORT" of a server and waits until somebody ends it.
OWNER = """
import signal, time
from tests.postgres import TemporaryPostgres
# Shells start what runs in the background with Ctrl-C ignored, and so would everything below it.
signal.signal(signal.SIGINT, signal.default_int_handler)
with TemporaryPostgres(by_language=False) as server:
    print(server.pid, server.folder, server.port, flush=True)
    time.sleep(120)
"""


@pytest.fixture(scope="module")
def server() -> Iterator[TemporaryPostgres]:
    with TemporaryPostgres() as running:
        yield running


async def fetch(url: str, query: str) -> list[object]:
    """The first column of a query's rows."""
    connection = await asyncpg.connect(url.replace("+asyncpg", ""))
    try:
        return [row[0] for row in await connection.fetch(query)]
    finally:
        await connection.close()


def wait_until_gone(pid: int, folder: Path) -> None:
    """Fail if the process or the folder is still there after a minute."""
    deadline = time.monotonic() + 60
    while running(pid) or folder.exists():
        assert time.monotonic() < deadline, (running(pid), folder.exists())
        time.sleep(0.05)


def running(pid: int) -> bool:
    """True while the process runs; an ended one that nobody has waited for does not count."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


async def test_databases_are_utf8_and_start_empty(server: TemporaryPostgres) -> None:
    url = server.create_database("empty")
    assert url == server.url_of("empty")
    assert await fetch(url, "SHOW server_encoding") == ["UTF8"]
    assert await fetch(url, "SELECT count(*) FROM pg_stat_user_tables") == [0]


async def test_copy_of_a_template_has_its_rows_and_is_separate(server: TemporaryPostgres) -> None:
    template = server.create_database("template_pages")
    await fetch(template, "SELECT title INTO page FROM (VALUES ('Intro')) AS t (title)")
    first = server.create_database("first", template="template_pages")
    second = server.create_database("second", template="template_pages")
    await fetch(first, "DELETE FROM page")
    assert await fetch(first, "SELECT title FROM page") == []
    assert await fetch(second, "SELECT title FROM page") == ["Intro"]


async def test_dropping_closes_open_connections(server: TemporaryPostgres) -> None:
    url = server.create_database("dropped")
    connection = await asyncpg.connect(url.replace("+asyncpg", ""))
    server.drop_database("dropped")
    with pytest.raises((asyncpg.PostgresError, asyncpg.InterfaceError, ConnectionError)):
        await connection.fetch("SELECT 1")
    connection.terminate()
    with pytest.raises(asyncpg.InvalidCatalogNameError):
        await fetch(url, "SELECT 1")
    server.drop_database("dropped")  # dropping what is gone is no error


async def test_text_sorts_by_language_unless_the_column_says_c(server: TemporaryPostgres) -> None:
    words = "(VALUES ('b'), ('B'), ('a'), ('C')) AS t (word)"
    by_default = await fetch(server.url, f"SELECT word FROM {words} ORDER BY word")
    assert "".join(map(str, by_default)) in ("abBC", "aBbC"), server.collation
    by_bytes = await fetch(server.url, f'SELECT word FROM {words} ORDER BY word COLLATE "C"')
    assert by_bytes == ["B", "C", "a", "b"]


async def test_lower_case_knows_other_scripts(server: TemporaryPostgres) -> None:
    assert await fetch(server.url, "SELECT lower('ÄÖΩЖ')") == ["äöωж"]


async def test_password_is_needed(server: TemporaryPostgres) -> None:
    with pytest.raises(asyncpg.InvalidPasswordError):
        await asyncpg.connect(f"postgresql://docstead:wrong@127.0.0.1:{server.port}/postgres")


@pytest.mark.parametrize("name", ["", "Upper", 'a"b', "a b", "1a", "x" * 64])
def test_database_name_that_needs_care_is_refused(server: TemporaryPostgres, name: str) -> None:
    with pytest.raises(ValueError, match="database name"):
        server.create_database(name)


def test_leaving_the_context_ends_the_server_and_removes_the_folder() -> None:
    with TemporaryPostgres(by_language=False) as server:
        pid, folder = server.pid, server.folder
        assert pid is not None
        assert running(pid)
    assert server.pid is None
    assert not running(pid)
    assert not folder.exists()
    server.stop()  # again: nothing to do


@pytest.mark.parametrize("signal_number", [signal.SIGINT, signal.SIGKILL], ids=["ctrl-c", "kill"])
def test_two_processes_have_a_server_each_and_leave_none(signal_number: signal.Signals) -> None:
    owners = [
        subprocess.Popen(
            [sys.executable, "-c", OWNER],
            cwd=ROOT,  # where -c looks for modules
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    servers = []
    try:
        for owner in owners:
            assert owner.stdout is not None
            number, path, port = owner.stdout.readline().split()
            servers.append((int(number), Path(path), int(port)))
    finally:
        for owner in owners:
            owner.send_signal(signal_number)
            owner.communicate()
    for values in zip(*servers, strict=True):
        assert len(set(values)) == len(owners), values
    for pid, folder, _ in servers:
        wait_until_gone(pid, folder)


def test_chosen_folder_without_binaries_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(BINARIES_VARIABLE, str(tmp_path))
    with pytest.raises(PostgresError, match=f"{BINARIES_VARIABLE} is '{tmp_path}'"):
        find_binaries()


def test_binaries_out_of_reach_are_copied(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As in a project below /root: only the owner may enter the folder of the binaries."""
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    (closed / "install").symlink_to(find_binaries().parent)
    monkeypatch.setenv(BINARIES_VARIABLE, str(closed / "install" / "bin"))
    with TemporaryPostgres(by_language=False) as server:
        assert (server.folder / "copy").exists() == (os.getuid() == 0)
        server.create_database("reached")
