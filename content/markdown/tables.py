"""Tables of Markdown and of HTML as table blocks: widths, hidden and typed columns, card views."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from markdown_it.token import Token

from content.documents.content_references import cell_item
from content.documents.nodes import Node, block, fragment, paragraph
from content.documents.plain_text import plain_text
from content.json_types import Json, JsonObject
from content.markdown.cell_blocks import CellBlocks, pipe_cells
from content.markdown.context import Context
from content.markdown.html_tree import Element
from content.markdown.inlines import build_html_inlines, build_inlines

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
        # A title is plain text: references to footnotes stay in how the head is spelled.
        title = build_inlines(
            [child for child in cell.children or [] if child.type != "footnote_ref"], context
        )
        style = str(opening.attrGet("style") or "")
        align = style.removeprefix("text-align:") or "left"
        columns.append(column)
        definition[column] = {
            "id": column,
            "title": plain_text(paragraph(title)),
            "type": "text",
            "textAlignment": align,
        }
    contents = [cell for row in rows[1:] for _, cell in row]
    blocks = pipe_cells(contents, context, html_table)
    built = iter(
        blocks.get(place) or [paragraph(build_inlines(cell.children or [], context))]
        for place, cell in enumerate(contents)
    )
    cells = [[next(built) for _ in row] for row in rows[1:]]
    records: JsonObject = {}
    fragments: list[Node] = []
    for row_index, row in enumerate(cells):
        values: JsonObject = {}
        for index, content in enumerate(row):
            name = f"row{row_index + 1}-column{index + 1}"
            values[f"column{index + 1}"] = name
            fragments.append(fragment(name, content, CELL_KIND))
        records[f"row{row_index + 1}"] = {"orderIndex": row_order(row_index), "values": values}
    view: JsonObject = {"type": "grid", "columns": columns, "hideHeader": False}
    data: JsonObject = {"view": view, "records": records, "definition": definition}
    return block("table", None, data, fragments)


def row_order(index: int) -> str:
    """A sort key of fixed width, so that text order is row order."""
    return f"{index:06d}"


_TEXT_ALIGN = re.compile(r"\s*text-align\s*:\s*(left|center|right)\s*;?\s*")
_NUMBER = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{1,30})?")
_HEAD_ATTRIBUTES = frozenset(
    {
        "width",
        "align",
        "valign",
        "style",
        "data-hidden",
        "data-type",
        "data-max",
        "data-multiple",
        "data-card-target",
        "data-card-cover",
        "data-card-cover-dark",
    }
)


class _UnreadableError(Exception):
    """A part of a table that a table block cannot hold."""


@dataclass(frozen=True, slots=True)
class _Column:
    id: str
    kind: str
    head: Element

    def has(self, attribute: str) -> bool:
        return is_true(self.head.tag.attributes.get(attribute, "false"))


def html_table(table: Element, context: Context) -> Node | None:
    """The block of a `<table>`; None when it has parts that a table block cannot hold."""
    try:
        return _table(table, context)
    except _UnreadableError:
        return None


def is_true(value: str) -> bool:
    """Whether an attribute is set: one without a value counts as true."""
    return value.lower() != "false"


def _table(table: Element, context: Context) -> Node:
    head, *body = _rows(table)
    columns = [
        _Column(f"column{index + 1}", cell.tag.attributes.get("data-type", "text"), cell)
        for index, cell in enumerate(head)
    ]
    definition: JsonObject = {column.id: _definition(column, context) for column in columns}
    records: JsonObject = {}
    fragments: list[Node] = []
    cells = CellBlocks(context, html_table)
    for index, row in enumerate(body):
        if len(row) > len(columns):
            raise _UnreadableError
        values: JsonObject = {}
        for column, cell in zip(columns, row, strict=False):
            if set(cell.tag.attributes) - {"align", "valign", "width", "style"}:
                raise _UnreadableError
            _alignment(cell)
            if column.kind == "text":
                name = f"row{index + 1}-{column.id}"
                fragments.append(fragment(name, cells.read(cell), CELL_KIND))
                values[column.id] = name
            else:
                values[column.id] = _VALUES[column.kind](cell, context)
        records[f"row{index + 1}"] = {"orderIndex": row_order(index), "values": values}
    attributes = dict(table.tag.attributes)
    data: JsonObject = {
        "view": _view(attributes, columns),
        "records": records,
        "definition": definition,
    }
    if "data-full-width" in attributes:
        data["fullWidth"] = is_true(attributes.pop("data-full-width"))
    if attributes:
        data["attributes"] = {**attributes}
    return block("table", None, data, fragments)


def _rows(table: Element) -> list[list[Element]]:
    """Cells by row, the first row being the head."""
    rows: list[Element] = []
    for part in table.elements():
        if part.name in ("thead", "tbody") and not part.has_own_text():
            rows.extend(part.elements())
        else:
            rows.append(part)
    if not rows or table.has_own_text() or any(row.name != "tr" for row in rows):
        raise _UnreadableError
    cells = [row.elements() for row in rows]
    if any(row.has_own_text() for row in rows) or not cells[0]:
        raise _UnreadableError
    if any(cell.name != "th" for cell in cells[0]):
        raise _UnreadableError
    if any(cell.name != "td" for row in cells[1:] for cell in row):
        raise _UnreadableError
    return cells


def _view(attributes: dict[str, str], columns: list[_Column]) -> JsonObject:
    """The view of a table; takes what it uses out of `attributes`."""
    shown: list[Json] = [column.id for column in columns if not column.has("data-hidden")]
    if attributes.get("data-view") == "cards":
        del attributes["data-view"]
        size = "large" if attributes.pop("data-card-size", "") == "large" else "medium"
        view: JsonObject = {"type": "cards", "cardSize": size, "columns": shown}
        for attribute, key in (
            ("data-card-target", "targetDefinition"),
            ("data-card-cover", "coverDefinition"),
            ("data-card-cover-dark", "coverDefinitionDark"),
        ):
            marked = [column.id for column in columns if column.has(attribute)]
            if marked:
                view[key] = marked[0]
        if "data-column-title-hidden" in attributes:
            view["hideColumnTitle"] = is_true(attributes.pop("data-column-title-hidden"))
        return view
    hide = is_true(attributes.pop("data-header-hidden", "false"))
    view = {"type": "grid", "columns": shown, "hideHeader": hide}
    widths: JsonObject = {}
    for column in columns:
        width = column.head.tag.attributes.get("width", "").removesuffix("px")
        if _NUMBER.fullmatch(width) and "e" not in repr(_number_of(width)):
            widths[column.id] = _number_of(width)
    if widths:
        view["columnWidths"] = widths
    return view


def _definition(column: _Column, context: Context) -> JsonObject:
    attributes = column.head.tag.attributes
    if set(attributes) - _HEAD_ATTRIBUTES:
        raise _UnreadableError
    kind = column.kind
    options = [child for child in column.head.elements() if child.name == "select"]
    source = column.head.inner
    for select in options:
        source = source.replace(select.inner, "").replace(select.tag.source + "</select>", "")
    title = plain_text(paragraph(build_html_inlines(source, context)))
    definition: JsonObject = {"id": column.id, "title": title, "type": kind}
    if kind == "text":
        definition["textAlignment"] = _alignment(column.head)
        if "valign" in attributes:
            definition["verticalAlignment"] = attributes["valign"]
    elif kind == "rating":
        definition["max"] = _number_of(attributes.get("data-max", "5"))
    elif kind == "users":
        definition["multiple"] = column.has("data-multiple")
    elif kind == "select":
        definition["multiple"] = column.has("data-multiple") or any(
            is_true(s.tag.attributes.get("multiple", "false")) for s in options
        )
        definition["options"] = [
            {
                "value": option.tag.attributes.get("value", ""),
                "label": option.tag.attributes.get("label") or option.text(),
                "color": option.tag.attributes.get("color", ""),
            }
            for select in options
            for option in select.elements()
        ]
    elif kind not in _VALUES:
        raise _UnreadableError
    return definition


def _alignment(cell: Element) -> str:
    """Horizontal alignment from `align` or, as older writers have it, from `style`."""
    style = cell.tag.attributes.get("style")
    if style is None:
        align = cell.tag.attributes.get("align", "left")
        return align if align in ("left", "center", "right") else "left"
    match = _TEXT_ALIGN.fullmatch(style)
    if match is None:
        raise _UnreadableError
    return match.group(1)


def _number_of(value: str) -> int | float:
    if not _NUMBER.fullmatch(value):
        raise _UnreadableError
    return float(value) if "." in value else int(value)


def _number(cell: Element, context: Context) -> Json:
    content = cell.text().strip()
    return _number_of(content) if content else None


def _checkbox(cell: Element, context: Context) -> Json:
    content = cell.text().strip().lower()
    if content not in ("true", "false", ""):
        raise _UnreadableError
    return content == "true"


def _select(cell: Element, context: Context) -> Json:
    chosen = cell.elements()
    if any("data-option" not in element.tag.attributes for element in chosen):
        raise _UnreadableError
    if cell.has_own_text() and cell.text().strip(" ,\n") != "".join(e.text() for e in chosen):
        # Only separators may stand between the options.
        own = [child for child in cell.children if isinstance(child, str)]
        if "".join(own).strip(" ,\n"):
            raise _UnreadableError
    return [element.tag.attributes["data-option"] for element in chosen]


def _links(cell: Element) -> list[str]:
    """The targets of a cell that holds nothing but links."""
    if not cell.children:
        return []
    elements = cell.elements()
    if cell.has_own_text() or any(
        e.name != "a" or "href" not in e.tag.attributes for e in elements
    ):
        raise _UnreadableError
    return [element.tag.attributes["href"] for element in elements]


def _reference(cell: Element, context: Context) -> Json:
    urls = _links(cell)
    if len(urls) > 1:
        raise _UnreadableError
    return context.reference(urls[0]) if urls else None


def _image(cell: Element, context: Context) -> Json:
    elements = cell.elements()
    if len(elements) == 1 and elements[0].name == "img" and not cell.has_own_text():
        return context.reference(elements[0].tag.attributes.get("src", ""))
    reference = _reference(cell, context)
    fit = elements[0].tag.attributes.get("data-object-fit") if elements else None
    return reference if fit is None else {"ref": reference, "objectFit": fit}


def _files(cell: Element, context: Context) -> Json:
    return [cell_item("files", context.reference(url)) for url in _links(cell)]


def _users(cell: Element, context: Context) -> Json:
    return [cell_item("users", context.reference(url)) for url in _links(cell)]


_VALUES: dict[str, Callable[[Element, Context], Json]] = {
    "checkbox": _checkbox,
    "content-ref": _reference,
    "files": _files,
    "image": _image,
    "number": _number,
    "rating": _number,
    "select": _select,
    "users": _users,
}
