"""The block tags of the dialect, a row in `TAGS` and a function each, and how they are paired.

A function gets the tag and the blocks between it and its end tag, and returns the block for them.
It returns None when the block cannot hold what was written; then the tags stay in the document
as verbatim Markdown around their content.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal

from content.documents.nodes import (
    Node,
    block,
    children_of,
    data_of,
    fragment,
    object_of,
    paragraph,
    text,
    verbatim,
)
from content.documents.tag_syntax import OLDER_NAMES, PAGE_REF, Tag, read_length
from content.json_types import Json, JsonObject
from content.markdown.block_rules import MAX_LEVEL
from content.markdown.context import Context
from content.markdown.inlines import build_html_inlines
from content.script_addresses import BROKEN, runs_script

Build = Callable[[Tag, list[Node], Context], Node | None]
Convert = Callable[[str], Json]


@dataclass(frozen=True, slots=True)
class TagRule:
    """How a tag is read. `body`: whether an end tag is `required`, `optional` or never (`none`);
    `parents`: the tags of which it must stand directly in one."""

    build: Build
    body: Literal["required", "optional", "none"] = "required"
    parents: tuple[str, ...] = ()


def _flag(value: str) -> Json:
    return {"true": True, "false": False}.get(value.lower())


def _one_of(*allowed: str) -> Convert:
    return lambda value: value if value in allowed else None


def _names(value: str) -> Json:
    return [name.strip() for name in value.split(",") if name.strip()]


# What the values of attributes become, by name; those of others are texts.
_CONVERSIONS: dict[str, Convert] = {
    "expandable": _flag,
    "expanded": _flag,
    "fullWidth": _flag,
    "grouped": _flag,
    "lineNumbers": _flag,
    "openInAIProviders": _flag,
    "overflow": _one_of("scroll", "wrap"),
    "schemas": _names,
    "style": _one_of("info", "warning", "danger", "success"),
    "tags": _names,
    "valign": _one_of("top", "middle", "bottom"),
    "width": read_length,
}


def _data(tag: Tag, *names: str) -> JsonObject:
    """Block data from the attributes of a tag that have one of the names.

    An attribute that is not known or whose value does not fit is kept under `attributes`.
    """
    data: JsonObject = {}
    rest: JsonObject = {}
    for name, value in tag.attributes.items():
        convert = _CONVERSIONS.get(name)
        converted = value if convert is None else convert(value)
        if name == "url" and runs_script(value):
            converted = BROKEN
        if name not in names or converted is None:
            rest[name] = value
        else:
            data[name] = converted
    if rest:
        data["attributes"] = rest
    return data


def _hint(tag: Tag, nodes: list[Node], context: Context) -> Node | None:
    return block("hint", nodes, {"style": "info", **_data(tag, "style", "icon")})


def _container(kind: str, *names: str) -> Build:
    """A block that holds whatever stands in the tag."""
    return lambda tag, nodes, context: block(kind, nodes, _data(tag, *names))


def _items(kind: str, item: str, *names: str) -> Build:
    """A block that may hold blocks of the one type `item` only."""

    def build(tag: Tag, nodes: list[Node], context: Context) -> Node | None:
        if not nodes or any(node["type"] != item for node in nodes):
            return None
        return block(kind, nodes, _data(tag, *names))

    return build


def _older(build: Build) -> Build:
    """The block of a tag that has another name today; the block says so."""

    def older(tag: Tag, nodes: list[Node], context: Context) -> Node | None:
        node = None if "tag" in tag.attributes else build(tag, nodes, context)
        if node is not None:
            data = data_of(node)
            data["attributes"] = {"tag": tag.name, **object_of(data, "attributes")}
            node["data"] = data
        return node

    return older


def _column(tag: Tag, nodes: list[Node], context: Context) -> Node | None:
    data = _data(tag, "width", "valign")
    if "valign" in data:
        data["verticalAlignment"] = data.pop("valign")
    return block("column", nodes, data)


def _code(tag: Tag, nodes: list[Node], context: Context) -> Node | None:
    if len(nodes) != 1 or nodes[0]["type"] != "code":
        return None
    code = nodes[0]
    own = data_of(code)
    options = _data(tag, "title", "overflow", "lineNumbers", "fullWidth", "expandable")
    attributes = object_of(options, "attributes") | object_of(own, "attributes")
    code["data"] = {**own, **options, **({"attributes": attributes} if attributes else {})}
    return code


def _captioned(kind: str, data: JsonObject, nodes: list[Node]) -> Node:
    caption = object_of(data, "attributes").get("caption")
    if not nodes and isinstance(caption, str) and caption.strip():
        nodes = [paragraph([text(" ".join(caption.split()))])]
    return block(kind, None, data, [fragment("caption", nodes, "caption")] if nodes else None)


def _embed(tag: Tag, nodes: list[Node], context: Context) -> Node | None:
    if "url" not in tag.attributes:
        return None
    return _captioned("embed", _data(tag, "url", "fullWidth"), nodes)


def _file(tag: Tag, nodes: list[Node], context: Context) -> Node | None:
    if "src" not in tag.attributes:
        return None
    data = _data(tag, "src")
    data["ref"] = context.reference(str(data.pop("src")))
    return _captioned("file", data, nodes)


def _leading(kind: str, source: str, *names: str) -> Build:
    """A block that shows what the attribute `source` leads to: an address, or in `spec` the id of
    an OpenAPI specification."""

    def build(tag: Tag, nodes: list[Node], context: Context) -> Node | None:
        if source not in tag.attributes or not _only_a_link(nodes):
            return None
        data = _data(tag, source, *names)
        target = str(data.pop(source))
        is_spec = source == "spec"
        data["ref"] = {"kind": "openapi", source: target} if is_spec else context.reference(target)
        return block(kind, None, data)

    return build


def _page_ref(tag: Tag, nodes: list[Node], context: Context) -> Node | None:
    """A link to a page, as it was written before there was `content-ref`."""
    if set(tag.attributes) != {"page"}:
        return None
    ref = context.reference(tag.attributes["page"])
    return block("content-ref", None, {"ref": ref, "attributes": {"tag": PAGE_REF}})


def _only_a_link(nodes: list[Node]) -> bool:
    """Whether a body is just the link that writers put there for other readers of Markdown."""
    if not nodes:
        return True
    inlines = [child.get("type") for child in children_of(nodes[0])]
    return len(nodes) == 1 and nodes[0]["type"] == "paragraph" and inlines == ["link"]


def _expandable(tag: Tag, nodes: list[Node], context: Context) -> Node | None:
    title = paragraph(build_html_inlines(tag.attributes.get("summary", ""), context))
    data: JsonObject = {"open": True} if tag.attributes.get("open") else {}
    fragments = [
        fragment("expandable-title", [title], "expandable-title"),
        fragment("expandable-body", nodes or [paragraph([])], "expandable-body"),
    ]
    return block("expandable", None, data, fragments)


def _condition(tag: Tag, nodes: list[Node], context: Context) -> Node | None:
    return block("if", nodes, {"expression": tag.arguments})


def _include(tag: Tag, nodes: list[Node], context: Context) -> Node | None:
    path = tag.quoted
    if path is None:
        return None
    prefix = "/reusable-content/"
    if path.startswith(prefix) and path[len(prefix) :].isalnum():
        ref: JsonObject = {"kind": "reusable-content", "reusableContent": path[len(prefix) :]}
    else:
        ref = context.reference(path)
    return block("reusable-content", None, {"ref": ref})


def _integration(tag: Tag, nodes: list[Node], context: Context) -> Node | None:
    integration, _, name = tag.name.removeprefix("@").partition("/")
    if not integration or not name:
        return None
    props: JsonObject = dict(tag.attributes)
    return block("integration", None, {"integration": integration, "block": name, "props": props})


_TABS = _items("tabs", "tabs-item", "fullWidth")
_TAB = _container("tabs-item", "title", "icon")
_IN_TABS = ("tabs", OLDER_NAMES["tabs"])
_SWAGGER = _leading("swagger", "src", "path", "method", "expanded", "fullWidth")

TAGS: dict[str, TagRule] = {
    "hint": TagRule(_hint),
    "tabs": TagRule(_TABS),
    "tab": TagRule(_TAB, parents=_IN_TABS),
    OLDER_NAMES["tabs"]: TagRule(_older(_TABS)),
    OLDER_NAMES["tab"]: TagRule(_older(_TAB), parents=_IN_TABS),
    "code": TagRule(_code),
    "embed": TagRule(_embed, body="optional"),
    "content-ref": TagRule(_leading("content-ref", "url"), body="optional"),
    PAGE_REF: TagRule(_page_ref, body="none"),
    "file": TagRule(_file, body="optional"),
    "details": TagRule(_expandable),
    "stepper": TagRule(_items("stepper", "stepper-step")),
    "step": TagRule(_container("stepper-step", "title", "icon"), parents=("stepper",)),
    "columns": TagRule(_items("columns", "column", "fullWidth")),
    "column": TagRule(_column, parents=("columns",)),
    "if": TagRule(_condition),
    "updates": TagRule(_items("updates", "update", "format")),
    "update": TagRule(_container("update", "date", "tags"), parents=("updates",)),
    "prompt": TagRule(
        _container("prompt", "description", "icon", "openInAIProviders", "defaultExpanded")
    ),
    "include": TagRule(_include, body="none"),
    "openapi": TagRule(_SWAGGER, body="optional"),
    "swagger": TagRule(_SWAGGER, body="optional"),
    "openapi-operation": TagRule(
        _leading("openapi-operation", "spec", "path", "method"), body="optional"
    ),
    "openapi-schemas": TagRule(
        _leading("openapi-schemas", "spec", "schemas", "grouped"), body="optional"
    ),
    "openapi-webhook": TagRule(
        _leading("openapi-webhook", "spec", "name", "method"), body="optional"
    ),
}

_INTEGRATION = TagRule(_integration, body="none")


def rule_for(tag: Tag) -> TagRule | None:
    """The rule of a tag, None for one that is not known."""
    return _INTEGRATION if tag.name.startswith("@") else TAGS.get(tag.name)


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
        self._items: dict[int, tuple[Node, Tag, list[Node], Tag | None]] = {}

    @property
    def depth(self) -> int:
        """How deep what comes next is nested."""
        return self._level + len(self._open)

    def add(self, node: Node) -> None:
        self._target().append(node)

    def tag(self, tag: Tag, *, paired: bool) -> None:
        """Take the next tag of the container; `paired`: its end tag stands further down."""
        if tag.closing:
            self._close(tag)
            return
        rule = rule_for(tag)
        if rule is not None and rule.parents:
            rule = rule if self._is_in(rule.parents) else None
        if rule is not None and rule.body == "required" and not paired:
            rule = None
        if rule is None or self.depth >= MAX_LEVEL:
            self._keep(tag)
        elif rule.body == "none" or (rule.body == "optional" and not paired):
            self._made(rule.build(tag, [], self._context), tag)
        else:
            self._open.append(_Frame(tag, rule))

    def line(self, tag: Tag, nodes: list[Node], source: str, *, inside: bool) -> None:
        """Take a tag that stands on one line with the blocks in it and its end; `inside`: in
        another one on that line, which may hold it. What cannot be stays the line that it is."""
        rule = rule_for(tag)
        node = None
        if (
            rule is not None
            and (inside or not rule.parents or self._is_in(rule.parents))
            and self.depth < MAX_LEVEL
        ):
            node = rule.build(tag, nodes, self._context)
        whole = replace(tag, source=source)
        self._made(node, tag if node is not None else whole)
        if node is not None and rule is not None and rule.parents:
            self._items[id(node)] = (node, whole, [], None)

    def finish(self) -> list[Node]:
        """All blocks; whatever is still open is taken apart."""
        while self._open:
            self._give_up(self._open.pop())
        return self._top

    def _target(self) -> list[Node]:
        return self._open[-1].nodes if self._open else self._top

    def _is_in(self, parents: tuple[str, ...]) -> bool:
        """Whether the innermost tag that is open and needs an end is one of `parents`."""
        for frame in reversed(self._open):
            if frame.rule.body == "required":
                return frame.tag.name in parents
        return False

    def _close(self, end: Tag) -> None:
        if all(frame.tag.name != end.name for frame in self._open):
            self._keep(end)
            return
        while self._open[-1].tag.name != end.name:
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
        if frame.rule.parents:
            self._items[id(node)] = (node, frame.tag, frame.nodes, end)

    def _body(self, frame: _Frame, end: Tag) -> tuple[int, int] | None:
        """The numbers of blank lines above and below the content between two tags."""
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
            blocks = self._items.pop(id(node), None)
            if blocks is None:
                self.add(node)
                continue
            _, start, inner, end = blocks
            self._keep(start)
            self._target().extend(inner)
            if end is not None:
                self._keep(end)

    def _keep(self, tag: Tag) -> None:
        """Leave a tag as it is."""
        self._made(None, tag)

    def _made(self, node: Node | None, tag: Tag) -> None:
        """Add what was made of a single tag, or the tag as it is."""
        if node is not None and self._context.styles is not None:
            self._context.styles.tag(node, tag.source)
        self.add(self._context.place(node or verbatim(tag.source), *tag.lines))
