"""Bytes of uploaded files, by space and SHA-256, in a folder or in a bucket that speaks S3."""

import asyncio
import contextlib
import datetime as dt
import hashlib
import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import obstore
from obstore.store import LocalStore, ObjectStore, S3Store

from db.ids import new_id

CHUNK_BYTES = 256 * 1024
# A part of an upload to a bucket; S3 takes none below 5 MiB but the last.
PART_BYTES = 8 * 1024 * 1024
# Of one request to a bucket, and of all its tries.
REQUEST_SECONDS, CONNECT_SECONDS, TRIES, TRIES_SECONDS = 60, 5, 5, 60
_BUCKET = re.compile(r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](?:/[\w.-]+)*/?")
# Streams that have not ended, and bytes of writes that have not; no id of a space has a dot.
INCOMING = ".incoming"
# What is made of content and can be made again; no SHA-256 begins with it.
DERIVED = "~"


class BlobMissingError(Exception):
    """The store has no bytes under this name."""


class TooManyBytesError(Exception):
    """A stream is longer than allowed; nothing of it was kept."""


@dataclass(frozen=True, slots=True)
class StoredBlob:
    """The bytes under a name, their size, and an ETag that differs for other bytes."""

    size: int
    mark: str | None
    # Its bytes, or those from one position to another, in chunks.
    chunks: AsyncIterator[bytes]


async def sha256_of(data: bytes) -> str:
    """The SHA-256 of bytes in hex; of many in a thread of its own."""
    if len(data) <= CHUNK_BYTES:
        return hashlib.sha256(data).hexdigest()
    return (await asyncio.to_thread(hashlib.sha256, data)).hexdigest()


def _mark(e_tag: str | None) -> str | None:
    """An ETag of the store's own mark of a version, hashed, for that may tell of its disks."""
    if e_tag is None:
        return None
    return f'"{hashlib.blake2b(e_tag.encode(), digest_size=12).hexdigest()}"'


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

    def __init__(self, store: ObjectStore, chunk_bytes: int = CHUNK_BYTES) -> None:
        """`chunk_bytes` are written at once."""
        self._store = store
        self._chunk_bytes = chunk_bytes

    @classmethod
    def in_folder(cls, folder: Path) -> "BlobStore":
        """A store in a folder, which is made when it is missing, for its owner only."""
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return cls(LocalStore(folder, automatic_cleanup=True))

    @classmethod
    def in_bucket(cls, bucket: Bucket) -> "BlobStore":
        """A store in a bucket. Requests that fail are repeated, with pauses, for a minute."""
        config = {"region": bucket.region, "virtual_hosted_style_request": not bucket.endpoint}
        if bucket.endpoint:
            config["endpoint"] = bucket.endpoint
        store = S3Store(
            bucket.name,
            prefix=bucket.prefix or None,
            config=config,  # type: ignore[arg-type]
            client_options={
                "allow_http": bucket.endpoint.startswith("http://"),
                "timeout": dt.timedelta(seconds=REQUEST_SECONDS),
                "connect_timeout": dt.timedelta(seconds=CONNECT_SECONDS),
            },
            retry_config={
                "max_retries": TRIES,
                "retry_timeout": dt.timedelta(seconds=TRIES_SECONDS),
            },
        )
        return cls(store, PART_BYTES)

    async def check(self) -> None:
        """Write, read and delete something; errors are those of the store."""
        name = f"{INCOMING}/{new_id()}"
        await obstore.put_async(self._store, name, name.encode())
        read = bytes(await (await obstore.get_async(self._store, name)).bytes_async())
        await obstore.delete_async(self._store, name)
        if read != name.encode():
            raise OSError("what was written is not what is read")

    @staticmethod
    def _key(space_id: str, sha256: str) -> str:
        return f"{space_id}/{sha256[:2]}/{sha256}"

    async def put(self, space_id: str, data: bytes) -> str:
        """Keep these bytes for a space; returns their SHA-256 in hex."""
        sha256 = await sha256_of(data)
        # The same content may be there already.
        with contextlib.suppress(obstore.exceptions.AlreadyExistsError):
            await obstore.put_async(self._store, self._key(space_id, sha256), data, mode="create")
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
            await obstore.put_async(self._store, incoming, counted(), chunk_size=self._chunk_bytes)
            sha256 = digest.hexdigest()
            await obstore.rename_async(self._store, incoming, self._key(space_id, sha256))
        except BaseException:
            with contextlib.suppress(FileNotFoundError, obstore.exceptions.NotFoundError):
                await obstore.delete_async(self._store, incoming)
            raise
        return sha256, size

    async def set_aside(self, data: bytes) -> str:
        """Set bytes aside that a space may get later; returns where they are for `keep`."""
        incoming = f"{INCOMING}/{new_id()}"
        await obstore.put_async(self._store, incoming, data)
        return incoming

    async def keep(self, incoming: str, space_id: str, sha256: str) -> None:
        """Give a space the bytes that were set aside."""
        await obstore.rename_async(self._store, incoming, self._key(space_id, sha256))

    async def forget(self, incoming: Sequence[str]) -> None:
        """Remove bytes that were set aside, as far as they are still there."""
        for key in incoming:
            with contextlib.suppress(FileNotFoundError, obstore.exceptions.NotFoundError):
                await obstore.delete_async(self._store, key)

    async def forget_incoming(self, before: dt.datetime) -> None:
        """Remove what came before this time and never became bytes of a space."""
        async for batch in self._store.list(prefix=f"{INCOMING}/"):
            old = [entry["path"] for entry in batch if entry["last_modified"] < before]
            if old:
                await obstore.delete_async(self._store, old)

    async def read(self, space_id: str, sha256: str) -> AsyncIterator[bytes]:
        """The bytes in chunks; BlobMissingError when there are none."""
        async for chunk in (await self.open(space_id, sha256)).chunks:
            yield chunk

    async def open(
        self, space_id: str, sha256: str, part: tuple[int, int] | None = None
    ) -> StoredBlob:
        """The bytes with their size, or a part that is there; BlobMissingError without them."""
        return await self._open(self._key(space_id, sha256), part)

    async def _open(self, key: str, part: tuple[int, int] | None = None) -> StoredBlob:
        try:
            blob = await obstore.get_async(
                self._store, key, options=None if part is None else {"range": part}
            )
        except (FileNotFoundError, obstore.exceptions.NotFoundError) as error:
            raise BlobMissingError(key) from error

        async def chunks() -> AsyncIterator[bytes]:
            async for chunk in blob.stream(min_chunk_size=CHUNK_BYTES):
                yield bytes(chunk)

        return StoredBlob(blob.meta["size"], _mark(blob.meta["e_tag"]), chunks())

    async def paths(self, prefix: str) -> AsyncIterator[str]:
        """The names of everything in the store that begins with `prefix`."""
        async for batch in self._store.list(prefix=prefix or None):
            for entry in batch:
                yield entry["path"]

    @staticmethod
    def _derived_key(space_id: str, name: str) -> str:
        return f"{space_id}/{DERIVED}/{name}"

    async def put_derived(self, space_id: str, name: str, data: bytes) -> None:
        """Keep what was made of a space's content under a name of its own; replaces it."""
        await obstore.put_async(self._store, self._derived_key(space_id, name), data)

    async def open_derived(
        self, space_id: str, name: str, part: tuple[int, int] | None = None
    ) -> StoredBlob:
        """Derived bytes, or a range of them; BlobMissingError when they are not stored."""
        return await self._open(self._derived_key(space_id, name), part)

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
            (entry["last_modified"], entry["path"])
            async for batch in self._store.list(prefix=below)
            for entry in batch
            if entry["path"].rpartition("/")[2].startswith(start)
        ]
        entries.sort(reverse=True)
        old = [
            path
            for place, (at, path) in enumerate(entries)
            if at < before or (most is not None and place >= most)
        ]
        if not old:
            return
        try:
            await obstore.delete_async(self._store, old)
        except (FileNotFoundError, obstore.exceptions.NotFoundError):
            # Others remove some of them at the same time.
            for path in old:
                with contextlib.suppress(FileNotFoundError, obstore.exceptions.NotFoundError):
                    await obstore.delete_async(self._store, path)

    async def copy(self, source_id: str, target_id: str, sha256: str) -> None:
        """Give a space bytes of another one; nothing happens where they are not there."""
        with contextlib.suppress(FileNotFoundError, obstore.exceptions.NotFoundError):
            await obstore.copy_async(
                self._store, self._key(source_id, sha256), self._key(target_id, sha256)
            )

    async def copy_space(self, source_id: str, target_id: str) -> None:
        """Give a space all the bytes of another one, but not what was made of its content."""
        async for path in self.paths(f"{source_id}/"):
            _, _, rest = path.partition("/")
            if not rest.startswith(f"{DERIVED}/"):
                await obstore.copy_async(self._store, path, f"{target_id}/{rest}")

    async def delete_space(self, space_id: str) -> None:
        """Remove all bytes of a space."""
        async for batch in self._store.list(prefix=f"{space_id}/"):
            await obstore.delete_async(self._store, [entry["path"] for entry in batch])
