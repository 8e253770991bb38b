"""Updates of a page: the dated entries of its `updates` blocks, with a lasting name for each.

An entry is named by its date. Of several with one date the lowest on the page has the plain name,
those above it are numbered: new entries are put on top, and leave the names of the others alone.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from content.documents.nodes import data_of, object_of, text_of, walk
from content.json_types import JsonObject

# Entries of one page; those behind them have no name and stand in no feed.
UPDATES = 1_000
# Nodes that are looked at, and how deep reusable contents may hold each other.
_NODES, _DEPTH = 500_000, 5
TAGS, TAG_LENGTH = 20, 60
_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:[T ].*)?", re.DOTALL)
# No heading has an anchor with a colon.
_PREFIX, _UNDATED = "update:", "undated"
Reusable = Callable[[JsonObject], JsonObject | None]


@dataclass(frozen=True, slots=True)
class Update:
    """One entry: its block, and its anchor on the page."""

    node: JsonObject
    anchor: str

    @property
    def date(self) -> dt.date | None:
        """The day that it names; None where there is none."""
        return date_of(self.node)


def date_of(node: JsonObject) -> dt.date | None:
    """The date of an `update` block; None where it is absent or no day of the calendar."""
    match = _DATE.fullmatch(text_of(data_of(node), "date").strip())
    if match is None:
        return None
    try:
        return dt.date(*map(int, match.groups()))
    except ValueError:
        return None


def tags_of(node: JsonObject) -> list[str]:
    """The tags of an `update` block: at most 20, of at most 60 characters each."""
    tags = data_of(node).get("tags")
    if not isinstance(tags, list):
        return []
    texts = (" ".join(tag.split())[:TAG_LENGTH] for tag in tags if isinstance(tag, str))
    return [tag for tag in texts if tag][:TAGS]


def updates_of(document: JsonObject, reusable: Reusable) -> list[Update]:
    """The entries of a document in the order in which they stand, those of reusable contents too.

    Each block counts once, however often its content is inserted. Linear in the nodes.
    """
    nodes = _Walk(reusable).updates(document)
    names: list[str] = []
    used: dict[str, int] = {}
    for node in reversed(nodes):
        date = date_of(node)
        name = _PREFIX + (_UNDATED if date is None else date.isoformat())
        used[name] = number = used.get(name, 0) + 1
        names.append(name if number == 1 else f"{name}:{number}")
    return [Update(node, name) for node, name in zip(nodes, reversed(names), strict=True)]


class _Walk:
    """One look at a document and the contents that are inserted into it."""

    def __init__(self, reusable: Reusable) -> None:
        self._reusable = reusable
        self._seen: set[int] = set()
        self._left = _NODES

    def updates(self, document: JsonObject) -> list[JsonObject]:
        """The first `update` blocks of a document, each once."""
        result: list[JsonObject] = []
        for node in self._blocks(document, 0):
            if id(node) not in self._seen:
                self._seen.add(id(node))
                result.append(node)
                if len(result) == UPDATES:
                    break
        return result

    def _blocks(self, document: JsonObject, depth: int) -> Iterator[JsonObject]:
        for node in walk([document]):
            self._left -= 1
            if self._left < 0:
                return
            kind = node.get("type")
            if kind == "update":
                yield node
            elif kind == "reusable-content" and depth < _DEPTH:
                content = self._reusable(object_of(data_of(node), "ref"))
                if content is not None and id(content) not in self._seen:
                    # Inserted again it brings nothing new.
                    self._seen.add(id(content))
                    yield from self._blocks(content, depth + 1)
