"""Diagrams in Mermaid's language: their source, which a script of the page can draw.

The source is a code block like any other, so that it is there without a script, on paper, and for
those who copy it. The drawing is an image beside it; this says where, and under which name.
"""

from __future__ import annotations

import re

from content.documents.nodes import data_of, text_of
from content.documents.plain_text import plain_text
from content.html.code import code
from content.html.markup import Html, element
from content.html.rendering import Rendering
from content.json_types import JsonObject

LANGUAGE = "mermaid"
# Longer sources are shown only, and so are those behind so many on one page.
CHARACTERS, ON_PAGE = 20_000, 50
# The first words of the languages of diagrams, as people call them.
_KINDS = {
    "graph": "Flowchart", "flowchart": "Flowchart", "sequencediagram": "Sequence diagram",
    "classdiagram": "Class diagram", "statediagram": "State diagram",
    "erdiagram": "Entity relationship diagram", "journey": "User journey",
    "gantt": "Gantt chart", "pie": "Pie chart", "quadrantchart": "Quadrant chart",
    "requirementdiagram": "Requirement diagram", "gitgraph": "Git graph", "mindmap": "Mind map",
    "timeline": "Timeline", "xychart": "Chart", "sankey": "Sankey diagram",
    "block": "Block diagram", "packet": "Packet diagram", "kanban": "Kanban board",
    "architecture": "Architecture diagram", "radar": "Radar chart", "treemap": "Treemap",
}  # fmt: skip
_WORD = re.compile(r"[A-Za-z]{1,30}")
_TITLE = re.compile(r"^[ \t]*accTitle[ \t]*:[ \t]*(\S[^\n]{0,200})$", re.MULTILINE)
# Settings between dashes, directives and comments stand before the first word.
_FRONT = re.compile(r"\A\s*---\n.{0,2000}?\n---[ \t]*(?=\n)", re.DOTALL)
_FRONT_TITLE = re.compile(r"^title[ \t]*:[ \t]*(\S[^\n]{0,200})$", re.MULTILINE)
_COMMENTS = re.compile(r"(?:\s*%%[^\n]*(?:\n|\Z))*+\s*")


def code_or_diagram(rendering: Rendering, node: JsonObject) -> Html:
    """A code block; one with a diagram in it stands in a place where that can be drawn."""
    shown = code(rendering, node)
    data = data_of(node)
    if rendering.options.paper or text_of(data, "syntax").strip().lower() != LANGUAGE:
        return shown
    source = plain_text(node)
    if not source.strip() or len(source) > CHARACTERS or rendering.diagrams >= ON_PAGE:
        return shown
    rendering.diagrams += 1
    rendering.uses.diagrams = True
    label = text_of(data, "title").strip() or diagram_label(source)
    return element("div", shown, class_="diagram", data_label=label)


def diagram_label(source: str) -> str:
    """What a diagram is called for those who do not see it: its title, else its kind."""
    title = _TITLE.search(source)
    if title is not None:
        return title.group(1).strip()
    front = _FRONT.match(source)
    rest = source
    if front is not None:
        title = _FRONT_TITLE.search(front.group())
        if title is not None:
            return title.group(1).strip().strip("\"'")
        rest = source[front.end() :]
    comments = _COMMENTS.match(rest)
    word = _WORD.match(rest, comments.end() if comments is not None else 0)
    return _KINDS.get(word.group().lower() if word else "", "Diagram")
