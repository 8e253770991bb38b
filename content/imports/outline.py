"""Documents of an archive as a tree of pages, by an outline or by their folders."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from content.git.summary import natural_order
from content.imports.dom import Tag, parse_html
from content.imports.drafts import Draft
from content.imports.html_page import decode_html
from content.links.relative import relative_target

MAX_DEPTH = 50
Make = Callable[[str, str], Draft]


@dataclass(slots=True)
class Entry:
    """A line of an outline: the text of a link, the path it leads to, and the lines below."""

    title: str
    path: str
    children: list[Entry] = field(default_factory=list)


def read_outline(data: bytes, path: str, documents: frozenset[str]) -> list[Entry]:
    """The nested lists of links in an index, those that lead to known documents."""
    root = parse_html(decode_html(data))
    folder = posixpath.dirname(path)
    seen: set[str] = set()

    def visit(tag: Tag, into: list[Entry], depth: int) -> None:
        for child in tag.elements():
            if child.name != "li":
                visit(child, into, depth)
                continue
            link = _own_link(child)
            linked = relative_target(link.get("href"), folder) if link is not None else None
            target = linked[0] if linked is not None else ""
            below = into
            if link is not None and target in documents and target not in seen and target != path:
                seen.add(target)
                entry = Entry(link.words(), target)
                into.append(entry)
                below = entry.children if depth < MAX_DEPTH else into
            visit(child, below, depth + 1)

    top: list[Entry] = []
    visit(root, top, 0)
    return top


def _own_link(item: Tag) -> Tag | None:
    """The link of a list item, not one of the lists in it."""
    stack: list[Tag] = list(reversed(item.elements()))
    while stack:
        tag = stack.pop()
        if tag.name == "a":
            return tag
        if tag.name not in ("ul", "ol"):
            stack.extend(reversed(tag.elements()))
    return None


def by_outline(entries: Iterable[Entry], make: Make) -> list[Draft]:
    """Pages in the order and nesting of an outline."""
    drafts: list[Draft] = []
    for entry in entries:
        draft = make(entry.path, entry.title)
        draft.children = by_outline(entry.children, make)
        drafts.append(draft)
    return drafts


def by_folders(
    paths: Sequence[str],
    make: Make,
    *,
    is_index: Callable[[str], bool],
    order: Callable[[str], int | None] = lambda path: None,
) -> list[Draft]:
    """Pages nested as their folders: what is in a folder stands below the folder's page.

    That is its index, or a document beside it that has the folder's name; without either the
    documents stand one level higher. `order` gives positions among siblings where they are known.
    """
    entries = {path: make(path, "") for path in paths}
    stems = {posixpath.splitext(path)[0]: path for path in paths if not is_index(path)}
    indexes = {posixpath.dirname(path): path for path in paths if is_index(path)}
    children: dict[str | None, list[str]] = {}
    for path in paths:
        children.setdefault(_parent(path, stems, indexes), []).append(path)

    def rank(path: str) -> tuple[object, ...]:
        position = order(path)
        rank_of = (0, position) if position is not None else (1, 0)
        # An index is known by its folder; that of all has none, and comes first.
        folder, name = posixpath.split(path)
        own = posixpath.basename(folder) if is_index(path) else name
        return (bool(own), *rank_of, natural_order(own))

    def below(parent: str | None, depth: int) -> list[Draft]:
        siblings = sorted(children.get(parent, []), key=rank)
        for path in siblings:
            if depth < MAX_DEPTH:
                entries[path].children = below(path, depth + 1)
        return [entries[path] for path in siblings]

    return below(None, 0)


def _parent(path: str, stems: dict[str, str], indexes: dict[str, str]) -> str | None:
    """The page that the document at `path` stands below."""
    folder = posixpath.dirname(path)
    if indexes.get(folder) == path:
        # An index stands for its folder, so it belongs to what is around that.
        if not folder:
            return None
        folder = posixpath.dirname(folder) if folder not in stems else folder
    while True:
        if folder in stems and stems[folder] != path:
            return stems[folder]
        if folder in indexes and indexes[folder] != path and folder:
            return indexes[folder]
        if not folder:
            return None
        folder = posixpath.dirname(folder)
