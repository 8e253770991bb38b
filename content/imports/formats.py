"""The converter for a payload: by its declared type, and by its first bytes and names."""

from __future__ import annotations

import datetime as dt
import posixpath
from dataclasses import dataclass, replace

from content.errors import SourceError
from content.git.space_import import SpaceImport
from content.git.summary import title_from_name
from content.imports import docx, epub, html_files, markdown_files, notion
from content.imports.drafts import Draft, space_import
from content.imports.html_page import decode_html, page_of_html
from content.sources.tree import LeftOut, SourceEntry, SourceLimits, SourceTree
from content.sources.zip import ZIP_MAGIC, open_files, open_zip

# What a source may turn out to be. Archives are looked into: they hold what they hold.
KINDS: dict[str, frozenset[str]] = {
    "docx": frozenset({"docx"}),
    "markdown": frozenset({"markdown", "archive"}),
    "html": frozenset({"html", "archive"}),
    "zip": frozenset({"docx", "archive"}),
    "confluence": frozenset({"html", "archive"}),
    "github-wiki": frozenset({"markdown", "archive"}),
    "notion": frozenset({"markdown", "html", "archive"}),
    "google-docs": frozenset({"docx", "html", "archive"}),
}
WANTED = {
    "docx": "a Word document (.docx)",
    "markdown": "Markdown, or a zip archive of Markdown files",
    "html": "HTML, or a zip archive of HTML files",
    "zip": "a zip archive, an EPUB or a Word document",
    "confluence": "the HTML export of a space, or one HTML page",
    "github-wiki": "a wiki of a Git host, or a zip archive of its Markdown files",
    "notion": "a zip archive, Markdown or HTML",
    "google-docs": "a document that may be read without signing in",
}


@dataclass(frozen=True, slots=True)
class Payload:
    """What was fetched: `name` is the last part of its address or its suggested file name."""

    name: str
    content_type: str
    charset: str | None
    data: bytes
    # When the server has last changed it, if it says so.
    changed: dt.datetime | None = None


def read_payload(source: str, payload: Payload, limits: SourceLimits) -> SpaceImport:
    """The pages and files in what was fetched. A `ContentError` says what cannot be read."""
    kind = kind_of(payload)
    if kind not in KINDS[source]:
        raise SourceError(f"{payload.name}: is not what is expected: {WANTED[source]}")
    read = _read(kind, payload, limits)
    if kind == "archive":
        # Its files have times of their own.
        return read
    own = read.changed_at
    return replace(read, changed_at=lambda path: own(path) or payload.changed)


def _read(kind: str, payload: Payload, limits: SourceLimits) -> SpaceImport:
    name = posixpath.splitext(payload.name)[0]
    if kind == "docx":
        return docx.read_docx(payload.data, payload.name, limits)
    if kind == "markdown":
        return markdown_files.read_markdown(payload.data, payload.name, payload.charset)
    if kind == "archive":
        archive = _opened(open_zip(payload.data, limits, name=name), limits)
        read = read_archive(archive, limits)
        more = [line for line in archive.left_out.warnings() if line not in read.warnings]
        return replace(read, warnings=(*read.warnings, *more))
    page = page_of_html(decode_html(payload.data, payload.charset), lambda url: url)
    title = page.title or title_from_name(name) or "Untitled"
    draft = Draft(title, payload.name, page.markdown, page.description)
    return space_import([draft], open_files({}, name=title))


def kind_of(payload: Payload) -> str:
    """`docx`, `archive`, `html`, `markdown`, or "" for what is none of them."""
    if payload.data.startswith(ZIP_MAGIC):
        ending = posixpath.splitext(payload.name)[1].lower()
        is_document = b"word/document.xml" in payload.data
        return "docx" if is_document and ending != ".zip" else "archive"
    head = payload.data[:1024]
    if b"\0" in head and not head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return ""
    text = decode_html(payload.data[:4096], payload.charset).lstrip().lower()
    ending = posixpath.splitext(payload.name)[1].lower()
    if text.startswith(("<!doctype html", "<html", "<head", "<body")):
        return "html"
    if payload.content_type in ("text/html", "application/xhtml+xml"):
        return "html"
    if ending in html_files.ENDINGS and payload.content_type != "text/markdown":
        return "html"
    if payload.content_type.startswith("text/") or ending in (*markdown_files.ENDINGS, ".txt"):
        return "markdown"
    # Servers that know no type send text as bytes.
    return "markdown" if payload.content_type in ("", "application/octet-stream") else ""


def _opened(source: SourceTree, limits: SourceLimits) -> SourceTree:
    """The archive; where it only holds archives (large exports are cut into parts), theirs."""
    paths = source.paths()
    if not paths or not all(path.lower().endswith(".zip") for path in paths):
        return source
    parts: dict[str, SourceTree] = {}
    left_out = LeftOut()
    entries: dict[str, SourceEntry] = {}
    total = 0
    for path in paths:
        part = open_zip(source.read(path), limits)
        left_out.update(part.left_out)
        for name in part.paths():
            total += part.size(name)
            if total > limits.max_total_bytes or len(entries) >= limits.max_files:
                raise SourceError("the archives within the archive are too large")
            parts[name], entries[name] = part, SourceEntry(part.size(name))
    # What is in them is unpacked when it is read, not all of it at once.
    return SourceTree(source.name, entries, lambda name: parts[name].read(name), left_out=left_out)


def read_archive(source: SourceTree, limits: SourceLimits) -> SpaceImport:
    """The pages of an archive, by what is in it."""
    if not source.paths():
        raise SourceError("the archive is empty")
    if epub.MARKER in source:
        return epub.read_epub(source)
    if notion.is_notion(source):
        return notion.read_notion(source)
    if html_files.is_confluence(source):
        return html_files.read_confluence(source)
    if any(path.lower().endswith(markdown_files.ENDINGS) for path in source.paths()):
        return markdown_files.read_markdown_files(source)
    if html_files.html_paths(source):
        return html_files.read_html_files(source)
    documents = [path for path in source.paths() if path.lower().endswith(".docx")]
    if len(documents) == 1:
        return docx.read_docx(source.read(documents[0]), documents[0], limits)
    raise SourceError("the archive holds no Markdown, HTML, EPUB or Word document")
