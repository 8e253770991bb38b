"""The source of the blocks of a page, so that what was not edited is written as it was."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from content.documents.keys import node_digests
from content.documents.nodes import Node, child_lists, data_of, walk
from content.markdown.context import Resolve
from content.markdown.footnote_labels import footnote_labels
from content.markdown.parser import clean, parse_places

_MARKER = re.compile(r"( {0,3}(?:[-+*]|[0-9]{1,9}[.)]))(?:( {1,4})(?=\S)|( )(?= *)|\Z)")
_QUOTE = re.compile(r" {0,3}> ?")
_BOX = re.compile(r"\[[ xX]\](?:[ \t]+|\Z)")
_NOTE = re.compile(r"^ {0,3}\[\^([^\]\s]+)\]:", re.MULTILINE)
_DEFINITION = re.compile(r"^ {0,3}\[(?!\^)([^\]]+)\]:.*(?:\n[ \t]+.+)*", re.MULTILINE)
_BRACKETS = re.compile(r"\[([^\[\]]+)\]")
_LISTS = ("list-ordered", "list-tasks", "list-unordered")


@dataclass(slots=True, eq=False)
class Original:
    """One block as it was written, without the marks of the containers around it.

    `order` is its place among all blocks, `after` the next one in the same container and `gap`
    what stands between the two, `labels` the footnotes it refers to,
    `marker` and `loose` the form of the list an item was in.
    """

    source: str
    digest: bytes
    order: int
    after: Original | None = None
    gap: str = ""
    labels: tuple[str, ...] = ()
    marker: str = ""
    loose: bool = False


@dataclass(slots=True)
class Originals:
    """The blocks of one or several pages by the digest of their content; `heads` and `tails` are
    what stands before and behind all blocks, `notes` are digests of footnotes by label,
    `definitions` the link definitions that blocks refer to, by label, and `end` is the end of the
    last line of the first page with the blank lines behind it."""

    blocks: dict[bytes, list[Original]] = field(default_factory=dict)
    heads: dict[Original, str] = field(default_factory=dict)
    tails: dict[Original, str] = field(default_factory=dict)
    notes: dict[str, bytes] = field(default_factory=dict)
    definitions: dict[str, str] = field(default_factory=dict)
    end: str = "\n"

    def find(self, digest: bytes, last: Original | None) -> Original | None:
        """The source of a block with this content: the neighbour of the `last` one that was used
        if that is such a block, else the next one behind it."""
        originals = self.blocks.get(digest)
        if not originals:
            return None
        if last is None:
            return originals[0]
        if last.after is not None and last.after.digest == digest:
            return last.after
        place = bisect_left(originals, last.order, key=lambda original: original.order)
        return originals[min(place, len(originals) - 1)]


def read_originals(pages: Iterable[str], resolve: Resolve | None = None) -> Originals:
    """The blocks of Markdown pages; `resolve` as for `parse_document`."""
    originals = Originals()
    count = 0
    for page in pages:
        reader = _Reader(clean(page), resolve, originals, count)
        reader.read()
        if not count:
            end = _end(reader.lines, 0, len(reader.lines))
            originals.end = "".join(f"\n{line}" for line in reader.lines[end:]) or "\n"
        count = reader.count
    return originals


class _Reader:
    def __init__(
        self, markdown: str, resolve: Resolve | None, originals: Originals, count: int
    ) -> None:
        self.originals = originals
        self.count = count
        self.lines = markdown.split("\n")
        self.document, self.spans = parse_places(markdown, resolve=resolve)
        self.digests = node_digests(self.document)
        nodes = next(iter(child_lists(self.document)))
        self.labels = {id(node): label for node, label in footnote_labels(nodes)}
        for node, label in footnote_labels(nodes):
            originals.notes.setdefault(label, note_digest(node, self.digests))
        self.nodes = nodes

    def read(self) -> None:
        for match in _DEFINITION.finditer("\n".join(self._nodeless())):
            self.originals.definitions.setdefault(_folded(match.group(1)), match.group())
        originals = self._siblings(self.nodes, self.lines, 0)
        if not originals or originals[0] is None or originals[-1] is None:
            return
        start = self.spans[id(self.nodes[0])][1]
        self.originals.heads[originals[0]] = "".join(f"{line}\n" for line in self.lines[:start])
        last = self.spans[id(self.nodes[-1])]
        end = _end(self.lines, last[1], last[2])
        self.originals.tails[originals[-1]] = "".join(f"\n{line}" for line in self.lines[end:])

    def _nodeless(self) -> Iterator[str]:
        """The lines of no block at the top."""
        position = 0
        for node in self.nodes:
            span = self.spans.get(id(node))
            if span is not None:
                yield from self.lines[position : span[1]]
                yield ""
                position = max(position, span[2])
        yield from self.lines[position:]

    def _siblings(
        self, nodes: Sequence[Node], lines: Sequence[str], base: int
    ) -> list[Original | None]:
        """Note the blocks of one container, whose `lines` start at line `base` of the page."""
        originals: list[Original | None] = []
        end = 0
        for node in nodes:
            span = self.spans.get(id(node))
            original = None
            if span is not None and base <= span[1] < span[2] <= base + len(lines):
                start = span[1] - base
                previous = originals[-1] if originals else None
                if previous is not None and start < end:
                    previous = None
                gap = "\n" + "".join(f"{line}\n" for line in lines[end:start])
                end = _end(lines, start, span[2] - base)
                original = self._note(node, list(lines[start:end]), base + start)
                if previous is not None and original is not None:
                    previous.after, previous.gap = original, gap
            originals.append(original)
        return originals

    def _note(self, node: Node, lines: list[str], base: int) -> Original | None:
        """Note a block and those in it; None for an item whose lines are not indented alike."""
        kind, digest, marker = node.get("type"), self.digests[id(node)], ""
        if kind == "list-item":
            match = _MARKER.match(lines[0])
            if match is None or not _is_indented(lines, match.end()):
                return None
            marker, width = match.group(), match.end()
            lines = [line[width:] for line in lines]
            if isinstance(data_of(node).get("checked"), bool):
                lines[0] = _BOX.sub("", lines[0], count=1)
        original = Original("\n".join(lines), digest, self.count, marker=marker)
        original.labels = labels_in(node, self.labels)
        self.count += 1
        self.originals.blocks.setdefault(digest, []).append(original)
        if kind == "blockquote":
            matches = [_QUOTE.match(line) for line in lines]
            if not all(matches):
                return original
            lines = [line[m.end() :] for line, m in zip(lines, matches, strict=True) if m]
        items = [own for own in self._children(node, lines, base) if own is not None]
        if kind in _LISTS:
            loose = any("\n\n" in own.gap for own in items)
            for own in items:
                own.loose = loose
        return original

    def _children(self, node: Node, lines: list[str], base: int) -> list[Original | None]:
        originals: list[Original | None] = []
        for children in child_lists(node):
            for child in children:
                if child.get("object") == "fragment":
                    for inner in child_lists(child):
                        self._siblings(inner, lines, base)
            originals += self._siblings(children, lines, base)
        return originals


def _is_indented(lines: Sequence[str], width: int) -> bool:
    """Whether all lines of an item but the first have its indentation, and the first has text."""
    if len(lines) > 1 and not lines[0][width:].strip():
        return False
    return not any(line[:width].strip() for line in lines[1:])


def labels_in(node: Node, labels: dict[int, str]) -> tuple[str, ...]:
    """The labels of the annotations in a block, in order."""
    if not labels:
        return ()
    return tuple(labels[id(below)] for below in walk([node]) if id(below) in labels)


def note_digest(annotation: Node, digests: dict[int, bytes]) -> bytes:
    """The digest of the body of a footnote."""
    fragments = annotation.get("fragments")
    bodies = fragments if isinstance(fragments, list) else []
    return b"".join(digests[id(body)] for body in bodies)


def notes_in(text: str) -> list[str]:
    """The labels of the footnotes that a text defines."""
    return _NOTE.findall(text) if "[^" in text else []


def definitions_in(text: str) -> set[str]:
    """The labels of the links that a text defines."""
    if "]:" not in text:
        return set()
    return {_folded(match.group(1)) for match in _DEFINITION.finditer(text)}


def brackets_in(text: str) -> set[str]:
    """The labels of all links that a text might refer to."""
    return {_folded(label) for label in _BRACKETS.findall(text)}


def _folded(label: str) -> str:
    return " ".join(label.split()).casefold()


def _end(lines: Sequence[str], start: int, end: int) -> int:
    """The line after the last one of a block that is not blank."""
    while end > start + 1 and not lines[end - 1].strip():
        end -= 1
    return end
