"""Whatever of an import is a tree has to be one: nothing below itself, nothing below what is not
there, nothing deeper than a write may make it. Readers walk up and down these without an end."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final

from sqlalchemy import or_, select
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import aliased

from content.merkle.node import CorruptMapError
from content.merkle.read import diff
from content.merkle.walk import Walk
from db.enums import DefaultLevel
from db.inserts import parts
from db.models.all import metadata
from db.models.comments import Comment
from db.models.content import Revision
from db.models.sites import Site, SiteSection, SiteSectionGroup
from db.models.spaces import LEVEL_LIMIT, Collection, CollectionAncestor, Space
from db.models.translations import Translation
from jobs.organization_archive import ArchiveError
from resolvers.revisions.limits import DEPTH

Parents = Mapping[str, str | None]
BATCH: Final = 500
# A group of sections stands in at most one other.
_GROUPS: Final = 2
# No translation is translated.
_TRANSLATED: Final = 2
_NODES = metadata.tables["content_node"].columns


def depths_of(parents: Parents) -> dict[str, int]:
    """How deep each part of a tree is, 1 at the top; ValueError says what makes it none."""
    depths: dict[str, int] = {}
    for start in parents:
        way, at = list[str](), start
        while at not in depths:
            depths[at] = 0
            way.append(at)
            above = parents[at]
            if above is None:
                break
            if above not in parents:
                raise ValueError(f"{at!r} is below {above!r}, which is not there")
            at = above
        else:
            if not depths[at]:
                raise ValueError(f"{at!r} is below itself")
        depth = depths[at]
        for below in reversed(way):
            depths[below] = depth = depth + 1
    return depths


def check_tree(what: str, parents: Parents, deepest: int) -> dict[str, int]:
    """How deep each part is; ArchiveError, which names the tree, where it is none."""
    try:
        depths = depths_of(parents)
    except ValueError as error:
        raise ArchiveError(f"{what}: {error}") from error
    too_deep = [id for id, depth in depths.items() if depth > deepest]
    if too_deep:
        raise ArchiveError(f"{what}: {too_deep[0]!r} is more than {deepest} levels deep")
    return depths


async def check_trees(connection: AsyncConnection, organization_id: str) -> None:
    """ArchiveError where collections, groups of sections, replies or translations of an
    organization are no trees."""
    await _check_collections(connection, organization_id)
    of_sites = select(SiteSectionGroup.id, SiteSectionGroup.parent_id, SiteSectionGroup.site_id)
    of_sites = of_sites.join(Site).where(Site.organization_id == organization_id)
    sites: dict[str, dict[str, str | None]] = {}
    for id, parent, site in await connection.execute(of_sites):
        sites.setdefault(site, {})[id] = parent
    for site, groups in sites.items():
        check_tree(f"the groups of sections of site {site}", groups, _GROUPS)
    own = Translation.organization_id == organization_id
    pairs = select(Translation.result_space_id, Translation.source_space_id).where(own)
    sources: dict[str, str | None] = {row[0]: row[1] for row in await connection.execute(pairs)}
    tops = dict.fromkeys({above for above in sources.values() if above} - sources.keys())
    check_tree("the translations", {**tops, **sources}, _TRANSLATED)
    above, group = aliased(Comment), aliased(SiteSectionGroup)
    for statement, problem in (
        (
            select(Comment.id)
            .join(Space, Space.id == Comment.space_id)
            .join(above, above.id == Comment.parent_id)
            .where(
                Space.organization_id == organization_id,
                or_(
                    above.parent_id.is_not(None),
                    above.space_id != Comment.space_id,
                    above.change_request_id.is_distinct_from(Comment.change_request_id),
                ),
            ),
            "comment {!r} is a reply to what is no comment of the same conversation",
        ),
        (
            select(SiteSection.id)
            .join(Site, Site.id == SiteSection.site_id)
            .join(group, group.id == SiteSection.group_id)
            .where(Site.organization_id == organization_id, group.site_id != SiteSection.site_id),
            "section {!r} is in a group of another site",
        ),
    ):
        row = (await connection.execute(statement.limit(1))).first()
        if row is not None:
            raise ArchiveError(problem.format(row[0]))


async def _check_collections(connection: AsyncConnection, organization_id: str) -> None:
    """Collections, and what is stored of each that follows from those above it: access does."""
    columns = (
        Collection.id, Collection.parent_id, Collection.default_level, Collection.depth,
        Collection.level_rank, Collection.level_depth,
    )  # fmt: skip
    own = Collection.organization_id == organization_id
    rows = {row[0]: row for row in await connection.execute(select(*columns).where(own))}
    parents = {id: row.parent_id for id, row in rows.items()}
    depths = check_tree("the collections", parents, LEVEL_LIMIT)
    closure = select(CollectionAncestor.collection_id, CollectionAncestor.ancestor_id)
    closure = closure.join(Collection, Collection.id == CollectionAncestor.collection_id)
    stored = {(row[0], row[1]) for row in await connection.execute(closure.where(own))}
    expected = set()
    for id, row in rows.items():
        level: tuple[int | None, int | None] = None, None
        at: str | None = id
        while at is not None:
            expected.add((id, at))
            own_level = rows[at].default_level
            if level[1] is None and own_level is not DefaultLevel.INHERIT:
                level = 0 if own_level is None else own_level.rank, depths[at] - 1
            at = parents[at]
        if (row.depth, row.level_rank, row.level_depth) != (depths[id] - 1, *level):
            raise ArchiveError(f"collection {id!r}: is not as deep or open as those above it say")
    if stored != expected:
        raise ArchiveError("the collections: their ancestors are not those that they are in")


# ------------------------------------------------------------------ pages and revisions


async def check_revisions(connection: AsyncConnection, space_id: str) -> None:
    """ArchiveError where revisions of a space come from themselves, or the pages of one are no
    tree. Of each revision is read what differs from the one before it."""
    columns = Revision.id, Revision.parents, Revision.expands_id, Revision.pages_root
    own = select(*columns).where(Revision.space_id == space_id).order_by(Revision.id)
    rows = list(await connection.execute(own))
    what = f"the content of space {space_id}"
    check_history(what, {row.id: row.parents for row in rows})
    written = {row.id: row.expands_id for row in rows}
    for id, shown in written.items():
        if shown is not None and written.get(shown) is not None:
            raise ArchiveError(f"{what}: revision {id!r} shows one that shows another")
    pages, before = _Pages(what), None
    for row in rows:
        changes = await _walked(connection, space_id, diff(before, row.pages_root))
        pages.change((change.key, change.after) for change in changes)
        before = row.pages_root


def check_history(what: str, parents: Mapping[str, Iterable[str]]) -> None:
    """ArchiveError where a revision comes from itself; what it comes from may be gone."""
    state: dict[str, bool] = {}
    for start in parents:
        stack = [(start, False)]
        while stack:
            id, is_done = stack.pop()
            if is_done:
                state[id] = True
            elif id not in state:
                state[id] = False
                stack.append((id, True))
                for above in parents[id]:
                    if state.get(above) is False:
                        raise ArchiveError(f"{what}: revision {above!r} comes from itself")
                    if above in parents and above not in state:
                        stack.append((above, False))


class _Pages:
    """The pages of one revision after the other, each below which one."""

    def __init__(self, what: str) -> None:
        self._what = f"{what}: the pages"
        self._parents: dict[str, str | None] = {}
        self._below: Counter[str | None] = Counter()

    def change(self, changes: Iterable[tuple[str, Mapping[str, Any] | None]]) -> None:
        """Go on to the next revision; ArchiveError where its pages are no tree."""
        moved = []
        for id, entry in changes:
            above = None if entry is None else entry.get("parent")
            stays = entry is not None and id in self._parents
            if stays and self._parents[id] == above:
                continue
            if id in self._parents:
                self._below[self._parents.pop(id)] -= 1
            if entry is not None:
                self._parents[id] = above
                self._below[above] += 1
            moved.append(id)
        # Pages that have none below them make no loop, wherever they are put.
        if any(self._below[id] for id in moved):
            check_tree(self._what, self._parents, DEPTH)
            return
        for id in moved:
            if id in self._parents:
                check_tree(self._what, self._way_up(id), DEPTH)

    def _way_up(self, id: str) -> dict[str, str | None]:
        way: dict[str, str | None] = {}
        at: str | None = id
        while at is not None and at in self._parents and at not in way:
            way[at] = self._parents[at]
            at = way[at]
        return way


async def _walked(connection: AsyncConnection, space_id: str, walk: Walk[Any]) -> Any:
    """What a walk comes to, whose nodes are those of a space."""
    try:
        ids = next(walk)
        while True:
            nodes: dict[str, bytes] = {}
            for some in parts(sorted(ids), BATCH):
                chosen = select(_NODES.id, _NODES.data).where(
                    _NODES.space_id == space_id, _NODES.id.in_(some)
                )
                nodes |= {row[0]: row[1] for row in await connection.execute(chosen)}
            ids = walk.send(nodes)
    except StopIteration as end:
        return end.value
    except CorruptMapError as error:
        raise ArchiveError(f"the content of space {space_id}: {error}") from error
