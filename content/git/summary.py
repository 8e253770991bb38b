"""The table of contents of a space as entries: `SUMMARY.md`, or its folders without one."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Literal
from urllib.parse import quote, unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token

from content.depth_first import depth_first
from content.errors import LayoutError
from content.json_types import JsonObject
from content.links.relative import MARKDOWN, is_absolute
from content.markdown.engine import bound_links
from content.safe_yaml import load_yaml
from content.slugs import is_valid_slug

EntryKind = Literal["group", "page", "link", "computed"]

_ANCHOR_TAG = re.compile(r"<a\s[^<>]*?\bid=[\"']([^\"'<>]+)[\"'][^>]*>\s*(?:</a>)?", re.IGNORECASE)
# A link whose target has unescaped spaces is no Markdown link, yet authors write it.
_LOOSE_LINK = re.compile(r"\[(?P<title>(?:[^\[\]\\]|\\.)*)\]\((?P<target>[^()<>\"]*)\)\s*\Z")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_LISTS = ("bullet_list_open", "ordered_list_open")
_MAX_LEVELS = 100


@dataclass(frozen=True, slots=True)
class SummaryEntry:
    """One entry of the table of contents.

    `target`: for a page its file path relative to the content root (None for an entry without a
    link), for a link the URL or reference as written. `line` counts from 1, `end` is the last line
    of the entry itself. `source` is the YAML mapping of a computed page; `slug` only when fixed by
    hand.
    """

    kind: EntryKind
    title: str
    line: int
    target: str | None = None
    slug: str | None = None
    source: JsonObject | None = None
    children: tuple[SummaryEntry, ...] = ()
    end: int = field(default=0, compare=False)

    def walk(self) -> Iterator[SummaryEntry]:
        """This entry and all below it, depth first."""
        return depth_first(self)


class RepeatedFileError(LayoutError):
    """A table of contents that lists a file several times; a file can be one page only."""


def parse_summary(markdown: str, path: str = "SUMMARY.md") -> tuple[SummaryEntry, ...]:
    """The entries of the table of contents at `path` (its folder is what links are relative to).

    A file may be there several times (`repeated_files`). Raises `YamlError` for a computed page
    whose YAML is not valid.
    """
    parser = bound_links(MarkdownIt("commonmark", {"maxNesting": _MAX_LEVELS}))
    parser.disable(["reference", "html_block"])
    # Targets stay as they are written: they are paths first and URLs second.
    parser.normalizeLink = _unchanged  # type: ignore[method-assign]
    return _Reader(path).read(parser.parse(markdown))


def _unchanged(url: str) -> str:
    return url


class _Reader:
    def __init__(self, path: str) -> None:
        self.path = path
        self.folder = posixpath.dirname(path)

    def read(self, tokens: list[Token]) -> tuple[SummaryEntry, ...]:
        top: list[SummaryEntry] = []
        groups: list[tuple[Token, Token, list[SummaryEntry]]] = []
        for token, inner in _elements(tokens):
            if token.type == "heading_open" and token.tag != "h1":
                groups.append((token, inner[0], []))
            elif token.type in _LISTS:
                (groups[-1][2] if groups else top).extend(self._items(inner))
        return (*top, *(_group(*group) for group in groups))

    def _items(self, tokens: list[Token]) -> list[SummaryEntry]:
        entries: list[SummaryEntry] = []
        for token, inner in _elements(tokens):
            if token.type == "list_item_open":
                entries.extend(self._item(token, inner))
        return entries

    def _item(self, opening: Token, tokens: list[Token]) -> list[SummaryEntry]:
        """The entry of a list item; an item that only holds a list gives that list's entries."""
        entry: SummaryEntry | None = None
        children: list[SummaryEntry] = []
        for token, inner in _elements(tokens):
            if token.type in _LISTS:
                children.extend(self._items(inner))
            elif entry is None and token.type == "fence":
                entry = self._computed(token)
                entry = None if entry is None else replace(entry, end=_end(token))
            elif entry is None and token.type in ("paragraph_open", "heading_open"):
                entry = self._linked(inner[0], _line(opening))
                entry = None if entry is None else replace(entry, end=_end(token))
        return children if entry is None else [replace(entry, children=tuple(children))]

    def _computed(self, fence: Token) -> SummaryEntry | None:
        line = _line(fence)
        source = load_yaml(fence.content, self.path, line_offset=line)
        if not isinstance(source, dict) or not isinstance(source.get("type"), str):
            raise LayoutError(
                f"{self.path}, line {line}: a computed page needs a YAML mapping with a 'type'"
            )
        title, slug = source.get("title"), source.get("slug")
        return SummaryEntry(
            "computed",
            title if isinstance(title, str) else "",
            line,
            slug=slug if isinstance(slug, str) and is_valid_slug(slug) else None,
            source=source,
        )

    def _linked(self, inline: Token, line: int) -> SummaryEntry | None:
        children = inline.children or []
        opened = next((i for i, token in enumerate(children) if token.type == "link_open"), None)
        if opened is None:
            loose = _LOOSE_LINK.search(inline.content)
            if loose is not None:
                title = _ESCAPE.sub(r"\1", loose["title"])
                return self._target(title, loose["target"].strip(), line)
            title = _plain(children)
            return SummaryEntry("page", title, line) if title else None
        closed = next(
            (i for i, token in enumerate(children) if token.type == "link_close"), len(children)
        )
        title = _plain(children[opened + 1 : closed]) or _plain(children)
        return self._target(title, str(children[opened].attrGet("href") or ""), line)

    def _target(self, title: str, target: str, line: int) -> SummaryEntry:
        if not target:
            return SummaryEntry("page", title, line)
        file_path = None if is_absolute(target) else markdown_path(target, self.folder)
        if file_path is None:
            return SummaryEntry("link", title, line, target=target)
        return SummaryEntry("page", title, line, target=file_path)


def _group(heading: Token, inline: Token, members: list[SummaryEntry]) -> SummaryEntry:
    anchor = _ANCHOR_TAG.search(inline.content)
    slug = anchor.group(1) if anchor and is_valid_slug(anchor.group(1)) else None
    title = _plain(inline.children or [])
    return SummaryEntry(
        "group", title, _line(heading), slug=slug, children=tuple(members), end=_end(heading)
    )


def markdown_path(target: str, folder: str) -> str | None:
    """The path of the Markdown file that `target`, written in `folder`, names within the root.

    None for anything else: another kind of file, an anchor, a query or a path out of the root.
    A target that starts with `/` counts from the root.
    """
    if "#" in target or "?" in target:
        return None
    decoded = unquote(target)
    joined = decoded.lstrip("/") if decoded.startswith("/") else posixpath.join(folder, decoded)
    path = posixpath.normpath(joined)
    if path.startswith("../") or not path.lower().endswith(MARKDOWN):
        return None
    return path


def repeated_files(entries: Iterable[SummaryEntry]) -> list[tuple[SummaryEntry, SummaryEntry]]:
    """The entries that name the file of an earlier one, each behind the first that names it."""
    first: dict[str, SummaryEntry] = {}
    repeated: list[tuple[SummaryEntry, SummaryEntry]] = []
    for entry in chain.from_iterable(top.walk() for top in entries):
        if entry.kind == "page" and entry.target is not None:
            earlier = first.setdefault(entry.target, entry)
            if earlier is not entry:
                repeated.append((earlier, entry))
    return repeated


def refuse_repeated_files(entries: Iterable[SummaryEntry], path: str) -> None:
    """Raise `RepeatedFileError`, naming both lines, when a file is listed twice."""
    repeated = repeated_files(entries)
    if repeated:
        earlier, entry = repeated[0]
        more = f" ({len(repeated) - 1} more such entries)" if len(repeated) > 1 else ""
        raise RepeatedFileError(
            f"{path}: '{entry.target}' is listed twice, on line {earlier.line} and on line "
            f"{entry.line}; a file can be one page only{more}"
        )


def with_links_for_repeated_files(
    entries: tuple[SummaryEntry, ...],
) -> tuple[SummaryEntry, ...]:
    """The entries with a link to the page in place of each entry that names its file again.

    Links hold no entries: what stands below such an entry stays below a page without a text, and
    the link is the first of it.
    """
    repeated = {id(entry) for _, entry in repeated_files(entries)}

    def shown(entry: SummaryEntry) -> SummaryEntry:
        children = tuple(shown(child) for child in entry.children)
        if id(entry) not in repeated:
            return replace(entry, children=children)
        # From the content root, wherever the table of contents stands.
        link = replace(entry, kind="link", target=f"/{quote(entry.target or '')}", children=())
        if not children:
            return link
        return replace(entry, target=None, children=(link, *children))

    return tuple(map(shown, entries))


def _elements(tokens: list[Token]) -> Iterator[tuple[Token, list[Token]]]:
    """The outermost elements, each with the tokens in it."""
    position = 0
    while position < len(tokens):
        end = _closing(tokens, position)
        yield tokens[position], tokens[position + 1 : end]
        position = end + 1


def _closing(tokens: list[Token], position: int) -> int:
    """Index of the token that closes the one at `position` (itself when it opens nothing)."""
    if tokens[position].nesting != 1:
        return position
    level = tokens[position].level
    for index in range(position + 1, len(tokens)):
        if tokens[index].nesting == -1 and tokens[index].level == level:
            return index
    return len(tokens) - 1


def _line(token: Token) -> int:
    return token.map[0] + 1 if token.map else 1


def _end(token: Token) -> int:
    return token.map[1] if token.map else 1


def _plain(children: list[Token]) -> str:
    """The text of inline tokens without marks and tags."""
    parts: list[str] = []
    for token in children:
        if token.type in ("text", "code_inline", "text_special"):
            parts.append(token.content)
        elif token.type in ("softbreak", "hardbreak"):
            parts.append(" ")
        elif token.type == "image":
            parts.append(_plain(token.children or []))
    return " ".join("".join(parts).split())


_FOR_ASSISTANTS = ("agents.md", "claude.md", "gemini.md")
_DIGITS = re.compile(r"(\d+)")


@dataclass(slots=True)
class _Folder:
    files: list[str] = field(default_factory=list)
    folders: dict[str, _Folder] = field(default_factory=dict)


def infer_summary(
    paths: Iterable[str],
    *,
    readme: str = "README.md",
    summary: str = "SUMMARY.md",
    folder: str = "",
    title_of: Callable[[str], str] | None = None,
) -> tuple[SummaryEntry, ...]:
    """Entries for all Markdown files in `paths`, relative to the content root, that are in a
    `folder` of it, and for the readme wherever it is.

    Folders that all files have in common are left out. A folder's `readme` is the folder's page,
    a folder without one becomes a page without a file. The readme comes first, then names in
    natural order. Folders and files whose name starts with `.` are no pages, nor are tables of
    contents of folders, and files for assistants. `title_of` gives the title for a path, otherwise
    it is made from the name.
    """
    no_pages = {posixpath.basename(summary).lower(), *_FOR_ASSISTANTS}
    inside = posixpath.join(folder, "")
    outer: list[str] = []
    root = _Folder()
    for path in paths:
        own = path.removeprefix(inside)
        if (
            not own.lower().endswith(MARKDOWN)
            or posixpath.basename(own).lower() in no_pages
            or any(part.startswith(".") for part in own.split("/"))
        ):
            continue
        if not path.startswith(inside):
            outer += [path] if path == readme else []
            continue
        here = root
        for part in posixpath.dirname(own).split("/"):
            if part:
                here = here.folders.setdefault(part, _Folder())
        here.files.append(path)
    top = root
    while not outer and not top.files and len(top.folders) == 1:
        top = next(iter(top.folders.values()))
    builder = _Builder(posixpath.basename(readme), title_of or title_from_name)
    return (*builder.pages(outer), *builder.entries(top))


class _Builder:
    def __init__(self, readme: str, title_of: Callable[[str], str]) -> None:
        self.readme = readme.lower()
        self.title_of = title_of

    def entries(self, folder: _Folder, *, with_readme: bool = True) -> list[SummaryEntry]:
        first = [path for path in folder.files if self._is_readme(path)]
        named: list[tuple[str, SummaryEntry]] = [
            (posixpath.basename(path), SummaryEntry("page", self.title_of(path), 0, target=path))
            for path in folder.files
            if path not in first
        ]
        named += [(name, self._folder(name, child)) for name, child in folder.folders.items()]
        named.sort(key=lambda item: natural_order(item[0]))
        entries = [entry for _, entry in named]
        return [*self.pages(first), *entries] if with_readme else entries

    def pages(self, paths: Iterable[str]) -> list[SummaryEntry]:
        """Entries of files without any below them."""
        return [SummaryEntry("page", self.title_of(path), 0, target=path) for path in paths]

    def _folder(self, name: str, folder: _Folder) -> SummaryEntry:
        readme = next((path for path in folder.files if self._is_readme(path)), None)
        title = self.title_of(readme) if readme else title_from_name(name)
        children = tuple(self.entries(folder, with_readme=False))
        return SummaryEntry(
            "page", title, 0, target=readme, slug=None if readme else name, children=children
        )

    def _is_readme(self, path: str) -> bool:
        return posixpath.basename(path).lower() == self.readme


def natural_order(name: str) -> tuple[tuple[int, int, str], ...]:
    """Sort key in which `page-2` comes before `page-10`, without regard to case."""
    key: list[tuple[int, int, str]] = []
    for part in _DIGITS.split(name.casefold()):
        if part.isdecimal():
            # Comparing by length first keeps numbers of any size away from int().
            digits = part.lstrip("0")
            key.append((0, len(digits), digits))
        elif part:
            key.append((1, 0, part))
    return tuple(key)


def title_from_name(path: str) -> str:
    """A title made from a file or folder name: `getting-started.md` gives `Getting started`."""
    name = posixpath.basename(path)
    stem = name.rsplit(".", 1)[0] if name.lower().endswith(MARKDOWN) else name
    words = " ".join(re.split(r"[-_\s]+", stem)).strip() or name
    return words[0].upper() + words[1:]
