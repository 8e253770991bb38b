"""A bare Git repository that is written commit by commit, for other programs to read.

It has what Git needs and nothing else: objects in one pack, branches, the name of the first branch.
No hooks, no configuration that runs anything.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from dulwich.object_store import DiskObjectStore
from dulwich.objects import ObjectID, ShaFile
from dulwich.pack import UnpackedObject, full_unpacked_object

_CONFIG = "[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n"


class BareRepository:
    """A new repository in a folder; `finish` ends it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        (folder / "objects" / "pack").mkdir(parents=True)
        (folder / "objects" / "info").mkdir()
        (folder / "refs" / "heads").mkdir(parents=True)
        self._store = DiskObjectStore(folder / "objects")

    def __getitem__(self, oid: ObjectID) -> ShaFile:
        return self._store[oid]

    def add(self, objects: Iterable[ShaFile]) -> None:
        """Write objects; those that are there already are not written again."""
        for entry in objects:
            if entry.id not in self._store:
                self._store.add_object(entry)

    def finish(self, branch: str, refs: Mapping[str, str], description: str) -> None:
        """Put all objects into one pack, and name the branches; the repository is complete then.

        One object at a time is in memory."""
        objects = self._folder / "objects"
        names = [
            f"{folder.name}{file.name}"
            for folder in sorted(objects.iterdir())
            if len(folder.name) == 2
            for file in sorted(folder.iterdir())
        ]

        def unpacked() -> Iterator[UnpackedObject]:
            for name in names:
                yield full_unpacked_object(self._store[ObjectID(name.encode())])

        if names:
            self._store.add_pack_data(len(names), unpacked())
        self._store.close()
        for folder in list(objects.iterdir()):
            if len(folder.name) == 2:
                shutil.rmtree(folder)
        lines = [f"{oid} {ref}\n" for ref, oid in sorted(refs.items())]
        (self._folder / "packed-refs").write_text(
            "# pack-refs with: peeled fully-peeled sorted \n" + "".join(lines)
        )
        (self._folder / "HEAD").write_text(f"ref: refs/heads/{branch}\n")
        (self._folder / "config").write_text(_CONFIG)
        (self._folder / "description").write_text(description.replace("\n", " ") + "\n")

    def abandon(self) -> None:
        """Remove what was written."""
        self._store.close()
        shutil.rmtree(self._folder, ignore_errors=True)
