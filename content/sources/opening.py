"""Opening a place that holds documentation: a folder, a Git repository or a Git bundle."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from content.errors import SourceError
from content.sources.git import BUNDLE_MAGIC, is_repository, open_bundle, open_repository
from content.sources.tree import (
    LINK,
    CommitInfo,
    LeftOut,
    LimitCounter,
    SourceEntry,
    SourceLimits,
    SourceTree,
)


def open_folder(root: Path, limits: SourceLimits) -> SourceTree:
    """All regular files below `root` except those in `.git`; links are neither listed nor followed.

    Raises a `SourceError` for unreadable folders, paths that are not portable and limits.
    """
    counter = LimitCounter(limits)
    entries: dict[str, SourceEntry] = {}
    left_out = LeftOut()
    folders = [""]
    while folders:
        folder = folders.pop()
        try:
            with os.scandir(root / folder) as children:
                listing = sorted(children, key=lambda item: item.name)
            for item in listing:
                path = f"{folder}{item.name}"
                if item.name.casefold() == ".git" or not left_out.is_usable(path):
                    continue
                if item.is_symlink():
                    left_out.note(path, LINK)
                elif item.is_dir(follow_symlinks=False):
                    folders.append(f"{path}/")
                elif item.is_file(follow_symlinks=False):
                    size = item.stat(follow_symlinks=False).st_size
                    counter.add(path, size)
                    entries[path] = SourceEntry(size)
        except OSError as error:
            raise SourceError(f"{root / folder}: cannot be read: {error.strerror}") from error

    def load(path: str) -> bytes:
        return _read_regular(root / path, path, limits.max_file_bytes)

    return SourceTree(root.resolve().name or "Documentation", entries, load, left_out=left_out)


def _read_regular(place: Path, path: str, max_bytes: int) -> bytes:
    """The bytes of a file that is still a regular file of allowed size when it is opened."""
    try:
        handle = os.open(place, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
        with open(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise SourceError(f"{path}: is no longer a regular file")
            data = file.read(max_bytes + 1)
    except OSError as error:
        raise SourceError(f"{path}: cannot be read: {error.strerror}") from error
    if len(data) > max_bytes:
        raise SourceError(f"{path}: has grown beyond {max_bytes} bytes")
    return data


__all__ = ["CommitInfo", "SourceLimits", "SourceTree", "open_source"]


def open_source(path: str | Path, limits: SourceLimits | None = None) -> SourceTree:
    """The files at `path`.

    A folder with `.git` and a bare repository give the committed tree of HEAD, a bundle the tree
    of its checked-out branch, any other folder its files. Symlinks and submodules are left out.
    Raises `SourceError` (or one of its kinds) when the place cannot be opened, when a path is not
    portable, and when `limits` are exceeded.
    """
    place = Path(path)
    limits = limits or SourceLimits()
    try:
        if place.is_dir():
            opener = open_repository if is_repository(place) else open_folder
            return opener(place, limits)
        if not place.is_file():
            raise SourceError(f"{place}: there is no such folder or bundle file")
        with place.open("rb") as file:
            is_bundle = file.read(len(BUNDLE_MAGIC)) == BUNDLE_MAGIC
    except (OSError, ValueError) as error:
        if isinstance(error, SourceError):
            raise
        raise SourceError(f"{str(place)!r}: cannot be opened: {error}") from error
    if not is_bundle:
        raise SourceError(f"{place}: is neither a folder nor a Git bundle")
    return open_bundle(place, limits)
