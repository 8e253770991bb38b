"""Archives come while they are made: nobody waits for the last file, and who leaves stops it."""

import asyncio
import io
import os
import tempfile
import threading
import zipfile
from contextlib import AsyncExitStack
from typing import Any, cast

import pytest

from content.git.tree_changes import TreeChanges, Written
from jobs import zip_export
from jobs.zip_export import _Writing, zip_of_revision
from resolvers.core.context import Context


def changes_of(*files: Written) -> TreeChanges:
    return TreeChanges({f"{number}.png": file for number, file in enumerate(files)})


def writing_of(turn: AsyncExitStack, changes: TreeChanges) -> _Writing:
    return _Writing(turn, changes, tempfile.TemporaryFile())


async def test_the_first_bytes_come_before_the_last_file_is_read() -> None:
    first, go_on = os.urandom(300_000), threading.Event()

    def last() -> bytes:
        assert go_on.wait(60)
        return b"last"

    writing = writing_of(AsyncExitStack(), changes_of(Written.of(first), Written(4, last)))
    pieces = writing.pieces()
    data = await asyncio.wait_for(anext(pieces), 60)
    assert data
    assert not go_on.is_set()
    go_on.set()
    async for piece in pieces:
        data += piece
    await writing.close()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        assert [archive.read(name) for name in archive.namelist()] == [first, b"last"]


async def test_equal_content_makes_equal_archives() -> None:
    made = []
    for _ in range(2):
        writing = writing_of(
            AsyncExitStack(), changes_of(Written.of(b"a"), Written.of(b"b" * 9_000))
        )
        made.append(b"".join([piece async for piece in writing.pieces()]))
        await writing.close()
    assert made[0] == made[1]


async def test_who_leaves_stops_it_and_gives_the_turn_back() -> None:
    reads: list[int] = []
    turn = AsyncExitStack()
    turns = asyncio.Semaphore(1)
    await turn.enter_async_context(turns)

    def one() -> bytes:
        reads.append(1)
        return os.urandom(50_000)

    writing = writing_of(turn.pop_all(), changes_of(*(Written(50_000, one) for _ in range(2_000))))
    await anext(writing.pieces())
    await writing.close()
    assert len(reads) < 2_000
    assert not turns.locked()


async def test_what_fails_in_the_midst_ends_the_archive_with_the_fault() -> None:
    def gone() -> bytes:
        raise OSError("the disk is gone")

    writing = writing_of(AsyncExitStack(), changes_of(Written.of(b"a"), Written(1, gone)))
    with pytest.raises(OSError, match="the disk is gone"):
        async for _ in writing.pieces():
            pass
    await writing.close()


async def test_a_full_disk_takes_no_turn_away(monkeypatch: pytest.MonkeyPatch) -> None:
    async def content(*_: Any) -> None:
        return None

    def full() -> None:
        raise OSError("no space left")

    monkeypatch.setattr(zip_export, "read", content)
    monkeypatch.setattr(zip_export, "_changes", lambda _: changes_of())
    monkeypatch.setattr(tempfile, "TemporaryFile", full)
    turns = asyncio.Semaphore(1)
    monkeypatch.setattr(zip_export, "WRITERS", turns)
    with pytest.raises(OSError, match="no space left"):
        async with zip_of_revision(cast(Context, None), "space", "revision"):
            pass
    assert not turns.locked()
