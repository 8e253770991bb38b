"""Changes of pages, files and variables, with types (decision 0059).

References before and after mean things of the revision before and after.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from resolvers.content.change_rows import AttributeRow, BeforeAfter, ChangeRow
from resolvers.content.files import file_dimensions
from resolvers.content.pages import layout_of
from resolvers.core.context import Batch, Context
from resolvers.revisions.rows import Page
from resolvers.revisions.typed_references import Origin, typed_or_none
from resolvers.revisions.typed_values import (
    VariableChange,
    changed_variables,
    typed_cover,
    typed_source,
)


@dataclass(frozen=True, slots=True)
class TypedChange:
    """A typed value before and after; None where there was none."""

    before: Any
    after: Any


def _changes(name: str, about: str, typed: Callable[[Page], Any]) -> Batch:
    """The typed change of an attribute of pages; None for those in which it is the same."""

    async def changes(
        ctx: Context, rows: Sequence[AttributeRow], arguments: Any
    ) -> list[TypedChange | None]:
        return [_change(row) if name in row.changed else None for row in rows]

    def _change(row: AttributeRow) -> TypedChange:
        pages = row.changed["pages"]
        return TypedChange(typed(pages.before), typed(pages.after))

    function: Callable[..., Any] = changes
    function.__doc__, function.__name__ = about, f"typed_{name}_changes"
    return changes


cover_changes = _changes(
    "cover", "Covers before and after.", lambda page: typed_cover(page.cover, Origin.of(page))
)
target_changes = _changes(
    "target",
    "Where link pages led, and lead now.",
    lambda page: typed_or_none(page.target, Origin.of(page)),
)
source_changes = _changes(
    "computed",
    "Sources of computed pages before and after.",
    lambda page: typed_source(page.computed, Origin.of(page)),
)
layout_changes = _changes(
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
    sides = (("before", changed.before or {}), ("after", changed.after or {}))
    names = {name for _, values in sides for name in values}
    by_name = {
        name: {side: values[name] for side, values in sides if name in values} for name in names
    }
    return [change for change in changed_variables(by_name) if change.before != change.after]


async def space_variable_changes(
    ctx: Context, rows: Sequence[ChangeRow], arguments: Any
) -> list[list[VariableChange]]:
    """What changed of the variables of spaces, by name."""
    return [changed_variables(row.variables or {}) for row in rows]


async def dimension_changes(
    ctx: Context, rows: Sequence[AttributeRow], arguments: Any
) -> list[TypedChange | None]:
    """Sizes of images before and after; None where they are the same."""
    changed = [row.changed["files"] for row in rows if "dimensions" in row.changed]
    files = [file for change in changed for file in (change.before, change.after)]
    sizes = iter(await file_dimensions(ctx, files, None))
    return [
        TypedChange(next(sizes), next(sizes)) if "dimensions" in row.changed else None
        for row in rows
    ]
