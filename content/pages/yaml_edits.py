"""Changing values of a YAML mapping in its text: only the lines of keys that differ change."""

from __future__ import annotations

import orjson
import yaml

from content.errors import YamlError
from content.json_types import Json, JsonObject
from content.safe_yaml import dump_yaml, load_yaml

Edit = tuple[int, int, list[str]]


def edit_yaml(text: str, values: JsonObject, *, max_bytes: int = 1_000_000) -> str:
    """A text that is read as `values`, made of one that is read as another mapping or as nothing.

    Comments, order and spelling of all keys that stay as they are stay, too. Of a key that is there
    several times the last one counts. Where lines cannot be changed one by one (flow style,
    anchors) all of it is written anew.
    """
    try:
        there = load_yaml(text, "", max_bytes=max_bytes)
    except YamlError:
        return dump_yaml(values)
    if there is None:
        return _joined(text, dump_yaml(values)) if values else text
    if _same(there, values):
        return text
    if not isinstance(there, dict):
        return dump_yaml(values)
    node = yaml.compose(text, Loader=yaml.SafeLoader)
    lines = text.splitlines(keepends=True)
    edits: list[Edit] = []
    if isinstance(node, yaml.MappingNode) and _collect(node, there, values, lines, edits):
        for start, end, replacement in sorted(edits, key=lambda edit: edit[:2], reverse=True):
            if start and replacement and not lines[start - 1].endswith("\n"):
                lines[start - 1] += "\n"
            lines[start:end] = replacement
        edited = "".join(lines)
        try:
            if _same(load_yaml(edited, "", max_bytes=max_bytes) or {}, values):
                return edited
        except YamlError:
            pass
    return dump_yaml(values) if values else ""


def _joined(text: str, more: str) -> str:
    return f"{text}\n{more}" if text and not text.endswith("\n") else text + more


def _same(left: Json, right: Json) -> bool:
    """Equal as JSON: in Python 1 equals true."""
    options = orjson.OPT_SORT_KEYS
    return orjson.dumps(left, option=options) == orjson.dumps(right, option=options)


def _collect(
    node: yaml.MappingNode,
    there: JsonObject,
    values: JsonObject,
    lines: list[str],
    edits: list[Edit],
) -> bool:
    """Add the edits that make one mapping the other; False where lines hold more than a key."""
    if node.flow_style or not node.value:
        return False
    indent = node.start_mark.column
    starts = [key.start_mark.line for key, _ in node.value]
    names = [key.value for key, _ in node.value]
    if len(set(starts)) < len(starts):
        return False
    counting = dict(zip(names, starts, strict=True))
    # The end of a block is where the next token begins.
    last = min(node.end_mark.line + (node.end_mark.column > indent), len(lines))
    ends = [*starts[1:], max(last, starts[-1] + 1)]
    behind = starts[-1] + 1
    for (_, value), name, start, limit in zip(node.value, names, starts, ends, strict=True):
        end = _without_comments(lines, start, limit, indent)
        behind = max(behind, end)
        if name not in values:
            if indent and len(counting) == 1:
                return False
            edits.append((start, end, []))
        elif start == counting[name] and not _same(there.get(name), values[name]):
            old, new = there.get(name), values[name]
            if isinstance(old, dict) and isinstance(new, dict) and new:
                inner: list[Edit] = []
                if (
                    isinstance(value, yaml.MappingNode)
                    and value.start_mark.line > start
                    and (_collect(value, old, new, lines, inner))
                ):
                    edits += inner
                    continue
            written = _written(name, new, indent)
            if _ends_its_line(value):
                end = min(end, value.end_mark.line + 1)
                written[0] = written[0].rstrip("\n") + _behind(value, lines)
            edits.append((start, end, written))
    added = [line for name in values if name not in there
             for line in _written(name, values[name], indent)]  # fmt: skip
    if added:
        edits.append((behind, behind, added))
    return True


def _ends_its_line(value: yaml.Node) -> bool:
    """Whether a value ends where it is written to end: comments behind it are not in it."""
    if isinstance(value, yaml.ScalarNode):
        return value.style not in ("|", ">")
    return isinstance(value, yaml.CollectionNode) and bool(value.flow_style)


def _behind(value: yaml.Node, lines: list[str]) -> str:
    """What follows a value on its line: a comment, or the end of the line."""
    line = lines[value.end_mark.line] if value.end_mark.line < len(lines) else ""
    # A mark of byte order is no column.
    rest = line[value.end_mark.column + line.startswith("\ufeff") :]
    return (rest.rstrip("\n") if rest.lstrip(" \t").startswith("#") else "") + "\n"


def _without_comments(lines: list[str], start: int, end: int, indent: int) -> int:
    """Where the lines of a key end: blank lines and comments behind them belong to what follows."""
    while end > start + 1:
        line = lines[end - 1]
        stripped = line.lstrip(" ")
        if stripped.strip() and not (
            stripped.startswith("#") and len(line) - len(stripped) <= indent
        ):
            break
        end -= 1
    return end


def _written(name: str, value: Json, indent: int) -> list[str]:
    text = dump_yaml({name: value})
    return [f"{' ' * indent}{line}" if line.strip() else line
            for line in text.splitlines(keepends=True)]  # fmt: skip
