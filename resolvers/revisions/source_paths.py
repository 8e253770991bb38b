"""The paths at which things of a revision stand in the source that they came from."""

import asyncio
from collections.abc import Collection, Sequence
from typing import Any

from content.json_types import JsonObject
from content.links.file_index import IndexedNode, indexed_files, places_at
from content.links.meaning import (
    FilePaths,
    Meaning,
    Standing,
    file_key,
    meaning_of,
    place_reference,
    with_anchor,
)
from content.recent_cache import RecentCache
from resolvers.core.context import Context
from resolvers.revisions.ids import MAPS
from resolvers.revisions.store import walk_beside

# Paths of the nodes read last: those of a dozen large spaces.
CACHED_PATHS = 100_000
_INDEXED: RecentCache[tuple[str, str], IndexedNode] = RecentCache(
    CACHED_PATHS, lambda node: node.weight
)


async def source_paths(ctx: Context, revision: Any) -> list[FilePaths]:
    """Pages, files and reusable contents of a revision by their paths, in pieces."""
    roots = {kind: getattr(revision, root) for kind, root in MAPS.items()}
    return await walk_beside(ctx, revision.space_id, indexed_files(roots, _INDEXED))


async def led_by_paths(
    ctx: Context, revision: Any, texts: Sequence[tuple[Standing, Collection[str]]]
) -> list[dict[str, JsonObject]]:
    """What relative URLs of texts that came with files lead to by the paths of files, for each."""
    led: list[dict[str, JsonObject]] = [{} for _ in texts]
    meanings: list[tuple[int, str, Meaning, list[str]]] = []
    for number, (standing, urls) in enumerate(texts):
        for url in urls if standing.file is not None else ():
            meaning = meaning_of(url, standing)
            if meaning is not None and meaning.files:
                keys = [file_key(f"{standing.root}/{path}".strip("/")) for path in meaning.files]
                meanings.append((number, url, meaning, keys))
    if not meanings:
        return led
    parts = await source_paths(ctx, revision)
    every = {key for *_, keys in meanings for key in keys}
    places = await asyncio.to_thread(places_at, parts, every)
    for number, url, meaning, keys in meanings:
        targets = next((places[key] for key in keys if key in places), None)
        if targets:
            led[number][url] = with_anchor(place_reference(targets[0]), meaning.anchor)
    return led
