"""Writing a page after an edit: what was not edited stays as its author wrote it."""

from __future__ import annotations

from collections.abc import Sequence

from content.collector import collector_paused
from content.documents.keys import content_digest
from content.json_types import JsonObject
from content.markdown.context import Resolve
from content.markdown.originals import read_originals
from content.markdown.parser import parse_document
from content.markdown.spelling import mean_the_same, write_markdown
from content.markdown.writer.document import DocumentWriter
from content.markdown.writer.writing import Link


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
    are written as their style says, or in canonical form. A document that equals a whole version
    is that version, byte for byte. `resolve` and `link` are those of the parser and the writer,
    and must fit together.

    The result always stands for the document: where source and canonical text would not go
    together, all of it is in canonical form.
    """
    with collector_paused():
        return _rewritten(document, originals, resolve, link)


def _rewritten(
    document: JsonObject, originals: Sequence[str], resolve: Resolve | None, link: Link | None
) -> str:
    content = content_digest(document)
    for page in originals:
        if _digest(page, resolve) == content:
            return page
    original_blocks = read_originals(originals, resolve)
    mixed = DocumentWriter(document, link, original_blocks, means_same=mean_the_same).write()
    digest = _digest(mixed, resolve)
    if digest == content:
        return mixed
    canonical = write_markdown(document, link=link)
    # A document that is not in canonical form itself is not what its Markdown stands for.
    return mixed if digest == _digest(canonical, resolve) else canonical


def _digest(markdown: str, resolve: Resolve | None) -> bytes:
    return content_digest(parse_document(markdown, resolve=resolve))
