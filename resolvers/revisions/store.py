"""Reading and writing the immutable maps that revisions are made of (decision 0007).

Walks over maps of many revisions go in lockstep: what they need next is read in one statement,
so the number of statements is the depth of the maps and not the number of revisions. Nodes never
change, so those that were read stay in a bounded cache of the process.
"""

import asyncio
from collections.abc import Generator, Iterable, Mapping, Sequence
from typing import Any, TypeVar, cast

from sqlalchemy import select

from content.merkle.walk import Walk
from content.recent_cache import RecentCache
from db.inserts import insert_missing
from db.models.content import ContentNode, Document
from db.prepared import among
from resolvers.core.context import Context
from resolvers.core.statements import Viewer, Written, lasting_statement

T = TypeVar("T")
# What a generator needs next, and the answer to it.
N = TypeVar("N")
A = TypeVar("A")
Key = tuple[str, str]
# The nodes read most recently, by space and node; by their bytes.
NodeCache = RecentCache[Key, bytes]


# Only immutable content is ever cached, so processes need not tell each other of writes.
NODES: NodeCache = RecentCache(64 * 1024 * 1024, len)


async def walk_all(ctx: Context, walks: Sequence[tuple[str, Walk[T]]]) -> list[T]:
    """The results of walks, each over the maps of one space."""
    results: list[Any] = [None] * len(walks)
    pending: dict[int, frozenset[str]] = {}
    for index, (_, walk) in enumerate(walks):
        _step(walk, None, index, pending, results)
    while pending:
        keys = {(walks[index][0], node) for index, nodes in pending.items() for node in nodes}
        data = await _nodes(ctx, keys)
        current, pending = pending, {}
        for index, nodes in current.items():
            space_id, walk = walks[index]
            answer = {node: data[space_id, node] for node in nodes if (space_id, node) in data}
            _step(walk, answer, index, pending, results)
    return cast(list[T], results)


def _step(
    walk: Walk[Any],
    answer: Mapping[str, bytes] | None,
    index: int,
    pending: dict[int, frozenset[str]],
    results: list[Any],
) -> None:
    try:
        pending[index] = next(walk) if answer is None else walk.send(answer)
    except StopIteration as stop:
        results[index] = stop.value


async def walk_one(ctx: Context, space_id: str, walk: Walk[T]) -> T:
    """The result of one walk."""
    (result,) = await walk_all(ctx, [(space_id, walk)])
    return result


async def walk_beside(ctx: Context, space_id: str, walk: Walk[T]) -> T:
    """The result of one walk that works on much: its steps run beside the event loop."""
    answer: Mapping[str, bytes] | None = None
    while True:
        nodes, results = await asyncio.to_thread(advance, walk, answer)
        if nodes is None:
            return results[0]
        stored = await _nodes(ctx, {(space_id, node) for node in nodes})
        answer = {node: stored for (_, node), stored in stored.items()}


def advance(asking: Generator[N, A, T], answer: A | None) -> tuple[N | None, list[T]]:
    """What a walk needs next, or its result: threads cannot pass on StopIteration."""
    try:
        return (next(asking) if answer is None else asking.send(answer)), []
    except StopIteration as stop:
        return None, [stop.value]


@lasting_statement
def _stored(viewer: Viewer) -> Written:
    # Of several spaces this may find nodes that only another one was asked for.
    return select(ContentNode.space_id, ContentNode.id, ContentNode.data).where(
        among(ContentNode.space_id, "spaces"), among(ContentNode.id, "nodes")
    )


async def _nodes(ctx: Context, keys: Iterable[Key]) -> dict[Key, bytes]:
    stored: dict[Key, bytes] = {}
    missing: dict[str, list[str]] = {}
    for key in keys:
        cached = NODES.get(key)
        if cached is not None:
            stored[key] = cached
        else:
            missing.setdefault(key[0], []).append(key[1])
    if missing:
        nodes = {id for ids in missing.values() for id in ids}
        rows = await _stored.rows(ctx, spaces=list(missing), nodes=nodes)
        for space_id, node_id, data in rows:
            stored[space_id, node_id] = data
            NODES.put((space_id, node_id), data)
    return stored


async def put_nodes(ctx: Context, space_id: str, nodes: Mapping[str, bytes]) -> None:
    """Store nodes; those that are there already stay."""
    rows = [{"space_id": space_id, "id": id, "data": data} for id, data in nodes.items()]
    await insert_missing(ctx.session, ContentNode, rows)


async def put_documents(
    ctx: Context, space_id: str, documents: Mapping[str, tuple[str, bytes]]
) -> None:
    """Store documents: id -> Markdown and JSON; those that are there already stay."""
    rows = [
        {"space_id": space_id, "id": id, "markdown": markdown, "data": data}
        for id, (markdown, data) in documents.items()
    ]
    await insert_missing(ctx.session, Document, rows)
