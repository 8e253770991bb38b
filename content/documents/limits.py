"""Limits of one document, the same for all ways in: what is accepted can be read and written back.

Markdown and JSON stand for the same, so a text is bounded in both forms, whichever it comes in.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

import orjson

from content.documents.nodes import Node, child_lists, walk

# Characters of the Markdown of one body.
CHARACTERS = 1_000_000
# Lines of it that are not blank: they are counted before it is parsed.
LINES = 50_000
# Nodes: blocks, links, pieces of text. Of all texts of one write together, too.
NODES = 100_000
# Levels that nodes are nested in each other. Text that is nested deeper stays Markdown.
LEVELS = 100
# Bytes of the document as JSON in UTF-8, with keys and styles. It has to fit into the body of a
# request, with what stands around it.
BYTES = 8_000_000
# Levels of arrays and objects in the nodes of a document: two for each node, marks and free data.
JSON_LEVELS = 2 * LEVELS + 20
# What the body of a request may hold, so that every document fits: levels and values.
BODY_LEVELS = JSON_LEVELS + 20
BODY_VALUES = 1_000_000

# The rows of the table in docs/writing.md: what, the limit, when it is checked.
TABLE: Mapping[str, tuple[int, str, str]] = {
    "Markdown of a text": (CHARACTERS, "characters", "before anything is read"),
    "Markdown of a text, lines that are not blank": (LINES, "lines", "before it is parsed"),
    "nodes (paragraphs, items, cells, links, pieces of text)": (
        NODES,
        "nodes",
        "while it is parsed, which ends soon beyond it; those of one write together, too",
    ),
    "nodes within nodes": (
        LEVELS,
        "levels",
        "JSON is refused beyond it; Markdown of more is kept as it is written",
    ),
    "the document as JSON": (BYTES, "bytes", "before it is stored"),
}


def text_problem(markdown: str) -> str | None:
    """What is wrong with the size of a Markdown text; None for nothing. Linear in the text."""
    if len(markdown) > CHARACTERS:
        return f"has {len(markdown):,} characters; at most {CHARACTERS:,} are allowed"
    return lines_problem(markdown)


def lines_problem(markdown: str) -> str | None:
    """What is wrong with the number of lines of a Markdown text; None for nothing."""
    if max(markdown.count("\n"), markdown.count("\r")) < LINES:
        return None
    lines = sum(map(bool, map(str.strip, markdown.splitlines())))
    if lines <= LINES:
        return None
    return f"has {lines:,} lines that are not blank; at most {LINES:,} are allowed"


def bytes_problem(size: int) -> str | None:
    """What is wrong with a document of so many bytes as JSON; None for nothing."""
    if size <= BYTES:
        return None
    return f"has {size:,} bytes as JSON; at most {BYTES:,} are allowed"


def document_problem(document: Node) -> str | None:
    """What is wrong with the size of a document of a text of allowed size; None for nothing."""
    nodes = sum(1 for _ in walk(chain.from_iterable(child_lists(document))))
    if nodes > NODES:
        return (
            f"has {nodes:,} nodes (paragraphs, items, cells, links and pieces of text); "
            f"at most {NODES:,} are allowed"
        )
    return bytes_problem(len(orjson.dumps(document)))
