"""Makes PDFs on demand: each once, a few at a time, cached in the object store.

Two requests for the same PDF wait for one drawing, in this process and in others of the machine.
A drawing that failed is not tried again at once.
"""

import asyncio
import contextlib
import hashlib
import json
import logging
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import replace
from pathlib import Path

from content.pdf.job import IMAGES, JOB_FILE, Limits, write_job
from db.alone import try_lock
from db.blobs import BlobMissingError, BlobStore, StoredBlob
from jobs.print_process import (
    BusyError,
    DrawingFailedError,
    PrintError,
    Report,
    TooLargeError,
    UnfinishedError,
    check_installed,
    run_print_process,
)
from resolvers.core.context import Context
from resolvers.core.runners import read
from resolvers.integrations.shown import MOST_OF_PAGE, with_blocks
from resolvers.pdf.operations import Printout
from resolvers.pdf.source import Source, read_print_source
from resolvers.specifications.shown import with_specifications

log = logging.getLogger("docstead.printing")
# Changes whenever PDFs look different: those cached so far are not served any more.
EDITION = 3
AT_ONCE = 1
WAITING = 20
# Files that processes lock, whatever the number of PDFs.
LOCKS = 64
LOCK_SECONDS = 0.2
FAILURE_SECONDS = 60.0
FAILURES = 1_000
CACHED_SECONDS = 24 * 3600.0
JOB_BYTES = 200_000_000
# On disk, one after the other: the PDF holds them as paper shows them.
IMAGE_BYTES = 2_000_000_000

OpenContext = Callable[[], AbstractAsyncContextManager[Context]]


class Printer:
    """One process's maker of PDFs. `open_context` opens one of the operator."""

    def __init__(
        self,
        blobs: Callable[[], Awaitable[BlobStore]],
        open_context: OpenContext,
        folder: Path,
        limits: Limits,
    ) -> None:
        self._blobs = blobs
        self._open_context = open_context
        self._folder = folder
        self.limits = limits
        self._running: dict[str, asyncio.Task[None]] = {}
        self._failed: dict[str, tuple[float, PrintError]] = {}
        self._slots = asyncio.Semaphore(AT_ONCE)
        # How many drawings this process has begun.
        self.drawn = 0

    @property
    def running(self) -> int:
        """How many PDFs are being made, or wait for their turn."""
        return len(self._running)

    async def read(self, printout: Printout, seconds: float) -> AsyncIterator[bytes]:
        """The bytes of a PDF; see `open`."""
        return (await self.open(printout, seconds)).chunks

    async def open(
        self, printout: Printout, seconds: float, part: tuple[int, int] | None = None
    ) -> StoredBlob:
        """A PDF, or a part that is there. It is made when it is not stored; PrintError when it
        cannot be.

        UnfinishedError when that takes longer than `seconds`; it is made all the same.
        """
        blobs, name = await self._blobs(), self._name(printout)
        pdf = await _stored(blobs, printout.space_id, name, part)
        if pdf is None:
            try:
                async with asyncio.timeout(seconds):
                    await self._made(printout, name)
            except TimeoutError:
                raise UnfinishedError("the PDF is still being made; ask again") from None
            pdf = await _stored(blobs, printout.space_id, name, part)
        if pdf is None:
            raise BusyError("the PDF was removed while it was made; ask again")
        return pdf

    def _name(self, printout: Printout) -> str:
        identity = json.dumps([EDITION, *printout.parts(), self.limits.sheets])
        return f"pdf-{hashlib.sha256(identity.encode()).hexdigest()}"

    async def _made(self, printout: Printout, name: str) -> None:
        failed = self._failed.get(name)
        if failed is not None and failed[0] > time.monotonic():
            raise failed[1]
        running = self._running.get(name)
        if running is None:
            if len(self._running) >= WAITING:
                raise BusyError("too many PDFs are being made; try again in a few seconds")
            check_installed()
            running = asyncio.create_task(self._make(printout, name))
            self._running[name] = running
            running.add_done_callback(lambda task: self._ended(name, task))
        # Whoever gives up does not stop it for the others.
        await asyncio.shield(running)

    def _ended(self, name: str, task: asyncio.Task[None]) -> None:
        del self._running[name]
        if task.cancelled():
            return
        error = task.exception()
        if isinstance(error, PrintError):
            if len(self._failed) >= FAILURES:
                self._failed.clear()
            self._failed[name] = (time.monotonic() + FAILURE_SECONDS, error)

    async def _make(self, printout: Printout, name: str) -> None:
        """Make a PDF and keep it; a PrintError whatever goes wrong, so that it is remembered."""
        try:
            await self._draw(printout, name)
            return
        except PrintError:
            raise
        except Exception:
            log.exception("the PDF of revision %s failed", printout.revision_id)
        # Raised here and not above: with its cause it would keep all pages in memory.
        raise DrawingFailedError("the PDF could not be made; the server's log says why")

    async def make(self, printout: Printout, report: Report) -> None:
        """Make a PDF that nobody waits for, unless it is stored; PrintError when it cannot be made.

        It takes no turn of those that are waited for.
        """
        check_installed()
        await self._draw(printout, self._name(printout), report)

    async def _draw(self, printout: Printout, name: str, report: Report | None = None) -> None:
        blobs = await self._blobs()
        # A turn is taken last: who waits for a drawing elsewhere keeps nobody waiting here.
        async with self._lock(name), nullcontext() if report else self._slots:
            if await _stored(blobs, printout.space_id, name, None) is not None:
                return
            self.drawn += 1
            async with _temporary_folder() as folder:
                if report is not None:
                    report("reading pages")
                await self._job_folder(printout, folder)
                pdf = await run_print_process(folder, self.limits, report)
                if report is not None:
                    report("storing")
                await blobs.put_derived(printout.space_id, name, await asyncio.to_thread(
                    pdf.read_bytes))  # fmt: skip
            await blobs.delete_derived(printout.space_id, "pdf-", CACHED_SECONDS)

    async def _job_folder(self, printout: Printout, folder: Path) -> None:
        """Put everything into the folder that the PDF is made of."""
        async with self._open_context() as ctx:
            source = await read(ctx, _read_source, printout, self.limits)
        await _lay_down(folder, source, await self._blobs())

    @asynccontextmanager
    async def _lock(self, name: str) -> AsyncIterator[None]:
        """Holds while no other process of this machine makes the same PDF."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        number = int(name.removeprefix("pdf-")[:8], 16) % LOCKS
        with (self._folder / f"lock-{number}").open("wb") as file:
            while not try_lock(file.fileno()):  # noqa: ASYNC110 (another process holds it)
                await asyncio.sleep(LOCK_SECONDS)
            # Closing the file lets go of it.
            yield

    async def close(self) -> None:
        """Stop what is being made."""
        for task in list(self._running.values()):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, PrintError):
                await task


async def _stored(
    blobs: BlobStore, space_id: str, name: str, part: tuple[int, int] | None
) -> StoredBlob | None:
    """A PDF that the object store has; None when it has none."""
    try:
        pdf = await blobs.open_derived(space_id, name, part)
    except BlobMissingError:
        return None
    return pdf if pdf.size else None


@asynccontextmanager
async def _temporary_folder() -> AsyncIterator[Path]:
    folder = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="docstead-pdf-"))
    try:
        yield folder
    finally:
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)


async def _read_source(ctx: Context, printout: Printout, limits: Limits) -> Source:
    """The content of a PDF, with what its blocks show of specifications, and what integrations
    have drawn."""
    source = await read_print_source(ctx, printout, limits)
    job = source.job
    contents = [dict(content) for content in job.contents.values()]
    documents = [dict(page.document or {}) for page in job.pages]
    most = MOST_OF_PAGE * (len(documents) + 1)
    space_id = printout.space_id
    filled = await with_specifications(ctx, space_id, [*documents, *contents])
    drawn = await with_blocks(ctx, space_id, filled, most)
    pages = [
        replace(page, document=document if page.document is not None else None)
        for page, document in zip(job.pages, drawn.documents, strict=False)
    ]
    shown = dict(zip(job.contents, drawn.documents[len(pages) :], strict=True))
    return replace(source, job=replace(job, pages=pages, contents=shown))


async def _lay_down(folder: Path, source: Source, blobs: BlobStore) -> None:
    """Write the job and its images; TooLargeError when they are too much."""
    data = await asyncio.to_thread(write_job, source.job)
    if len(data) > JOB_BYTES:
        raise TooLargeError("the pages are larger than a PDF may be; ask for one page with `page`")
    total = sum(file.size for file in source.images.values())
    if total > IMAGE_BYTES:
        raise TooLargeError("the images are larger than a PDF may be; ask for one page with `page`")
    await asyncio.to_thread((folder / JOB_FILE).write_bytes, data)
    images = folder / IMAGES
    await asyncio.to_thread(images.mkdir)
    for name, file in source.images.items():
        with contextlib.suppress(BlobMissingError):
            parts = [chunk async for chunk in blobs.read(file.space_id, file.sha256)]
            await asyncio.to_thread((images / name).write_bytes, b"".join(parts))
