"""Which pieces of foreign HTML a parser may see: their elements, depth and attributes are bounded.

A parser of HTML repairs what it is given, and the work for that grows with the square of how deep
elements nest, of the attributes of one, and of formatting elements that nobody closes. So a piece
is looked at first, in one pass: a short one may be as it likes, a longer one has to be regular.
What is called regular here cannot nest deeper for a browser than it does for this module, since
whatever is in doubt counts as open.
"""

from __future__ import annotations

import re

# Elements of one page; of a piece that need not be regular, and its characters.
ELEMENTS = 20_000
FEW, SHORT = 100, 10_000
# Elements within each other, and attributes of one, in a regular piece.
DEPTH = 50
ATTRIBUTES = 30

VOID = frozenset(
    {"area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
     "track", "wbr"}
)  # fmt: skip
_BLOCKS = frozenset(
    {"address", "article", "aside", "blockquote", "center", "details", "div", "dl", "figcaption",
     "figure", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "main", "nav", "ol", "pre",
     "section", "summary", "table", "ul"}
)  # fmt: skip
# With the elements whose end may be left out before them.
_ENDED_BY = {
    "p": {"p"},
    "li": {"p", "li"},
    "dt": {"p", "dt", "dd"},
    "dd": {"p", "dt", "dd"},
    "td": {"p", "td", "th"},
    "th": {"p", "td", "th"},
    "tr": {"p", "td", "th", "tr"},
    "thead": {"p", "td", "th", "tr", "thead", "tbody", "tfoot"},
    "tbody": {"p", "td", "th", "tr", "thead", "tbody", "tfoot"},
    "tfoot": {"p", "td", "th", "tr", "thead", "tbody", "tfoot"},
}
_INLINES = frozenset(
    {"a", "abbr", "b", "bdi", "bdo", "big", "button", "caption", "cite", "code", "colgroup",
     "data", "del", "dfn", "em", "font", "i", "ins", "kbd", "label", "mark", "q", "s", "samp",
     "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var"}
)  # fmt: skip
# Others change how what follows is read: it is not known here what a parser makes of them.
_KNOWN = VOID | _BLOCKS | _INLINES | _ENDED_BY.keys()

# References to characters count as elements: a parser copies the text before each of them.
_START = re.compile(r"<[A-Za-z]|&")
# A comment or a tag as everybody writes them. No part of it is looked at twice.
_TOKEN = re.compile(
    r"<!--(?![->])(?>(?:[^-<>]|-(?!-))*)-->"
    r"|<(/?)([A-Za-z][A-Za-z0-9]*+)"
    rf"((?>(?:\s++[^\s\"'<>/=]++(?:\s*+=\s*+(?:\"[^\"<]*+\"|'[^'<]*+'|[^\s\"'<>=`]++))?){{0,{ATTRIBUTES}}}))"
    r"\s*+/?>"
)
_STRAY = re.compile(r"<[A-Za-z/!?]")


def elements_of(source: str) -> int | None:
    """The number of elements of a piece, or somewhat more; None for one that no parser may see."""
    count = sum(1 for _ in _START.finditer(source))
    if count <= FEW and len(source) <= SHORT:
        return count
    return count if count <= ELEMENTS and _is_regular(source) else None


def _is_regular(source: str) -> bool:
    """Whether the piece has nothing but usual tags, which nest to a depth that is allowed."""
    if _STRAY.search(_TOKEN.sub("", source)):
        return False
    open_elements: list[str] = []
    for closing, written, _ in _TOKEN.findall(source):
        name = written.lower()
        if not name or name in VOID:
            continue
        if name not in _KNOWN:
            return False
        if closing:
            _close(open_elements, name)
            continue
        ended = _ENDED_BY.get(name, ())
        while open_elements and open_elements[-1] in ended:
            open_elements.pop()
        open_elements.append(name)
        if len(open_elements) > DEPTH:
            return False
    return True


def _close(open_elements: list[str], name: str) -> None:
    """End the innermost element, and before the end of a block those whose ends are left out.

    Of any other end a parser may think differently: what it names stays open here.
    """
    place = len(open_elements) - 1
    if name not in _INLINES:
        while place >= 0 and open_elements[place] != name and open_elements[place] in _ENDED_BY:
            place -= 1
    if place >= 0 and open_elements[place] == name:
        del open_elements[place:]
