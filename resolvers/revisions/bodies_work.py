"""Work on bodies that needs nothing locked: done before a write takes its lock, where it is much.

The operations of a write may run more than once: on a state that was only read, then on the locked
one. What they work out is cached by all that it follows from (bodies by their ids, which are their
content), so the second time it is found, not worked out, unless the content has changed meanwhile.
"""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Mapping
from typing import Any, TypeVar

from db.ids import new_id
from resolvers.core.errors import invalid
from resolvers.revisions import limits as content_limits

T = TypeVar("T")
# Characters that a write may work on while it holds a lock; that is below 0.2 seconds.
LIGHT = 20_000
# How often a write works ahead before it does its work under the lock.
WORKS_AHEAD = 3


class MuchWork(Exception):
    """So much is left to work out that the lock has to be given back first."""


class BodiesWork:
    """Cached results of one write, and how much more work it may do while it holds a lock."""

    def __init__(self) -> None:
        self._known: dict[Hashable, Any] = {}
        self._ids: dict[str, str] = {}
        self._nodes: dict[str, int] = {}
        # Characters that may still be worked on; None without bound.
        self._left: int | None = None

    def bound(self, characters: int | None) -> None:
        """Say how much may be worked out from now on; None is everything."""
        self._left = characters

    def id_of(self, place: str) -> str:
        """The id of what the operation at a place makes: the same each time."""
        return self._ids.setdefault(place, new_id())

    @property
    def results(self) -> Mapping[Hashable, Any]:
        """Everything that was worked out."""
        return self._known

    def known(self, key: Hashable) -> Any:
        """The cached result of a key; None without one."""
        return self._known.get(key)

    def keep(self, key: Hashable, result: Any) -> None:
        """Cache a result that was worked out in several steps."""
        self._known[key] = result

    def spend(self, size: int) -> None:
        """Say that so many characters will be worked on; MuchWork beyond the bound."""
        if self._left is not None:
            self._left -= size
            if self._left < 0:
                raise MuchWork

    async def do(self, size: int, work: Callable[[], T], key: Hashable = None) -> T:
        """The result of `work` on so many characters, in a thread of its own.

        With a key it is worked out once, and nobody may change it.
        """
        if key is not None and key in self._known:
            cached: T = self._known[key]
            return cached
        self.spend(size)
        result = await asyncio.to_thread(work)
        if key is not None:
            self._known[key] = result
        return result

    def count_nodes(self, place: str, nodes: int) -> None:
        """Invalid when the texts of the write have too many nodes in all."""
        self._nodes[place] = nodes
        total = sum(self._nodes.values())
        if total > content_limits.NODES:
            raise too_many_nodes(place)


def too_many_nodes(place: str) -> Exception:
    """The error for texts of too many nodes."""
    return invalid(
        place,
        f"has too many blocks: the texts of one write make at most {content_limits.NODES} nodes "
        "(paragraphs, items, cells, links and pieces of text) together",
    )


async def lightly_locked(
    much: bool, ahead: Callable[[], Awaitable[object]], write: Callable[[int | None], Awaitable[T]]
) -> T:
    """The result of `write`, which locks something and is given the bound of its work there.

    `ahead` works on what is newest, with nothing locked: before, where there is `much` to do, and
    again when another write has changed it meanwhile.
    """
    if much:
        await ahead()
    for _ in range(WORKS_AHEAD):
        try:
            return await write(LIGHT)
        except MuchWork:
            await ahead()
    # Others were faster each time.
    return await write(None)
