"""Three-way merge of documents."""

from __future__ import annotations

from typing import NamedTuple

from content.merge.blocks import BlockMerge, finish
from content.merge.conflict import Conflict
from content.merge.nodes import EMPTY_DOCUMENT, Node, canonical, same
from content.merge.texts import merge_values


class MergedDocument(NamedTuple):
    """A document that holds the changes of both sides, and what they changed differently."""

    document: Node
    conflicts: tuple[Conflict, ...]


def merge_documents(
    base: Node | None,
    ours: Node | None,
    theirs: Node | None,
    *,
    page: str | None = None,
    content: str | None = None,
) -> MergedDocument:
    """The document with the changes of both sides since `base`; None is an empty document.

    `page` or `content` (a reusable content) goes into the conflicts. Keys of the result are
    unique; blocks that nobody or one side touched keep theirs. The arguments stay as they are.
    """
    base, ours, theirs = (EMPTY_DOCUMENT if d is None else d for d in (base, ours, theirs))
    if canonical(base) == canonical(theirs):
        # Before contents are compared: ours may have other keys only.
        return MergedDocument(ours, ())
    if same(base, ours) or same(ours, theirs):
        return MergedDocument(theirs, ())
    if same(base, theirs):
        return MergedDocument(ours, ())
    merge = BlockMerge()
    nodes = merge.filled(base["nodes"], ours["nodes"], theirs["nodes"])
    nodes, conflicts = finish(nodes, merge.drafts, page=page, content=content)
    data, _ = merge_values(base.get("data"), ours.get("data"), theirs.get("data"))
    return MergedDocument({**theirs, "data": data, "nodes": nodes}, conflicts)
