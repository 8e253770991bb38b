"""Archives of content in the Git layout, written to a temporary file and read in pieces."""

import asyncio
import tempfile
import zipfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import IO

from content.git.tree_changes import TreeChanges
from content.git.writer import write_space
from resolvers.core.context import Context
from resolvers.core.runners import read
from resolvers.git.contents import RevisionContent, content_to_export

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
) -> AsyncIterator[tuple[int, AsyncIterator[bytes]]]:
    """The size of an archive with a revision, and its bytes in pieces.

    It is made in a thread and on disk: of files never more than one is in memory.
    """
    async with WRITERS:
        content = await read(ctx, content_to_export, space_id, None, revision_id)
        file = await asyncio.to_thread(_write, content)
    try:
        size = await asyncio.to_thread(file.seek, 0, 2)
        await asyncio.to_thread(file.seek, 0)
        yield size, _pieces(file)
    finally:
        file.close()


def _write(content: RevisionContent) -> IO[bytes]:
    changes = write_space(None, content.content, outside=content.outside)
    if changes.problems:
        named = "; ".join(f"{problem.path} {problem.problem}" for problem in changes.problems[:20])
        raise ExportError(f"the content cannot be exported: {named}")
    file = tempfile.TemporaryFile()  # noqa: SIM115 - whoever reads it closes it
    try:
        _fill(file, changes)
    except BaseException:
        file.close()
        raise
    return file


def _fill(file: IO[bytes], changes: TreeChanges) -> None:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for path, written in changes.writes.items():
            info = zipfile.ZipInfo(path, NO_TIME)
            info.external_attr = 0o644 << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            if path.lower().endswith(PACKED):
                info.compress_type = zipfile.ZIP_STORED
            archive.writestr(info, written.read())


async def _pieces(file: IO[bytes]) -> AsyncIterator[bytes]:
    while piece := await asyncio.to_thread(file.read, PIECE):
        yield piece
