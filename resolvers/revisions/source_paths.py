"""The paths at which things of a revision stand in the source that they came from."""

from typing import Any

from content.links.file_index import IndexedNode, indexed_files
from content.links.meaning import FilePaths
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
