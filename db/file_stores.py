"""What a store of files does, whatever it is in: a folder, or a bucket that speaks S3."""

import datetime as dt
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Protocol

CHUNK_BYTES = 256 * 1024


class BlobMissingError(Exception):
    """The store has no bytes under this name."""


class FileStoreError(OSError):
    """The store could not do what it was to do; `errno` says why, where the system does."""


@dataclass(frozen=True, slots=True)
class StoredBlob:
    """The bytes under a name, their size, and an ETag that differs for other bytes."""

    size: int
    mark: str | None
    # Its bytes, or those from one position to another, in chunks.
    chunks: AsyncIterator[bytes]


@dataclass(frozen=True, slots=True)
class StoredName:
    """A name that has bytes, and when they were written."""

    path: str
    modified: dt.datetime


class FileStore(Protocol):
    """Bytes under names, whose parts are separated by `/`.

    BlobMissingError where a name has none, FileStoreError or an error of the bucket's library for
    other failures. Bytes appear under a name as a whole, but for those of `put_stream`.
    """

    async def put(self, name: str, data: bytes) -> None:
        """Write bytes under a name; they replace others."""

    async def put_new(self, name: str, data: bytes) -> None:
        """Write bytes under a name, unless it has some."""

    async def put_stream(self, name: str, chunks: AsyncIterator[bytes]) -> None:
        """Write a stream under a name that nobody reads yet; one that fails may leave a part."""

    async def open(self, name: str, part: tuple[int, int] | None = None) -> StoredBlob:
        """The bytes under a name, or those from one position to another."""

    async def rename(self, name: str, target: str) -> None:
        """Give bytes another name; they replace others."""

    async def copy(self, name: str, target: str) -> None:
        """Give bytes a second name."""

    async def delete(self, names: Sequence[str]) -> None:
        """Remove names, as far as they are there."""

    def below(self, folder: str) -> AsyncIterator[list[StoredName]]:
        """All names below a folder that ends in `/`, or all there are for an empty one."""


def mark_of(e_tag: str | None) -> str | None:
    """An ETag of the store's own mark of a version, hashed, for that may tell of its disks."""
    if e_tag is None:
        return None
    return f'"{blake2b(e_tag.encode(), digest_size=12).hexdigest()}"'
