"""Anchors of headings within one document."""

from __future__ import annotations

import re

from content.markdown.nodes import Node, child_lists
from content.markdown.plain_text import plain_text
from content.slugs import slug_from_title

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

    An id that was set by hand is the anchor of the first heading that has it.
    """
    headings: list[Node] = []
    stack = [document]
    while stack:
        node = stack.pop()
        if str(node.get("type", "")).startswith("heading-"):
            headings.append(node)
        else:
            stack.extend([child for children in child_lists(node) for child in children][::-1])
    wanted = [_own_id(heading) for heading in headings]
    anchors = HeadingAnchors(frozenset(id for id in wanted if id is not None))
    found: dict[int, str] = {}
    given: set[str] = set()
    for heading, own in zip(headings, wanted, strict=True):
        explicit = None if own in given else own
        if explicit is not None:
            given.add(explicit)
        found[id(heading)] = anchors.assign(plain_text(heading), explicit)
    return found


def _own_id(heading: Node) -> str | None:
    data = heading.get("data")
    own = data.get("id") if isinstance(data, dict) else None
    return own if isinstance(own, str) and is_valid_anchor(own) else None
