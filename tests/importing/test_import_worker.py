"""The process that converts: what it may do, and what becomes of it."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from resolvers.core.errors import BadRequest
from resolvers.imports.worker import import_worker
from tests.importing import documents

LIMITS = {"max_file_bytes": 20_000_000, "max_total_bytes": 200_000_000, "max_files": 1000}


def payload(source: str, name: str) -> dict[str, object]:
    return {
        "source": source, "name": name, "type": "", "charset": None, "changed": "", "url": "http://x.example/",
        "limits": LIMITS,
    }  # fmt: skip


async def whole(data: bytes) -> bytes:
    return data


async def test_reads_and_packs() -> None:
    async with import_worker(20) as worker:
        read = await worker.call("read", [documents.epub()], **payload("zip", "book.epub"))
        names = ("one", "two", "three", "four")
        assert read == {"pictures": [], "paths": [f"OEBPS/text/{one}.xhtml" for one in names]}
        value, files = await worker.exchange(
            "pack", [], whole, pictures=[], pages=2, files=5, characters=1000, found=3
        )
    assert [page["title"] for page in value["pages"]] == ["Chapter one", "Chapter two"]
    # The bytes that are stored: nobody has to read them on the way.
    assert all(json.loads(page["document"])["object"] == "document" for page in value["pages"])
    assert value["pages"][1]["parent"] == value["pages"][0]["id"]
    # Four chapters and a picture, and three that were not fetched.
    assert (value["imported"], value["total"]) == (3, 8)
    assert files == [documents.png()]


def peak(pid: int | str) -> int:
    """The most memory that a process has had, in bytes."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    raise AssertionError("the system does not say")


MEASURE = """
import asyncio, io, json, os, zipfile
from resolvers.imports.worker import import_worker
from tests.importing.test_import_worker import payload, peak

async def main():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a.md", "# A\\n\\n" + " ".join(f"![]({n}.png)" for n in range(10)))
        for number in range(10):
            archive.writestr(f"{number}.png", os.urandom(8_000_000))
    data = out.getvalue()
    del out
    async def take(one):
        return len(one)
    before = peak("self")
    async with import_worker(20) as worker:
        await worker.call("read", [data], **payload("zip", "a.zip"))
        _, sizes = await worker.exchange(
            "pack", [], take, pictures=[], pages=2, files=20, characters=1000, found=0
        )
        print(json.dumps([sizes, peak("self") - before, peak(worker.pid)]))

asyncio.run(main())
"""


def test_files_are_in_memory_one_after_the_other() -> None:
    done = subprocess.run(
        [sys.executable, "-c", MEASURE], capture_output=True, text=True, timeout=60, check=True
    )
    sizes, server, worker = json.loads(done.stdout)
    # 80 MB of files in an archive of that size, which only the process holds once more.
    assert sizes == [8_000_000] * 10
    assert server < 40_000_000
    assert worker < 180_000_000


async def test_a_problem_leaves_the_process_as_it_was() -> None:
    async with import_worker(20) as worker:
        with pytest.raises(BadRequest, match="cannot be read as a zip"):
            await worker.call("read", [b"PK\x03\x04"], **payload("zip", "export.zip"))
        answer = await worker.call("read", [documents.docx()], **payload("docx", "a.docx"))
        assert answer == {"pictures": [], "paths": ["document:the-handbook"]}


async def test_too_much_computing_ends_the_process_not_the_server() -> None:
    # Nested so deeply that each level is looked at again and again.
    slow = b"<!doctype html>" + b"<div><ul><li>" * 60_000
    async with import_worker(1) as worker:
        with pytest.raises(BadRequest, match="takes too long or too much memory"):
            await worker.call("read", [slow], **payload("html", "a.html"))


async def test_the_process_ends_with_its_import() -> None:
    pids: list[int] = []
    running = asyncio.Event()

    async def hang() -> None:
        async with import_worker(20) as worker:
            pids.append(worker.pid)
            running.set()
            await asyncio.sleep(60)

    task = asyncio.create_task(hang())
    await running.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    with pytest.raises(ProcessLookupError):
        os.kill(pids[0], 0)


ATTEMPTS = {
    "connect": "import socket; socket.create_connection(('127.0.0.1', 9))",
    "listen": "import socket; socket.socket().bind(('127.0.0.1', 0))",
    "resolve": "import socket; socket.getaddrinfo('localhost', 80)",
    "process": "import subprocess; subprocess.run(['true'])",
    "shell": "import os; os.system('true')",
    "fork": "import os; os.fork()",
    "write": "open({place!r}, 'w')",
    "append": "open({place!r}, 'ab')",
    "remove": "import os; os.remove({place!r})",
    "descriptor": "import os; os.open({place!r}, os.O_WRONLY | os.O_CREAT)",
}


@pytest.mark.parametrize("attempt", ATTEMPTS)
def test_the_process_refuses(attempt: str, tmp_path: Path) -> None:
    place = tmp_path / "there"
    place.write_text("as it was")
    code = (
        "import resolvers.imports.process as process; process.limit(10, 1024)\n"
        + ATTEMPTS[attempt].format(place=str(place))
        + "\nprint('reached')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert "PermissionError" in done.stderr
    assert "reached" not in done.stdout
    assert place.read_text() == "as it was"


def test_memory_has_a_bound() -> None:
    code = (
        "import resolvers.imports.process as process; process.limit(10, 1024)\n"
        "try:\n    bytearray(2_000_000_000)\nexcept MemoryError:\n    print('bound')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == "bound\n"


async def test_secrets_of_the_environment_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCSTEAD_METRICS_TOKEN", "x" * 30)
    async with import_worker(5) as worker:
        # Once it answers it has its environment; the system does not say it before.
        await worker.call("kind", [b"# A"], **payload("markdown", "a.md"))
        place = Path(f"/proc/{worker.pid}/environ")
        environment = await asyncio.to_thread(place.read_bytes)
        assert b"PYTHONPATH" in environment
        assert b"DOCSTEAD" not in environment
