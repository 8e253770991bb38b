"""Files in a folder of this machine; whatever touches the disk runs in threads."""

import asyncio
import contextlib
import datetime as dt
import os
import shutil
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TypeVar

from db.file_stores import (
    CHUNK_BYTES,
    BlobMissingError,
    FileStoreError,
    StoredBlob,
    StoredName,
    mark_of,
)
from db.ids import new_id

T = TypeVar("T")
# Names that are read, and names that are removed, before other threads get their turn.
BATCH = 1000
# A folder that is made may be removed by others, who find it empty, before a file is in it.
TRIES = 20


class Opened:
    """A file that is open; its descriptor is closed with the last reference."""

    __slots__ = ("descriptor",)

    def __init__(self, path: Path, flags: int) -> None:
        self.descriptor = -1
        self.descriptor = os.open(path, flags | os.O_CLOEXEC, 0o644)

    def __del__(self) -> None:
        if self.descriptor >= 0:
            os.close(self.descriptor)

    def write(self, data: bytes | bytearray) -> None:
        """Write all of it at the end."""
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(self.descriptor, rest) :]


class FolderStore:
    """A store of files whose names are paths below a folder.

    Folders that become empty are removed. Bytes are written to a file of another name in
    `incoming`, which is below the same folder, and get theirs when they are complete.
    """

    def __init__(self, folder: Path, incoming: str) -> None:
        self._folder = folder
        self._incoming = incoming

    async def put(self, name: str, data: bytes) -> None:
        await self._run(self._write, name, data)

    async def put_new(self, name: str, data: bytes) -> None:
        def write() -> None:
            if not self._path(name).exists():
                self._write(name, data)

        await self._run(write)

    async def put_stream(self, name: str, chunks: AsyncIterator[bytes]) -> None:
        opened = await self._run(self._create, self._path(name))
        pending = bytearray()
        async for chunk in chunks:
            pending += chunk
            if len(pending) >= CHUNK_BYTES:
                await self._run(opened.write, pending)
                pending = bytearray()
        await self._run(opened.write, pending)

    async def open(self, name: str, part: tuple[int, int] | None = None) -> StoredBlob:
        path = self._path(name)

        def begin() -> tuple[Opened, os.stat_result]:
            # A folder is no file.
            if path.is_dir():
                raise FileNotFoundError(name)
            opened = Opened(path, os.O_RDONLY)
            return opened, os.fstat(opened.descriptor)

        opened, status = await self._run(begin)
        start, end = part or (0, status.st_size)
        mark = f'"{status.st_ino:x}-{status.st_mtime_ns // 1000:x}-{status.st_size:x}"'

        async def chunks() -> AsyncIterator[bytes]:
            at = start
            while at < end:
                size = min(CHUNK_BYTES, end - at)
                chunk = await self._run(os.pread, opened.descriptor, size, at)
                if not chunk:
                    raise FileStoreError(f"{name} is shorter than it was")
                at += len(chunk)
                yield chunk

        return StoredBlob(status.st_size, mark_of(mark), chunks())

    async def rename(self, name: str, target: str) -> None:
        await self._run(self._move, self._path(name), self._path(target))

    async def copy(self, name: str, target: str) -> None:
        def copy() -> None:
            with self._aside() as (aside, _):
                shutil.copyfile(self._path(name), aside)
                self._move(aside, self._path(target))

        await self._run(copy)

    async def delete(self, names: Sequence[str]) -> None:
        def remove(some: Sequence[str]) -> None:
            for name in some:
                path = self._path(name)
                with contextlib.suppress(FileNotFoundError):
                    path.unlink()
                self._remove_empty(path.parent)

        for start in range(0, len(names), BATCH):
            await self._run(remove, names[start : start + BATCH])

    async def below(self, folder: str) -> AsyncIterator[list[StoredName]]:
        names = self._walk(self._path(folder.removesuffix("/")) if folder else self._folder)
        while batch := await self._run(lambda: list(islice(names, BATCH))):
            yield batch

    async def _run(self, function: Callable[..., T], *arguments: object) -> T:
        """The result of a function in a thread. It runs to its end when this is cancelled, and is
        waited for, so that nobody finds it at work after that."""
        running = asyncio.ensure_future(asyncio.to_thread(function, *arguments))
        try:
            return await asyncio.shield(running)
        except asyncio.CancelledError:
            await asyncio.wait([running])
            raise
        except (FileNotFoundError, NotADirectoryError) as error:
            raise BlobMissingError(error.filename) from error
        except FileStoreError:
            raise
        except OSError as error:
            raise FileStoreError(*error.args) from error

    def _path(self, name: str) -> Path:
        """ValueError for a name that leads out of the folder."""
        parts = name.split("/")
        if not {"", ".", ".."}.isdisjoint(parts) or "\0" in name:
            raise ValueError(f"not a name of a file: {name!r}")
        return self._folder.joinpath(*parts)

    @staticmethod
    def _in_folder(path: Path, act: Callable[[], T]) -> T:
        """Do something that needs the folder of this path."""
        for _ in range(TRIES):
            try:
                return act()
            except FileNotFoundError:
                # Folders above it may go while it is made: others remove what becomes empty.
                with contextlib.suppress(FileNotFoundError):
                    path.parent.mkdir(parents=True, exist_ok=True)
        return act()

    def _create(self, path: Path) -> Opened:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        return self._in_folder(path, lambda: Opened(path, flags))

    def _move(self, path: Path, target: Path) -> None:
        def move() -> None:
            # What is missing may be the file: that no folder mends.
            if not path.exists():
                raise BlobMissingError(path.name)
            path.replace(target)

        self._in_folder(target, move)

    @contextlib.contextmanager
    def _aside(self) -> Iterator[tuple[Path, Opened]]:
        """A file for bytes that are not complete; whatever is left of it is removed."""
        path = self._path(f"{self._incoming}/{new_id()}")
        try:
            yield path, self._create(path)
        finally:
            path.unlink(missing_ok=True)

    def _write(self, name: str, data: bytes) -> None:
        with self._aside() as (aside, opened):
            opened.write(data)
            self._move(aside, self._path(name))

    def _remove_empty(self, folder: Path) -> None:
        while folder != self._folder:
            try:
                folder.rmdir()
            except OSError:
                return
            folder = folder.parent

    def _walk(self, top: Path) -> Iterator[StoredName]:
        for folder, _, files in os.walk(top):
            for file in files:
                path = Path(folder, file)
                with contextlib.suppress(FileNotFoundError):
                    at = dt.datetime.fromtimestamp(path.stat().st_mtime, dt.UTC)
                    yield StoredName(path.relative_to(self._folder).as_posix(), at)
