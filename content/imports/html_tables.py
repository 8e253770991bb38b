"""HTML tables as tables of the dialect: cells hold one paragraph, spans are filled up."""

from __future__ import annotations

import re
from collections.abc import Iterable

from content.imports.dom import Tag
from content.imports.html_inlines import inline_markdown, line_markdown

MAX_COLUMNS = 100
MAX_CELLS = 20_000
_BLOCKS = frozenset({"p", "div", "li", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "blockquote",
                     "tr", "dt", "dd", "ul", "ol", "table"})  # fmt: skip
_PARTS = frozenset(
    {"thead", "tbody", "tfoot", "tr", "td", "th", "caption", "col", "colgroup"}
)  # fmt: skip
_ALIGN = re.compile(r"text-align\s*:\s*(left|center|right)")


def is_layout(table: Tag) -> bool:
    """Whether a table only places things: its cells are then read one after the other."""
    if table.get("role") in ("presentation", "none"):
        return True
    rows = _rows(table)
    widest = max((len(row.elements()) for row in rows), default=0)
    heavy = any(tag.name in ("table", "pre") for row in rows for tag in row.walk())
    return not rows or (widest <= 1 and (heavy or len(rows) == 1))


def cells_of(table: Tag) -> Iterable[Tag]:
    """All cells, row by row."""
    return (cell for row in _rows(table) for cell in _cells(row))


def captions_of(table: Tag) -> list[Tag]:
    """Its captions; a table that is right has one at most."""
    return [part for part in table.elements() if part.name == "caption"]


def _cells(row: Tag) -> list[Tag]:
    return [cell for cell in row.elements() if cell.name in ("td", "th")]


def between_cells(table: Tag) -> list[Tag | str]:
    """The nodes within a table that are in none of its cells."""
    nodes: list[Tag | str] = []
    stack: list[Tag | str] = list(reversed(table.children))
    while stack:
        item = stack.pop()
        if isinstance(item, str) or item.name not in _PARTS:
            nodes.append(item)
        elif item.name in ("thead", "tbody", "tfoot", "tr"):
            stack.extend(reversed(item.children))
    return nodes


def table_markdown(table: Tag) -> str:
    """The table in pipes. Pipes need a head: the first row, unless rows have heads instead."""
    rows = _rows(table)
    grid = _grid(rows)
    if not grid:
        return ""
    width = max(len(row) for row in grid)
    written = [[_cell(cell) for cell in row] + [""] * (width - len(row)) for row in grid]
    is_head = all(cell.name == "th" for cell in _cells(rows[0]))
    if not is_head and all(_cells(row)[0].name == "th" for row in rows):
        # The first row is data like the others: its first cell is the head of a row.
        written.insert(0, [""] * width)
    marks = [_mark(cell) for cell in grid[0]] + ["---"] * (width - len(grid[0]))
    lines = [written[0], marks, *written[1:]]
    captions = (
        inline_markdown(caption.children) for caption in captions_of(table) if caption.words()
    )
    before = "".join(f"{caption}\n\n" for caption in captions)
    return before + "\n".join(f"| {' | '.join(row)} |" for row in lines)


def _rows(table: Tag) -> list[Tag]:
    rows: list[Tag] = []
    for part in _with_rows(table):
        rows += [part] if part.name == "tr" else _with_rows(part)
    return [row for row in rows if row.name == "tr" and _cells(row)]


def _with_rows(part: Tag) -> list[Tag]:
    """Rows and sections of a table; cells that follow each other without a row are one, as they are
    in browsers."""
    rows: list[Tag] = []
    implied: Tag | None = None
    for element in part.elements():
        if element.name not in ("td", "th"):
            implied = None
            if element.name in ("tr", "thead", "tbody", "tfoot"):
                rows.append(element)
        elif implied is None:
            implied = Tag("tr", {}, [element])
            rows.append(implied)
        else:
            implied.children.append(element)
    return rows


def _grid(rows: list[Tag]) -> list[list[Tag]]:
    """Cells by row and column; a cell that spans several stands in the first of them."""
    grid: list[list[Tag]] = []
    # Column -> rows that a cell above still covers.
    covered: dict[int, int] = {}
    count = 0
    for row in rows:
        line: list[Tag] = []
        for cell in _cells(row):
            while covered.get(len(line), 0) > 0:
                covered[len(line)] -= 1
                line.append(_EMPTY)
            across, down = _span(cell, "colspan"), _span(cell, "rowspan")
            for offset in range(across):
                if down > 1:
                    covered[len(line)] = down - 1
                line.append(cell if offset == 0 else _EMPTY)
            count += across
            if len(line) > MAX_COLUMNS or count > MAX_CELLS:
                break
        while covered.get(len(line), 0) > 0:
            covered[len(line)] -= 1
            line.append(_EMPTY)
        grid.append(line[:MAX_COLUMNS])
        if count > MAX_CELLS:
            break
    return grid


_EMPTY = Tag("td", {})


def _span(cell: Tag, attribute: str) -> int:
    text = cell.get(attribute).strip()
    return max(1, min(int(text[:4]), MAX_COLUMNS)) if text.isascii() and text.isdecimal() else 1


def _mark(cell: Tag) -> str:
    match = _ALIGN.search(cell.get("style").lower())
    align = cell.get("align").lower() or (match.group(1) if match else "")
    return {"center": ":-:", "right": "--:", "left": "---"}.get(align, "---")


def _cell(cell: Tag) -> str:
    """One line of Markdown; blocks in the cell are separated by `<br>`."""
    text = line_markdown(_in_lines(cell))
    return re.sub(r"(?<!\\)\|", r"\\|", text)


def _in_lines(cell: Tag) -> list[Tag | str]:
    """The inline content of a cell with line breaks where blocks begin."""
    items: list[Tag | str] = []

    def visit(tag: Tag) -> None:
        for child in tag.children:
            if isinstance(child, str):
                items.append(child)
            elif child.name in _BLOCKS:
                if items:
                    items.append(Tag("br", {}))
                if child.name == "li":
                    items.append("• ")
                if child.name == "pre":
                    items.extend(_lines_of_code(child))
                else:
                    visit(child)
                items.append(Tag("br", {}))
            elif any(below.name in _BLOCKS for below in child.walk()):
                visit(child)
            else:
                items.append(child)

    visit(cell)
    return _without_repeated_breaks(items)


def _lines_of_code(block: Tag) -> Iterable[Tag | str]:
    """Each line as code, for cells hold no blocks of it."""
    for line in block.text().rstrip().split("\n"):
        if line.strip():
            yield Tag("code", {}, [line])
        yield Tag("br", {})


def _without_repeated_breaks(items: list[Tag | str]) -> list[Tag | str]:
    nodes: list[Tag | str] = []
    for item in items:
        is_break = isinstance(item, Tag) and item.name == "br"
        last_break = bool(nodes) and isinstance(nodes[-1], Tag) and nodes[-1].name == "br"
        if isinstance(item, str) and not item.strip() and (last_break or not nodes):
            continue
        if not (is_break and (last_break or not nodes)):
            nodes.append(item)
    while nodes and isinstance(nodes[-1], Tag) and nodes[-1].name == "br":
        nodes.pop()
    return nodes
