"""Three-way merge of documents, and the bodies of pages and reusable contents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from content.documents.heading_aliases import merge_aliases, same_aliases
from content.documents.nodes import walk
from content.merge.blocks import BlockMerge, Draft, finish
from content.merge.conflict import Conflict
from content.merge.nodes import EMPTY_DOCUMENT, Node, canonical, same
from content.merge.relocation import relocated
from content.merge.texts import merge_values
from content.merge.versions import Asking, MissingContentError, Needs


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
    nodes, drafts = _merged_nodes(base["nodes"], ours["nodes"], theirs["nodes"])
    nodes, conflicts = finish(nodes, drafts, page=page, content=content)
    data, _ = merge_values(base.get("data"), ours.get("data"), theirs.get("data"))
    return MergedDocument({**theirs, "data": data, "nodes": nodes}, conflicts)


def _merged_nodes(
    base: list[Node], ours: list[Node], theirs: list[Node]
) -> tuple[list[Node], list[Draft]]:
    """The merged blocks and what clashed.

    Where something did, or both took a block from its place, blocks may have gone into another
    container: their edits are carried there, and all is merged again.
    """
    merge = BlockMerge()
    nodes = merge.lists(base, ours, theirs)
    if not merge.drafts and not merge.removed_twice:
        return nodes, merge.drafts
    again = BlockMerge()
    versions = relocated(again, base, ours, theirs)
    if versions.changed:
        moved = again.lists(versions.base, versions.ours, versions.theirs)
        there = {id(node) for node in walk(moved)}
        if all(draft.block is None or id(draft.block) in there for draft in again.drafts):
            return moved, again.drafts
    return nodes, merge.drafts


@dataclass(frozen=True, slots=True)
class Body:
    """Ids of the body of one page or reusable content that both sides changed."""

    base: str | None
    ours: str | None
    theirs: str | None
    page: str | None = None
    content: str | None = None


@dataclass(frozen=True, slots=True)
class MergedBody:
    """A body that is stored already, by its id, or else a new document."""

    id: str | None
    document: Node | None
    conflicts: tuple[Conflict, ...]


def is_same_body(left: str | None, right: str | None) -> Asking[bool]:
    """Whether two bodies have equal content, whatever their keys; None is an empty one."""
    if left == right:
        return True
    documents = yield from read_documents([left, right])
    return same(documents[left], documents[right])


def read_documents(ids: Iterable[str | None]) -> Asking[dict[str | None, Node]]:
    """Documents by id; None is an empty one."""
    needed = frozenset(id for id in ids if id is not None)
    documents: dict[str | None, Node] = {None: EMPTY_DOCUMENT}
    if needed:
        contents = yield Needs(documents=needed)
        if missing := sorted(needed - contents.documents.keys()):
            raise MissingContentError(f"document {missing[0]!r} does not exist")
        documents.update(contents.documents)
    return documents


def merge_bodies(bodies: Sequence[Body]) -> Asking[list[MergedBody]]:
    """What each body becomes; documents are read for those only that both changed differently."""
    clashing = [b for b in bodies if b.ours != b.theirs and b.base not in (b.ours, b.theirs)]
    ids = [id for body in clashing for id in (body.base, body.ours, body.theirs)]
    documents = yield from read_documents(ids)
    return [_merged(body, documents) for body in bodies]


def _merged(body: Body, documents: dict[str | None, Node]) -> MergedBody:
    if body.ours in (body.base, body.theirs):
        return MergedBody(body.theirs, None, ())
    if body.theirs == body.base:
        return MergedBody(body.ours, None, ())
    base, ours, theirs = (documents[id] for id in (body.base, body.ours, body.theirs))
    merged = merge_documents(base, ours, theirs, page=body.page, content=body.content)
    document = dict(merge_aliases(merged.document, base, ours, theirs))
    if not merged.conflicts:
        for id, side in ((body.theirs, theirs), (body.ours, ours)):
            if same(document, side) and same_aliases(document, side):
                return MergedBody(id, None, ())
    return MergedBody(None, document, merged.conflicts)
