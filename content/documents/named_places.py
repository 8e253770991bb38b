"""Places of a page besides its headings that links lead to: what authors have named in HTML that
is kept (`<a id="x">`, `<div id="x">`) or that the head of a table has, and notes, which other
programs number."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from html import unescape

from content.documents.nodes import Node, data_of, object_of, text_of, walk
from content.documents.updates import updates_of
from content.json_types import Json
from content.slugs import slug_from_title

# Further ones of a page lead nowhere: each is a row of the index and an element of HTML.
NAMED_PLACES = 1000
NUMBERED_NOTES = 200
_NAME_LENGTH = 200
# Begin the ids of what a page has besides: its frame, dated updates, tabs, notes. Nothing else on
# it has such an id.
OWN_IDS = ("site:", "update:", "tab:", "note:")
_NAMED = re.compile(
    r"<(?:a\b[^<>]*?\s(?:id|name)|[A-Za-z][^<>]*?\sid)\s*=\s*"
    r"(?:\"([^\"<>]+)\"|'([^'<>]+)'|([^\s\"'=<>`]+))",
    re.IGNORECASE,
)
_BLANK = re.compile(r"[\s\x00-\x1f\x7f]")


def names_in(source: str) -> Iterator[str]:
    """The names of places in HTML that can be ids, in order."""
    for match in _NAMED.finditer(source):
        name = unescape(match[1] or match[2] or match[3])
        if len(name) <= _NAME_LENGTH and can_be_id(name):
            yield name


def can_be_id(name: str) -> bool:
    """Whether a name that an author has chosen can be the id of an element."""
    return not _BLANK.search(name) and not name.startswith(OWN_IDS)


def note_name(number: int) -> str:
    """What other programs call a note, counted from 1."""
    return f"fn-{number}"


def reference_name(number: int) -> str:
    """What other programs call the place that a note belongs to."""
    return f"fnref-{number}"


def tab_name(title: str, number: int) -> str:
    """What leads to a tab; `number` counts those of a page with this title."""
    name = f"tab:{slug_from_title(title)}"
    return name if number == 1 else f"{name}:{number}"


def tab_spellings(names: Iterable[str], taken: Collection[str]) -> dict[str, str]:
    """What other programs call the tabs among `own_places`, and their names there.

    They count equal titles as headings are counted: `linux`, `linux-1`. What is `taken` by another
    place of the page leads there.
    """
    spellings: dict[str, str] = {}
    for name in names:
        kind, *parts = name.split(":")
        if kind == "tab":
            number = int(parts[1]) - 1 if len(parts) > 1 else 0
            spelling = f"{parts[0]}-{number}" if number else parts[0]
            if spelling not in taken:
                spellings.setdefault(spelling, name)
    return spellings


def own_places(document: Node) -> list[str]:
    """The names of tabs and of dated updates, which their own elements have as ids."""
    numbers: dict[str, int] = {}
    names: list[str] = []
    for node in walk([document]):
        if node.get("type") == "tabs-item" and len(names) < NAMED_PLACES:
            title = text_of(data_of(node), "title")
            slug = slug_from_title(title)
            numbers[slug] = numbers.get(slug, 0) + 1
            names.append(tab_name(title, numbers[slug]))
    # Those of reusable contents are not known here.
    return [*names, *(update.anchor for update in updates_of(document, lambda reference: None))]


def other_places(document: Node) -> list[str]:
    """The names of all places of a page but its headings, each once."""
    notes = sum(node.get("type") == "annotation" for node in walk([document]))
    numbers = range(1, min(notes, NUMBERED_NOTES) + 1)
    names = [*named_places(document), *map(note_name, numbers), *map(reference_name, numbers)]
    return list(dict.fromkeys(names))


def named_places(document: Node) -> list[str]:
    """The names of places in what a document keeps as it is written, each once, in order."""
    names: dict[str, None] = {}
    for node in walk([document]):
        if len(names) >= NAMED_PLACES:
            break
        if node.get("type") == "markdown":
            names.update(dict.fromkeys(names_in(str(data_of(node).get("source", "")))))
        elif node.get("type") == "table":
            for place in range(len(head_titles(node))):
                names.update(dict.fromkeys(names_in_head(node, place)))
    return list(names)[:NAMED_PLACES]


def head_titles(table: Node) -> list[Json]:
    """The heads of columns as their author spelled them; None for plain ones."""
    titles = object_of(table, "style").get("titles")
    return titles if isinstance(titles, list) else []


def names_in_head(table: Node, place: int) -> Iterator[str]:
    """The names of places in the head of a column, whose title is plain text."""
    titles = head_titles(table)
    title = titles[place] if place < len(titles) else None
    return names_in(title) if isinstance(title, str) else iter(())
