"""Three-way merge of lists of blocks and of single blocks, down to their words.

Blocks that changed differently stand twice in the result, theirs before ours, until somebody
decides; of attributes theirs is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from content.alignment import align
from content.documents.block_places import NEVER_EMPTY, PARTS
from content.documents.nodes import paragraph
from content.merge.conflict import Cell, Conflict, ConflictKind, make_conflict
from content.merge.grids import is_table
from content.merge.matching import LISTS, match_nodes
from content.merge.nodes import Contents, Node, UniqueKeys, children_of, copy_with_keys
from content.merge.regrouping import regrouped
from content.merge.sequences import merge_order
from content.merge.tables import merge_table
from content.merge.texts import merge_texts, merge_values
from content.merge.tokens import OverlapError


@dataclass(eq=False, slots=True)
class Element:
    """One block in up to three versions."""

    base: Node | None = None
    ours: Node | None = None
    theirs: Node | None = None


def _is_kept(element: Element, contents: Contents) -> bool:
    """Whether a block stays: new, in both, or removed on one side and changed on the other."""
    if element.base is None or (element.ours is not None and element.theirs is not None):
        return True
    rest = element.ours if element.ours is not None else element.theirs
    return rest is not None and not contents.same(element.base, rest)


def _all(
    base: Sequence[Node], ours: Sequence[Node], theirs: Sequence[Node], contents: Contents
) -> tuple[list[Element], list[Element], list[Element]]:
    """The three lists with one element for what is the same block."""
    old = [Element(base=node) for node in base]
    right: list[Element | None] = [None] * len(theirs)
    left: list[Element | None] = [None] * len(ours)
    for i, k in match_nodes(base, theirs, contents).items():
        old[i].theirs, right[k] = theirs[k], old[i]
    for i, j in match_nodes(base, ours, contents).items():
        old[i].ours, left[j] = ours[j], old[i]
    for j, k in _added_by_both(ours, left, theirs, right, contents):
        left[j] = right[k] = Element(ours=ours[j], theirs=theirs[k])
    return (
        old,
        [element or Element(ours=node) for element, node in zip(left, ours, strict=True)],
        [element or Element(theirs=node) for element, node in zip(right, theirs, strict=True)],
    )


def _added_by_both(
    ours: Sequence[Node],
    left: Sequence[Element | None],
    theirs: Sequence[Node],
    right: Sequence[Element | None],
    contents: Contents,
) -> list[tuple[int, int]]:
    """New blocks that are one: those with one key, and equal ones behind the same block."""
    keys = {node.get("key"): k for k, node in enumerate(theirs) if right[k] is None}
    keys.pop(None, None)
    pairs = [
        (j, keys[node.get("key")])
        for j, node in enumerate(ours)
        if left[j] is None and node.get("key") in keys
    ]
    taken = {j for j, _ in pairs}, {k for _, k in pairs}
    runs = _runs(left, taken[0]), _runs(right, taken[1])
    for before, places in runs[0].items():
        others = runs[1].get(before, [])
        if others:
            aligned = align(
                [contents.digest(ours[j]) for j in places],
                [contents.digest(theirs[k]) for k in others],
            )
            pairs.extend((places[i], others[n]) for i, n in aligned)
    return pairs


def _runs(side: Sequence[Element | None], taken: set[int]) -> dict[Element | None, list[int]]:
    """Positions of new blocks by the block before them that base has."""
    runs: dict[Element | None, list[int]] = {}
    before: Element | None = None
    for position, element in enumerate(side):
        if element is not None:
            before = element
        elif position not in taken:
            runs.setdefault(before, []).append(position)
    return runs


# One paragraph belongs there: a second one has no place.
SINGLE_FRAGMENTS: Final = frozenset({"expandable-title"})
# Their lines make sense only together.
WHOLE_BLOCKS: Final = frozenset({"code"})
# Their children stand nowhere else: they merge with their own kind only. So do tables.
OWN_KIND: Final = frozenset(PARTS) - LISTS | {"table"}
VOID: Final = "void "


@dataclass(slots=True)
class Draft:
    """A conflict whose nodes may still get other keys."""

    kind: ConflictKind
    block: Node | None
    base: Any
    ours: Any
    theirs: Any
    field: str | None = None
    cell: Cell | None = None


class _ClashError(Exception):
    """Two versions of a block that cannot be one."""


@dataclass(slots=True)
class BlockMerge:
    """Merges the blocks of one document and notes what clashes."""

    drafts: list[Draft] = field(default_factory=list)
    contents: Contents = field(default_factory=Contents)
    removed_twice: bool = False
    """Whether both sides have removed a block from its place."""

    def lists(
        self,
        base: list[Node],
        ours: list[Node],
        theirs: list[Node],
        *,
        single: bool = False,
        fill: bool = True,
    ) -> list[Node]:
        """The merged blocks; of a clash only theirs where there is room for a `single` one.

        `fill` leaves an empty paragraph where nothing stays of what both sides have.
        """
        merged: list[Node] = []
        groups = regrouped(base, ours, theirs, self.contents)
        versions = _all(groups.base, groups.ours, groups.theirs, self.contents)
        self.removed_twice |= any(e.ours is None and e.theirs is None for e in versions[0])
        for element in merge_order(*versions, keeps=lambda e: _is_kept(e, self.contents)):
            old, left, right = element.base, element.ours, element.theirs
            if left is not None and right is not None:
                merged += self.nodes(old, left, right, single)
                continue
            rest = right if left is None else left
            if old is not None:
                # Removed there, and not as it was here: otherwise it would not have been kept.
                self.note(rest, old, left, right)
            merged += [] if rest is None else [rest]
        merged = groups.filled(merged)
        return merged if merged or not (fill and ours and theirs) else [paragraph([])]

    def nodes(self, base: Node | None, ours: Node, theirs: Node, single: bool) -> list[Node]:
        """One block that is in both: merged, or twice, or none when nothing is left in it."""
        same = self.contents.same
        if same(ours, theirs) or same(base, ours):
            return [theirs]
        if base is not None and same(base, theirs):
            return [ours]
        noted = len(self.drafts)
        try:
            if base is None:
                raise _ClashError
            merged = self._merged(base, ours, theirs)
        except (_ClashError, OverlapError):
            del self.drafts[noted:]
            return self._clash(base, ours, theirs, single)
        emptied = children_of(ours) and children_of(theirs) and not children_of(merged)
        return [] if emptied else [merged]

    def _clash(self, base: Node | None, ours: Node, theirs: Node, single: bool) -> list[Node]:
        first = {**theirs, "key": _key(base, ours, theirs)}
        second = copy_with_keys(ours, f"ours/{first['key']}")
        self.note(first, base, second, first)
        return [first] if single else [first, second]

    def note(
        self,
        block: Node | None,
        base: Any,
        ours: Any,
        theirs: Any,
        *,
        field: str | None = None,
        cell: Cell | None = None,
    ) -> None:
        """Remember a clash: of an attribute, of a cell, or of the whole block."""
        kind = ConflictKind.BLOCK if cell is None else ConflictKind.CELL
        self.drafts.append(Draft(kind, block, base, ours, theirs, field, cell))

    def _merged(self, base: Node, ours: Node, theirs: Node) -> Node:
        shapes = {_shape(node) for node in (base, ours, theirs)}
        if len(shapes) > 1:
            raise _ClashError
        merged: Node = {**theirs, "key": _key(base, ours, theirs)}
        fields: list[tuple[str, Any, Any, Any]] = []
        kinds: list[Any] = [node.get("type") for node in (base, ours, theirs)]
        if kinds[0] == kinds[2]:
            merged["type"] = kinds[1]
        elif kinds[1] not in (kinds[0], kinds[2]):
            fields.append(("type", kinds[0], kinds[1], kinds[2]))
        if is_table(base) and is_table(ours) and is_table(theirs):
            return merge_table(self, merged, base, ours, theirs)
        values = [node.get("data") or {} for node in (base, ours, theirs)]
        merged["data"], clashing = merge_values(*values)
        is_void = base.get("nodes") is None
        if clashing and is_void:
            raise _ClashError
        old, left, right = values
        fields += [(name, old.get(name), left.get(name), right.get(name)) for name in clashing]
        for name, *versions in fields:
            self.note(merged, *versions, field=name)
        inner = children_of(base), children_of(ours), children_of(theirs)
        noted = len(self.drafts)
        if "text" in shapes:
            merged["nodes"] = merge_texts(*inner, seed=merged["key"])
        elif not is_void:
            merged["nodes"] = self.lists(*inner, fill=merged["type"] not in NEVER_EMPTY)
            if kinds[0] in WHOLE_BLOCKS and len(self.drafts) > noted:
                raise _ClashError
        self._fragments(merged, base, ours, theirs)
        return merged

    def _fragments(self, merged: Node, base: Node, ours: Node, theirs: Node) -> None:
        """Merge what hangs on a block by name; one that is removed and edited is a clash."""
        groups = [
            {str(part.get("fragment")): part for part in node.get("fragments") or []}
            for node in (base, ours, theirs)
        ]
        fragments: list[Node] = []
        for name in dict.fromkeys((*groups[2], *groups[1])):
            old, left, right = (group.get(name) for group in groups)
            same = self.contents.same
            if same(left, right) or same(old, left):
                fragment = right
            elif same(old, right):
                fragment = left
            elif left is None or right is None:
                raise _ClashError
            else:
                inner = [children_of(part) for part in (old or {}, left, right)]
                single = name in SINGLE_FRAGMENTS or right.get("type") in SINGLE_FRAGMENTS
                fragment = {**right, "nodes": self.lists(*inner, single=single)}
            if fragment is not None:
                fragments.append(fragment)
        if fragments or "fragments" in merged:
            merged["fragments"] = fragments


def _key(base: Node | None, ours: Node, theirs: Node) -> str:
    """The key of a block that both changed: that of base where one side kept it."""
    if base is not None and base.get("key") in (ours.get("key"), theirs.get("key")):
        return str(base.get("key"))
    return str(theirs.get("key"))


def _shape(node: Node) -> str:
    """The class of blocks that merge with each other: texts, lists, else blocks of one type."""
    kind, children = str(node.get("type")), node.get("nodes")
    if children is None or kind in OWN_KIND:
        return f"{VOID if children is None else ''}{kind}"
    if not children:
        return "text" if kind in ("paragraph", "code-line") else "blocks"
    if all(child.get("object") in ("text", "inline") for child in children):
        return "text"
    return "list" if kind in LISTS else "blocks"


def finish(
    nodes: list[Node], drafts: list[Draft], *, page: str | None, content: str | None
) -> tuple[list[Node], tuple[Conflict, ...]]:
    """The blocks with keys that are unique, and the conflicts with the nodes as they are there."""
    keys = UniqueKeys(page or content or "")
    nodes = keys.nodes(nodes)

    def current(value: Any) -> Any:
        if isinstance(value, list):
            return [keys.changed.get(id(node), node) for node in value]
        return keys.changed.get(id(value), value)

    conflicts = []
    for draft in drafts:
        block = current(draft.block)
        conflict = make_conflict(
            draft.kind,
            page=page,
            content=content,
            block=None if block is None else block.get("key"),
            field=draft.field,
            cell=draft.cell,
            base=draft.base,
            ours=current(draft.ours),
            theirs=current(draft.theirs),
        )
        conflicts.append(conflict)
    return nodes, tuple(conflicts)
