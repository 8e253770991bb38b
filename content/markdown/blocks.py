"""Block tokens as blocks."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from markdown_it.token import Token

from content.documents.anchors import braced_anchor, is_valid_anchor
from content.documents.nodes import Node, block, fragment, paragraph, text, verbatim
from content.documents.tag_syntax import Tag
from content.json_types import Json, JsonObject
from content.markdown.cell_blocks import HEADINGS
from content.markdown.context import Context
from content.markdown.html_blocks import html_block
from content.markdown.html_tree import parse_html_tag
from content.markdown.inlines import build_inlines
from content.markdown.tables import pipe_table
from content.markdown.tags import TagFrames

_EMPHASIS = frozenset({"em_open", "em_close", "strong_open", "strong_close"})
_TASK = re.compile(r"\[([ xX])\](?:[ \t]+|(?=\n)|\Z)")
# HTML that goes on behind a blank line.
_REACHES_FAR = re.compile(r"</?(?:figure|picture|pre|script|style|table|textarea)\b", re.IGNORECASE)
# Blocks in these containers keep a lone image in the line: they hold no image blocks.
_INLINE_IMAGES_ONLY = ("list-item", "blockquote")


class BlockBuilder:
    """Turns block tokens into blocks, container by container."""

    def __init__(self, context: Context, used_definitions: Callable[[Token], bool]) -> None:
        """`used_definitions` tells whether a link definition has been put into links."""
        self._context = context
        self._is_used = used_definitions
        # How deep containers are nested, at least; list items count twice.
        self.deepest = 0

    def build(self, tokens: list[Token], level: int = 0, parent: str = "") -> list[Node]:
        """The blocks of one container of type `parent`, nested `level` deep."""
        if len(tokens) == 1 and tokens[0].type in ("plain", "plain_item"):
            # What most items of lists hold; there are no tags to put together.
            return [self._plain(tokens[0])]
        frames = TagFrames(self._context, level)
        self.deepest = max(self.deepest, level)
        paired = paired_tags(tokens)
        position = 0
        while position < len(tokens):
            token = tokens[position]
            end = closing(tokens, position)
            inner = tokens[position + 1 : end]
            if token.type == "tag":
                frames.tag(token.meta["tag"], paired=position in paired)
                self.deepest = max(self.deepest, frames.depth)
            elif token.type == "tag_line_open":
                nodes = self._on_line(inner, frames.depth + 1)
                frames.line(token.meta["tag"], nodes, token.content, inside=token.meta["inside"])
            elif token.type == "plain":
                frames.add(self._plain(token))
            else:
                # In a tag it is the tag that holds them.
                within = parent if frames.depth == level else ""
                node = self._block(token, inner, level, within)
                if node is not None:
                    if self._context.styles is not None:
                        self._context.styles.block(node, token, inner)
                    frames.add(self._context.place(node, *(token.map or (0, 0))))
            position = end + 1
        return frames.finish()

    def _on_line(self, tokens: list[Token], level: int) -> list[Node]:
        """The blocks of a tag on one line: they have no lines and no style of their own."""
        context = self._context
        styles, context.styles = context.styles, None
        count = len(context.spans)
        nodes = self.build(tokens, level)
        while len(context.spans) > count:
            context.spans.popitem()
        context.styles = styles
        return nodes

    def _plain(self, token: Token) -> Node:
        node = paragraph([text(token.content)])
        first, last = token.map or (0, 0)
        if token.type == "plain_item":
            # The lines of the item, which blank ones may follow.
            last = first + 1
        if self._context.styles is not None:
            self._context.styles.plain(node, token, last)
        return self._context.place(node, first, last)

    def _block(self, token: Token, inner: list[Token], level: int, parent: str) -> Node | None:
        kind = token.type
        if kind == "paragraph_open":
            return self._paragraph(inner, parent)
        if kind == "heading_open":
            return self._heading(token, inner)
        if kind in ("bullet_list_open", "ordered_list_open"):
            return self._list(token, inner, level)
        if kind == "blockquote_open":
            nodes = self.build(inner, level + 1, "blockquote")
            return block("blockquote", nodes or [paragraph([])])
        if kind in ("fence", "code_block"):
            return code_block(token)
        if kind == "hr":
            return block("divider")
        if kind == "table_open":
            return pipe_table(inner, self._context)
        if kind == "math_block":
            return block("math", data={"formula": token.content.rstrip("\n")})
        if kind == "html_block":
            source = token.content.rstrip("\n").lstrip(" \t")
            return html_block(source, self._context) or verbatim(source)
        if kind == "footnote_reference_open":
            return self._note(token)
        if kind == "definition":
            notes = self._context.notes
            return None if self._is_used(token) else verbatim(notes.source(token))
        return verbatim(token.content.rstrip("\n")) if token.content else None

    def _paragraph(self, inner: list[Token], parent: str) -> Node | None:
        if inner and not inner[0].content:
            # A line of blanks that only Unicode knows.
            return None
        children = inner[0].children or [] if inner else []
        nodes = build_inlines(children, self._context)
        # A checkbox stands beside a line.
        lone_html = None if inner and "box" in inner[0].meta else _lone_html(nodes)
        if lone_html is not None and lone_html in inner[0].content:
            if inner[0].content.strip() == lone_html:
                return verbatim(lone_html)
            if not _REACHES_FAR.match(lone_html):
                # Marks around it hold no text.
                return html_block(lone_html, self._context) or verbatim(lone_html)
        if parent not in _INLINE_IMAGES_ONLY:
            images = _lone_images(nodes)
            if images:
                return block("images", images)
        return paragraph(nodes)

    def _heading(self, token: Token, inner: list[Token]) -> Node:
        children = list(inner[0].children or []) if inner else []
        data: JsonObject = {}
        anchor = _take_anchor(children) or _take_braces(children, inner)
        if anchor is not None:
            data["id"] = anchor
        return block(HEADINGS[token.tag], build_inlines(children, self._context) or [text()], data)

    def _list(self, token: Token, inner: list[Token], level: int) -> Node:
        items: list[list[Token]] = []
        lines: list[Sequence[int]] = []
        position = 0
        while position < len(inner):
            item = inner[position]
            if item.type == "plain_item":
                items.append([item] if item.content else [])
                end = position
            else:
                end = closing(inner, position)
                items.append(inner[position + 1 : end])
            lines.append(item.map or (0, 0))
            position = end + 1
        if token.type == "ordered_list_open":
            start = token.attrGet("start")
            data: JsonObject = {} if start is None else {"start": int(start)}
            kind, states = "list-ordered", [dict[str, Json]() for _ in items]
        else:
            checks = [_take_checkbox(item) for item in items]
            kind = "list-unordered" if all(check is None for check in checks) else "list-tasks"
            states = [{} if check is None else {"checked": check} for check in checks]
            data = {}
        nodes = [self._item(item, level, state) for item, state in zip(items, states, strict=True)]
        for node, (first, last) in zip(nodes, lines, strict=True):
            self._context.place(node, first, last)
        return block(kind, nodes, data)

    def _item(self, tokens: list[Token], level: int, data: JsonObject) -> Node:
        nodes = self.build(tokens, level + 2, "list-item")
        return block("list-item", nodes or [paragraph([])], data)

    def _note(self, token: Token) -> Node | None:
        """A footnote that nothing refers to; others belong to the annotation that does."""
        notes = self._context.notes
        return None if notes.keeps(token) else verbatim(notes.source(token))


def paired_tags(tokens: list[Token]) -> set[int]:
    """Positions of the tags of one container that have an end tag there: each end belongs to the
    nearest tag of its name that has none yet."""
    level = tokens[0].level if tokens else 0
    waiting: dict[str, list[int]] = {}
    paired: set[int] = set()
    for position, token in enumerate(tokens):
        if token.type != "tag" or token.level != level:
            continue
        tag: Tag = token.meta["tag"]
        if not tag.closing:
            waiting.setdefault(tag.name, []).append(position)
        elif waiting.get(tag.name):
            paired.add(waiting[tag.name].pop())
    return paired


def closing(tokens: list[Token], position: int) -> int:
    """Index of the token that closes the one at `position`, which is itself for a lone token."""
    if tokens[position].nesting != 1:
        return position
    level = tokens[position].level
    for index in range(position + 1, len(tokens)):
        if tokens[index].nesting == -1 and tokens[index].level == level:
            return index
    return len(tokens)


def code_block(token: Token) -> Node:
    """A code block with one `code-line` a line; what follows the language is kept in `info`."""
    content = token.content.removesuffix("\n")
    lines = [block("code-line", [text(line)]) for line in content.split("\n")]
    language, _, info = token.info.strip().partition(" ")
    data: JsonObject = {"syntax": language} if language else {}
    if info.strip():
        data["attributes"] = {"info": info.strip()}
    return block("code", lines, data)


def _lone_images(nodes: list[Node]) -> list[Node]:
    """Image blocks for a paragraph of nothing but images."""
    images: list[Node] = []
    for node in nodes:
        data = node.get("data")
        if node.get("type") == "inline-image" and isinstance(data, dict) and "size" not in data:
            own = {key: value for key, value in data.items() if key != "caption"}
            caption = data.get("caption")
            fragments: list[Node] = []
            if isinstance(caption, str):
                fragments = [fragment("caption", [paragraph([text(caption)])], "caption")]
            images.append(block("image", None, own, fragments))
        elif node.get("object") != "text" or not _is_blank(node):
            return []
    return images


def _is_blank(node: Node) -> bool:
    leaves = node.get("leaves")
    return isinstance(leaves, list) and all(
        isinstance(part, dict) and str(part["text"]).isspace() and not part.get("marks")
        for part in leaves
    )


def _take_anchor(children: list[Token]) -> str | None:
    """Remove `<a href="#id" id="id"></a>` from the end of a heading; the id."""
    if len(children) < 2 or [token.type for token in children[-2:]] != ["html_inline"] * 2:
        return None
    start, end = (parse_html_tag(token.content) for token in children[-2:])
    if start is None or end is None or start.name != "a" or end.source != "</a>":
        return None
    anchor = start.attributes.get("id", "")
    if set(start.attributes) - {"href", "id"} or not is_valid_anchor(anchor):
        return None
    del children[-2:]
    if children and children[-1].type == "text":
        children[-1].content = children[-1].content.rstrip()
    return anchor


def _take_braces(children: list[Token], inner: list[Token]) -> str | None:
    """Remove `{#id}` from the end of a heading; the id."""
    braced = braced_anchor(inner[0].content) if inner else None
    if braced is None:
        return None
    anchor, source = braced
    spelled = source.lstrip(" \t")
    end, depth = len(spelled), 0
    for place in range(len(children) - 1, -1, -1):
        token = children[place]
        is_text = token.type == "text"
        if is_text and len(token.content) >= end and token.content.endswith(spelled[:end]):
            # Emphasis that begins before the braces and ends in them makes them a text.
            if depth:
                return None
            last = token.content[: len(token.content) - end].rstrip()
            children[place:] = [token.copy(content=last)]
            return anchor
        # Underscores of the id may have been taken for those of emphasis.
        written = token.content if is_text else token.markup
        if not (is_text or token.type in _EMPHASIS) or not spelled.endswith(written, 0, end):
            return None
        end, depth = end - len(written), depth + token.nesting
    return None


def _take_checkbox(item: list[Token]) -> bool | None:
    """Remove `[ ]` or `[x]` from the start of a list item; whether it is checked."""
    if len(item) < 2 or item[0].type != "paragraph_open" or not item[1].children:
        return None
    # As it is written, because blanks that are entities belong to the text.
    match = _TASK.match(item[1].content)
    first = item[1].children[0]
    if match is None or first.type != "text":
        return None
    first.content = first.content[match.end() :]
    item[1].meta = {**item[1].meta, "box": match.end()}
    if not first.content and [child.type for child in item[1].children[1:2]] == ["softbreak"]:
        del item[1].children[1]
    return match.group(1) != " "


def _lone_html(nodes: list[Node]) -> str | None:
    """The source of a paragraph of nothing but one piece of HTML that is kept: on a line of its
    own that is a block."""
    if len(nodes) != 1 or nodes[0].get("type") != "markdown":
        return None
    data = nodes[0]["data"]
    source = str(data["source"]) if isinstance(data, dict) else ""
    return source if source.startswith("<") else None
