"""Writing a page after an edit: what was not edited stays as its author wrote it."""

from __future__ import annotations

from collections.abc import Sequence

from content.json_types import JsonObject
from content.markdown.context import Resolve
from content.markdown.digests import node_digests
from content.markdown.originals import read_originals
from content.markdown.parser import parse_document
from content.markdown.writer.document import DocumentWriter, write_markdown
from content.markdown.writer.writing import Link, nodes_of


def rewrite_markdown(
    document: JsonObject,
    originals: Sequence[str],
    *,
    resolve: Resolve | None = None,
    link: Link | None = None,
) -> str:
    """The Markdown of a document that was made from earlier versions of the page.

    `originals` are the Markdown of those, the likeliest first: the version that was edited, or
    the two sides of a merge. Every block that stands in one of them just so is written as it
    stands there, with what is between it and a neighbour that is still its neighbour; all others
    are written in canonical form. A document that equals a whole version is that version, byte
    for byte. `resolve` and `link` are those of the parser and the writer, and must fit together.

    The result always stands for the document: where source and canonical text would not go
    together, all of it is in canonical form.
    """
    wanted = _content(document)
    for page in originals:
        if _digest(page, resolve) == wanted:
            return page
    mixed = DocumentWriter(document, link, read_originals(originals, resolve)).write()
    found = _digest(mixed, resolve)
    if found == wanted:
        return mixed
    canonical = write_markdown(document, link=link)
    # A document that is not in canonical form itself is not what its Markdown stands for.
    return mixed if found == _digest(canonical, resolve) else canonical


def _digest(markdown: str, resolve: Resolve | None) -> bytes:
    return _content(parse_document(markdown, resolve=resolve))


def _content(document: JsonObject) -> bytes:
    """The digest of the blocks of a document."""
    digests = node_digests(document)
    return b"".join(digests[id(node)] for node in nodes_of(document))
