"""Any HTML as a tree, the way browsers forgive: for documents that other programs have written.

(`content.markdown.html_tree` reads the strict pieces of HTML that our own dialect writes.)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from html.parser import HTMLParser

from content.errors import SourceError

MAX_DEPTH = 96
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
MAX_ELEMENTS = 200_000
VOID = frozenset(
    ("area base br col embed hr img input link meta param source track wbr").split()  # noqa: SIM905 (a list of one word a line is no easier to read)
)
# Another document within one: it stays as an element without its text.
FRAME = "iframe"
# Elements whose text is no content.
_SILENT = frozenset({"script", "style", "template", "noscript", "object", FRAME})
_BLOCKS = frozenset(
    """
    address article aside blockquote details dialog div dl fieldset figcaption figure footer form
    h1 h2 h3 h4 h5 h6 header hr main menu nav ol p pre section table ul
    """.split()  # noqa: SIM905 (one word a line is no easier to read)
)
# An element that opens -> the open elements it ends, and those that shield them.
_ENDS: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "li": (frozenset({"li"}), frozenset({"ul", "ol", "menu"})),
    "dt": (frozenset({"dt", "dd"}), frozenset({"dl"})),
    "dd": (frozenset({"dt", "dd"}), frozenset({"dl"})),
    "tr": (frozenset({"tr", "td", "th"}), frozenset({"table"})),
    "td": (frozenset({"td", "th"}), frozenset({"tr", "table"})),
    "th": (frozenset({"td", "th"}), frozenset({"tr", "table"})),
    "tbody": (frozenset({"thead", "tbody", "tfoot", "tr", "td", "th"}), frozenset({"table"})),
    "tfoot": (frozenset({"thead", "tbody", "tfoot", "tr", "td", "th"}), frozenset({"table"})),
    "a": (frozenset({"a"}), frozenset({"table", "td", "th"})),
    "option": (frozenset({"option"}), frozenset({"select"})),
}
_PARAGRAPH_SHIELDS = frozenset({"td", "th", "table", "button", "object", "ac:rich-text-body"})
# End tags do not reach beyond these.
_SCOPES = frozenset({"table", "td", "th"})


class Tag:
    """An element: attribute names lower-case, children are elements and text."""

    __slots__ = ("attributes", "children", "name")

    def __init__(
        self, name: str, attributes: dict[str, str], children: Iterable[Tag | str] = ()
    ) -> None:
        self.name = name
        self.attributes = attributes
        self.children = list(children)

    def get(self, attribute: str) -> str:
        """The value of an attribute, "" when it is absent."""
        return self.attributes.get(attribute, "")

    def classes(self) -> list[str]:
        """Its classes, lower-case."""
        return self.get("class").lower().split()

    def elements(self) -> list[Tag]:
        """Its children that are elements."""
        return [child for child in self.children if isinstance(child, Tag)]

    def child(self, name: str) -> Tag | None:
        """The first of its children that is an element of this name."""
        return next((element for element in self.elements() if element.name == name), None)

    def walk(self) -> Iterator[Tag]:
        """This element and all below it, in document order."""
        stack = [self]
        while stack:
            tag = stack.pop()
            yield tag
            stack.extend(reversed(tag.elements()))

    def find(self, matches: Callable[[Tag], bool]) -> Tag | None:
        """The first element at or below this one that is wanted."""
        return next((tag for tag in self.walk() if matches(tag)), None)

    def of_class(self, name: str) -> Tag | None:
        """The first element at or below this one that has the class."""
        return self.find(lambda tag: name in tag.classes())

    def all(self, *names: str) -> Iterator[Tag]:
        """The elements at or below this one that have one of the names."""
        return (tag for tag in self.walk() if tag.name in names)

    def text(self) -> str:
        """All text below, as it stands."""
        parts: list[str] = []
        stack: list[Tag | str] = [self]
        while stack:
            item = stack.pop()
            if isinstance(item, str):
                parts.append(item)
            elif item.name == "br":
                parts.append("\n")
            else:
                stack.extend(reversed(item.children))
        return "".join(parts)

    def words(self) -> str:
        """All text below, with single blanks."""
        return " ".join(self.text().split())

    def has_text(self) -> bool:
        """Whether there is a visible character directly in it."""
        return any(isinstance(child, str) and child.strip() for child in self.children)

    def without(self, unwanted: Callable[[Tag], bool]) -> None:
        """Take out all elements below that are unwanted."""
        for tag in self.walk():
            tag.children = [
                child for child in tag.children if isinstance(child, str) or not unwanted(child)
            ]


def parse_html(text: str, *, xhtml: bool = False) -> Tag:
    """The tree of a document or fragment, below an element without a name.

    Unclosed and misnested elements are closed where browsers do; comments, scripts and styles are
    left out. What nests deeper than 96 is lifted. `xhtml`: `<a/>` is an empty element. SourceError
    beyond 200,000 elements.
    """
    builder = _Builder(xhtml)
    # The tokenizer looks for the end of each comment anew.
    builder.feed(_COMMENT.sub("", text))
    builder.close()
    return builder.root


class _Builder(HTMLParser):
    def __init__(self, xhtml: bool) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Tag("", {})
        self._stack = [self.root]
        self._silent: str | None = None
        self._count = 0
        self._xhtml = xhtml

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._silent is not None:
            return
        if tag in _SILENT:
            self._silent = tag
            if tag != FRAME:
                return
        self._count += 1
        if self._count > MAX_ELEMENTS:
            raise SourceError(f"the HTML has more than {MAX_ELEMENTS} elements")
        self._close_implied(tag)
        attributes: dict[str, str] = {}
        for name, value in attrs:
            attributes.setdefault(name, value or "")
        element = Tag(tag, attributes)
        self._stack[-1].children.append(element)
        if tag not in VOID and tag != FRAME and len(self._stack) < MAX_DEPTH:
            self._stack.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._silent is None and self._xhtml and tag in _SILENT and tag != FRAME:
            return
        self.handle_starttag(tag, attrs)
        if self._xhtml and self._silent == tag:
            self._silent = None
        # In HTML the slash means nothing, except in the elements of other vocabularies.
        if (self._xhtml or ":" in tag) and self._stack[-1].name == tag and len(self._stack) > 1:
            self._stack.pop()

    def handle_endtag(self, tag: str) -> None:
        if self._silent is not None:
            if tag == self._silent:
                self._silent = None
            return
        for index in range(len(self._stack) - 1, 0, -1):
            name = self._stack[index].name
            if name == tag:
                del self._stack[index:]
                return
            if name in _SCOPES and tag not in ("table", "tr", "tbody", "thead", "tfoot"):
                return

    def handle_data(self, data: str) -> None:
        if self._silent is None and data:
            self._stack[-1].children.append(data)

    def unknown_decl(self, data: str) -> None:
        # `<![CDATA[...]]>` of XHTML and of wikis.
        if data.startswith("CDATA["):
            self.handle_data(data.removeprefix("CDATA["))

    def _close_implied(self, tag: str) -> None:
        """End what `tag` cannot stand in."""
        if tag in _BLOCKS:
            self._end(frozenset({"p"}), _PARAGRAPH_SHIELDS)
        if tag in _ENDS:
            self._end(*_ENDS[tag])

    def _end(self, names: frozenset[str], shields: frozenset[str]) -> None:
        lowest = None
        for index in range(len(self._stack) - 1, 0, -1):
            name = self._stack[index].name
            if name in shields:
                break
            if name in names:
                lowest = index
        if lowest is not None:
            del self._stack[lowest:]
