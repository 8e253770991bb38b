"""Opening a place that holds documentation: a folder, a Git repository or a Git bundle."""

from __future__ import annotations

from pathlib import Path

from content.errors import SourceError
from content.sources.folder import open_folder
from content.sources.git import BUNDLE_MAGIC, is_repository, open_bundle, open_repository
from content.sources.tree import CommitInfo, SourceLimits, SourceTree

__all__ = ["CommitInfo", "SourceLimits", "SourceTree", "open_source"]


def open_source(path: str | Path, limits: SourceLimits | None = None) -> SourceTree:
    """The files at `path`.

    A folder with `.git` and a bare repository give the committed tree of HEAD, a bundle the tree
    of its checked-out branch, any other folder its files. Symlinks and submodules are left out.
    Raises `SourceError` (or one of its kinds) when the place cannot be opened, when a path is not
    portable, when two paths differ only in case, and when `limits` are exceeded.
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
