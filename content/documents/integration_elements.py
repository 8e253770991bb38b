"""Elements that integrations draw blocks with, as blocks of documents: what of them is text.

They are a stranger's values of any shape. What stands here are their texts, addresses and Markdown,
for all that reads a page without drawing it; as HTML they are in `content/html`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

import orjson

from content.documents.nodes import (
    Node,
    block,
    inline,
    leaf,
    leaves_of,
    mark,
    objects_in,
    paragraph,
    text,
    text_of,
)
from content.json_types import JsonObject, values_in

# Elements of one block that are read, and how deep they may stand in each other.
MOST_ELEMENTS, DEPTH = 500, 20
_MARKS = {"bold": "bold", "italic": "italic", "code": "code", "strikethrough": "strikethrough"}
OPEN, OPEN_WINDOW, CLOSE_WINDOW = "@ui.url.open", "@ui.modal.open", "@ui.modal.close"
Parse = Callable[[str], Iterable[Node]]
_Element = Mapping[str, Any]


def listed(value: Any) -> list[Any]:
    """A list as it is, nothing as an empty one, and another value as a list of it."""
    if isinstance(value, list):
        return value
    return [] if value is None else [value]


def texts(value: _Element, name: str) -> str:
    """A member that is a text; "" when it is none."""
    member = value.get(name)
    return member if isinstance(member, str) else ""


def opened_address(action: Any) -> str:
    """The address that an action opens; "" for every other action."""
    if not isinstance(action, dict) or action.get("action") != OPEN:
        return ""
    return texts(action, "url")


def window_of(action: Any) -> tuple[str, JsonObject] | None:
    """The component that an action opens in a window, and its properties."""
    if not isinstance(action, dict) or action.get("action") != OPEN_WINDOW:
        return None
    component, props = action.get("componentId"), action.get("props", {})
    return (component, props) if isinstance(component, str) and isinstance(props, dict) else None


def name_of_window(component: str, props: JsonObject) -> str:
    """A component with its properties, as a text that is equal for equal ones."""
    return orjson.dumps([component, _as_numbers(props)], option=orjson.OPT_SORT_KEYS).decode()


def _as_numbers(value: Any) -> Any:
    """A value with its numbers as browsers write them who have read them."""
    if isinstance(value, list):
        return [_as_numbers(item) for item in value]
    if isinstance(value, dict):
        return {name: _as_numbers(item) for name, item in value.items()}
    if isinstance(value, int | float) and not isinstance(value, bool):
        number = float(value)
        return int(number) if number.is_integer() and abs(number) < 2**53 else number
    return value


def windows_in(shown: JsonObject) -> set[str]:
    """The names of all windows that an element opens."""
    windows = (window_of(value) for value in values_in([shown]))
    return {name_of_window(*window) for window in windows if window is not None}


def resolved(state: JsonObject, value: Any) -> Any:
    """A value with what the state has in the place of the names that stand for it."""
    if isinstance(value, list):
        return [resolved(state, item) for item in value]
    if not isinstance(value, dict):
        return value
    if isinstance(value.get("$state"), str):
        return state.get(value["$state"])
    return {name: resolved(state, item) for name, item in value.items()}


@dataclass(frozen=True, slots=True)
class Elements:
    """The elements of one block, with the state that some of their values are taken from."""

    state: JsonObject

    def text(self, value: Any) -> str:
        """A text, or what the state has of the name that stands for it."""
        if isinstance(value, dict) and isinstance(value.get("$state"), str):
            value = self.state.get(value["$state"])
        if isinstance(value, int | float) and not isinstance(value, bool):
            return f"{value:g}" if isinstance(value, float) else str(value)
        return value if isinstance(value, str) else ""

    def value(self, control: _Element, initial: str) -> Any:
        """The value of a control: that of the state, or else its initial one."""
        name = control.get("state")
        current = self.state.get(name) if isinstance(name, str) else None
        return control.get(initial) if current is None else current

    def address(self, value: Any) -> str:
        """The address of a link, picture or page: `url`, a text or its parts."""
        url = value.get("url") if isinstance(value, dict) else None
        if isinstance(url, str):
            return url
        if not isinstance(url, dict):
            return ""
        host, path = texts(url, "host"), texts(url, "pathname")
        if not host:
            return ""
        query = url.get("query")
        pairs = [
            (name, self.text(part))
            for name, part in (query.items() if isinstance(query, dict) else ())
        ]
        written = f"https://{quote(host, safe=':[]')}/{quote(path.lstrip('/'), safe='/%')}"
        return f"{written}?{urlencode(pairs)}" if pairs else written


def code_node(source: str, syntax: str, numbered: bool = False) -> Node:
    """A code block."""
    data: dict[str, Any] = {"syntax": syntax} if syntax else {}
    if numbered:
        data["lineNumbers"] = True
    lines = [block("code-line", [text(line)]) for line in source.split("\n")]
    return block("code", lines, data)


def nodes_of(shown: JsonObject, parse: Parse) -> list[Node]:
    """What a block shows as blocks of a document; `parse` reads Markdown."""
    state = shown.get("state")
    reader = _Reader(Elements(state if isinstance(state, dict) else {}), parse)
    return list(reader.blocks(shown.get("element"), 0))


class _Reader:
    def __init__(self, elements: Elements, parse: Parse) -> None:
        self._elements, self._parse = elements, parse
        self._left = MOST_ELEMENTS

    def blocks(self, value: Any, depth: int) -> Iterator[Node]:
        """The blocks of an element; inlines that stand alone are a paragraph."""
        if isinstance(value, str):
            yield from _paragraph([text(value)] if value.strip() else [])
            return
        if not isinstance(value, dict) or depth > DEPTH or self._left <= 0:
            return
        self._left -= 1
        kind = value.get("type")
        if kind in ("text", "link", "image", "hint"):
            yield from _paragraph(list(self._inlines(value, depth)))
        elif kind == "markdown":
            yield from self._parse(self._elements.text(value.get("content")))
        elif kind == "codeblock":
            yield from self._within(value, depth, "header")
            source = self._elements.text(value.get("content"))
            yield code_node(source, texts(value, "syntax"))
            yield from self._within(value, depth, "footer")
        elif kind == "webframe":
            yield from _paragraph(_link(self._elements.address(value.get("source")), []))
        elif kind == "divider":
            yield block("divider", None)
        elif kind == "button":
            address = opened_address(value.get("onPress"))
            yield from _paragraph(_link(address, [text(texts(value, "label"))]) if address else [])
        elif kind == "card":
            yield from self._card(value, depth)
        elif kind in ("step", "stepper", "block", "vstack", "hstack", "box"):
            title = texts(value, "title")
            yield from _paragraph([text(title)] if title else [])
            yield from self._within(value, depth, "children")
        elif kind == "input":
            yield from _paragraph(self._labelled(value))

    def _labelled(self, value: _Element) -> list[Node]:
        label, control, current = texts(value, "label"), value.get("element"), None
        # What is typed as a password is nobody's to see.
        if isinstance(control, dict) and control.get("inputType") != "password":
            current = self._elements.value(control, "initialValue")
        said = f"{label}: {current}" if isinstance(current, str) and current else label
        return [text(said)] if said else []

    def _card(self, value: _Element, depth: int) -> Iterator[Node]:
        title = texts(value, "title")
        if title:
            address = opened_address(value.get("onPress"))
            content = [text(title)]
            yield from _paragraph(_link(address, content) if address else content)
        hint = [node for child in listed(value.get("hint")) for node in self._inlines(child, depth)]
        yield from _paragraph(hint)
        yield from self._within(value, depth, "children")
        yield from self._within(value, depth, "buttons")

    def _within(self, value: _Element, depth: int, name: str) -> Iterator[Node]:
        for child in listed(value.get(name)):
            yield from self.blocks(child, depth + 1)

    def _inlines(self, value: Any, depth: int) -> Iterator[Node]:
        if isinstance(value, str):
            yield text(value)
            return
        if not isinstance(value, dict) or depth > DEPTH or self._left <= 0:
            return
        self._left -= 1
        content = [
            node
            for child in listed(value.get("children"))
            for node in self._inlines(child, depth + 1)
        ]
        kind = value.get("type")
        if kind == "link":
            yield from _link(self._elements.address(value.get("target")), content)
        elif kind == "text":
            style = value.get("style")
            name = _MARKS.get(style) if isinstance(style, str) else None
            yield from content if name is None else [_marked(node, name) for node in content]
        elif kind == "hint":
            yield from content


def _paragraph(nodes: list[Node]) -> Iterator[Node]:
    if nodes:
        yield paragraph(nodes)


def _link(address: str, content: list[Node]) -> list[Node]:
    if not address:
        return content
    shown = content or [text(address)]
    return [inline("link", shown, {"ref": {"kind": "url", "url": address}})]


def _marked(node: Node, name: str) -> Node:
    leaves = leaves_of(node)
    if leaves is None:
        return node
    marked = [leaf(text_of(part, "text"), [*_marks(part), mark(name)]) for part in leaves]
    return {**node, "leaves": [*marked]}


def _marks(part: Node) -> list[Node]:
    return list(objects_in(part.get("marks")))
