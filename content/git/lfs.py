"""Git LFS: pointers, which stand in a tree for files that are elsewhere, and the files that it
keeps."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from content.errors import SourceError
from content.sources.tree import SourceTree

_VERSION = b"version https://git-lfs.github.com/spec/v1"
# Pointers are short texts.
POINTER_BYTES = 1024
_POINTER = re.compile(
    _VERSION + rb"\r?\noid sha256:([0-9a-f]{64})\r?\nsize (0|[1-9][0-9]{0,14})\r?\n?"
)
ATTRIBUTES = ".gitattributes"
# Bytes and lines of attributes that are read, characters of a line, patterns of a tree.
_ATTRIBUTES_BYTES, _LINES, _LINE, _RULES = 100_000, 1_000, 2_048, 10_000
# Longer sets of characters are none, so that no `[` is followed to the end of a line.
_SPECIAL = re.compile(r"\*+|\?|\[[!^]?\]?[^\]/]{0,200}\]|\\.|.", re.DOTALL)


class Pointer(NamedTuple):
    """The file that a pointer stands for: the SHA-256 of its bytes in hex, and their number."""

    oid: str
    size: int

    @property
    def data(self) -> bytes:
        """The bytes of the pointer itself."""
        return _VERSION + f"\noid sha256:{self.oid}\nsize {self.size}\n".encode()


class PointerError(SourceError):
    """A text of the documentation that is a pointer: what it stands for is not in the tree."""

    def __init__(self, path: str, pointer: Pointer) -> None:
        super().__init__(
            f"{path}: is a pointer of Git LFS, and the text that it stands for is not there; "
            "`git lfs pull` gets it"
        )
        self.path, self.pointer = path, pointer


def read_pointer(data: bytes) -> Pointer | None:
    """The pointer that these bytes are; None for every other file, and for pointers to what an
    extension has made of a file."""
    match = _POINTER.fullmatch(data) if len(data) < POINTER_BYTES else None
    return None if match is None else Pointer(match[1].decode(), int(match[2]))


def pointer_at(source: SourceTree, path: str) -> Pointer | None:
    """The pointer that a file of a tree is."""
    return read_pointer(source.read(path)) if source.size(path) < POINTER_BYTES else None


def read_text(source: SourceTree, path: str) -> bytes:
    """The bytes of a text of the documentation; PointerError where they are a pointer."""
    data = source.read(path)
    pointer = read_pointer(data)
    if pointer is not None:
        raise PointerError(path, pointer)
    return data


def tracked(source: SourceTree, paths: Iterable[str]) -> set[str]:
    """Those of the paths whose files Git LFS keeps, as the attributes of the tree say
    (`filter=lfs`); of several lines for a path the last one of the nearest folder counts."""
    rules: dict[str, list[tuple[_Pattern, bool]]] = {}
    left = _RULES
    paths_of_lfs = set()
    for path in paths:
        folder, is_kept = "", False
        for name in ["", *posixpath.dirname(path).split("/")]:
            folder = posixpath.join(folder, name)
            if folder not in rules:
                rules[folder] = _rules(source, posixpath.join(folder, ATTRIBUTES))[:left]
                left -= len(rules[folder])
            below = path.removeprefix(f"{folder}/") if folder else path
            for pattern, value in rules[folder]:
                if pattern.matches(below):
                    is_kept = value
        if is_kept:
            paths_of_lfs.add(path)
    return paths_of_lfs


def _rules(source: SourceTree, path: str) -> list[tuple[_Pattern, bool]]:
    """The patterns of a file of attributes that say something of filters."""
    if path not in source or source.size(path) > _ATTRIBUTES_BYTES:
        return []
    rules = []
    for line in source.read(path).decode("utf-8", "replace").splitlines()[:_LINES]:
        # Git leaves longer ones out, too.
        if len(line) > _LINE:
            continue
        quoted = re.match(r'\s*"((?:[^"\\]|\\.)*)"', line)
        if quoted:
            pattern, rest = re.sub(r"\\(.)", r"\1", quoted[1]), line[quoted.end() :]
        else:
            pattern, rest, *_ = [*line.split(None, 1), "", ""]
        if not pattern or pattern.startswith(("#", "!", "[attr]")) or pattern.endswith("/"):
            continue
        for word in rest.split():
            if word in ("-filter", "!filter", "filter") or word.startswith("filter="):
                rules.append((_Pattern(pattern), word == "filter=lfs"))
    return rules


class _Pattern:
    """A pattern of attributes. Each pair of a part of it and a part of a path is looked at once, so
    none takes long."""

    def __init__(self, pattern: str) -> None:
        self._of_names = "/" not in pattern
        parts = [pattern] if self._of_names else pattern.lstrip("/").split("/")
        # None for what means any number of folders.
        self._parts = [None if part == "**" and not self._of_names else _of_name(part)
                       for part in parts]  # fmt: skip

    def matches(self, path: str) -> bool:
        """Whether it means a path below its folder."""
        names = [posixpath.basename(path)] if self._of_names else path.split("/")
        # Which beginnings of the path the parts so far mean.
        ends = {0}
        for number, part in enumerate(self._parts, start=1):
            if part is None:
                # At the end it means what is in a folder, and not the folder.
                ends = set(range(min(ends) + (number == len(self._parts)), len(names) + 1))
            else:
                ends = {end + 1 for end in ends if end < len(names) and part.fullmatch(names[end])}
            if not ends:
                return False
        return len(names) in ends


@lru_cache(maxsize=1_000)
def _of_name(pattern: str) -> re.Pattern[str]:
    """A pattern without `/`. What is between two `*` is looked for from left to right, where the
    first place is as good as any: nothing is tried twice."""
    fixed = [""]
    for piece in _SPECIAL.findall(pattern):
        if piece[0] == "*":
            fixed.append("")
        else:
            fixed[-1] += _one(piece)
    first, *between = fixed
    last = f".*{between.pop()}" if between else ""
    return re.compile("".join([first, *(f"(?>.*?{part})" for part in between), last]), re.DOTALL)


def _one(piece: str) -> str:
    """What means one character, as a regular expression."""
    if piece == "?":
        return "."
    if piece[0] == "\\" and len(piece) == 2:
        return re.escape(piece[1])
    if piece[0] == "[" and len(piece) > 2:
        inner = piece[1:-1]
        negated = inner[0] in "!^" and len(inner) > 1
        spans = re.findall(r"(.)-(.)|(.)", inner[1:] if negated else inner, re.DOTALL)
        members = "".join(
            re.escape(single) or f"{re.escape(low)}-{re.escape(high)}"
            for low, high, single in spans
            if single or low <= high
        )
        if not members:
            return "." if negated else "(?!)"
        return f"[{'^' if negated else ''}{members}]"
    return re.escape(piece)
