"""Anchors of headings within one document."""

from __future__ import annotations

import re
from collections.abc import Mapping

from content.documents.nodes import Node, child_lists, data_of
from content.documents.plain_text import plain_text
from content.json_types import Json
from content.slugs import slug_from_title

HEADINGS = frozenset({"heading-1", "heading-2", "heading-3"})
_EXPLICIT = re.compile(r"[-a-z0-9.+_]+")


def is_valid_anchor(anchor: str) -> bool:
    """Whether an explicit heading id is allowed: `-`, `a-z`, `0-9`, `.`, `+`, `_`, 1..100 long."""
    return len(anchor) <= 100 and _EXPLICIT.fullmatch(anchor) is not None


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
    headings = headings_of(document)
    if not headings:
        return {}
    shown_ids = [_said(heading) for heading in headings]
    own_ids = [_own_id(heading) for heading in headings]
    anchors = HeadingAnchors(frozenset(id for id in (*shown_ids, *own_ids) if id is not None))
    anchor_of: dict[int, str] = {}
    given = {id for id in shown_ids if id is not None}
    for heading, own_anchor, own in zip(headings, shown_ids, own_ids, strict=True):
        if own_anchor is not None:
            anchor_of[id(heading)] = own_anchor
            continue
        explicit = None if own in given else own
        if explicit is not None:
            given.add(explicit)
        anchor_of[id(heading)] = anchors.assign(plain_text(heading), explicit)
    return anchor_of


def with_anchors(document: Node) -> Node:
    """The document with `meta.id` on its headings, as it is shown; the rest is shared.

    Done before a document is evaluated, so that an anchor is the same for every reader, in search
    and in links, whatever a reader does not see.
    """
    anchors = heading_anchors(document)
    return with_headings(
        document,
        {
            id(heading): {**heading, "meta": {"id": anchors[id(heading)]}}
            for heading in headings_of(document)
        },
    )


def with_headings(document: Node, headings: Mapping[int, Node]) -> Node:
    """The document with other headings, by id() of those in it; the rest is shared."""
    if not headings:
        return document

    def shown(node: Node) -> Node:
        heading = headings.get(id(node))
        if heading is not None:
            return heading
        for name in ("nodes", "fragments"):
            children = node.get(name)
            if not isinstance(children, list):
                continue
            new_children: list[Json] = children
            for index, child in enumerate(children):
                if not isinstance(child, dict) or "leaves" in child:
                    continue
                new = shown(child)
                if new is not child:
                    new_children = [*children] if new_children is children else new_children
                    new_children[index] = new
            if new_children is not children:
                node = {**node, name: new_children}
        return node

    return shown(document)


def headings_of(document: Node) -> list[Node]:
    """The headings of a document in reading order, wherever they stand."""
    headings: list[Node] = []
    stack = [document]
    while stack:
        node = stack.pop()
        if node.get("type") in HEADINGS:
            headings.append(node)
            continue
        for children in child_lists(node):
            stack += [child for child in children if "leaves" not in child]
    # Reading order is that of a stack that takes the last child first, turned around.
    return headings[::-1]


def _said(heading: Node) -> str | None:
    meta = heading.get("meta")
    id = meta.get("id") if isinstance(meta, dict) else None
    return id if isinstance(id, str) else None


def _own_id(heading: Node) -> str | None:
    own = data_of(heading).get("id")
    return own if isinstance(own, str) and is_valid_anchor(own) else None
