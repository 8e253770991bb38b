"""Bytes of uploaded files, by space and SHA-256, in a folder or in a bucket that speaks S3."""

import asyncio
import contextlib
import datetime as dt
import hashlib
import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from urllib.parse import urlsplit

from db.file_stores import CHUNK_BYTES, BlobMissingError, FileStore, StoredBlob
from db.folder_store import FolderStore
from db.ids import new_id

__all__ = [
    "BlobMissingError",
    "BlobStore",
    "Bucket",
    "StoredBlob",
    "TooManyBytesError",
    "sha256_of",
]

_BUCKET = re.compile(r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:/[\w.-]+)*/?")
# Streams that have not ended, and bytes of writes that have not; no id of a space has a dot.
INCOMING = ".incoming"
# What is made of content and can be made again; no SHA-256 begins with it.
DERIVED = "~"


class TooManyBytesError(Exception):
    """A stream is longer than allowed; nothing of it was kept."""


async def sha256_of(data: bytes) -> str:
    """The SHA-256 of bytes in hex; of many in a thread of its own."""
    if len(data) <= CHUNK_BYTES:
        return hashlib.sha256(data).hexdigest()
    return (await asyncio.to_thread(hashlib.sha256, data)).hexdigest()


@dataclass(frozen=True, slots=True)
class Bucket:
    """A bucket of a server that speaks S3; credentials are those of the environment (`AWS_…`)."""

    name: str
    prefix: str
    endpoint: str
    region: str

    @classmethod
    def read(cls, url: str, endpoint: str, region: str) -> "Bucket":
        """A bucket of `s3://NAME/PREFIX`; without an endpoint Amazon's. ValueError for others."""
        if not _BUCKET.fullmatch(url):
            raise ValueError("it must be like s3://BUCKET or s3://BUCKET/PREFIX")
        parts = urlsplit(url)
        return cls(parts.netloc, parts.path.strip("/"), endpoint, region)


class BlobStore:
    """Content-addressed bytes: equal files of a space are kept once, nothing is overwritten."""

    def __init__(self, store: FileStore) -> None:
        self._store = store

    @classmethod
    def in_folder(cls, folder: Path) -> "BlobStore":
        """A store in a folder, which is made when it is missing, for its owner only."""
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return cls(FolderStore(folder, INCOMING))

    @classmethod
    def in_bucket(cls, bucket: Bucket) -> "BlobStore":
        """A store in a bucket. Requests that fail are repeated, with pauses, for a minute."""
        # Its library takes 7 MB with its threads, of which a folder needs none.
        connect = import_module("db.bucket_store").BucketStore.connect
        return cls(connect(bucket.name, bucket.prefix, bucket.endpoint, bucket.region))

    async def check(self) -> None:
        """Write, read and delete something; errors are those of the store."""
        name = f"{INCOMING}/{new_id()}"
        await self._store.put(name, name.encode())
        read = b"".join([chunk async for chunk in (await self._store.open(name)).chunks])
        await self._store.delete([name])
        if read != name.encode():
            raise OSError("what was written is not what is read")

    @staticmethod
    def _key(space_id: str, sha256: str) -> str:
        return f"{space_id}/{sha256[:2]}/{sha256}"

    async def put(self, space_id: str, data: bytes) -> str:
        """Keep these bytes for a space; returns their SHA-256 in hex."""
        sha256 = await sha256_of(data)
        # The same content may be there already.
        await self._store.put_new(self._key(space_id, sha256), data)
        return sha256

    async def put_stream(
        self, space_id: str, chunks: AsyncIterator[bytes], limit: int
    ) -> tuple[str, int]:
        """Keep a stream of at most `limit` bytes for a space; its SHA-256 in hex and its size.

        TooManyBytesError, and nothing is kept, when it is longer. An interrupted one leaves
        nothing behind, unless the process is killed (`forget_incoming`).
        """
        digest, size = hashlib.sha256(), 0

        async def counted() -> AsyncIterator[bytes]:
            nonlocal size
            async for chunk in chunks:
                size += len(chunk)
                if size > limit:
                    raise TooManyBytesError(limit)
                digest.update(chunk)
                yield chunk

        # Its name is not known before the last byte; in one store a rename is one step.
        incoming = f"{INCOMING}/{new_id()}"
        try:
            await self._store.put_stream(incoming, counted())
            sha256 = digest.hexdigest()
            await self._store.rename(incoming, self._key(space_id, sha256))
        except BaseException:
            await self._store.delete([incoming])
            raise
        return sha256, size

    async def set_aside(self, data: bytes) -> str:
        """Set bytes aside that a space may get later; returns where they are for `keep`."""
        incoming = f"{INCOMING}/{new_id()}"
        await self._store.put(incoming, data)
        return incoming

    async def keep(self, incoming: str, space_id: str, sha256: str) -> None:
        """Give a space the bytes that were set aside."""
        await self._store.rename(incoming, self._key(space_id, sha256))

    async def forget(self, incoming: Sequence[str]) -> None:
        """Remove bytes that were set aside, as far as they are still there."""
        await self._store.delete(incoming)

    async def forget_incoming(self, before: dt.datetime) -> None:
        """Remove what came before this time and never became bytes of a space."""
        async for batch in self._store.below(f"{INCOMING}/"):
            if old := [entry.path for entry in batch if entry.modified < before]:
                await self._store.delete(old)

    async def read(self, space_id: str, sha256: str) -> AsyncIterator[bytes]:
        """The bytes in chunks; BlobMissingError when there are none."""
        async for chunk in (await self.open(space_id, sha256)).chunks:
            yield chunk

    async def open(
        self, space_id: str, sha256: str, part: tuple[int, int] | None = None
    ) -> StoredBlob:
        """The bytes with their size, or a part that is there; BlobMissingError without them."""
        return await self._store.open(self._key(space_id, sha256), part)

    async def paths(self, folder: str) -> AsyncIterator[str]:
        """The names of everything below a folder that ends in `/`; of all there is for none."""
        async for batch in self._store.below(folder):
            for entry in batch:
                yield entry.path

    @staticmethod
    def _derived_key(space_id: str, name: str) -> str:
        return f"{space_id}/{DERIVED}/{name}"

    async def put_derived(self, space_id: str, name: str, data: bytes) -> None:
        """Keep what was made of a space's content under a name of its own; replaces it."""
        await self._store.put(self._derived_key(space_id, name), data)

    async def open_derived(
        self, space_id: str, name: str, part: tuple[int, int] | None = None
    ) -> StoredBlob:
        """Derived bytes, or a range of them; BlobMissingError when they are not stored."""
        return await self._store.open(self._derived_key(space_id, name), part)

    async def delete_derived(
        self, space_id: str, prefix: str, seconds: float, most: int | None = None
    ) -> None:
        """Remove what was made more than so long ago, of names that begin with `prefix`; of the
        rest all but the `most` that were made last. Only what is in the folder of `prefix` is
        looked at, all below it where it names none."""
        folder, slash, start = prefix.rpartition("/")
        below = f"{space_id}/{DERIVED}/{folder}{slash}"
        before = dt.datetime.now(dt.UTC) - dt.timedelta(seconds=seconds)
        entries = [
            (entry.modified, entry.path)
            async for batch in self._store.below(below)
            for entry in batch
            if entry.path.rpartition("/")[2].startswith(start)
        ]
        entries.sort(reverse=True)
        old = [
            path
            for place, (at, path) in enumerate(entries)
            if at < before or (most is not None and place >= most)
        ]
        if old:
            await self._store.delete(old)

    async def copy(self, source_id: str, target_id: str, sha256: str) -> None:
        """Give a space bytes of another one; nothing happens where they are not there."""
        with contextlib.suppress(BlobMissingError):
            await self._store.copy(self._key(source_id, sha256), self._key(target_id, sha256))

    async def copy_space(self, source_id: str, target_id: str) -> None:
        """Give a space all the bytes of another one, but not what was made of its content."""
        async for path in self.paths(f"{source_id}/"):
            _, _, rest = path.partition("/")
            if not rest.startswith(f"{DERIVED}/"):
                await self._store.copy(path, f"{target_id}/{rest}")

    async def delete_space(self, space_id: str) -> None:
        """Remove all bytes of a space."""
        async for batch in self._store.below(f"{space_id}/"):
            await self._store.delete([entry.path for entry in batch])
