"""A JSON document as Markdown, the one way to write it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from content.documents.anchors import braced_anchor, is_valid_anchor
from content.documents.keys import node_digests
from content.documents.nodes import Node, children_of, data_of, fragment_of, walk
from content.json_types import JsonObject
from content.markdown.footnote_labels import footnote_labels
from content.markdown.originals import (
    Original,
    Originals,
    brackets_in,
    definitions_in,
    labels_in,
    note_digest,
    notes_in,
)
from content.markdown.styles import HEADING_LEVELS, LISTS, node_style, page_style
from content.markdown.writer.code import code
from content.markdown.writer.escapes import BREAK
from content.markdown.writer.images import drawing, images
from content.markdown.writer.inline_nodes import html_inlines
from content.markdown.writer.inlines import line_text, paragraph_text
from content.markdown.writer.lists import indented, joint_before, quote, write_list
from content.markdown.writer.tables import table
from content.markdown.writer.tags import TAG_BLOCKS
from content.markdown.writer.writing import Link, UnwritableError, Writing, attributes, kept_node

_HEADINGS = tuple(HEADING_LEVELS)
_DIVIDER = re.compile(r"(?:-[ \t]*){3,40}|(?:_[ \t]*){3,40}|(?:\*[ \t]*){3,40}")
_ALIGNMENTS = {"start": "left", "center": "center", "end": "right"}


class DocumentWriter:
    """Writes one document, with the source of blocks that stand in `originals` just so."""

    def __init__(
        self,
        document: JsonObject,
        link: Link | None = None,
        originals: Originals | None = None,
        *,
        plain: bool = False,
        means_same: Callable[[str, str], bool] | None = None,
    ) -> None:
        """With `plain` the style of the document is left aside. `means_same` tells whether the
        lines that a block has in its style mean what is written of it; without it none are used."""
        self._means_same = None if plain else means_same
        # The blocks at the top: what stands before each of them, and what was written of it.
        self.written: list[tuple[Node, str, str]] = []
        self._nodes = children_of(document)
        self._originals = originals
        self._digests = {} if originals is None else node_digests(document)
        self._last: Original | None = None
        # What stands between blocks that are taken over: it may define footnotes and links.
        self._gaps: list[str] = []
        self._sources: list[str] = []
        self._used: dict[int, Original] = {}
        # Annotations, by id(), whose notes are written with them.
        self._noted: set[int] = set()
        notes = footnote_labels(self._nodes)
        labels = {id(node): label for node, label in notes}
        self._notes: dict[str, Node] = {}
        for node, label in notes:
            self._notes.setdefault(label, node)
        definitions = _has_definitions(self._nodes)
        self._writing = Writing(self._blocks, link, labels, definitions)
        if not plain:
            self._writing.page = page_style(document)
            self._writing.own = node_style
        if originals is not None:
            self._writing.original = self._original
            self._writing.joint = self._joint

    def write(self) -> str:
        # What is left of it keeps the blanks at the ends of lines.
        return self._written().replace(BREAK, "")

    def _written(self) -> str:
        nodes = self._nodes
        if self._originals is None and self._notes and nodes[-1].get("type") == "markdown":
            # It may be the start of a comment that never ends.
            before = [self._blocks(nodes[:-1], "document"), *self._definitions()]
            before.append(self._blocks(nodes[-1:], "document"))
            return "\n\n".join(part for part in before if part) + "\n"
        text = self._blocks(nodes, "document")
        head, tail = self._ends()
        definitions = self._definitions()
        if not text and not definitions:
            return ""
        if not definitions:
            return f"{head}{text}{tail}"
        end = "\n" if self._originals is None else self._originals.end
        return "\n\n".join([f"{head}{text}{tail}".rstrip("\n"), *definitions]).lstrip("\n") + end

    def _definitions(self) -> list[str]:
        """The footnotes and links that are used and that nothing has defined so far."""
        defined = {label for gap in self._gaps for label in notes_in(gap)}
        written: list[str] = []
        for label, node in self._notes.items():
            if label not in defined and id(node) not in self._noted:
                body = self._blocks(fragment_of(node, "annotation-body") or [], "annotation-body")
                if body.startswith("```"):
                    # Beside the label, code would lose as many blanks as the label has characters.
                    body = f"\n{body}"
                written.append(indented(body, f"[^{label}]: ", "    "))
        definitions = {} if self._originals is None else self._originals.definitions
        if definitions:
            linked = {label for gap in self._gaps for label in definitions_in(gap)}
            used = {label for source in self._sources for label in brackets_in(source)}
            written += [definitions[label] for label in definitions if label in used - linked]
        return written

    def _ends(self) -> tuple[str, str]:
        """The text before the first block and behind the last one."""
        start, end = (self._writing.page.get(name) for name in ("start", "end"))
        lead = "\n" * start if isinstance(start, int) and 0 <= start < 10 else ""
        trail = "\n" * end if isinstance(end, int) and 0 <= end < 10 else "\n"
        if self._originals is None or not self._nodes:
            return lead, trail
        first, last = (self._used.get(id(self._nodes[index])) for index in (0, -1))
        head = None if first is None else self._originals.heads.get(first)
        tail = None if last is None else self._originals.tails.get(last)
        if head is not None:
            head = self._gap(head)
        if tail is not None:
            tail = self._gap(tail)
        # Behind a last block that is new stay the blank lines that the page has at its end.
        return head or "", self._originals.end if tail is None else tail

    def _original(self, node: Node) -> Original | None:
        """The source of a block in an earlier version, if its footnotes have the same labels."""
        if self._originals is None:
            return None
        original = self._originals.find(self._digests[id(node)], self._last)
        if original is None or original.labels != labels_in(node, self._writing.labels):
            return None
        self._last = original
        self._used[id(node)] = original
        self._sources.append(original.source)
        return original

    def _joint(self, above: Original | None, below: Original | None) -> str | None:
        """The original text between two blocks; None unless they are neighbours as before."""
        if above is None or below is None or above.after is not below:
            return None
        return self._gap(above.gap)

    def _gap(self, gap: str) -> str | None:
        """The original text beside blocks, unless it defines footnotes that have changed."""
        if self._originals is None:
            return None
        for label in notes_in(gap):
            node = self._notes.get(label)
            if node is None:
                return None
            if note_digest(node, self._digests) != self._originals.notes.get(label):
                return None
        self._gaps.append(gap)
        return gap

    def _blocks(self, nodes: Sequence[Node], parent: str) -> str:
        """The blocks of a container of type `parent`; empty paragraphs are left out."""
        written: list[str] = []
        family, turn, marker = "", 0, ""
        previous: Node | None = None
        plain_above = ""
        last: Original | None = None
        for node in nodes:
            kind = str(node.get("type", ""))
            is_list = "ordered" if kind == "list-ordered" else "bullet"
            is_list = is_list if kind in LISTS else ""
            if is_list and is_list == family:
                turn += 1
            else:
                turn = 0
            if is_list and not written and parent.startswith("list-item "):
                _, shift, marker = parent.split()
                turn = int(shift)
            original = self._original(node)
            if original is not None:
                text = original.source
            else:
                text = self._block(node, kind, parent, (turn, marker), first=not written)
            if not text:
                continue
            plain = text.replace(BREAK, "")
            if parent == "document":
                text = self._as_spelled(node, text, plain)
            family = is_list
            marker = text.lstrip("0123456789")[:1]
            if previous is not None:
                joint = self._joint(last, original)
                if joint is None:
                    in_item = parent.startswith("list-item")
                    joint = joint_before(
                        node, plain, previous, plain_above, writing=self._writing, in_item=in_item
                    )
                written.append(joint)
            if parent == "document":
                above = written[-1].replace(BREAK, "") if written else ""
                self.written.append((node, above, plain))
            written.append(text)
            previous, last, plain_above = node, original, plain
        return "".join(written)

    def _as_spelled(self, node: Node, text: str, plain: str) -> str:
        """The lines that a block has in its style, where they mean what is written of it."""
        source = self._writing.own(node).get("source") if self._means_same is not None else None
        if not isinstance(source, str) or self._means_same is None:
            return text
        return source if self._means_same(source, plain) else text

    def _block(
        self, node: Node, kind: str, parent: str, turn: tuple[int, str], *, first: bool
    ) -> str:
        writing = self._writing
        writing.here = writing.own(node)
        try:
            if kind in LISTS:
                return write_list(node, writing, *turn)
            if kind == "images":
                return images(node, writing, parent)
            if kind == "divider":
                # Beside the marker of an item `***` would look like more markers.
                if first and parent.startswith("list-item"):
                    return "___"
                divider = writing.style("divider")
                own = isinstance(divider, str) and _DIVIDER.fullmatch(divider)
                return str(divider) if own else "***"
            write = BLOCKS.get(kind)
            return self._as_json(node) if write is None else write(node, writing)
        except UnwritableError:
            return self._as_json(node)

    def _as_json(self, node: Node) -> str:
        """A block as JSON, which holds its notes, too."""
        self._noted.update(id(note) for note, _ in footnote_labels([node]))
        return kept_node(node)


def written_blocks(document: JsonObject, link: Link | None) -> list[tuple[Node, str, str]]:
    """The blocks at the top: what stands before each of them, and what is written of it."""
    writer = DocumentWriter(document, link)
    writer.write()
    # Without this circle the document is freed with its last user, not by a collection.
    del writer._writing
    return writer.written


def _paragraph(node: Node, writing: Writing) -> str:
    align = data_of(node).get("align")
    if align is None:
        text = paragraph_text(children_of(node), writing)
        tail = writing.here.get("tail")
        if text and isinstance(tail, int) and 0 < tail < 10:
            text += " " * tail
        return text
    inner = html_inlines(children_of(node), writing)
    return f"<p{_align(node)}>{inner}</p>"


def _align(node: Node) -> str:
    align = data_of(node).get("align")
    if not isinstance(align, str) or align not in _ALIGNMENTS:
        raise UnwritableError
    return attributes([("align", _ALIGNMENTS[align])])


def _heading(node: Node, writing: Writing) -> str:
    kind, data = str(node.get("type")), data_of(node)
    level, usual = writing.style("level"), HEADING_LEVELS[kind]
    if not isinstance(level, int) or level not in {2: (1, 2), 3: (3,), 4: (4, 5, 6)}[usual]:
        level = usual
    marks = "#" * level
    anchor = data.get("id")
    valid = isinstance(anchor, str) and is_valid_anchor(anchor)
    if "align" in data:
        name = f"h{usual}"
        id = attributes([("id", anchor if valid else None)])
        return f"<{name}{_align(node)}{id}>{html_inlines(children_of(node), writing)}</{name}>"
    text = line_text(children_of(node), writing)
    # `#` at the end would be taken for the end of the heading.
    text = re.sub(r"(?:(?<=\s)|\A)#+\Z", lambda match: "\\#" * len(match.group()), text)
    if valid:
        braces = writing.here.get("anchor")
        is_braced = isinstance(braces, str) and braced_anchor(text + braces) == (anchor, braces)
        text += str(braces) if is_braced else f' <a href="#{anchor}" id="{anchor}"></a>'
    elif braced_anchor(text) is not None:
        start = text.rindex("{")
        text = f"{text[:start]}\\{text[start:]}"
    tail = writing.here.get("tail")
    blanks = " " * tail if text and isinstance(tail, int) and 0 < tail < 10 else ""
    return f"{marks} {text}".rstrip() + blanks


def _math(node: Node, writing: Writing) -> str:
    formula = data_of(node).get("formula", "")
    if not isinstance(formula, str) or formula.endswith("\n"):
        raise UnwritableError
    if any(line.strip() == "$$" for line in formula.split("\n")):
        raise UnwritableError
    return f"$$\n{formula}\n$$" if formula else "$$\n$$"


def _verbatim(node: Node, writing: Writing) -> str:
    return str(data_of(node).get("source", ""))


def _has_definitions(nodes: Sequence[Node]) -> bool:
    """Whether Markdown that is kept defines links that brackets could refer to."""
    return any(
        node.get("type") == "markdown" and "]:" in str(data_of(node).get("source", ""))
        for node in walk(nodes)
    )


BLOCKS: dict[str, Callable[[Node, Writing], str]] = {
    "blockquote": quote,
    "code": code,
    "drawing": drawing,
    **dict.fromkeys(_HEADINGS, _heading),
    "markdown": _verbatim,
    "math": _math,
    "paragraph": _paragraph,
    "table": table,
    **TAG_BLOCKS,
}
