"""The process that unpacks an uploaded tree: `python -m content.sources.unpacking`.

It opens a zip archive or a Git bundle of somebody, with bounds on time and memory and without
sockets, and writes what is in it beside it in a form that needs no parser: the bytes of all files
one after the other, and where each of them is.
"""

from __future__ import annotations

import datetime as dt
import os
import sys
from pathlib import Path
from typing import Any, BinaryIO, Final

import orjson

from content.errors import ContentError, SourceError
from content.isolation import limit_resources, refuse_sockets
from content.sources.git import BUNDLE_MAGIC, open_bundle
from content.sources.tree import (
    CommitInfo,
    LeftOut,
    LimitCounter,
    SourceEntry,
    SourceLimits,
    SourceTree,
    check_path,
)
from content.sources.zip import ZIP_MAGIC, open_zip

UPLOAD, BYTES, INDEX = "upload", "bytes", "index"
# Of the index: paths of all files with their places.
MOST_INDEX: Final = 64_000_000
# Characters of what is said of a file that is left out.
MOST_SAID: Final = 300


def open_upload(path: Path, name: str, limits: SourceLimits) -> SourceTree:
    """The tree of an archive or of a bundle, by its first bytes; SourceError for anything else."""
    with path.open("rb") as file:
        head = file.read(max(len(BUNDLE_MAGIC), len(ZIP_MAGIC)))
    if head.startswith(ZIP_MAGIC):
        return open_zip(path.read_bytes(), limits, name=name)
    if head.startswith(BUNDLE_MAGIC):
        return open_bundle(path, limits, name)
    raise SourceError(f"{name[:100]}: is neither a zip archive nor a Git bundle")


def unpack(folder: Path, name: str, limits: SourceLimits) -> None:
    """Write what the upload in a folder holds beside it, or what is wrong with it."""
    index: dict[str, Any]
    try:
        with open_upload(folder / UPLOAD, name, limits) as tree, (folder / BYTES).open("wb") as out:
            index = _written(tree, out)
    except ContentError as error:
        index = {"problem": str(error)}
    except (MemoryError, RecursionError):
        index = {"problem": f"{name[:100]}: is too large or too deeply nested"}
    (folder / INDEX).write_bytes(orjson.dumps(index))


def _written(tree: SourceTree, out: BinaryIO) -> dict[str, Any]:
    files = {}
    for path in tree.paths():
        data, changed = tree.read(path), tree.changed_at(path)
        oid = tree.blob_oid(path) if tree.commit is not None else None
        moment = None if changed is None else changed.isoformat()
        files[path] = [out.tell(), len(data), oid, moment]
        out.write(data)
    commit = tree.commit
    shown = None if commit is None else [commit.oid, commit.message, commit.ref]
    return {"name": tree.name, "commit": shown, "files": files, "leftOut": tree.left_out}


def open_unpacked(folder: Path, limits: SourceLimits) -> SourceTree:
    """What such a process has written, which is not believed; SourceError says what was wrong with
    the upload."""
    damaged = SourceError("the upload could not be unpacked")
    if (folder / INDEX).stat().st_size > MOST_INDEX:
        raise SourceError("the paths of all files together are too long")
    try:
        index = orjson.loads((folder / INDEX).read_bytes())
    except orjson.JSONDecodeError as error:
        raise damaged from error
    match index:
        case {"problem": str(problem)}:
            raise SourceError(problem)
        case {
            "name": str(name),
            "commit": commit,
            "files": dict(files),
            "leftOut": dict(others),
        }:
            pass
        case _:
            raise damaged
    counter, size = LimitCounter(limits), (folder / BYTES).stat().st_size
    entries, places, times = {}, {}, {}
    for path, place in files.items():
        match place:
            case [int(start), int(length), str() | None as oid, str() | None as moment] if (
                0 <= start <= start + length <= size
            ):
                check_path(path)
                counter.add(path, length)
                entries[path], places[path] = SourceEntry(length, oid), (start, length)
                if moment is not None:
                    times[path] = _time(moment)
            case _:
                raise damaged
    left_out = LeftOut()
    for path, what in others.items():
        left_out.note(path, str(what)[:MOST_SAID])
    descriptor = os.open(folder / BYTES, os.O_RDONLY)

    def load(path: str) -> bytes:
        start, length = places[path]
        return os.pread(descriptor, length, start)

    info: CommitInfo | None = None
    match commit:
        case [str(oid), str(message), str() | None as ref]:
            info = CommitInfo(oid, message, ref)
    return SourceTree(
        name, entries, load, commit=info, changed=lambda: times,
        close=lambda: os.close(descriptor), left_out=left_out,
    )  # fmt: skip


def _time(text: str) -> dt.datetime:
    try:
        moment = dt.datetime.fromisoformat(text)
    except ValueError:
        moment = dt.datetime.min
    if moment.tzinfo is None:
        raise SourceError("the upload could not be unpacked")
    return moment


def main() -> None:
    """Arguments: seconds, megabytes, the name of the upload, and the three limits of sources."""
    seconds, megabytes, name, *numbers = sys.argv[1:]
    limits = SourceLimits(*map(int, numbers))
    limit_resources(
        int(seconds), int(megabytes), file_bytes=max(limits.max_total_bytes, MOST_INDEX)
    )
    refuse_sockets()
    unpack(Path.cwd(), name, limits)


if __name__ == "__main__":
    main()
