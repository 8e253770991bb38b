"""A book as a PDF: drawn twice, because the numbers of sheets in its contents come out first.

PlutoPrint lays out HTML and CSS for paper without a browser. It gets resources from `_Given`
alone: what is not beside the job or a shipped font does not exist for it.
"""

from __future__ import annotations

import io
import logging
import mimetypes
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import plutoprint
from pypdf import PdfReader, PdfWriter
from pypdf.generic import (
    BooleanObject,
    DictionaryObject,
    Fit,
    IndirectObject,
    NameObject,
    TextStringObject,
)

from content.pdf.book import Book, Report, make_book
from content.pdf.fonts import FONT_PREFIX, font_file
from content.pdf.images import Pictures
from content.pdf.job import IMAGES, PrintJob

DRAWING = "drawing"

# A made-up scheme: nothing that could be asked for resolves to anything else.
BASE = "docstead:/"


class TooManySheetsError(Exception):
    """The book has more sheets than it may have."""

    def __init__(self, sheets: int) -> None:
        super().__init__(f"{sheets} sheets")
        self.sheets = sheets


class _Resources(plutoprint.ResourceFetcher):
    """Serves images of the job and shipped fonts; refuses everything else."""

    def __init__(self, images: Path, types: Mapping[str, str], pictures: Pictures) -> None:
        super().__init__()
        self._images = images
        self._pictures = pictures
        self._types = types

    def fetch_url(self, url: str) -> plutoprint.ResourceData:
        path = url.removeprefix(BASE)
        folder, _, name = path.partition("/")
        if url.startswith(BASE) and f"{folder}/" == FONT_PREFIX:
            font = font_file(name)
            if font is not None:
                return plutoprint.ResourceData(font.read_bytes(), "font/woff2")
        if url.startswith(BASE) and folder == IMAGES and name in self._types:
            if (placeholder := self._pictures.placeholder(name)) is not None:
                return plutoprint.ResourceData(placeholder, "image/png")
            data = (self._images / name).read_bytes()
            return plutoprint.ResourceData(data, self._types[name])
        raise PermissionError(f"{url[:200]!r} is not part of the job")


def draw(job: PrintJob, folder: Path, report: Report) -> tuple[bytes, int]:
    """The PDF and its number of sheets; TooManySheetsError when it would have too many."""
    book = make_book(job, report)
    types = {
        file.image: file.content_type or mimetypes.guess_type(file.name)[0] or ""
        for file in job.files.values()
        if file.image is not None
    }
    pictures = Pictures(folder / IMAGES, types)
    resources = _Resources(folder / IMAGES, types, pictures)
    numbers: dict[str, int] = {}
    # Layouts and the file itself; one more for the numbers in the contents.
    steps = 2 + (len(job.pages) > 1)
    report(DRAWING, 0, steps)
    if len(job.pages) > 1:
        draft = PdfReader(io.BytesIO(_lay_out(job, book.draft(), resources)))
        numbers = {id: sheet + 1 for id, (sheet, _) in _places(draft).items()}
        report(DRAWING, 1, steps)
    html = book.html(numbers, pictures.style(f"{IMAGES}/"))
    drawn = PdfReader(io.BytesIO(_lay_out(job, html, resources)))
    report(DRAWING, steps - 1, steps)
    return _finish(book, drawn, pictures), len(drawn.pages)


def _lay_out(job: PrintJob, html: str, resources: _Resources) -> bytes:
    laid_out = plutoprint.Book(plutoprint.PAGE_SIZE_A4)
    laid_out.custom_resource_fetcher = resources
    laid_out.load_html(html, base_url=BASE)
    count = laid_out.get_page_count()
    if count > job.limits.sheets:
        raise TooManySheetsError(count)
    stream = io.BytesIO()
    laid_out.write_to_pdf_stream(stream)
    return stream.getvalue()


def _places(pdf: PdfReader) -> dict[str, tuple[int, float]]:
    """Index of the sheet and distance from its foot, for every place that is linked to."""
    root = pdf.root_object
    sheets = {number: index for index, number in enumerate(_sheets(root["/Pages"]))}
    names = root.get("/Names", {}).get("/Dests")
    places = {}
    for name, place in _named(names.get_object() if names is not None else {}):
        # The sheet, how to show it, and the left and upper edge of what is shown.
        sheet, _, _, top, *_ = place
        places[name] = (sheets[sheet.get_object().indirect_reference.idnum], float(top))
    return places


def _sheets(node: Any) -> Iterator[int]:
    """Object numbers of the sheets below a node of the tree of pages."""
    for kid in node.get_object()["/Kids"]:
        if "/Kids" in kid.get_object():
            yield from _sheets(kid)
        else:
            yield kid.idnum


def _named(node: Any) -> Iterator[tuple[str, Any]]:
    """Names and places below a node of the tree of names."""
    for kid in node.get("/Kids", []):
        yield from _named(kid.get_object())
    names = node.get("/Names", [])
    for name, place in zip(names[::2], names[1::2], strict=True):
        value = place.get_object()
        yield str(name), value["/D"].get_object() if isinstance(value, dict) else value


def _finish(book: Book, pdf: PdfReader, pictures: Pictures) -> bytes:
    """The PDF with its images, an outline, its title and its language."""
    places = _places(pdf)
    writer = PdfWriter(clone_from=pdf)
    pictures.put_into(writer)
    above: list[tuple[int, IndirectObject]] = []
    for entry in book.entries:
        if entry.id not in places:
            continue
        while above and above[-1][0] >= entry.depth:
            above.pop()
        sheet, top = places[entry.id]
        parent = above[-1][1] if above else None
        item = writer.add_outline_item(
            title=entry.text or "–",
            page_number=sheet,
            parent=parent,
            is_open=entry.depth == 0 and len(book.entries) < 200,
            fit=Fit.xyz(left=0, top=top, zoom=0),
        )
        above.append((entry.depth, item))
    root = writer.root_object
    root[NameObject("/Lang")] = TextStringObject(book.job.language)
    root[NameObject("/PageMode")] = NameObject("/UseOutlines")
    root[NameObject("/ViewerPreferences")] = DictionaryObject(
        {NameObject("/DisplayDocTitle"): BooleanObject(True)}
    )
    writer.add_metadata({"/Title": book.job.title, "/Creator": "Docstead", "/Producer": "Docstead"})
    stream = io.BytesIO()
    writer.write(stream)
    return stream.getvalue()


# The library reports what it mends in foreign PDFs; these are our own.
logging.getLogger("pypdf").setLevel(logging.ERROR)
