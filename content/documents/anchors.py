"""Anchors of headings and expandables within one document."""

from __future__ import annotations

import re
from collections.abc import Mapping

from content.documents.nodes import Node, child_lists, data_of, fragment_of, with_children
from content.documents.plain_text import plain_text
from content.slugs import slug_from_title

HEADINGS = frozenset({"heading-1", "heading-2", "heading-3"})
_EXPLICIT = re.compile(r"[-a-z0-9.+_]+")
_BRACED = re.compile(r"\{[ \t]*#([-a-z0-9.+_]{1,100})(?:[ \t]+\.[A-Za-z][\w-]*)*[ \t]*\}")


def is_valid_anchor(anchor: str) -> bool:
    """Whether an explicit heading id is allowed: `-`, `a-z`, `0-9`, `.`, `+`, `_`, 1..100 long."""
    return len(anchor) <= 100 and _EXPLICIT.fullmatch(anchor) is not None


def braced_anchor(source: str) -> tuple[str, str] | None:
    """The id that the Markdown of a heading ends with as `{#id}`, as generators of documentation
    have it, and how it is spelled, with the blanks before it; None without one, or without text."""
    start = source.rfind("{")
    match = _BRACED.fullmatch(source, start) if start > 0 else None
    if match is None or source[start - 1] == "\\":
        return None
    before = source[:start].rstrip(" \t")
    return (match.group(1), source[len(before) :]) if before else None


class HeadingAnchors:
    """Gives every heading of one document an anchor of its own, in document order."""

    __slots__ = ("_next", "_taken")

    def __init__(self, explicit: frozenset[str] = frozenset()) -> None:
        """`explicit`: ids that headings of the document set by hand; no generated anchor gets
        one of them, wherever its heading stands."""
        self._taken = set(explicit)
        self._next: dict[str, int] = {}

    def is_free(self, anchor: str) -> bool:
        """Whether no heading has this anchor yet."""
        return anchor not in self._taken

    def take(self, anchor: str) -> None:
        """Keep an anchor from the headings that come."""
        self._taken.add(anchor)

    def assign(self, text: str, explicit: str | None = None) -> str:
        """The anchor of the next heading: its own id when valid, else its text with `-1`, `-2`."""
        if explicit is not None and is_valid_anchor(explicit):
            self._taken.add(explicit)
            return explicit
        slug = slug_from_title(text)
        anchor, number = slug, self._next.get(slug, 0)
        while anchor in self._taken:
            number += 1
            anchor = f"{slug}-{number}"
        self._next[slug] = number
        self._taken.add(anchor)
        return anchor


def heading_anchors(document: Node) -> dict[int, str]:
    """The anchor of every heading of a document, by id() of the heading, in document order.

    An id that was set by hand is the anchor of the first heading that has it. Headings that say
    their anchor already (`with_anchors`) keep it, whatever was taken out of the document since.
    """
    return _of_headings(headings_of(document))


def block_anchors(document: Node) -> dict[int, str]:
    """The anchors of all headings, then of all expandables with a title, by id() of the block.

    Expandables have them by the same rules, but headings choose first: what stood on a page before
    there were such anchors leads where it led.
    """
    headings, expandables = _anchored(document)
    anchor_of = _of_headings(headings)
    anchors = HeadingAnchors(
        frozenset([*anchor_of.values(), *filter(None, map(_said, expandables))])
    )
    for block in expandables:
        text = expandable_title(block)
        said = _said(block)
        if said is not None or text:
            anchor_of[id(block)] = anchors.assign(text) if said is None else said
    return anchor_of


def expandable_anchors(document: Node, anchors: Mapping[int, str]) -> list[str]:
    """Those of its `block_anchors` that are of expandables."""
    return [anchors[id(block)] for block in _anchored(document)[1] if id(block) in anchors]


def expandable_title(block: Node) -> str:
    """The title of an expandable on one line."""
    title = " ".join(map(plain_text, fragment_of(block, "expandable-title") or ()))
    return " ".join(title.split())


def _of_headings(headings: list[Node]) -> dict[int, str]:
    if not headings:
        return {}
    shown_ids = [_said(heading) for heading in headings]
    own_ids = [_own_id(heading) for heading in headings]
    anchors = HeadingAnchors(frozenset(id for id in (*shown_ids, *own_ids) if id is not None))
    anchor_of: dict[int, str] = {}
    explicit_ids = {id for id in shown_ids if id is not None}
    for heading, own_anchor, own in zip(headings, shown_ids, own_ids, strict=True):
        if own_anchor is not None:
            anchor_of[id(heading)] = own_anchor
            continue
        explicit = None if own in explicit_ids else own
        if explicit is not None:
            explicit_ids.add(explicit)
        anchor_of[id(heading)] = anchors.assign(plain_text(heading), explicit)
    return anchor_of


def with_anchors(document: Node) -> Node:
    """The document with `meta.id` on its headings and expandables, as it is shown; the rest is
    shared.

    Done before a document is evaluated, so that an anchor is the same for every reader, in search
    and in links, whatever a reader does not see.
    """
    anchors = block_anchors(document)
    return with_headings(
        document,
        {
            id(block): {**block, "meta": {"id": anchors[id(block)]}}
            for blocks in _anchored(document)
            for block in blocks
            if id(block) in anchors
        },
    )


def with_headings(document: Node, headings: Mapping[int, Node]) -> Node:
    """The document with other headings and expandables, by id() of those in it, which have the same
    children; the rest is shared."""
    if not headings:
        return document

    def shown(node: Node) -> Node:
        if "leaves" in node:
            return node
        return with_children(headings.get(id(node), node), shown)

    return shown(document)


def headings_of(document: Node) -> list[Node]:
    """The headings of a document in reading order, wherever they stand."""
    return _anchored(document)[0]


def _anchored(document: Node) -> tuple[list[Node], list[Node]]:
    """The headings and the expandables of a document, each in reading order."""
    headings: list[Node] = []
    expandables: list[Node] = []
    stack = [document]
    while stack:
        node = stack.pop()
        if node.get("type") in HEADINGS:
            headings.append(node)
            continue
        if node.get("type") == "expandable":
            expandables.append(node)
        children = [child for part in child_lists(node) for child in part if "leaves" not in child]
        stack += reversed(children)
    return headings, expandables


def _said(heading: Node) -> str | None:
    meta = heading.get("meta")
    id = meta.get("id") if isinstance(meta, dict) else None
    return id if isinstance(id, str) else None


def _own_id(heading: Node) -> str | None:
    own = data_of(heading).get("id")
    return own if isinstance(own, str) and is_valid_anchor(own) else None
