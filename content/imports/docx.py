"""Word documents: one page, its pictures as files."""

from __future__ import annotations

import datetime as dt
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from content.errors import SourceError
from content.git.space_import import SpaceImport
from content.git.summary import title_from_name
from content.imports.dom import parse_html
from content.imports.drafts import Draft, space_import
from content.imports.html_page import read_page
from content.imports.safe_xml import refuse_declarations
from content.imports.word_lists import STYLES, settle
from content.imports.word_numbers import settle_numbers, with_marks
from content.sources.tree import SourceLimits, SourceTree
from content.sources.zip import open_files, open_zip

MARKER, PROPERTIES = "word/document.xml", "docProps/core.xml"
_MODIFIED = re.compile(rb"<dcterms:modified\b[^<>]*>\s*([0-9T:.+-]{10,40}Z?)\s*<")
# Styles that say more than their looks. `Title` is the title of the page; headings stay headings.
_STYLES = r"""
p[style-name='Title'] => h1.document-title:fresh
p[style-name='Subtitle'] => p:fresh
p[style-name='Code'] => pre:separator('\n')
p[style-name='Source Code'] => pre:separator('\n')
p[style-name='HTML Preformatted'] => pre:separator('\n')
p[style-name='Plain Text'] => pre:separator('\n')
p[style-name='Quote'] => blockquote > p:fresh
p[style-name='Intense Quote'] => blockquote > p:fresh
r[style-name='Code'] => code
r[style-name='HTML Code'] => code
r[style-name='Verbatim Char'] => code
r[style-name='Source Code'] => code
highlight => mark
"""
_ENDINGS = {"image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/bmp": "bmp",
            "image/tiff": "tiff", "image/svg+xml": "svg", "image/webp": "webp"}  # fmt: skip
# How the converter names formulas, single ones and those on a line of their own.
_FORMULA = "officeDocument/2006/math}oMath"
_XML_PARTS = re.compile(r"(?:.*/)?[^/]+\.(?:xml|rels)", re.IGNORECASE)


def read_docx(data: bytes, name: str, limits: SourceLimits) -> SpaceImport:
    """The page of a document; `name` is its file name. SourceError when it cannot be read."""
    with open_zip(data, limits) as source:
        changed = _changed(source)
        if MARKER not in source:
            raise SourceError(f"{name}: is not a Word document")
        for path in source.paths():
            if _XML_PARTS.fullmatch(path):
                refuse_declarations(source.read(path), path)
    # Slow to import, and needed where documents are converted only.
    import mammoth

    images: dict[str, bytes] = {}

    def keep(image: Any) -> dict[str, str]:
        ending = _ENDINGS.get(str(image.content_type))
        if ending is None:
            return {"src": ""}
        path = f"images/image{len(images) + 1}.{ending}"
        with image.open() as file:
            images[path] = file.read()
        return {"src": path}

    try:
        converted = mammoth.convert_to_html(
            io.BytesIO(with_marks(data, MARKER)),
            style_map=f"{_STYLES}{STYLES}",
            include_embedded_style_map=False,
            convert_image=mammoth.images.img_element(keep),
            external_file_access=False,
        )
    except Exception as error:
        # A parser of another program's files fails in many ways; none of them is ours.
        raise SourceError(f"{name}: cannot be read as a Word document: {error}") from error
    root = parse_html(str(converted.value))
    settle(root)
    settle_numbers(root)
    page = read_page(root)
    title = page.title or title_from_name(name.rsplit(".", 1)[0]) or "Document"
    draft = Draft(title, "", page.markdown)
    # The page of the document is at no path.
    space = space_import(
        [draft], open_files(images, name=title, changed={"": changed} if changed else {})
    )
    messages = [str(message.message) for message in converted.messages]
    return replace(space, warnings=tuple(_left_out(messages)))


def _changed(source: SourceTree) -> dt.datetime | None:
    """When the document was saved, as it says itself."""
    if PROPERTIES not in source:
        return None
    match = _MODIFIED.search(source.read(PROPERTIES))
    try:
        return dt.datetime.fromisoformat(match.group(1).decode()) if match is not None else None
    except ValueError:
        return None


def _left_out(messages: Iterable[str]) -> Iterator[str]:
    """Lines about what the converter does not read, as far as readers would miss it."""
    if any(_FORMULA in message for message in messages):
        yield "the formulas of the document are left out; write them again as $$TeX$$"
