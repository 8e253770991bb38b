"""Tables as columns, rows and cells, with ids that mean the same in all versions."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

from content.merge.matching import match_nodes
from content.merge.nodes import Contents, Indexed, Node, canonical, digest, find

# Ids that count rows and columns, as reading Markdown gives them: they say where, not which.
COUNTED_ROW: Final = re.compile(r"row[0-9]+")
COUNTED_COLUMN: Final = re.compile(r"column[0-9]+")
# Attributes of a view that name a column.
_NAMING: Final = ("targetDefinition", "coverDefinition", "coverDefinitionDark")


@dataclass(slots=True)
class Column:
    """A definition without its id, and how the view shows it."""

    definition: dict[str, Any]
    shown: bool
    width: Any = None


@dataclass(slots=True)
class Row:
    """Cells by column; a cell with text is its fragment. `rest` is all else of the record."""

    cells: dict[str, Any]
    rest: dict[str, Any]

    def renamed(self, columns: dict[str, str]) -> Row:
        """The same with other ids of columns."""
        return Row({columns.get(id, id): cell for id, cell in self.cells.items()}, self.rest)


@dataclass(slots=True)
class Grid:
    """A table in parts; columns and rows are in the order of display."""

    columns: dict[str, Column] = field(default_factory=dict)
    rows: dict[str, Row] = field(default_factory=dict)
    view: dict[str, Any] = field(default_factory=dict)
    rest: dict[str, Any] = field(default_factory=dict)
    loose: list[Node] = field(default_factory=list)
    """Fragments that no cell names."""

    def renamed(self, columns: dict[str, str], rows: dict[str, str]) -> Grid:
        """The same with other ids; those that are not named stay."""
        view = {
            name: columns.get(value, value) if name in _NAMING else value
            for name, value in self.view.items()
        }
        return Grid(
            {columns.get(id, id): column for id, column in self.columns.items()},
            {rows.get(id, id): row.renamed(columns) for id, row in self.rows.items()},
            view,
            self.rest,
            self.loose,
        )


def is_table(node: Node) -> bool:
    """Whether a node is a table whose parts can be distinguished."""
    data = node.get("data") or {}
    if node.get("type") != "table":
        return False
    definition, records, view = (data.get(n) for n in ("definition", "records", "view"))
    return (
        isinstance(definition, dict)
        and all(isinstance(value, dict) for value in definition.values())
        and isinstance(records, dict)
        and all(
            isinstance(record, dict) and isinstance(record.get("values", {}), dict)
            for record in records.values()
        )
        and isinstance(view, dict)
        and isinstance(view.get("columns", []), list)
        and isinstance(view.get("columnWidths", {}), dict)
    )


def grid_of(table: Node) -> Grid:
    """The parts of a table that `is_table`."""
    data = table["data"]
    fragments = {str(part.get("fragment")): part for part in table.get("fragments") or []}
    view = dict(data["view"])
    shown = [str(id) for id in view.pop("columns", [])]
    widths = view.pop("columnWidths", {})
    grid = Grid(view=view)
    grid.rest = {n: v for n, v in data.items() if n not in ("definition", "records", "view")}
    for id in dict.fromkeys((*shown, *data["definition"])):
        if (definition := data["definition"].get(id)) is not None:
            own = {name: value for name, value in definition.items() if name != "id"}
            grid.columns[id] = Column(own, id in shown, widths.get(id))
    named: set[str] = set()
    records = sorted(data["records"].items(), key=lambda r: (str(r[1].get("orderIndex", "")), r[0]))
    for id, record in records:
        cells: dict[str, Any] = {}
        for column, value in record.get("values", {}).items():
            if isinstance(value, str) and value in fragments and value not in named:
                named.add(value)
                value = fragments[value]
            cells[column] = value
        rest = {name: value for name, value in record.items() if name != "values"}
        grid.rows[id] = Row(cells, rest)
    grid.loose = [part for name, part in fragments.items() if name not in named]
    return grid


def table_in(document: Node, key: str | None) -> Grid | None:
    """The parts of the table with this key; None without one. Nobody may change them."""

    def read() -> Grid | None:
        table = find(document, key)
        return grid_of(table) if table is not None and is_table(table) else None

    return document.once(("table", key), read) if isinstance(document, Indexed) else read()


def is_text_cell(value: Any) -> bool:
    """Whether a cell holds nodes and not a plain value."""
    return isinstance(value, dict) and value.get("object") == "fragment"


def cell_digest(value: Any) -> bytes:
    """A digest that cells of equal content share."""
    if is_text_cell(value):
        # Its name follows from where it stands.
        return digest({**value, "fragment": None})
    return canonical(value)


def table_parts(grid: Grid) -> tuple[dict[str, Any], list[Node]]:
    """The data and the fragments of a table; fragments are named after their cells."""
    fragments: list[Node] = []
    records: dict[str, Any] = {}
    taken: set[str] = set()
    order = [str(row.rest.get("orderIndex", "")) for row in grid.rows.values()]
    counted = all(COUNTED_ROW.fullmatch(id) for id in grid.rows) or any(
        above >= below for above, below in pairwise(order)
    )
    for position, (id, row) in enumerate(grid.rows.items()):
        values: dict[str, Any] = {}
        for column, value in row.cells.items():
            if is_text_cell(value):
                name = f"{id}-{column}"
                while name in taken:
                    name += "-"
                taken.add(name)
                fragments.append({**value, "fragment": name})
                value = name
            values[column] = value
        rest = {**row.rest, "orderIndex": f"{position:06d}"} if counted else row.rest
        records[id] = {**rest, "values": values}
    view = {**grid.view, "columns": [id for id, column in grid.columns.items() if column.shown]}
    widths = {id: c.width for id, c in grid.columns.items() if c.width is not None}
    if widths:
        view["columnWidths"] = widths
    definition = {id: {"id": id, **column.definition} for id, column in grid.columns.items()}
    fragments += [part for part in grid.loose if part.get("fragment") not in taken]
    return {**grid.rest, "view": view, "records": records, "definition": definition}, fragments


def matched_columns(base: Grid, side: Grid) -> dict[str, str]:
    """For columns of `side` the id of the same column in `base`."""
    says_which = not all(COUNTED_COLUMN.fullmatch(id) for id in (*base.columns, *side.columns))

    def nodes(grid: Grid) -> list[Node]:
        return [
            {
                "type": f"column {column.definition.get('type')}",
                "key": id if says_which else None,
                "data": {"title": column.definition.get("title")},
            }
            for id, column in grid.columns.items()
        ]

    return _matched(base.columns, side.columns, nodes(base), nodes(side))


def matched_rows(base: Grid, side: Grid) -> dict[str, str]:
    """For rows of `side`, whose columns have the ids of base, the id of the same row in `base`."""
    says_which = not all(COUNTED_ROW.fullmatch(id) for id in (*base.rows, *side.rows))
    shared = [id for id in base.columns if id in side.columns]

    def cell(value: Any) -> Node:
        if is_text_cell(value):
            return {"type": "cell", "nodes": value["nodes"]}
        return {"type": "cell", "data": {"value": value}}

    def nodes(grid: Grid) -> list[Node]:
        return [
            {
                "type": "row",
                "key": id if says_which else None,
                "nodes": [cell(row.cells.get(column)) for column in shared],
            }
            for id, row in grid.rows.items()
        ]

    return _matched(base.rows, side.rows, nodes(base), nodes(side))


def _matched(
    base: Iterable[str], side: Iterable[str], nodes: list[Node], others: list[Node]
) -> dict[str, str]:
    ids = list(base), list(side)
    return {ids[1][j]: ids[0][i] for i, j in match_nodes(nodes, others, Contents()).items()}
