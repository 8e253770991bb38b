"""Which body a page or reusable content has after a merge."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from content.documents.heading_aliases import merge_aliases, same_aliases
from content.merge.conflict import Conflict
from content.merge.documents import merge_documents
from content.merge.needs import Asking, MissingContentError, Needs
from content.merge.nodes import EMPTY_DOCUMENT, Node, same


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


def is_same_body(one: str | None, other: str | None) -> Asking[bool]:
    """Whether two bodies have equal content, whatever their keys; None is an empty one."""
    if one == other:
        return True
    documents = yield from read_documents([one, other])
    return same(documents[one], documents[other])


def read_documents(ids: Iterable[str | None]) -> Asking[dict[str | None, Node]]:
    """Documents by id; None is an empty one."""
    wanted = frozenset(id for id in ids if id is not None)
    documents: dict[str | None, Node] = {None: EMPTY_DOCUMENT}
    if wanted:
        found = yield Needs(documents=wanted)
        if missing := sorted(wanted - found.documents.keys()):
            raise MissingContentError(f"document {missing[0]!r} does not exist")
        documents.update(found.documents)
    return documents


def merge_bodies(bodies: Sequence[Body]) -> Asking[list[MergedBody]]:
    """What each body becomes; documents are read for those only that both changed differently."""
    clashing = [b for b in bodies if b.ours != b.theirs and b.base not in (b.ours, b.theirs)]
    wanted = [id for body in clashing for id in (body.base, body.ours, body.theirs)]
    documents = yield from read_documents(wanted)
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
