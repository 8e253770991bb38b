"""Resolving a conflict: the decision is applied to the content, as an edit of its own.

Texts and documents are read and written in a thread of their own: long ones take a while.
"""

import asyncio
import copy
from dataclasses import replace
from typing import Annotated, Any

import strawberry
from strawberry import Maybe

from content.document_shape import DocumentError, checked_document
from content.heading_aliases import carry_aliases
from content.key_matching import carry_keys
from content.markdown.parser import parse_document
from content.merge.conflict import (
    Conflict,
    ConflictKind,
    Resolution,
    ResolutionError,
    conflict_of,
)
from content.merge.resolve import AS_IT_IS, resolve
from db.content_enums import ConflictResolution
from db.models.conflicts import MergeConflict
from resolvers import content_limits, inputs
from resolvers.arguments import ChangeRequestId, Expected, SpaceId
from resolvers.conflict_contents import IN_DOCUMENTS, contents_of
from resolvers.conflict_edits import custom_step, delete_step
from resolvers.conflict_lists import NODES, VALUE, given
from resolvers.content_commits import commit_revision
from resolvers.content_draft import Draft
from resolvers.content_targets import Target, limit_wait, open_target
from resolvers.content_writes import apply_steps, base_of
from resolvers.context import Context, takes_turns
from resolvers.draft_bodies import add_document
from resolvers.errors import PreconditionFailed, invalid
from resolvers.page_places import check_parent, made_slug, moved_slug
from resolvers.page_rows import Page, content_of, file_of, page_of
from resolvers.policy import must
from resolvers.scalars import JsonObject

Json = dict[str, Any]
PLACES = (ConflictKind.PAGE_MOVED_TWICE, ConflictKind.PAGE_CYCLE)
# How the engine names what it was given -> how callers name it.
ARGUMENTS = {"custom": "value", "resolution": "resolution"}
ConflictId = Annotated[strawberry.ID, strawberry.argument(description="Id of the conflict.")]


@strawberry.input(description="How a conflict is settled.")
class ResolveConflictInput:
    resolution: ConflictResolution = inputs.field(
        "`ours` or `theirs`; `both` for blocks, one after the other; `custom` for what `value` or "
        "`markdown` says, or without them for the content as it is now.",
        required=True,
    )
    value: Maybe[JsonObject | None] = inputs.field(
        "With `custom`: a node or `nodes` for blocks and cells, else an object with `value`; null "
        "removes it."
    )
    markdown: str | None = inputs.text(
        "With `custom`, for blocks and cells with text: what stands there then.",
        max=content_limits.BODY,
    )


@takes_turns
async def resolve_conflict(
    ctx: Context,
    space_id: SpaceId,
    change_request_id: ChangeRequestId,
    id: ConflictId,
    input: ResolveConflictInput,
    expected_revision: Expected = None,
) -> MergeConflict:
    """Settle a conflict of a change request, which makes a revision of it.

    For its author and for the role `edit`, until it is merged or archived.
    """
    await limit_wait(ctx)
    target = await open_target(
        ctx, space_id, change_request_id, expected_revision=expected_revision
    )
    assert target.change_request is not None
    mine = MergeConflict.change_request_id == target.change_request.id
    row = await must(ctx, MergeConflict, id, where=mine, lock=True)
    conflict = conflict_of(row.data)
    custom = await asyncio.to_thread(_custom, conflict, input)
    # First, so that what follows from the edit leaves it alone.
    row.resolution = input.resolution
    row.resolved_at = ctx.now()
    row.resolved_by_id = ctx.actor.user_id
    target.change_request.updated_at = ctx.now()
    await ctx.session.flush()
    await _apply(ctx, target, conflict, Resolution(input.resolution.value), custom)
    return row


def _custom(conflict: Conflict, input: ResolveConflictInput) -> Any:
    """The value of the input, AS_IT_IS without one."""
    if input.value is None and input.markdown is None:
        return AS_IT_IS
    if input.resolution is not ConflictResolution.CUSTOM:
        raise invalid("value", "is for the resolution 'custom' only")
    of_nodes = conflict.kind in IN_DOCUMENTS and conflict.field is None
    if input.markdown is not None:
        if input.value is not None:
            raise invalid("markdown", "cannot be given together with `value`")
        if not of_nodes:
            raise invalid("markdown", "is for blocks and cells with text only; use `value`")
        return _with_key(conflict, parse_document(input.markdown, seed=conflict.id)["nodes"])
    assert input.value is not None
    if input.value.value is None:
        return [] if conflict.kind is ConflictKind.BLOCK and of_nodes else None
    value = _given(dict(input.value.value))
    return _with_key(conflict, _nodes(value)) if of_nodes and _is_nodes(value) else value


def _given(value: Json) -> Any:
    """The version that the value stands for; Invalid for an object that holds none."""
    if "object" not in value and value.keys() not in ({NODES}, {VALUE}):
        raise invalid("value", f"must be a node, or an object with `{NODES}` or `{VALUE}` alone")
    return given(value)


def _is_nodes(value: Any) -> bool:
    """Whether a value is a node of a document, or a list of some."""
    found = value if isinstance(value, list) else [value]
    return all(isinstance(one, dict) and "object" in one for one in found)


def _nodes(value: Any) -> Any:
    """Nodes that came from outside, with keys; Invalid names what is wrong with them."""
    nodes = value if isinstance(value, list) else [value]
    try:
        return checked_document({"object": "document", "data": {}, "nodes": nodes})["nodes"]
    except DocumentError as error:
        raise invalid(f"value.{error.path}", error.problem) from error


def _with_key(conflict: Conflict, nodes: Any) -> Any:
    """The nodes; the first stands for the block, so that the decision can be changed."""
    if conflict.kind is not ConflictKind.BLOCK or not nodes:
        return nodes
    return [{**nodes[0], "key": conflict.block}, *nodes[1:]]


async def _apply(
    ctx: Context, target: Target, conflict: Conflict, resolution: Resolution, custom: Any
) -> None:
    """Make the content what the decision says, if it is not that already."""
    if resolution is Resolution.CUSTOM and custom is AS_IT_IS:
        return
    if resolution is Resolution.CUSTOM and conflict.kind not in IN_DOCUMENTS:
        await apply_steps(ctx, target, [custom_step(conflict, custom)])
        return
    (content,) = await contents_of(ctx, target.revision, [conflict])
    try:
        decided = await asyncio.to_thread(resolve, content, conflict, resolution, custom)
    except ResolutionError as error:
        place, _, problem = str(error).partition(": ")
        if place not in ARGUMENTS:
            raise PreconditionFailed(str(error)) from error
        raise invalid(ARGUMENTS[place], problem) from error
    if conflict.kind is ConflictKind.PAGE_DELETED_EDITED and decided is None:
        if content is not None:
            await apply_steps(ctx, target, [delete_step(conflict)])
        return
    draft = Draft(ctx, target.revision, base_of(target))
    await _write(draft, conflict, content, decided, resolution is Resolution.CUSTOM)
    await commit_revision(ctx, target, await draft.changes())


async def _write(
    draft: Draft, conflict: Conflict, content: Json | None, decided: Json | None, custom: bool
) -> None:
    if conflict.kind in IN_DOCUMENTS:
        await _write_body(draft, conflict, content or {}, decided or {}, custom)
    elif conflict.kind is ConflictKind.VARIABLE:
        draft.written.variables = decided or {}
    elif conflict.file is not None:
        file = None if decided is None else file_of(draft.space_id, "", conflict.file, decided)
        draft.written.files[conflict.file] = file
    elif conflict.content is not None:
        id = conflict.content
        row = None if decided is None else content_of(draft.space_id, "", id, decided)
        draft.written.contents[id] = row
    elif content is not None and decided is not None:
        await _write_page(draft, conflict, decided)
    else:
        raise PreconditionFailed("the page that the conflict is about has been removed")


async def _write_page(draft: Draft, conflict: Conflict, decided: Json) -> None:
    """The decided entry of a page, with a slug and a place that it can have."""
    old = await draft.page(conflict.page or "", "conflict")
    page: Page = page_of(draft.space_id, "", old.id, decided)
    if conflict.kind in PLACES and page.parent_id != old.parent_id:
        await check_parent(draft, page, "resolution")
        page = await moved_slug(draft, page, "resolution")
    elif page.slug is not None and page.slug != old.slug:
        page = replace(page, slug=await made_slug(draft, page, page.slug))
    draft.put(page)


async def _write_body(
    draft: Draft, conflict: Conflict, before: Json, document: Json, custom: bool
) -> None:
    """The decided document; what is custom in it is checked like anything from outside."""
    checked = await asyncio.to_thread(_checked, before, document, custom)
    if conflict.page is not None:
        page = await draft.page(conflict.page, "conflict")
        old = await draft.body(page.document_id)
        body_id = await add_document(draft, old, checked, "value")
        draft.put(replace(page, document_id=body_id))
    else:
        content = await draft.reusable_content(conflict.content or "", "conflict")
        old = await draft.body(content.document_id)
        body_id = await add_document(draft, old, checked, "value")
        draft.written.contents[content.id] = replace(content, document_id=body_id)


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
    carry_keys(before, checked, given=True)
    return dict(carry_aliases(checked, before, given=custom))
