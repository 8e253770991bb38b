"""Lists and quotes: blocks that mark every line of what they hold."""

from __future__ import annotations

import re

from content.documents.nodes import Node, children_of, data_of
from content.markdown.originals import Original
from content.markdown.styles import joins_tightly
from content.markdown.writer.escapes import BREAK
from content.markdown.writer.writing import Writing

# Neighbouring lists have different markers, or they would be one list.
_BULLETS = "*-+"
_DELIMITERS = ".)"
# A last line that no text goes on with, and a first line that ends a paragraph.
_CLOSED = re.compile(r"#{1,6} |\{%.*%\}\Z|```|~~~|\*\*\*\Z|---\Z|\$\$\Z|</details>\Z")
_OPENS = re.compile(
    r"#{1,6} |\{%|```|~~~|> |\*\*\*|[-+*] +\S|1[.)] +\S|\| |\$\$\n|<details|<figure|<!--"
)


def write_list(node: Node, writing: Writing, turn: int, taken: str) -> str:
    """A list; `turn` counts the lists of the same family right before it, or around it on the
    same line, and `taken` is the marker of the last one."""
    kind = node.get("type")
    start = data_of(node).get("start")
    number = start if isinstance(start, int) and 0 <= start < 10**8 else 1
    items = children_of(node)
    checked = [data_of(item).get("checked") for item in items]
    unchecked = kind == "list-tasks" and not any(isinstance(check, bool) for check in checked)
    originals = [writing.original(item) for item in items]
    style = next((marked for marked in originals if marked is not None and marked.marker), None)
    ordered = kind == "list-ordered"
    sign = _sign("delimiter" if ordered else "bullet", node, writing, turn, taken)
    pad, step = writing.style("pad", node), writing.own(node).get("step")
    blanks = pad if isinstance(pad, int) and 0 < pad < 5 else 1
    loose = style.loose if style is not None else writing.style("loose", node) is True
    written: list[str] = []
    for index, (item, check) in enumerate(zip(items, checked, strict=True)):
        original = originals[index]
        form = original.marker if original is not None else ""
        if ordered:
            count = number if step == 0 else number + index
            marker = _number_marker(count, f"{sign}{_pad(item, blanks, writing)}", form, style)
        else:
            marker = _bullet(f"{sign}{_pad(item, blanks, writing)}", form, style)
        box = ""
        if kind == "list-tasks" and (unchecked or isinstance(check, bool)):
            box = "[x]" if check is True else "[ ]"
        if original is None:
            body = _item(item, writing, box, f"{turn + 1} {sign}")
        else:
            body = f"{box} {original.source}".rstrip(" ") if box else original.source
        if index:
            joint = writing.joint(originals[index - 1], original)
            if joint is None:
                joint = _gap(item, writing) or ("\n\n" if loose else "\n")
            written.append(joint)
        written.append(indented(body, marker, " " * len(marker)))
    return "".join(written)


def _sign(name: str, node: Node, writing: Writing, turn: int, taken: str) -> str:
    """The bullet of a list, or what follows its numbers."""
    signs = _BULLETS if name == "bullet" else _DELIMITERS
    usual = writing.style(name, node)
    if not isinstance(usual, str) or usual not in signs or not usual:
        usual = signs[0]
    if not turn:
        return usual
    if usual != taken and (name in writing.own(node) or name in writing.page):
        return usual
    order = usual + signs.replace(usual, "")
    sign = order[turn % len(order)]
    return sign if sign != taken else next(other for other in order if other != taken)


def _pad(item: Node, usual: int, writing: Writing) -> str:
    """The blanks behind the marker of an item."""
    pad = writing.own(item).get("pad")
    return " " * (pad if isinstance(pad, int) and 0 < pad < 5 else usual)


def _bullet(usual: str, form: str, style: Original | None) -> str:
    """The marker of an item, in the style of those around it that stay as they were."""
    if style is None:
        return usual
    bullet = style.marker.strip()
    form = form or style.marker
    return form.replace(form.strip(), bullet).ljust(2)


def _number_marker(number: int, usual: str, form: str, style: Original | None) -> str:
    if style is None:
        return f"{number}{usual}"
    delimiter = style.marker.strip()[-1:]
    form = form or style.marker
    return form.replace(form.strip(), f"{number}{delimiter}").ljust(len(str(number)) + 2)


def _item(item: Node, writing: Writing, box: str, beside: str) -> str:
    """An item without its marker; `beside` is what a list that starts it has to know."""
    nodes = children_of(item)
    if not box:
        # A list that stands beside the marker must not look like a line of bullets.
        return writing.blocks(nodes, f"list-item {beside}")
    first = nodes[0] if nodes else None
    if first is not None and first.get("type") == "paragraph":
        head = writing.blocks(nodes[:1], "list-item")
        body = writing.blocks(nodes[1:], "list-item")
        box = f"{box} {head}".rstrip(" ")
        joint = (
            joint_before(nodes[1], body, nodes[0], box, writing=writing, in_item=True)
            if body
            else ""
        )
    else:
        body, joint = writing.blocks(nodes, "list-item"), "\n\n"
    return f"{box}{joint}{body}" if body else box


def joint_before(
    node: Node, text: str, previous: Node, above: str, *, writing: Writing, in_item: bool
) -> str:
    """What stands between a block and the one before it, which are written as `text` and
    `above`."""
    gap = _gap(node, writing)
    # Blocks that an author has set without a blank line between them were read as two.
    as_read = isinstance(writing.own(node).get("gap"), str)
    if gap is not None and (gap != "\n" or as_read or _may_touch(above, text)):
        return gap
    return "\n" if gap is None and in_item and joins_tightly(previous, node) else "\n\n"


# Characters of blank lines between two blocks.
MOST_BETWEEN = 200


def _gap(node: Node, writing: Writing) -> str | None:
    """The blank lines that the author of a block left above it; None for the usual."""
    gap = writing.own(node).get("gap")
    if isinstance(gap, str):
        if gap[:1] != "\n" or gap[-1:] != "\n" or len(gap) > MOST_BETWEEN or gap.strip(" \t\n"):
            return None
        return re.sub(r"(?<=[ \t])(?=\n)", BREAK, gap)
    if isinstance(gap, int):
        return "\n" * (min(max(gap, 0), 3) + 1)
    if not isinstance(gap, list) or len(gap) > 3:
        return None
    # The sign keeps the blanks of a line, which otherwise go.
    lines = [
        " " * blanks + BREAK if isinstance(blanks, int) and 0 <= blanks < 40 else ""
        for blanks in gap
    ]
    return "\n" + "".join(f"{line}\n" for line in lines)


def _may_touch(above: str, text: str) -> bool:
    """Whether two blocks stay apart without a blank line between them."""
    last = above.rpartition("\n")[2]
    return bool(_CLOSED.match(last) or _OPENS.match(text))


def quote(node: Node, writing: Writing) -> str:
    return indented(writing.blocks(children_of(node), "blockquote"), "> ", "> ")


def indented(text: str, first: str, rest: str) -> str:
    """`text` with a mark in front of its first line and of all others; empty lines get no
    blanks at their end."""
    head, *lines = text.split("\n")
    written = [first + head if head else first.rstrip()]
    written += [rest + line if line else rest.rstrip() for line in lines]
    return "\n".join(written)
