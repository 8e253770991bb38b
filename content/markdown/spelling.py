"""Markdown as it was written, from a document alone: what a page says of its spelling, and back.

`content.markdown.styles` has the ways in which whole pages differ from canonical Markdown. A block
that is still written otherwise keeps its own lines in `style.source`. They are used for as long as
they mean what the block holds, so an edited block is written in canonical form.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import nullcontext

from content.collector import collector_paused
from content.documents.content_references import SCHEME
from content.documents.keys import content_digest
from content.documents.nodes import Node, data_of, object_of
from content.json_types import JsonObject
from content.markdown.context import Resolve
from content.markdown.parser import LARGE, clean, parse_document, parse_places
from content.markdown.styles import has_style
from content.markdown.writer.document import DocumentWriter, written_blocks
from content.markdown.writer.lists import MOST_BETWEEN
from content.markdown.writer.writing import Link

# Characters of the lines of one block, and of all blocks of a page, that are kept.
MOST_OF_BLOCK, MOST_OF_PAGE = 100_000, 200_000
# White space above and behind the text of a page.
USUAL_EDGES = ("", "\n")
FEW_LINES = 3
_BLANKS = " \t\n"


def parse_with_style(
    markdown: str, *, seed: str = "", resolve: Resolve | None = None, most: int = sys.maxsize
) -> Node:
    """As `parse_document`; the document also says where the page is not in canonical form."""
    markdown = clean(markdown)
    urls = _Urls(resolve)
    with collector_paused() if len(markdown) > LARGE else nullcontext():
        document, spans = parse_places(
            markdown, seed=seed, resolve=urls.reference, keep_style=True, most=most
        )
        _keep_sources(document, spans, markdown.split("\n"), urls)
    edges = _edges_of(markdown)
    # A few empty lines are `start` and `end` of the style.
    few = max(map(len, edges)) <= FEW_LINES and not "".join(edges).strip("\n")
    if not few and sum(map(len, edges)) <= MOST_BETWEEN:
        data = document["data"]
        assert isinstance(data, dict)
        data["style"] = {**object_of(data, "style"), "edges": list(edges)}
    return document


def _edges_of(markdown: str) -> tuple[str, str]:
    """The blank lines above all text, and all white space behind it; usual ones for no text."""
    if not markdown.strip(_BLANKS):
        return USUAL_EDGES
    indent = markdown[: len(markdown) - len(markdown.lstrip(_BLANKS))]
    above = indent[: indent.rfind("\n") + 1]
    return above, markdown[len(markdown.rstrip(_BLANKS)) :]


def write_markdown(document: JsonObject, *, link: Link | None = None) -> str:
    """The Markdown of a document, ending with one line end unless it is empty.

    It is in canonical form but for the style that the document has (`content.markdown.styles`).
    `content.markdown.parser` gives the same document back. `link` turns a content reference into a
    URL, or gives None for one that says all of it (`content.documents.content_references`). What
    the dialect has no form for is kept as JSON in an empty HTML element.
    """
    written = _write_body(document, link)
    edges = object_of(data_of(document), "style").get("edges")
    if not written or not isinstance(edges, list) or len(edges) != 2:
        return written
    above, behind = edges
    if not isinstance(above, str) or not isinstance(behind, str):
        return written
    # A few empty lines above are written already.
    text = written[len(_edges_of(written)[0]) :].rstrip(_BLANKS)
    edged = f"{above}{text}{behind}"
    # They are white space, and no part of a block, such as one of code that nobody has ended.
    if (above, behind) != _edges_of(edged) or len(above) + len(behind) > MOST_BETWEEN:
        return written
    same = content_digest(parse_document(edged)) == content_digest(parse_document(written))
    return edged if same else written


def _write_body(document: JsonObject, link: Link | None) -> str:
    """The Markdown of a document without the white space around it."""
    if not has_style(document):
        return DocumentWriter(document, link, plain=True).write()
    written = DocumentWriter(document, link, means_same=mean_the_same).write()
    read = parse_with_style(written)
    # A style may not fit a document that was edited, and what is written must stay as it is.
    if DocumentWriter(read, means_same=mean_the_same).write() == written:
        content = content_digest(read)
        if content == content_digest(document):
            return written
        canonical = DocumentWriter(document, link, plain=True).write()
        return written if content == content_digest(parse_document(canonical)) else canonical
    return DocumentWriter(document, link, plain=True).write()


class _Urls:
    """The URLs that references were read from."""

    def __init__(self, resolve: Resolve | None) -> None:
        self._resolve = resolve
        # With the reference, so that no id() is of two.
        self._urls: dict[int, tuple[JsonObject, str]] = {}

    def reference(self, url: str) -> JsonObject | None:
        """What the caller makes of a URL."""
        reference = None if self._resolve is None else self._resolve(url)
        if reference is not None:
            self._urls[id(reference)] = reference, url
        return reference

    def url(self, reference: JsonObject) -> str | None:
        """The URL that was read as this reference; None for others."""
        entry = self._urls.get(id(reference))
        return None if entry is None else entry[1]


def _keep_sources(
    document: Node,
    spans: dict[int, tuple[Node, int, int]],
    lines: Sequence[str],
    urls: _Urls,
) -> None:
    """Note the lines of blocks that would be written otherwise, and what stands between blocks."""
    left = MOST_OF_PAGE
    end: int | None = None
    for node, joint, text in written_blocks(document, urls.url):
        span = spans.get(id(node))
        if span is None:
            end = None
            continue
        _, first, last = span
        while last > first and not lines[last - 1].strip(" \t"):
            last -= 1
        between = "" if end is None else "\n".join(["", *lines[end:first], ""])
        if between not in ("", joint) and not between.strip() and len(between) <= MOST_BETWEEN:
            _set_style(node, "gap", between)
        end = last
        source = "\n".join(lines[first:last])
        if source == text or not source or len(source) > min(MOST_OF_BLOCK, left):
            continue
        if SCHEME in source:
            # Addresses that only the server understands leave it in no text.
            continue
        left -= len(source)
        _set_style(node, "source", source)


def _set_style(node: Node, name: str, value: str) -> None:
    style = node.setdefault("style", {})
    if isinstance(style, dict):
        style[name] = value


def mean_the_same(source: str, written: str) -> bool:
    """Whether the lines of a block and what is written of it are read as the same."""
    if len(source) > MOST_OF_BLOCK:
        return False
    return content_digest(parse_document(source)) == content_digest(parse_document(written))
