"""The input of the process that draws a PDF: all that it gets to know.

A job is one JSON file; images lie beside it. Nothing else is read, nothing is asked for. Nothing is
imported to see whether the packages for PDFs are installed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.util import find_spec

import orjson

from content.json_types import JsonObject

JOB_FILE = "job.json"
RESULT_FILE = "result.json"
PDF_FILE = "printed.pdf"
IMAGES = "images"


@dataclass(frozen=True, slots=True)
class Limits:
    """The bounds of one PDF: sheets of paper, seconds of computing, megabytes of memory."""

    sheets: int = 5_000
    seconds: int = 300
    megabytes: int = 2_000


@dataclass(frozen=True, slots=True)
class PrintedPage:
    """A page of the book, in reading order: a document, or an entry of the contents only."""

    id: str
    kind: str
    title: str
    depth: int = 0
    emoji: str = ""
    description: str = ""
    # Titles of the pages above it.
    above: list[str] = field(default_factory=list)
    document: JsonObject | None = None
    # Ids of printed pages directly below, which an empty page lists.
    children: list[str] = field(default_factory=list)
    variables: JsonObject = field(default_factory=dict)
    # Where a link of the contents leads.
    href: str = ""


@dataclass(frozen=True, slots=True)
class KnownPage:
    """A page that links may lead to, printed or not."""

    title: str
    path: str


@dataclass(frozen=True, slots=True)
class PrintedFile:
    """A file that pages refer to; `image` is its name in the folder of images, if it is one."""

    name: str
    size: int
    width: int | None = None
    height: int | None = None
    image: str | None = None
    content_type: str = ""


@dataclass(frozen=True, slots=True)
class PrintJob:
    """A book: its pages and what they refer to."""

    title: str
    space_id: str
    # Where people reach the server: links to what is not in the book lead there.
    address: str
    pages: list[PrintedPage]
    # Lines below the title on its own sheet; without any there is no such sheet.
    lines: list[str] = field(default_factory=list)
    language: str = "en"
    known_pages: dict[str, KnownPage] = field(default_factory=dict)
    files: dict[str, PrintedFile] = field(default_factory=dict)
    users: dict[str, str] = field(default_factory=dict)
    contents: dict[str, JsonObject] = field(default_factory=dict)
    # Addresses of pages of other spaces that texts name, by the reference in canonical form.
    written: dict[str, str] = field(default_factory=dict)
    variables: JsonObject = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)


def write_job(job: PrintJob) -> bytes:
    """The job as JSON."""
    return orjson.dumps(job)


def read_job(data: bytes) -> PrintJob:
    """The job of such JSON."""
    stored = orjson.loads(data)
    return PrintJob(
        **{
            **stored,
            "pages": [PrintedPage(**page) for page in stored["pages"]],
            "known_pages": {id: KnownPage(**value) for id, value in stored["known_pages"].items()},
            "files": {id: PrintedFile(**value) for id, value in stored["files"].items()},
            "limits": Limits(**stored["limits"]),
        }
    )


PACKAGES = ("PIL", "plutoprint", "pypdf", "ziamath")
NOT_INSTALLED = (
    "this server makes no PDFs: its operator has not installed the packages for them "
    "(pip install 'docstead[pdf]')"
)


def makes_pdfs() -> bool:
    """Whether this server can make PDFs."""
    return all(find_spec(name) is not None for name in PACKAGES)
