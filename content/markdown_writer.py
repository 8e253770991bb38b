"""A JSON document as Markdown: the essentials, hints, quotes and code.

`content.markdown.parser` gives the same nodes back for everything that is named here. Blocks
that are not (tables, tabs, images with options ...) are written as their text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from content.json_types import Json, JsonObject
from content.markdown.nodes import text as text_node
from content.markdown.plain_text import plain_text
from content.markdown_inlines import write_inlines

_HEADINGS = {"heading-1": "##", "heading-2": "###", "heading-3": "####"}
_HINTS = ("info", "warning", "danger", "success")
# Neighbouring lists have different markers, or they would be one list.
_BULLETS = "*-+"


def write_markdown(document: JsonObject) -> str:
    """The Markdown of a document, without a line end after the last line."""
    return _blocks(_nodes(document), 0)


def _nodes(node: JsonObject) -> list[JsonObject]:
    children = node.get("nodes")
    if not isinstance(children, list):
        return []
    return [child for child in children if isinstance(child, dict)]


def _blocks(nodes: Sequence[JsonObject], depth: int) -> str:
    written: list[str] = []
    previous, turn = "", 0
    for node in nodes:
        kind = str(node.get("type", ""))
        family = "ordered" if kind == "list-ordered" else kind.startswith("list-") and "bullet"
        turn = 1 - turn if family and family == previous else 0
        previous = str(family or "")
        text = _block(node, kind, depth, turn)
        if text:
            written.append(text)
    return "\n\n".join(written)


def _block(node: JsonObject, kind: str, depth: int, turn: int) -> str:
    data = node.get("data")
    values: JsonObject = data if isinstance(data, dict) else {}
    children = node.get("nodes")
    inlines = children if isinstance(children, list) else []
    if kind == "paragraph":
        return write_inlines(inlines)
    if kind in _HEADINGS:
        return _heading(_HEADINGS[kind], inlines, values)
    if kind in ("list-ordered", "list-unordered", "list-tasks"):
        return _list(node, kind, values, depth, turn)
    if kind == "blockquote":
        return _indented(_blocks(_nodes(node), depth + 1), "> ", "> ")
    if kind == "code":
        return _code(node, values)
    if kind == "divider":
        return "___"
    if kind == "hint" and values.get("style") in _HINTS:
        body = _blocks(_nodes(node), depth + 1)
        return f'{{% hint style="{values["style"]}" %}}\n{body}\n{{% endhint %}}'
    if kind == "math" and "$$" not in str(values.get("formula", "")):
        return f"$$\n{values.get('formula', '')}\n$$"
    if kind == "markdown":
        return str(values.get("source", ""))
    lines = plain_text(node).split("\n")
    return "\n\n".join(write_inlines([text_node(line)]) for line in lines if line)


def _heading(marks: str, inlines: list[Json], values: JsonObject) -> str:
    text = write_inlines(inlines, one_line=True)
    # `#` at the end would be taken for the end of the heading.
    text = re.sub(r"#+\Z", lambda found: "\\#" * len(found.group(0)), text)
    anchor = values.get("id")
    if isinstance(anchor, str) and re.fullmatch(r"[-a-z0-9.+_]+", anchor):
        text += f' <a href="#{anchor}" id="{anchor}"></a>'
    return f"{marks} {text}".rstrip()


def _list(node: JsonObject, kind: str, values: JsonObject, depth: int, turn: int) -> str:
    start = values.get("start")
    number = start if isinstance(start, int) and 0 <= start < 10**8 else 1
    items: list[str] = []
    for index, item in enumerate(_nodes(node)):
        if kind == "list-ordered":
            marker = f"{number + index}{'.)'[turn]} "
        else:
            marker = f"{_BULLETS[(depth + turn) % 3]} "
        body = _blocks(_nodes(item), depth + 1)
        data = item.get("data")
        if kind == "list-tasks":
            checked = isinstance(data, dict) and data.get("checked") is True
            body = f"[{'x' if checked else ' '}] {body}"
        items.append(_indented(body, marker, " " * len(marker)))
    return "\n".join(items)


def _indented(text: str, first: str, rest: str) -> str:
    head, *lines = text.split("\n")
    # Blanks after an empty line's mark mean nothing; those of a line of code do.
    written = [first + head if head else first.rstrip()]
    written += [rest + line if line else rest.rstrip() for line in lines]
    return "\n".join(written)


def _code(node: JsonObject, values: JsonObject) -> str:
    lines = [_code_line(line) for line in _nodes(node)]
    content = "\n".join(lines)
    longest = max((len(run) for run in re.findall("`{3,}", content)), default=2)
    fence = "`" * (longest + 1)
    syntax = values.get("syntax")
    info = syntax if isinstance(syntax, str) and re.fullmatch(r"[^\s`&\\]+", syntax) else ""
    return f"{fence}{info}\n{content}\n{fence}"


def _code_line(node: JsonObject) -> str:
    """The text of one line of code, with all its blanks."""
    parts: list[str] = []
    for child in _nodes(node):
        leaves = child.get("leaves")
        if isinstance(leaves, list):
            parts += [str(leaf.get("text", "")) for leaf in leaves if isinstance(leaf, dict)]
        else:
            parts.append(plain_text(child))
    return "".join(parts).replace("\n", " ")
