"""Spaces in maps in memory, merged as those in a database are, and what that reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from content.merge.nodes import Node
from content.merge.space import Difference, Merged, merge_space
from content.merge.versions import Found, Needs
from content.merkle.read import diff, lookup, scan
from content.merkle.walk import Walk
from content.merkle.write import update
from content.pages.stored import child_key
from tests.content.merkle_store import build, run

T = TypeVar("T")
Entry = dict[str, Any]
Root = str | None


@dataclass(frozen=True)
class Snapshot:
    """The roots of the maps of one version, and its variables."""

    pages: Root = None
    slugs: Root = None
    files: Root = None
    contents: Root = None
    variables: Mapping[str, object] = field(default_factory=dict)


@dataclass
class Stored:
    """Nodes and documents by id, and the ids that the last merge read."""

    documents: dict[str, Node]
    nodes: dict[str, bytes] = field(default_factory=dict)
    nodes_read: set[str] = field(default_factory=set)
    documents_read: set[str] = field(default_factory=set)

    def snapshot(
        self,
        pages: Mapping[str, Entry],
        files: Mapping[str, Entry] | None = None,
        contents: Mapping[str, Entry] | None = None,
        variables: Mapping[str, object] | None = None,
    ) -> Snapshot:
        """The maps of a whole version."""
        slugs = {
            child_key(page.get("parent"), page["slug"], id): {"id": id}
            for id, page in pages.items()
        }
        roots = [self._built(items) for items in (pages, slugs, files or {}, contents or {})]
        return Snapshot(*roots, variables or {})

    def _built(self, items: Mapping[str, Entry]) -> Root:
        root, nodes = build(items)
        self.nodes |= nodes
        return root

    def edited(self, base: Snapshot, pages: Mapping[str, Entry]) -> Snapshot:
        """The maps with some pages changed or added; none gets another place or slug."""
        slugs = {
            child_key(page.get("parent"), page["slug"], id): {"id": id}
            for id, page in pages.items()
        }
        roots = []
        for root, changes in ((base.pages, pages), (base.slugs, slugs)):
            changed, nodes = self._run(update(root, changes))
            self.nodes |= nodes
            roots.append(changed)
        return Snapshot(*roots, base.files, base.contents, base.variables)

    def merge(self, base: Snapshot, ours: Snapshot, theirs: Snapshot) -> Merged:
        """What has to change in `theirs`."""
        self.nodes_read, self.documents_read = set(), set()
        merging = merge_space(
            self._difference(base, ours), self._difference(base, theirs), base.variables
        )
        try:
            needs = next(merging)
            while True:
                needs = merging.send(self._found(theirs, needs))
        except StopIteration as stop:
            result: Merged = stop.value
            return result

    def _difference(self, base: Snapshot, side: Snapshot) -> Difference:
        return Difference(
            pages=self._run(diff(base.pages, side.pages)),
            files=self._run(diff(base.files, side.files)),
            contents=self._run(diff(base.contents, side.contents)),
            variables=side.variables,
        )

    def _found(self, theirs: Snapshot, needs: Needs) -> Found:
        slugs = self._run(lookup(theirs.slugs, needs.slugs))
        children = {}
        for parent in needs.children:
            below = self._run(scan(theirs.slugs, prefix=f"{parent}/"))
            ids = [value["id"] for _, value in below]
            children[parent] = self._run(lookup(theirs.pages, ids))
        self.documents_read |= needs.documents
        return Found(
            pages=self._run(lookup(theirs.pages, needs.pages)),
            slugs={key: value["id"] for key, value in slugs.items()},
            children=children,
            documents={id: self.documents[id] for id in needs.documents},
        )

    def _run(self, walk: Walk[T]) -> T:
        return run(walk, self._fetch)

    def _fetch(self, ids: frozenset[str]) -> dict[str, bytes]:
        self.nodes_read |= ids
        return {id: self.nodes[id] for id in ids if id in self.nodes}
