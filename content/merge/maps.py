"""Merging revisions of a space that are stored as maps.

The walk of a merge, on top of the walks over maps: it asks for map nodes and documents by id.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar, cast

from content.merge.needs import Asking, Found, Needs
from content.merge.nodes import Node
from content.merge.space import Difference, Merged, merge_space
from content.merkle.read import diff, lookup, scan
from content.merkle.walk import Walk

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """The content of a revision: roots of its maps, and its variables."""

    pages_root: str | None
    slugs_root: str | None
    files_root: str | None
    contents_root: str | None
    variables: Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Map nodes and documents by id; one of the two is empty."""

    nodes: frozenset[str] = frozenset()
    documents: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """Bytes of map nodes, and documents, by id; what does not exist is left out."""

    nodes: Mapping[str, bytes] = field(default_factory=dict)
    documents: Mapping[str, Node] = field(default_factory=dict)


Reading: TypeAlias = Generator[Wanted, Read, T]


def merge_snapshots(base: Snapshot, ours: Snapshot, theirs: Snapshot) -> Reading[Merged]:
    """What has to change in `theirs` to hold what `ours` changed since `base`.

    Yields what it wants to read and is sent it. CorruptMapError and MissingContentError when
    that does not exist.
    """
    walks = [
        diff(getattr(base, name), getattr(side, name))
        for side in (ours, theirs)
        for name in ("pages_root", "files_root", "contents_root")
    ]
    found = yield from _together(walks)
    merging = merge_space(
        Difference(pages=found[0], files=found[1], contents=found[2], variables=ours.variables),
        Difference(pages=found[3], files=found[4], contents=found[5], variables=theirs.variables),
        base.variables,
    )
    return (yield from _answered(merging, theirs))


def _answered(merging: Asking[Merged], theirs: Snapshot) -> Reading[Merged]:
    """The result of a merge whose needs are read from the maps of theirs."""
    try:
        needs = next(merging)
        while True:
            needs = merging.send((yield from _find(needs, theirs)))
    except StopIteration as stop:
        return cast(Merged, stop.value)


def _find(needs: Needs, theirs: Snapshot) -> Reading[Found]:
    documents: Mapping[str, Node] = {}
    if needs.documents:
        documents = (yield Wanted(documents=needs.documents)).documents
    parents = sorted(needs.children)
    scans = [scan(theirs.slugs_root, prefix=f"{parent}/") for parent in parents]
    levels = yield from _together(scans)
    below = [[value["id"] for _, value in level] for level in levels]
    lookups = [lookup(theirs.pages_root, ids) for ids in (needs.pages, *below)]
    slugs, pages, *children = yield from _together(
        [lookup(theirs.slugs_root, needs.slugs), *lookups]
    )
    return Found(
        pages=pages,
        slugs={key: value["id"] for key, value in slugs.items()},
        children=dict(zip(parents, children, strict=True)),
        documents=documents,
    )


def _together(walks: list[Walk[T]]) -> Reading[list[T]]:
    """The results of walks over maps; what they need at one time is wanted together."""
    results: list[Any] = [None] * len(walks)
    wanted: dict[int, frozenset[str]] = {}

    def step(index: int, nodes: Mapping[str, bytes] | None) -> None:
        try:
            walk = walks[index]
            wanted[index] = next(walk) if nodes is None else walk.send(nodes)
        except StopIteration as stop:
            results[index] = stop.value

    for index in range(len(walks)):
        step(index, None)
    while wanted:
        read = yield Wanted(nodes=frozenset().union(*wanted.values()))
        current, wanted = wanted, {}
        for index, ids in current.items():
            step(index, {id: read.nodes[id] for id in ids if id in read.nodes})
    return results
