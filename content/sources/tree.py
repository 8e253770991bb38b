"""A read-only tree of files, wherever it comes from, and the checks every source makes."""

from __future__ import annotations

import copy
import datetime as dt
import hashlib
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from content.errors import (
    SourceError,
    SourceLimitError,
    UnportablePathError,
    UnsafePathError,
)

MAX_PATH_BYTES = 1024


@dataclass(frozen=True, slots=True)
class CommitInfo:
    """The Git commit a tree belongs to; `ref` is the full branch name, None for a detached head."""

    oid: str
    message: str
    ref: str | None


@dataclass(frozen=True, slots=True)
class SourceLimits:
    """Bounds on what a source may hold, in bytes and files."""

    max_file_bytes: int = 100 * 1024 * 1024
    max_total_bytes: int = 2 * 1024 * 1024 * 1024
    max_files: int = 50_000


@dataclass(frozen=True, slots=True)
class SourceEntry:
    """One file: size in bytes, and its Git blob id where the source knows it."""

    size: int
    blob_oid: str | None = None


class SourceTree:
    """Files by path: relative, `/` as separator, no `.` or `..`, no symlinks, no submodules.

    Files are read when asked for; `close` (or leaving the `with` block) ends that.
    """

    __slots__ = (
        "_changed", "_close", "_entries", "_load", "_oids", "_times", "commit", "left_out", "name",
    )  # fmt: skip

    def __init__(
        self,
        name: str,
        entries: Mapping[str, SourceEntry],
        load: Callable[[str], bytes],
        *,
        commit: CommitInfo | None = None,
        changed: Callable[[], Mapping[str, dt.datetime]] = dict,
        close: Callable[[], None] = lambda: None,
        left_out: LeftOut | None = None,
    ) -> None:
        """`name`: what to call the source in a title; `load` reads the bytes of a known path;
        `changed` gives the times of the last changes, where the source knows them. `left_out` are
        paths of what is there and is no file of the tree, and what it is."""
        self.name = name
        self.commit = commit
        self.left_out = LeftOut() if left_out is None else left_out
        self._entries = dict(sorted(entries.items()))
        self._load = load
        self._changed = changed
        self._times: Mapping[str, dt.datetime] | None = None
        self._close = close
        self._oids: dict[str, str] = {}

    def paths(self) -> list[str]:
        """All paths, sorted by code point."""
        return list(self._entries)

    def __contains__(self, path: object) -> bool:
        return path in self._entries

    def size(self, path: str) -> int:
        """Size in bytes; `SourceError` for an unknown path."""
        return self._entry(path).size

    def read(self, path: str) -> bytes:
        """The bytes of a file; `SourceError` for an unknown path or an unreadable file."""
        self._entry(path)
        return self._load(path)

    def blob_oid(self, path: str) -> str | None:
        """The Git blob id (SHA-1, 40 hex digits) of a file, None for an unknown path."""
        entry = self._entries.get(path)
        if entry is None:
            return None
        if entry.blob_oid is not None:
            return entry.blob_oid
        if path not in self._oids:
            self._oids[path] = git_blob_oid(self._load(path))
        return self._oids[path]

    def reading(self, load: Callable[[str], bytes]) -> SourceTree:
        """The same tree, whose files are read by `load`."""
        other = copy.copy(self)
        other._load = load
        return other

    def changed_at(self, path: str) -> dt.datetime | None:
        """When a file was changed for the last time; None where the source does not say."""
        if self._times is None:
            self._times = self._changed()
        return self._times.get(path)

    def close(self) -> None:
        """Release files and memory; reading afterwards is an error of the caller."""
        self._close()

    def __enter__(self) -> SourceTree:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def _entry(self, path: str) -> SourceEntry:
        entry = self._entries.get(path)
        if entry is None:
            raise SourceError(f"{path}: there is no such file in the source")
        return entry


def git_blob_oid(data: bytes) -> str:
    """The id Git gives a file of this content: SHA-1, 40 hex digits."""
    header = b"blob %d\x00" % len(data)
    return hashlib.sha1(header + data, usedforsecurity=False).hexdigest()


def check_path(path: str) -> None:
    """Raise `UnsafePathError` unless `path` is relative, portable and stays below the root."""
    for part in path.split("/"):
        if part in ("", ".", ".."):
            raise UnsafePathError(f"{path!r}: a path must not have the part {part!r}")
        if part.casefold() == ".git":
            raise UnsafePathError(f"{path!r}: a path must not lead into '{part}'")
    if len(path.encode("utf-8", "surrogatepass")) > MAX_PATH_BYTES:
        raise UnportablePathError(
            f"{path[:80]!r}...: the path is longer than {MAX_PATH_BYTES} bytes"
        )
    for char in path:
        if char == "\\" or unicodedata.category(char) in ("Cc", "Cs"):
            raise UnportablePathError(f"{path!r}: the character {char!r} is not allowed in a path")


# How the names of files end that are pages.
PAGES = (".md", ".markdown")
# Of what is left out of a source: so many are known by their paths.
MOST_LEFT_OUT = 10_000
LINK, SUBMODULE = "it is a symbolic link", "it is a submodule"
UNPORTABLE = (
    "its name is too long, or has characters that are not allowed in a path; "
    "links to it lead nowhere"
)


class LeftOut(dict[str, str]):
    """What is in a source and is no file of its tree, by path: what each is."""

    def warnings(self) -> list[str]:
        """A line about each."""
        return [f"{path}: is left out, for {what}" for path, what in self.items()]

    def note(self, path: str, what: str) -> None:
        """Note one, unless there are very many."""
        if len(self) < MOST_LEFT_OUT:
            self[path] = what

    def is_usable(self, path: str) -> bool:
        """Whether a path can be one of the tree. What is no page and has a name that is not
        portable is noted instead: repositories have such files, which documentation does not need.

        UnsafePathError for pages with such names, and for paths that leave the tree.
        """
        try:
            check_path(path)
        except UnportablePathError:
            if path.lower().endswith(PAGES):
                raise
            self.note(path.encode("utf-8", "replace").decode(), UNPORTABLE)
            return False
        return True


class LimitCounter:
    """Adds up files and bytes while a source is opened and stops at the limits."""

    __slots__ = ("files", "limits", "total")

    def __init__(self, limits: SourceLimits) -> None:
        self.limits = limits
        self.files = 0
        self.total = 0

    def add(self, path: str, size: int) -> None:
        """Count one file; `SourceLimitError` when it is too large or one too many."""
        self.files += 1
        self.total += size
        if size > self.limits.max_file_bytes:
            raise SourceLimitError(
                f"{path}: has {size} bytes, at most {self.limits.max_file_bytes} are allowed"
            )
        if self.files > self.limits.max_files:
            raise SourceLimitError(f"more than {self.limits.max_files} files")
        if self.total > self.limits.max_total_bytes:
            raise SourceLimitError(
                f"more than {self.limits.max_total_bytes} bytes in all files together"
            )
