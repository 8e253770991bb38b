"""Numbers of Word's lists: a list that goes on behind other paragraphs goes on counting there.

The converter begins each list anew. So paragraphs whose number does not follow from the list that
they stand in get a bookmark with it, which becomes an anchor, and that the `start` of the list.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from xml.etree import ElementTree

from content.imports.dom import Tag
from content.imports.safe_xml import MAX_BYTES, local_name, parse_xml

NUMBERING, STYLES_PART = "word/numbering.xml", "word/styles.xml"
_MARK = "docstead-number-"
_MARKED = re.compile(rf"{_MARK}(\d{{1,9}})")
# Numbers that a list may begin with, and the deepest level that Word has.
MOST, DEEPEST = 999_999_999, 8
Xml = ElementTree.Element


def _named(element: Xml | None, name: str) -> Xml | None:
    """The first child with a name, without its namespace."""
    children = (
        child for child in (() if element is None else element) if local_name(child) == name
    )
    return next(children, None)


def _value(element: Xml | None, attribute: str = "val") -> str:
    for name, value in () if element is None else element.attrib.items():
        if name.rpartition("}")[2] == attribute:
            return value
    return ""


def _number(element: Xml | None, default: int, attribute: str = "val") -> int:
    value = _value(element, attribute)
    return int(value) if value.isascii() and value.isdigit() and len(value) < 10 else default


@dataclass(slots=True)
class _Levels:
    """The levels of an abstract list: which have numbers, and with which they begin."""

    starts: dict[int, int] = field(default_factory=dict)
    ordered: dict[int, bool] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Lists:
    """The lists of a document: which abstract one each is of, and numbers that it begins anew
    with."""

    abstract: Mapping[str, str]
    levels: Mapping[str, _Levels]
    restarts: Mapping[str, Mapping[int, int]]


def _lists(root: Xml) -> _Lists:
    levels: dict[str, _Levels] = defaultdict(_Levels)
    abstract: dict[str, str] = {}
    restarts: dict[str, dict[int, int]] = defaultdict(dict)
    for element in root:
        if local_name(element) == "abstractNum":
            own = levels[_value(element, "abstractNumId")]
            for level in (child for child in element if local_name(child) == "lvl"):
                at = _number(level, 0, "ilvl")
                own.starts[at] = _number(_named(level, "start"), 1)
                own.ordered[at] = _value(_named(level, "numFmt")) not in ("bullet", "none")
        elif local_name(element) == "num":
            id = _value(element, "numId")
            abstract[id] = _value(_named(element, "abstractNumId"))
            for override in (child for child in element if local_name(child) == "lvlOverride"):
                start = _named(override, "startOverride")
                if start is not None:
                    restarts[id][_number(override, 0, "ilvl")] = _number(start, 1)
    return _Lists(abstract, levels, restarts)


def _styled(root: Xml | None) -> dict[str, tuple[str, int]]:
    """Lists and levels of styles of paragraphs, by the ids of these."""
    styled = {}
    for style in () if root is None else root:
        properties = _named(_named(style, "pPr"), "numPr")
        if local_name(style) == "style" and properties is not None:
            place = _value(_named(properties, "numId")), _number(_named(properties, "ilvl"), 0)
            styled[_value(style, "styleId")] = place
    return styled


def _items(root: Xml, styled: Mapping[str, tuple[str, int]]) -> Iterator[tuple[Xml, str, int]]:
    """Paragraphs of lists with the list and the level of each, in the order of reading."""
    for paragraph in root.iter():
        if local_name(paragraph) != "p":
            continue
        properties = _named(paragraph, "pPr")
        own = _named(properties, "numPr")
        place = styled.get(_value(_named(properties, "pStyle")))
        if own is not None:
            id = _value(_named(own, "numId")) or ("" if place is None else place[0])
            place = id, _number(_named(own, "ilvl"), 0)
        if place is not None and place[0] not in ("", "0") and place[1] <= DEEPEST:
            yield paragraph, *place


def with_marks(data: bytes, marker: str) -> bytes:
    """A document whose items say their number, where that is not the first of their list; the same
    bytes where none does, or where it is too large. SourceError for XML that cannot be read."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        names = package.namelist()
        if NUMBERING not in names:
            return data
        parts = [package.getinfo(name) for name in (NUMBERING, marker)]
        if any(part.file_size > MAX_BYTES for part in parts):
            return data
        lists = _lists(parse_xml(package.read(NUMBERING), NUMBERING))
        styles = parse_xml(package.read(STYLES_PART), STYLES_PART) if STYLES_PART in names else None
        text = package.read(marker)
        root = parse_xml(text, marker)
        if not _mark(root, lists, _styled(styles)):
            return data
        written = io.BytesIO()
        with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as target:
            for name in dict.fromkeys(names):
                own = ElementTree.tostring(root, "utf-8", xml_declaration=True)
                target.writestr(name, own if name == marker else package.read(name))
    return written.getvalue()


def _mark(root: Xml, lists: _Lists, styled: Mapping[str, tuple[str, int]]) -> bool:
    """Put bookmarks with their numbers into items that go on; whether there are any."""
    counts: dict[str, dict[int, int]] = defaultdict(dict)
    begun: set[tuple[str, int]] = set()
    marked = False
    for paragraph, id, level in _items(root, styled):
        abstract = lists.abstract.get(id)
        if abstract is None or not lists.levels[abstract].ordered.get(level, True):
            continue
        own = counts[abstract]
        first = lists.levels[abstract].starts.get(level, 1)
        restart = lists.restarts.get(id, {}).get(level)
        if restart is not None and (id, level) not in begun:
            own[level] = restart
        else:
            own[level] = own.get(level, first - 1) + 1
        begun.add((id, level))
        for deeper in [other for other in own if other > level]:
            del own[deeper]
        if 1 < own[level] <= MOST:
            marked = True
            space = str(paragraph.tag).rpartition("}")[0].removeprefix("{")
            name = f"{_MARK}{own[level]}"
            start = ElementTree.Element(f"{{{space}}}bookmarkStart", {f"{{{space}}}name": name})
            place = 1 if _named(paragraph, "pPr") is not None else 0
            paragraph.insert(place, start)
    return marked


def settle_numbers(root: Tag) -> None:
    """Turn the marks of items into the numbers with which their lists begin; those within items
    begin anew, for Markdown has no other ones right below a line."""
    inner = {id(tag) for item in root.all("li") for tag in item.all("ol")}
    for tag in list(root.all("ol")):
        items = [child for child in tag.elements() if child.name == "li"]
        number = _mark_in(items[0]) if items and id(tag) not in inner else None
        if number is not None:
            tag.attributes["start"] = str(number)
    for tag in list(root.walk()):
        tag.children = [child for child in tag.children if _mark_of(child) is None]


def _mark_in(item: Tag) -> int | None:
    """The number of an item, whose mark stands before everything else in it."""
    inner: Tag | str | None = item
    while isinstance(inner, Tag) and inner.children:
        inner = inner.children[0]
        number = _mark_of(inner)
        if number is not None:
            return number
    return None


def _mark_of(child: Tag | str) -> int | None:
    match = _MARKED.fullmatch(child.get("id")) if isinstance(child, Tag) else None
    return None if match is None else int(match[1])
