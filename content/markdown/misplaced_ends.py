"""End tags that stand in another container than the tag that they end.

Authors indent an end tag as the text above it, so that it is in the last item of a list within the
tag; or they do not indent it, so that it ends the list that has the tag in its last item. Both are
brought to where the tag is, by ending the list before them, or after them. Nothing is moved past
anything but ends of lists. Behind the end of a list, tags that are indented as it was look like
code; they are tags where one waits for them.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field, replace

from markdown_it.token import Token

from content.documents.tag_syntax import Tag, parse_tag

_LISTS = frozenset({"bullet_list_open", "ordered_list_open", "list_item_open"})
_ENDS = frozenset({"bullet_list_close", "ordered_list_close", "list_item_close"})
_ITEMS = frozenset({"list_item_open", "plain_item"})
# Tags that stand in others, and how many tags may be indented together.
_PARENTS = {"tab": "tabs", "step": "stepper", "column": "columns", "update": "updates"}
_MOST_TAGS = 20


@dataclass(slots=True)
class _Container:
    """A container that is open in the source: its first token, the level of what it holds, and the
    names of the tags in it that wait for their ends. `ended`: an end tag has ended it already."""

    opening: Token | None
    level: int
    waiting: list[str] = field(default_factory=list)
    ended: bool = False
    # Of a list: its items so far. Of one that was ended: its last line in the source.
    items: int = 0
    last_line: int = 0

    @property
    def is_list(self) -> bool:
        return self.opening is not None and self.opening.type in _LISTS


def settle_ends(tokens: list[Token]) -> list[Token]:
    """The tokens with every end tag in the container of its tag, where that can be.

    Takes time in proportion to the tokens, and to the depth of lists for each end tag.
    """
    if not any(map(_may_end, tokens)):
        return tokens
    return _Settling().settle(tokens)


def _may_end(token: Token) -> bool:
    if token.type == "tag":
        return bool(token.meta["tag"].closing)
    return token.type == "code_block" and token.content.startswith("{% end")


class _Settling:
    def __init__(self) -> None:
        self.out: list[Token] = []
        self.open = [_Container(None, 0)]
        # By id() of the last token of an item: names that still wait in it. And its first token,
        # that of a list, too.
        self.left: dict[int, list[str]] = {}
        self.opening_of: dict[int, Token] = {}

    def settle(self, tokens: list[Token]) -> list[Token]:
        for token in tokens:
            if token.nesting == -1:
                self._end(token)
                continue
            if token.type in _ITEMS:
                if self.open[-1].ended:
                    self._begin_again(token)
                self.open[-1].items += 1
            if token.type == "tag":
                self._tag(token, token.meta["tag"])
            elif token.type == "code_block" and (tags := self._indented_tags(token)):
                for tag in tags:
                    self._tag(tag, tag.meta["tag"])
            else:
                self._put(token, self._home().level)
            if token.nesting == 1:
                self.open.append(_Container(token, token.level + 1))
        return self.out

    def _home(self) -> _Container:
        """The innermost container that has not been ended."""
        return next(container for container in reversed(self.open) if not container.ended)

    def _put(self, token: Token, level: int) -> None:
        token.level = level
        self.out.append(token)

    def _end(self, token: Token) -> None:
        container = self.open.pop()
        if container.ended or container.opening is None:
            return
        self._put(token, container.opening.level)
        if container.is_list:
            self.opening_of[id(token)] = container.opening
            if container.waiting:
                self.left[id(token)] = container.waiting

    def _begin_again(self, item: Token) -> None:
        """Begin another list for the items behind an end tag that has ended theirs."""
        container = self.open[-1]
        assert container.opening is not None
        opening = copy(container.opening)
        opening.map = [(item.map or [0])[0], container.last_line]
        if opening.type == "ordered_list_open":
            opening.attrs = {"start": int(opening.attrs.get("start", 1)) + container.items}
        self._put(opening, self._home().level)
        container.opening, container.level, container.ended = opening, opening.level + 1, False
        container.items = 0

    def _indented_tags(self, code: Token) -> list[Token]:
        """The tags that indented code is; none when it is more, or nothing waits for the first."""
        lines = code.content.split("\n")
        if "{%" not in lines[0] or len(lines) > _MOST_TAGS or code.map is None:
            return []
        tokens: list[Token] = []
        for number, line in enumerate(lines, start=code.map[0]):
            tag = parse_tag(line.strip()) if line.strip().startswith("{%") else None
            if tag is not None:
                placed = replace(tag, lines=(number, number + 1))
                token = Token("tag", "", 0, map=[number, number + 1], content=tag.source)
                token.block, token.meta = True, {"tag": placed}
                tokens.append(token)
            elif line.strip():
                return []
        first: Tag = tokens[0].meta["tag"]
        awaited = first.name if first.closing else _PARENTS.get(first.name, "")
        home = self._home()
        waits = awaited in home.waiting or self._outer(awaited) is not None
        return tokens if waits else []

    def _tag(self, token: Token, tag: Tag) -> None:
        home = self._home()
        if not tag.closing:
            home.waiting.append(tag.name)
        elif tag.name in home.waiting:
            _take(home.waiting, tag.name)
        elif (outer := self._outer(tag.name)) is not None:
            self._end_lists(outer, token)
            _take(outer.waiting, tag.name)
            home = outer
        elif self._put_into_item(token, tag.name):
            return
        self._put(token, home.level)

    def _outer(self, name: str) -> _Container | None:
        """The container around the lists here in which a tag of this name waits."""
        for container in reversed(self.open):
            if not container.ended and name in container.waiting:
                return container
            if not container.is_list:
                return None
        return None

    def _end_lists(self, outer: _Container, end: Token) -> None:
        line = (end.map or [0, 0])[0]
        for container in reversed(self.open):
            if container is outer:
                return
            opening = container.opening
            if container.ended or opening is None:
                continue
            if opening.map is not None:
                container.last_line = opening.map[1]
                opening.map = [opening.map[0], line]
            closing = Token(opening.type.replace("_open", "_close"), opening.tag, -1)
            closing.markup = opening.markup
            self._put(closing, opening.level)
            self.opening_of[id(closing)] = opening
            container.ended = True

    def _put_into_item(self, end: Token, name: str) -> bool:
        """Put an end tag into the last item of the list right above it, where its tag waits."""
        place = len(self.out)
        while place and self.out[place - 1].type in _ENDS:
            place -= 1
            waiting = self.left.get(id(self.out[place]), [])
            if name in waiting:
                _take(waiting, name)
                end.level = self.out[place].level + 1
                for closing in self.out[place:]:
                    opening = self.opening_of[id(closing)]
                    if opening.map is not None:
                        opening.map = [opening.map[0], (end.map or [0, 0])[1]]
                self.out.insert(place, end)
                return True
        return False


def _take(names: list[str], name: str) -> None:
    """Remove the last of these names, and those behind it, which are not ended in here."""
    del names[len(names) - 1 - names[::-1].index(name) :]
