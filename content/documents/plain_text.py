"""The text of a document without its structure, for previews and search."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from content.documents.nodes import Node, child_lists, walk
from content.documents.older_tags import shown_lines
from content.json_types import Json

_TAGS = re.compile(r"\{%[^%]*+%\}|</?[A-Za-z][^<>]*+>")
_SHOWN_DATA = {
    "inline-math": "formula",
    "math": "formula",
    "expression": "expression",
    "button": "label",
    "embed": "url",
    "openapi-webhook": "name",
}
# Properties of blocks of integrations that are usually what readers see.
_TEXT_PROPS = ("title", "content", "source", "body", "text", "description", "caption")


def plain_text(document: Node) -> str:
    """The text of a document or node, one block a line, no leading or trailing blank lines.

    Code, formulas, captions, table cells and titles are part of it; of verbatim Markdown the
    text without tags is, and what older tags of APIs say.
    """
    text = "".join(map(str, text_pieces(document, frozenset())))
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


def text_preview(document: Node, node_key: str, limit: int = 100) -> str | None:
    """The text of the node with `node_key` on one line, cut to `limit` characters with `…` at the
    end when it is longer; None when the document has no such node."""
    node = next((node for node in walk([document]) if node.get("key") == node_key), None)
    if node is None:
        return None
    content = " ".join(plain_text(node).split())
    return content if len(content) <= limit else content[: max(limit - 1, 0)].rstrip() + "…"


def text_pieces(document: Node, apart: frozenset[str]) -> Iterator[str | Node]:
    """Text in reading order, with a line end around every block.

    Blocks of the types in `apart` are given as they are, in their places.
    """
    stack: list[Node | str] = [document]
    while stack:
        node = stack.pop()
        if isinstance(node, str):
            yield node
            continue
        leaves = node.get("leaves")
        if isinstance(leaves, list):
            for part in leaves:
                if isinstance(part, dict):
                    yield str(part.get("text", ""))
            continue
        if node.get("type") in apart:
            yield node
            continue
        is_block = node.get("object") in ("block", "fragment")
        if is_block:
            yield "\n"
            stack.append("\n")
        yield _own_text(node)
        children = [child for group in child_lists(node) for child in group]
        stack.extend(reversed(children))


def _own_text(node: Node) -> str:
    """The text of a node itself, without that of its children."""
    data, kind = node.get("data"), node.get("type")
    if not isinstance(data, dict) or not isinstance(kind, str):
        return ""
    if kind == "markdown":
        source = str(data.get("source", ""))
        if source.startswith("{%"):
            tag, end, rest = source.partition("%}")
            lines = shown_lines(tag + end)
            said = "".join("".join(f"{text} " for _, text in line) + "\n" for line in lines)
            return said + _TAGS.sub(" ", _without_comments(rest if lines else source))
        return _TAGS.sub(" ", _without_comments(source))
    if kind in ("tabs-item", "stepper-step", "code"):
        return f"{data['title']}\n" if isinstance(data.get("title"), str) else ""
    if kind == "table":
        return _table_text(data.get("definition"), data.get("records"))
    if kind in ("image", "inline-image"):
        return str(data.get("alt", ""))
    if kind == "openapi-operation":
        return f"{str(data.get('method', '')).upper()} {data.get('path', '')}"
    if kind == "integration":
        return _block_text(data.get("props"))
    shown = _SHOWN_DATA.get(kind)
    return "" if shown is None else str(data.get(shown, ""))


def _block_text(props: Any) -> str:
    """What a block of an integration says by its own properties, not by what it draws."""
    values = [props.get(name) for name in _TEXT_PROPS] if isinstance(props, dict) else []
    return "\n".join(value for value in values if isinstance(value, str))


def _without_comments(source: str) -> str:
    parts: list[str] = []
    position = 0
    while (start := source.find("<!--", position)) >= 0:
        end = source.find("-->", start + 4)
        if end < 0:
            break
        parts.append(source[position:start])
        position = end + 3
    parts.append(source[position:])
    return " ".join(parts)


def _table_text(definition: Json, records: Json) -> str:
    """Column titles; cells are fragments of the table."""
    if not isinstance(definition, dict):
        return ""
    titles = [str(item.get("title", "")) for item in definition.values() if isinstance(item, dict)]
    return "\n".join([*titles, ""])
