"""The spelling of pipe tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from markdown_it.token import Token

from content.json_types import Json

_RULE = re.compile(r"(:?)-+(:?)")
_PIPE = re.compile(r"(?<!\\)\|")
_MOST = 2_000


def table_style(lines: Sequence[str]) -> Iterator[tuple[str, Json]]:
    """How the lines of a table are spelled: `padded` cells, the `rule` of columns that stand left,
    and `rules`, the line of rules where it says more than that."""
    rows = [line.strip(" \t>") for line in lines if line.strip(" \t>")]
    if len(rows) < 2:
        return
    cells = [_cells(row) for row in rows]
    padded = _is_padded(cells[:1] + cells[2:])
    yield "padded", padded
    rules, widths = cells[1], [len(cell) for cell in cells[0] or []]
    if rules is None or len(rules) != len(widths):
        if len(rows[1]) <= _MOST:
            yield "rules", rows[1]
        return
    plain = [rule.strip(" ") for rule in rules]
    if padded and all(
        rule == f" {'-' * (width - 2)} " for rule, width in zip(rules, widths, strict=True)
    ):
        return
    left = {rule for rule in plain if _side(rule) == "left"}
    usual = {"left": next(iter(left), ""), "center": ":---:", "right": "---:"}
    sides = [usual.get(_side(rule)) for rule in plain]
    regular = rules == [f" {side} " for side in sides]
    if regular and left <= {"---", ":---"}:
        if left:
            yield "rule", left.pop()
    elif len(rows[1]) <= _MOST:
        yield "rules", rows[1]


def head_sources(inner: Sequence[Token]) -> list[Json]:
    """The Markdown of the heads of columns, None for plain ones: titles have no formatting. Empty
    when all are plain."""
    sources: list[Json] = []
    for position, token in enumerate(inner):
        if token.type == "thead_close":
            break
        if token.type == "th_open":
            cell = inner[position + 1]
            plain = all(child.type == "text" for child in cell.children or ())
            sources.append(None if plain or len(cell.content) > _MOST else cell.content)
    return sources if any(sources) else []


def rule_sides(line: str) -> list[str]:
    """The alignments that a line of rules gives to columns."""
    return [_side(cell.strip(" \t")) for cell in line.strip(" \t").strip("|").split("|")]


def _side(rule: str) -> str:
    match = _RULE.fullmatch(rule)
    if match is None:
        return "none"
    if match.group(2):
        return "center" if match.group(1) else "right"
    return "left"


def _cells(row: str) -> list[str] | None:
    """The cells of a pipe table's row; None unless pipes stand at both ends."""
    if not (row.startswith("|") and row.endswith("|") and len(row) > 1):
        return None
    return _PIPE.split(row)[1:-1]


def _is_padded(rows: Sequence[list[str] | None]) -> bool:
    """Whether all cells of a column are equally wide, and some have blanks for that."""
    first = rows[0]
    if first is None:
        return False
    widths = [len(cell) for cell in first]
    blanks = False
    for row in rows:
        if row is None or [len(cell) for cell in row] != widths:
            return False
        blanks = blanks or any(cell.endswith("  ") for cell in row)
    return blanks
