"""Three-way merge of tables: columns and rows by id, then cell by cell."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from content.merge.conflict import Cell
from content.merge.grids import (
    COUNTED_COLUMN,
    COUNTED_ROW,
    Column,
    Grid,
    Row,
    cell_digest,
    grid_of,
    is_text_cell,
    matched_columns,
    matched_rows,
    table_parts,
)
from content.merge.nodes import Node, canonical
from content.merge.sequences import merge_order
from content.merge.texts import merge_values

if TYPE_CHECKING:
    from content.merge.blocks import BlockMerge


def merge_table(merge: BlockMerge, merged: Node, base: Node, ours: Node, theirs: Node) -> Node:
    """`merged` with the data and fragments of a table that both sides changed."""
    return _TableMerge(merge, merged, grid_of(base), grid_of(ours), grid_of(theirs)).run()


class _TableMerge:
    def __init__(
        self, merge: BlockMerge, merged: Node, base: Grid, ours: Grid, theirs: Grid
    ) -> None:
        self._merge, self._merged = merge, merged
        theirs = _with_ids_of(base, theirs)
        ours = _apart(base, _with_ids_of(base, ours), theirs)
        columns = merge_order(list(base.columns), list(ours.columns), list(theirs.columns), _all)
        rows = merge_order(list(base.rows), list(ours.rows), list(theirs.rows), _all)
        self._grids = base, ours, theirs
        columns = [id for id in columns if self._column_stays(id)]
        rows = [id for id in rows if self._row_stays(id)]
        names = _counted(columns, COUNTED_COLUMN, "column"), _counted(rows, COUNTED_ROW, "row")
        # From here on by the ids that the result has, because conflicts name them. What goes
        # may have one of them, so it is left out.
        known_ids = set(columns), set(rows)
        self._base, self._ours, self._theirs = (
            _only(grid, *known_ids).renamed(*names) for grid in self._grids
        )
        self._columns = [names[0].get(id, id) for id in columns]
        self._rows = [names[1].get(id, id) for id in rows]

    def run(self) -> Node:
        result = Grid(loose=self._theirs.loose)
        result.columns = {id: self._column(id) for id in self._columns}
        result.rows = {id: self._row(id) for id in self._rows}
        result.view = self._fields("view.", *(g.view for g in self._sides()))
        result.rest = self._fields("", *(g.rest for g in self._sides()))
        self._merged["data"], self._merged["fragments"] = table_parts(result)
        return self._merged

    def _sides(self) -> tuple[Grid, Grid, Grid]:
        return self._base, self._ours, self._theirs

    def _fields(self, prefix: str, *values: dict[str, Any]) -> dict[str, Any]:
        merged, clashing = merge_values(*values)
        for name in clashing:
            self._merge.note(self._merged, *(v.get(name) for v in values), field=prefix + name)
        return merged

    def _column_stays(self, id: str) -> bool:
        base, ours, theirs = self._grids
        if id not in base.columns or (id in ours.columns and id in theirs.columns):
            return True
        side = ours if id in ours.columns else theirs
        return id in side.columns and _column_content(base, id) != _column_content(side, id, base)

    def _row_stays(self, id: str) -> bool:
        base, ours, theirs = self._grids
        if id not in base.rows or (id in ours.rows and id in theirs.rows):
            return True
        side = ours if id in ours.rows else theirs
        return id in side.rows and any(
            cell_digest(base.rows[id].cells.get(column))
            != cell_digest(side.rows[id].cells.get(column))
            for column in base.columns
            if column in side.columns
        )

    def _column(self, id: str) -> Column:
        columns = [grid.columns.get(id) for grid in self._sides()]
        base, ours, theirs = columns
        if ours is None or theirs is None:
            if base is not None:
                values = [None if c is None else {"id": id, **c.definition} for c in columns]
                self._merge.note(self._merged, *values, cell=Cell(definition=id))
            rest = theirs or ours
            assert rest is not None
            return rest
        old = base.definition if base is not None else {}
        definition, clashing = merge_values(old, ours.definition, theirs.definition)
        for name in clashing:
            values = [c.definition.get(name) if c is not None else None for c in columns]
            self._merge.note(self._merged, *values, cell=Cell(definition=id), field=name)
        shown, width = theirs.shown, theirs.width
        if base is not None and theirs.shown == base.shown:
            shown = ours.shown
        if base is not None and canonical(theirs.width) == canonical(base.width):
            width = ours.width
        return Column(definition, shown, width)

    def _row(self, id: str) -> Row:
        rows = [grid.rows.get(id) for grid in self._sides()]
        base, ours, theirs = rows
        if ours is None or theirs is None:
            if base is not None:
                values = [None if row is None else row_value(row) for row in rows]
                self._merge.note(self._merged, *values, cell=Cell(record=id))
            rest = theirs or ours
            assert rest is not None
            cells = {c: v for c, v in rest.cells.items() if c in self._columns}
            return Row(cells, rest.rest)
        cells = {}
        for column in self._columns:
            sides = [
                row
                for row, grid in ((theirs, self._theirs), (ours, self._ours))
                if column in grid.columns
            ]
            if len(sides) == 1:
                value = sides[0].cells.get(column)
            else:
                old = base.cells.get(column) if base is not None else None
                value = self._cell(
                    id, column, old, ours.cells.get(column), theirs.cells.get(column)
                )
            if value is not None or any(column in row.cells for row in sides):
                cells[column] = value
        return Row(cells, theirs.rest)

    def _cell(self, row: str, column: str, base: Any, ours: Any, theirs: Any) -> Any:
        digests = [cell_digest(value) for value in (base, ours, theirs)]
        if digests[1] in (digests[0], digests[2]):
            return theirs
        if digests[2] == digests[0]:
            return ours
        noted = len(self._merge.drafts)
        if is_text_cell(ours) and is_text_cell(theirs):
            old = base["nodes"] if is_text_cell(base) else []
            nodes = self._merge.lists(old, ours["nodes"], theirs["nodes"])
            if len(self._merge.drafts) == noted:
                return {**theirs, "nodes": nodes}
            del self._merge.drafts[noted:]
        values = [cell_value(value) for value in (base, ours, theirs)]
        self._merge.note(self._merged, *values, cell=Cell(row, column))
        return theirs


def _all(id: str) -> bool:
    return True


def _with_ids_of(base: Grid, side: Grid) -> Grid:
    """The side, in which what is in base has the id it has there, and nothing else has one."""
    columns = _renaming(matched_columns(base, side), list(side.columns), set(base.columns))
    side = side.renamed(columns, {})
    rows = _renaming(matched_rows(base, side), list(side.rows), set(base.rows))
    return side.renamed({}, rows)


def _apart(base: Grid, ours: Grid, theirs: Grid) -> Grid:
    """Ours, with other ids for what theirs added under the same id with other content."""
    columns = {
        id
        for id, column in ours.columns.items()
        if id not in base.columns
        and id in theirs.columns
        and canonical(column.definition) != canonical(theirs.columns[id].definition)
    }
    taken = {*base.columns, *ours.columns, *theirs.columns}
    ours = ours.renamed({id: _fresh(id, taken) for id in sorted(columns)}, {})
    rows = {
        id
        for id, row in ours.rows.items()
        if id not in base.rows
        and id in theirs.rows
        and any(
            cell_digest(row.cells.get(c)) != cell_digest(theirs.rows[id].cells.get(c))
            for c in (*row.cells, *theirs.rows[id].cells)
        )
    }
    taken = {*base.rows, *ours.rows, *theirs.rows}
    return ours.renamed({}, {id: _fresh(id, taken) for id in sorted(rows)})


def _renaming(matched: dict[str, str], ids: list[str], reserved: set[str]) -> dict[str, str]:
    names = dict(matched)
    taken = reserved | set(ids)
    for id in ids:
        if id not in names and id in reserved:
            names[id] = _fresh(id, taken)
    return names


def _fresh(id: str, taken: set[str]) -> str:
    """An id of the same pattern that is not taken; it is from now on."""
    stem = id.rstrip("0123456789")
    number = 1
    while f"{stem}{number}" in taken:
        number += 1
    taken.add(f"{stem}{number}")
    return f"{stem}{number}"


def _counted(ids: list[str], pattern: re.Pattern[str], stem: str) -> dict[str, str]:
    """Ids that only count are counted anew."""
    if not all(pattern.fullmatch(id) for id in ids):
        return {}
    return {id: f"{stem}{number}" for number, id in enumerate(ids, start=1)}


def _only(grid: Grid, columns: set[str], rows: set[str]) -> Grid:
    """The grid without the columns and rows that are not among these."""
    attributes = {
        id: Row({c: v for c, v in row.cells.items() if c in columns}, row.rest)
        for id, row in grid.rows.items()
        if id in rows
    }
    shown = {id: column for id, column in grid.columns.items() if id in columns}
    return Grid(shown, attributes, grid.view, grid.rest, grid.loose)


def _column_content(grid: Grid, id: str, within: Grid | None = None) -> bytes:
    """A column's definition and cells, in the rows of `within`, as far as both have them."""
    rows = grid.rows if within is None else {i: r for i, r in grid.rows.items() if i in within.rows}
    cells = {i: cell_digest(row.cells.get(id)).hex() for i, row in rows.items()}
    return canonical([grid.columns[id].definition, cells])


def cell_value(value: Any) -> Any:
    """A cell for a conflict: its nodes, or the plain value."""
    return value["nodes"] if is_text_cell(value) else value


def row_value(row: Row) -> dict[str, Any]:
    """A row for a conflict: its cells by column."""
    return {column: cell_value(value) for column, value in row.cells.items()}
