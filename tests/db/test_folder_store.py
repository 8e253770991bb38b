"""A folder as a store of files: what is written, removed and listed at the same time."""

import asyncio
import errno
import os
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from db.file_stores import CHUNK_BYTES, BlobMissingError, FileStoreError
from db.folder_store import FolderStore, Opened
from resolvers.core.database_errors import expected
from resolvers.core.errors import StorageFull, Unavailable

INCOMING = ".incoming"
LARGE = bytes(range(256)) * (CHUNK_BYTES // 256 * 2 + 7)


@pytest.fixture
def store(tmp_path: Path) -> FolderStore:
    return FolderStore(tmp_path, INCOMING)


async def whole(store: FolderStore, name: str, part: tuple[int, int] | None = None) -> bytes:
    return b"".join([chunk async for chunk in (await store.open(name, part)).chunks])


async def names(store: FolderStore, folder: str = "") -> set[str]:
    return {entry.path async for batch in store.below(folder) for entry in batch}


async def test_bytes_are_written_named_copied_and_removed(
    store: FolderStore, tmp_path: Path
) -> None:
    await store.put("a/b/first", b"1")
    await store.put_new("a/b/first", b"2")
    assert await whole(store, "a/b/first") == b"1"
    before = (await store.open("a/b/first")).mark
    await store.put("a/b/first", LARGE)
    assert (await store.open("a/b/first")).mark != before
    assert await whole(store, "a/b/first") == LARGE
    assert await whole(store, "a/b/first", (5, CHUNK_BYTES + 9)) == LARGE[5 : CHUNK_BYTES + 9]
    await store.copy("a/b/first", "c/copy")
    await store.rename("a/b/first", "d/e/moved")
    assert await whole(store, "c/copy") == await whole(store, "d/e/moved") == LARGE
    assert await names(store) == {"c/copy", "d/e/moved"}
    assert await names(store, "d/") == {"d/e/moved"}
    async for batch in store.below("c/"):
        assert abs(batch[0].modified - datetime.now(UTC)) < timedelta(minutes=1)
    await store.delete(["c/copy", "d/e/moved", "d/never"])
    assert await names(store) == set()
    # A rename leaves the folder it took the last file from; the others are gone.
    assert set(os.listdir(tmp_path)) == {INCOMING, "a"}


async def test_names_that_are_not_there(store: FolderStore) -> None:
    await store.put("folder/file", b"1")
    for name in ("folder", "nothing", "folder/file/below"):
        with pytest.raises(BlobMissingError):
            await store.open(name)
    for act in (store.rename, store.copy):
        with pytest.raises(BlobMissingError):
            await act("nothing", "folder/other")
    for name in ("../file", "/etc/passwd", "folder/../../file", "folder//file", "a\0b"):
        with pytest.raises(ValueError, match="not a name"):
            await store.put(name, b"1")
    assert await names(store) == {"folder/file"}


async def test_a_file_that_is_read_outlives_its_name(store: FolderStore) -> None:
    await store.put("a/file", LARGE)
    blob = await store.open("a/file")
    await store.delete(["a/file"])
    assert b"".join([chunk async for chunk in blob.chunks]) == LARGE


async def test_folders_that_become_empty_do_not_disturb_writers(store: FolderStore) -> None:
    async def write_and_remove(number: int) -> None:
        for _ in range(30):
            await store.put(f"one/two/{number}", b"1")
            assert await whole(store, f"one/two/{number}") == b"1"
            await store.delete([f"one/two/{number}"])

    await asyncio.gather(*(write_and_remove(number) for number in range(6)))
    assert await names(store) == set()


async def test_a_stream_that_is_cancelled_leaves_nothing_open(store: FolderStore) -> None:
    waits = asyncio.Event()

    async def endless() -> AsyncIterator[bytes]:
        yield LARGE
        waits.set()
        await asyncio.Event().wait()

    descriptors = len(os.listdir("/proc/self/fd"))
    task = asyncio.create_task(store.put_stream(f"{INCOMING}/stream", endless()))
    await waits.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    del task
    await store.delete([f"{INCOMING}/stream"])
    assert await names(store) == set()
    assert len(os.listdir("/proc/self/fd")) <= descriptors


@pytest.mark.parametrize(
    ("number", "kind"), [(errno.ENOSPC, StorageFull), (errno.EACCES, Unavailable)]
)
async def test_what_a_disk_refuses(
    store: FolderStore, monkeypatch: pytest.MonkeyPatch, number: int, kind: type[Exception]
) -> None:
    def refuse(self: Opened, data: bytes) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(Opened, "write", refuse)
    with pytest.raises(FileStoreError) as caught:
        await store.put("a/file", b"1")
    assert isinstance(expected(caught.value), kind)
    assert await names(store) == set()
