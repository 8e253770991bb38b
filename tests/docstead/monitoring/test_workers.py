"""The metrics of several processes in one scrape."""

import asyncio
import contextlib
import os
import socket
import time
from pathlib import Path

import httpx2

from docstead.monitoring.metrics import Metrics
from docstead.monitoring.workers import FOLDER, Workers, merged
from tests.docstead.test_serve import serving

TOKEN = "a-token-of-the-metrics"


async def test_processes_answer_each_other(tmp_path: Path) -> None:
    """One that has ended is forgotten, one that is silent is left out."""
    workers = Workers(lambda: "# HELP a An a.\n# TYPE a counter\na 1\n", {FOLDER: str(tmp_path)})
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(tmp_path / "7"))
    silent = socket.socket(socket.AF_UNIX)
    silent.bind(str(tmp_path / "8"))
    silent.listen()

    async def other(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b'# HELP a An a.\n# TYPE a counter\na{b="c"} 2\n# HELP d A d.\nd 3\n')
        writer.close()

    server = await asyncio.start_unix_server(other, tmp_path / "9")
    with contextlib.closing(silent), contextlib.closing(server):
        async with workers.listening():
            text = await workers.text()
        # Since Python 3.13 a server takes its socket with it.
        assert set(os.listdir(tmp_path)) == {"8", "9"}
    own = os.getpid()
    assert text == (
        f'# HELP a An a.\n# TYPE a counter\na{{worker="{own}"}} 1\na{{worker="9",b="c"}} 2\n'
        '# HELP d A d.\nd{worker="9"} 3\n'
    )


async def test_alone_there_is_no_label() -> None:
    workers = Workers(Metrics().text, {})
    async with workers.listening():
        assert "worker=" not in await workers.text()


def test_families_stay_together() -> None:
    text = merged({"1": Metrics().text(), "2": Metrics().text()})
    families = [line.split(" ")[2] for line in text.splitlines() if line.startswith("# TYPE ")]
    assert len(families) == len(set(families)) > 8
    assert text.count("process_cpu_seconds_total{") == 2


def test_one_scrape_of_a_server_has_all_its_workers(tmp_path: Path) -> None:
    settings = {"DOCSTEAD_METRICS_TOKEN": TOKEN, "TMPDIR": str(tmp_path)}
    with serving(tmp_path / "data", "--workers", "2", settings=settings) as (base, _):
        deadline = time.monotonic() + 60
        while True:
            headers = {"Authorization": f"Bearer {TOKEN}"}
            text = httpx2.get(f"{base}/metrics", headers=headers).text
            starts = [line for line in text.splitlines() if line.startswith("process_start_time")]
            if len(starts) == 2:
                break
            assert time.monotonic() < deadline, text
        (folder,) = tmp_path.glob("docstead-*")
        assert folder.stat().st_mode & 0o077 == 0
    assert not list(tmp_path.glob("docstead-*"))
