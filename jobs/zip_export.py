"""Archives of content in the Git layout, written to a temporary file and read while they grow."""

import asyncio
import io
import logging
import os
import tempfile
import zipfile
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import IO, Any

from content.git.tree_changes import TreeChanges
from content.git.writer import write_space
from resolvers.core.context import Context
from resolvers.core.runners import read
from resolvers.git.contents import RevisionContent, content_to_export

log = logging.getLogger("docstead.exports")
PIECE = 256 * 1024
# Archives that a process writes at the same time; others wait.
WRITERS = asyncio.Semaphore(2)
# The first time that archives know, so that equal content makes equal archives.
NO_TIME = (1980, 1, 1, 0, 0, 0)
# Files that are packed already.
PACKED = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".zip", ".gz", ".mp4", ".webm", ".pdf")


class ExportError(Exception):
    """Content that cannot be written in the Git layout; the text names the files."""


@asynccontextmanager
async def zip_of_revision(
    ctx: Context, space_id: str, revision_id: str
) -> AsyncIterator[AsyncIterator[bytes]]:
    """An archive with a revision in pieces, which come while it is made; ExportError before the
    first one.

    It is made in a thread and on disk: of files never more than one is in memory, and whoever reads
    slowly keeps no writer waiting.
    """
    async with AsyncExitStack() as turn:
        await turn.enter_async_context(WRITERS)
        content = await read(ctx, content_to_export, space_id, None, revision_id)
        changes = await asyncio.to_thread(_changes, content)
        # Before the turn is handed over: there may be no room for it.
        file = await asyncio.to_thread(tempfile.TemporaryFile)
        writing = _Writing(turn.pop_all(), changes, file)
    try:
        yield writing.pieces()
    finally:
        await writing.close()


def _changes(content: RevisionContent) -> TreeChanges:
    changes = write_space(None, content.content, outside=content.outside)
    if changes.problems:
        named = "; ".join(f"{problem.path} {problem.problem}" for problem in changes.problems[:20])
        raise ExportError(f"the content cannot be exported: {named}")
    return changes


class _Growing(io.RawIOBase):
    """A file that is written from its beginning to its end, and says how far it is."""

    def __init__(self, file: IO[bytes], grown: Callable[[int], object]) -> None:
        self._file, self._grown, self._size = file, grown, 0
        self.ended = False

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        if self.ended:
            raise BrokenPipeError("nobody reads the archive any more")
        self._file.write(data)
        self._file.flush()
        self._size += len(data)
        self._grown(self._size)
        return len(data)


class _Writing:
    """An archive that a thread writes while others read it; `turn` ends with the last byte, the
    file with `close`."""

    def __init__(self, turn: AsyncExitStack, changes: TreeChanges, file: IO[bytes]) -> None:
        self._file = file
        self._size, self._grown = 0, asyncio.Event()
        loop = asyncio.get_running_loop()
        self._target = _Growing(
            self._file, lambda size: loop.call_soon_threadsafe(self._note, size)
        )
        self._task = asyncio.create_task(self._write(turn, changes))
        self._task.add_done_callback(lambda task: self._grown.set())

    def _note(self, size: int) -> None:
        self._size = size
        self._grown.set()

    async def _write(self, turn: AsyncExitStack, changes: TreeChanges) -> None:
        async with turn:
            await asyncio.to_thread(_fill, self._target, changes)

    async def pieces(self) -> AsyncIterator[bytes]:
        """The bytes as they come; what has failed fails here."""
        position, descriptor = 0, self._file.fileno()
        while True:
            self._grown.clear()
            done = self._task.done()
            while position < self._size:
                most = min(PIECE, self._size - position)
                piece = await asyncio.to_thread(os.pread, descriptor, most, position)
                position += len(piece)
                yield piece
            if done:
                await self._task
                return
            if not self._task.done():
                await self._grown.wait()

    async def close(self) -> None:
        """Stop, and let go of the file."""
        self._target.ended = True
        # A thread ends with its next write.
        await asyncio.wait([self._task])
        if not self._task.cancelled() and (error := self._task.exception()) is not None:
            log.debug("the archive was not finished", exc_info=error)
        self._file.close()


def _fill(target: IO[bytes] | _Growing, changes: TreeChanges) -> None:
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for path, written in changes.writes.items():
            info = zipfile.ZipInfo(path, NO_TIME)
            info.external_attr = 0o644 << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            if path.lower().endswith(PACKED):
                info.compress_type = zipfile.ZIP_STORED
            archive.writestr(info, written.read())
