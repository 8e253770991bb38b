"""Open conflicts while content moves on: where they are then, and what theirs has become."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from content.merge.conflict import Cell, Conflict, ConflictKind
from content.merge.entries import place_of
from content.merge.grids import Grid, matched_columns, matched_rows, table_in
from content.merge.nodes import Indexed, find
from content.merge.resolve import Json, field_of, is_settled
from content.merge.resolve_blocks import block_field
from content.merge.tables import cell_value, row_value

_PLACES: Final = frozenset({ConflictKind.PAGE_MOVED_TWICE, ConflictKind.PAGE_CYCLE})


def relocated(conflict: Conflict, before: Json | None, after: Json | None) -> Conflict:
    """The conflict with the ids that its row and column have in `after`.

    Ids of rows that only count them change when a row is put in above.
    """
    old, new = _grid(conflict, before), _grid(conflict, after)
    if conflict.cell is None or old is None or new is None:
        return conflict
    if isinstance(after, Indexed) and isinstance(before, Indexed):
        # A pair of versions is compared once, whatever the number of conflicts in it.
        key = "renamed", conflict.block, id(before)
        rows, columns = after.once(key, lambda: _renamed(old, new))
    else:
        rows, columns = _renamed(old, new)
    record, definition = conflict.cell.record, conflict.cell.definition
    cell = Cell(
        None if record is None else rows.get(record, record),
        None if definition is None else columns.get(definition, definition),
    )
    return conflict if cell == conflict.cell else replace(conflict, cell=cell)


def _renamed(old: Grid, new: Grid) -> tuple[dict[str, str], dict[str, str]]:
    """What rows and columns of a table are called in its next version, by their ids before."""
    columns = matched_columns(old, new)
    rows = matched_rows(old, new.renamed(columns, {}))
    by_old_ids = [
        {old_id: new_id for new_id, old_id in renamed.items()} for renamed in (rows, columns)
    ]
    return by_old_ids[0], by_old_ids[1]


def followed(conflict: Conflict, before: Json | None, after: Json | None) -> Conflict:
    """An open conflict after a pull: `theirs` is what the pull has brought instead of it.

    `before` and `after` are what `is_settled` would be given. What was decided before stays as
    it was, and so does a conflict about something that is gone.
    """
    moved = relocated(conflict, before, after)
    if after is None or is_settled(conflict, before) or not is_settled(moved, after):
        return moved
    try:
        return replace(moved, theirs=_theirs(moved, after))
    except LookupError:
        return moved


def _theirs(conflict: Conflict, content: Json) -> Any:
    """The version of theirs as content holds it; LookupError where it does not."""
    if conflict.kind is ConflictKind.CELL:
        return _cell(conflict, content)
    if conflict.kind is ConflictKind.BLOCK:
        return _block(conflict, content)
    if conflict.kind in _PLACES:
        return place_of(content)
    if conflict.field is not None:
        return field_of(content, conflict.field, conflict.kind)
    if conflict.theirs is None:
        raise LookupError("theirs has removed it, and what is there is of ours")
    return content


def _block(conflict: Conflict, document: Json) -> Any:
    if conflict.field is None:
        if conflict.theirs is None:
            raise LookupError("theirs has removed it, and what is there is of ours")
        return find(document, conflict.theirs["key"])
    block = find(document, conflict.block)
    if block is None:
        raise LookupError("the block is gone")
    return block_field(block, conflict.field)


def _cell(conflict: Conflict, document: Json) -> Any:
    grid, cell = _grid(conflict, document), conflict.cell
    if grid is None or cell is None:
        raise LookupError("the table is gone")
    if cell.definition is None:
        if conflict.theirs is None:
            raise LookupError("theirs has removed the row, and what is there is of ours")
        return row_value(grid.rows[cell.record or ""])
    column = grid.columns[cell.definition]
    if conflict.field is not None:
        return column.definition.get(conflict.field)
    if cell.record is not None:
        return cell_value(grid.rows[cell.record].cells.get(cell.definition))
    if conflict.theirs is None:
        raise LookupError("theirs has removed the column, and what is there is of ours")
    return {"id": cell.definition, **column.definition}


def _grid(conflict: Conflict, document: Json | None) -> Grid | None:
    """The table of a conflict of a cell, row or column."""
    if conflict.cell is None or document is None:
        return None
    return table_in(document, conflict.block)
