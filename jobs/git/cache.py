"""Clones of repositories in the data directory, which later operations go on with.

A clone is a folder with packs, and a list of the commits that are complete in it: no configuration,
no refs, no work tree, so there is nothing in it that a repository could act with. Clones of an
organization are never used for another one, nor those of one address for another.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import logging
import os
import shutil
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, cast

from content.late_modules import LateModule
from content.sources.pkt_lines import MOST_HAVES
from db.alone import try_lock

if TYPE_CHECKING:
    from dulwich import object_store
    from dulwich.objects import ObjectID, ShaFile
else:
    object_store = LateModule("dulwich.object_store")

log = logging.getLogger("docstead.git")
MEGABYTE = 1_000_000
# Between two looks whether another process has left a clone.
PAUSE = 0.1
# Packs of a clone; with more it is made anew, for each is looked through.
MOST_PACKS = 100
_TIPS, _SIZES = "tips", "sizes"
# What the name of a folder of files begins with that an operation needs only while it runs.
ASIDE = "aside-"
# Sizes of objects that a clone remembers.
MOST_SIZES = 500_000


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
            return cast("ObjectID", oid.encode()) in objects
        finally:
            objects.close()

    def aside(self) -> TemporaryDirectory[str]:
        """A folder for files of this operation; the next one removes it if this one is killed."""
        return TemporaryDirectory(prefix=ASIDE, dir=self.folder)

    def open(self) -> Objects:
        """Its objects, which have to be closed."""
        return Objects(object_store.DiskObjectStore(self.objects), self.folder / _SIZES)

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
        for aside in self.folder.glob(f"{ASIDE}*"):
            shutil.rmtree(aside)
        names = os.listdir(packs)
        for name in names:
            if not name.startswith("pack-") or f"{name.rpartition('.')[0]}.idx" not in names:
                (packs / name).unlink()
        if sum(name.endswith(".pack") for name in names) > MOST_PACKS:
            self.clear()
        os.utime(self.folder)


# Bytes of small objects that are kept while an operation runs, so that none is unpacked twice, and
# what one of them may have.
REMEMBERED, SMALL = 32 * MEGABYTE, MEGABYTE


class Objects:
    """The objects of a clone by their ids; used in threads, one at a time."""

    def __init__(self, store: object_store.DiskObjectStore, sizes: Path) -> None:
        """`sizes` is a file with the sizes of objects that were read before."""
        self._store, self._file = store, sizes
        self._sizes: dict[str, int] | None = None
        self._new_sizes = False
        self._remembered: OrderedDict[ObjectID, tuple[ShaFile, int]] = OrderedDict()
        self._bytes = 0

    def __getitem__(self, oid: ObjectID) -> ShaFile:
        there = self._remembered.get(oid)
        if there is not None:
            self._remembered.move_to_end(oid)
            return there[0]
        loaded = self.load(oid)
        size = loaded.raw_length()
        if size <= SMALL:
            self._remembered[oid] = loaded, size
            self._bytes += size
            while self._bytes > REMEMBERED:
                self._bytes -= self._remembered.popitem(last=False)[1][1]
        return loaded

    def load(self, oid: ObjectID) -> ShaFile:
        """An object, unpacked from its pack."""
        return self._store[oid]

    def __contains__(self, oid: ObjectID) -> bool:
        return oid in self._store

    def size(self, oid: ObjectID) -> int:
        """The size of an object, which is unpacked for it once in the life of the clone."""
        if self._sizes is None:
            self._sizes = _read_sizes(self._file)
        name = oid.decode()
        if name not in self._sizes:
            self._sizes[name] = self[oid].raw_length()
            self._new_sizes = True
        return self._sizes[name]

    def close(self) -> None:
        """Let go of the files; keep the sizes that were found out."""
        self._store.close()
        if self._new_sizes and self._sizes is not None:
            new = self._file.with_suffix(".new")
            some = list(self._sizes.items())[-MOST_SIZES:]
            new.write_text("".join(f"{oid} {size}\n" for oid, size in some))
            new.rename(self._file)
            self._new_sizes = False


def _read_sizes(file: Path) -> dict[str, int]:
    try:
        lines = file.read_text().splitlines()
        return {oid: int(size) for oid, size in (line.split(" ") for line in lines)}
    except (FileNotFoundError, ValueError):
        # What cannot be read is found out again.
        return {}


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
            while not try_lock(lock):  # noqa: ASYNC110 (another process holds it)
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
                if try_lock(lock):
                    Clone(folder).clear()
                    (folder / _TIPS).unlink(missing_ok=True)
                    total, removed = total - size, removed + 1
            finally:
                os.close(lock)
        return removed


def _opened(folder: Path) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    return os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)


def _size(folder: Path) -> int:
    total = 0
    # Passes over what goes meanwhile.
    for place, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(FileNotFoundError):
                total += Path(place, name).stat().st_size
    return total
