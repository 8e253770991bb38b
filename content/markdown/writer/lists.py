"""Lists and quotes: blocks that mark every line of what they hold."""

from __future__ import annotations

from content.markdown.nodes import Node
from content.markdown.originals import Original
from content.markdown.writer.writing import Writing, data_of, nodes_of

LISTS = ("list-ordered", "list-tasks", "list-unordered")
# Neighbouring lists have different markers, or they would be one list.
_BULLETS = "*-+"
_DELIMITERS = ".)"


def write_list(node: Node, writing: Writing, turn: int) -> str:
    """A list; `turn` counts the lists of the same family right before it."""
    kind = node.get("type")
    start = data_of(node).get("start")
    number = start if isinstance(start, int) and 0 <= start < 10**8 else 1
    items = nodes_of(node)
    checked = [data_of(item).get("checked") for item in items]
    unchecked = kind == "list-tasks" and not any(isinstance(check, bool) for check in checked)
    originals = [writing.original(item) for item in items]
    style = next((found for found in originals if found is not None and found.marker), None)
    written: list[str] = []
    for index, (item, check) in enumerate(zip(items, checked, strict=True)):
        original = originals[index]
        form = original.marker if original is not None else ""
        if kind == "list-ordered":
            marker = _number_marker(number + index, turn, form, style)
        else:
            marker = _bullet(turn, form, style)
        box = ""
        if kind == "list-tasks" and (unchecked or isinstance(check, bool)):
            box = "[x]" if check is True else "[ ]"
        if original is None:
            body = _item(item, writing, box, turn)
        else:
            body = f"{box} {original.source}".rstrip(" ") if box else original.source
        if index:
            joint = writing.joint(originals[index - 1], original)
            loose = style is not None and style.loose
            written.append(("\n\n" if loose else "\n") if joint is None else joint)
        written.append(indented(body, marker, " " * len(marker)))
    return "".join(written)


def _bullet(turn: int, form: str, style: Original | None) -> str:
    """The marker of an item, in the style of those around it that stay as they were."""
    if style is None:
        return f"{_BULLETS[turn % 3]} "
    bullet = style.marker.strip()
    form = form or style.marker
    return form.replace(form.strip(), bullet).ljust(2)


def _number_marker(number: int, turn: int, form: str, style: Original | None) -> str:
    if style is None:
        return f"{number}{_DELIMITERS[turn % 2]} "
    delimiter = style.marker.strip()[-1:]
    form = form or style.marker
    return form.replace(form.strip(), f"{number}{delimiter}").ljust(len(str(number)) + 2)


def _item(item: Node, writing: Writing, box: str, turn: int) -> str:
    nodes = nodes_of(item)
    if not box:
        # A list that stands beside the marker must not look like a line of bullets.
        return writing.blocks(nodes, f"list-item {turn + 1}")
    first = nodes[0] if nodes else None
    if first is not None and first.get("type") == "paragraph":
        head = writing.blocks(nodes[:1], "list-item")
        body = writing.blocks(nodes[1:], "list-item")
        box = f"{box} {head}".rstrip(" ")
        joint = "\n" if len(nodes) > 1 and joins_tightly(nodes[0], nodes[1]) else "\n\n"
    else:
        body, joint = writing.blocks(nodes, "list-item"), "\n\n"
    return f"{box}{joint}{body}" if body else box


def joins_tightly(one: Node, other: Node) -> bool:
    """Whether a block of an item follows the one before it without a blank line: a list that
    may interrupt a paragraph."""
    if one.get("type") != "paragraph" or other.get("type") not in LISTS:
        return False
    if other.get("type") == "list-ordered" and data_of(other).get("start", 1) != 1:
        return False
    items = nodes_of(other)
    first = nodes_of(items[0]) if items else []
    return bool(first) and first[0].get("type") == "paragraph" and _has_text(first[0])


def _has_text(paragraph: Node) -> bool:
    for node in nodes_of(paragraph):
        leaves = node.get("leaves")
        if not isinstance(leaves, list):
            return True
        if any(isinstance(leaf, dict) and leaf.get("text") for leaf in leaves):
            return True
    return False


def quote(node: Node, writing: Writing) -> str:
    return indented(writing.blocks(nodes_of(node), "blockquote"), "> ", "> ")


def indented(text: str, first: str, rest: str) -> str:
    """`text` with a mark in front of its first line and of all others; empty lines get no
    blanks at their end."""
    head, *lines = text.split("\n")
    written = [first + head if head else first.rstrip()]
    written += [rest + line if line else rest.rstrip() for line in lines]
    return "\n".join(written)
