"""The order in which trees of pages and entries are walked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol, Self, TypeVar


class Parent(Protocol):
    """A node with nodes of its kind below it."""

    @property
    def children(self) -> Sequence[Self]:
        """The nodes directly below it, in their order."""


N = TypeVar("N", bound=Parent)


def depth_first(top: N) -> Iterator[N]:
    """A node and all below it, each before those below it; however deep the tree is."""
    stack = [top]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(node.children))
