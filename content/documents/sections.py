"""A document cut at its headings: what search shows, and what links to anchors lead to."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from content.documents.alerts import with_alerts
from content.documents.anchors import HEADINGS, heading_anchors
from content.documents.nodes import Node, child_lists
from content.documents.plain_text import plain_text, text_pieces

# Private characters and controls mean nothing to readers; NUL and surrogates cannot be stored.
_UNSHOWN = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff\ue000-\uf8ff]")


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with the plain text up to the next one; the first has neither, only text."""

    anchor: str | None
    heading: str
    text: str


def sections_of(document: Node) -> list[Section]:
    """The sections in reading order, with headings wherever they stand (tabs, steps, ...).

    Sections without heading and text are left out, so an empty document has none.
    """
    document = with_alerts(document)
    anchors = heading_anchors(document)
    sections: list[Section] = []
    anchor: str | None = None
    heading = ""
    pieces: list[str] = []

    def close() -> None:
        text = _lines("".join(pieces))
        if anchor is not None or text:
            sections.append(Section(anchor, heading, text))
        pieces.clear()

    for piece in text_pieces(document, HEADINGS):
        if isinstance(piece, str):
            pieces.append(piece)
            continue
        close()
        heading = " ".join(shown_text(plain_text(piece)).split())
        anchor = anchors[id(piece)]
    close()
    return sections


def shown_text(text: str) -> str:
    """A text in its composed form, without characters that cannot be stored or shown."""
    return unicodedata.normalize("NFC", _UNSHOWN.sub("", text))


def _lines(text: str) -> str:
    """The text of blocks, one a line, without blank lines."""
    lines = (" ".join(line.split()) for line in shown_text(text).split("\n"))
    return "\n".join(line for line in lines if line)


def drop_conditional_blocks(document: Node) -> bool:
    """Take the `if` blocks out of a document, with all that is in them; whether there were some.

    The document itself is changed. What is in a block whose condition is always true goes as
    well: nothing is worked out.
    """
    dropped = False
    stack: list[Node] = [document]
    while stack:
        for children in child_lists(stack.pop()):
            others = [child for child in children if child.get("type") != "if"]
            if len(others) != len(children):
                children[:] = others
                dropped = True
            stack.extend(others)
    return dropped
