"""What of a page stays Markdown in its document, by kind, and why."""

from __future__ import annotations

import re
from collections.abc import Iterator

from content.documents.nodes import Node, data_of, walk
from content.documents.older_tags import API_TAGS
from content.documents.tag_syntax import parse_tag
from content.markdown.tags import rule_for

_ELEMENT = re.compile(r"</?([A-Za-z][A-Za-z0-9-]*)")
_DEFINITION = re.compile(r"\[[^\]\n^][^\]\n]*\]:")
COMMENT, DEFINITION, NOTE, OTHER = "comments", "definitions of links", "notes", "other"
REASONS = {
    COMMENT: "they are for authors, and no reader sees them",
    DEFINITION: "nothing on the page uses them",
    NOTE: "a note is an annotation where it is first referred to, and not within another one",
    OTHER: "it is nested too deep, or the dialect has no form for it",
}
_OLDER_TAG = "the dialect has no block for it any more; what it says is shown in its place"
_UNKNOWN_TAG = "the dialect does not have the tag"
_MISPLACED_TAG = (
    "its start or end is missing, it stands in a wrong place, or its block cannot hold it"
)
_HTML = "no block or mark stands for the element, or for its attributes"


def kept_markdown(document: Node) -> Iterator[tuple[str, str, str]]:
    """(kind, why it stays, source) of everything in a document that is kept as it is written."""
    for node in walk([document]):
        if node.get("type") == "markdown":
            source = str(data_of(node).get("source", ""))
            kind, reason = _kind(source.strip())
            yield kind, reason, source


def _kind(source: str) -> tuple[str, str]:
    if source.startswith("<!--"):
        return COMMENT, REASONS[COMMENT]
    if source.startswith("{%"):
        tag = parse_tag(source.partition("%}")[0] + "%}")
        if tag is None:
            return OTHER, REASONS[OTHER]
        if tag.name in API_TAGS:
            return f"tag {tag.name}", _OLDER_TAG
        return f"tag {tag.name}", _UNKNOWN_TAG if rule_for(tag) is None else _MISPLACED_TAG
    element = _ELEMENT.match(source)
    if element is not None:
        return f"HTML {element[1].lower()}", _HTML
    if source.startswith("[^"):
        return NOTE, REASONS[NOTE]
    kind = DEFINITION if _DEFINITION.match(source) else OTHER
    return kind, REASONS[kind]
