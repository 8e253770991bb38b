"""Text and inline nodes as runs with their marks in one order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from content.documents.node_types import COLORS
from content.documents.nodes import Node, data_of, leaves_of
from content.json_types import Json
from content.markdown.html_inlines import MARK_ORDER

TAGS = {
    "bold": "strong",
    "italic": "em",
    "strikethrough": "s",
    "keyboard": "kbd",
    "subscript": "sub",
    "superscript": "sup",
}


@dataclass(frozen=True, slots=True)
class Run:
    """Text with its marks, or an inline that is written already; `in_word` is how that is
    written beside letters, where it differs. A colour's mark holds the style of its tag."""

    text: str
    marks: tuple[str, ...] = ()
    code: bool = False
    written: bool = False
    in_word: str = ""


def runs_of(nodes: Iterable[Node], written: Callable[[Node], Run]) -> list[Run]:
    """The runs of inline content that are not empty; `written` writes what is not text."""
    runs: list[Run] = []
    for node in nodes:
        leaves = leaves_of(node)
        if leaves is None:
            runs.append(written(node))
        else:
            for leaf in leaves:
                add_run(runs, run_of(leaf))
    return [run for run in runs if run.text]


def add_run(runs: list[Run], run: Run) -> None:
    """Add text, to the last run if that has the same marks."""
    last = runs[-1] if runs else None
    if last is not None and last.text and same_marks(last, run):
        runs[-1] = replace(last, text=last.text + run.text)
    else:
        runs.append(run)


def same_marks(left: Run, right: Run) -> bool:
    if left.written or right.written:
        return False
    return left.marks == right.marks and left.code == right.code


def run_of(leaf: Node) -> Run:
    marks = leaf.get("marks")
    names = dict.fromkeys(_name(mark) for mark in (marks if isinstance(marks, list) else []))
    names_in_order = sorted((name for name in names if name and name != "code"), key=_rank)
    return Run(str(leaf.get("text", "")), tuple(names_in_order), "code" in names)


def _name(mark: Json) -> str:
    """The name of a mark that Markdown has, empty for others."""
    if not isinstance(mark, dict):
        return ""
    kind, colours = mark.get("type"), data_of(mark)
    if kind == "color":
        styles: list[str] = []
        for name, key in (("color", "text"), ("background-color", "background")):
            colour = colours.get(key, "default")
            if not isinstance(colour, str) or colour not in COLORS:
                return ""
            if colour != "default":
                styles.append(f"{name}:{colour};")
        return f"color {''.join(styles)}"
    return kind if isinstance(kind, str) and (kind in TAGS or kind == "code") else ""


def _rank(name: str) -> tuple[int, str]:
    return (MARK_ORDER.index(name.partition(" ")[0]), name)


def tagged(mark: str, inner: str) -> str:
    """Content within the HTML tag of a mark."""
    kind, _, style = mark.partition(" ")
    if kind == "color":
        return f'<mark style="{style}">{inner}</mark>' if style else f"<mark>{inner}</mark>"
    return f"<{TAGS[kind]}>{inner}</{TAGS[kind]}>"
