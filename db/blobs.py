"""Bytes of uploaded files, by space and SHA-256, in a folder (or another object store)."""

import contextlib
import hashlib
from collections.abc import AsyncIterator
from pathlib import Path

import obstore
from obstore.store import LocalStore, ObjectStore

CHUNK_BYTES = 256 * 1024


class BlobMissingError(Exception):
    """The store has no bytes under this name."""


class BlobStore:
    """Content-addressed bytes: equal files of a space are kept once, nothing is overwritten."""

    def __init__(self, store: ObjectStore) -> None:
        self._store = store

    @classmethod
    def in_folder(cls, folder: Path) -> "BlobStore":
        """A store in a folder, which is made when it is missing, for its owner only."""
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return cls(LocalStore(folder, automatic_cleanup=True))

    @staticmethod
    def _key(space_id: str, sha256: str) -> str:
        return f"{space_id}/{sha256[:2]}/{sha256}"

    async def put(self, space_id: str, data: bytes) -> str:
        """Keep these bytes for a space; returns their SHA-256 in hex."""
        sha256 = hashlib.sha256(data).hexdigest()
        # The same content may be there already.
        with contextlib.suppress(obstore.exceptions.AlreadyExistsError):
            await obstore.put_async(self._store, self._key(space_id, sha256), data, mode="create")
        return sha256

    async def read(self, space_id: str, sha256: str) -> AsyncIterator[bytes]:
        """The bytes in chunks; BlobMissingError when there are none."""
        try:
            found = await obstore.get_async(self._store, self._key(space_id, sha256))
        except FileNotFoundError as error:
            raise BlobMissingError(sha256) from error
        async for chunk in found.stream(min_chunk_size=CHUNK_BYTES):
            yield bytes(chunk)

    async def copy_space(self, source_id: str, target_id: str) -> None:
        """Give a space all the bytes of another one."""
        async for batch in self._store.list(prefix=f"{source_id}/"):
            for entry in batch:
                _, _, rest = entry["path"].partition("/")
                await obstore.copy_async(self._store, entry["path"], f"{target_id}/{rest}")

    async def delete_space(self, space_id: str) -> None:
        """Remove all bytes of a space."""
        async for batch in self._store.list(prefix=f"{space_id}/"):
            await obstore.delete_async(self._store, [entry["path"] for entry in batch])
