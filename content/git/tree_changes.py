"""What an export changes in a tree of files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Written:
    """The new bytes of a file: a text in memory, or a file of the space that is read when it is
    written."""

    size: int
    read: Callable[[], bytes] = field(repr=False)

    @classmethod
    def of(cls, data: bytes) -> Written:
        """Bytes that are there already."""
        return cls(len(data), lambda: data)


@dataclass(frozen=True, slots=True)
class WriteProblem:
    """Something that cannot be written, and why; nothing is to be written then."""

    path: str
    problem: str


@dataclass(frozen=True, slots=True)
class SyncedPaths:
    """Where the parts of a space are in a tree: paths from the root of the repository, by id."""

    pages: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    contents: Mapping[str, str] = field(default_factory=dict)

    def all_paths(self) -> frozenset[str]:
        """Every path of it."""
        return frozenset((*self.pages.values(), *self.files.values(), *self.contents.values()))


@dataclass(frozen=True, slots=True)
class TreeChanges:
    """The changes that make a tree hold a space; all paths count from the root of the repository.

    `renames` are new paths by old ones: the old is in `deletes`, the new in `writes`. `paths` says
    where everything is afterwards.
    """

    writes: Mapping[str, Written] = field(default_factory=dict)
    deletes: tuple[str, ...] = ()
    renames: Mapping[str, str] = field(default_factory=dict)
    problems: tuple[WriteProblem, ...] = ()
    warnings: tuple[str, ...] = ()
    paths: SyncedPaths = field(default_factory=SyncedPaths)

    def __bool__(self) -> bool:
        return bool(self.writes or self.deletes)
