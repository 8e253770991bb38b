"""Files of pages, taken apart: front matter, heading and body; kept by their blobs, so that what
has not changed since is neither read nor parsed again."""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import Any, TypeAlias

from content.git.lfs import read_text
from content.pages.front_matter import FrontMatter, read_front_matter, split_front_matter
from content.pages.front_matter_writer import source_head
from content.pages.title import split_title
from content.recent_cache import RecentCache
from content.sources.tree import SourceTree


@dataclass(frozen=True, slots=True)
class PageFile:
    """What the file of a page says. `head` is what stands before the body as it is written, if that
    has front matter; `lead` is all of the text that is not in the body."""

    matter: FrontMatter
    heading: str | None
    markdown: str
    head: str | None
    lead: str
    # Whether bytes had to be replaced.
    damaged: bool


# Reads the file at a path of a source.
PageFileReader: TypeAlias = Callable[[SourceTree, str], PageFile]


# Texts with two bytes for most characters begin with one of these marks.
_WIDE = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}


def wide_text(data: bytes) -> tuple[str, str] | None:
    """(text, encoding) of a file in UTF-16 with its mark; None for all others."""
    encoding = _WIDE.get(data[:2])
    if encoding is None:
        return None
    try:
        return data[2:].decode(encoding), encoding
    except UnicodeDecodeError:
        return None


def decode_text(data: bytes) -> tuple[str, bool]:
    """(text with `\\n` line ends and without NUL, whether bytes had to be replaced)."""
    wide = wide_text(data)
    if wide is not None:
        data = wide[0].encode()
    try:
        text, damaged = data.decode("utf-8"), False
    except UnicodeDecodeError:
        text, damaged = data.decode("utf-8", "replace"), True
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "\ufffd")
    return text, damaged


def read_page_file(source: SourceTree, path: str) -> PageFile:
    """The file of a page; YamlError names the line of its front matter that is wrong, PointerError
    says that Git LFS keeps it."""
    text, damaged = decode_text(read_text(source, path))
    yaml_text, body, _ = split_front_matter(text)
    matter = read_front_matter(yaml_text or "", path)
    heading, markdown = split_title(body)
    lead = text[: len(text) - len(markdown)] if text.endswith(markdown) else text
    return PageFile(matter, heading, markdown, source_head(text, markdown), lead, damaged)


# Of one file that is kept, beside its values.
_OVERHEAD = 1_000


def _bytes_of(file: PageFile) -> int:
    """The memory that a file takes: parsed front matter may take many times that of its text."""
    total, matter = _OVERHEAD, file.matter
    stack: list[Any] = [file.heading, file.markdown, file.head, file.lead]
    stack += [getattr(matter, member.name) for member in fields(matter)]
    while stack:
        value = stack.pop()
        total += sys.getsizeof(value)
        if isinstance(value, dict):
            stack += [*value.keys(), *value.values()]
        elif isinstance(value, (list, tuple)):
            stack += value
    return total


class KnownPageFiles:
    """The files of pages that were read most recently. Threads may share them."""

    def __init__(self, limit: int, largest: int) -> None:
        """They take at most so many bytes of memory together, none of them more than `largest`."""
        self._files: RecentCache[tuple[str, str], PageFile] = RecentCache(limit, _bytes_of, largest)

    def reader(self, scope: str) -> PageFileReader:
        """Reads files of sources whose ids of blobs are right; what was read in another scope is
        not known."""

        def read(source: SourceTree, path: str) -> PageFile:
            oid = source.blob_oid(path)
            if oid is None:
                return read_page_file(source, path)
            file = self._files.get((scope, oid))
            if file is None:
                file = read_page_file(source, path)
                self._files.put((scope, oid), file)
            # Values of front matter are lists and mappings, which whoever gets them may change.
            return replace(file, matter=copy.deepcopy(file.matter))

        return read
