"""Labels of the footnotes that annotations are written as."""

from __future__ import annotations

import re

from content.documents.nodes import Node, data_of, walk
from content.json_types import Json

_LABEL = re.compile(r"\[\^([^\]\s]+)\]")
_DEFINED = re.compile(r"^ {0,3}\[\^([^\]\s]+)\]:", re.MULTILINE)
_WRITABLE = re.compile(r"[^\]\[\s\\`^<>&]{1,100}")


def footnote_labels(nodes: list[Node], *, own: bool = True) -> list[tuple[Node, str]]:
    """Every annotation below `nodes` with its label, in document order.

    An annotation has the label of its style, or of its data as the parser makes it; the others are
    numbered from 1, past labels that are taken by others and by Markdown that is kept as it is.
    With `own` off all are numbered.
    """
    annotations: list[Node] = []
    taken: set[str] = set()
    # Another note is defined there: with its label an annotation would get its text.
    defined: set[str] = set()
    for node in walk(nodes):
        if node.get("type") == "annotation":
            annotations.append(node)
        elif node.get("type") == "markdown":
            source = str(data_of(node).get("source", ""))
            taken.update(_LABEL.findall(source))
            defined.update(_DEFINED.findall(source))
    own_labels: dict[int, str] = {}
    if own:
        for node in annotations:
            label = _own_label(node)
            if isinstance(label, str) and _WRITABLE.fullmatch(label) and label not in taken:
                own_labels[id(node)] = label
                taken.add(label)
            elif not isinstance(label, str) or label in defined:
                continue
            elif label in taken and label not in own_labels.values():
                # Markdown that is kept refers to this note a second time.
                own_labels[id(node)] = label
    labels: list[tuple[Node, str]] = []
    number = 0
    for node in annotations:
        label = own_labels.get(id(node))
        if label is None:
            number += 1
            while str(number) in taken:
                number += 1
            label = str(number)
        labels.append((node, label))
    return labels


def settle_labels(nodes: list[Node]) -> None:
    """Move the labels of annotations from their data to their style, in place: annotations have no
    data. When all labels are what numbering gives anyway they are left out."""
    labels = footnote_labels(nodes, own=False)
    # Those that stand in the Markdown as JSON may have none.
    plain = all(_own_label(node) in (None, label) for node, label in labels)
    for node, _ in labels:
        own = _own_label(node)
        data = node.get("data")
        if not isinstance(data, dict):
            continue
        node["data"] = {name: value for name, value in data.items() if name != "label"}
        if not plain and own is not None:
            node["style"] = {"label": own}


def _own_label(node: Node) -> Json:
    """The label that an annotation says it has."""
    for name in ("style", "data"):
        label = node.get(name)
        if isinstance(label, dict) and "label" in label:
            return label["label"]
    return None
