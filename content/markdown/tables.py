"""Pipe tables as table blocks."""

from __future__ import annotations

from markdown_it.token import Token

from content.json_types import Json, JsonObject
from content.markdown.context import Context
from content.markdown.inlines import build_inlines
from content.markdown.nodes import Node, block, fragment, paragraph
from content.markdown.plain_text import plain_text

CELL_KIND = "table-cell"


def pipe_table(tokens: list[Token], context: Context) -> Node:
    """The table of the tokens between `table_open` and `table_close`."""
    rows: list[list[tuple[Token, Token]]] = []
    for position, token in enumerate(tokens):
        if token.type == "tr_open":
            rows.append([])
        elif token.type in ("th_open", "td_open"):
            rows[-1].append((token, tokens[position + 1]))
    definition: JsonObject = {}
    columns: list[Json] = []
    for index, (opening, cell) in enumerate(rows[0]):
        column = f"column{index + 1}"
        title = build_inlines(cell.children or [], context)
        style = str(opening.attrGet("style") or "")
        align = style.removeprefix("text-align:") or "left"
        columns.append(column)
        definition[column] = {
            "id": column,
            "title": plain_text(paragraph(title)),
            "type": "text",
            "textAlignment": align,
        }
    cells = [
        [paragraph(build_inlines(cell.children or [], context)) for _, cell in row]
        for row in rows[1:]
    ]
    records: JsonObject = {}
    fragments: list[Node] = []
    for row_index, row in enumerate(cells):
        values: JsonObject = {}
        for index, content in enumerate(row):
            name = f"row{row_index + 1}-column{index + 1}"
            values[f"column{index + 1}"] = name
            fragments.append(fragment(name, [content], CELL_KIND))
        records[f"row{row_index + 1}"] = {"orderIndex": row_order(row_index), "values": values}
    view: JsonObject = {"type": "grid", "columns": columns, "hideHeader": False}
    data: JsonObject = {"view": view, "records": records, "definition": definition}
    return block("table", None, data, fragments)


def row_order(index: int) -> str:
    """A sort key of fixed width, so that text order is row order."""
    return f"{index:06d}"
