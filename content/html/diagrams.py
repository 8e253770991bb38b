"""Diagrams in Mermaid's language: their source, which a script of the page can draw.

The source is a code block like any other, so that it is there without a script, on paper, and for
those who copy it. The drawing is an image beside it; this says where, and under which name.
"""

from __future__ import annotations

import re

from content.documents.nodes import data_of, text_of
from content.documents.plain_text import plain_text
from content.html.block_words import BlockWords
from content.html.code import code
from content.html.markup import Html, element
from content.html.rendering import Rendering
from content.json_types import JsonObject

LANGUAGE = "mermaid"
# Longer sources are shown only, and so are those behind so many on one page.
CHARACTERS, ON_PAGE = 20_000, 50
# The first words of the languages of diagrams, with the names of what people call them.
_KINDS = {
    "graph": "flowchart",
    "flowchart": "flowchart",
    "sequencediagram": "sequence_diagram",
    "classdiagram": "class_diagram",
    "statediagram": "state_diagram",
    "erdiagram": "entity_diagram",
    "journey": "user_journey",
    "gantt": "gantt_chart",
    "pie": "pie_chart",
    "quadrantchart": "quadrant_chart",
    "requirementdiagram": "requirement_diagram",
    "gitgraph": "git_graph",
    "mindmap": "mind_map",
    "timeline": "timeline",
    "xychart": "chart",
    "sankey": "sankey_diagram",
    "block": "block_diagram",
    "packet": "packet_diagram",
    "kanban": "kanban_board",
    "architecture": "architecture_diagram",
    "radar": "radar_chart",
    "treemap": "treemap",
}
_WORD = re.compile(r"[A-Za-z]{1,30}")
_TITLE = re.compile(r"^[ \t]*accTitle[ \t]*:[ \t]*(\S[^\n]{0,200})$", re.MULTILINE)
# Settings between dashes, directives and comments stand before the first word.
_FRONT = re.compile(r"\A\s*---\n.{0,2000}?\n---[ \t]*(?=\n)", re.DOTALL)
_FRONT_TITLE = re.compile(r"^title[ \t]*:[ \t]*(\S[^\n]{0,200})$", re.MULTILINE)
_COMMENTS = re.compile(r"(?>(?:\s*%%[^\n]*(?:\n|\Z))*)\s*")


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
    words = rendering.options.words.blocks
    return element(
        "div",
        shown,
        class_="diagram",
        data_label=text_of(data, "title").strip() or diagram_label(source, words),
        data_source=words.diagram_source,
        data_failed=words.diagram_failed,
    )


def diagram_label(source: str, words: BlockWords) -> str:
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
    kind = _KINDS.get(word.group().lower() if word else "", "diagram")
    return str(getattr(words, kind))
