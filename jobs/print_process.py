"""Runs the process that draws a PDF: in its own folder, without secrets, for a limited time."""

import asyncio
import contextlib
import logging
import signal
from pathlib import Path
from typing import Protocol

import orjson

from content.pdf.job import NOT_INSTALLED, PDF_FILE, RESULT_FILE, Limits, makes_pdfs
from jobs.processes import process_of

log = logging.getLogger("docstead.printing")
ERRORS_FILE = "errors.txt"
LOGGED_CHARACTERS = 2_000
# What a number of pages or sheets stays below.
MOST_COUNTED = 2**31


class PrintError(Exception):
    """A PDF that could not be made; `status` is that of the HTTP answer."""

    status = 503
    retry_after: int | None = None


class TooLargeError(PrintError):
    """It would be larger than this server allows; trying again is of no use."""

    status = 413


class TooSlowError(PrintError):
    """It took longer than this server allows."""

    status = 504


class NotInstalledError(PrintError):
    """This server has no layout engine."""

    status = 501


class UnfinishedError(PrintError):
    """It is being made; asking again is of use."""

    retry_after = 5


class BusyError(PrintError):
    """Too many PDFs are waiting to be made."""

    retry_after = 15


class DrawingFailedError(PrintError):
    """The process ended without a PDF."""

    retry_after = 60


def check_installed() -> None:
    """NotInstalledError where the extra packages for PDFs are missing."""
    if not makes_pdfs():
        raise NotInstalledError(NOT_INSTALLED)


class Report(Protocol):
    """Hears of the stage of a drawing, and how much of it is done."""

    def __call__(
        self, stage: str | None = None, done: int | None = None, total: int | None = None
    ) -> None: ...


async def run_print_process(folder: Path, limits: Limits, report: Report | None = None) -> Path:
    """Draw the job in a folder; the PDF, or a PrintError."""
    with (folder / ERRORS_FILE).open("wb") as errors:
        drawing = process_of(
            "content.pdf.worker", str(folder), folder=folder,
            stdin=asyncio.subprocess.DEVNULL, stderr=errors,
            stdout=asyncio.subprocess.DEVNULL if report is None else asyncio.subprocess.PIPE,
        )  # fmt: skip
        async with drawing as process:
            try:
                async with asyncio.timeout(limits.seconds):
                    if report is not None and process.stdout is not None:
                        await _follow(process.stdout, report)
                    await process.wait()
            except TimeoutError:
                raise TooSlowError(_too_slow(limits)) from None
    return await asyncio.to_thread(_result, folder, limits, process.returncode)


async def _follow(output: asyncio.StreamReader, report: Report) -> None:
    """Pass on what the process says of its progress, until it says no more.

    It reads documents of strangers, so what it says is not believed to be well formed.
    """
    stage = None
    while True:
        # ValueError for what is no JSON, and for a line that is too long: it is passed over.
        try:
            line = await output.readline()
            said = orjson.loads(line) if line else None
        except ValueError:
            continue
        if not line:
            return
        match said:
            case [str(name), int(done), int(total)] if (
                0 <= done <= total < MOST_COUNTED and name.isprintable()
            ):
                if name != stage:
                    report(name)
                    stage = name
                report(done=done, total=total)


def _too_slow(limits: Limits) -> str:
    return (
        f"the PDF takes longer than the {limits.seconds} seconds that this server allows; "
        "ask for one page with `page`"
    )


def _result(folder: Path, limits: Limits, code: int | None) -> Path:
    with contextlib.suppress(FileNotFoundError):
        result = orjson.loads((folder / RESULT_FILE).read_bytes())
        problem = result.get("problem")
        if problem == "too-many-sheets":
            raise TooLargeError(
                f"the PDF would have {result['sheets']} sheets; this server allows "
                f"{limits.sheets}; ask for one page with `page`"
            )
        if problem == "memory":
            raise TooLargeError(_too_much_memory(limits))
        return folder / PDF_FILE
    if code == -signal.SIGXCPU:
        raise TooSlowError(_too_slow(limits))
    output = (folder / ERRORS_FILE).read_bytes()[-LOGGED_CHARACTERS:].decode(errors="replace")
    log.error("the process that draws PDFs ended with %s: %s", code, output)
    if "bad_alloc" in output or "memory" in output.lower():
        raise TooLargeError(_too_much_memory(limits))
    # An engine that gets no memory may end without a word, as it may for other reasons.
    raise DrawingFailedError(
        "the PDF could not be drawn: its pages hold something that cannot be printed, or need more "
        f"than the {limits.megabytes} megabytes of memory that this server allows; "
        "ask for one page with `page`"
    )


def _too_much_memory(limits: Limits) -> str:
    return (
        f"the PDF needs more than the {limits.megabytes} megabytes of memory that this server "
        "allows; ask for one page with `page`"
    )
