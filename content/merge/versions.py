"""Pages of the three versions and of the result, and how a merge reads what it needs of them.

A merge is a generator: it yields needs and is sent the contents. Pages are those of theirs.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from content.merge.conflict import Conflict
from content.merge.entries import Entry
from content.merge.nodes import Node
from content.merkle.read import Change

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """Entries of pages by id, ids of pages by key of the map of children, the pages directly
    below a parent ("" for the top level), documents by id."""

    pages: frozenset[str] = frozenset()
    slugs: frozenset[str] = frozenset()
    children: frozenset[str] = frozenset()
    documents: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The answer to needs. Keys that no page has are left out; the rest must be there."""

    pages: Mapping[str, Entry] = field(default_factory=dict)
    slugs: Mapping[str, str] = field(default_factory=dict)
    children: Mapping[str, Mapping[str, Entry]] = field(default_factory=dict)
    documents: Mapping[str, Node] = field(default_factory=dict)


Asking: TypeAlias = Generator[Needs, Found, T]


class MissingContentError(LookupError):
    """A page or document that a revision names does not exist."""


@dataclass(slots=True)
class Versions:
    """`ours` and `theirs` are what changed since base; `result` what the merge decides on.

    A page that is in neither is the same in all three and stays.
    """

    ours: Mapping[str, Change]
    theirs: Mapping[str, Change]
    result: dict[str, Entry | None] = field(default_factory=dict)
    conflicts: list[Conflict] = field(default_factory=list)
    known: dict[str, Entry] = field(default_factory=dict)
    """Pages of theirs that were read."""
    children: dict[str, list[str]] = field(default_factory=dict)
    """Ids of the pages of theirs below a parent, where they were read."""

    def base_of(self, id: str) -> Entry | None:
        change = self.ours.get(id) or self.theirs.get(id)
        return self.known.get(id) if change is None else change.before

    def ours_of(self, id: str) -> Entry | None:
        change = self.ours.get(id)
        return self.base_of(id) if change is None else change.after

    def theirs_of(self, id: str) -> Entry | None:
        change = self.theirs.get(id)
        return self.base_of(id) if change is None else change.after

    def final(self, id: str) -> Entry | None:
        """The page in the result; None when it is not there or not known."""
        return self.result[id] if id in self.result else self.theirs_of(id)

    def is_gone(self, id: str) -> bool:
        """Whether the result lacks a page. One that nobody changed is there."""
        touched = id in self.result or id in self.theirs
        return touched and self.final(id) is None

    def touched(self) -> list[str]:
        """Ids of pages that one of the three may have otherwise than the others."""
        return sorted({*self.ours, *self.theirs, *self.result})

    def is_known(self, id: str) -> bool:
        return id in self.result or id in self.theirs or id in self.ours or id in self.known

    def read_pages(self, ids: Iterable[str]) -> Asking[None]:
        """Make pages of theirs known."""
        unread = frozenset(id for id in ids if not self.is_known(id))
        if unread:
            contents = yield Needs(pages=unread)
            if missing := sorted(unread - contents.pages.keys()):
                raise MissingContentError(f"page {missing[0]!r} is not in the revision")
            self.known.update(contents.pages)

    def read_children(self, parents: Iterable[str]) -> Asking[None]:
        """Make the pages of theirs below parents known."""
        missing = frozenset(parents) - self.children.keys()
        if missing:
            contents = yield Needs(children=missing)
            for parent in missing:
                below = contents.children.get(parent, {})
                self.known.update(below)
                self.children[parent] = list(below)

    def children_in_result(self, parent: str) -> list[str]:
        """Ids of the pages below a parent whose children were read, in no order."""
        candidates = dict.fromkeys((*self.children[parent], *self.result))
        return [id for id in candidates if is_below(self.final(id), parent)]


def is_below(entry: Entry | None, parent: str) -> bool:
    """Whether a page stands directly below a parent ("" for the top level)."""
    return entry is not None and (entry.get("parent") or "") == parent
