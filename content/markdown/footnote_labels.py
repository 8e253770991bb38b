"""Labels of the footnotes that annotations are written as."""

from __future__ import annotations

import re

from content.markdown.nodes import Node, child_lists

_LABEL = re.compile(r"\[\^([^\]\s]+)\]")
_WRITABLE = re.compile(r"[^\]\[\s\\`^<>&]{1,100}")


def footnote_labels(nodes: list[Node], *, own: bool = True) -> list[tuple[Node, str]]:
    """Every annotation below `nodes` with its label, in document order.

    An annotation has the label of its data; the others are numbered from 1, past labels that are
    taken by others and by Markdown that is kept as it is. With `own` off all are numbered.
    """
    annotations: list[Node] = []
    taken: set[str] = set()
    stack = nodes[::-1]
    while stack:
        node = stack.pop()
        if node.get("type") == "annotation":
            annotations.append(node)
        elif node.get("type") == "markdown":
            data = node.get("data")
            source = str(data.get("source", "")) if isinstance(data, dict) else ""
            taken.update(_LABEL.findall(source))
        stack.extend([child for children in child_lists(node) for child in children][::-1])
    given: dict[int, str] = {}
    if own:
        for node in annotations:
            data = node.get("data")
            label = data.get("label") if isinstance(data, dict) else None
            if isinstance(label, str) and _WRITABLE.fullmatch(label) and label not in taken:
                given[id(node)] = label
                taken.add(label)
            elif isinstance(label, str) and label in taken and label not in given.values():
                # Markdown that is kept refers to this note a second time.
                given[id(node)] = label
    labels: list[tuple[Node, str]] = []
    number = 0
    for node in annotations:
        label = given.get(id(node))
        if label is None:
            number += 1
            while str(number) in taken:
                number += 1
            label = str(number)
        labels.append((node, label))
    return labels


def drop_plain_labels(nodes: list[Node]) -> None:
    """Take the labels out of annotations when all are what numbering gives anyway, in place."""
    labels = footnote_labels(nodes, own=False)
    for node, label in labels:
        data = node.get("data")
        # Those that stand in the Markdown as JSON may have none.
        if not isinstance(data, dict) or data.get("label", label) != label:
            return
    for node, _ in labels:
        node["data"] = {}
