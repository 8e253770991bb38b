"""Decisions on conflicts inside documents: the body of a page or reusable content that follows.

Texts and documents are read and written in a thread of their own: long ones take a while.
"""

import asyncio
import copy
from typing import Any

from content.documents.heading_aliases import carry_aliases
from content.documents.key_matching import carry_keys
from content.documents.shape import DocumentError, checked_document
from content.merge.conflict import (
    Conflict,
    ConflictKind,
    Resolution,
    ResolutionError,
    conflict_json,
)
from content.merge.nodes import canonical
from content.merge.resolve import resolve
from resolvers.core.errors import NotFound, invalid
from resolvers.drafts.bodies import EMPTY, Led, add_document, linked, weight_of, worked_out
from resolvers.drafts.draft import Draft
from resolvers.drafts.links import Owner, settle_links
from resolvers.revisions.rows import Page, ReusableContent

Json = dict[str, Any]


async def write_decision(
    draft: Draft, conflict: Conflict, resolution: Resolution, markdown: str | None, value: Any
) -> None:
    """Give what holds a conflict the decided body; what is custom comes as `markdown` or `value`.

    ResolutionError when the conflict does not allow this, or is about something that is gone;
    Invalid for what cannot stand in a document.
    """
    row: Page | ReusableContent
    try:
        if conflict.page is not None:
            row = await draft.page(conflict.page, "conflict")
            owner = Owner.of(row, await draft.path_of(row))
        else:
            row = await draft.reusable_content(conflict.content or "", "conflict")
            owner = Owner.of(row)
    except NotFound as error:
        raise ResolutionError("the conflict is about something that is no longer there") from error

    async def make(texts: list[Led]) -> tuple[str | None, bool]:
        old = await draft.body(owner.document_id)
        before: Json = EMPTY if old is None else old.document
        draft.work.spend(0 if old is None else len(old.markdown))
        custom = await _nodes(draft, owner, conflict, markdown, value, texts)
        decided = await asyncio.to_thread(resolve, before, conflict, resolution, custom)
        is_custom = resolution is Resolution.CUSTOM
        checked = await asyncio.to_thread(_checked, before, decided or {}, is_custom)
        return await add_document(draft, old, checked, "value", texts), False

    decision = canonical(conflict_json(conflict))
    document_id = await worked_out(draft, owner, ("conflict", decision), make)
    draft.put_body(row, document_id)
    await settle_links(draft)


async def _nodes(
    draft: Draft,
    owner: Owner,
    conflict: Conflict,
    markdown: str | None,
    value: Any,
    texts: list[Led],
) -> Any:
    """The custom value of the decision, with nodes that came from outside checked."""
    if markdown is not None:
        document = await linked(draft, owner, markdown, texts, "markdown", seed=conflict.id)
        return _with_key(conflict, document["nodes"])
    if conflict.field is not None or not _is_nodes(value):
        return value
    nodes = value if isinstance(value, list) else [value]
    draft.work.spend(weight_of({"nodes": nodes}))
    return _with_key(conflict, await asyncio.to_thread(_checked_nodes, nodes))


def _is_nodes(value: Any) -> bool:
    """Whether a value is a node of a document, or a list of some."""
    nodes = value if isinstance(value, list) else [value]
    return all(isinstance(node, dict) and "object" in node for node in nodes)


def _checked_nodes(nodes: Any) -> Any:
    """Nodes that came from outside, with keys; Invalid names what is wrong with them."""
    try:
        return checked_document({**EMPTY, "nodes": nodes})["nodes"]
    except DocumentError as error:
        raise invalid(f"value.{error.path}", error.problem) from error


def _with_key(conflict: Conflict, nodes: Any) -> Any:
    """The nodes; the first stands for the block, so that the decision can be changed."""
    if conflict.kind is not ConflictKind.BLOCK or not nodes:
        return nodes
    return [{**nodes[0], "key": conflict.block}, *nodes[1:]]


def _checked(before: Json, document: Json, custom: bool) -> Json:
    """The document with the keys of what it was.

    A version of either side is stored as it is. A custom value is a part of a document that may be
    larger than one that is sent as a whole: its own size was checked when it came in.
    """
    if custom:
        try:
            checked = dict(checked_document(document, sized=False))
        except DocumentError as error:
            raise invalid("value", f"makes a document that is not allowed: {error}") from error
    else:
        checked = copy.deepcopy(document)
    carry_keys(before, checked, authored=True)
    return dict(carry_aliases(checked, before, authored=custom))
