"""What a merge asks for while it runs, so that it reads only what it needs.

A merge is a generator: it yields needs and is sent what was found. Pages are those of theirs.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

from content.merge.entries import Entry
from content.merge.nodes import Node

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
