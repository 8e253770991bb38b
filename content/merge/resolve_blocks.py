"""Settling conflicts of blocks, their attributes, and cells, in a document."""

from __future__ import annotations

from typing import Any

from content.merge.blocks import SINGLE_FRAGMENTS
from content.merge.conflict import Cell, Conflict, ConflictKind, Resolution, ResolutionError
from content.merge.grids import (
    Grid,
    Row,
    cell_digest,
    grid_of,
    is_table,
    is_text_cell,
    table_in,
    table_parts,
)
from content.merge.nodes import (
    Node,
    UniqueKeys,
    canonical,
    children_of,
    derived_key,
    find,
    parent_of,
    replaced,
    same,
    same_nodes,
)

_GONE = "the conflict is about a block that is no longer there"


def resolve_in_document(
    document: Node, conflict: Conflict, resolution: Resolution, custom: Any
) -> Node:
    """The document with a conflict of a block or cell resolved; keys stay unique."""
    if conflict.kind is ConflictKind.CELL:
        resolved = _resolve_in_table(document, conflict, resolution, custom)
    elif conflict.field is not None:
        block = _block(document, conflict)
        value = _chosen(conflict, resolution, custom)
        resolved = replaced(document, {block["key"]: [_with_field(block, conflict.field, value)]})
    else:
        resolved = _resolve_block(document, conflict, resolution, custom)
    keys = UniqueKeys(conflict.id)
    return {**resolved, "nodes": keys.nodes(resolved["nodes"])}


def _chosen(conflict: Conflict, resolution: Resolution, custom: Any) -> Any:
    if resolution is Resolution.CUSTOM:
        return custom
    return conflict.ours if resolution is Resolution.OURS else conflict.theirs


def _block(document: Node, conflict: Conflict) -> Node:
    block = find(document, conflict.block)
    if block is None:
        raise ResolutionError(_GONE)
    return block


def _with_field(block: Node, field: str, value: Any) -> Node:
    if field == "type":
        if not isinstance(value, str) or not value:
            raise ResolutionError("custom: must be the type of a block")
        return {**block, "type": value}
    outer, _, name = field.rpartition(".")
    data = dict(block.get("data") or {})
    holder = dict(data.get(outer) or {}) if outer else data
    if value is None:
        holder.pop(name, None)
    else:
        holder[name] = value
    if outer:
        data[outer] = holder
    return {**block, "data": data}


def _resolve_block(document: Node, conflict: Conflict, resolution: Resolution, custom: Any) -> Node:
    versions = [node for node in (conflict.theirs, conflict.ours) if node is not None]
    present = [node["key"] for node in versions if find(document, node["key"]) is not None]
    if not present:
        raise ResolutionError(_GONE)
    if resolution is Resolution.BOTH:
        blocks_now = versions
        parent = parent_of(document, present[0])
        if parent is not None and _is_single(parent):
            blocks_now = [_joined(conflict.theirs, conflict.ours)]
    elif resolution is Resolution.CUSTOM:
        blocks_now = _checked_nodes(custom)
    else:
        chosen = _chosen(conflict, resolution, None)
        blocks_now = [] if chosen is None else [{**chosen, "key": conflict.block}]
    if blocks_now and blocks_now[0].get("key") is None:
        blocks_now = [{**blocks_now[0], "key": conflict.block}, *blocks_now[1:]]
    return replaced(document, {present[0]: blocks_now, **{key: [] for key in present[1:]}})


def _is_single(parent: Node) -> bool:
    return parent.get("fragment") in SINGLE_FRAGMENTS or parent.get("type") in SINGLE_FRAGMENTS


def _joined(theirs: Node, ours: Node) -> Node:
    """One paragraph with the text of both, where two have no place."""
    blank = {"object": "leaf", "text": " ", "marks": []}
    key = derived_key("blank", theirs["key"])
    between = {"object": "text", "key": key, "leaves": [blank]}
    return {**theirs, "nodes": [*children_of(theirs), between, *children_of(ours)]}


def _checked_nodes(custom: Any) -> list[Node]:
    nodes = custom if isinstance(custom, list) else [custom]
    if not all(isinstance(node, dict) and node.get("object") == "block" for node in nodes):
        raise ResolutionError("custom: must be a block or a list of blocks of a document")
    return nodes


def _resolve_in_table(
    document: Node, conflict: Conflict, resolution: Resolution, custom: Any
) -> Node:
    table, grid, cell = _table(document, conflict)
    if cell.record is not None and cell.definition is not None:
        if cell.record not in grid.rows or cell.definition not in grid.columns:
            raise ResolutionError("the conflict is about a cell that is no longer there")
        row = grid.rows[cell.record]
        value = _cell_value(conflict, resolution, custom, row.cells.get(cell.definition))
        cells = {n: v for n, v in row.cells.items() if n != cell.definition or value is not None}
        if value is not None:
            cells[cell.definition] = value
        grid.rows[cell.record] = Row(cells, row.rest)
    elif conflict.field is not None:
        column = grid.columns.get(cell.definition or "")
        if column is None:
            raise ResolutionError("the conflict is about a column that is no longer there")
        value = _chosen(conflict, resolution, custom)
        column.definition = {n: v for n, v in column.definition.items() if n != conflict.field}
        if value is not None:
            column.definition[conflict.field] = value
    elif _chosen(conflict, resolution, custom) is None:
        grid.rows.pop(cell.record or "", None)
        if grid.columns.pop(cell.definition or "", None) is not None:
            for row in grid.rows.values():
                row.cells.pop(cell.definition or "", None)
    data, fragments = table_parts(grid)
    return replaced(document, {table["key"]: [{**table, "data": data, "fragments": fragments}]})


def _table(document: Node, conflict: Conflict) -> tuple[Node, Grid, Cell]:
    table = _block(document, conflict)
    if not is_table(table) or conflict.cell is None:
        raise ResolutionError("the conflict is about a table that is no longer there")
    return table, grid_of(table), conflict.cell


def _cell_value(conflict: Conflict, resolution: Resolution, custom: Any, current: Any) -> Any:
    if resolution is Resolution.BOTH:
        added = [v for v in conflict.ours if isinstance(v, dict) or v not in conflict.theirs]
        value: Any = [*conflict.theirs, *added]
    else:
        value = _chosen(conflict, resolution, custom)
    is_text = is_text_cell(current)
    if not is_text and isinstance(value, list) and value and isinstance(value[0], dict):
        is_text = value[0].get("object") == "block"
    if not is_text or value is None:
        return value
    nodes = _checked_nodes(value)
    if is_text_cell(current):
        return {**current, "nodes": nodes}
    name = f"{conflict.cell}"
    key = derived_key("cell", conflict.block, name)
    return {"object": "fragment", "fragment": name, "key": key, "nodes": nodes}


def block_is_settled(conflict: Conflict, document: Node) -> bool:
    """Whether the document no longer holds what the merge left there."""
    if conflict.kind is ConflictKind.CELL:
        return _cell_is_settled(conflict, document)
    if conflict.field is not None:
        block = find(document, conflict.block)
        return block is None or canonical(block_field(block, conflict.field)) != canonical(
            conflict.theirs
        )
    versions = [node for node in (conflict.theirs, conflict.ours) if node is not None]
    for node in versions:
        current = find(document, node["key"])
        if current is not None and not same(current, node):
            return True
        if current is None:
            first = find(document, versions[0]["key"])
            parent = None if first is None else parent_of(document, versions[0]["key"])
            return node is versions[0] or parent is None or not _is_single(parent)
    return False


def block_field(block: Node, field: str) -> Any:
    """An attribute of a block, as conflicts name it; None without it."""
    if field == "type":
        return block.get("type")
    outer, _, name = field.rpartition(".")
    data = block.get("data") or {}
    return ((data.get(outer) or {}) if outer else data).get(name)


def _cell_is_settled(conflict: Conflict, document: Node) -> bool:
    grid, cell = table_in(document, conflict.block), conflict.cell
    if grid is None or cell is None:
        return True
    left = conflict.theirs if conflict.theirs is not None else conflict.ours
    row, column = grid.rows.get(cell.record or ""), grid.columns.get(cell.definition or "")
    if cell.definition is None:
        return row is None or not all(
            _holds(row.cells.get(name), value) for name, value in left.items()
        )
    if column is None or (cell.record is not None and row is None):
        return True
    if conflict.field is not None:
        return canonical(column.definition.get(conflict.field)) != canonical(conflict.theirs)
    if row is None:
        return canonical({"id": cell.definition, **column.definition}) != canonical(left)
    return not _holds(row.cells.get(cell.definition), conflict.theirs)


def _holds(current: Any, value: Any) -> bool:
    """Whether a cell still has the content that a conflict notes."""
    if is_text_cell(current):
        return isinstance(value, list) and same_nodes(current["nodes"], value)
    return cell_digest(current) == cell_digest(value)
