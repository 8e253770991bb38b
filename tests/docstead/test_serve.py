"""The server as a process: it starts on an empty folder, serves both doors and stops cleanly."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any
from unittest import mock

import httpx2
import pytest

from docstead.commands.serve import SILENT_SECONDS
from tests.docstead.command_line import docstead
from tests.forked import Forked, start_command
from tests.listeners import free_port

COMMAND = [str(Path(sys.executable).parent / "docstead")]


def environment(settings: Mapping[str, str] = MappingProxyType({})) -> dict[str, str]:
    """The environment without settings but these."""
    others = {name: one for name, one in os.environ.items() if not name.startswith("DOCSTEAD_")}
    return others | dict(settings)


def run(*arguments: str) -> Any:
    """The JSON that a command prints, which runs in this process."""
    with mock.patch.dict(os.environ, environment(), clear=True):
        done = docstead(*arguments, "--json")
    assert (done.status, done.err) == (0, ""), done
    return json.loads(done.out)


def run_program(*arguments: str) -> Any:
    """The same, as a program of its own."""
    done = subprocess.run(
        [*COMMAND, *arguments, "--json"],
        capture_output=True,
        text=True,
        check=True,
        env=environment(),
        timeout=120,
    )
    return json.loads(done.stdout)


def log_of(data_dir: Path) -> Path:
    """What the servers on this folder have written to their outputs."""
    return data_dir.with_name(f"{data_dir.name}.log")


@contextmanager
def serving(
    data_dir: Path,
    *arguments: str,
    settings: Mapping[str, str] = MappingProxyType({}),
    program: bool = False,
) -> Iterator[tuple[str, Forked | subprocess.Popen[bytes]]]:
    """A server on a folder and its process; a `program` begins with its imports."""
    port = free_port()
    words = ["serve", "--data-dir", str(data_dir), "--port", str(port), *arguments]
    process: Forked | subprocess.Popen[bytes]
    # A file: the server would wait for a pipe that is full and that nobody reads.
    if program:
        with log_of(data_dir).open("ab") as log:
            process = subprocess.Popen(
                [*COMMAND, *words], stdout=log, stderr=subprocess.STDOUT, env=environment(settings)
            )
    else:
        process = start_command(words, environment(settings), log_of(data_dir))
    base = f"http://127.0.0.1:{port}"
    try:
        deadline = time.monotonic() + 120
        # One client for all attempts: each new one reads the certificates of authorities.
        with httpx2.Client(base_url=base, timeout=2) as client:
            while True:
                assert process.poll() is None, log_of(data_dir).read_text()
                try:
                    if client.get("/health").status_code == 200:
                        break
                except httpx2.TransportError:
                    assert time.monotonic() < deadline, "the server did not start"
                    time.sleep(0.05)
        yield base, process
    finally:
        process.terminate()
        process.wait(timeout=60)


STARTS_SLOWLY = """
import sys, time
if any("spawn_main" in argument for argument in sys.orig_argv):
    time.sleep({seconds})
"""


def let_workers_start_slowly(folder: Path, monkeypatch: pytest.MonkeyPatch, seconds: int) -> None:
    """As on a machine with much to do."""
    (folder / "sitecustomize.py").write_text(STARTS_SLOWLY.format(seconds=seconds))
    paths = [str(folder), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))


@pytest.mark.parametrize("workers", ["1", "2"])
def test_newcomer_starts_the_server_and_uses_both_doors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: str
) -> None:
    """Workers may start slowly, and take longer than uvicorn would wait: nobody stops them before
    they are there.

    With one server process, all that a newcomer starts is a program of its own."""
    let_workers_start_slowly(tmp_path, monkeypatch, 7)
    data_dir = tmp_path / "data"
    command = run_program if workers == "1" else run
    with serving(data_dir, "--workers", workers, program=True) as (base, process):
        made = command(
            "init", "--email", "ada@example.com", "--name", "Ada", "--organization", "Acme",
            "--data-dir", str(data_dir),
        )  # fmt: skip
        headers = {"Authorization": f"Bearer {made['token']}"}
        with httpx2.Client(base_url=base, headers=headers) as client:
            user = client.get("/v1/user").json()
            assert user["id"] == made["user"]["id"]
            answer = client.post("/graphql", json={"query": "{ viewer { id email } }"}).json()
            assert answer["data"] == {"viewer": {"id": user["id"], "email": "ada@example.com"}}
            command("token", "revoke", "--email", "ada@example.com", "--label", "init",
                    "--data-dir", str(data_dir))  # fmt: skip
            assert client.get("/v1/user").status_code == 401
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=60) in (0, -signal.SIGTERM)


def workers_of(supervisor: int) -> set[int]:
    """The server processes that a supervisor has started and that have not ended."""
    children = Path(f"/proc/{supervisor}/task/{supervisor}/children").read_text().split()
    workers = set()
    for id in children:
        # One that has ended, and that nobody has looked at yet, has no command any more.
        with suppress(OSError):
            if "spawn_main" in Path(f"/proc/{id}/cmdline").read_text():
                workers.add(int(id))
    return workers


def test_a_server_process_that_dies_while_it_starts_keeps_no_other_from_starting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def replaced(former: set[int]) -> set[int]:
        # Sooner than one that hangs is given up.
        deadline = time.monotonic() + SILENT_SECONDS - 5
        while len(now := workers_of(process.pid)) < 2 or now & former:
            assert time.monotonic() < deadline, f"{now} run instead of {former}"
            time.sleep(0.05)
        return now

    let_workers_start_slowly(tmp_path, monkeypatch, 2)
    with serving(tmp_path / "data", "--workers", "2", program=True) as (base, process):
        victim, other = sorted(workers_of(process.pid))
        os.kill(victim, signal.SIGKILL)
        (starting,) = replaced({victim}) - {other}
        # It is being asked whether it lives, and cannot answer yet.
        time.sleep(1)
        os.kill(starting, signal.SIGKILL)
        os.kill(other, signal.SIGKILL)
        replaced({victim, starting, other})
        httpx2.get(f"{base}/health", timeout=120).raise_for_status()


def test_port_in_use_is_one_clear_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = subprocess.run(
            [*COMMAND, "serve", "--data-dir", str(tmp_path), "--port", str(port)],
            capture_output=True,
            text=True,
            check=False,
            env=environment(),
            timeout=120,
        )
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        f"docstead: cannot listen on 127.0.0.1:{port} (Address already in use); "
        "choose another with --port"
    ]


def test_make_demo_installs_all_that_the_demo_can_do() -> None:
    """What it would run on a new machine: PDFs are installed before the server starts."""
    planned = subprocess.run(
        ["make", "--dry-run", "--always-make", "demo"],
        cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True,
    ).stdout.splitlines()  # fmt: skip
    (pdf,) = [number for number, line in enumerate(planned) if "-r requirements/pdf.txt" in line]
    (demo,) = [number for number, line in enumerate(planned) if line.endswith("/docstead demo")]
    assert pdf < demo
