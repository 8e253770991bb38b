"""The server as a process: it starts on an empty folder, serves both doors and stops cleanly."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

import httpx2
import pytest

COMMAND = [str(Path(sys.executable).parent / "docstead")]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def environment(settings: Mapping[str, str] = MappingProxyType({})) -> dict[str, str]:
    """The environment without settings but these."""
    others = {name: one for name, one in os.environ.items() if not name.startswith("DOCSTEAD_")}
    return others | dict(settings)


def run(*arguments: str) -> Any:
    """The JSON that a command prints."""
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
    data_dir: Path, *arguments: str, settings: Mapping[str, str] = MappingProxyType({})
) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    port = free_port()
    # A file: the server would wait for a pipe that is full and that nobody reads.
    with log_of(data_dir).open("ab") as log:
        process = subprocess.Popen(
            [*COMMAND, "serve", "--data-dir", str(data_dir), "--port", str(port), *arguments],
            stdout=log,
            stderr=subprocess.STDOUT,
            env=environment(settings),
        )
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
                    time.sleep(0.1)
        yield base, process
    finally:
        process.terminate()
        process.wait(timeout=60)


STARTS_SLOWLY = """
import sys, time
if any("spawn_main" in argument for argument in sys.orig_argv):
    time.sleep(12)
"""


@pytest.mark.parametrize("workers", ["1", "2"])
def test_newcomer_starts_the_server_and_uses_both_doors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, workers: str
) -> None:
    """Workers may start slowly, as on a machine with much to do: nobody stops them before they are
    there."""
    (tmp_path / "sitecustomize.py").write_text(STARTS_SLOWLY)
    paths = [str(tmp_path), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))
    data_dir = tmp_path / "data"
    with serving(data_dir, "--workers", workers) as (base, process):
        made = run(
            "init", "--email", "ada@example.com", "--name", "Ada", "--organization", "Acme",
            "--data-dir", str(data_dir),
        )  # fmt: skip
        headers = {"Authorization": f"Bearer {made['token']}"}
        with httpx2.Client(base_url=base, headers=headers) as client:
            user = client.get("/v1/user").json()
            assert user["id"] == made["user"]["id"]
            answer = client.post("/graphql", json={"query": "{ viewer { id email } }"}).json()
            assert answer["data"] == {"viewer": {"id": user["id"], "email": "ada@example.com"}}
            run("token", "revoke", "--email", "ada@example.com", "--label", "init",
                "--data-dir", str(data_dir))  # fmt: skip
            assert client.get("/v1/user").status_code == 401
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=60) in (0, -signal.SIGTERM)


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
