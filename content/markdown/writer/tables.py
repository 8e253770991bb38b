"""Tables: with pipes when all is plain text, else in HTML."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from dataclasses import dataclass

from content.documents.content_references import cell_reference
from content.documents.nodes import Node, children_of, data_of
from content.json_types import Json, JsonObject
from content.markdown.cell_blocks import holds_blocks
from content.markdown.table_styles import rule_sides
from content.markdown.writer.code import preformatted
from content.markdown.writer.inline_nodes import html_inlines
from content.markdown.writer.inlines import line_text, text_line
from content.markdown.writer.writing import (
    UnwritableError,
    Writing,
    attribute,
    attributes,
    html_text,
    kept_attributes,
    kept_edges,
)


def value_cell(value: Json, column: JsonObject, writing: Writing) -> str:
    """The content of a cell with a value of the column's type."""
    write = _CELLS.get(str(column.get("type")))
    if write is None:
        raise UnwritableError
    return write(value, column, writing)


def _number(value: Json, column: JsonObject, writing: Writing) -> str:
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise UnwritableError
    text = repr(value)
    if "e" in text or "n" in text:
        raise UnwritableError
    return text


def _checkbox(value: Json, column: JsonObject, writing: Writing) -> str:
    return "true" if value is True else "false"


def _select_cell(value: Json, column: JsonObject, writing: Writing) -> str:
    options = column.get("options")
    labels = {
        str(option.get("value")): str(option.get("label", ""))
        for option in (options if isinstance(options, list) else [])
        if isinstance(option, dict)
    }
    return ", ".join(
        f'<span data-option="{attribute(chosen)}">{html_text(labels.get(str(chosen), ""))}</span>'
        for chosen in (value if isinstance(value, list) else [])
    )


def _reference(value: Json, column: JsonObject, writing: Writing) -> str:
    if value is None:
        return ""
    if not isinstance(value, dict):
        raise UnwritableError
    url = writing.url(value)
    return f'<a href="{attribute(url)}">{html_text(posixpath.basename(url) or url)}</a>'


def _image(value: Json, column: JsonObject, writing: Writing) -> str:
    if isinstance(value, dict) and "ref" in value:
        fit = value.get("objectFit")
        if not isinstance(value["ref"], dict) or value.keys() - {"ref", "objectFit"}:
            raise UnwritableError
        written = _reference(value["ref"], column, writing)
        if fit is None:
            return written
        return written.replace("<a ", f'<a data-object-fit="{attribute(fit)}" ', 1)
    return _reference(value, column, writing)


def _references(value: Json, column: JsonObject, writing: Writing) -> str:
    items = value if isinstance(value, list) else []
    return "".join(
        _reference(cell_reference(column.get("type"), item) or item, column, writing)
        for item in items
    )


_CELLS: dict[str, Callable[[Json, JsonObject, Writing], str]] = {
    "checkbox": _checkbox,
    "content-ref": _reference,
    "files": _references,
    "image": _image,
    "number": _number,
    "rating": _number,
    "select": _select_cell,
    "users": _references,
}


_HEADINGS = {"heading-1": "h2", "heading-2": "h3", "heading-3": "h4"}
_CELL_ELEMENTS = {
    "paragraph": "p", "blockquote": "blockquote", "list-unordered": "ul", "list-tasks": "ul",
    "list-ordered": "ol", **_HEADINGS,
}  # fmt: skip
# The data that each kind of block in a cell may have.
_CELL_DATA = {"paragraph": {"align"}, "list-ordered": {"start"}} | {
    heading: {"align", "id"} for heading in _HEADINGS
}
_SIDES = {"start": "left", "center": "center", "end": "right"}
_LEFT = {":---": ":---"}
_RULES = {"left": "---", "center": ":---:", "right": "---:"}
_HEAD_FLAGS = (
    ("targetDefinition", "data-card-target"),
    ("coverDefinition", "data-card-cover"),
    ("coverDefinitionDark", "data-card-cover-dark"),
)


@dataclass(frozen=True, slots=True)
class _Table:
    node: Node
    view: JsonObject
    columns: list[JsonObject]
    # The values of each row by column.
    rows: list[JsonObject]
    fragments: dict[str, list[Node]]

    def cell(self, row: JsonObject, column: JsonObject) -> list[Node]:
        """The blocks of a cell of text."""
        name = row.get(str(column["id"]))
        return self.fragments.get(name, []) if isinstance(name, str) else []


def table(node: Node, writing: Writing) -> str:
    read = _read(node)
    return _pipes(read, writing) if _is_plain(read) else _html(read, writing)


def _read(node: Node) -> _Table:
    data = data_of(node)
    view, records, definition = (data.get(name) for name in ("view", "records", "definition"))
    if not isinstance(view, dict) or not isinstance(records, dict):
        raise UnwritableError
    if not isinstance(definition, dict) or not definition:
        raise UnwritableError
    columns = [
        {**column, "id": id} for id, column in definition.items() if isinstance(column, dict)
    ]
    order = view.get("columns")
    shown = [id for id in order if isinstance(id, str)] if isinstance(order, list) else []
    # Columns that are shown in another order than they are defined stand in that order.
    places = {id: place for place, id in enumerate(shown)}
    if [column["id"] for column in columns if column["id"] in places] != shown:
        columns.sort(key=lambda column: places.get(str(column["id"]), len(places)))
    rows = sorted(
        (record for record in records.values() if isinstance(record, dict)),
        key=lambda record: str(record.get("orderIndex", "")),
    )
    values = [row.get("values") for row in rows]
    fragments = node.get("fragments")
    cells = {
        str(part.get("fragment")): children_of(part)
        for part in (fragments if isinstance(fragments, list) else [])
        if isinstance(part, dict)
    }
    values_of_rows = [row if isinstance(row, dict) else {} for row in values]
    return _Table(node, view, columns, values_of_rows, cells)


def _is_plain(read: _Table) -> bool:
    """Whether a pipe table can hold all of a table block."""
    if read.view.get("type") != "grid" or read.view.get("hideHeader") is True:
        return False
    if read.view.keys() - {"type", "columns", "hideHeader"}:
        return False
    if read.view.get("columns") != [column["id"] for column in read.columns]:
        return False
    if data_of(read.node).keys() - {"view", "records", "definition"}:
        return False
    for column in read.columns:
        alignment = column.get("textAlignment", "left")
        if column.get("type") != "text" or not isinstance(alignment, str):
            return False
        if alignment not in _RULES:
            return False
        if column.keys() - {"id", "title", "type", "textAlignment"}:
            return False
        for row in read.rows:
            cell = read.cell(row, column)
            if len(cell) > 1 or any(part.get("type") != "paragraph" for part in cell):
                return False
            if any(data_of(part) for part in cell):
                return False
    return True


def _pipes(read: _Table, writing: Writing) -> str:
    titles = [text_line(str(column.get("title", "")), writing) for column in read.columns]
    own_titles = writing.here.get("titles")
    for index, own in enumerate(own_titles if isinstance(own_titles, list) else ()):
        if isinstance(own, str) and index < len(titles) and "\n" not in own:
            titles[index] = own
    sides = [str(column.get("textAlignment", "left")) for column in read.columns]
    left = _LEFT.get(str(writing.style("rule")), _RULES["left"])
    rules = [left if side == "left" else _RULES[side] for side in sides]
    rows = [titles]
    for row in read.rows:
        cells = [read.cell(row, column) for column in read.columns]
        rows.append([line_text(children_of(cell[0]), writing) if cell else "" for cell in cells])
    # Whatever stands before a pipe, one backslash makes it text.
    rows = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    widths = [0] * len(rules)
    if writing.style("padded") is True:
        widths = [max(3, *map(len, column)) for column in zip(*rows, strict=True)]
        rules = [
            "-" * width if side == "left" else rule
            for side, rule, width in zip(sides, rules, widths, strict=True)
        ]
    lines = [_row(row, widths) for row in rows]
    own = writing.here.get("rules")
    if isinstance(own, str) and "\n" not in own and rule_sides(own) == sides:
        lines.insert(1, own)
    else:
        lines.insert(1, f"| {' | '.join(rules)} |")
    return "\n".join(lines)


def _row(cells: list[str], widths: list[int]) -> str:
    shown = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
    return "|" + "".join(f" {cell} |" for cell in shown)


def _html(read: _Table, writing: Writing) -> str:
    data = data_of(read.node)
    cards = read.view.get("type") == "cards"
    members = {"type", "columns", "hideHeader", "columnWidths"}
    if cards:
        members = {
            "type",
            "columns",
            "cardSize",
            "hideColumnTitle",
            *(key for key, _ in _HEAD_FLAGS),
        }
    if read.view.get("type") not in ("grid", "cards") or read.view.keys() - members:
        raise UnwritableError
    if data.keys() - {"view", "records", "definition", "fullWidth", "attributes"}:
        raise UnwritableError
    options: list[tuple[str, Json]] = []
    flags = ""
    if cards:
        options.append(("data-view", "cards"))
        if read.view.get("cardSize") == "large":
            options.append(("data-card-size", "large"))
        flags += _flag("data-column-title-hidden", read.view.get("hideColumnTitle"))
    elif read.view.get("hideHeader"):
        flags += " data-header-hidden"
    options.append(("data-full-width", data.get("fullWidth")))
    head = "".join(_head(column, read) for column in read.columns)
    rows = "".join(
        f"<tr>{''.join(_cell(read, row, column, writing) for column in read.columns)}</tr>"
        for row in read.rows
    )
    others = attributes(kept_attributes(data))
    return (
        f"<table{attributes(options)}{flags}{others}>"
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    )


def _flag(name: str, value: Json) -> str:
    if value is None:
        return ""
    return f" {name}" if value is True else f"{attributes([(name, value)])}"


def _head(column: JsonObject, read: _Table) -> str:
    kind = str(column.get("type", "text"))
    members = {"id", "title", "type"} | {
        "text": {"textAlignment", "verticalAlignment"},
        "rating": {"max"},
        "users": {"multiple"},
        "select": {"multiple", "options"},
    }.get(kind, set())
    if column.keys() - members:
        raise UnwritableError
    widths = read.view.get("columnWidths")
    width = widths.get(str(column["id"])) if isinstance(widths, dict) else None
    align = column.get("textAlignment")
    values: list[tuple[str, Json]] = [
        ("width", width),
        ("align", align if align in ("center", "right") else None),
        ("valign", column.get("verticalAlignment")),
        ("data-type", None if kind == "text" else kind),
        ("data-max", column.get("max")),
    ]
    flags = " data-multiple" if kind == "users" and column.get("multiple") is True else ""
    flags += _hidden(column, read)
    inner = html_text(str(column.get("title", "")))
    if kind == "select":
        inner += _select(column)
    return f"<th{attributes(values)}{flags}>{kept_edges(inner)}</th>"


def _hidden(column: JsonObject, read: _Table) -> str:
    shown = read.view.get("columns")
    flags = "" if isinstance(shown, list) and column["id"] in shown else " data-hidden"
    for key, name in _HEAD_FLAGS:
        if read.view.get(key) == column["id"]:
            flags += f" {name}"
    return flags


def _select(column: JsonObject) -> str:
    options = column.get("options")
    written: list[str] = []
    for option in options if isinstance(options, list) else []:
        if not isinstance(option, dict):
            raise UnwritableError
        values = attributes((name, option.get(name)) for name in ("value", "label", "color"))
        written.append(f"<option{values}></option>")
    multiple = " multiple" if column.get("multiple") else ""
    return f"<select{multiple}>{''.join(written)}</select>"


def _cell(read: _Table, row: JsonObject, column: JsonObject, writing: Writing) -> str:
    if column.get("type", "text") != "text":
        return f"<td>{value_cell(row.get(str(column['id'])), column, writing)}</td>"
    parts = read.cell(row, column)
    if len(parts) == 1 and parts[0].get("type") == "paragraph" and not data_of(parts[0]):
        line = html_inlines(children_of(parts[0]), writing)
        if "<" in line and holds_blocks(line):
            # Tags that a pipe table has kept would be blocks here.
            line = html_inlines(children_of(parts[0]), writing, tags_as_json=True)
        return f"<td>{line}</td>"
    return f"<td>{''.join(_cell_block(part, writing) for part in parts)}</td>"


def _cell_block(node: Node, writing: Writing) -> str:
    """A block in a cell, as HTML."""
    kind, data = str(node.get("type")), data_of(node)
    if kind == "code":
        return preformatted(node, writing)
    if kind == "table":
        return _html(_read(node), writing)
    if data.keys() - _CELL_DATA.get(kind, set()):
        raise UnwritableError
    if kind == "divider":
        return "<hr>"
    options: list[tuple[str, Json]] = [
        ("id", data.get("id")),
        ("align", _SIDES.get(str(data.get("align")))),
        ("start", data.get("start")),
    ]
    name = _CELL_ELEMENTS.get(kind)
    if name is None:
        raise UnwritableError
    if kind in ("paragraph", *_HEADINGS):
        inner = kept_edges(html_inlines(children_of(node), writing))
    elif kind == "blockquote":
        inner = "".join(_cell_block(part, writing) for part in children_of(node))
    else:
        inner = "".join(
            _cell_item(item, writing, tasks=kind == "list-tasks") for item in children_of(node)
        )
    return f"<{name}{attributes(options)}>{inner}</{name}>"


def _cell_item(item: Node, writing: Writing, *, tasks: bool) -> str:
    data, parts = data_of(item), children_of(item)
    if data.keys() - {"checked"} or ("checked" in data) > tasks:
        raise UnwritableError
    box = ""
    if tasks:
        box = f'<input type="checkbox"{" checked" if data.get("checked") is True else ""}>'
    head = ""
    if parts and parts[0].get("type") == "paragraph" and not data_of(parts[0]):
        head = kept_edges(html_inlines(children_of(parts[0]), writing))
        parts = parts[1:]
    return f"<li>{box}{head}{''.join(_cell_block(part, writing) for part in parts)}</li>"
