"""Backlinks: where pages and files are linked or shown, in content that the caller may read."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Integer, and_, bindparam, func, not_, or_, select

from db.models.content_index import ContentLink, ContentLinkUse
from db.prepared import among
from resolvers.access.policy import must_be_person, visible
from resolvers.core.context import Context
from resolvers.core.pagination import PageArguments, Places, Slice, fingerprint, places_of
from resolvers.core.statements import Viewer, Written, statement
from resolvers.links.index import Overlay, Use, overlay_of
from resolvers.links.operations import Key, versions_of
from resolvers.links.rows import Location, Version, location_of
from resolvers.revisions.rows import File, Page

PAGE_KINDS = frozenset({"page", "anchor"})
FILE_KINDS = frozenset({"file"})


def _leading(viewer: Viewer, kinds: tuple[str, ...]) -> Written:
    """Places that the caller may read with links to things of the kinds, each place once.

    Places of the target's own space are left out by their pages (`without`), where other content
    than the primary one counts.
    """
    link, use = ContentLink, ContentLinkUse
    own = use.space_id == link.target_space_id
    return (
        visible(viewer, use)
        .join(link, link.id == use.link_id)
        .where(
            among(link.target_space_id, "target_spaces"),
            among(link.target_id, "targets"),
            or_(*(link.kind == kind for kind in kinds)),
            not_(and_(own, among(use.source_id, "without"))),
        )
        .with_only_columns(
            link.target_space_id.label("target_space_id"),
            link.target_id.label("target_id"),
            own.label("own"),
            use.space_id.label("space_id"),
            use.source_id.label("source_id"),
            use.node.label("node"),
            use.reusable.label("reusable"),
        )
        .distinct()
    )


@statement
def _backlinks(viewer: Viewer, kinds: tuple[str, ...], backward: bool) -> Written:
    uses = _leading(viewer, kinds).subquery()
    # Those of the same space first.
    order = (uses.c.space_id, uses.c.source_id, uses.c.node, uses.c.reusable)
    place = func.row_number().over(
        partition_by=(uses.c.target_space_id, uses.c.target_id),
        order_by=(
            (uses.c.own, *(column.desc() for column in order))
            if backward
            else (uses.c.own.desc(), *order)
        ),
    )
    numbered = select(*uses.c, place.label("place")).subquery()
    return (
        select(*numbered.c)
        .where(
            numbered.c.place > bindparam("start", type_=Integer()),
            numbered.c.place <= bindparam("last", type_=Integer()),
        )
        .order_by(numbered.c.target_space_id, numbered.c.target_id, numbered.c.place)
    )


@statement
def _backlink_counts(viewer: Viewer, kinds: tuple[str, ...]) -> Written:
    uses = _leading(viewer, kinds).subquery()
    return select(uses.c.target_space_id, uses.c.target_id, func.count().label("number")).group_by(
        uses.c.target_space_id, uses.c.target_id
    )


class _Backlinks:
    """Backlinks of things that were read from one version of content."""

    def __init__(self, kinds: frozenset[str], version: Version, overlay: Overlay) -> None:
        self.kinds, self.version, self.overlay = kinds, version, overlay

    def changed(self, target_id: str) -> list[Location]:
        """Places in pages that differ from the primary content."""
        uses = self.overlay.uses_of(target_id, self.kinds)
        return [location_of(use, self.version) for use in uses]

    async def places(
        self, ctx: Context, rows: Sequence[Key], start: int, size: int, *, backward: bool = False
    ) -> dict[Key, list[Location]]:
        """The places of each target in the index: `size` from the number `start`.

        Those that are read `backward` are numbered from the end.
        """
        locations: dict[Key, list[Location]] = {}
        values = self._values(rows)
        for row in await _backlinks.rows(
            ctx, tuple(sorted(self.kinds)), backward, start=start, last=start + size, **values
        ):
            use = Use(row.source_id, row.node, row.reusable)
            here = row.own and row.space_id == self.version.space_id
            version = self.version if here else Version(row.space_id)
            key = (row.target_space_id, row.target_id)
            locations.setdefault(key, []).append(location_of(use, version))
        return locations

    def _values(self, rows: Sequence[Key]) -> dict[str, Any]:
        return {
            "target_spaces": {space for space, _ in rows},
            "targets": {id for _, id in rows},
            "without": self.overlay.sources,
        }

    async def counts(self, ctx: Context, rows: Sequence[Key]) -> dict[Key, int]:
        """The number of places of each target."""
        kinds = tuple(sorted(self.kinds))
        rows_counted = await _backlink_counts.rows(ctx, kinds, **self._values(rows))
        counts = {(row.target_space_id, row.target_id): row.number for row in rows_counted}
        return {key: counts.get(key, 0) + len(self.changed(key[1])) for key in rows}


async def _backlinks_of(
    ctx: Context, kinds: frozenset[str], rows: Sequence[Page | File], arguments: PageArguments
) -> list[Slice[Location]]:
    mark = fingerprint("backlinks", sorted(kinds))
    places = places_of(arguments, mark, ctx.settings)
    start, count = places.range()
    versions = await versions_of(ctx, rows)
    groups: dict[str, list[int]] = {}
    for index, row in enumerate(rows):
        groups.setdefault(row.revision_id, []).append(index)
    slices: dict[int, Slice[Location]] = {}
    counter = _BacklinkCounter()
    primary = [index for index, row in enumerate(rows) if versions.of(row).revision is None]
    for indexes in [primary, *(index for index in groups.values() if index[0] not in primary)]:
        if not indexes:
            continue
        some = [rows[index] for index in indexes]
        version = versions.of(some[0])
        overlay = Overlay()
        if version.revision is not None:
            overlay = await overlay_of(ctx, versions.primary[version.space_id], version.revision)
        backlinks = _Backlinks(kinds, version, overlay)
        keys = [(row.space_id, row.id) for row in some]
        changed = {key: backlinks.changed(key[1]) for key in keys}
        if places.from_end:
            slices |= await _from_end(ctx, backlinks, places, rows, indexes, counter, mark)
            continue
        # Changed places come first; how many there are differs from target to target.
        fewest = min(len(changes) for changes in changed.values())
        indexed = await backlinks.places(ctx, keys, max(0, start - fewest), count)
        for index, key in zip(indexes, keys, strict=True):
            own = changed[key]
            skipped = max(0, start - len(own)) - max(0, start - fewest)
            rest = indexed.get(key, [])[max(0, skipped) :]
            parent = counter.add(rows[index], backlinks, key)
            shown = [*own[start : start + count], *rest][:count]
            slices[index] = places.part(shown, start, counter, parent, mark)
    return [slices[index] for index in range(len(rows))]


async def _from_end(
    ctx: Context,
    backlinks: _Backlinks,
    places: Places,
    rows: Sequence[Page | File],
    indexes: Sequence[int],
    counter: "_BacklinkCounter",
    mark: str,
) -> dict[int, Slice[Location]]:
    """The last backlinks of rows of one version, by their indexes: two statements for all."""
    keys = [(rows[index].space_id, rows[index].id) for index in indexes]
    totals = await backlinks.counts(ctx, keys)
    indexed = await backlinks.places(ctx, keys, 0, places.size, backward=True)
    slices: dict[int, Slice[Location]] = {}
    for index, key in zip(indexes, keys, strict=True):
        parent = counter.add(rows[index], backlinks, key)
        begin, count = places.range(totals[key])
        listed = [*backlinks.changed(key[1]), *reversed(indexed.get(key, []))]
        shown = listed[max(0, len(listed) - count) :]
        slices[index] = places.part(shown, begin, counter, parent, mark)
    return slices


class _BacklinkCounter:
    """Counts backlinks: one statement for each version of content."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[_Backlinks, Key]] = {}

    def add(self, row: Page | File, backlinks: _Backlinks, key: Key) -> str:
        """Know where the backlinks of a page or file are found; the name that it has here."""
        parent = f"{row.revision_id}/{row.id}"
        self._known[parent] = (backlinks, key)
        return parent

    async def counts(self, ctx: Context, parents: Sequence[str]) -> list[int]:
        groups: dict[int, tuple[_Backlinks, list[Key]]] = {}
        for parent in parents:
            backlinks, key = self._known[parent]
            groups.setdefault(id(backlinks), (backlinks, []))[1].append(key)
        numbers = {
            number: await backlinks.counts(ctx, keys)
            for number, (backlinks, keys) in groups.items()
        }
        return [numbers[id(self._known[parent][0])][self._known[parent][1]] for parent in parents]


async def backlinks_of_pages(
    ctx: Context, rows: Sequence[Page], arguments: PageArguments
) -> list[Slice[Location]]:
    """Where a page is linked, in content that the caller may read; its own space first."""
    must_be_person(ctx)
    return await _backlinks_of(ctx, PAGE_KINDS, rows, arguments)


async def backlinks_of_files(
    ctx: Context, rows: Sequence[File], arguments: PageArguments
) -> list[Slice[Location]]:
    """Where a file is shown or linked, in content that the caller may read; its own space first."""
    must_be_person(ctx)
    return await _backlinks_of(ctx, FILE_KINDS, rows, arguments)
