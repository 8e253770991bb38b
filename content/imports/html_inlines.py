"""Inline HTML as the inline nodes of a document, and so as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable

from content.documents.nodes import Node, inline, leaf, mark
from content.imports.dom import Tag
from content.imports.footnotes import NOTE
from content.json_types import Json, JsonObject
from content.markdown.html_inlines import MARK_TAGS
from content.markdown.writer.inlines import line_text, paragraph_text
from content.markdown.writer.writing import Writing
from content.script_addresses import runs_script

# Inlines of HTML hold no blocks: footnotes are taken out before.
_WRITING = Writing(lambda nodes, container: "")
_BLANKS = re.compile(r"[ \t\r\n\f]+")
_MARKS = {name: kind for name, kind in MARK_TAGS.items() if kind != "color"} | {
    "code": "code",
    "tt": "code",
    "samp": "code",
    "var": "code",
    "ins": "",
    "strike": "strikethrough",
    "dfn": "italic",
    "cite": "italic",
}
# Links with nothing to read: the signs beside headings, the way back from a footnote.
_SIGNS = frozenset(["¶", "#", "§", "🔗", "↩", "↩︎", "↑", "⏎"])
SAFE_SCHEMES = frozenset({"http", "https", "mailto", "tel", "ftp"})
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")


def is_safe(url: str) -> bool:
    """Whether a URL may stand in content: relative, or of a harmless scheme."""
    scheme = _SCHEME.match("".join(url.split()))
    allowed = scheme is None or scheme.group(1).lower() in SAFE_SCHEMES
    return allowed and not runs_script(url)


def inline_markdown(items: Iterable[Tag | str]) -> str:
    """Markdown of text and inline elements as the lines of a paragraph.

    Blocks among them count as their text.
    """
    return paragraph_text(inline_nodes(items), _WRITING)


def line_markdown(items: Iterable[Tag | str]) -> str:
    """Inlines as Markdown on one line, with `<br>` for breaks: for headings and cells of tables."""
    return line_text(inline_nodes(items), _WRITING)


def inline_nodes(items: Iterable[Tag | str]) -> list[Node]:
    """Text and inline nodes, blanks joined and none at the two ends."""
    collected = _Inlines()
    collected.add_all(items, ())
    return collected.finish()


class _Inlines:
    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.leaves: list[Json] = []
        # Whether the next text may begin with a blank.
        self.blank = True

    def add_all(self, items: Iterable[Tag | str], marks: tuple[str, ...]) -> None:
        for item in items:
            if isinstance(item, str):
                self._text(_BLANKS.sub(" ", item), marks)
            else:
                self._element(item, marks)

    def _text(self, content: str, marks: tuple[str, ...]) -> None:
        if self.blank:
            content = content.lstrip(" ")
        if not content:
            return
        self.blank = content[-1] in " \n"
        kinds: list[Json] = [mark(kind) for kind in dict.fromkeys(marks)]
        if self.leaves and isinstance(self.leaves[-1], dict) and self.leaves[-1]["marks"] == kinds:
            self.leaves[-1]["text"] = str(self.leaves[-1]["text"]) + content
        else:
            self.leaves.append(leaf(content, kinds))

    def _element(self, tag: Tag, marks: tuple[str, ...]) -> None:
        name = tag.name
        if name == "br":
            self._trim()
            self._text("\n", ())
            self.blank = True
        elif name in ("a", "ac:link"):
            self._link(tag, marks)
        elif name == "img":
            self._image(tag)
        elif name == "math" or "katex" in tag.classes():
            self._math(tag)
        elif name == NOTE:
            self._node(inline("markdown", None, {"source": f"[^{tag.get('label')}]"}))
        elif name == "input":
            if tag.get("type").lower() == "checkbox":
                self._text("☑ " if "checked" in tag.attributes else "☐ ", marks)
        elif name in ("button", "select", "textarea", "svg", "audio", "video"):
            return
        elif name == "q":
            self._text("“", marks)
            self.add_all(tag.children, marks)
            self._text("”", marks)
        elif _MARKS.get(name):
            self.add_all(tag.children, (*marks, _MARKS[name]))
        else:
            self._plain(tag, marks)

    def _plain(self, tag: Tag, marks: tuple[str, ...]) -> None:
        style = tag.get("style").replace(" ", "").lower()
        if "font-weight:bold" in style or re.search(r"font-weight:[6-9]00", style):
            marks = (*marks, "bold")
        if "font-style:italic" in style:
            marks = (*marks, "italic")
        if "text-decoration:line-through" in style:
            marks = (*marks, "strikethrough")
        self.add_all(tag.children, marks)

    def _link(self, tag: Tag, marks: tuple[str, ...]) -> None:
        url = "".join(tag.get("href").split("\n")).strip()
        if tag.name == "ac:link":
            # The target is a title of another page, which the export does not resolve.
            self.add_all(tag.children, marks)
            return
        words = tag.words()
        if words in _SIGNS and (url.startswith("#") or not url):
            return
        if not url or not is_safe(url):
            self.add_all(tag.children, marks)
            return
        inner = _Inlines()
        inner.blank = self.blank
        inner.add_all(tag.children, marks)
        nodes = inner.finish()
        if not nodes:
            if tag.get("id") or tag.get("name") or url.startswith("#"):
                return
            nodes = [{"object": "text", "leaves": [leaf(url, [])]}]
        self._node(inline("link", nodes, {"ref": {"kind": "url", "url": url}}))
        if words and tag.text()[-1:].isspace():
            self._text(" ", marks)

    def _image(self, tag: Tag) -> None:
        url = image_source(tag)
        alt = " ".join(tag.get("alt").split())
        if "emoji" in " ".join(tag.classes()) or "emoticon" in tag.classes():
            # Wikis show emoji as pictures; their text is the character or its name.
            self._text(tag.get("data-emoji-fallback") or alt, ())
            return
        if not url:
            return
        data: JsonObject = {"ref": {"kind": "url", "url": url}}
        if alt:
            data["alt"] = alt
        self._node(inline("inline-image", None, data))

    def _math(self, tag: Tag) -> None:
        formula = read_formula(tag)
        if formula and "$$" not in formula:
            self._node(inline("inline-math", None, {"formula": formula}))
        else:
            self._text(tag.words(), ())

    def _node(self, node: Node) -> None:
        self._flush()
        self.nodes.append(node)
        self.blank = False

    def _trim(self) -> None:
        """Take blanks from the end of the text so far."""
        if self.leaves and isinstance(self.leaves[-1], dict):
            self.leaves[-1]["text"] = str(self.leaves[-1]["text"]).rstrip(" ")
            if not self.leaves[-1]["text"]:
                self.leaves.pop()

    def _flush(self) -> None:
        if self.leaves:
            self.nodes.append({"object": "text", "leaves": self.leaves})
            self.leaves = []

    def finish(self) -> list[Node]:
        while self.leaves and isinstance(self.leaves[-1], dict):
            last = str(self.leaves[-1]["text"]).rstrip(" \n")
            self.leaves[-1]["text"] = last
            if last:
                break
            self.leaves.pop()
        self._flush()
        return self.nodes


def image_source(tag: Tag) -> str:
    """The URL of an image, of one that loads late, too; "" for none and for data within."""
    for attribute in ("src", "data-src", "data-image-src"):
        url = "".join(tag.get(attribute).split("\n")).strip()
        if url and is_safe(url):
            return url
    return ""


def read_formula(tag: Tag) -> str:
    """The TeX of a formula, where the page carries it."""
    for element in tag.walk():
        if element.name == "annotation" and "tex" in element.get("encoding").lower():
            return element.words()
    return " ".join((tag.get("alttext") or tag.get("data-tex")).split())
