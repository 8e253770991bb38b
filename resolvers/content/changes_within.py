"""Changes as fields of what changes content, and their typed values (decision 0059).

As many statements for one space, change request or revision as for fifty. References before and
after mean things of the revision before and after.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from db.models.change_requests import ChangeRequest
from db.models.content import Revision
from db.models.spaces import Space
from resolvers.content.changes import (
    COLUMNS,
    LIMIT,
    AttributeRow,
    BeforeAfter,
    Behind,
    ChangeRow,
    ChangesRow,
    Compared,
    Limit,
    Since,
    check_limit,
    compare,
    hidden_before,
    variable_changes,
)
from resolvers.content.files import file_dimensions
from resolvers.content.pages import layout_of
from resolvers.core.context import Batch, Context
from resolvers.core.errors import ApiError, NotFound
from resolvers.lists.batches import reads
from resolvers.revisions.read_targets import revisions_by_id
from resolvers.revisions.rows import Page
from resolvers.revisions.typed_references import Origin, typed_or_none
from resolvers.revisions.typed_values import (
    VariableChange,
    changed_variables,
    typed_cover,
    typed_source,
)


@dataclass(frozen=True, slots=True)
class RequestChangesArguments:
    """Which of the changes."""

    limit: Limit = LIMIT
    after: Behind = None


@dataclass(frozen=True, slots=True)
class ChangesArguments:
    """The revision to compare with, and which of the changes."""

    since: Since = None
    limit: Limit = LIMIT
    after: Behind = None


@dataclass(frozen=True, slots=True)
class _Comparison:
    """A revision and the one that it is compared with; None = its parent."""

    space_id: str
    revision_id: str
    before_id: str | None
    # What is compared, for messages, where the caller has not named the revision before.
    about: str | None
    # Changes of a change request are its own, whatever its revision was merged from.
    of_request: bool = False


@reads("id", "revision_id")
async def changes_of_spaces(
    ctx: Context, rows: Sequence[Space], arguments: ChangesArguments
) -> list[ChangesRow | ApiError]:
    """What the active revision of each space changed of its first parent, or of another one."""
    since = arguments.since
    comparisons = [_revision(row.id, row.revision_id, since) for row in rows]
    return await _changes(ctx, comparisons, arguments)


@reads("id", "space_id")
async def changes_of_revisions(
    ctx: Context, rows: Sequence[Revision], arguments: ChangesArguments
) -> list[ChangesRow | ApiError]:
    """What each revision changed of its first parent, or of another one."""
    comparisons = [_revision(row.space_id, row.id, arguments.since) for row in rows]
    return await _changes(ctx, comparisons, arguments)


def _revision(space_id: str, id: str, since: str | None) -> _Comparison:
    return _Comparison(space_id, id, since, f"revision {id!r}" if since is None else None)


@reads("id", "space_id", "revision_id", "revision_initial_id", "revision_merged_ancestor_id")
async def changes_of_change_requests(
    ctx: Context, rows: Sequence[ChangeRequest], arguments: RequestChangesArguments
) -> list[ChangesRow | ApiError]:
    """What each change request changes of the content that it began with or pulled last."""
    comparisons = [
        _Comparison(
            row.space_id,
            row.revision_id,
            row.revision_merged_ancestor_id or row.revision_initial_id,
            f"change request {row.id!r}",
            of_request=True,
        )
        for row in rows
    ]
    return await _changes(ctx, comparisons, arguments)


async def _changes(
    ctx: Context,
    comparisons: Sequence[_Comparison],
    arguments: ChangesArguments | RequestChangesArguments,
) -> list[ChangesRow | ApiError]:
    """The changes of each comparison, or the error that keeps them from the viewer."""
    check_limit(arguments.limit)
    afters = await revisions_by_id(
        ctx, {comparison.revision_id for comparison in comparisons}, COLUMNS
    )
    named = {
        comparison.before_id or _parent(afters.get(comparison.revision_id))
        for comparison in comparisons
    } - {None}
    befores = await revisions_by_id(ctx, {id for id in named if id is not None}, COLUMNS)
    pairs = [_pair(comparison, afters, befores) for comparison in comparisons]
    compared = [pair for pair in pairs if isinstance(pair, Compared)]
    rows = iter(await compare(ctx, compared, arguments.limit, arguments.after))
    return [next(rows) if isinstance(pair, Compared) else pair for pair in pairs]


def _parent(revision: Revision | None) -> str | None:
    return None if revision is None else next(iter(revision.parents), None)


def _pair(
    comparison: _Comparison, afters: Mapping[str, Revision], befores: Mapping[str, Revision]
) -> Compared | ApiError:
    after = afters.get(comparison.revision_id)
    if after is None:
        return NotFound(f"revision {comparison.revision_id!r} does not exist in the space")
    before_id = comparison.before_id or _parent(after)
    merged = None if comparison.of_request else after.merged_from_id
    if before_id is None:
        return Compared(None, after, merged)
    before = befores.get(before_id)
    if before is not None and before.space_id == comparison.space_id:
        return Compared(before, after, merged)
    if comparison.about is not None:
        return hidden_before(comparison.about)
    return NotFound(f"revision {before_id!r} does not exist in the space")


def _typed_changes(name: str, about: str, typed: Callable[[Page], Any]) -> Batch:
    """The typed change of an attribute of pages; None for those in which it is the same."""

    async def changes(
        ctx: Context, rows: Sequence[AttributeRow], arguments: Any
    ) -> list[BeforeAfter | None]:
        return [_change(row) if name in row.changed else None for row in rows]

    def _change(row: AttributeRow) -> BeforeAfter:
        pages = row.changed["pages"]
        return BeforeAfter(typed(pages.before), typed(pages.after))

    function: Callable[..., Any] = changes
    function.__doc__, function.__name__ = about, f"typed_{name}_changes"
    return changes


cover_changes = _typed_changes(
    "cover", "Covers before and after.", lambda page: typed_cover(page.cover, Origin.of(page))
)
target_changes = _typed_changes(
    "target",
    "Where link pages led, and lead now.",
    lambda page: typed_or_none(page.target, Origin.of(page)),
)
source_changes = _typed_changes(
    "computed",
    "Sources of computed pages before and after.",
    lambda page: typed_source(page.computed, Origin.of(page)),
)
layout_changes = _typed_changes(
    "layout", "Layouts before and after.", lambda page: layout_of(page.layout)
)


async def page_variable_changes(
    ctx: Context, rows: Sequence[AttributeRow], arguments: Any
) -> list[list[VariableChange] | None]:
    """What changed of the variables of pages, by name; None where nothing did."""
    return [_variables(row.changed.get("variables")) for row in rows]


def _variables(changed: BeforeAfter | None) -> list[VariableChange] | None:
    if changed is None:
        return None
    by_name = variable_changes(changed.before or {}, changed.after or {})
    return [change for change in changed_variables(by_name) if change.before != change.after]


async def space_variable_changes(
    ctx: Context, rows: Sequence[ChangeRow], arguments: Any
) -> list[list[VariableChange]]:
    """What changed of the variables of spaces, by name."""
    return [changed_variables(row.variables or {}) for row in rows]


async def dimension_changes(
    ctx: Context, rows: Sequence[AttributeRow], arguments: Any
) -> list[BeforeAfter | None]:
    """Sizes of images before and after; None where they are the same."""
    changed = [row.changed["files"] for row in rows if "dimensions" in row.changed]
    files = [file for change in changed for file in (change.before, change.after)]
    sizes = iter(await file_dimensions(ctx, files, None))
    return [
        BeforeAfter(next(sizes), next(sizes)) if "dimensions" in row.changed else None
        for row in rows
    ]
