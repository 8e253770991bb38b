"""Inline Markdown tokens as text and inline nodes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from html import unescape

from markdown_it.token import Token

from content.documents.nodes import (
    Node,
    fragment,
    inline,
    leaf,
    mark,
    paragraph,
    text,
    verbatim_inline,
)
from content.emoji import SHORTCODE, code_of
from content.json_types import Json, JsonObject
from content.markdown.context import Context
from content.markdown.html_inlines import (
    MARK_ORDER,
    MARK_TAGS,
    VOID_TAGS,
    html_mark,
    html_void,
    is_label_tag,
    label_inline,
    picture_inline,
)
from content.markdown.html_tree import HtmlTag, html_tokens, parse_html_tag

_HTML_BLANKS = " \t\n\f\r"
_BLANK_RUN = re.compile(r"[ \t\n\f\r]+")
_LINK_ATTRIBUTES = {"href", "target", "title"}
FOOTNOTE_LINK = "#user-content-fn-"
_MARKS = {"strong": "bold", "em": "italic", "s": "strikethrough"}


def build_inlines(tokens: Iterable[Token], context: Context) -> list[Node]:
    """Text and inline nodes for the children of an inline token."""
    listed = list(tokens)
    if len(listed) == 1 and listed[0].type == "text" and listed[0].content:
        return [text(listed[0].content)]
    return _Inlines(listed, context).build()


def build_html_inlines(source: str, context: Context) -> list[Node]:
    """Text and inline nodes for a piece of HTML, such as a table cell."""
    tokens: list[Token] = []
    for item in html_tokens(source.strip(_HTML_BLANKS)):
        if isinstance(item, HtmlTag):
            tokens.append(Token("html_inline", "", 0, content=item.source))
        else:
            # White space in HTML is one blank; line breaks are written as <br>.
            tokens.extend(_html_text(_BLANK_RUN.sub(" ", item)))
    return build_inlines(tokens, context)


def _html_text(source: str) -> Iterable[Token]:
    """Text and emoji of HTML; entities keep a name of an emoji from being one."""
    position = 0
    for match in SHORTCODE.finditer(source):
        code = code_of(match.group(1))
        if code is not None:
            yield Token("text", "", 0, content=unescape(source[position : match.start()]))
            yield Token("emoji", "", 0, content=match.group(), meta={"code": code})
            position = match.end()
    yield Token("text", "", 0, content=unescape(source[position:]))


@dataclass(slots=True)
class _Link:
    """A link that is open, with the list that collects its content."""

    make: Callable[[list[Node]], Node]
    nodes: list[Node] = field(default_factory=list)
    end: int | None = None


class _Inlines:
    def __init__(self, tokens: list[Token], context: Context) -> None:
        self.tokens = tokens
        self.context = context
        self.tags: list[HtmlTag | None] = [
            parse_html_tag(token.content) if token.type == "html_inline" else None
            for token in tokens
        ]
        self.partners = self._match_tags()
        self.top: list[Node] = []
        self.link: _Link | None = None
        self.leaves: list[Json] = []
        self.marks: list[tuple[str, Node]] = []
        # The start tags that are marks.
        self.opened: set[int] = set()

    def _match_tags(self) -> dict[int, int]:
        """For every HTML start tag that has an end tag in the same Markdown element, its index;
        those of marks and links may end in another one."""
        partners: dict[int, int] = {}
        open_tags: dict[tuple[str, int], list[int]] = {}
        for index, tag in enumerate(self.tags):
            if tag is None or tag.void:
                continue
            anywhere = tag.name in MARK_TAGS or tag.name == "a"
            key = (tag.name, -1 if anywhere else self.tokens[index].level)
            if not tag.closing:
                open_tags.setdefault(key, []).append(index)
            elif open_tags.get(key):
                start = open_tags[key].pop()
                partners[start] = index
                partners[index] = start
        return partners

    def build(self) -> list[Node]:
        position = 0
        while position < len(self.tokens):
            position = self._token(position)
        self._flush()
        if self.link is not None:
            self._close_link()
        return self.top

    def _token(self, position: int) -> int:
        """Handle the token at `position`; the position of the next one."""
        token = self.tokens[position]
        kind = token.type
        if kind in ("text", "text_special"):
            self._text(token.content)
        elif kind == "softbreak":
            self._text(" ")
        elif kind == "hardbreak":
            self._text("\n")
        elif kind == "code_inline":
            self._text(token.content, mark("code"))
        elif kind.endswith("_open") and kind[:-5] in _MARKS:
            self.marks.append((kind[:-5], mark(_MARKS[kind[:-5]])))
        elif kind.endswith("_close") and kind[:-6] in _MARKS:
            self._end_mark(kind[:-6])
        elif kind == "link_open":
            self._open_link(token)
        elif kind == "link_close":
            self._flush()
            self._close_link()
        elif kind == "image":
            self._node(self._image(token))
        elif kind == "math_inline":
            self._node(inline("inline-math", data={"formula": token.content}))
        elif kind == "emoji":
            self._node(inline("emoji", data={"code": token.meta["code"]}))
        elif kind == "footnote_ref":
            self._footnote(str(token.meta["label"]))
        elif kind == "html_inline":
            return self._html(position)
        elif token.content:
            self._node(verbatim_inline(token.content))
        return position + 1

    def _text(self, content: str, extra: Node | None = None) -> None:
        if not content:
            return
        marks: list[Json] = []
        for _, active in self.marks:
            if active not in marks:
                marks.append(active)
        if extra is not None and extra not in marks:
            marks.append(extra)
        if len(marks) > 1:
            marks.sort(key=_mark_rank)
        last = self.leaves[-1] if self.leaves else None
        if isinstance(last, dict) and last["marks"] == marks:
            last["text"] = f"{last['text']}{content}"
        else:
            self.leaves.append(leaf(content, marks))

    def _end_mark(self, name: str) -> None:
        for index in range(len(self.marks) - 1, -1, -1):
            if self.marks[index][0] == name:
                del self.marks[index]
                return

    def _target(self) -> list[Node]:
        return self.top if self.link is None else self.link.nodes

    def _flush(self) -> None:
        if self.leaves:
            self._target().append({"object": "text", "leaves": self.leaves})
            self.leaves = []

    def _node(self, node: Node) -> None:
        self._flush()
        self._target().append(node)

    def _open_link(self, token: Token) -> None:
        url, title = str(token.attrGet("href") or ""), token.attrGet("title")
        reference = self.context.reference(url)
        if title == "mention":
            self._begin_link(lambda _: inline("mention", data={"ref": reference}))
            return
        data: JsonObject = {"ref": reference}
        if title:
            data["title"] = str(title)
        outside = bool(self.marks)

        def make(nodes: list[Node]) -> Node:
            node = inline("link", nodes or [text()], data)
            if self.context.styles is not None:
                self.context.styles.link(node, outside=outside)
            return node

        self._begin_link(make)

    def _begin_link(self, make: Callable[[list[Node]], Node], end: int | None = None) -> None:
        self._flush()
        self.link = _Link(make, end=end)

    def _close_link(self) -> None:
        link = self.link
        if link is not None:
            self.link = None
            self.top.append(link.make(link.nodes))

    def _image(self, token: Token) -> Node:
        alt = "".join(child.content for child in token.children or [])
        data: JsonObject = {"ref": self.context.reference(str(token.attrGet("src") or ""))}
        if alt:
            data["alt"] = alt
        if token.attrGet("title"):
            data["caption"] = str(token.attrGet("title"))
        return inline("inline-image", data=data)

    def _footnote(self, label: str) -> None:
        body = self.context.notes.take(label)
        if body is None:
            self._node(verbatim_inline(f"[^{label}]"))
            return
        self._node(annotation([self._take_last_word()], label, body))

    def _take_last_word(self) -> Node:
        """Cut the last word off the text so far, as a text node: the annotated word.

        Text with marks is taken as a whole, as `**two words**[^1]` annotates both.
        """
        last = self.leaves[-1] if self.leaves else None
        if not isinstance(last, dict):
            return text()
        content = str(last["text"])
        word = content.split()[-1] if content.split() else ""
        if not word or not content.endswith(word):
            return text()
        if last["marks"]:
            word = content
        last["text"] = content[: -len(word)]
        if not last["text"]:
            self.leaves.pop()
        marks = last["marks"]
        return {"object": "text", "leaves": [leaf(word, marks if isinstance(marks, list) else [])]}

    def _html(self, position: int) -> int:
        tag, partner = self.tags[position], self.partners.get(position)
        if tag is None:
            self._node(verbatim_inline(self.tokens[position].content))
            return position + 1
        if tag.closing:
            self._end_html(tag, position, partner)
            return position + 1
        if tag.name == "br":
            self._text("\n")
            return position + 1
        if tag.name in VOID_TAGS:
            self._node(html_void(tag, self.context) or verbatim_inline(tag.source))
            return position + 1
        if partner is not None and partner > position:
            between = self.tokens[position + 1 : partner]
            if is_label_tag(tag):
                inline_node = label_inline(tag, between, self.context)
                if inline_node is not None:
                    self._node(inline_node)
                    return partner + 1
            if tag.name == "code":
                self._text("".join(_plain(token) for token in between), mark("code"))
                return partner + 1
            made_mark = html_mark(tag)
            if tag.name in MARK_TAGS and made_mark is not None and between:
                self.opened.add(position)
                self.marks.append((f"<{tag.name}>", made_mark))
                return position + 1
            if tag.name == "picture":
                image = picture_inline(between, self.context)
                if image is not None:
                    self._node(image)
                    return partner + 1
            if "data-footnote-ref" in tag.attributes and self._is_link(
                HtmlTag(tag.name, tag.source), between
            ):
                label = tag.attributes.get("href", "").removeprefix(FOOTNOTE_LINK)
                body = self.context.notes.take(label)
                if body is not None:
                    note = body
                    self._begin_link(lambda nodes: annotation(nodes, label, note), partner)
                    return position + 1
            if self._is_link(tag, between):
                data: JsonObject = {"ref": self.context.reference(tag.attributes.get("href", ""))}
                if tag.attributes.get("title"):
                    data["title"] = tag.attributes["title"]
                self._begin_link(lambda nodes: inline("link", nodes or [text()], data), partner)
                return position + 1
        self._node(verbatim_inline(tag.source))
        return position + 1

    def _is_link(self, tag: HtmlTag, between: Iterable[Token]) -> bool:
        """Whether a tag starts a link: there are no links in links."""
        if tag.name != "a" or self.link is not None or set(tag.attributes) - _LINK_ATTRIBUTES:
            return False
        return all(token.type != "link_open" for token in between)

    def _end_html(self, tag: HtmlTag, position: int, partner: int | None) -> None:
        if self.link is not None and self.link.end == position:
            self._flush()
            self._close_link()
            return
        if partner in self.opened:
            self._end_mark(f"<{tag.name}>")
            return
        self._node(verbatim_inline(tag.source))


def annotation(nodes: list[Node], label: str, body: list[Node]) -> Node:
    """Text with the body of the footnote `label`."""
    fragments = [fragment("body", body or [paragraph([])], "annotation-body")]
    return inline("annotation", nodes or [text()], {"label": label}, fragments)


def _mark_rank(kind: Json) -> int:
    return MARK_ORDER.index(str(kind["type"])) if isinstance(kind, dict) else 0


def _plain(token: Token) -> str:
    return " " if token.type in ("softbreak", "hardbreak") else token.content
