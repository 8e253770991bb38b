"""The process that draws PDFs: its limits, its isolation, and what its callers are told."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import content
from content.markdown.parser import parse_document
from content.pdf.job import IMAGES, JOB_FILE, Limits, PrintedFile, PrintedPage, PrintJob, write_job
from db.blobs import BlobStore
from jobs.print_process import (
    BusyError,
    DrawingFailedError,
    NotInstalledError,
    PrintError,
    TooLargeError,
    TooSlowError,
    UnfinishedError,
    run_print_process,
)
from jobs.printing import Printer
from resolvers.core.context import Context
from resolvers.pdf.operations import Printout

PARAGRAPH = "word **word** `word` " * 20
GENEROUS = Limits(sheets=100, seconds=600, megabytes=2_000)


def make_job(markdown: str, limits: Limits = GENEROUS, times: int = 1, **more: Any) -> PrintJob:
    """A book of one page: the Markdown so many times."""
    document = parse_document(markdown)
    document["nodes"] = document["nodes"] * times  # type: ignore[operator]
    page = PrintedPage("a", "document", "A page", document=document)
    return PrintJob("Book", "s", "http://docs.test", [page], limits=limits, **more)


@pytest.fixture
def lay_down(tmp_path: Path) -> Callable[[PrintJob], Path]:
    def write(job: PrintJob) -> Path:
        folder = tmp_path / "job"
        (folder / IMAGES).mkdir(parents=True)
        (folder / JOB_FILE).write_bytes(write_job(job))
        return folder

    return write


LayDown = Callable[[PrintJob], Path]


async def test_the_process_draws_a_pdf(lay_down: LayDown) -> None:
    pdf = await run_print_process(lay_down(make_job("Hello.")), GENEROUS)
    assert pdf.read_bytes().startswith(b"%PDF-")


async def test_too_many_sheets(lay_down: LayDown) -> None:
    limits = Limits(sheets=2, seconds=600, megabytes=2_000)
    job = make_job("word", limits, 200)
    with pytest.raises(TooLargeError, match=r"would have \d+ sheets; this server allows 2"):
        await run_print_process(lay_down(job), limits)


async def test_too_much_memory(lay_down: LayDown) -> None:
    limits = Limits(sheets=100_000, seconds=600, megabytes=700)
    job = make_job("word " * 2_000, limits, 40_000)
    with pytest.raises(PrintError, match="more than the 700 megabytes"):
        await run_print_process(lay_down(job), limits)


async def test_too_long(lay_down: LayDown) -> None:
    limits = Limits(sheets=100_000, seconds=1, megabytes=4_000)
    job = make_job(PARAGRAPH, limits, 60_000)
    with pytest.raises(TooSlowError, match="longer than the 1 seconds"):
        await run_print_process(lay_down(job), limits)


async def test_a_process_that_is_killed(lay_down: LayDown) -> None:
    folder = lay_down(make_job(PARAGRAPH, times=60_000))
    running = asyncio.create_task(run_print_process(folder, GENEROUS))
    pid = await _worker_of(folder)
    os.kill(pid, signal.SIGKILL)
    with pytest.raises(DrawingFailedError, match="could not be drawn"):
        await running


async def test_whoever_gives_up_leaves_no_process(lay_down: LayDown) -> None:
    folder = lay_down(make_job(PARAGRAPH, times=60_000))
    running = asyncio.create_task(run_print_process(folder, GENEROUS))
    pid = await _worker_of(folder)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


async def _worker_of(folder: Path) -> int:
    """The id of the process that works in a folder, once there is one."""
    for _ in range(3_000):
        found = await asyncio.to_thread(_find_worker, folder)
        if found is not None:
            return found
        await asyncio.sleep(0.02)
    raise AssertionError("no process was started")


def _find_worker(folder: Path) -> int | None:
    for entry in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            command = (entry / "cmdline").read_bytes() if entry.name.isdecimal() else b""
            if b"content.pdf.worker" in command and str(folder).encode() in command:
                return int(entry.name)
    return None


async def test_damaged_images_leave_a_gap_only(lay_down: LayDown) -> None:
    for name, data in (("1.png", b"\x89PNG\r\n\x1a\nbroken"), ("2.svg", b"<svg><g></svg"),
                       ("3.jpg", b"")):  # fmt: skip
        files = {"f": PrintedFile(name, 1, image=name, content_type="image/png")}
        job = make_job("", files=files)
        image = {"object": "block", "type": "image", "data": {"ref": {"kind": "file", "file": "f"}}}
        job.pages[0].document["nodes"].append(image)  # type: ignore[index,union-attr]
        folder = lay_down(job)
        (folder / IMAGES / name).write_bytes(data)
        assert (await run_print_process(folder, GENEROUS)).read_bytes().startswith(b"%PDF-")
        folder.rename(folder.with_name(f"done-{name}"))


class Canary(BaseHTTPRequestHandler):
    """Remembers every request."""

    asked: list[str]

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.send_response(404)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is printed."""


@pytest.fixture
def canary() -> Iterator[tuple[str, list[str]]]:
    """The address of a server on this machine, and the paths it was asked for."""
    asked: list[str] = []
    handler = type("Handler", (Canary,), {"asked": asked})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", asked
    server.shutdown()
    thread.join()
    server.server_close()


async def test_nothing_is_asked_of_the_network(
    lay_down: LayDown, canary: tuple[str, list[str]]
) -> None:
    url, asked = canary
    markdown = "\n\n".join(
        [
            f"![one]({url}/1.png) and [link]({url}/2)",
            f'<figure><img src="{url}/3.png" alt=""></figure>',
            f'{{% embed url="{url}/4" %}}',
            f'<table data-view="cards"><thead><tr><th data-type="image" data-card-cover></th></tr>'
            f'</thead><tbody><tr><td><a href="{url}/5.png">x</a></td></tr></tbody></table>',
            f'<link rel="stylesheet" href="{url}/6.css"><iframe src="{url}/7"></iframe>',
            f'<style>@import url("{url}/8.css"); @font-face {{ src: url({url}/9) }}</style>',
            f'<object data="{url}/10"></object><svg><image href="{url}/11"/></svg>',
            "![svg](drawing)",
            f"$$\n\\href{{{url}/12}}{{x}}\n$$",
        ]
    )
    document = parse_document(
        markdown, resolve=lambda link: {"kind": "file", "file": "f"} if link == "drawing" else None
    )
    page = PrintedPage("a", "document", f"<img src={url}/13>", document=document,
                       description=f"</title><img src={url}/14>")  # fmt: skip
    name = f"</style><link rel=stylesheet href={url}/15>"
    files = {"f": PrintedFile("a.svg", 1, image="1.svg", content_type="image/svg+xml")}
    job = PrintJob(name, "s", url, [page, page], lines=[name], files=files, limits=GENEROUS)
    folder = lay_down(job)
    (folder / IMAGES / "1.svg").write_text(
        f'<?xml-stylesheet href="{url}/16.css"?>'
        f'<!DOCTYPE svg [<!ENTITY x SYSTEM "{url}/17">]>'
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'width="9" height="9"><image href="{url}/18.png" width="9" height="9"/>'
        f'<use xlink:href="{url}/19.svg#a"/><style>@import url({url}/20.css);</style></svg>'
    )
    assert (await run_print_process(folder, GENEROUS)).read_bytes().startswith(b"%PDF-")
    assert asked == []


ISOLATED = """
import socket, sys
from content.isolation import limit_resources, refuse_sockets
limit_resources(10, 500, file_bytes=1)
print(refuse_sockets())
for family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX):
    try:
        socket.socket(family).close()
        print("open")
    except PermissionError:
        print("refused")
try:
    bytearray(600_000_000)
    print("enough")
except MemoryError:
    print("bounded")
print(len(open("/proc/self/status").read()) > 0)
"""


def test_the_kernel_refuses_sockets_and_bounds_memory() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ISOLATED], capture_output=True, text=True, check=True,
        env={"PYTHONPATH": str(Path(content.__file__ or "").parent.parent)},
    )  # fmt: skip
    assert done.stdout.split() == ["True", "refused", "refused", "refused", "bounded", "True"]


async def test_the_process_gets_no_secrets(
    lay_down: LayDown, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DOCSTEAD_METRICS_TOKEN", "secret-secret-secret-secret")
    folder = lay_down(make_job(PARAGRAPH, times=60_000))
    running = asyncio.create_task(run_print_process(folder, GENEROUS))
    pid = await _worker_of(folder)
    environment = await asyncio.to_thread(Path(f"/proc/{pid}/environ").read_bytes)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert b"PYTHONPATH" in environment
    assert b"secret" not in environment


# What callers of the printer are told. Its process is the real one; only what it gets is not read
# from a database.


class Printing(Printer):
    """A printer whose books are given."""

    def __init__(self, folder: Path, job: PrintJob, limits: Limits = GENEROUS) -> None:
        blobs = BlobStore.in_folder(folder / "files")

        async def store() -> BlobStore:
            return blobs

        @asynccontextmanager
        async def nothing() -> AsyncIterator[Context]:
            raise AssertionError("no database is read")
            yield

        super().__init__(store, nothing, folder / "printing", limits)
        self._job = job

    async def _job_folder(self, printout: Printout, folder: Path) -> None:
        (folder / IMAGES).mkdir()
        (folder / JOB_FILE).write_bytes(write_job(self._job))


async def whole(printer: Printer, printout: Printout, seconds: float = 60) -> bytes:
    return b"".join([chunk async for chunk in await printer.read(printout, seconds)])


async def test_two_printers_draw_a_pdf_once(tmp_path: Path) -> None:
    printers = [Printing(tmp_path, make_job("Hello.")) for _ in range(3)]
    found = await asyncio.gather(
        *(whole(one, Printout("s", "r")) for one in printers for _ in "ab")
    )
    assert len(set(found)) == 1
    assert sum(one.drawn for one in printers) == 1


async def test_a_failure_is_remembered_for_a_while(tmp_path: Path) -> None:
    limits = Limits(sheets=1, seconds=600, megabytes=2_000)
    printer = Printing(tmp_path, make_job("word", limits, 200), limits)
    for _ in range(3):
        with pytest.raises(TooLargeError):
            await whole(printer, Printout("s", "r"))
    assert printer.drawn == 1
    with pytest.raises(TooLargeError):
        await whole(printer, Printout("s", "other"))
    assert printer.drawn == 2


class Stumbling(Printing):
    """A printer whose books cannot be read."""

    async def _job_folder(self, printout: Printout, folder: Path) -> None:
        raise ValueError("a cell that nobody expected")


async def test_whatever_goes_wrong_is_told_logged_and_remembered(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    printer = Stumbling(tmp_path, make_job("word"))
    for _ in range(2):
        with pytest.raises(DrawingFailedError, match="could not be made") as told:
            await whole(printer, Printout("s", "r"))
        assert (told.value.status, told.value.retry_after) == (503, 60)
    assert printer.drawn == 1
    assert "a cell that nobody expected" in caplog.text


async def test_who_does_not_wait_is_told_to_ask_again(tmp_path: Path) -> None:
    printer = Printing(tmp_path, make_job(PARAGRAPH, times=1_000))
    with pytest.raises(UnfinishedError, match="still being made") as told:
        await whole(printer, Printout("s", "r"), 0.01)
    assert told.value.retry_after == 5
    assert (await whole(printer, Printout("s", "r"))).startswith(b"%PDF-")
    assert printer.drawn == 1


async def test_too_many_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jobs.printing.WAITING", 2)
    printer = Printing(tmp_path, make_job(PARAGRAPH, times=60_000))
    waiting = [
        asyncio.create_task(whole(printer, Printout("s", f"r{number}"))) for number in range(2)
    ]
    while len(printer._running) < 2:  # noqa: ASYNC110 (nothing says it)
        await asyncio.sleep(0.001)
    with pytest.raises(BusyError, match="try again"):
        await whole(printer, Printout("s", "r9"))
    await printer.close()
    for one in waiting:
        with pytest.raises((asyncio.CancelledError, PrintError)):
            await one


async def test_servers_without_the_extra_packages_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("content.pdf.job.PACKAGES", ("no_such_package",))
    with pytest.raises(NotInstalledError, match=r"docstead\[pdf\]") as told:
        await whole(Printing(tmp_path, make_job("x")), Printout("s", "r"))
    assert told.value.status == 501


async def test_old_pdfs_are_removed_and_others_stay(tmp_path: Path) -> None:
    printer = Printing(tmp_path, make_job("x"))
    await whole(printer, Printout("s", "one"))
    kept = tmp_path / "files" / "s" / "~"
    (kept / "other").write_bytes(b"x")
    blobs = await printer._blobs()
    await blobs.delete_derived("s", "pdf-", 3600)
    assert len(list(kept.iterdir())) == 2
    await blobs.delete_derived("s", "pdf-", -60)
    assert [path.name for path in kept.iterdir()] == ["other"]
