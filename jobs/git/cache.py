"""Clones of repositories in the data directory, which later operations go on with.

A clone is a folder with packs, and a list of the commits that are complete in it: no configuration,
no refs, no work tree, so there is nothing in it that a repository could act with. Clones of an
organization are never used for another one, nor those of one address for another.
"""

import asyncio
import contextlib
import fcntl
import hashlib
import logging
import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from dulwich.object_store import DiskObjectStore
from dulwich.objects import ObjectID, ShaFile

from content.sources.pkt_lines import MOST_HAVES

log = logging.getLogger("docstead.git")
MEGABYTE = 1_000_000
# Between two looks whether another process has left a clone.
PAUSE = 0.1
# Packs of a clone; with more it is made anew, for each is looked through.
MOST_PACKS = 100
_TIPS = "tips"


@dataclass(frozen=True, slots=True)
class Clone:
    """A clone that this task alone works with."""

    folder: Path

    @property
    def objects(self) -> Path:
        """The folder of its packs."""
        return self.folder / "objects"

    def tips(self) -> list[str]:
        """Commits that are here with all that they need, newest first."""
        try:
            return (self.folder / _TIPS).read_text().split()
        except FileNotFoundError:
            return []

    def add_tip(self, oid: str) -> None:
        """Note that a commit is complete; counts when all of it is written."""
        tips = [oid, *(tip for tip in self.tips() if tip != oid)][:MOST_HAVES]
        new = self.folder / f"{_TIPS}.new"
        new.write_text("\n".join(tips))
        new.rename(self.folder / _TIPS)

    def has(self, oid: str) -> bool:
        """Whether a commit is complete here."""
        return oid in self.tips()

    def holds(self, oid: str) -> bool:
        """Whether an object is here."""
        objects = self.open()
        try:
            return ObjectID(oid.encode()) in objects
        finally:
            objects.close()

    def open(self) -> "Objects":
        """Its objects, which have to be closed."""
        return Objects(DiskObjectStore(self.objects))

    def clear(self) -> None:
        """Forget everything: it is damaged, or has become too large."""
        for path in self.folder.iterdir():
            if path.is_dir():
                shutil.rmtree(path)
            elif path.name != _LOCK:
                path.unlink()
        (self.objects / "pack").mkdir(parents=True)

    def prepare(self) -> None:
        """Make what is missing, remove what a process has left that was killed."""
        packs = self.objects / "pack"
        packs.mkdir(parents=True, exist_ok=True)
        names = os.listdir(packs)
        for name in names:
            if not name.startswith("pack-") or f"{name.rpartition('.')[0]}.idx" not in names:
                (packs / name).unlink()
        if sum(name.endswith(".pack") for name in names) > MOST_PACKS:
            self.clear()
        os.utime(self.folder)


class Objects:
    """The objects of a clone by their ids; used in threads, one at a time."""

    def __init__(self, store: DiskObjectStore) -> None:
        self._store = store

    def __getitem__(self, oid: ObjectID) -> ShaFile:
        return self._store[oid]

    def __contains__(self, oid: ObjectID) -> bool:
        return oid in self._store

    def close(self) -> None:
        self._store.close()


_LOCK = "lock"


class CloneCache:
    """All clones of the installation that this machine has."""

    def __init__(self, folder: Path, megabytes: int) -> None:
        self._folder, self._megabytes = folder, megabytes

    @asynccontextmanager
    async def clone(self, organization_id: str, key: str, url: str) -> AsyncIterator[Clone]:
        """The clone of a repository under a key; nobody else works with it meanwhile."""
        name = hashlib.sha256(f"{key}\0{url}".encode()).hexdigest()
        folder = self._folder / hashlib.sha256(organization_id.encode()).hexdigest()[:32] / name
        lock = await asyncio.to_thread(_opened, folder)
        try:
            while not _locked(lock):  # noqa: ASYNC110 (another process holds it)
                await asyncio.sleep(PAUSE)
            clone = Clone(folder)
            await asyncio.to_thread(clone.prepare)
            yield clone
        finally:
            os.close(lock)

    def trim(self) -> int:
        """Remove the clones that were used longest ago, until the rest has room; how many."""
        clones = sorted(
            (folder.stat().st_mtime, folder, _size(folder)) for folder in self._folder.glob("*/*")
        )
        total, removed = sum(size for _, _, size in clones), 0
        for _, folder, size in clones:
            if total <= self._megabytes * MEGABYTE:
                break
            lock = _opened(folder)
            try:
                # Who waits for it finds an empty one.
                if _locked(lock):
                    Clone(folder).clear()
                    (folder / _TIPS).unlink(missing_ok=True)
                    total, removed = total - size, removed + 1
            finally:
                os.close(lock)
        return removed


def _opened(folder: Path) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    return os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)


def _locked(lock: int) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _size(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        with contextlib.suppress(FileNotFoundError):
            total += path.stat().st_size
    return total
