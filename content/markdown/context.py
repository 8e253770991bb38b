"""The state that all parts of one parse share."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from markdown_it.token import Token

from content.documents.nodes import Node
from content.json_types import JsonObject
from content.markdown.styles import Styles
from content.script_addresses import BROKEN, runs_script

# How HTML refers to footnotes.
_LINKED = re.compile(r'href="#user-content-fn-([^"\s]+)"')

Resolve = Callable[[str], JsonObject | None]


@dataclass(slots=True)
class Context:
    """`notes` builds footnotes; `resolve` is what the caller makes of URLs; `spans` says for
    blocks, by their id(), on which lines they stand: the first and the one after the last;
    `styles` collects how the page is spelled, if that is wanted; `inlines` reads a piece of a
    line by itself."""

    notes: Footnotes
    resolve: Resolve | None = None
    styles: Styles | None = None
    spans: dict[int, tuple[Node, int, int]] = field(default_factory=dict)
    inlines: Callable[[str], list[Node]] = lambda source: []

    def place(self, node: Node, start: int, end: int) -> Node:
        """Note where a block stands; the same block. Blocks are held, so that no id() is of two."""
        self.spans[id(node)] = (node, start, end)
        return node

    def reference(self, url: str) -> JsonObject:
        """The content reference for `url`: what the caller makes of it, else a url reference;
        one that would run a script is broken."""
        resolved = None if self.resolve is None else self.resolve(url)
        if runs_script(url):
            return {"kind": "url", "url": BROKEN}
        return {"kind": "url", "url": url} if resolved is None else resolved


@dataclass(slots=True)
class Footnotes:
    """Footnote bodies, which become annotations where they are referred to.

    Each body is used for the first reference in the text only, so that references cannot multiply
    it; references within bodies and all further ones stay Markdown.
    """

    lines: list[str]
    definitions: dict[str, Token] = field(default_factory=dict)
    bodies: dict[str, list[Token]] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    # Labels for definitions of a label that has one already, by id() of their tokens.
    repeated: dict[int, str] = field(default_factory=dict)
    build: Callable[[list[Token]], list[Node]] = lambda tokens: []
    _inside: bool = False

    def take(self, label: str) -> list[Node] | None:
        """The blocks of a body at its first reference, else None."""
        if self._inside or label not in self.bodies or label in self.used:
            return None
        self.used.add(label)
        self._inside = True
        try:
            return self.build(self.bodies[label])
        finally:
            self._inside = False

    def keeps(self, definition: Token) -> bool:
        """Whether a definition is the body of an annotation and so has no block of its own."""
        return self.definitions.get(str(definition.meta["label"])) is definition

    def source(self, definition: Token) -> str:
        """The Markdown of the definition of a footnote or link."""
        start, end = definition.map or [0, 0]
        lines = self.lines[start:end]
        if definition.level:
            # Within a quote or list the lines carry the marks of their containers.
            lines = [line.lstrip(" \t>") for line in lines]
            own = f"[^{definition.meta['label']}]:"
            place = max(lines[0].rfind(own if own in lines[0] else "["), 0)
            lines = [lines[0][place:], *(line and f"    {line}" for line in lines[1:])]
        elif lines:
            # Indented, it could belong to the item of a list above it.
            lines = [lines[0].lstrip(" "), *lines[1:]]
        other = self.repeated.get(id(definition))
        if other is not None and lines:
            # References belong to the first one, also when that is written behind this one.
            own = f"[^{definition.meta['label']}]:"
            lines = [lines[0].replace(own, f"[^{other}]:", 1), *lines[1:]]
        return "\n".join(lines).rstrip("\n")


def collect_footnotes(tokens: list[Token], markdown: str) -> Footnotes:
    """The footnotes of a document that are referred to, but not only from footnotes and from heads
    of tables."""
    notes = Footnotes(lines=markdown.split("\n"))
    bodies: dict[str, tuple[Token, list[Token]]] = {}
    first: dict[str, Token] = {}
    open_notes: list[tuple[Token, int]] = []
    labels: set[str] = set()
    repeated: list[Token] = []
    for position, token in enumerate(tokens):
        if token.type == "footnote_reference_open":
            open_notes.append((token, position))
            first.setdefault(str(token.meta["label"]), token)
        elif token.type == "footnote_reference_close":
            opening, start = open_notes.pop()
            label = str(opening.meta["label"])
            if first[label] is opening:
                bodies[label] = (opening, tokens[start + 1 : position])
            else:
                repeated.append(opening)
        elif position and tokens[position - 1].type == "th_open":
            # Nothing in the head of a table is an annotation.
            continue
        elif token.type == "inline" and not open_notes:
            for child in token.children or []:
                if child.type == "footnote_ref":
                    labels.add(str(child.meta["label"]))
                elif child.type == "html_inline":
                    labels.update(_LINKED.findall(child.content))
        elif token.type == "html_block" and not open_notes:
            labels.update(_LINKED.findall(token.content))
    for number, token in enumerate(repeated, start=2):
        label = str(token.meta["label"])
        while f"{label}-{number}" in first or f"{label}-{number}" in labels:
            label += "-"
        notes.repeated[id(token)] = f"{label}-{number}"
    for label in bodies:
        if label in labels:
            notes.definitions[label], notes.bodies[label] = bodies[label]
    return notes
