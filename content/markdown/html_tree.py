"""Small pieces of HTML as tokens and as a tree, for the few elements the dialect writes in HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html import unescape

MAX_DEPTH = 16
# Elements that may begin and end within a word.
WITHIN_WORDS = frozenset({
    "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "del", "dfn", "em", "font", "i", "ins",
    "kbd", "label", "mark", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup",
    "tt", "u", "var", "wbr",
})  # fmt: skip
VOID_ELEMENTS = frozenset({"br", "hr", "img", "input", "source", "wbr", "col"})
# Elements whose end tags may be left out, and those that end them when they begin; the end of what
# is around them ends them, too.
_ENDED_BY = {
    "li": frozenset({"li"}),
    "dt": frozenset({"dt", "dd"}),
    "dd": frozenset({"dt", "dd"}),
    "p": frozenset({"p", "li"}),
}

# Groups are not possessive: Python 3.11.2 takes tags with those that are none.
_TAG = re.compile(
    r"<(?P<close>/?)(?P<name>[A-Za-z][A-Za-z0-9-]*+)"
    r"(?P<attributes>(?:\s++[A-Za-z_:@][\w:.@-]*+(?:\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s\"'=<>`]++))?)*)"
    r"\s*+(?P<void>/?)>"
)
_ATTRIBUTE = re.compile(
    r"([A-Za-z_:@][\w:.@-]*+)(?:\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s\"'=<>`]++)))?"
)


@dataclass(frozen=True, slots=True)
class HtmlTag:
    """A start or end tag; attribute names are lower-case, an attribute without a value is ""."""

    name: str
    source: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    closing: bool = False
    void: bool = False

    def classes(self) -> list[str]:
        return self.attributes.get("class", "").split()


@dataclass(slots=True)
class Element:
    """An element with its children: elements and text (entities decoded)."""

    tag: HtmlTag
    start: int
    children: list[Element | str] = field(default_factory=list)
    inner: str = ""
    source: str = ""

    @property
    def name(self) -> str:
        return self.tag.name

    def elements(self) -> list[Element]:
        return [child for child in self.children if isinstance(child, Element)]

    def has_own_text(self) -> bool:
        return any(isinstance(child, str) and child.strip() for child in self.children)

    def text(self) -> str:
        """All text below the element; bounded by the depth of the tree."""
        return "".join(child if isinstance(child, str) else child.text() for child in self.children)


def parse_html_tag(source: str) -> HtmlTag | None:
    """The tag that `source` is as a whole, else None."""
    match = _TAG.fullmatch(source.strip())
    return None if match is None else _tag(match)


def html_tokens(source: str) -> Iterator[HtmlTag | str]:
    """Tags and the text between them as it is written, entities and all."""
    position = 0
    for match in _TAG.finditer(source):
        if match.start() > position:
            yield source[position : match.start()]
        yield _tag(match)
        position = match.end()
    if position < len(source):
        yield source[position:]


def parse_elements(source: str) -> list[Element] | None:
    """The elements at the top of `source`.

    Where tags do not match, end tags that HTML lets authors leave out (`<li>`, `<p>`) are taken to
    be absent. None when text stands between the elements, when tags do not match even so, when a
    comment or declaration is among them, or when they nest deeper than 16: then the source is
    better kept as it is.
    """
    if "<!" in source or "<?" in source:
        return None
    elements = _matching(source, ended_by={})
    return _matching(source, ended_by=_ENDED_BY) if elements is None else elements


def _matching(source: str, ended_by: Mapping[str, frozenset[str]]) -> list[Element] | None:
    """The elements of `source`; `ended_by`: which ones may be without an end tag, and what ends
    them."""
    root = Element(HtmlTag("", ""), 0)
    stack = [root]
    position = 0
    for item in html_tokens(source):
        if isinstance(item, str):
            position += len(item)
            stack[-1].children.append(unescape(item))
            continue
        start, position = position, position + len(item.source)
        if item.closing:
            while stack[-1].name in ended_by and stack[-1].name != item.name:
                _end(stack.pop(), source, start, start)
            if len(stack) == 1 or stack[-1].name != item.name:
                return None
            _end(stack.pop(), source, start, position)
            continue
        while item.name in ended_by.get(stack[-1].name, ()):
            _end(stack.pop(), source, start, start)
        element = Element(item, position, source=item.source)
        stack[-1].children.append(element)
        if not item.void:
            stack.append(element)
            if len(stack) > MAX_DEPTH:
                return None
    if len(stack) != 1 or root.has_own_text():
        return None
    return root.elements()


def _end(element: Element, source: str, end: int, behind: int) -> None:
    """Note what an element holds, which ends at `end`, with its end tag at `behind`."""
    element.inner = source[element.start : end]
    element.source = source[element.start - len(element.tag.source) : behind]


def _tag(match: re.Match[str]) -> HtmlTag:
    name = match["name"].lower()
    attributes: dict[str, str] = {}
    for key, *values in _ATTRIBUTE.findall(match["attributes"]):
        attributes.setdefault(key.lower(), unescape(next((v for v in values if v), "")))
    return HtmlTag(
        name,
        match.group(),
        attributes,
        # `</br>` breaks a line in every browser.
        closing=bool(match["close"]) and name != "br",
        void=bool(match["void"]) or name in VOID_ELEMENTS,
    )
