"""How an algorithm asks for nodes without doing I/O.

A walk is a generator: it yields the ids it needs next, all of one level at once, and is sent a
mapping from id to bytes. Whoever drives it decides where the bytes come from, so a level costs
one SQL statement and tests run over a dict.
"""

from collections.abc import Awaitable, Callable, Generator, Iterable, Mapping
from typing import TypeAlias, TypeVar, cast

from content.merkle.node import CorruptMapError, Node, Ref, parse_node

T = TypeVar("T")

Walk: TypeAlias = Generator[frozenset[str], Mapping[str, bytes], T]


def run(walk: Walk[T], fetch: Callable[[frozenset[str]], Mapping[str, bytes]]) -> T:
    """The result of a walk over a store that answers at once; ids it lacks are left out."""
    try:
        wanted = next(walk)
        while True:
            wanted = walk.send(fetch(wanted))
    except StopIteration as stop:
        return cast(T, stop.value)


async def run_async(
    walk: Walk[T], fetch: Callable[[frozenset[str]], Awaitable[Mapping[str, bytes]]]
) -> T:
    """The result of a walk over a store that is awaited; ids it lacks are left out."""
    try:
        wanted = next(walk)
        while True:
            wanted = walk.send(await fetch(wanted))
    except StopIteration as stop:
        return cast(T, stop.value)


def load_roots(ids: Iterable[str]) -> Walk[dict[str, Node]]:
    """The nodes of these ids, of which nothing but the id is known."""
    wanted = frozenset(ids)
    if not wanted:
        return {}
    found = yield wanted
    return {node_id: parse_node(node_id, found.get(node_id)) for node_id in wanted}


def load(refs: Iterable[Ref]) -> Walk[dict[str, Node]]:
    """The nodes of these references by id, each checked against what its parent says of it."""
    expected = {ref.id: ref for ref in refs}
    nodes = yield from load_roots(expected)
    for node_id, node in nodes.items():
        ref = expected[node_id]
        if (node.first_key, node.size, node.level) != (ref.key, ref.size, ref.level):
            raise CorruptMapError(
                node_id, "its first key, size or level is not what its parent says"
            )
    return nodes
