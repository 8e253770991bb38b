"""Anchors that headings had before they were renamed, and that still lead to them.

A heading has them in `aliases`, beside its data. As with `style`, they are no content: digests,
keys and merges of content leave them out, and Markdown does not show them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from content.documents.anchors import heading_anchors, headings_of, with_headings
from content.documents.nodes import Node
from content.json_types import Json

# So many of a heading are kept, the newest first. Of more the middle ones go: a name that is being
# typed may be saved many times, and those before it are what links lead to.
ALIASES_LIMIT = 10
# A slug of 100 characters, and a number behind it.
ALIAS_LENGTH = 110
_ASCII = re.compile(r"[-a-z0-9.+_]*")


def alias_problem(alias: Json) -> str | None:
    """The problem with an alias, None for a valid one: an anchor, set by hand or made of a text."""
    if isinstance(alias, str) and is_alias(alias):
        return None
    return (
        f"must be an anchor: 1 to {ALIAS_LENGTH} of `-`, `a-z`, `0-9`, `.`, `+`, `_`, and letters "
        "and digits of other scripts"
    )


def is_alias(alias: str) -> bool:
    """Whether an anchor can be an alias; `alias_problem` says why not."""
    if not 0 < len(alias) <= ALIAS_LENGTH:
        return False
    others = [char for char in alias if not char.isascii()]
    plain = "".join(char for char in alias if char.isascii()) if others else alias
    return _ASCII.fullmatch(plain) is not None and all(
        unicodedata.category(char)[0] in "LMN" for char in others
    )


def own_aliases(heading: Node) -> list[str]:
    """The valid aliases in `aliases` of a heading, each once."""
    aliases = heading.get("aliases")
    if not isinstance(aliases, list):
        return []
    valid = [alias for alias in aliases if isinstance(alias, str) and is_alias(alias)]
    return list(dict.fromkeys(valid))[:ALIASES_LIMIT]


def heading_aliases(document: Node, anchors: Mapping[int, str]) -> dict[int, list[str]]:
    """The aliases of the headings that have any, by id() of the heading, in document order.

    `anchors` are those that the headings have now, by id(): they come before every alias. Of two
    headings with the same alias the first has it.
    """
    taken = set(anchors.values())
    aliases: dict[int, list[str]] = {}
    for heading in headings_of(document):
        free = [alias for alias in own_aliases(heading) if alias not in taken]
        if free:
            taken.update(free)
            aliases[id(heading)] = free
    return aliases


def carry_aliases(document: Node, *earlier: Node, authored: bool = False) -> Node:
    """The document with the anchors that its headings had in earlier versions as their aliases.

    The same heading has the same key. What it has in `aliases` stays, and what it had there in an
    earlier version comes with it; `authored` tells that the author of the document sets aliases:
    then headings that say theirs have no others of before. No alias is an anchor of the document
    or stands twice in it. All that does not change is shared.
    """
    versions = [_by_key(version) for version in earlier]

    def former(heading: Node) -> Iterator[str]:
        of_it = [
            earlier_heading
            for heading_of in versions
            if (earlier_heading := heading_of.get(_key(heading))) is not None
        ]
        yield from (earlier_heading.anchor for earlier_heading in of_it)
        yield from own_aliases(heading)
        if not (authored and "aliases" in heading):
            for earlier_heading in of_it:
                yield from earlier_heading.aliases

    there = {key for heading_of in versions for key in heading_of}
    return _with(
        document,
        {id(heading_of): list(former(heading_of)) for heading_of in headings_of(document)},
        there,
    )


def merge_aliases(merged: Node, base: Node, ours: Node, theirs: Node) -> Node:
    """The merged document with the aliases of both sides, but for those that one side removed.

    What both sides have renamed may be called otherwise in the merge: then the anchors that it has
    in theirs and in ours are aliases, too.
    """
    before, left, right = (_by_key(version) for version in (base, ours, theirs))

    def former(heading: Node) -> Iterator[str]:
        key = _key(heading)
        old = before.get(key)
        sides = [side for by_key in (right, left) if (side := by_key.get(key)) is not None]
        # What it was called before is an alias of the side that has renamed it.
        yield from (side.anchor for side in sides if old is None or side.anchor != old.anchor)
        aliases = [*own_aliases(heading), *(alias for side in sides for alias in side.aliases)]
        for alias in aliases:
            remains = old is None or alias not in old.aliases
            if remains or all(alias in side.aliases for side in sides):
                yield alias

    aliases_of = {id(heading): list(former(heading)) for heading in headings_of(merged)}
    return _with(merged, aliases_of, {*right, *left})


def same_aliases(left: Node, right: Node) -> bool:
    """Whether the headings of two documents of equal content have the same aliases."""
    return [heading.get("aliases") for heading in headings_of(left)] == [
        heading.get("aliases") for heading in headings_of(right)
    ]


@dataclass(frozen=True, slots=True)
class _Known:
    """A heading of an earlier version."""

    anchor: str
    aliases: list[str]


def _by_key(document: Node) -> dict[str | None, _Known]:
    anchors = heading_anchors(document)
    return {
        key: _Known(anchors[id(heading)], own_aliases(heading))
        for heading in headings_of(document)
        if (key := _key(heading)) is not None
    }


def _key(heading: Node) -> str | None:
    key = heading.get("key")
    return key if isinstance(key, str) else None


def _with(
    document: Node, aliases: Mapping[int, Iterable[str]], there: Collection[str | None]
) -> Node:
    """The document with these aliases, by id() of the heading, as far as they are free.

    Headings with keys that were `there` before choose first: a copy of one takes nothing from it.
    """
    taken = set(heading_anchors(document).values())
    headings = headings_of(document)
    changed: dict[int, Node] = {}
    for heading in sorted(headings, key=lambda candidate: _key(candidate) not in there):
        free = [alias for alias in dict.fromkeys(aliases[id(heading)]) if alias not in taken]
        half = ALIASES_LIMIT // 2
        limited = free if len(free) <= ALIASES_LIMIT else free[:half] + free[-half:]
        taken.update(limited)
        if limited and limited != heading.get("aliases"):
            changed[id(heading)] = {**heading, "aliases": list[Json](limited)}
        elif not limited and "aliases" in heading:
            changed[id(heading)] = {n: v for n, v in heading.items() if n != "aliases"}
    return with_headings(document, changed)
