"""Pairing tags with their end tags among the blocks of one container."""

from __future__ import annotations

from dataclasses import dataclass, field

from content.markdown.block_rules import MAX_LEVEL
from content.markdown.context import Context
from content.markdown.nodes import Node, verbatim
from content.markdown.tag_syntax import Tag
from content.markdown.tags import TagRule, rule_for


@dataclass(slots=True)
class _Frame:
    """A tag that waits for its end, with the blocks since."""

    tag: Tag
    rule: TagRule
    nodes: list[Node] = field(default_factory=list)


class TagFrames:
    """Collects the blocks of one container and puts tagged ones together.

    A tag without an end, an end without a tag, a tag in the wrong place and a tag whose block
    cannot hold its content all stay as verbatim blocks, and nothing between them is lost.
    """

    def __init__(self, context: Context, level: int) -> None:
        """`level`: how deep the container itself is nested."""
        self._context = context
        self._level = level
        self._top: list[Node] = []
        self._open: list[_Frame] = []
        # The tags an item was made from, to undo it when its parent cannot be made.
        self._items: dict[int, tuple[Node, Tag, list[Node], Tag]] = {}

    def add(self, node: Node) -> None:
        self._target().append(node)

    def tag(self, tag: Tag, *, paired: bool) -> None:
        """Take the next tag of the container; `paired`: its end tag stands further down."""
        if tag.closing:
            self._close(tag)
            return
        rule = rule_for(tag)
        if rule is not None and rule.parent is not None:
            rule = rule if self._is_in(rule.parent) else None
        if rule is not None and rule.body == "required" and not paired:
            rule = None
        if rule is None or self._level + len(self._open) >= MAX_LEVEL:
            self._keep(tag)
        elif rule.body == "none" or (rule.body == "optional" and not paired):
            self._made(rule.build(tag, [], self._context), tag)
        else:
            self._open.append(_Frame(tag, rule))

    def finish(self) -> list[Node]:
        """All blocks; whatever is still open is taken apart."""
        while self._open:
            self._give_up(self._open.pop())
        return self._top

    def _target(self) -> list[Node]:
        return self._open[-1].nodes if self._open else self._top

    def _is_in(self, parent: str) -> bool:
        """Whether the innermost tag that is open and needs an end is `parent`."""
        for frame in reversed(self._open):
            if frame.rule.body == "required":
                return frame.tag.name == parent
        return False

    def _close(self, end: Tag) -> None:
        depth = next(
            (
                index
                for index in range(len(self._open) - 1, -1, -1)
                if self._open[index].tag.name == end.name
            ),
            None,
        )
        if depth is None:
            self._keep(end)
            return
        while len(self._open) > depth + 1:
            self._give_up(self._open.pop())
        frame = self._open.pop()
        node = frame.rule.build(frame.tag, frame.nodes, self._context)
        if node is None:
            self._keep(frame.tag)
            self._splice(frame.nodes)
            self._keep(end)
            return
        if self._context.styles is not None:
            self._context.styles.tag(node, frame.tag.source, self._body(frame, end))
        self.add(self._context.place(node, frame.tag.lines[0], end.lines[1]))
        if frame.rule.parent is not None:
            self._items[id(node)] = (node, frame.tag, frame.nodes, end)

    def _body(self, frame: _Frame, end: Tag) -> tuple[int, int] | None:
        """How many blank lines are before and behind what stands between two tags."""
        spans = self._context.spans
        first, last = (
            (spans.get(id(frame.nodes[at])) for at in (0, -1)) if frame.nodes else (None, None)
        )
        if first is None or last is None or self._context.styles is None:
            return None
        stop = self._context.styles.last_line(last[1], last[2])
        return first[1] - frame.tag.lines[1], end.lines[0] - stop

    def _give_up(self, frame: _Frame) -> None:
        """A tag without an end: a block of its own when it needs none, else verbatim."""
        node = None
        if frame.rule.body == "optional":
            node = frame.rule.build(frame.tag, [], self._context)
        self._made(node, frame.tag)
        self._splice(frame.nodes)

    def _splice(self, nodes: list[Node]) -> None:
        """Move blocks out of their container; items, which cannot be without it, fall apart."""
        for node in nodes:
            made = self._items.pop(id(node), None)
            if made is None:
                self.add(node)
                continue
            _, start, inner, end = made
            self._keep(start)
            self._target().extend(inner)
            self._keep(end)

    def _keep(self, tag: Tag) -> None:
        """Leave a tag as it is."""
        self._made(None, tag)

    def _made(self, node: Node | None, tag: Tag) -> None:
        """Add what was made of a single tag, or the tag as it is."""
        if node is not None and self._context.styles is not None:
            self._context.styles.tag(node, tag.source)
        self.add(self._context.place(node or verbatim(tag.source), *tag.lines))
