"""Files in a bucket, by the library that speaks S3: loaded where there is a bucket."""

import contextlib
import datetime as dt
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass

import obstore
from obstore.exceptions import AlreadyExistsError, NotFoundError
from obstore.store import S3Store

from db.file_stores import CHUNK_BYTES, BlobMissingError, StoredBlob, StoredName, mark_of

# A part of an upload; S3 takes none below 5 MiB but the last.
PART_BYTES = 8 * 1024 * 1024
# Of one request, and of all its tries.
REQUEST_SECONDS, CONNECT_SECONDS, TRIES, TRIES_SECONDS = 60, 5, 5, 60


@contextlib.contextmanager
def _missing(name: str) -> Iterator[None]:
    """BlobMissingError for what the library says of a name that has no bytes."""
    try:
        yield
    except (FileNotFoundError, NotFoundError) as error:
        raise BlobMissingError(name) from error


@dataclass(frozen=True, slots=True)
class BucketStore:
    """A store of files whose names are keys of a bucket, below its prefix."""

    _store: S3Store

    @classmethod
    def connect(cls, name: str, prefix: str, endpoint: str, region: str) -> "BucketStore":
        """Requests that fail are repeated, with pauses, for a minute."""
        config = {"region": region, "virtual_hosted_style_request": not endpoint}
        if endpoint:
            config["endpoint"] = endpoint
        store = S3Store(
            name,
            prefix=prefix or None,
            config=config,  # type: ignore[arg-type]
            client_options={
                "allow_http": endpoint.startswith("http://"),
                "timeout": dt.timedelta(seconds=REQUEST_SECONDS),
                "connect_timeout": dt.timedelta(seconds=CONNECT_SECONDS),
            },
            retry_config={
                "max_retries": TRIES,
                "retry_timeout": dt.timedelta(seconds=TRIES_SECONDS),
            },
        )
        return cls(store)

    async def put(self, name: str, data: bytes) -> None:
        await obstore.put_async(self._store, name, data)

    async def put_new(self, name: str, data: bytes) -> None:
        with contextlib.suppress(AlreadyExistsError):
            await obstore.put_async(self._store, name, data, mode="create")

    async def put_stream(self, name: str, chunks: AsyncIterator[bytes]) -> None:
        await obstore.put_async(self._store, name, chunks, chunk_size=PART_BYTES)

    async def open(self, name: str, part: tuple[int, int] | None = None) -> StoredBlob:
        with _missing(name):
            blob = await obstore.get_async(
                self._store, name, options=None if part is None else {"range": part}
            )

        async def chunks() -> AsyncIterator[bytes]:
            async for chunk in blob.stream(min_chunk_size=CHUNK_BYTES):
                yield bytes(chunk)

        return StoredBlob(blob.meta["size"], mark_of(blob.meta["e_tag"]), chunks())

    async def rename(self, name: str, target: str) -> None:
        with _missing(name):
            await obstore.rename_async(self._store, name, target)

    async def copy(self, name: str, target: str) -> None:
        with _missing(name):
            await obstore.copy_async(self._store, name, target)

    async def delete(self, names: Sequence[str]) -> None:
        try:
            await obstore.delete_async(self._store, list(names))
        except (FileNotFoundError, NotFoundError):
            # Others remove some of them at the same time.
            for name in names:
                with contextlib.suppress(FileNotFoundError, NotFoundError):
                    await obstore.delete_async(self._store, name)

    async def below(self, folder: str) -> AsyncIterator[list[StoredName]]:
        async for batch in self._store.list(prefix=folder or None):
            yield [StoredName(entry["path"], entry["last_modified"]) for entry in batch]
