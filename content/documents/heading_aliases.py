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
from content.json_types import Json
from content.markdown.nodes import Node

# So many of a heading are kept, the newest first. Of more the middle ones go: a name that is being
# typed may be saved many times, and those before it are what links lead to.
ALIASES_LIMIT = 10
# A slug of 100 characters, and a number behind it.
ALIAS_LENGTH = 110
_ASCII = re.compile(r"[-a-z0-9.+_]*")


def alias_problem(alias: Json) -> str | None:
    """What is wrong with an alias: it must be an anchor, set by hand or made of a text."""
    if isinstance(alias, str) and _is_alias(alias):
        return None
    return (
        f"must be an anchor: 1 to {ALIAS_LENGTH} of `-`, `a-z`, `0-9`, `.`, `+`, `_`, and letters "
        "and digits of other scripts"
    )


def _is_alias(alias: str) -> bool:
    if not 0 < len(alias) <= ALIAS_LENGTH:
        return False
    others = [char for char in alias if not char.isascii()]
    plain = "".join(char for char in alias if char.isascii()) if others else alias
    return _ASCII.fullmatch(plain) is not None and all(
        unicodedata.category(char)[0] in "LMN" for char in others
    )


def own_aliases(heading: Node) -> list[str]:
    """What a heading says its aliases are, without what is none; each once."""
    said = heading.get("aliases")
    if not isinstance(said, list):
        return []
    known = [alias for alias in said if isinstance(alias, str) and _is_alias(alias)]
    return list(dict.fromkeys(known))[:ALIASES_LIMIT]


def heading_aliases(document: Node, anchors: Mapping[int, str]) -> dict[int, list[str]]:
    """The aliases of the headings that have any, by id() of the heading, in document order.

    `anchors` are those that the headings have now, by id(): they come before every alias. Of two
    headings with the same alias the first has it.
    """
    taken = set(anchors.values())
    found: dict[int, list[str]] = {}
    for heading in headings_of(document):
        free = [alias for alias in own_aliases(heading) if alias not in taken]
        if free:
            taken.update(free)
            found[id(heading)] = free
    return found


def carry_aliases(document: Node, *earlier: Node, given: bool = False) -> Node:
    """The document with the anchors that its headings had in earlier versions as their aliases.

    The same heading has the same key. What it has in `aliases` stays, and what it had there in an
    earlier version comes with it; `given` tells that the author of the document sets aliases:
    then headings that say theirs have no others of before. No alias is an anchor of the document
    or stands twice in it. All that does not change is shared.
    """
    known = [_by_key(version) for version in earlier]

    def former(heading: Node) -> Iterator[str]:
        of_it = [found for one in known if (found := one.get(_key(heading))) is not None]
        yield from (found.anchor for found in of_it)
        yield from own_aliases(heading)
        if not (given and "aliases" in heading):
            for found in of_it:
                yield from found.aliases

    there = {key for one in known for key in one}
    return _with(document, {id(one): list(former(one)) for one in headings_of(document)}, there)


def merge_aliases(merged: Node, base: Node, ours: Node, theirs: Node) -> Node:
    """The merged document with the aliases of both sides, but for those that one side removed.

    What both sides have renamed may be called otherwise in the merge: then the anchors that it has
    in theirs and in ours are aliases, too.
    """
    before, left, right = (_by_key(version) for version in (base, ours, theirs))

    def former(heading: Node) -> Iterator[str]:
        key = _key(heading)
        old = before.get(key)
        sides = [found for one in (right, left) if (found := one.get(key)) is not None]
        # What it was called before is an alias of the side that has renamed it.
        yield from (found.anchor for found in sides if old is None or found.anchor != old.anchor)
        aliases = [*own_aliases(heading), *(alias for found in sides for alias in found.aliases)]
        for alias in aliases:
            kept = old is None or alias not in old.aliases
            if kept or all(alias in found.aliases for found in sides):
                yield alias

    wanted = {id(one): list(former(one)) for one in headings_of(merged)}
    return _with(merged, wanted, {*right, *left})


def same_aliases(one: Node, other: Node) -> bool:
    """Whether the headings of two documents of equal content have the same aliases."""
    return [heading.get("aliases") for heading in headings_of(one)] == [
        heading.get("aliases") for heading in headings_of(other)
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
    document: Node, wanted: Mapping[int, Iterable[str]], there: Collection[str | None]
) -> Node:
    """The document with these aliases, by id() of the heading, as far as they are free.

    Headings with keys that were `there` before choose first: a copy of one takes nothing from it.
    """
    taken = set(heading_anchors(document).values())
    headings = headings_of(document)
    changed: dict[int, Node] = {}
    for heading in sorted(headings, key=lambda one: _key(one) not in there):
        free = [alias for alias in dict.fromkeys(wanted[id(heading)]) if alias not in taken]
        half = ALIASES_LIMIT // 2
        kept = free if len(free) <= ALIASES_LIMIT else free[:half] + free[-half:]
        taken.update(kept)
        if kept and kept != heading.get("aliases"):
            changed[id(heading)] = {**heading, "aliases": list[Json](kept)}
        elif not kept and "aliases" in heading:
            changed[id(heading)] = {n: v for n, v in heading.items() if n != "aliases"}
    return with_headings(document, changed)
