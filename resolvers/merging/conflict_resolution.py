"""Resolving a conflict: the decision is applied to the content, as an edit of its own."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Annotated, Any

import strawberry
from strawberry import Maybe, Some

from content.merge.conflict import (
    Conflict,
    ConflictKind,
    Resolution,
    ResolutionError,
    conflict_of,
)
from content.merge.resolve import AS_IT_IS, resolve
from db.content_enums import ConflictResolution
from db.models.merging import MergeConflict
from resolvers.access.policy import must
from resolvers.core import inputs
from resolvers.core.arguments import ChangeRequestId, Expected, SpaceId
from resolvers.core.context import Context
from resolvers.core.declarations import Transactions, operation
from resolvers.core.errors import PreconditionFailed, invalid
from resolvers.core.json_schemas import NODES_SCHEMA
from resolvers.core.runners import run
from resolvers.core.scalars import JsonObject
from resolvers.drafts.bodies import weight_of
from resolvers.drafts.draft import Draft
from resolvers.drafts.operation_inputs import (
    DeleteFileInput,
    DeletePageInput,
    DeleteReusableContentInput,
    MovePageInput,
    RenamePageInput,
    SetVariablesInput,
    UpdatePageInput,
    UpdateReusableContentInput,
)
from resolvers.drafts.page_places import check_parent, follows_title, made_slug, moved_slug
from resolvers.merging.conflict_bodies import write_decision
from resolvers.merging.conflict_lists import NODES, VALUE, given
from resolvers.revisions import limits as content_limits
from resolvers.revisions.bodies_work import LIGHT, BodiesWork, lightly_locked
from resolvers.revisions.conflict_contents import (
    IN_DOCUMENTS,
    contents_of,
    look_at_conflicts_ahead,
)
from resolvers.revisions.rows import Page, content_of, file_of, page_of
from resolvers.revisions.write_targets import Target
from resolvers.writing.commits import commit_revision
from resolvers.writing.operations import Step, apply_steps, base_of
from resolvers.writing.received_files import Place, open_place

Json = dict[str, Any]


WHERE = "value"
# Fields of pages that can be given as a value, and the type of that; others are edited.
TEXTS = ("title", "slug", "description", "emoji", "icon", "condition")
FLAGS = ("hidden", "no_index", "no_robots_index")
NULLABLE = ("slug", "description", "emoji", "icon", "condition")


def delete_step(conflict: Conflict) -> Step:
    """The operation that removes the page of a conflict."""
    return Step("delete_page", DeletePageInput(page=strawberry.ID(conflict.page or "")), WHERE)


def custom_step(conflict: Conflict, value: Any) -> Step:
    """The operation that makes a conflict's content a value; Invalid when it cannot be that."""
    step = _STEPS[conflict.kind](conflict, value)
    inputs.check({WHERE: step.input})
    return step


def _field(conflict: Conflict, value: Any) -> Step:
    page, name = strawberry.ID(conflict.page or ""), conflict.field or ""
    if name in FLAGS:
        _must_be(isinstance(value, bool), "true or false")
    elif name in TEXTS:
        _must_be(isinstance(value, str) or (value is None and name in NULLABLE), "text")
    else:
        raise _edit_instead(f"the field {name!r} of a page")
    if name == "slug":
        return Step("rename_page", RenamePageInput(page=page, slug=Some(value)), WHERE)
    changes: dict[str, Any] = {name: Some(value)}
    return Step("update_page", UpdatePageInput(page=page, **changes), WHERE)


def _place(conflict: Conflict, value: Any) -> Step:
    allowed = isinstance(value, dict) and value.keys() <= {"parent", "order"} and "parent" in value
    _must_be(allowed, "an object with `parent`")
    parent = value["parent"]
    _must_be(parent is None or isinstance(parent, str), "an object whose `parent` is an id or null")
    page = strawberry.ID(conflict.page or "")
    return Step("move_page", MovePageInput(page=page, parent=Some(parent)), WHERE)


def _page(conflict: Conflict, value: Any) -> Step:
    if value is not None:
        raise _edit_instead("a page")
    return delete_step(conflict)


def _file(conflict: Conflict, value: Any) -> Step:
    if value is not None:
        raise _edit_instead("a file")
    file = strawberry.ID(conflict.file or "")
    return Step("delete_file", DeleteFileInput(file=file), WHERE)


def _content(conflict: Conflict, value: Any) -> Step:
    id = strawberry.ID(conflict.content or "")
    if conflict.field == "title":
        _must_be(isinstance(value, str), "text")
        changed = UpdateReusableContentInput(reusable_content=id, title=Some(value))
        return Step("update_reusable_content", changed, WHERE)
    if value is not None or conflict.field is not None:
        raise _edit_instead("a reusable content")
    return Step("delete_reusable_content", DeleteReusableContentInput(reusable_content=id), WHERE)


def _variable(conflict: Conflict, value: Any) -> Step:
    name = conflict.field or ""
    if value is None:
        return Step("set_variables", SetVariablesInput(remove=[name]), WHERE)
    return Step("set_variables", SetVariablesInput(set=JsonObject({name: value})), WHERE)


def _must_be(right: bool, what: str) -> None:
    if not right:
        raise invalid(WHERE, f"must hold {what}")


def _edit_instead(what: str) -> Exception:
    return invalid(
        WHERE,
        f"{what} is not given here: edit it, which settles the conflict, or resolve it with "
        "'ours' or 'theirs'",
    )


_STEPS: Mapping[ConflictKind, Callable[[Conflict, Any], Step]] = {
    ConflictKind.FIELD: _field,
    ConflictKind.PAGE_MOVED_TWICE: _place,
    ConflictKind.PAGE_CYCLE: _place,
    ConflictKind.PAGE_DELETED_EDITED: _page,
    ConflictKind.FILE: _file,
    ConflictKind.REUSABLE_CONTENT: _content,
    ConflictKind.VARIABLE: _variable,
}


PLACES = (ConflictKind.PAGE_MOVED_TWICE, ConflictKind.PAGE_CYCLE)
# How the engine names what it was given -> how callers name it.
ARGUMENTS = {"custom": "value", "resolution": "resolution"}
ConflictId = Annotated[strawberry.ID, inputs.argument("Id of the conflict.")]


@strawberry.input(description="How a conflict is settled.")
class ResolveConflictInput:
    resolution: ConflictResolution = inputs.field(
        "`ours` or `theirs`; `both` for blocks, one after the other; `custom` for what `value` or "
        "`markdown` says, or without them for the content as it is now.",
        required=True,
    )
    value: Maybe[JsonObject | None] = inputs.field(
        "With `custom`: a node or `nodes` for blocks and cells, else an object with `value`; null "
        f"removes it. {NODES_SCHEMA}"
    )
    markdown: str | None = inputs.text(
        "With `custom`, for blocks and cells with text: what stands there then.",
        max=content_limits.BODY,
    )


@operation(transactions=Transactions.IN_STEPS)
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
    place, work = Place(space_id, change_request_id, expected_revision), BodiesWork()
    ctx.worked_out = work.results
    return await lightly_locked(
        _weight(input) > LIGHT,
        lambda: _work_ahead(ctx, place, id, input, work),
        lambda bound: run(ctx, _resolve, place, id, input, work, bound),
    )


def _weight(input: ResolveConflictInput) -> int:
    """A lower bound of the work on a decision's content: its length."""
    value = None if input.value is None else input.value.value
    return len(input.markdown or "") + (0 if value is None else weight_of({"nodes": [value]}))


async def _work_ahead(
    ctx: Context, place: Place, id: str, input: ResolveConflictInput, work: BodiesWork
) -> None:
    """Decide in the newest body without a lock; only what that worked out stays."""
    work.bound(None)
    target = await open_place(ctx, place, lock=False)
    row = await _conflict(ctx, target, id, lock=False)
    conflict = conflict_of(row.data)
    custom = _custom(conflict, input)
    if conflict.kind in IN_DOCUMENTS and not _as_it_is(input, custom):
        draft = _draft(ctx, target, work)
        await _decide_body(draft, conflict, input, custom)
        await look_at_conflicts_ahead(ctx, work, target, await draft.changes())


@operation(takes_turns=True)
async def _resolve(
    ctx: Context,
    place: Place,
    id: str,
    input: ResolveConflictInput,
    work: BodiesWork,
    bound: int | None,
) -> MergeConflict:
    """Settle a conflict with everything locked."""
    work.bound(bound)
    target = await open_place(ctx, place)
    assert target.change_request is not None
    row = await _conflict(ctx, target, id, lock=True)
    conflict = conflict_of(row.data)
    custom = _custom(conflict, input)
    # First, so that what follows from the edit leaves it alone.
    row.resolution = input.resolution
    row.resolved_at = ctx.now()
    row.resolved_by_id = ctx.actor.user_id
    target.change_request.updated_at = ctx.now()
    await ctx.session.flush()
    if not _as_it_is(input, custom):
        await _apply(ctx, target, conflict, input, custom, work)
    return row


async def _conflict(ctx: Context, target: Target, id: str, *, lock: bool) -> MergeConflict:
    assert target.change_request is not None
    mine = MergeConflict.change_request_id == target.change_request.id
    return await must(ctx, MergeConflict, id, where=mine, lock=lock)


def _draft(ctx: Context, target: Target, work: BodiesWork) -> Draft:
    draft = Draft(ctx, target.revision, base_of(target))
    draft.work = work
    return draft


def _custom(conflict: Conflict, input: ResolveConflictInput) -> Any:
    """The value of the input, AS_IT_IS without one. What it says of documents is checked later."""
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
        return AS_IT_IS
    assert input.value is not None
    if input.value.value is None:
        return [] if conflict.kind is ConflictKind.BLOCK and of_nodes else None
    return _given(dict(input.value.value))


def _as_it_is(input: ResolveConflictInput, custom: Any) -> bool:
    """Whether a decision accepts the content as it is now."""
    is_custom = input.resolution is ConflictResolution.CUSTOM
    return is_custom and custom is AS_IT_IS and input.markdown is None


def _given(value: Json) -> Any:
    """The version that the value stands for; Invalid for an object that holds none."""
    if "object" not in value and value.keys() not in ({NODES}, {VALUE}):
        raise invalid("value", f"must be a node, or an object with `{NODES}` or `{VALUE}` alone")
    return given(value)


async def _apply(
    ctx: Context,
    target: Target,
    conflict: Conflict,
    input: ResolveConflictInput,
    custom: Any,
    work: BodiesWork,
) -> None:
    """Make the content what the decision says, if it is not that already."""
    if conflict.kind in IN_DOCUMENTS:
        draft = _draft(ctx, target, work)
        await _decide_body(draft, conflict, input, custom)
    elif input.resolution is ConflictResolution.CUSTOM:
        await apply_steps(ctx, target, [custom_step(conflict, custom)])
        return
    else:
        (content,) = await contents_of(ctx, target.revision, [conflict])
        with _said_of_resolution():
            decided = resolve(content, conflict, Resolution(input.resolution.value))
        if conflict.kind is ConflictKind.PAGE_DELETED_EDITED and decided is None:
            if content is not None:
                await apply_steps(ctx, target, [delete_step(conflict)])
            return
        draft = _draft(ctx, target, work)
        await _write(draft, conflict, content, decided)
    await commit_revision(ctx, target, await draft.changes())


async def _decide_body(
    draft: Draft, conflict: Conflict, input: ResolveConflictInput, custom: Any
) -> None:
    with _said_of_resolution():
        resolution = Resolution(input.resolution.value)
        await write_decision(draft, conflict, resolution, input.markdown, custom)


@contextmanager
def _said_of_resolution() -> Iterator[None]:
    """Say what does not allow a resolution as the caller calls it."""
    try:
        yield
    except ResolutionError as error:
        place, _, problem = str(error).partition(": ")
        if place not in ARGUMENTS:
            raise PreconditionFailed(str(error)) from error
        raise invalid(ARGUMENTS[place], problem) from error


async def _write(
    draft: Draft, conflict: Conflict, content: Json | None, decided: Json | None
) -> None:
    if conflict.kind is ConflictKind.VARIABLE:
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
    elif follows_title(old) and not follows_title(page) and page.slug == old.slug:
        page = replace(page, slug=await made_slug(draft, page))
    elif page.slug is not None and page.slug != old.slug:
        page = replace(page, slug=await made_slug(draft, page, page.slug))
    draft.put(page)
