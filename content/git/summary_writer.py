"""Writing the table of contents: lines of entries that stay as they are stay, too."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

import orjson

from content.depth_first import depth_first
from content.git.path_links import link_path
from content.git.summary import (
    EntryKind,
    SummaryEntry,
    parse_summary,
    with_links_for_repeated_files,
)
from content.json_types import JsonObject
from content.safe_yaml import dump_yaml
from content.slugs import slug_from_title

TITLE = "# Table of contents\n"
_MARKS = re.compile(r"[\\`*_\[\]<>&!~|]")
_PLAIN = re.compile(r"\w[\w ,'()/.:-]*")
_ITEM = re.compile(r"(?P<indent>[ \t]*)(?P<marker>[-*+]|[0-9]{1,9}[.)])(?P<blanks>[ \t]+)")
_HEADING = re.compile(r"\s{0,3}#{2,6}(?:\s|$)")


@dataclass(frozen=True, slots=True, eq=False)
class WantedEntry:
    """An entry as it is to be. `target` is the path of a page's file from the content root, or the
    URL of a link. `before` is the entry that stands for it in the table as it is now, if any, and
    `same` whether that says what this one is to say."""

    kind: EntryKind
    title: str
    target: str | None = None
    slug: str | None = None
    source: JsonObject | None = None
    before: SummaryEntry | None = None
    same: bool = False
    children: tuple[WantedEntry, ...] = ()

    def walk(self) -> Iterator[WantedEntry]:
        """This entry and all below it, depth first."""
        return depth_first(self)


Check = Callable[[tuple[SummaryEntry, ...]], bool]


def write_summary(
    text: str | None,
    entries: Sequence[WantedEntry],
    path: str,
    says: Check,
    *,
    repeated_as_links: bool = False,
) -> str:
    """The text of the table of contents at `path`, made of the one that is there.

    `says` tells whether entries that were read are those that are wanted. Where the lines of the
    text cannot be kept, all entries are written anew.
    """
    if text is not None:
        edited = _Lines(text, entries, path).write()
        read = parse_summary(edited, path)
        if repeated_as_links:
            read = with_links_for_repeated_files(read)
        if says(read):
            return edited
    anew = [_without_before(entry) for entry in entries]
    preamble = TITLE if text is None else _preamble(text, path)
    return _Lines(preamble, anew, path).write()


def _without_before(entry: WantedEntry) -> WantedEntry:
    children = tuple(_without_before(child) for child in entry.children)
    return replace(entry, before=None, same=False, children=children)


def _preamble(text: str, path: str) -> str:
    """What stands before all entries, if it is a title and the like."""
    read = [entry for top in parse_summary(text, path) for entry in top.walk()]
    lines = text.split("\n")
    first = min((entry.line for entry in read), default=len(lines) + 1)
    head = "\n".join(lines[: first - 1]).rstrip("\n")
    return f"{head}\n" if head.strip() else TITLE


@dataclass(slots=True)
class _Place:
    """A list that is being written: the indent and marker of its items, and where what is below
    an item of it begins."""

    indent: str
    marker: str
    below: str


@dataclass(slots=True)
class _Output:
    lines: list[str] = field(default_factory=list)
    # The entry that was written last.
    last: WantedEntry | None = None
    # Remarks of authors that are to stand before the next entry that was there.
    waiting: list[str] = field(default_factory=list)

    def flush(self) -> None:
        """Write what waits."""
        self.lines += self.waiting
        self.waiting.clear()


class _Lines:
    def __init__(self, text: str, entries: Sequence[WantedEntry], path: str) -> None:
        self.entries = entries
        self.folder = posixpath.dirname(path)
        self.lines = text.split("\n")
        if self.lines[-1] == "":
            self.lines.pop()
        used = (entry.before for top in entries for entry in top.walk() if entry.before is not None)
        flat = [entry for top in parse_summary(text, path) for entry in top.walk()]
        # Both were parsed from the same text, so lines name entries.
        self.order = sorted({entry.line: entry.end for entry in flat if entry.line}.items())
        self.number = {line: number for number, (line, _) in enumerate(self.order)}
        self.used = {entry.line for entry in used}
        self.steps = self._steps(flat)
        # What stands behind entries that go, by the entry that stays before them.
        self.orphans: dict[int, list[str]] = {}
        stays = -1
        for number, (line, end) in enumerate(self.order):
            if line in self.used:
                stays = number
            elif stays >= 0:
                self.orphans.setdefault(stays, []).extend(self._remarks(self._behind(number, end)))
        self.output = _Output()

    def write(self) -> str:
        out = self.output
        first = self.order[0][0] - 1 if self.order else len(self.lines)
        out.lines += self.lines[:first]
        if out.lines and out.lines[-1].strip() and self.entries:
            out.lines.append("")
        top = _Place("", self._marker(), "")
        lists = [entry for entry in self.entries if entry.kind != "group"]
        groups = [entry for entry in self.entries if entry.kind == "group"]
        self._list(lists, top)
        for group in groups:
            self._emit(group, None)
            self._list(list(group.children), _Place("", self._marker(), ""))
        out.flush()
        if self.order and out.last is not None:
            end = self.order[-1][1]
            if out.last.before is None or out.last.before.line != self.order[-1][0]:
                out.lines += self._remarks(self.lines[end:])
            else:
                out.lines += self.lines[end:]
        return "".join(f"{line}\n" for line in out.lines)

    def _list(self, entries: Sequence[WantedEntry], place: _Place) -> None:
        """Write the items of a list; those that are new look like those that stay."""
        for entry in entries:
            match = self._item(entry)
            if match is not None and entry.same:
                place.indent, place.marker = match["indent"], match["marker"]
                break
        for entry in entries:
            indent, below = self._emit(entry, place)
            width = self.steps if self.steps > len(below) else len(below)
            inner = indent + (" " * width if "\t" not in indent else below)
            self._list(list(entry.children), _Place(inner, place.marker, below))

    def _item(self, entry: WantedEntry) -> re.Match[str] | None:
        before = entry.before
        if before is None or before.line not in self.number:
            return None
        return _ITEM.match(self.lines[before.line - 1])

    def _marker(self) -> str:
        for line, _ in self.order:
            match = _ITEM.match(self.lines[line - 1])
            if match is not None:
                return match["marker"]
        return "*"

    def _steps(self, flat: Iterable[SummaryEntry]) -> int:
        """By how much items below others are indented, 2 where nothing tells."""
        for entry in flat:
            if entry.kind == "group" or not entry.children or not entry.line:
                continue
            own = _ITEM.match(self.lines[entry.line - 1])
            child = entry.children[0]
            other = _ITEM.match(self.lines[child.line - 1]) if child.line else None
            if own is not None and other is not None:
                step = len(other["indent"].expandtabs(4)) - len(own["indent"].expandtabs(4))
                if step > 0:
                    return step
        return 2

    def _emit(self, entry: WantedEntry, place: _Place | None) -> tuple[str, str]:
        """Write an entry, with what stood between it and the one before; returns its indent and
        the blanks by which what is below it is indented more."""
        out = self.output
        own = self._own_lines(entry)
        rendered = own if own is not None and entry.same else self._rendered(entry, place)
        match = _ITEM.match(rendered[0]) if rendered and place is not None else None
        if match is not None and place is not None and match["indent"] != place.indent:
            shift = match["indent"]
            rendered = [
                place.indent + line.removeprefix(shift) if line.strip() else line
                for line in rendered
            ]
            match = _ITEM.match(rendered[0])
        self._gap(entry)
        out.lines += rendered
        out.last = entry
        if match is None:
            return ("" if place is None else place.indent), "  "
        return match["indent"], " " * (len(match["marker"]) + min(len(match["blanks"]), 1))

    def _own_lines(self, entry: WantedEntry) -> list[str] | None:
        before = entry.before
        if before is None or before.line not in self.number:
            return None
        return self.lines[before.line - 1 : self.order[self.number[before.line]][1]]

    def _gap(self, entry: WantedEntry) -> None:
        """Write what is to stand between the entry that was written last and the next one."""
        out = self.output
        last = out.last
        here = None if entry.before is None else self.number.get(entry.before.line)
        if last is None:
            return
        there = None if last.before is None else self.number.get(last.before.line)
        if there is not None:
            behind = self._behind(there, self.order[there][1])
            if here == there + 1:
                out.lines += behind
                return
            out.waiting += self._remarks(behind) + self.orphans.get(there, [])
        if entry.same or entry.kind == "group":
            # What is new comes before what stood at the end of a list.
            out.flush()
        if entry.kind == "group" or last.kind == "group":
            if out.lines[-1].strip():
                out.lines.append("")
        elif here is not None and here > 0:
            gap = self.lines[self.order[here - 1][1] : self.order[here][0] - 1]
            loose = bool(gap) and not any(line.strip() for line in gap)
            before_is_group = _HEADING.match(self.lines[self.order[here - 1][0] - 1])
            if loose and not before_is_group and out.lines[-1].strip():
                out.lines.append("")

    def _behind(self, number: int, end: int) -> list[str]:
        """The lines between an entry, which ends on a line, and the next one."""
        last = number + 1 == len(self.order)
        return self.lines[end : len(self.lines) if last else self.order[number + 1][0] - 1]

    def _remarks(self, lines: Sequence[str]) -> list[str]:
        """What authors have written between entries that do not stand beside each other now."""
        return list(lines) if any(line.strip() for line in lines) else []

    # ------------------------------------------------------------ new lines

    def _rendered(self, entry: WantedEntry, place: _Place | None) -> list[str]:
        if entry.kind == "group":
            return [self._heading(entry)]
        assert place is not None
        start = f"{place.indent}{place.marker} "
        if entry.kind == "computed":
            inner = " " * len(f"{place.marker} ")
            yaml = dump_yaml(entry.source or {}).splitlines()
            fence = "```"
            while any(fence in line for line in yaml):
                fence += "`"
            return [
                f"{start}{fence}yaml",
                *(f"{place.indent}{inner}{line}" if line else "" for line in yaml),
                f"{place.indent}{inner}{fence}",
            ]
        return [start + self._link(entry)]

    def _heading(self, entry: WantedEntry) -> str:
        anchor = ""
        if entry.slug and slug_from_title(entry.title) != entry.slug:
            anchor = f' <a href="#{entry.slug}" id="{entry.slug}"></a>'
        return self._readable(entry, lambda title: f"## {title}{anchor}")

    def _link(self, entry: WantedEntry) -> str:
        if entry.target is None:
            return self._readable(entry, lambda title: title, item=True)
        target = entry.target
        if entry.kind == "page":
            target = link_path(posixpath.relpath(target, self.folder or "."))
        else:
            target = re.sub(r"[\s()<>]", lambda match: f"%{ord(match.group()):02X}", target)
        return self._readable(entry, lambda title: f"[{title}]({target})", item=True)

    def _readable(
        self, entry: WantedEntry, write: Callable[[str], str], *, item: bool = False
    ) -> str:
        """A line with the title as it is, or escaped where it would be read as something else."""
        title = " ".join(entry.title.split())
        if entry.target is not None and _PLAIN.fullmatch(title):
            return write(title)
        for text in (title, _MARKS.sub(r"\\\g<0>", title)):
            line = write(text)
            read = parse_summary(f"* {line}\n" if item else f"{line}\n")
            if len(read) == 1 and not read[0].children and read[0].title == title:
                return line
        return write(_MARKS.sub(r"\\\g<0>", title))


def equal_sources(left: JsonObject | None, right: JsonObject | None) -> bool:
    """Whether two computed pages are made of the same."""
    options = orjson.OPT_SORT_KEYS
    return orjson.dumps(left or {}, option=options) == orjson.dumps(right or {}, option=options)


def flat_entries(entries: Iterable[SummaryEntry]) -> list[SummaryEntry]:
    """All entries, depth first."""
    return list(chain.from_iterable(entry.walk() for entry in entries))
